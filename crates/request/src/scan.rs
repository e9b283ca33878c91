//! Reading words at the front of a text.

use crate::language::is_han;

/// What stands behind these words, if the text begins with them, compared without case, and the last one ends there.
pub(crate) fn begins_with_words<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let head = text.get(..words.len())?;
    let rest = &text[words.len()..];
    let next = rest.chars().next();
    let ends = words.ends_with(is_han)
        || next.is_none_or(|next| {
            !(next.is_ascii_alphanumeric() || matches!(next, '_' | '-' | '\'' | '.' | '/'))
        });
    (head.eq_ignore_ascii_case(words) && ends).then(|| rest.trim_start())
}

/// The first word of a text, up to white space or a comma.
pub(crate) fn first_word(text: &str) -> &str {
    text.trim_start().split(|found: char| found.is_whitespace() || found == ',').next().unwrap_or_default()
}

/// The words of a text in lower case: runs of letters and digits that are not Chinese.
pub(crate) fn words(text: &str) -> Vec<String> {
    let split = text.split(|found: char| !found.is_alphanumeric() || is_han(found));
    split.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The entries of a table that is written as one text.
pub(crate) fn entries(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.split(", ").filter(|entry| !entry.is_empty())
}

/// Whether a word is one of a table.
pub(crate) fn is_entry(table: &'static str, word: &str) -> bool {
    entries(table).any(|entry| entry == word)
}

/// Whether a text holds one of the entries of a table: a Chinese entry anywhere, several words anywhere, one word as the
/// beginning of a word.
pub(crate) fn holds_any(text: &str, table: &'static str) -> bool {
    let lower = text.to_lowercase();
    let words = words(&lower);
    entries(table).any(|entry| {
        if entry.contains(is_han) || entry.contains(' ') {
            lower.contains(entry)
        } else {
            words.iter().any(|word| word.starts_with(entry))
        }
    })
}
