//! The words of questions about tables, in both languages.

use std::sync::LazyLock;

use crate::query::Relation;
use crate::slots::Statistic;

/// What a word adds to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// This is calculated.
    Of(Statistic),
    /// How many.
    Count,
    /// Different ones.
    Distinct,
    /// Which ones there are.
    Which,
    /// Shown one by one.
    List,
    /// The rows themselves.
    Rows,
    /// The first of an order.
    Top,
    /// The next column makes groups, or an order.
    By,
    /// The next word is the value of the column before.
    Is,
    /// A condition comes: a column, and its value right behind it.
    With,
    /// The next number is the least that does not fit, or the largest.
    Compare(Relation),
    /// Rows are chosen: what comes behind "by" is a condition.
    Filter,
    /// The rows in an order.
    Sort,
    /// The first rows as they stand, or the last.
    Head {
        /// The last ones.
        last: bool,
    },
    /// Of groups, the sum; alone it says nothing.
    Much,
    /// A calculation over the first of these columns that the table has: "the oldest", "earns the most".
    Implies(Statistic, &'static [&'static str]),
    /// The same over the column of money: "the cheapest".
    Priced(Statistic),
    /// The days of this month.
    InMonth(u8),
    /// Which group has the most of something.
    MostOf,
    /// The groups are months, or years, of the column of days: so many characters of a day.
    Period(u8, &'static [&'static str]),
    /// Two numbers follow, or came before: what lies between them.
    Between,
    /// Of amounts, their sum; otherwise it says nothing.
    InAll,
    /// Nothing that matters.
    Nothing,
}

use Meaning::{
    Between, By, Compare, Count, Distinct, Filter, Head, Implies, InAll, InMonth, Is, List, MostOf, Much,
    Nothing, Of, Period, Priced, Rows, Sort, Top, Which, With,
};

const SUM: Meaning = Of(Statistic::Sum);
const AVERAGE: Meaning = Of(Statistic::Average);
const MAXIMUM: Meaning = Of(Statistic::Maximum);
const MINIMUM: Meaning = Of(Statistic::Minimum);
const MEDIAN: Meaning = Of(Statistic::Median);
const MORE: Meaning = Compare(Relation::More);
const LESS: Meaning = Compare(Relation::Less);

