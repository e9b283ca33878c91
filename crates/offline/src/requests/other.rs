//! Requests about single files and tables, and the parts of larger requests.

use super::RequestTemplates;
use crate::clause::RequestKind;

pub(crate) const TEMPLATES: &[RequestTemplates] = &[
    RequestTemplates {
        kind: RequestKind::CountWords,
        name: "count_words",
        english: &[
            "<count> [the] [number of] words [are] [there] (in|of|does) {file}[ have| has]",
            "[get|what is|what's] [the] word count (of|for|in) {file}",
            "<count> words does {file} have",
        ],
        chinese: &[
            "<zcount>{file}[里|中][的](单词数|词数|单词|有多少单词|有多少个单词)",
            "<zcount>{file}[里|中|里面][的](单词数|词数|单词|单词数量)",
            "{file}[里|中|里面]有多少[个](单词|词)",
        ],
        example: Some(("count words in notes.md", "统计notes.md里的单词数")),
    },
    RequestTemplates {
        kind: RequestKind::CountCharacters,
        name: "count_characters",
        english: &[
            "<count> [the] [number of] (characters|letters) [are] [there] (in|of) {file}",
            "<count> characters does {file} have",
        ],
        chinese: &[
            "<zcount>{file}[里|中|里面][的](字数|字符数|字)",
            "{file}[里|中|里面][一共|总共]有多少[个]字",
            "{file}[里|中|里面][有]多少[个](字|字符|汉字)",
            "{file}的字数[是多少]",
        ],
        example: Some(("count characters in notes.md", "数一下notes.md的字数")),
    },
    RequestTemplates {
        kind: RequestKind::LinesInFile,
        name: "lines_in_file",
        english: &[
            "<count> [the] [number of] lines [are] [there] (in|of) {file}",
            "<count> lines (does|are in) {file}[ have]",
            "how (long|many lines) is {file}",
            "<count> [the] lines does {file} have",
        ],
        chinese: &[
            "<zcount>{file}[里|中|里面][的](行数|有多少行|总行数)",
            "{file}[里|中|里面][一共|总共|共](有多少行|有几行|多少行|几行)",
            "{file}的[总]行数[是多少]",
        ],
        example: Some(("how many lines are in notes.md", "notes.md有多少行")),
    },
    RequestTemplates {
        kind: RequestKind::FirstLines,
        name: "first_lines",
        english: &[
            "(show|print|display|read|give|get|see) [me] [the] (first|top) {count} lines (of|from|in) {file}",
            "(show|print|display|read|give) [me] [the] (head|beginning|start|top) of {file}",
            "[the] first {count} lines (of|from|in) {file}",
            "head [-n {count}] {file}",
        ],
        chinese: &[
            "<zsay>[一下]{file}[文件][的](前|头|开头){count}行",
            "<zsay>[一下]{file}[文件]的(开头|头部)",
            "<zsay>前{count}行[的]{file}",
        ],
        example: Some(("show the first 20 lines of notes.md", "看notes.md的前20行")),
    },
    RequestTemplates {
        kind: RequestKind::LastLines,
        name: "last_lines",
        english: &[
            "(show|print|display|read|give|get|see) [me] [the] (last|bottom) {count} lines (of|from|in) {file}",
            "(show|print|display|read|give) [me] [the] (end|tail|bottom) of {file}",
            "[the] last {count} lines (of|from|in) {file}",
            "tail [-n {count}] {file}",
        ],
        chinese: &[
            "<zsay>[一下]{file}[文件][的](后|末|最后|末尾|倒数){count}行",
            "<zsay>[一下]{file}[文件]的(结尾|末尾|尾部)",
        ],
        example: Some(("show the last 5 lines of notes.md", "看notes.md的最后5行")),
    },
    RequestTemplates {
        kind: RequestKind::ReadFile,
        name: "read_file",
        english: &[
            "(read|show|print|display|cat|open|view) [me] [the] [contents of|content of|file] {file}",
            "(what is|what's|whats) in {file}",
            "what does {file} say",
            "(show|read) me what is in {file}",
        ],
        chinese: &[
            "打开{file}(看看|看一下)",
            "(看看|看一下|看){file}[里|里面](有什么|写了什么|写的什么)",
            "(读取|读一下|读|查看|看一下|看看|看|显示|打开|打印){file}[的][内容|全部内容|文件内容]",
            "{file}[里|里面](有什么|写了什么|是什么内容|写的什么|写的是什么)",
            "{file}的内容[是什么]",
        ],
        example: Some(("read notes.txt", "读取notes.txt")),
    },
    RequestTemplates {
        kind: RequestKind::CsvShape,
        name: "csv_shape",
        english: &[
            "[<say>|<count>] [the] [number of] (columns and [the] [number of] rows|rows and [the] [number of] columns|columns|rows) [are] [there] (of|in) {file}",
            "(what|which) (columns|fields|columns and rows) (are|are there|does|do|has) [in] {file}[ have| has]",
            "(list|show|show me|name) [the] (columns|fields|column names|header) (of|in|from) {file}",
            "(describe|what are) [the] (columns and rows|rows and columns|columns) (of|in) {file}",
            "how many (rows|columns|rows and columns|columns and rows) (does|has) {file}[ have]",
            "how many (rows|columns|rows and columns|columns and rows) (does|are in|has) (this|the) csv[ file][ have]",
        ],
        chinese: &[
            "[<zcount>|<zsay>]{file}[里|中]有(多少|几)(行数据|条记录|条数据|列|行[和|,][多少|几]列|行几列|行和几列)",
            "[<zcount>|<zsay>]{file}[里|中](有哪些列|有哪几列|有什么列|的列有哪些|列名)",
            "[<zcount>|<zsay>]{file}[里|中|里面]有多少行数据",
            "[<zcount>|<zsay>]{file}[表格|文件]的(行数和列数|列数和行数|行列数|列数|列名|列)",
            "[<zcount>|<zsay>]{file}的(行数和列数|列数和行数|行列数|列数|列名|行和列)",
            "[<zcount>|<zsay>]{file}这个(CSV|表格|文件)有(几行|几列|多少行|多少列|几行几列)",
            "{file}[里|中|里面][一共|总共]有(几行几列|多少行多少列|几列|多少列|几行|多少行|多少行数据|几条记录|多少条记录)",
            "(这个|当前目录的|当前目录里的)(CSV|CSV文件|表格)[里|中]有(几行|几列|多少行|多少列|几行几列|多少行多少列)",
        ],
        example: Some(("how many rows and columns are in data.csv", "data.csv有几行几列")),
    },
    RequestTemplates {
        kind: RequestKind::CsvToJson,
        name: "csv_to_json",
        english: &["(convert|turn|transform|export) [the] {file} (to|into|as) [a] json[ file]"],
        chinese: &[
            "(把|将){file}(转成|转换成|转换为|转为|变成|导出为|导出成|另存为)JSON[文件|格式]",
            "(转换|导出){file}(为|成|到)JSON[文件|格式]",
        ],
        example: Some(("convert data.csv to JSON", "把data.csv转成JSON")),
    },
    RequestTemplates {
        kind: RequestKind::ConfigValue,
        name: "config_value",
        english: &[
            "[<say>|read|extract] [the] value of {key} (in|from) {file}",
            "(what is|what's|<say>|read|extract|get) [the] [key|setting|field] {key} (in|from|of) {file}",
        ],
        chinese: &[
            "(提取|读取|取出|读出|查看|获取|看看|告诉我){file}[文件][里|中|里面][的]{key}[的值]",
            "(提取|读取|取出|读出|查看|获取|看看|告诉我|看){file}[里|中|里面]的{key}[的值]",
            "(提取|读取|取出|读出|查看|获取|看看|告诉我|看){file}(里的|中的|的|里面的){key}[的值]",
            "{file}(里|中|里面){key}(是多少|是什么|的值)[是多少]",
            "{file}(里的|中的|的|里面的){key}(是多少|是什么|的值)[是多少]",
            // "端口号server.port": a word for what it is stands before the key.
            "[<zsay>]{file}(里的|中的|的|里面的|里|中|里面)(端口号|端口|地址|设置|设置项|配置|配置项|参数|字段|键|选项|变量|属性|值){key}[的值][是多少|是什么]",
        ],
        example: Some(("what is the value of server.port in config.json", "提取config.json里的server.port")),
    },
    RequestTemplates {
        kind: RequestKind::ColumnStatistic,
        name: "column_statistic",
        english: &[
            "[<say>|calculate|compute|work out] [the] {stat} [value] (of|for) [the] [column|values in|values of] {key} [column] (in|from|of) {file}",
            "{stat} [up] [the] [column] {key} [column] (in|from|of) {file}",
        ],
        chinese: &[
            "[<zcount>|<zsay>|求]{file}(里|中|里面)[的]{key}[这一]列的{stat}",
            "[<zcount>|<zsay>|求|求出]{file}(里的|中的|的|里面的|里|中){key}[一列|这一列|列|那一列][的]{stat}[是多少]",
            "[对|把]{file}(里的|中的|的|里面的|里|中){key}[一列|这一列|列|那一列]{stat}",
        ],
        example: Some(("average of price in sales.csv", "求sales.csv里price列的平均值")),
    },
    RequestTemplates {
        kind: RequestKind::PreviewLowerCase,
        name: "preview_lower_case",
        english: &[
            "preview (renaming|the renaming of|a rename of) [all] [the] [{what}] [<in>] to lower case",
            "preview (renaming|the renaming of|a rename of) [all] [the] [{what}] to (lower case|lowercase)[ <in>]",
            "preview lower-case names[ <in>]",
        ],
        chinese: &[
            "预览[一下][把|将][<zin>[的]][<zall>][{what}|文件名](改成|改为|变成|转成|重命名为)小写",
            "预览[一下](把|将)[<zin>[的]]<zall>({what}|文件名|{what}名)(改成|改为|变成|转成|重命名为)小写",
        ],
        example: Some(("preview renaming *.JPG to lower case", "预览把文件名改成小写")),
    },
    RequestTemplates {
        kind: RequestKind::PreviewUnderscores,
        name: "preview_underscores",
        english: &[
            "preview (replacing|changing|turning) [the] spaces [in names|in file names|in filenames] (with|by|to|into) underscores[ <in>]",
            "preview renaming [all] [the] {what} with underscores [instead of spaces|for spaces][ <in>]",
        ],
        chinese: &[
            "预览[一下](把|将)[<zin>[的]][<zall>][文件名][里|中|里面|里的|中的][的]空格(改成|换成|替换成|改为|替换为|变成)下划线",
            "预览[一下](把|将)[<zin>[的]][文件名[里|中|里面][的]]空格(改成|换成|替换成|改为|替换为|变成)下划线",
        ],
        example: Some(("preview replacing spaces with underscores in downloads", "预览把空格改成下划线")),
    },
    RequestTemplates {
        kind: RequestKind::Checksum,
        name: "checksum",
        english: &[
            "[<say>|compute|calculate] [the] (sha256|sha-256|checksum|hash|sha256 checksum|sha256 sum|sha256sum|digest) (of|for) {file}",
        ],
        chinese: &[
            "[<zcount>|<zsay>|求]{file}的(SHA256|SHA-256|校验和|哈希|哈希值|摘要|校验值)[值]",
            "(计算|算|查看|求)[一下]{file}(SHA256|校验和|哈希值)",
        ],
        example: Some(("sha256 of notes.md", "计算notes.md的校验和")),
    },
    RequestTemplates {
        kind: RequestKind::CompareFiles,
        name: "compare_files",
        english: &[
            "(compare|diff) [the] {file} (and|with|to|against) {file2}",
            "diff {file} {file2}",
            "[<say>] [the] (differences|difference|diff) between {file} and {file2}",
            "are {file} and {file2} (identical|the same|equal)",
        ],
        chinese: &[
            "(比较|对比)[一下]{file}(和|与|跟){file2}[的][差异|区别|不同|内容]",
            "{file}(和|与|跟){file2}[有][什么|哪些|何|哪里](不同|区别|差异|差别|不一样)[的地方|之处]",
            "{file}(和|与|跟){file2}(一样吗|是否相同|相同吗|一样)",
        ],
        example: Some(("compare a.txt with b.txt", "比较a.txt和b.txt")),
    },
    RequestTemplates {
        kind: RequestKind::FileDetails,
        name: "file_details",
        english: &[
            "(when was|when is) {file} (last changed|last modified|changed|modified|last edited|last updated)",
            "when (did|have) (i|we|you) [last] (change|changed|edit|edited|modify|modified|save|saved|update|updated|touch|touched) {file}[ last]",
            "when did {file} [last] change",
            "how (big|large) is {file}",
            "[<say>] [the] (details|metadata|properties|size|permissions|modification time) (of|for|about) {file}",
        ],
        chinese: &[
            "<zsay>{file}的(属性|详细信息|大小|权限|修改时间|信息|元数据)",
            "{file}(有多大|多大)",
            "{file}[最后|最近|上次][是|一次是]什么时候[被][最后]<zchanged>[过|了]的",
            "{file}[最后|最近|上次][是|一次是]什么时候[被][最后]<zchanged>[过|了]",
        ],
        example: Some(("when was notes.md last changed", "notes.md是什么时候修改的")),
    },
    RequestTemplates {
        kind: RequestKind::WriteReport,
        name: "report",
        english: &[
            "(write|save|put|export|record|store|output) [it|them|that|this|all of it|all of them|everything|the list|the result|the results|the output|the findings|the table|the numbers|all results|all the results|the answers|a summary|the summary] (to|into|in|as) [a|an|one|the] [new] (<report>|file)[ (called|named) {file}| {file}]",
            "(write|save|put|export|record|store|output) [it|them|that|this|all of it|all of them|everything|the list|the result|the results|the output|the findings|the table|the numbers|all results|all the results|the answers|a summary|the summary] (to|into|in|as) [the file|a file called|a file named] {file}",
            "(write|make|create|prepare|produce|generate|give me) [me] [a|an|one|the] [<report>][ (with|of|about|on|from|containing|that contains|covering|including) (all [of] [the] [it|them|this|that|two|three|four|five|six|results|findings]|both [of them|results]|it|them|this|that|everything|the (results|list|findings|numbers|table)|the [two|three|four] results)][ (to|into|in|as|called|named) [the file] {file}]",
            "report (it|them|the results|on all [of] [it|them|three|two|four])",
        ],
        chinese: &[
            "[把|将|用][它|它们|结果|这些|这些结果|列表|清单|所有结果|全部结果|以上结果|内容|以上内容|以上三项|以上两项|三项结果|两项结果|三者|全部](写成|写入|写到|写进|写|保存成|保存为|保存到|存成|存为|整理成|整理到|做成|汇总成|汇总到|生成|输出成|输出到|导出成|导出为|记录到|汇总为|形成)[一份|一个|个|份|同一份][新][的][总结|汇总|Markdown|简短|综合]报告[里|中|文件][,][叫|名为|命名为]{file}",
            "[把|将|用][它|它们|结果|这些|这些结果|列表|清单|所有结果|全部结果|以上结果|内容|以上内容|以上三项|以上两项|三项结果|两项结果|三者|全部](写成|写入|写到|写进|写|保存成|保存为|保存到|存成|存为|整理成|整理到|做成|汇总成|汇总到|生成|输出成|输出到|导出成|导出为|记录到|汇总为|形成)[一份|一个|个|份|同一份|一篇][新][的][总结|汇总|Markdown|markdown|简短|综合|包含(全部|这)[三|两|四]项[结果]的|包含全部结果的](报告|报告文件|Markdown文件|文件|文档)[里|中]",
            "[把|将][它|它们|结果|这些|这些结果|列表|清单|所有结果|全部结果|以上结果|内容|以上内容](写成|写入|写到|写进|另存为|另存到|保存为|保存到|保存成|保存在|存成|存为|存到|输出到|导出为|导出到|记录到)[文件|报告]{file}[文件|里|中]",
            "写[一份|一个|个|份]报告[(包含|包括|汇总|涵盖)(全部|所有|这)[三|两|四][项|个][结果|内容]]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::InPlace,
        name: "in_place",
        english: &["(in|inside|under|for|within|look in|go to) {place}[:]"],
        chinese: &["(在|对|针对){place}[里|中|下|里面|目录下][:]", "(针对|对于){place}"],
        example: None,
    },
];
