//! The words of requests and what each of them adds, in both languages. What stands here is a word people use for a thing, not a
//! request: which of them make one together is said by the frames.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use artoo_request::is_han;

/// What a word adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Concept {
    /// Nothing that matters: articles, courtesy, verbs of showing.
    Filler,
    /// How many there are.
    Count,
    /// How many times.
    Often,
    /// How much, how big.
    Much,
    /// Which person or program.
    Who,
    /// At which time.
    When,
    /// At which place.
    Where,
    /// Whatever there is: no kind of file is named.
    Thing,
    File,
    Folder,
    Line,
    /// One line: what "line" says, and "lines" does not.
    OneLine,
    And,
    Log,
    Word,
    Letter,
    Largest,
    Smallest,
    Newest,
    Oldest,
    Most,
    Takes,
    Space,
    Free,
    Whole,
    Empty,
    Same,
    Differ,
    Once,
    First,
    Last,
    Longest,
    Sort,
    Mention,
    With,
    Mail,
    Link,
    Address,
    Digits,
    Sum,
    Average,
    Maximum,
    Minimum,
    Valid,
    Json,
    Pretty,
    Inside,
    Dimension,
    Sha,
    Md5,
    Details,
    Changed,
    LastCommit,
    Uncommitted,
    Commit,
    History,
    Branch,
    Branches,
    /// A branch or several: Chinese does not tell.
    Fork,
    /// More than one.
    Several,
    Value,
    Tag,
    Todo,
    Author,
    Memory,
    Processor,
    Core,
    Process,
    Port,
    Open,
    Today,
    Clock,
    Machine,
    Current,
    Am,
    Code,
    Language,
    Kinds,
    Column,
    Row,
    Unpack,
    Delete,
    Read,
    /// A level of a log.
    Level,
    /// More than once.
    Twice,
    /// One commit.
    OneCommit,
    Per,
    /// Files that are the same as others.
    Copies,
    /// Used up, for the most part.
    Full,
    /// Somebody called for something, and a log says so.
    Visit,
}

use Concept as C;

