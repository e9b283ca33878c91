//! Requests that would work where a request was declined: made from the files, columns and folders that are there, alike in
//! their words, and read by the same rules.

use std::collections::BTreeSet;

use artoo_request::{Language, is_han};
use artoo_types::situation::{AskedPath, PathKind, Situation};

use crate::causes::columns;
use crate::clauses::understand;
use crate::named::with_marks;
use crate::table::read_csv;

/// Most suggestions of one refusal.
const MOST: usize = 2;
/// Files that suggestions are made from.
const MOST_FILES: usize = 12;
/// Least likeness, in thousandths of the Dice coefficient of pairs of characters.
const LEAST: usize = 400;
/// Endings of texts.
const TEXTS: [&str; 6] = ["txt", "md", "log", "rs", "py", "json"];
/// Words of every request, which make none like another.
const COMMON: [&str; 14] = [
    "show", "find", "list", "what", "which", "this", "that", "file", "files", "have", "many", "there",
    "here", "with",
];

/// At most two requests like the text that work where it was asked.
pub(crate) fn suggestions(text: &str, language: Language, seen: Option<&Situation>) -> Vec<String> {
    let Some(seen) = seen else { return Vec::new() };
    let wanted = pairs(text);
    let mut scored: Vec<(usize, String)> = candidates(language, seen)
        .into_iter()
        .filter(|candidate| shares_a_word(text, candidate))
        .map(|candidate| (likeness(&wanted, &pairs(&candidate)), candidate))
        .filter(|(score, candidate)| *score >= LEAST && understand(&with_marks(candidate, seen)).is_ok())
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(MOST).map(|(_, candidate)| candidate).collect()
}

fn candidates(language: Language, seen: &Situation) -> Vec<String> {
    let say = |english: String, chinese: String| match language {
        Language::English => english,
        Language::Chinese => chinese,
    };
    let fixed = [
        ("find the ten largest files here", "找出当前目录里最大的10个文件"),
        ("find empty files here", "找出当前目录里的空文件"),
        ("show the five most recently changed files here", "列出当前目录里最近修改的5个文件"),
        ("how much disk space is free", "还剩多少磁盘空间"),
        ("which five processes use the most memory", "占内存最多的5个进程"),
        ("what is in this folder", "当前目录里有什么"),
    ];
    let mut all: Vec<String> =
        fixed.iter().map(|(english, chinese)| language.pick(english, chinese).to_owned()).collect();
    if seen.git.is_some() {
        let git = [("git status", "查看git状态"), ("show the last 5 commits", "查看最近5次提交")];
        all.extend(git.iter().map(|(english, chinese)| language.pick(english, chinese).to_owned()));
    }
    let files = seen.entries.iter().map(|entry| entry.path.as_str()).filter(|path| !path.ends_with('/'));
    for path in files.filter(|path| !path.contains(['"', '\''])).take(MOST_FILES) {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        if TEXTS.contains(&ending) {
            all.push(say(format!("how many lines are in {path}"), format!("{path}有多少行")));
            all.push(say(format!("read {path}"), format!("读取{path}")));
        }
        if ending == "csv" {
            all.push(say(format!("how many rows and columns are in {path}"), format!("{path}有几行几列")));
            for column in numeric_columns(path, seen) {
                all.push(say(format!("sum of {column} in {path}"), format!("求{path}里{column}列的总和")));
            }
        }
    }
    all
}

/// The columns of a table whose first value is a number, as far as the beginning of the file is known.
fn numeric_columns(path: &str, seen: &Situation) -> Vec<String> {
    let asked = seen.asked.iter().find(|asked| asked.path.ends_with(&format!("/{path}")));
    let of_head = || {
        let head = seen.heads.iter().find(|head| head.path == path)?;
        Some(AskedPath {
            unread: None,
            path: String::new(),
            kind: PathKind::File,
            head: head.text.clone(),
            is_whole: false,
            near: Vec::new(),
            others: Vec::new(),
        })
    };
    let Some(asked) = asked.cloned().or_else(of_head) else { return Vec::new() };
    let Some(names) = columns(&asked) else { return Vec::new() };
    let second = asked.head.lines().nth(1).and_then(|line| read_csv(line).ok()?.into_iter().next());
    let values = second.unwrap_or_default();
    names
        .into_iter()
        .zip(values)
        .filter(|(name, value)| !name.contains(char::is_whitespace) && value.trim().parse::<f64>().is_ok())
        .map(|(name, _)| name)
        .collect()
}

/// Whether both texts have a word in common that not every request has: one of four letters, or two Chinese characters.
fn shares_a_word(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let lower = text.to_lowercase();
        let latin = lower.split(|found: char| !found.is_ascii_alphanumeric());
        let latin = latin.filter(|word| word.len() >= 4 && !COMMON.contains(word)).map(str::to_owned);
        let chars: Vec<char> = lower.chars().collect();
        let han = chars.windows(2).filter(|pair| pair.iter().all(|found| is_han(*found)));
        latin.chain(han.map(|pair| pair.iter().collect::<String>())).collect()
    };
    words(one).intersection(&words(other)).next().is_some()
}

fn likeness(one: &BTreeSet<(char, char)>, other: &BTreeSet<(char, char)>) -> usize {
    2_000 * one.intersection(other).count() / (one.len() + other.len()).max(1)
}

fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let chars: Vec<char> = text.to_lowercase().chars().filter(|found| !found.is_whitespace()).collect();
    chars.windows(2).map(|pair| (pair[0], pair[1])).collect()
}
