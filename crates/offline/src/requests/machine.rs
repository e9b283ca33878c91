//! Requests about repositories and the machine.

use super::RequestTemplates;
use crate::clause::RequestKind;

pub(crate) const TEMPLATES: &[RequestTemplates] = &[
    RequestTemplates {
        kind: RequestKind::GitStatus,
        name: "git_status",
        english: &[
            "[<say>] [the] [current] git (status|status digest|state)[ <in>]",
            "(what has changed|what changed|which files have changed|which files changed|are there uncommitted changes|what is uncommitted|show uncommitted changes|list uncommitted changes) [in git|in this repository|in the repository|in this repo]",
            "(is|are) [there] [any] uncommitted changes[ <in>]",
            "(what changed|what has changed|what did i change|what have i changed|which files did i change) [since the last commit]",
        ],
        chinese: &[
            "<zsay>[<zin>[的]][当前]git[的|仓库|仓库的]状态",
            "<zsay>[<zin>[的]][当前]git[仓库][的](状态|改动|变更)",
            "(有哪些|有没有|查看|看看|列出)(未提交|没有提交|没提交)的(改动|修改|变更|文件)",
            "<zsay>仓库[的]状态",
            "[看看|看一下|查看|显示]([我]改了什么|[我]改动了什么|有什么改动|有哪些改动|我的改动)",
        ],
        example: Some(("git status", "查看git状态")),
    },
    RequestTemplates {
        kind: RequestKind::GitLog,
        name: "git_log",
        english: &[
            "[<say>] [the] (last|latest|recent|most recent|newest) [{count}] [git] commits[ <in>]",
            "[<say>] [the] [git] commits (of|from|in|since|during) [the] (last|past) {newer}[ <in>]",
            "git log[ of the last {newer}]",
            "(what was|what has been|what did we|what was) (committed|commit) (in|during) the (last|past) {newer}",
        ],
        chinese: &[
            "<zsay>[<zin>[的]][git](最近|最新|最后)[的]{count}(次|个|条)[git]提交[记录]",
            "<zsay>[<zin>[的]](最近|过去|近){newer}[内|里|以来]的[git]提交[记录]",
            "<zsay>[<zin>[的]](最近|过去|近){newer}[内|里|以来][的][git]提交[记录|有哪些]",
            "<zsay>[<zin>[的]]最近的[git]提交[记录]",
            "<zsay>git(日志|提交记录|提交历史)",
        ],
        example: Some(("commits of the last week", "最近一周的提交")),
    },
    RequestTemplates {
        kind: RequestKind::GitAuthors,
        name: "git_authors",
        english: &[
            "(who|which authors|which people) (committed|has committed|made) [the] (most|most commits)[ <in>]",
            "[<say>|<count>] [the] [git] commits (by|per) (author|person)[ <in>]",
            "[<say>] [the] [git] (contributors|authors)[ <in>]",
        ],
        chinese: &[
            "(谁|哪些人)(提交|的提交)(最多|得最多|次数最多)",
            "(按作者|按人)统计[git]提交[次数|数量]",
            "<zcount>(每个人|每位作者|各作者|各人)的[git]提交(次数|数量|数)",
            "<zsay>[git](贡献者|作者)[列表][名单]",
        ],
        example: Some(("commits by author", "按作者统计提交次数")),
    },
    RequestTemplates {
        kind: RequestKind::GitBranch,
        name: "git_branch",
        english: &[
            "(which|what) [git] branch (am i on|are we on|is this|is checked out|is it)",
            "[<say>] [the] [current] [git] branch",
        ],
        chinese: &[
            "<zsay>[当前][的][git]分支",
            "<zsay>当前[的]git分支",
            "(现在|当前)[在|是][哪个]分支",
            "(现在|当前)(在|是)(哪个|什么)[git]分支",
        ],
        example: Some(("which git branch am I on", "查看当前git分支")),
    },
    RequestTemplates {
        kind: RequestKind::DiskFree,
        name: "disk_free",
        english: &[
            "how much [free] (disk space|space|disk|storage) (is|do i have) (free|left|available|remaining)[ on this (computer|machine|disk)]",
            "how much [free] (disk space|space|disk|storage) (is|do i have) (free|left|available|remaining|still free)",
            "how much [free] (disk space|space|disk|storage) [do] [i] have [left]",
            "how much free (disk space|space|disk|storage) (is there|do i have|is left)[ on this (computer|machine|disk)]",
            "[<say>] [the] (free|available|remaining) (disk space|space|disk|storage)",
            "(df|free disk space)",
            "[<say>] [the] disk space",
        ],
        chinese: &[
            "[我的|电脑|硬盘|磁盘][还剩|剩余|还有|剩]多少(磁盘|硬盘|磁盘空间|硬盘空间|空间|存储空间)[可用]",
            "<zsay>[磁盘|硬盘](剩余|可用)(空间|磁盘空间|硬盘空间)",
            "(磁盘|硬盘)(还剩|还有|剩余|剩)多少[空间]",
            "<zsay>磁盘(空间|使用情况)",
            "(我的|电脑的|电脑|这台电脑的|我)[硬盘|磁盘](还剩|还有|剩余|剩)[下][多少](磁盘|硬盘|磁盘空间|硬盘空间|空间|存储空间|多少空间)[可用]",
        ],
        example: Some(("how much disk space is free", "还剩多少磁盘空间")),
    },
    RequestTemplates {
        kind: RequestKind::SystemInfo,
        name: "system_info",
        english: &[
            "[<say>] [the|my] (system|computer|machine) (info|information|details|overview)",
            "(about this computer|about this machine|what machine is this|what computer is this|what system is this)",
            "(which|what) operating system (is this|am i running|is this computer running)",
        ],
        chinese: &[
            "<zsay>[这台|我的|本机][电脑|机器|计算机][的](系统信息|电脑信息|机器信息|本机信息|系统概况)",
            "(这|这台电脑|这台机器|电脑|我的电脑|我|本机|机器)[是|用的是|用的|装的是|装的|跑的是|运行的是]什么[操作]系统",
            "(这是什么系统|这台电脑是什么系统|操作系统是什么|什么操作系统)",
        ],
        example: Some(("show system information", "查看系统信息")),
    },
    RequestTemplates {
        kind: RequestKind::TopMemory,
        name: "top_memory",
        english: &[
            "(which|what|<find>) [the] [top] [{count}] (processes|programs|process|program) (use|using|that use|uses|take|by|with) [the] (most memory|most ram|memory|memory use|memory usage)",
            "(what|which program|which process|which app) (uses|is using|takes|is taking|needs) [up] [the] most (memory|ram)",
            "[<find>] [the] top {count} (processes|programs) by (memory|memory use|memory usage|ram)",
        ],
        chinese: &[
            "[<zfind>](占内存最多|占用内存最多|内存占用最高|最占内存|吃内存最多|内存占用最多|占内存最大)的[[前]{count}个](进程|程序)",
            "哪[些|个|几个](进程|程序)(最占内存|占内存最多|占用内存最多|内存占用最高)",
        ],
        example: Some(("which five processes use the most memory", "占内存最多的5个进程")),
    },
    RequestTemplates {
        kind: RequestKind::TopProcessor,
        name: "top_processor",
        english: &[
            "(which|what|<find>) [the] [top] [{count}] (processes|programs|process|program) (use|using|that use|uses|take|by|with) [the] (most cpu|most processor time|cpu|cpu use|cpu usage)",
            "(what|which program|which process|which app) (uses|is using|takes|is taking|needs) [up] [the] most (cpu|processor time)",
            "[<find>] [the] top {count} (processes|programs) by (cpu|cpu use|cpu usage)",
        ],
        chinese: &[
            "[<zfind>](占CPU最多|占用CPU最多|CPU占用最高|最占CPU|CPU占用最多)的[[前]{count}个](进程|程序)",
            "哪[些|个|几个](进程|程序)(最占CPU|占CPU最多|占用CPU最多|CPU占用最高)",
        ],
        example: Some(("which five processes use the most CPU", "占CPU最多的5个进程")),
    },
    RequestTemplates {
        kind: RequestKind::DateTime,
        name: "date_time",
        english: &[
            "what time is it[ now]",
            "what (day|date) is (it|today)[ today]",
            "what is (the date|the time|today's date|the current time|the current date)[ today| now]",
            "what's (the date|the time|today's date)",
            "(date|today's date)",
            "<say> [the] [current] (date|time|date and time|time and date)",
        ],
        chinese: &[
            "(现在|当前)[是](几点|几点了|什么时间|时间)",
            "(现在几点了|现在几点|几点了)",
            "今天[是](几号|几月几号|星期几|什么日期|的日期|日期|周几)",
            "今天是(几号|几月几号|星期几|什么日期|周几)",
            "<zsay>(当前时间|当前日期|日期|时间|日期和时间)",
        ],
        example: Some(("what time is it", "现在几点了")),
    },
    RequestTemplates {
        kind: RequestKind::WhereAmI,
        name: "where_am_i",
        english: &[
            "(pwd|where am i|which folder am i in|what folder am i in|what is the working directory|what is the current directory|what is the current folder|which directory am i in)",
        ],
        chinese: &[
            "(我在哪个目录|我在哪里|我现在在哪个目录|当前目录是什么|当前目录是哪个|当前目录在哪里|现在在哪个目录)",
        ],
        example: Some(("which folder am I in", "我在哪个目录")),
    },
];
