//! Further everyday requests: what a log says, figures of a text, pictures, the history of a repository, ports and memory.

use super::RequestTemplates;
use crate::clause::RequestKind;

pub(crate) const TEMPLATES: &[RequestTemplates] = &[
    RequestTemplates {
        kind: RequestKind::CountOccurrences,
        name: "count_occurrences",
        english: &[
            "how (often|many times) (does|did|do|is|was) [the] [word|text] {text} (appear|occur|show up|come up|mentioned|found|used|there|appears) in {file}",
            "(count|number of) [the|all] (occurrences|mentions|appearances) of [the] [word|text] {text} in {file}",
            "how many (occurrences|mentions|appearances) of [the] [word|text] {text} [are] [there] [in] {file}",
        ],
        chinese: &[
            "{file}(里|中|里面){term}[一共|总共](出现|出现过|出现了)[了](几|多少)次",
            "{term}在{file}(里|中|里面)[一共|总共](出现|出现过|出现了)(几|多少)次",
            "<zcount>{file}(里|中|里面){term}[的]出现[的]次数",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::CountMatches,
        name: "count_things",
        english: &[
            "<count> [the|all] {things}[ are][ there| do we have| do i have| were there| happened| occurred] (in|of) {file}",
            "<count> {things} does {file} (have|contain|hold)",
        ],
        chinese: &[
            "{file}(里|中|里面)[一共|总共|共]有(多少|几)(个|条|行|处)({things}|{text})",
            "{file}[一共|总共|共]有(多少|几)(个|条|行|处){things}",
            "<zcount>{file}(里|中|里面)[的]{things}[的](数量|个数|条数|行数|数)",
            "(数一下|数一数|数数|数|统计一下|统计|计算)[一下]{file}(里|中|里面)[的][所有|全部]{things}[有多少|有几个|有几条|有多少个|有多少条]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::MatchLines,
        name: "match_things",
        english: &[
            "(show|list|print|find|get|display|extract) [me] [all] [of] [the] {things} (in|of|from) {file}",
            "(which|what) {things} (are|are there|were) in {file}",
            "(what is|what's|whats|what are) (on|in) [the|my] {things} (in|of|from) {file}",
            "(which|what) lines (in|of|from) {file} are {things}",
            "[all] [of] [the|my] {things} (in|of|from) {file}",
            "(grep|search) [for] {text} in {file}",
        ],
        chinese: &[
            "(列出|显示|找出|查找|看看|看一下|看|提取)[一下]{file}(里|中|里面)[的][所有|全部][的]({things}|{text})",
            "{file}(里|中|里面)有(哪些|什么){things}",
            "[把|将]{file}(里|中|里面|的|里的|中的|里面的)[所有|全部][的]{things}[都|全部](列出来|显示出来|找出来|列一下|列出)",
            "{file}(里|中|里面|的|里的|中的|里面的)[所有|全部][的]{things}[有哪些|是什么|是哪些]",
            "[在]{file}(里|中|里面)(搜索|查找|搜一下|搜|找一下|找|查)[一下]{text}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::TopAddresses,
        name: "common_addresses",
        english: &[
            "(which|what) [is] [the] [most] [common|frequent] (ip|ip address|address) (is|are) [the] most (common|frequent) in {file}",
            "[what is|<find>] the most (common|frequent) (ip|ip address) in {file}",
        ],
        chinese: &["{file}(里|中|里面)哪个IP[地址](最多|最频繁|次数最多|出现最多)"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::LastLines,
        name: "last_line",
        english: &[
            "(what is|what's|show|print|read|give|get|display) [me] [the] (last|final|bottom){one} line (of|in|from) {file}",
        ],
        chinese: &["{file}(里|中|里面|的)[的]最后一行{one}[是什么|写的什么|写了什么]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::FirstLines,
        name: "first_line",
        english: &[
            "(what is|what's|show|print|read|give|get|display) [me] [the] (first|top){one} line (of|in|from) {file}",
        ],
        chinese: &["{file}(里|中|里面|的)[的]第一行{one}[是什么|写的什么|写了什么]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::SortUnique,
        name: "unique_lines",
        english: &[
            "[<say>|<find>] [the] (unique|distinct|different) lines (of|in|from) {file}",
            "{file} without [the] (duplicates|duplicate lines|repeated lines)",
            "(show|list|print) [me] {file} without [the] (duplicates|duplicate lines|repeated lines)",
        ],
        chinese: &["[<zsay>]{file}(里|中|里面|的)[的]不(重复|同)的行"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::UniqueLines,
        name: "lines_once",
        english: &["(dedupe|deduplicate|de-duplicate|uniq) [the] [lines] [of|in] {file}"],
        chinese: &["[把|将|对]{file}(去掉|去除|去)(重复|重复的行|重复行|重)[后|之后|一下][的内容]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::NumberStatistic,
        name: "number_statistic",
        english: &[
            "[<say>|calculate|compute|work out] [the] {stat} [up] [value] [of] [all] [of] [the] (numbers|figures|values|amounts) (in|from|of) {file}",
            "add [up] [all] [of] [the] (numbers|figures|values|amounts) (in|from|of) {file}",
            "{stat} [up] {file}",
        ],
        chinese: &[
            "[<zcount>|求|求出|把|将]{file}(里|中|里面|的)[的][所有|全部][的](数字|数值|数)[的]{stat}[是多少]",
            "[把|将]{file}(里|中|里面|的)[的][所有|全部][的](数字|数值|数)(加起来|加一下|相加|加总|求和|累加)[是多少]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::LongestLine,
        name: "longest_line",
        english: &[
            "[<say>|<find>|what is|which is] [the] longest line (in|of) {file}",
            "which line (in|of) {file} is [the] longest",
        ],
        chinese: &[
            "[<zsay>|<zfind>]{file}(里|中|里面|的)[的]最长的[那]一行[是什么|是哪行]",
            "{file}(里|中|里面|的)[的]哪一行最长",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::JsonPretty,
        name: "json_pretty",
        english: &[
            "(pretty print|pretty-print|prettyprint|pretty show) [the] [json] [file] {file}",
            "(show|print|display) [me] {file} (pretty|formatted|nicely formatted|pretty printed|indented)",
        ],
        chinese: &[
            "(格式化|美化)[后](显示|输出|打印|查看){file}",
            "{file}(格式化|美化)[后|一下](显示|输出)",
            "(整齐地|漂亮地)(显示|打印){file}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::JsonValid,
        name: "json_check",
        english: &[
            "(check|validate|verify) [that] [the] [json] [syntax] [of|in] {file}[ is valid| is valid json]",
        ],
        chinese: &[
            "(校验|检验|验证|检查)[一下]{file}[的格式|的语法]",
            "{file}[的](格式|JSON|语法)(对|正确|有效|合法)(吗|不对|不正确)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::ConfigValue,
        name: "config_setting",
        english: &[
            "(what is|what's|<say>|read|extract|get) [the] {key} (setting|value|entry|field|key) (in|from|of) {file}",
            "(which|what) {key} is (set|configured|used|given|defined|specified) in {file}",
            "which {key} is in {file}",
        ],
        chinese: &["{file}(里的|中的|的|里面的|里|中)[的]{key}(设置|配置|字段)[是多少|是什么]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::ArchiveList,
        name: "archive_files",
        english: &[
            "(list|show) [me] [what is|what's|everything] (in|inside) {file}",
            "how many files are (in|inside) {file}",
        ],
        chinese: &["{file}(里|里面|中)(都有什么|都有哪些文件|是什么)"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::CsvShape,
        name: "csv_header",
        english: &[
            "[<say>] [the] (header|heading|header row|header line|columns|column names) (of|in|from) {file}",
        ],
        chinese: &["[<zsay>]{file}(的|里的|中的)(表头|标题行|列名|字段|字段名)[是什么|有哪些]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::CsvToJson,
        name: "csv_as_json",
        english: &["[<say>] {file} (as|in) json"],
        chinese: &["{file}(转成|转为|转换成|转换为|变成|导出为|导出成)JSON"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::CountWords,
        name: "words_in_file",
        english: &["(word count|wc -w) {file}", "{file} word count"],
        chinese: &["{file}[里|中|里面][一共|总共|共]有(几|多少)[个](单词|词|英文单词)"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::ImageSize,
        name: "image_size",
        english: &[
            "[<say>|what are] [the] (dimensions|resolution|pixel size|image size|size in pixels|width and height) (of|for) ({file}|[all] [the|my] {what}[ <in>])",
            "how (big|large|wide|many pixels) (is|are|has) ({file}|[all] [the|my] {what}[ <in>]) in pixels",
            "how many pixels (does|has) {file}[ have]",
        ],
        chinese: &[
            "[<zsay>]{file}[的](尺寸|分辨率|像素|宽高|长宽|宽和高|像素尺寸|图片尺寸)[是多少|多大|是什么]",
            "{file}是多少像素",
            "[<zsay>]<zall>[<zin>[的]]<zall>{what}[的](尺寸|分辨率|像素|宽高|像素尺寸)[是多少]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::FindFiles,
        name: "only_files",
        english: &[
            "(only|just) [the|my] {what}[ <filter>][ <in>]",
            "(show|list) [me] (only|just) [the|my] {what}[ <filter>][ <in>]",
        ],
        chinese: &["只(看|列出|显示|要|找|列)[<zin>[的]][(<zfilter>)的]<zall>{what}"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitFileDiff,
        name: "git_file_diff",
        english: &[
            "(show|see|print|git) [me] [the] [git] (diff|changes|differences) (of|in|for|to) {file}",
            "[git] diff {file}",
            "[<say>] [see|me] what (changed|has changed|did i change|i changed|have i changed|i have changed|was changed|is different) in {file}",
        ],
        chinese: &[
            "[<zsay>]{file}(的改动|的差异|的diff|改动)",
            "[<zsay>]{file}[里|中|里面][都]((改|改动|修改|变|变动)[了](什么|哪些|哪里|哪儿)|有(什么|哪些)(改动|变动|修改|变化))[地方|内容|东西]",
            "[<zsay>]{file}[里|中|里面][都](哪些地方|什么地方|哪里|哪儿)(改了|改动了|修改了|变了|有改动|有变化|被改了)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitFileLog,
        name: "git_file_log",
        english: &[
            "[<say>] [the] [git|commit|change] (history|log) (of|for) {file}",
            "(which|what) commits (changed|touched|modified) {file}",
            "commits (to|of|for|on) {file}",
            "who (changed|edited|modified) {file}",
        ],
        chinese: &[
            "[<zsay>]{file}[的](修改历史|提交历史|历史|提交记录|修改记录|变更历史|变更记录|历史记录)",
            "(谁|哪些人)(改过|修改过|改了){file}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitBy,
        name: "git_by",
        english: &[
            "[<say>|<find>] [all] [the] [git] commits (by|from|of) {name}",
            "what (did|has) {name} (commit|committed|change|changed)[ <in>]",
            "(which|what) commits (are|were|did) [made] [by] {name}[ make| made]",
        ],
        chinese: &[
            "{term}(提交了|提交过)(什么|哪些|哪些内容)",
            "[<zsay>]{term}的[git]提交[记录]",
            "{name}(提交了|提交过)(什么|哪些|哪些内容)",
            "[<zsay>]{name}的[git]提交[记录]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitSince,
        name: "git_since",
        english: &[
            "[<say>|<find>] [all] [the] [git] commits (since|from|of|made) {since}",
            "what (was|has been|did we|did i|have i|have we) (committed|commit) [since] {since}",
            "(today's|yesterday's) [git] commits",
        ],
        chinese: &[
            "{since}(以来|之后|起|开始)[的]提交[了](什么|哪些)",
            "{since}(以来|之后|起|开始|)[都]提交了(什么|哪些|哪些内容)",
            "[<zsay>]{since}[以来|之后|起]的[git]提交[记录]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitLog,
        name: "git_last",
        english: &[
            "[<say>] [the] (last|latest|most recent|newest){one} [git] commit[ message]",
            "what was the (last|latest|most recent){one} [git] commit[ message]",
        ],
        chinese: &[
            "[<zsay>](最后|最近|最新|上)[的]一次{one}[git]提交[的][说明|信息|内容|记录|注释][是什么]",
            "[<zsay>]最新的{one}[git]提交[是什么]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitLastFiles,
        name: "git_last_files",
        english: &[
            "(which|what) files (changed|were changed|did change|were modified|were touched) (in|by|with) the (last|latest|most recent) [git] commit",
            "[<say>] [the] files [changed] (in|of) the (last|latest|most recent) [git] commit",
        ],
        chinese: &["(最后|最近|最新|上)[的]一次[git]提交(改了|修改了|改动了|涉及|包含)(哪些|什么)[文件]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::PortUser,
        name: "port_user",
        english: &[
            "(what|who|which (process|program)) (is|is using|uses|'s using|is on|listens on|is listening on|runs on|is running on|occupies|has) [on] [using] port {count}",
            "(what's|whats|who's) (using|on|listening on|running on) port {count}",
            "is [the] port {count} (free|open|used|in use|taken|available)",
        ],
        chinese: &[
            "{count}[号]端口(被谁|被什么|被哪个(进程|程序))(占用|占用了|占了|使用)",
            "(谁|什么|哪个(程序|进程))(占用|占用了|占了|在用|使用)[了]{count}[号]端口",
            "{count}[号]端口(开着吗|空闲吗|被占用了吗|能用吗|有没有被占用)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::OpenPorts,
        name: "open_ports",
        english: &[
            "(which|what) [tcp] ports (are|are being) (open|used|in use|listening|listened on)[ here| on this (computer|machine)]",
            "(list|show) [me] [all] [the] (open|listening|used) [tcp] ports",
            "open ports",
        ],
        chinese: &[
            "(哪些|什么)端口(开着|打开着|在监听|被占用|是开着的|打开了|在使用)",
            "(列出|查看|显示|看看)[所有][打开的|开放的|监听的|占用的|开着的]端口[占用][情况]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::MemoryInfo,
        name: "memory_info",
        english: &[
            "how much (memory|ram) (does this (computer|machine) have|do i have|is there|is installed|is free|is left|is available|is in use|is used)[ on this (computer|machine)]",
            "[<say>] [the|my] [free|total|available] (memory|ram) [usage|size]",
            "how much (free|available) (memory|ram) (is there|do i have|is left)",
        ],
        chinese: &[
            "[我的|这台|本机][电脑|机器|计算机][上|里][一共|总共|还]有多少(内存|可用内存|空闲内存)",
            "[我的|这台|本机][电脑|机器|计算机](一共|总共|还|)[剩|剩余](有|)多少(内存|可用内存)",
            "<zsay>内存[大小|使用情况|使用|情况|占用]",
            "内存(有多大|多大|还剩多少|剩多少|够吗)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::ProcessorCount,
        name: "processor_count",
        english: &[
            "how many [cpu|processor] (cores|cpus|processors|cpu cores|processor cores) (do i have|does this (computer|machine) have|are there|has this (computer|machine))",
            "[<say>] [the] number of (cpus|cpu cores|cores|processors)",
        ],
        chinese: &[
            "[我的|这台|本机][电脑|机器|计算机]有(几|多少)[个](CPU|处理器|核|核心|CPU核心|CPU核)[核心|核]",
            "[我的|这台|本机][电脑|机器|计算机]有(几|多少)个(CPU核心|CPU|核心|处理器|核|CPU核)",
        ],
        example: None,
    },
];
