//! What unquoted text and arithmetic turn into, by their looks.

use crate::walk::Walk;

/// Whether unquoted text expands to names or alternatives.
pub(crate) fn is_wild(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Whether a whole word has no braces but `{}`, which then stands for itself. With a comma behind it, it opens a group.
pub(crate) fn stands_for_itself(text: &str) -> bool {
    text.contains("{}") && !is_wild(&text.replace("{}", "")) && !text.replace("{}", "").contains(['}', ','])
}

/// Whether unquoted text is a range of numbers, `{1..9}`.
pub(crate) fn is_number_range(text: &str) -> bool {
    let inside = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).and_then(|t| t.split_once(".."));
    let is_number = |t: &str| !t.is_empty() && t.len() < 9 && t.bytes().all(|b| b.is_ascii_digit());
    inside.is_some_and(|(from, to)| is_number(from) && is_number(to))
}

/// Arithmetic is followed only with numbers, and with names that stand for numbers: any other value is evaluated again, and may
/// run commands.
pub(crate) fn arithmetic(expression: &str, walk: &mut Walk<'_>) {
    let is_plain =
        |c: char| c.is_ascii_digit() || c.is_ascii_whitespace() || "+-*/%()<>=!&|?:~^,".contains(c);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = expression;
    let mut names = Vec::new();
    while let Some(c) = rest.chars().next() {
        let word = rest.strip_prefix('$').unwrap_or(rest);
        let length = word.find(|c| !is_letter(c)).unwrap_or(word.len());
        let name = &word[..length];
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && walk.scope.is_number(name) {
            names.push(name);
            rest = &word[length..];
        } else if is_plain(c) && !name.starts_with(|c: char| !c.is_ascii_digit()) {
            // Digits are taken whole, so that no name begins within 0x or 16#.
            let taken = if length > 0 { length } else { c.len_utf8() };
            if name.contains(|c: char| !c.is_ascii_digit()) {
                break;
            }
            rest = &rest[taken..];
        } else {
            break;
        }
    }
    if !rest.is_empty() {
        walk.found.confirm("arithmetic with names or expansions is not followed");
    }
    if expression.contains('=') || expression.contains("++") || expression.contains("--") {
        for name in names {
            walk.scope.set_number(name);
        }
    }
}
