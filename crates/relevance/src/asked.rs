//! What the words of a criterion ask for.

use std::sync::LazyLock;

use regex::Regex;

/// Words by which a criterion asks for a number, an amount or a date.
const FIGURE_WORDS: [&str; 31] = [
    "how many",
    "how much",
    "number",
    "numbers",
    "count",
    "counted",
    "total",
    "totals",
    "sum",
    "sums",
    "amount",
    "amounts",
    "average",
    "mean",
    "median",
    "percentage",
    "percent",
    "share",
    "price",
    "cost",
    "balance",
    "date",
    "dates",
    "when",
    "year",
    "age",
    "maximum",
    "minimum",
    "size",
    "sizes",
    "figure",
];
const FIGURE_WORDS_CHINESE: [&str; 20] = [
    "多少",
    "数量",
    "数目",
    "个数",
    "总数",
    "总计",
    "合计",
    "金额",
    "日期",
    "何时",
    "几个",
    "平均",
    "占比",
    "百分比",
    "价格",
    "总和",
    "总额",
    "行数",
    "字数",
    "大小",
];
/// Words by which a criterion asks for the name of a file.
const NAME_WORDS: [&str; 10] = [
    "which file",
    "which files",
    "file name",
    "filename",
    "file names",
    "is named",
    "are named",
    "names the",
    "path of",
    "paths of",
];
const NAME_WORDS_CHINESE: [&str; 3] = ["文件名", "哪个文件", "哪些文件"];
/// Words by which somebody is asked for.
const PERSON_WORDS: [&str; 14] = [
    "who", "whose", "whom", "author", "authors", "owner", "owners", "manager", "chairman", "chair", "editor",
    "contact", "customer", "director",
];
const PERSON_WORDS_CHINESE: [&str; 9] =
    ["谁", "作者", "姓名", "名字", "负责人", "联系人", "客户", "主编", "经理"];
/// Words by which a criterion is about a failure.
const FAILURE_WORDS: [&str; 14] = [
    "fail",
    "fails",
    "failed",
    "failing",
    "failure",
    "failures",
    "error",
    "errors",
    "crash",
    "exit code",
    "exit status",
    "失败",
    "报错",
    "错误",
];
const DENIALS: [&str; 12] =
    ["no ", "without ", "zero ", "0 ", "not ", "never ", "none ", "free of ", "n't ", "没有", "无", "不"];

/// Numbers that set a bound or a form, and those that a person would not look up: they state nothing that was found.
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| {
    #[allow(clippy::expect_used, reason = "the pattern is a constant that the tests compile")]
    Regex::new(
        r"(?xi)
        (?:at\ (?:least|most)|up\ to|no\ more\ than|more\ than|less\ than|fewer\ than|older\ than|newer\ than|larger\ than
           |smaller\ than|longer\ than|within|under|over|below|above|top|first|last|exit(?:\ code|\ status)?|status|code|port
           |version|line|lines|step|max(?:imum)?|min(?:imum)?|exactly|only|every|each|>=?|<=?|至少|最多|不超过|超过|前|后|第)
        \s*[\d][\d.,]*
        |[\d][\d.,]*\s*(?:largest|smallest|biggest|newest|oldest|most|longest|words?|characters?|chars?|sentences?
           |paragraphs?|bullets?|sections?|decimals?|digits?|columns?|seconds?|minutes?|hours?|days?|weeks?|months?|years?
           |个?最|字|天|秒|分钟)
        |\b\d\b",
    )
    .expect("a constant pattern compiles")
});

fn holds_words(text: &str, latin: &[&str], chinese: &[&str]) -> bool {
    let folded = text.to_lowercase();
    let spaced: String = folded.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let spaced = format!(" {} ", spaced.split_whitespace().collect::<Vec<_>>().join(" "));
    latin.iter().any(|word| spaced.contains(&format!(" {word} ")))
        || chinese.iter().any(|word| folded.contains(word))
}

/// Whether it asks for a number, an amount or a date.
pub(crate) fn asks_figure(text: &str) -> bool {
    holds_words(text, &FIGURE_WORDS, &FIGURE_WORDS_CHINESE)
}

/// Whether it asks for the name of a file.
pub(crate) fn asks_name(text: &str) -> bool {
    holds_words(text, &NAME_WORDS, &NAME_WORDS_CHINESE)
}

/// Whether it asks for a person.
pub(crate) fn asks_person(text: &str) -> bool {
    holds_words(text, &PERSON_WORDS, &PERSON_WORDS_CHINESE)
}

/// Whether it is about something that failed, so that a failing call shows it. "No errors" is not.
pub(crate) fn speaks_of_failure(text: &str) -> bool {
    let folded = text.to_lowercase();
    let is_denied = DENIALS.iter().any(|word| folded.contains(word));
    !is_denied && holds_words(text, &FAILURE_WORDS, &FAILURE_WORDS[11..])
}

/// The text without numbers that set a bound or a form: what is left states what was found.
pub(crate) fn stated_figures(text: &str) -> String {
    PARAMETER.replace_all(text, " ").into_owned()
}