/// Meaning and words, parted by `|`; the longest word at a place counts.
const WORDS: &[(Meaning, &str)] = &[
    (
        SUM,
        "sum|sums|sum up|total|totals|add up|总和|合计|总计|求和|之和|加起来|加一下|加总|汇总|加和|the sum|the total|summed|grand total|the grand total|total amount of|combined|altogether|sum total|in total|overall|added up|added together|add together|add|total up|tally up|sum of|加一遍|加起来一共|加在一起|相加|累加|总数|总额|一共多少|总共多少|一共是多少|总共是多少|一共有多少|总共有多少|加起来多少|加起来是多少|add up to|adds up to|add up everything in|add everything in|everything together|合计是多少|总和是多少|共计|总计是多少",
    ),
    (
        AVERAGE,
        "average|averages|mean|平均值|平均数|平均|均值|平均下来|平均下来多少|平均是多少|on average|typical",
    ),
    (
        MAXIMUM,
        "highest|largest|biggest|greatest|maximum|max|最大值|最大|最高|highest first|largest first|biggest first|descending|从大到小|从高到低|降序|best|top value|peak|the maximum|the highest|desc|倒序|由大到小|由高到低|from largest to smallest|from highest to lowest|largest to smallest|highest to lowest|biggest at the top|largest at the top|highest at the top|biggest on top|largest on top|highest on top|biggest to smallest|high to low|由多到少|从多到少|大的在前|the biggest|the largest|the best|最好|最好的",
    ),
    (
        MINIMUM,
        "lowest|smallest|minimum|min|最小值|最小|最低|lowest first|smallest first|ascending|从小到大|从低到高|升序|最少|the minimum|the lowest|least|the least|worst|the worst|最差|最差的|asc|由小到大|由低到高|from smallest to largest|from lowest to highest|smallest to largest|lowest to highest|smallest at the top|lowest at the top|smallest to biggest|low to high|从少到多|由少到多|小的在前",
    ),
    (
        Count,
        "how many|count|number of|几个|几行|几条|几个人|有几个|有几行|有多少个|有多少行|有多少条|多少行|多少条|多少个|多少人|有多少人|有几个人|how often|多少个不同|行数|条数|的行数|个数|数量|一共多少行|一共多少条|一共多少个|一共多少人|一共有多少行|一共有多少条|一共有多少个|一共有多少人|总共多少人|总共有多少人|总共多少行|总共有多少行|人数|几名|几位|几笔|多少名|多少位|多少笔|how many times|几次|多少次|有多少笔|有几笔|有几名|有几位|有几项|多少项|几项",
    ),
    (
        Distinct,
        "different|distinct|unique|都有哪些|一共有哪些|几种|有几种|多少种|不同的|what different|which different|哪些|有哪些|哪几种|有哪几种|几个不同的|有几个不同的|多少个不同的|一共多少种|一共几种|总共多少种|总共几种|一共有多少种|一共有几种|总共有多少种|总共有几种|出现过哪些|包含哪些|是哪些",
    ),
    (
        List,
        "list|show|print|display|show me|list me|列出|显示|所有|所有的|filter out|找出|看看|看|给出|筛出|everyone|everybody|every one|all people|所有人|每个人|大家|全部人|read out|pull up|name|只看|只要|只显示|只列出|仅看|only|just|let me see|find|get|给我看看|给我看|看一下|瞧瞧|全部|全部的|看下|显示出来|列出来|找出来|列一下|列举|列举一下|给我列出来|给我找出来|挑出来|筛出来|everyone's|everybody's|give me just|just give me|just show|only show|narrow down to|那几条|那几行",
    ),
    (
        Rows,
        "rows|row|records|entries|的行|行|条记录|who|whom|谁|people|人|items|条|记录|条数据|数据|是谁|person|persons|anyone|anybody|someone|somebody|entry|line items|transactions|purchases|笔|orders|订单|的订单|的人|employees|employee|staff members|colleagues|coworkers|workers|students|student|pupils|员工|的员工|学生|的学生|同事|职员|成员|同学|名员工|名学生|那些人|哪些人|哪几个人|这些人|哪位",
    ),
    (Top, "top|前|排前|排名前|排行前|the top"),
    (
        By,
        "by|per|for each|grouped by|group by|按|按照|各|各个|每个|每种|每一个|各种|每|in each|of each|each|for every|per each|grouped per|broken down by|sort by|按每个|分别按|根据|依据|in every|of every|every|split by|down by|grouped into",
    ),
    (Is, "is|=|==|equals|equal to|is equal to|是|为|等于"),
    (
        Nothing,
        "what is|what's|whats|what are|tell me|give me|the|of|in|from|are|there|column|the column|calculate|compute|all|live|lives|living|都|都有|file|是多少|是什么|多少|统计|计算|求|求出|分组|分组求|一下|的|里|里面|中|把|列|这一列|一列|值|有|values|value|please|and|a|an|on|at|having|do|does|we|i|me|one|column of|up|算一下|算|计算一下|一下子|在|将|那些|来|得|对|以|并|，|and show|and then|that|order of|then|out|什么|为单位|出现过|出现|occur|occurs|appear|appears|住在|住|来自|属于|in the|of the|according to|going by|based on|looking at|break|broken|split|group|did|was|were|make|makes|made|earn|earns|come to|comes to|amount to|how big is|how high is|how large is|how low is|can you|could you|i want|i need|i want to know|work out|give|帮我|帮忙|请|麻烦|我想|想知道|知道|给我|全都|分别|分别是|是哪个|了|吗|呢|吧|分|那|名|个|读取|整个|分组统计|分类|分类统计|到底|具体|这些|表|表里|文件|文件里|部分|still|currently|already|yet|hey|pls|plz|ok|so|listed|list of|contained|contain|contains|included|recorded|mentioned|on|about|work|works|working|located|based|sits|called|single|any|columns|the columns|fields|two columns|both columns|these columns|it|its|this|that|those|these|here|across|within|down|all of|each of|how|come|comes|come up|comes up|show up|shows up|happen|happens|go|went|spend|people's|their|somehow|quick|quickly|really|kindly|两列|三列|这两列|这几列|两个字段|订单里|块钱|元钱|工作|上班|在里面|呀|啊|哦|嘛|哈|用了|当中|其中|之中|一起|帮我看看|帮我看一下|帮我算|帮我算一下|麻烦|一年|里头|和|与|以及|还有|各有|各是|各自|分别有|it's|it is|ones|the ones|those ones|got|get|gets|received|receive|receives|scored|score in all|all together|taken together|i'd like|i would like|i'd like to know|i need to know|show me|look in|looking in|see|going by|to go by|as per|during|over in|见|参见|详见|参考|年|得了|得到|得|拿了|拿到|考了|花|有没有|是不是|究竟|请问|请问一下|我要|我需要|查|查查|查一下|查询|帮我查|帮我查一下|去看|具体是|什么的",
    ),
    (With, "where|with|have|has|whose|for|which have|that have|which has|中的"),
    (
        Much,
        "how much|sold|sell|sells|bring in|brings in|brought in|earned|spend|spent|spending|spendings|costs|cost|paid|pay|pays|expenditure|花费|花掉|花了多少|花了多少钱|用了多少|用了多少钱|买了多少|买了|一共买了多少|一共花了多少|总共花了多少|消费|消费了|消费了多少|支出|付了|付了多少|卖了多少|多少钱|一共多少钱|卖了|卖出|卖|赚了|花了",
    ),
    (MEDIAN, "median|the median|中位数"),
    (
        MORE,
        "over|above|more than|greater than|larger than|higher than|bigger than|is over|is above|is more than|is greater than|is larger than|is higher than|>|大于|超过|高于|多于|exceeding|exceeds|beyond|at over|of over|高过|高出|多过|above the|at least over|more expensive than",
    ),
    (
        LESS,
        "under|below|less than|smaller than|lower than|fewer than|is under|is below|is less than|is smaller than|is lower than|<|小于|低于|少于|不到|不足|未满|小过|cheaper than|beneath|is beneath",
    ),
    (Filter, "filter|筛选|过滤"),
    (
        Sort,
        "sort|sorted|sort it|sort them|put in order|order|ordered|rank|ranked|排序|排列|排一下|排个序|排一排|排一下序|排|arrange|arranged",
    ),
    (MostOf, "最多|most|the most"),
    (
        Period(7, MONTH),
        "per month|by month|each month|every month|for each month|for every month|monthly|month by month|in each month|每个月|每月|按月|按月份|各月|各个月|每个月份|分月|按月统计|按月汇总|分月份|按照月份",
    ),
    (
        Period(4, YEAR),
        "per year|by year|each year|every year|for each year|yearly|annually|每年|按年|按年份|各年|每个年份",
    ),
    (
        InAll,
        "总共得了|一共得了|总共拿了|一共拿了|一共|总共|共|一共是|总共是|altogether|in all|overall|all in all",
    ),
    (
        Priced(Statistic::Maximum),
        "most expensive|the most expensive|most expensive one|priciest|the priciest|costliest|the costliest|dearest|最贵|最贵的|花得最多|花钱最多",
    ),
    (
        Priced(Statistic::Minimum),
        "cheapest|the cheapest|least expensive|the least expensive|most affordable|最便宜|最便宜的|最实惠|最划算",
    ),
    (InMonth(1), "january|in january|一月|一月份|1月|1月份|01月"),
    (InMonth(2), "february|in february|二月|二月份|2月|2月份|02月"),
    (InMonth(3), "in march|for march|march|三月|三月份|3月|3月份|03月"),
    (InMonth(4), "april|in april|四月|四月份|4月|4月份|04月"),
    (InMonth(5), "in may|for may|during may|五月|五月份|5月|5月份|05月"),
    (InMonth(6), "june|in june|六月|六月份|6月|6月份|06月"),
    (InMonth(7), "july|in july|七月|七月份|7月|7月份|07月"),
    (InMonth(8), "august|in august|八月|八月份|8月|8月份|08月"),
    (InMonth(9), "september|in september|九月|九月份|9月|9月份|09月"),
    (InMonth(10), "october|in october|十月|十月份|10月|10月份"),
    (InMonth(11), "november|in november|十一月|十一月份|11月|11月份"),
    (InMonth(12), "december|in december|十二月|十二月份|12月|12月份"),
    (Between, "between|之间|之间的|在之间"),
    (Head { last: false }, "first"),
    (Head { last: true }, "last|最后"),
    (Which, "which|what|哪个|哪一个|哪种"),
    (Implies(Statistic::Maximum, AGE), "oldest|the oldest|年纪最大|年龄最大|岁数最大|最年长"),
    (Implies(Statistic::Minimum, AGE), "youngest|the youngest|年纪最小|年龄最小|最年轻"),
    (
        Implies(Statistic::Maximum, PAY),
        "earns the most|earn the most|makes the most money|best paid|highest paid|挣得最多|赚得最多|挣钱最多",
    ),
    (
        Implies(Statistic::Minimum, PAY),
        "earns the least|earn the least|worst paid|lowest paid|挣得最少|赚得最少",
    ),
];

