//! Names of files that hold Chinese, which stand in a sentence without a blank before or behind them.

use crate::language::is_han;
use crate::names::is_ending;
use crate::scan::entries;
use crate::verbs::chinese_verbs;

/// Words behind which a name may begin.
const BEFORE_NAME: &str =
    "把, 将, 在, 从, 给, 对, 到, 为, 成, 和, 与, 跟, 及, 里, 中, 的, 请, 帮我, 直接, 文件";
/// Characters of a name; what is longer is no name.
const NAME_CHARS: usize = 100;

/// What may be meant by each name with Chinese in it and a known ending: nothing but the file itself tells where the sentence ends
/// and the name begins, so `改正通知.md` may be `改正通知.md` or `通知.md`.
pub fn han_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (dot, _) in text.match_indices('.') {
        let behind = &text[dot + 1..];
        let length = behind.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(behind.len());
        let before = &text[..dot];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '~' | '.');
        let start = before.char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map(|(at, _)| at);
        let Some(stem) = start.map(|at| &before[at..]).filter(|stem| stem.chars().any(is_han)) else {
            continue;
        };
        if !is_ending(&behind[..length]) || stem.chars().count() > NAME_CHARS {
            continue;
        }
        let starts = starts(stem);
        // "把notes.md": what stands behind the words of the sentence is a name without Chinese, which is found without this.
        if starts.iter().any(|at| !stem[*at..].chars().any(is_han)) {
            continue;
        }
        for at in starts {
            let name = format!("{}.{}", &stem[at..], &behind[..length]);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Where a name may begin: at the front, behind a word that never ends there, and where
/// Chinese begins, for a request is read without the blank before it.
fn starts(stem: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut before = None;
    for (at, found) in stem.char_indices() {
        if is_han(found) && before.is_some_and(|before| !is_han(before)) {
            starts.push(at);
        }
        before = Some(found);
        let words = entries(BEFORE_NAME).chain(chinese_verbs());
        starts.extend(words.filter(|word| stem[at..].starts_with(word)).map(|word| at + word.len()));
    }
    starts.retain(|at| *at < stem.len());
    starts
}

#[cfg(test)]
mod tests {
    use super::han_names;

    #[test]
    fn a_name_is_among_what_may_be_meant() {
        for (text, name) in [
            ("In 通知.md change teh to the.", "通知.md"),
            ("改正通知.md里的错别字。", "通知.md"),
            ("请直接修改会议记录.txt，第二行删掉", "会议记录.txt"),
            ("把报告2026.md里的错别字改正", "报告2026.md"),
            ("修改 docs/说明.md", "docs/说明.md"),
            ("修改记录.md里有错", "修改记录.md"),
            ("Correct the typo in通知.md", "通知.md"),
        ] {
            let names = han_names(text);
            assert!(names.iter().any(|n| n == name), "{text}: {names:?}");
        }
        for (text, none) in [
            ("改正通知.md里的错别字。", "知.md"),
            ("修改 notes.md", "notes.md"),
            ("把通知.exe1删掉", "通知.exe1"),
            ("把notes.md里的错别字改正", "把notes.md"),
        ] {
            assert!(!han_names(text).iter().any(|n| n == none), "{text}: {none}");
        }
    }
}
