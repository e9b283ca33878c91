//! Names of people in an answer.

use std::sync::LazyLock;

use regex::Regex;

use crate::ProofScene;
use crate::asked::asks_person;
use crate::figures::not_shown;
use crate::pattern;

/// Most names that are told.
const MOST_NAMES: usize = 4;
/// Capitalised words that name nobody.
const NO_NAMES: [&str; 81] = [
    "the",
    "between",
    "before",
    "after",
    "with",
    "without",
    "for",
    "since",
    "at",
    "by",
    "from",
    "to",
    "as",
    "if",
    "when",
    "while",
    "but",
    "or",
    "then",
    "there",
    "here",
    "both",
    "each",
    "all",
    "one",
    "commit",
    "hash",
    "found",
    "see",
    "note",
    "because",
    "only",
    "also",
    "not",
    "what",
    "who",
    "which",
    "where",
    "a",
    "an",
    "it",
    "this",
    "that",
    "these",
    "he",
    "she",
    "they",
    "his",
    "her",
    "its",
    "author",
    "owner",
    "name",
    "names",
    "manager",
    "editor",
    "yes",
    "no",
    "according",
    "mr",
    "mrs",
    "ms",
    "dr",
    "prof",
    "i",
    "in",
    "on",
    "and",
    "of",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "json",
    "english",
    "chinese",
    "file",
    "git",
];

/// Two and more capitalised words in a row.
static FULL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+\b"));
/// One capitalised word that a name is expected for.
static SINGLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:is|was|are|by|named|called|to|from)\s+([A-Z][a-z]{2,})\b"));
/// What follows "is" in Chinese, up to the end of its clause.
static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:作者|姓名|名字|负责人|联系人|主编|经理|客户)(?:是|叫|为|：|:)\s*([\u{4e00}-\u{9fff}]{2,4})(?:[，。,.；;！!]|$)",
    )
});

/// The names of an answer that `known`, in small letters, does not hold. A name may be written in other letters than where it
/// was read, so nothing is said where the text that is known is in another script.
pub(crate) fn unknown(answer: &str, known: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let latin = known.chars().all(|c| !c.is_alphabetic() || c.is_ascii());
    if latin {
        let full = FULL.find_iter(answer).map(|m| m.as_str());
        let single = SINGLE.captures_iter(answer).filter_map(|c| c.get(1)).map(|m| m.as_str());
        for name in full.chain(single) {
            let words: Vec<&str> = name
                .split([' ', '-'])
                .filter(|word| !NO_NAMES.contains(&word.to_lowercase().as_str()))
                .collect();
            let is_unknown = words.iter().any(|word| !known.contains(&word.to_lowercase()));
            let name = words.join(" ");
            if is_unknown && !found.iter().any(|told| told.contains(&name)) {
                found.push(name);
            }
        }
    }
    let chinese = CHINESE.captures_iter(answer).filter_map(|c| c.get(1)).map(|m| m.as_str());
    found.extend(chinese.filter(|name| !known.contains(name) && !known.is_ascii()).map(str::to_owned));
    found.truncate(MOST_NAMES);
    found
}

/// Whom the answer names was named by something, where the words ask for somebody.
pub(crate) fn are_known(words: &str, scene: &ProofScene<'_>) -> Result<(), String> {
    let answer = scene.answer.unwrap_or_default();
    if answer.is_empty() || !asks_person(words) {
        return Ok(());
    }
    let unknown = unknown(answer, &scene.known());
    if unknown.is_empty() { Ok(()) } else { Err(not_shown(&unknown)) }
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn a_name_that_nothing_holds_is_found_and_one_that_is_known_is_not() {
        let check = |answer: &str, known: &str, expected: &[&str]| {
            assert_eq!(unknown(answer, known), expected, "{answer}");
        };
        let book = "{\"author\": \"ann alpha\"}";
        check("The author is Zoe Omega.", book, &["Zoe Omega"]);
        check("The author is Ann Alpha.", book, &[]);
        check("Between Ann and Alpha there is nobody. Before Ann came Alpha.", book, &[]);
        check("The Author is Ann.", book, &[]);
        check("It was written by Zoe.", book, &["Zoe"]);
        check("According to the file, Alpha, Ann wrote it on Friday", book, &[]);
        check("The author is Zhang San.", "作者：张三", &[]);
        check("作者是李四。", "作者：张三", &["李四"]);
        check("作者是张三。", "作者：张三", &[]);
    }
}
