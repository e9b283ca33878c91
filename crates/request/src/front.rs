//! Reading what stands at the beginning of a text.

use crate::language::is_han;
use crate::normalise::quoted_ranges;

/// Quoted text at the front: consumed bytes and the text between the marks, if it is not empty and on one line.
pub fn read_quoted(rest: &str) -> Option<(usize, String)> {
    let (start, end) = quoted_ranges(rest).into_iter().next()?;
    let inner: String = {
        let mut chars = rest[start..end].chars();
        chars.next();
        chars.next_back();
        chars.collect()
    };
    let usable = start == 0 && !inner.trim().is_empty() && !inner.chars().any(char::is_control);
    usable.then_some((end, inner))
}

/// The run of bytes at the front for which `accept` holds.
pub fn run(rest: &str, accept: impl Fn(char) -> bool) -> usize {
    rest.char_indices().find(|(_, found)| !accept(*found)).map_or(rest.len(), |(at, _)| at)
}

/// Whether `rest` begins with `word`, compared without case, and the word ends there.
pub fn starts_with_word(rest: &str, word: &str) -> bool {
    let Some(head) = rest.get(..word.len()) else { return false };
    let ends = word.chars().next_back().is_some_and(is_han)
        || rest[word.len()..]
            .chars()
            .next()
            .is_none_or(|next| !(next.is_ascii_alphanumeric() || next == '_'));
    head.eq_ignore_ascii_case(word) && ends
}