/// Word and meaning; the longest word at a place counts. Words are parted by `|`.
const WORDS: &[(Concept, &str)] = &[
    (C::Fork, "分支|git分支"),
    (
        C::Full,
        "full|filled|filled up|used up|used|in use|taken|满|满了|多满|用了|已用|用掉|用掉了|使用了|使用情况|使用率",
    ),
    (
        C::Visit,
        "visit|visits|visited|request|requests|hit|hits|access|accesses|访问|访问次数|访问量|请求|请求次数|请求数",
    ),
    (C::Several, "哪些|哪几个|所有|所有的|全部|都有|有哪些|都有哪些|列出|列出所有|几个|有几个"),
    (
        C::Value,
        "value|setting|configured|configured as|set to|set|setting of|值|的值|是什么值|设置|设为|设成|设成了|设置成|配置|配置成|配的",
    ),
    (C::And, "and|with|to|between|against|versus|vs|和|与|跟|同|之间|以及|比|比起"),
    (
        C::Log,
        "commit history|commit log|git log|git history|log of commits|history of commits|list of commits|提交历史|提交日志|提交历程|提交的历史|最近的几次提交|最近几次提交|最近的提交|近几次提交|最近几条提交|最近提交|recent commits|the recent commits|latest commits|last commits|last few commits|recent changes in git",
    ),
    (
        C::Filler,
        "please|can you|could you|would you|will you|i want to|i want|i would like to|i'd like to|i need to|i need|let me|let us|let's|tell|show|give|list|display|print|find|get|see|know|look|look at|look up|check|work out|figure out|determine|bring up|pull|pull up|pull out|extract|output|report|want|me|us|my|our|your|the|a|an|of|is|are|was|were|be|been|there|there are|does|do|did|have|has|had|got|i|we|you|what|which|what's|whats|what is|what are|here|in here|right here|right now|now|currently|at the moment|at present|so far|up to now|altogether|in total|overall|in all|in this place|just|only|actually|really|exactly|any|some|all|every|each|lying around|around|hanging around|in|on|at|to|for|from|out|out of|by|as|that|this one|hey|hi|hello|pls|plz|kindly|somewhere|anywhere|in here somewhere|put|could|can|would|should|must|might|just|quick|real quick|if any|if there are any|if possible|or not|yet|still|else|too|also|many|work|be|being|together|it|its|inside here|in this one|how|so|then what|quickly|hey|ok|okay|well|and tell me|and show me|and show it to me|and show them to me|and print it|and display it|and read it to me|did i write|i wrote|i have written|have i written|did we write|inside of|within|very|up|value of|contained|exist|exists|existing|going on|present|available|own|stand|stands|am|been made|made|whole list of|full list of|complete list of|list of|show me|take a look at|have a look at|有哪些|都有哪些|都有|哪几个|列出所有|做|做过|做的|做了",
    ),
    (
        C::Filler,
        "请|帮我|麻烦|帮忙|我想|我要|想|要|能不能|可以|给我|让我|看一下|看看|看下|看|瞧瞧|查一下|查查|查看|查询|查|显示|列出|列一下|列|告诉我|说说|找出来|找出|找找|找一下|找|给出|统计一下|统计|算一下|算算|算|计算|求|数一下|数数|数|检查一下|检查|一下|一遍|我的|我|你|咱们|这里|这儿|这个文件夹|这个目录|当前目录|本目录|里面|里头|里边|里|中|内|上|下|的|地|得|了|过|着|吗|呢|吧|啊|呀|嘛|是|有|在|都|全|全都|全部|所有|所有的|一共|总共|共|共有|总计|总的|还|到底|究竟|现在|目前|当前|此刻|到现在|至今|为止|到目前为止|什么|啥|哪个|哪些|哪几个|哪|哪种|哪一个|有没有|是不是|是否|有些|一些|个|份|张|把|将|用|给|就|来|去|出来|出|起来|各|各个|会|能|好|这|那个地方|会不会|多|写的|写着|写了|写|叫什么|怎么样|如何|情况|这台|这个|本|本机的|具体|大概|大约|存在|吧我想|只|仅|哦|哈|呗|您|您好|你好|麻烦您|劳驾|一下子|帮我看看|帮我看一下|帮忙看看|帮忙看一下|我想知道|想知道|知道|看一看|查一查|数一数|找一找|列一列|说一下|讲一下|都是|分别是|各是|嗯|这边|其中|那个|那些|这些|个人|什么样|是什么样|给我看|给我看看|给我看下|看一眼|以后是什么样|之后是什么样|后是什么样|以后是什么样子|之后是什么样子|是什么样子|and show me the result|and show the result|and show me what is left|and give me the result|show me the result|without unpacking it|without unpacking|without extracting it|without extracting|without unpacking them|before unpacking it|before i unpack it|without unzipping it|without unzipping|不要解压|不解压|先不解压|先不要解压|别解压|不用解压|无需解压|some of|any of|some|among|amongst|is there something|be so kind|thanks|thank you|谢谢|多谢|麻烦了|呢",
    ),
    (
        C::Count,
        "how many|count|count up|number of|the number of|amount of|how large a number of|tally|tally up|多少|多少个|几|几个|几张|几份|几条|几次提交|个数|数量|数目|多少张|多少份|多少条|共几|共多少",
    ),
    (C::Often, "how often|how many times|times|number of times|how frequently|次数|多少次|几次|多少回|几回"),
    (
        C::Much,
        "how much|how big|how large|how heavy|big|large|heavy|size|size of|file size|多大|大小|体积|有多大|占多少|多重|how long|long|多长|有多长",
    ),
    (C::Who, "who|whose|which person|which people|谁|哪个人|哪些人|什么人"),
    (C::When, "when|at what time|since when|什么时候|何时|啥时候|哪天"),
    (C::Where, "where|whereabouts|in which place|哪里|哪儿|什么地方|哪些地方|在哪"),
    (C::Thing, "thing|things|stuff|everything|anything|something|item|items|东西|内容|一切"),
    (
        C::File,
        "file|files|these files|those files|any of these files|of these files|of the files|my files|文件|档案|个文件|这些文件",
    ),
    (
        C::Folder,
        "folder|folders|directory|directories|subfolder|subfolders|subdirectory|subdirectories|文件夹|目录|子目录|子文件夹",
    ),
    (C::Line, "lines|几行|多少行|行数|的行"),
    (C::OneLine, "line|single line|one line|行|一行|那行|那一行"),
    (C::Word, "word|words|单词|词|词数|单词数"),
    (C::Letter, "character|characters|letters|chars|字符|字|字数|字符数|汉字|个字"),
    (C::Largest, "largest|biggest|heaviest|hugest|bulkiest|fattest|最大|最大的|体积最大|最重|最肥"),
    (C::Smallest, "smallest|tiniest|littlest|lightest|最小|最小的|体积最小"),
    (
        C::Newest,
        "newest|latest|most recent|most recently|freshest|recently|last modified|last changed|last edited|most recently changed|most recently modified|最新|最近改动|最近修改|最近改|最近更新|最近动|最近编辑|刚改|刚刚改|刚修改|最后改动|最后修改|最近变动",
    ),
    (C::Oldest, "oldest|most ancient|least recently changed|least recently modified|最旧|最老|最早|最久没动"),
    (
        C::Most,
        "most|the most|most of|most often|most frequent|most frequently|most common|most commonly|最|最多|最频繁|最常|最常见|出现最多|次数最多|出现次数最多|出现得最多|出现的次数最多|次数最多的",
    ),
    (
        C::Takes,
        "take|takes|taking|takes up|take up|taking up|use|uses|using|uses up|use up|eat|eats|eating|eats up|eating up|hog|hogs|hogging|occupy|occupies|occupying|consume|consumes|consuming|need|needs|cost|costs|占|占用|占据|占了|吃|耗|消耗|占着|占掉",
    ),
    (
        C::Space,
        "space|room|storage|disk|disk space|drive|hard disk|hard drive|ssd|storage space|空间|地方|磁盘|磁盘空间|硬盘|硬盘空间|存储|存储空间",
    ),
    (C::Free, "free|left|left over|remaining|remains|still free|剩|剩余|剩下|还剩|空闲|空余|可用|没用"),
    (C::Whole, "total|installed|physical|in total|总大小|总容量|总"),
    (
        C::Empty,
        "empty|blank|zero bytes|zero byte|zero-byte|0 byte|0 bytes|0-byte|without content|without any content|nothing in them|with nothing in them|空|空白|空的|0字节|零字节|没有内容|没内容|是空的|大小为0|大小为零|什么都没有",
    ),
    (
        C::Same,
        "same|the same|identical|duplicate|duplicates|duplicated|twice|equal|copies of each other|double|doubles|doubled|match|matching each other|same content|same contents|一样|一样的|相同|相同的|重复|重复的|一模一样|一模一样的|雷同|完全相同|完全一样|同样",
    ),
    (
        C::Differ,
        "but not in|and not in|多了什么|少了什么|多出什么|多出了什么|多了哪些|少了哪些|多了哪几行|differ|differs|difference|differences|differences between|different|compare|diff|comparison|distinguish|不同|区别|差别|差异|不一样|对比|比较|对比一下|比较一下",
    ),
    (
        C::Once,
        "drop the repeats|drop repeats|drop the duplicates|drop duplicates|dropping duplicates|skip duplicates|skip the repeats|remove the repeats|remove repeats|without the repeats|no repeats|no duplicates|去掉重复项|去除重复项|without duplicates|without duplicate lines|without repeated lines|without repeats|without repetitions|without repetition|without doubles|each line once|every line once|only once|remove the duplicate lines|remove duplicate lines|removing the duplicate lines|removing duplicate lines|without the duplicate lines|remove the duplicates|remove repeated lines|remove the repeated lines|delete duplicate lines|drop duplicate lines|strip duplicate lines|unique lines|distinct lines|unique|distinct|duplicates removed|remove duplicates|removing duplicates|dedupe|deduplicated|去重|去掉重复|去掉重复的|去除重复|去除重复的|不重复|去掉重复的行|去除重复的行|去掉重复行|不重复的行|剔除重复|剔除重复的",
    ),
    (
        C::First,
        "first|very first|beginning|start|top|head|opening|前|开头|头|最前面|最前|第一|第一行|头部|最开始|最上面|首",
    ),
    (
        C::Last,
        "last|very last|final|end|bottom|tail|ending|closing|最后|末尾|结尾|尾部|后|最末|末|倒数|尾|最下面|最后面|最后一行",
    ),
    (C::Longest, "longest|最长|最长的"),
    (
        C::Sort,
        "sort|sorted|alphabetize|alphabetise|alphabetical|alphabetically|alphabetical order|in alphabetical order|alphabetic order|order|ordered|in order|a to z|from a to z|排序|排个序|排一下序|按字母排序|按字母顺序|按字母|字母顺序|排列|排一排|排一下|in alphabetic order|by alphabet|按首字母|按拼音|升序|从a到z",
    ),
    (
        C::Mention,
        "about|regarding|related to|concerning|to do with|having to do with|有关|有关的|相关|相关的|关于|mention|mentions|mentioned|mentioning|contain|contains|containing|talk about|talks about|refer to|refers to|include|includes|including|search|search for|searching|occurring|appear|appears|show up|shows up|come up|comes up|written|found|say|says|saying|speak of|grep|提到|提及|提到过|提到了|包含|含有|包括|写到|写到了|出现在|搜索|搜一下|搜|搜搜|说到|谈到|讲到|带有|含|occur|occurs|occurrence|occurrences|occurrences of|出现|出现了|出现过",
    ),
    (C::With, "with|which have|that have|带"),
    (
        C::Mail,
        "email|emails|e-mail|e-mails|mail|mails|email address|email addresses|e-mail addresses|mail address|mail addresses|邮箱|邮箱地址|邮件地址|电子邮件|电子邮箱|邮件",
    ),
    (
        C::Link,
        "link|links|url|urls|web address|web addresses|hyperlink|hyperlinks|website|websites|web link|web links|链接|网址|网页地址|超链接|网站|连接地址",
    ),
    (C::Address, "ip|ips|ip address|ip addresses|client ip|ip地址|ip 地址"),
    (C::Digits, "numbers|number|figures|values|amounts|数字|数值|数|所有数"),
    (
        C::Sum,
        "sum|sum up|sums|add up|add up to|adds up|adds up to|add|added|added up|added together|add together|come to|total up|combined|总和|合计|求和|之和|加起来|相加|加总|累加|加在一起|总数",
    ),
    (C::Average, "average|mean|on average|平均|平均值|平均数|均值"),
    (C::Maximum, "maximum|highest|greatest|max|最大值|最高|最高的"),
    (C::Minimum, "minimum|lowest|min|最小值|最低|最低的"),
    (
        C::Valid,
        "valid|ok or broken|ok or is it broken|valid or broken|valid or not|fine or broken|good or bad|ok|okay|fine|parse|parses|parseable|well-formed|well formed|broken|corrupt|syntactically correct|correct|proper|intact|syntax ok|a syntax error|syntax error|syntax errors|errors in it|validate|解析|正常|合法|有效|正确|格式对|格式正确|格式有没有问题|格式有问题|有没有语法错误|语法错误|没问题|有没有问题|有问题|坏|损坏|格式|语法|对不对|对吗|格式对不对|是不是合法|合不合法|能不能用|有没有错|有没有错误|有错误",
    ),
    (C::Json, "json|json file|json文件|json格式"),
    (
        C::Pretty,
        "pretty|prettily|nicely|pretty print|pretty-print|prettify|beautify|format|formatted|formatted nicely|indent|indented|readable|tidy|neatly|整理好|格式化|美化|排版|缩进|排好版|好看点|漂亮",
    ),
    (
        C::Inside,
        "inside|contents|contents of|content|contain inside|peek inside|look inside|peek into|look into|hold|holds|packed|in it|装|装了|装着|里面有|包着|打包了|contains|contain|what is in|what's in|includes|里面有什么|有什么|都有什么|有啥|都有啥|里面有啥|有些什么|有哪些东西|都有些什么|装着什么",
    ),
    (
        C::Dimension,
        "dimensions|dimension|resolution|pixels|width|height|wide|tall|width and height|size in pixels|pixel size|尺寸|分辨率|像素|宽|高|宽高|长宽|多宽|多高|有多宽|有多高|宽度|高度",
    ),
    (
        C::Sha,
        "sha256|sha-256|sha 256|sha256 checksum|sha256 hash|sha256 sum|sha256sum|checksum|hash|sha256 digest|fingerprint|校验和|哈希|哈希值|校验值|sha256值|指纹",
    ),
    (C::Md5, "md5|md5 sum|md5sum|md5 hash|md5 checksum|md5 digest|md5值|md5 值"),
    (
        C::Details,
        "details|properties|metadata|attributes|permissions|info about|information about|属性|详细信息|权限|元数据|信息",
    ),
    (
        C::Changed,
        "change|changes|changed|modify|modified|edit|edited|touch|touched|update|updated|alter|altered|改|改动|修改|变|变动|更改|改了|动过|改的|改过|修改过|变更|改动过|动|修改的",
    ),
    (
        C::LastCommit,
        "since last commit|since the last commit|since my last commit|since our last commit|since the latest commit|since the previous commit|after the last commit|上次提交以后|上次提交之后|上次提交以来|最后一次提交以后|最后一次提交之后|上一次提交之后|上一次提交以后|自上次提交|上次提交后",
    ),
    (
        C::Uncommitted,
        "isn't committed|isn't committed yet|is not committed|is not committed yet|aren't committed|aren't committed yet|that isn't committed|hasn't been committed|hasn't been committed yet|haven't been committed yet|not been committed yet|uncommitted|uncommitted work|uncommitted changes|pending changes|uncommitted stuff|anything uncommitted|anything to commit|left to commit|not in git yet|not committed|not yet committed|haven't committed|have not committed|haven't been committed|not been committed|haven't committed yet|have not committed yet|unsaved in git|未提交|没提交|没有提交|还没提交|没提交的|尚未提交|没有提交的|还没提交的|没提交过|待提交|未提交的|需要提交|要提交",
    ),
    (
        C::Commit,
        "worked on|working on|work on|worked|been working on|contributed to|commit|commits|committed|checkin|checkins|check-ins|git commit|git commits|提交|提交记录|次提交",
    ),
    (
        C::Copies,
        "duplicates|any duplicates|duplicate files|duplicated files|double files|重复文件|重复的文件|一样的文件|相同的文件",
    ),
    (C::Level, "level|levels|log level|log levels|severity|severities|日志级别|级别|等级|日志等级"),
    (C::Per, "per|each|of each|for each|by|in each|every|of every|各|每个|每种|各个|分别|按"),
    (
        C::Twice,
        "any duplicates|any repeats|any doubles|repeats|twice|more than once|repeated|several times|multiple times|duplicate|duplicates|duplicated|repeat|重复|重复的|重复出现|不止一次|多次|出现多次|出现两次|有重复",
    ),
    (
        C::OneCommit,
        "last commit|latest commit|most recent commit|newest commit|previous commit|the last commit|the latest commit|most recent change in git|最近一次提交|最后一次提交|上一次提交|上次提交|最新一次提交|最新的提交|最新提交|最后的提交|最近那次提交|最近的一次提交",
    ),
    (C::History, "history|log|past|recent|timeline|历史|记录|日志|历史记录|最近|历程"),
    (C::Branch, "branch|git branch"),
    (C::Branches, "branches|git branches|分支列表"),
    (C::Tag, "tag|tags|git tag|git tags|标签|标签tag|tag标签|版本标签"),
    (
        C::Todo,
        "todo|todos|to-do|to-dos|fixme|fixmes|todo comments|todo comment|open todos|todo notes|待办|待办事项|todo没做|todo注释|没做的todo|未完成的todo|还没做的todo|todo 没做",
    ),
    (
        C::Author,
        "author|authors|committer|committers|contributor|contributors|contributed|作者|贡献者|提交者|提交人",
    ),
    (C::Memory, "memory|ram|main memory|内存|运行内存|内存条"),
    (C::Processor, "cpu|processor|cpu time|processor time|cpu power|computing power|处理器|cpu时间|cpu资源"),
    (
        C::Core,
        "core|cores|cpu core|cpu cores|processor cores|cpus|processors|核|核心|cpu核心|cpu核|核数|核心数",
    ),
    (
        C::Process,
        "process|processes|program|programs|app|apps|application|applications|task|进程|程序|应用|软件|应用程序",
    ),
    (C::Port, "port|ports|network port|network ports|tcp ports|端口|端口号|网络端口"),
    (
        C::Open,
        "open|opened|listening|listen|listened on|in use|used|occupied|being listened on|打开|开着|监听|在监听|被占用|开放|占着",
    ),
    (
        C::Today,
        "today|date|day|day of the week|weekday|today's date|今天|日期|几号|星期几|周几|礼拜几|今日|年月日|几月几号|几月几日|日子",
    ),
    (C::Clock, "time|clock|o'clock|time of day|hour|时间|几点|几点钟|钟|时刻"),
    (
        C::Machine,
        "computer|machine|system|laptop|pc|host|电脑|机器|这台机器|这台电脑|计算机|系统|本机|主机|设备|这台机",
    ),
    (C::Current, "current|checked out|present branch|当前的|现在的|所在的|所在"),
    (
        C::Am,
        "am i|am i on|am i in|i am in|i am on|are we on|are we in|we are on|i'm on|i'm in|我现在在|我在|处于|处在|我是在|我们在",
    ),
    (C::Code, "code|source code|source|lines of code|loc|代码|源代码|源码|程序代码"),
    (C::Language, "language|languages|programming language|programming languages|语言|编程语言|程序语言"),
    (
        C::Kinds,
        "kinds|kinds of|types|types of|kind|type|sorts of|file types|extensions|formats|类型|种类|几种|哪几种|哪些类型|扩展名|后缀|后缀名|格式的",
    ),
    (
        C::Column,
        "column|columns|field|fields|header|headers|headings|column names|field names|字段|字段名|列|列名|表头|标题行|哪几列|几列",
    ),
    (C::Row, "row|rows|record|records|entries|data rows|行数据|条记录|记录数|条数据|数据|条数"),
    (
        C::Unpack,
        "unpack|unzip|extract|uncompress|decompress|untar|unarchive|expand|inflate|解压|解压缩|解开|解包|展开|解压出来",
    ),
    (
        C::Delete,
        "delete|remove|erase|trash|throw away|get rid of|bin|discard|scrap|删除|删掉|删了|移除|扔掉|丢掉|删|扔了|不要|不要了|清掉",
    ),
    (
        C::Read,
        "read|open|view|read out|cat|show me|show|display|print|打开|读|读一下|看看|看一下|查看|显示|看",
    ),
];

