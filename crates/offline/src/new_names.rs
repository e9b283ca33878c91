//! What a request gives to something new: names, and the text of a file. Further words of times and of things to look for.

use artoo_request::{cuts, is_han};

use crate::places::{NamedPlace, is_plain_word, read_place};
use crate::scan::{read_quoted, run, starts_with_word};

/// Most words of a name that is introduced by "called".
const MOST_WORDS: usize = 4;

/// Moments that have a name, and how `git` is told of them.
const MOMENTS: [(&str, &str); 18] = [
    ("yesterday", "yesterday 00:00"),
    ("today", "today 00:00"),
    ("this morning", "today 00:00"),
    ("this week", "monday 00:00"),
    ("monday", "monday 00:00"),
    ("tuesday", "tuesday 00:00"),
    ("wednesday", "wednesday 00:00"),
    ("thursday", "thursday 00:00"),
    ("friday", "friday 00:00"),
    ("saturday", "saturday 00:00"),
    ("sunday", "sunday 00:00"),
    ("昨天", "yesterday 00:00"),
    ("今天", "today 00:00"),
    ("今早", "today 00:00"),
    ("今日", "today 00:00"),
    ("昨日", "yesterday 00:00"),
    ("前天", "2 days ago 00:00"),
    ("本周", "monday 00:00"),
];

/// What a log calls the lines that people ask for: what they say, and what stands in the lines.
const THINGS: [(&str, &str); 46] = [
    ("errors", "error"),
    ("error lines", "error"),
    ("error messages", "error"),
    ("warnings", "warn"),
    ("warning lines", "warn"),
    ("failures", "fail"),
    ("exceptions", "exception"),
    ("timeouts", "timeout"),
    ("todos", "todo"),
    ("todo items", "todo"),
    ("todo list", "todo"),
    ("to-do list", "todo"),
    ("todo entries", "todo"),
    ("fixmes", "fixme"),
    ("fatal errors", "fatal"),
    ("debug lines", "debug"),
    ("info lines", "info"),
    ("open tasks", "[ ]"),
    ("open todos", "[ ]"),
    ("open items", "[ ]"),
    ("unfinished tasks", "[ ]"),
    ("unfinished todos", "[ ]"),
    ("unchecked items", "[ ]"),
    ("finished tasks", "[x]"),
    ("completed tasks", "[x]"),
    ("done tasks", "[x]"),
    ("未完成的任务", "[ ]"),
    ("未完成任务", "[ ]"),
    ("没完成的任务", "[ ]"),
    ("未完成的待办", "[ ]"),
    ("未完成的事项", "[ ]"),
    ("已完成的任务", "[x]"),
    ("完成的任务", "[x]"),
    ("待办", "待办"),
    ("待办事项", "待办"),
    ("没做完的", "[ ]"),
    ("还没做完的", "[ ]"),
    ("失败", "fail"),
    ("告警", "warn"),
    ("错误行", "error"),
    ("错误日志", "error"),
    ("报错", "error"),
    ("错误", "error"),
    ("警告", "warn"),
    ("异常", "exception"),
    ("超时", "timeout"),
];

/// The places that the front of `rest` may name where something new is to be, or where something goes.
pub(crate) fn read_new(rest: &str) -> Vec<(usize, NamedPlace)> {
    if let Some((length, name)) = read_quoted(rest) {
        return is_name(&name).then_some((length, NamedPlace::Path(name))).into_iter().collect();
    }
    let mut found: Vec<(usize, NamedPlace)> = read_place(rest)
        .into_iter()
        .filter(|(_, place)| matches!(place, NamedPlace::Home(..) | NamedPlace::Here))
        .collect();
    let token = run(rest, |found| {
        !found.is_whitespace() && !matches!(found, ',' | ';' | ':' | '"' | '“' | '”' | '(' | ')' | '!')
    });
    let token = rest[..token].trim_end_matches(['.', '?']);
    let mut before = None;
    for (at, next) in token.char_indices().map(|(at, next)| (at, Some(next))).chain([(token.len(), None)]) {
        let edge = next.is_none() || next.is_some_and(is_han) || before.is_some_and(is_han);
        let name = &token[..at];
        if edge && is_name(name) {
            found.push((at, NamedPlace::Path(name.to_owned())));
        }
        before = next;
    }
    found
}

/// A name of a few words, behind "called".
pub(crate) fn read_title(rest: &str) -> Vec<(usize, NamedPlace)> {
    let length = run(rest, |found| found.is_alphanumeric() || matches!(found, ' ' | '_' | '-' | '.'));
    let words = rest[..length].trim_end();
    let ends = words.match_indices(' ').map(|(at, _)| at).chain([words.len()]).skip(1).take(MOST_WORDS - 1);
    ends.map(|end| (end, &words[..end]))
        .filter(|(end, name)| cuts(name).is_empty() && is_name(name) && *end > 0)
        .map(|(end, name)| (end, NamedPlace::Path(name.to_owned())))
        .collect()
}