/// The words one by one.
pub(super) static LEXICON: LazyLock<Vec<(&str, Meaning)>> = LazyLock::new(|| {
    WORDS.iter().flat_map(|(meaning, words)| words.split('|').map(|word| (word, *meaning))).collect()
});

/// How a column of ages may be called, in lower case.
pub(super) const AGE: &[&str] = &["age", "ages", "years", "年龄", "岁数", "年纪", "岁"];
/// The same for months and years.
const MONTH: &[&str] = &["month", "months", "月", "月份"];
const YEAR: &[&str] = &["year", "years", "年", "年份"];
/// The same for what somebody earns.
const PAY: &[&str] =
    &["salary", "income", "wage", "wages", "pay", "earnings", "工资", "薪资", "薪水", "收入", "月薪", "年薪"];

/// Names that columns have in both languages, in lower case: those of one row are the same thing.
pub(super) const COLUMNS: &[&[&str]] = &[
    AGE,
    PAY,
    &["amount", "金额", "销售额"],
    &["price", "价格", "单价", "售价"],
    &["qty", "quantity"],
    &["region", "area", "地区", "区域", "大区"],
    &["product", "产品", "商品"],
    &["city", "town", "城市"],
    &["country", "国家"],
    &["customer", "client", "客户", "顾客"],
    &["status", "state", "状态"],
    &["name", "姓名", "名字", "名称"],
    &["department", "dept", "部门"],
    &["date", "日期"],
    &["role", "position", "job", "角色", "职位", "岗位"],
    &["category", "类别", "分类"],
    &["score", "grade", "points", "marks", "分数", "成绩", "得分", "分"],
    &["paid", "settled", "付款", "付过款", "付了款", "已付款", "支付", "已支付", "付钱", "结清"],
    &["done", "finished", "completed", "完成", "已完成", "做完"],
    &["active", "enabled", "启用", "已启用", "激活"],
    &["student", "pupil", "学生"],
    &["subject", "course", "科目", "课程"],
    &["class", "班级", "班"],
    &["units", "pieces", "件数", "数量"],
    &["email", "mail", "e-mail", "邮箱", "电子邮件"],
    &["phone", "telephone", "电话", "手机", "手机号"],
    // What settings are called.
    &["port", "端口", "端口号"],
    &["host", "hostname", "主机", "主机名", "地址"],
    &["server", "服务器", "服务端"],
    &["version", "版本", "版本号"],
    &["user", "username", "用户", "用户名"],
    &["database", "db", "数据库"],
    &["language", "lang", "语言"],
    &["theme", "主题"],
    &["timeout", "超时", "超时时间"],
    &["title", "标题"],
    &["path", "路径"],
    &["debug", "调试"],
];