static BY_FIRST: LazyLock<BTreeMap<char, Vec<(&'static str, Concept)>>> = LazyLock::new(|| {
    let mut found: BTreeMap<char, Vec<(&'static str, Concept)>> = BTreeMap::new();
    for (concept, words) in WORDS {
        for word in words.split('|') {
            if let Some(first) = word.chars().next() {
                found.entry(first.to_ascii_lowercase()).or_default().push((word, *concept));
            }
        }
    }
    found
});

/// All words, one by one or a few of them.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    WORDS.iter().flat_map(|(_, words)| words.split('|'))
}

/// The meanings of the longest word that the front of `rest` is, and its length.
pub(super) fn at(rest: &str) -> Option<(usize, Vec<Concept>)> {
    let first = rest.chars().next()?.to_ascii_lowercase();
    let mut best: Option<(usize, Vec<Concept>)> = None;
    for (word, concept) in BY_FIRST.get(&first)? {
        if !is_word(rest, word) {
            continue;
        }
        match &mut best {
            Some((length, _)) if *length > word.len() => {}
            Some((length, concepts)) if *length == word.len() => concepts.push(*concept),
            _ => best = Some((word.len(), vec![*concept])),
        }
    }
    best
}

/// Whether `word` stands at the front of `rest`, as a whole word where it is Latin.
fn is_word(rest: &str, word: &str) -> bool {
    let Some(head) = rest.get(..word.len()) else { return false };
    let next = rest[word.len()..].chars().next();
    let ends = word.ends_with(is_han) || next.is_none_or(|c| !(c.is_ascii_alphanumeric() || c == '_'));
    head.eq_ignore_ascii_case(word) && ends
}
