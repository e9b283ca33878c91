//! Named pieces of templates, written `<name>` in them.

/// The template text of a fragment.
pub(crate) fn fragment(name: &str) -> Option<&'static str> {
    FRAGMENTS.iter().find(|(known, _)| *known == name).map(|(_, body)| *body)
}

/// The texts of all fragments.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    FRAGMENTS.iter().map(|(_, body)| *body)
}

const FRAGMENTS: [(&str, &str); 38] = [
    (
        "find",
        "(find|list|show|get|locate|give|print|display|search for|look for|tell) [me] [all [of]] [the|my]",
    ),
    ("in", "(in|inside|under|within|from|of|on|at|for|across|throughout) {place}|{here}"),
    (
        "say",
        "(show|give|tell|print|display|get|find|list|report|check|what is|what's|what are) [me] [the|my]",
    ),
    ("count", "(count|count up|how many|tell me how many|number of|get the number of)"),
    // Conditions on files, English: behind the noun.
    (
        "larger",
        "[that are|which are] (larger|bigger|greater|more|heavier) than {larger}|(over|above|exceeding) {larger}|>{larger}|> {larger}|of more than {larger}",
    ),
    (
        "smaller",
        "[that are|which are] (smaller|less) than {smaller}|(under|below) {smaller}|<under> {smaller}",
    ),
    ("under", "of less than"),
    (
        "newer",
        "[that [were|have been|have] |which [were|have been|have] |i [have] ](changed|modified|edited|updated|touched|created|added) [with]in the (last|past) {newer}|from the (last|past) {newer}|newer than {newer}",
    ),
    (
        "older",
        "older than {older}|[that [were|have] |which [were|have] ](not|haven't|have not|haven't been|have not been|not been|unchanged|untouched|unmodified) [been] [changed|modified|edited|updated|touched|opened] (for|in|since|within) [the] [last|past|over|more than] {older}|i (haven't|have not) (changed|modified|touched|edited) (for|in) [the] [last|past|over|more than] {older}",
    ),
    (
        "named",
        "(named|called|matching|whose name (contains|is|matches|has)|with names containing|with names like|whose names contain|with {name} in (the name|their name|their names|the file name)|with the name) {name}|with {name} in (the name|their name|their names|the file name|its name)",
    ),
    ("filter", "<larger>|<smaller>|<newer>|<older>|<named>"),
    // The same in Chinese: before the noun.
    (
        "zlarger",
        "(大于|超过|大過|多于|不小于|大小超过|体积大于|体积超过|大小大于){larger}|(比|比起){larger}(大|还大|更大)|{larger}以上",
    ),
    ("zsmaller", "(小于|不到|不足|少于|低于|大小小于){smaller}|比{smaller}(小|还小|更小)|{smaller}以下"),
    (
        "znewer",
        "(最近|近|过去|这|前)[的]{newer}(内|里|之内|以内|)[被|里|有|内][<zchanged>|<zchanged>过|有<zchanged>|有改动|有变化]|{newer}(内|以内|之内)[被]<zchanged>[过]",
    ),
    ("zchanged", "修改|改动|改|更改|更新|变更|变动|编辑|动|碰|新增|变化"),
    (
        "zolder",
        "[超过|最近|过去|近]{older}[以来|以上|都|内|之内|里]没[有][被](<zchanged>|打开)[过]|{older}(前|之前|以前)(修改|改|更新|创建)[过]|[超过|大于]{older}(未|没有)[被](<zchanged>)[过]|{older}(之前|以前)[的](旧|老|)",
    ),
    (
        "znamed",
        "(名字|名称|文件名|名)[里|中|里面][含有|包含|有|含|带|带有|叫|为|是]{called}|(名为|叫做|叫|名叫|文件名为){called}",
    ),
    ("zfilter", "<zlarger>|<zsmaller>|<znewer>|<zolder>|<znamed>"),
    ("zall", "[所有|全部|一切|每个][的]"),
    (
        "zfind",
        "(找出|找到|查找|找一下|找找|找|列出|列一下|列举|搜索|搜一下|查一下|查看|查|显示|看看|看一下|看|告诉我|检查|给出|统计一下|统计)[来][一下]",
    ),
    ("zin", "(在|从){place}[<zinside>]|{place}<zinside>|{known}"),
    ("zinside", "里面|下面|里边|里|中|下|内|上|当中|上面"),
    ("zcount", "(统计一下|统计|数一下|数一数|数数|数|计算一下|计算|算一下|算算|算|查一下|看看|查看|告诉我)"),
    ("zsay", "[查看|看看|看一下|看|显示|告诉我|查一下|查询|查|检查|给出|列出|获取|读取|提取|取出|读出]"),
    // What leaves something different.
    (
        "holding",
        "(containing|with|that contains|which contains|that says|saying|with the text|with the content|with content|with the contents|with the words|with text|and write|with the line)[:]",
    ),
    ("move", "(move|mv|put|relocate|shift|transfer|place|stick|drop)"),
    ("copy", "(copy|cp|duplicate|back up|backup|clone)"),
    ("delete", "(delete|remove|erase|trash|rm|throw away|throw out|get rid of|bin|discard|scrap|dump)"),
    ("unpack", "(unpack|unzip|extract|uncompress|decompress|untar|open up|unarchive)"),
    ("zmake", "(新建|创建|建立|建|新增|生成|写|做|弄|开|加)[一下]"),
    (
        "zholding",
        "(内容是|内容为|内容|里面是|里面内容是|写的是|内容写|里面写|里面写着|写上|写入|写着|文字是|文本是)[:|,]",
    ),
    (
        "zrename",
        "(重命名为|重命名成|改名为|改名成|改名叫|更名为|改成|命名为|改叫|[的]名字(改成|改为|换成)|(改|换|起|取)(个|一个)[新]名[字](叫|为|是|成)|换名(叫|为|成))",
    ),
    ("zmove", "(移动到|移到|移至|移进|移入|挪到|挪进|放到|放进|放入|搬到|搬进|剪切到|转移到)"),
    ("zdelete", "(删除|删掉|删了|移除|扔掉|丢掉|去掉|清除|删)"),
    ("zunpack", "(解压缩|解压|解开|解包|展开)[一下]"),
    // What refers to the request before.
    ("again", "(and|now|also|then|what about|how about|and now|and also|the same|now the same|do the same)"),
    ("zagain", "(那么|那|再看看|再看|再列出|还有|换成|那再看看|然后看)"),
    (
        "report",
        "[short|brief|markdown|small|text|summary|single] (report|summary|document|markdown file|file|markdown document|text file|note)",
    ),
];
