//! Requests about names, archives, lines of a file, and changes of a repository.

use super::RequestTemplates;
use crate::clause::RequestKind;

pub(crate) const TEMPLATES: &[RequestTemplates] = &[
    RequestTemplates {
        kind: RequestKind::TableQuery,
        name: "table_query",
        // Read word by word where the columns are known: see `semantic.rs`.
        english: &[],
        chinese: &[],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::FindNamed,
        name: "find_named",
        english: &[
            "(find|locate|search for|look for) [me] [the] [file] [named|called] {file}[ <in>]",
            "(where is|where's|wheres) [the] [file] {file}",
        ],
        chinese: &[
            "(找|找到|查找|找一下|找找|搜索|定位)[名为|叫]{file}",
            "{file}在(哪|哪里|哪儿|什么地方)",
            "(哪里|哪儿|什么地方)有{file}",
        ],
        example: Some(("where is notes.md", "notes.md在哪里")),
    },
    RequestTemplates {
        kind: RequestKind::JsonValid,
        name: "json_valid",
        english: &[
            "is {file} [a] (valid|ok|okay|good|correct|proper|well-formed|well formed|parseable) json[ file]",
            "is the json (in|of) {file} (valid|ok|okay|good|correct|well-formed|well formed)",
            "(check|tell me|see) (whether|if|that) {file} is [a] valid json[ file]",
            "validate [the] [json] [file] {file}",
        ],
        chinese: &[
            "{file}是[不是|否是](有效|合法|正确)的JSON[文件|格式][吗]",
            "(检查|验证|看看|看一下)[一下]{file}(是不是|是否是|是否)[有效|合法|正确][的]JSON[文件|格式]",
        ],
        example: Some(("is config.json valid JSON", "config.json是合法的JSON吗")),
    },
    RequestTemplates {
        kind: RequestKind::ArchiveList,
        name: "archive_list",
        english: &[
            "(list|show|show me) [the] (contents of|files in|content of) {file}",
            "(what is|what's|whats) (in|inside) {file}",
            "(which|what) files are (in|inside) {file}",
        ],
        chinese: &[
            "(查看|列出|看看|看一下|显示){file}[里|里面|中][的](内容|文件)",
            "{file}[里|里面|中](有什么|有哪些文件|有些什么|装了什么)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitBranches,
        name: "git_branches",
        english: &[
            "(list|show|show me|what are|give me) [all] [of] [the|my] [local] [git] branches[ <in>]",
            "(what|which) [git] branches (are there|exist|do i have)[ <in>]",
            "git branch",
        ],
        chinese: &[
            "有哪些[git]分支",
            "(列出|显示|查看|看看)[所有|全部][的][git]分支[列表]",
            "所有[的][git]分支",
        ],
        example: Some(("list all branches", "列出所有分支")),
    },
    RequestTemplates {
        kind: RequestKind::GitTags,
        name: "git_tags",
        english: &[
            "(list|show|show me|what are) [all] [the] [git] tags[ <in>]",
            "(what|which) [git] tags (are there|exist)[ <in>]",
        ],
        chinese: &["有哪些[git](标签|tag)", "(列出|显示|查看)[所有|全部][的][git](标签|tag)"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitBlame,
        name: "git_blame",
        english: &["[git] blame {file}", "who [last] (changed|wrote|edited) each line (of|in) {file}"],
        chinese: &["{file}[的]每[一]行是谁(写|改|修改)的", "谁(写|改)了{file}的每[一]行"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::Md5,
        name: "md5",
        english: &[
            "[<say>|compute|calculate] [the] md5 [sum|checksum|hash|digest] (of|for) {file}",
            "md5 {file}",
        ],
        chinese: &["[计算|算|查看|求][一下]{file}[的]md5[值]"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::MailAddresses,
        name: "mail_addresses",
        english: &[
            "(extract|find|list|show|get|pull out) [me] [all] [of] [the] (emails|email addresses|e-mail addresses|mail addresses|e-mails) (from|in|out of) {file}",
            "(which|what) (emails|email addresses|mail addresses) are in {file}",
        ],
        chinese: &[
            "(提取|找出|列出|显示|抽取){file}(里|中|里面)[的][所有|全部][的](邮箱|邮箱地址|邮件地址|电子邮件地址)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::WebAddresses,
        name: "web_addresses",
        english: &[
            "(extract|find|list|show|get) [me] [all] [of] [the] (urls|links|web addresses) (from|in|out of) {file}",
        ],
        chinese: &["(提取|找出|列出|显示){file}(里|中|里面)[的][所有|全部][的](网址|链接)"],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::GitDiff,
        name: "git_diff",
        english: &[
            "git diff",
            "(show|see|print) [me] [the] [git] diff",
            "[show] [me] [the] [git] (diff|changes) since the last commit",
            "(show|see) [me] [the] git diff",
        ],
        chinese: &["git[的]差异", "<zsay>git diff", "(看看|查看|显示|看一下)[代码]改动"],
        example: Some(("git diff", "git diff")),
    },
    RequestTemplates {
        kind: RequestKind::GitCount,
        name: "git_count",
        english: &[
            "<count> [the] [git] commits[ are][ there][ does it have][ so far][ in total][ <in>]",
            "the number of [git] commits[ <in>]",
        ],
        chinese: &[
            "[<zin>][一共|总共|共]有(多少|几)(次|个|条)[git]提交[记录]",
            "<zcount>[git]提交[的](次数|总数)",
            "[git]提交了(多少|几)次",
        ],
        example: Some(("how many commits are there", "一共有多少次提交")),
    },
    RequestTemplates {
        kind: RequestKind::CountMatches,
        name: "count_matches",
        english: &[
            "<count> [the] lines [that|which] (containing|contain|with|have|having|mention|mentioning|hold|holding|include|including) [the] [word|text] {text} (in|of|from) {file}",
            "<count> [of] [the] lines (in|of) {file} (contain|containing|have|with|that contain|mention) [the] [word|text] {text}",
        ],
        chinese: &[
            "{file}(里|中|里面)(包含|含有|含|有|带|出现){text}的行[有|共有|一共](几|多少)行",
            "{file}(里|中|里面)有(几|多少)行(包含|含有|含|有|带|出现|提到){text}",
            "<zcount>{file}(里|中|里面)(包含|含有|含|有|带|出现){text}的行[数]",
        ],
        example: Some(("count lines containing beans in notes.txt", "notes.txt里有几行包含“豆”")),
    },
    RequestTemplates {
        kind: RequestKind::MatchLines,
        name: "match_lines",
        english: &[
            "(show|list|print|find|get|display) [me] [all] [of] [the] lines [that|which] (containing|contain|with|have|having|mention|mentioning|hold|holding|include|including) [the] [word|text] {text} (in|of|from) {file}",
            "which lines (of|in) {file} (contain|have|mention|hold|include) [the] [word|text] {text}",
            "(search|grep) {file} for [the] [word|text] {text}",
            "(search|look|grep) for [the] [word|text] {text} in {file}",
            "find [the] (word|text) {text} in {file}",
        ],
        chinese: &[
            "[在]{file}(里|中|里面)(搜索|查找|搜|找|查)[一下]{term}",
            "{file}(里|中|里面)(哪些|哪几|哪)行(有|包含|含有|含|提到|提到了|出现|出现了|写着){text}",
            "(列出|显示|找出|查找|看看){file}(里|中|里面)(包含|含有|含|有|提到){text}的行",
            "(把|将){file}(里|中|里面)[的][所有|全部](包含|含有|含|有|带|带有|出现|提到)[了]({text}|{term})的[所有|全部]行[都|全|全部](列|显示|找|打印|挑|筛|筛选|过滤)(出来|一下|出)",
        ],
        example: Some(("show lines with beans in notes.txt", "在notes.txt里搜索“豆”")),
    },
    RequestTemplates {
        kind: RequestKind::TopAddresses,
        name: "top_addresses",
        english: &[
            "(which|what) (ip|ip address|ips|ip addresses|addresses) (appears|appear|shows up|show up|occurs|occur|comes up|is) [the] (most often|most|most frequent|most frequently) in {file}",
            "[<find>] [the] [top] [{count}] [most (frequent|common)] (ip|ip address|ips|ip addresses) in {file}",
        ],
        chinese: &[
            "{file}(里|中|里面)(出现|访问)[次数|得]最多的[前]{count}个IP[地址]",
            "{file}(里|中|里面)(出现|访问)[次数|得]最多的IP[地址][是哪个|是什么|有哪些]",
            "{file}(里|中|里面)哪个IP[地址](出现|访问)[次数|得]最多",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::SortUnique,
        name: "sort_unique",
        english: &[
            "sort [the] [lines of|lines in] {file} without (duplicates|duplicate lines|repeated lines)",
            "(show|list) [the] (unique|distinct|different) lines (of|in) {file}",
        ],
        chinese: &[
            "(把|将|对)[文件]{file}(去重后排序|排序后去重|排序并去重|去重并排序|排序去重|去重排序)",
            "{file}(去重后排序|排序后去重|排序并去重|去重并排序|排序去重|去重排序)",
        ],
        example: Some(("sort notes.txt without duplicates", "notes.txt去重后排序")),
    },
    RequestTemplates {
        kind: RequestKind::LogLevels,
        name: "log_levels",
        english: &[
            "<count> [the] lines (of|for|per|with|at|by) [each|every] [log] level (in|of) {file}",
            "count [the] [log] levels (in|of) {file}",
        ],
        chinese: &["{file}(里|中|里面)每个[日志]级别[各|分别]有(多少|几)(行|条)"],
        example: Some(("count the log levels in app.log", "app.log里每个级别各有多少行")),
    },
    RequestTemplates {
        kind: RequestKind::RepeatedLines,
        name: "repeated_lines",
        english: &["(which|what) lines (are|stand|appear|occur) (repeated|twice|more than once) in {file}"],
        chinese: &["{file}(里|中|里面)有[哪些]重复的行[吗]"],
        example: Some(("which lines appear twice in notes.txt", "notes.txt里有哪些重复的行")),
    },
    RequestTemplates {
        kind: RequestKind::SortLines,
        name: "sort_lines",
        english: &["sort [the] [lines of|lines in] {file}[ alphabetically]"],
        chinese: &["(把|将|对){file}[的行|按行]排序[后|之后|一下]", "{file}[的行|按行]排序[后|之后|一下]"],
        example: Some(("sort notes.txt", "notes.txt排序")),
    },
];