/// The text of a new file: in quotation marks, or all that follows where it holds no joint that could begin another wish.
pub(crate) fn read_content(rest: &str) -> Vec<(usize, String)> {
    if let Some(quoted) = read_quoted(rest) {
        return vec![quoted];
    }
    if let Some(lines) = listed(rest) {
        return vec![(rest.len(), lines)];
    }
    let is_whole = !rest.trim().is_empty() && cuts(rest).is_empty() && !rest.contains(['"', '“', '\'']);
    if is_whole { vec![(rest.len(), rest.trim().to_owned())] } else { Vec::new() }
}

/// What says that each thing of a list is a line.
const EACH_A_LINE: [&str; 20] = [
    "on separate lines",
    "on seperate lines",
    "in separate lines",
    "on a line each",
    "one per line",
    "one on each line",
    "each on its own line",
    "each on a line of its own",
    "each on a separate line",
    "each in its own line",
    "on their own lines",
    "as separate lines",
    "one a line",
    "每行一个",
    "一行一个",
    "每行一项",
    "一行一项",
    "每个一行",
    "各占一行",
    "分行写",
];

/// "milk, eggs and bread on separate lines": the lines.
fn listed(rest: &str) -> Option<String> {
    let text = rest.trim().trim_end_matches(['.', '。', '!']).trim_end();
    let lower = text.to_ascii_lowercase();
    let end = EACH_A_LINE.iter().find_map(|words| lower.strip_suffix(words))?.len();
    let list = text.get(..end)?.replace(" and ", ",").replace('和', ",");
    let things: Vec<&str> = list
        .split([',', '，', '、', ';', '；'])
        .map(|thing| thing.trim().trim_matches(['"', '“', '”']))
        .filter(|thing| !thing.is_empty())
        .collect();
    (things.len() > 1).then(|| things.join("\n"))
}

pub(crate) fn read_since(rest: &str) -> Vec<(usize, &'static str)> {
    words(rest, &MOMENTS)
}

pub(crate) fn read_things(rest: &str) -> Vec<(usize, String)> {
    // Who writes ERROR means what stands there in capitals.
    let as_written = |text: &str| {
        let own = rest.get(..text.len()).filter(|own| own.eq_ignore_ascii_case(text));
        let is_capital = |own: &&str| own.len() > 1 && own.bytes().all(|byte| byte.is_ascii_uppercase());
        own.filter(is_capital).unwrap_or(text).to_owned()
    };
    words(rest, &THINGS).into_iter().map(|(length, text)| (length, as_written(text))).collect()
}

/// An ending that files are to have: `.jpg`, `jpg`.
pub(crate) fn read_ending(rest: &str) -> Vec<(usize, String)> {
    let start = usize::from(rest.starts_with('.')) + 2 * usize::from(rest.starts_with("*."));
    let length = run(&rest[start..], |found| found.is_ascii_alphanumeric());
    if (1..=10).contains(&length) {
        vec![(start + length, rest[start..start + length].to_owned())]
    } else {
        Vec::new()
    }
}

fn words(rest: &str, table: &[(&str, &'static str)]) -> Vec<(usize, &'static str)> {
    let longest =
        table.iter().filter(|(word, _)| starts_with_word(rest, word)).max_by_key(|(word, _)| word.len());
    longest.map(|(word, value)| (word.len(), *value)).into_iter().collect()
}

/// Words for the form of an archive, which are no name of one.
const NO_NAMES: [&str; 7] = ["zip", "zip文件", "zip包", "zip格式", "zip压缩包", "压缩包", "压缩文件"];

/// Words that say that a folder is to be made, and are no part of its name.
const FRESH: [&str; 9] = [
    "新建的文件夹",
    "新建文件夹",
    "新的文件夹",
    "新文件夹",
    "新建的目录",
    "新建目录",
    "新的目录",
    "新目录",
    "一个",
];

/// Whether something may be called that: no wildcards, no signs that a shell or a person could misread, no word that only points.
fn is_name(name: &str) -> bool {
    let bare = name.trim_end_matches('/');
    let last = bare.rsplit('/').next().unwrap_or_default();
    !bare.is_empty()
        && !name.contains("://")
        && !last.starts_with('-')
        && !matches!(last, "." | "..")
        && !name.chars().any(|found| {
            found.is_control() || matches!(found, '*' | '?' | '<' | '>' | '|' | '\\' | '$' | '`')
        })
        && is_plain_word(name)
        && !NO_NAMES.contains(&name.to_lowercase().as_str())
        && !FRESH.iter().any(|words| last.starts_with(words) && last != *words)
}
