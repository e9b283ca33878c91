//! Requests about sets of files and folders.

use super::RequestTemplates;
use crate::clause::RequestKind;

pub(crate) const TEMPLATES: &[RequestTemplates] = &[
    RequestTemplates {
        kind: RequestKind::FindFiles,
        name: "find_files",
        english: &[
            "<find> [all [of] [the|my]|every] {what}[ <filter>][ <in>]",
            "[all [of] [the|my]|every] {what} <filter>[ <in>]",
            "[<find>] [all [of] [the|my]|every] {what}[ <in>] <filter>",
            "[<find>] [all [of] [the|my]|every] {what} <filter> <filter>[ <in>]",
            "<in> <find> [all [the|my]|every] {what}[ <filter>]",
            "(which|what) {what}[ <in>] [are|were|have been|is] <filter>[ <in>]",
            "(which|what) {what} are [there] <in>",
        ],
        chinese: &[
            "<zfind><zall>[<zin>[的]]<zall>[(<zfilter>)的]<zall>{what}",
            "[<zin>]<zfind><zall>[(<zfilter>)的]<zall>{what}",
            "[<zin>[的]]<zall>(<zfilter>)的<zall>{what}[有哪些]",
            "<zin>有(哪些|什么){what}",
            "<zin>[的]<zall>{what}有哪些",
            "[<zin>]<zfind>[<zall>](<zfilter>)[,|且|并且|而且](<zfilter>)的<zall>{what}",
            "<zfind>[<zin>[的]](<zfilter>)[,|且|并且|而且](<zfilter>)的<zall>{what}",
        ],
        example: Some(("find all PDFs larger than 20 MB in downloads", "找出下载目录里大于20MB的PDF")),
    },
    RequestTemplates {
        kind: RequestKind::EmptyFiles,
        name: "empty_files",
        english: &[
            "[<find>] [all] (empty|zero-byte|0-byte|zero byte) files[ <in>]",
            "(which|what) files[ <in>] are empty[ <in>]",
        ],
        chinese: &[
            "<zfind><zall>[<zin>[的]]<zall>空[的|白]文件",
            "[<zin>](<zfind>|有哪些)<zall>空[的|白]文件",
            "[<zin>[的]]<zall>空[的|白]文件[有哪些]",
        ],
        example: Some(("find empty files here", "找出当前目录里的空文件")),
    },
    RequestTemplates {
        kind: RequestKind::EmptyFolders,
        name: "empty_folders",
        english: &[
            "[<find>] [all] empty (folders|directories|subfolders|subdirectories)[ <in>]",
            "(which|what) (folders|directories)[ <in>] are empty[ <in>]",
        ],
        chinese: &[
            "<zfind><zall>[<zin>[的]]<zall>空[的|白](文件夹|目录|子目录|子文件夹)",
            "[<zin>](<zfind>|有哪些)<zall>空[的|白](文件夹|目录|子目录|子文件夹)",
            "[<zin>[的]]<zall>空[的|白](文件夹|目录|子目录|子文件夹)[有哪些]",
        ],
        example: Some(("find empty folders in documents", "找出文稿里的空文件夹")),
    },
    RequestTemplates {
        kind: RequestKind::LargestFiles,
        name: "largest_files",
        english: &[
            "[<find>|what are|which are] [the|my] [top] [{count}] (largest|biggest) {what}[ <in>]",
            "[<find>|what are] [the|my] {count} {what} that (take|use|need) [up] [the] most (space|disk space)[ <in>]",
            "(what is|what's|which is) the (largest|biggest) {what}[ <in>]",
            "(which|what) {what} (are|is) the (largest|biggest)[ <in>]",
            "<in> [<find>] [the|my] [{count}] (largest|biggest) {what}",
        ],
        chinese: &[
            "[<zfind>][<zin>[的]](最大|体积最大|最占空间|占空间最大|占用空间最大|占空间最多|最占地方)的[前]({count}[个|份|张|部|个的]|几个|一些)[<zall>]{what}",
            "[<zfind>][<zin>[的]](最大|体积最大|最占空间|占空间最大|占用空间最大|占空间最多|最占地方)的{what}[是哪个|是哪些|有哪些|是什么]",
            "[<zin>](<zfind>)[<zin>[的]](最大|体积最大|最占空间)的[{count}[个|份|张|部]]{what}",
            "[<zfind>][<zin>]哪[些|个|几个]{what}最(大|占空间|占地方)",
            "[<zfind>][<zin>[的]]{what}[里|中](最大|体积最大)的[前]{count}个",
        ],
        example: Some(("find the ten largest files here", "找出当前目录里最大的10个文件")),
    },
    RequestTemplates {
        kind: RequestKind::NewestFiles,
        name: "newest_files",
        english: &[
            "[<find>|what are] [the|my] [{count}] (newest|latest|most recent|[most] recently (changed|modified|edited|updated)|last (changed|modified|edited)) {what}[ <in>]",
            "(which|what) {what} (changed|were changed|were modified|have changed) (last|most recently)[ <in>]",
        ],
        chinese: &[
            "[<zfind>][<zin>[的]](最新|最近|最近(<zchanged>)[过]|最后(<zchanged>)[过])的[前]{count}[个|份|张]{what}",
            "[<zfind>][<zin>[的]](最新|最近(<zchanged>)[过]|最后(<zchanged>)[过])的{what}[有哪些|是哪些]",
        ],
        example: Some(("show the five most recently changed files here", "列出当前目录里最近修改的5个文件")),
    },
    RequestTemplates {
        kind: RequestKind::OldestFiles,
        name: "oldest_files",
        english: &[
            "[<find>|what are] [the|my] [{count}] (oldest|least recently (changed|modified|edited)) {what}[ <in>]",
        ],
        chinese: &[
            "[<zfind>][<zin>[的]](最旧|最老|最早|最久没(<zchanged>)[过])的[[前]{count}[个|份|张]]{what}[有哪些]",
        ],
        example: Some(("show the five oldest files in downloads", "列出下载目录里最旧的5个文件")),
    },
    RequestTemplates {
        kind: RequestKind::CountFiles,
        name: "count_files",
        english: &[
            "<count> [all] [of] [the|my] {what}[ (are|do i have|does it have)][ there] [in total] [<filter>] [<in>] [in total]",
            "<count> {what} (do|does) (i|we|it|this) have[ <in>]",
            "<in> <count> [the] {what}[ are there]",
        ],
        chinese: &[
            "[<zcount>][<zin>[的]][一共|总共|共][有](多少|几)[个|张|份|部|首]{what}",
            "<zcount>[<zin>[的]]<zall>{what}[的][个数|数量|数目|总数|有多少|有多少个|有几个]",
            "[<zcount>][<zin>[的]]<zall>{what}(个数|数量|数目|总数|有多少|有多少个|有几个)",
            "[<zcount>][<zin>[的]]<zall>{what}的(个数|数量|数目|总数)",
            "[<zin>][一共|总共]有(多少|几)[个|张|份]{what}",
            "[<zcount>][<zin>](一共|总共|共)有(多少|几)[个|张|份]{what}",
            "[<zcount>]{what}在{place}[里|中|下]有(多少|几)[个]",
        ],
        example: Some(("how many Rust files are there here", "当前目录里有多少张图片")),
    },
    RequestTemplates {
        kind: RequestKind::CountFolders,
        name: "count_folders",
        english: &[
            "<count> [all] [the] (folders|directories|subfolders|subdirectories)[ are][ there][ do i have][ <in>]",
        ],
        chinese: &[
            "[<zcount>][<zin>]有(多少|几)个(文件夹|目录|子目录|子文件夹)",
            "<zcount>[<zin>[的]](文件夹|子目录|子文件夹)[的](个数|数量)",
        ],
        example: Some(("how many folders are in documents", "文稿里有多少个文件夹")),
    },
    RequestTemplates {
        kind: RequestKind::CountLines,
        name: "count_lines",
        english: &[
            "<count> [the] [total] [number of] lines (in|of) [all] [the|my] {what}[ there are][ are there][ <in>]",
            "<count> [the] lines of {what}[ are there| are| do i have] [<in>]",
            "<count> [the] [number of] lines of {what}[ <in>]",
            "<count> lines (do|does) [all] [the|my] {what} have[ <in>]",
        ],
        chinese: &[
            "<zcount>[一下][<zin>[的]]<zall>{what}[的][总](行数|有多少行|一共有多少行|一共多少行|共多少行|共有多少行)",
            "[<zin>[的]]<zall>{what}[一共|总共|共]有(多少|几)行",
            "[<zin>[的]]<zall>{what}的[总]行数[是多少]",
        ],
        example: Some(("count lines in Rust files", "统计项目下rust文件的行数")),
    },
    RequestTemplates {
        kind: RequestKind::LinesByLanguage,
        name: "lines_by_language",
        english: &[
            "(<count>|<say>) [the] [number of] [lines] [of] [source] [code] lines (by|per|for each|in each|of each) [programming] language[ <in>]",
            "(<count>|<say>|<find>) [the] [number of] (lines|lines of code|lines of source code|code lines|source lines|loc) (by|per|for each|in each|of each|grouped by|broken down by) [programming] language[ <in>]",
            "(<count>|<say>) [the] [lines of] (code|source) (by|per|grouped by) [programming] language[ <in>]",
            "<count> lines of [source] code (are there|do i have) (by|per|for each|in each) [programming] language[ <in>]",
            "lines [of code] (by|per) [programming] language[ <in>]",
            "(<count>|<say>) [the] lines of [source] code[ are there][ <in>]",
        ],
        chinese: &[
            "<zin>按[照]|[编程|程序]语言",
            "[<zin>[的]|<zcount>](按[照]|分|根据|依)[编程|程序|各个|各种|不同]语言[来](统计|计算|数|分类统计|汇总|列出)[一下][各自的]<zin>[的](代码|源码)[的]行数",
            "[<zin>](按[照]|分|根据|依)[编程|程序|各个|各种|不同]语言[来](统计|计算|数|分类统计|汇总|列出)[一下][各自的][<zin>[的]][源|源代|代][码][的]行数",
            "[<zcount>][<zin>[的]](每种|各种|各个|各|每个)[编程|程序]语言[各][的|各有|有][源|代|源代][码][的](行数|多少行|多少行代码)",
            "<zcount>[<zin>[的]][源|代|源代]码[的][总](行数|有多少行|一共有多少行)",
        ],
        example: Some(("count lines by language", "按语言统计代码行数")),
    },
    RequestTemplates {
        kind: RequestKind::FileTypes,
        name: "file_types",
        english: &[
            "(<count>|<say>|<find>) [the] [number of] files (by|per|grouped by|for each) (type|extension|kind|file type|ending)[ <in>]",
            "(what|which) (types|kinds) of files are [there] [<in>]",
            "<say> [the] file (types|extensions)[ <in>]",
        ],
        chinese: &[
            "[<zin>](按|按照|根据)[文件](类型|扩展名|后缀|后缀名)[分类][来]<zcount>[<zin>[的]]文件[的][数量|个数]",
            "[<zcount>][<zin>[的]](各种|各类|每种|各)[类型][的]文件[各](的数量|有多少|有多少个|数量)",
            "<zcount>[<zin>[的]](各种|各类|每种)[类型][的]文件[的][数量|个数]",
            "<zin>有(哪些|什么)(类型|种类)的文件",
        ],
        example: Some(("count files by type in downloads", "按类型统计下载目录里的文件数量")),
    },
    RequestTemplates {
        kind: RequestKind::Duplicates,
        name: "duplicate_files",
        english: &[
            "[<find>] [all] [the] (duplicate|duplicated|identical|repeated) (files|{what})[ <in>]",
            "[<find>] [all] [the] [{what}] (duplicates|duplicate files)[ <in>]",
            "[<find>] (files|{what}) (with the same content|with identical content|that are (duplicates|duplicated|identical|the same))[ <in>]",
            "(are there|do i have|is there|check for|look for|detect) [any] (duplicate|duplicated|identical) ({what}|files)[ <in>]",
            "(which|what) {what} are (duplicates|duplicated|identical)[ <in>]",
            "(check for|detect|list|look for) duplicates[ <in>]",
        ],
        chinese: &[
            "<zfind><zall>[<zin>[的]]<zall>(重复|内容相同|内容重复|一样|相同|完全相同)的{what}",
            "[<zin>](<zfind>|有哪些|有没有)<zall>(重复|内容相同|内容重复|一样|相同)的{what}",
            "[<zin>[的]](重复|内容相同|内容重复|相同)的{what}[有哪些]",
            "[<zin>](<zfind>|有哪些)重复{what}",
            "<zfind><zin>[的]<zall>重复{what}",
            "[<zin>]有(哪些|没有)(重复|内容相同)的{what}",
            "[<zin>]哪些{what}(重复了|是重复的|内容相同)",
        ],
        example: Some(("find duplicate files", "找出重复的照片")),
    },
    RequestTemplates {
        kind: RequestKind::SearchText,
        name: "search_text",
        english: &[
            "(search|grep|look) [for] [the] [text|word|words|string|phrase|lines with|lines containing|lines that contain] {text}[ <in>]",
            "(search|grep|look in|look through) [in] [the|my] {place} for [the] [text|word|string|phrase] {text}",
            "(find|list|show) [me] [all] [the] (occurrences of|lines with|lines containing|lines that contain|mentions of|uses of|places that mention|every line with) [the] [text|word|string] {text}[ <in>]",
            "where (is|does) [the] [text|word|string] {text} (used|mentioned|occur|appear|defined|found)[ <in>]",
            "(which|what|find [all] [the]|list [all] [the]|show [me] [all] [the]) (files|{what}) (contain|containing|mention|mentioning|that contain|that mention|with the text) [the] [text|word|string] {text}[ <in>]",
        ],
        chinese: &[
            "[<zin>](搜索|查找|找|搜|搜一下|找出|查|全文搜索|检索)[文字|文本|字符串|关键字|关键词]{text}",
            "(搜索|查找|找|搜|搜一下|找出|检索)[<zin>[的]](文字|文本|字符串|关键字|关键词){text}",
            "(搜索|查找|找|搜|找出|检索){text}[<zin>]",
            "[<zin>](哪些|哪个){what}[里|中|里面][包含|含有|提到|出现|出现了|有][文字|文本]{text}",
            "(找出|列出|查找|找)[<zin>[的]]<zall>[内容](包含|含有|提到|出现){text}的(行|内容|地方|代码)",
            "{text}[在{place}](出现|用)在(哪里|哪些文件[里])",
        ],
        example: Some(("search for TODO in src", "搜索“截止日期”")),
    },
    RequestTemplates {
        kind: RequestKind::TodoList,
        name: "todo_list",
        english: &[
            "[<find>] [all] [the|my] (todos|todo comments|todos and fixmes|todo and fixme comments|fixmes|open todos|todo list)[ <in>]",
        ],
        chinese: &[
            "<zfind>[<zin>[的]]<zall>(待办|待办事项|待办注释|TODO注释|TODO和FIXME)",
            "[<zin>]有哪些(待办|待办事项|TODO注释)",
        ],
        example: Some(("list all todos here", "列出项目里的待办事项")),
    },
    RequestTemplates {
        kind: RequestKind::FolderSizes,
        name: "folder_sizes",
        english: &[
            "[<say>] [the] disk usage (by|per|of each|for each) (folder|subfolder|directory|subdirectory)[ <in>]",
            "(which|what) [{count}] (folders|folder|subfolders|subfolder|directories|directory|subdirectories|subdirectory) (take|takes|use|uses|takes up|take up|need|needs) [up] [the] most (space|disk space|room)[ <in>]",
            "(which|what) (folders|folder|subfolders|subfolder|directories|directory|subdirectories|subdirectory)[ <in>] (take|takes|use|uses|takes up|take up|need|needs) [up] [the] most (space|disk space|room)",
            "[<find>|what are] [the] [{count}] (largest|biggest) (folders|subfolders|directories|subdirectories|folder|directory)[ <in>]",
            "what (takes|uses|is taking|is using) [up] [the] [most|all] [the] [disk] space[ <in>]",
        ],
        chinese: &[
            "[<zfind>][<zin>[的]]哪[个|些|几个](子目录|子文件夹|文件夹|目录)(最占空间|最大|占用空间最多|占用最多|占空间最多|占空间最大|最占地方)",
            "[<zfind>][<zin>[的]](最占空间|最大|占用空间最多|占空间最多)的[[前]{count}个](子目录|子文件夹|文件夹|目录)[是哪个|有哪些]",
            "[<zcount>|<zfind>][<zin>[的]](各|每个|各个)(子目录|子文件夹|文件夹)[的|占用的|占用](大小|空间|磁盘空间|占用|占用情况)",
        ],
        example: Some(("which subfolder takes the most space", "哪个子目录最占空间")),
    },
    RequestTemplates {
        kind: RequestKind::FolderSize,
        name: "folder_size",
        english: &[
            "how (big|large) is {place}",
            "[<say>] [the] (disk usage|size|total size|folder size) of {place}",
            "how much (space|disk space) does {place} (take|use|need|take up|occupy)",
            "how much (space|disk space) is used by {place}",
        ],
        chinese: &[
            "{place}[一共|总共](有多大|多大)",
            "{place}(有多大|多大|占多少空间|占用多少空间|占了多少空间|占用了多少空间|占多大空间|占多少磁盘空间)",
            "<zsay>{place}的[总](大小|磁盘占用|占用空间)[是多少]",
            "(统计|计算){place}的[总](大小|磁盘占用|占用空间)",
        ],
        example: Some(("how big is this folder", "当前目录有多大")),
    },
    RequestTemplates {
        kind: RequestKind::ListFolder,
        name: "list_folder",
        english: &[
            "(ls|dir)[ {place}]",
            "(what is|what's|show me what is|show me what's|show what is|tell me what is) (in|inside) {place}",
            "(list|show|show me) (the contents of|what is in|everything in|the entries of|the content of) {place}",
            "(list|show) {place}",
        ],
        chinese: &[
            "[<zsay>][<zin>](有什么|有哪些东西|有些什么|都有什么|里有什么|有啥|都有啥)",
            "(列出|显示|看看|查看|看一下){place}的(内容|所有内容|全部内容|清单)",
            "(列出|列一下){place}",
        ],
        example: Some(("what is in this folder", "当前目录里有什么")),
    },
    RequestTemplates {
        kind: RequestKind::FolderReport,
        name: "folder_report",
        english: &[
            "(summarise|summarize|describe|analyse|analyze) {place}[ (in|into|as|to) [a|an|one] [<report>][ (called|named) {file}]]",
            "(write|make|create|prepare|produce|generate) [me] [a|an] [<report>|overview] (about|of|on) {place}[ (to|as|into|in|called|named) {file}]",
            "(summarise|summarize) {place} (into|to|in) {file}",
        ],
        chinese: &[
            "[给]{place}(写|做|生成|整理)[一份|一个|个|份][整理|总结|汇总|分析|概况]报告",
            "(写|做|生成|整理|出)[一份|一个|个|份]{place}的[整理|总结|汇总|分析|概况]报告",
            "(总结|汇总|分析|概括|整理)[一下]{place}[,|并|,并][的情况|情况][(写成|生成|做成|形成|整理成)[一份|一个]报告]",
            "(写|做|生成|出)[一份|一个|个|份]关于{place}的[整理|总结|汇总|分析|概况]报告",
        ],
        example: Some(("summarise this folder into a report", "给当前目录写一份整理报告")),
    },
];
