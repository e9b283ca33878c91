//! What a command must be like before it is parsed at all.

use super::doubt;
use artoo_types::text::is_invisible;

/// Longest command, in bytes.
const MAX_BYTES: usize = 16 * 1024;
/// Deepest nesting of brackets of all kinds, and most backquotes. The parser recurses, and each level takes some
/// kilobytes of stack.
const MAX_DEPTH: usize = 32;
/// Most words that open a compound command.
const MAX_COMPOUNDS: usize = 64;
/// Words that open a compound command.
const COMPOUNDS: &[&str] = &[
    "if", "while", "until", "for", "case", "select", "function", "coproc", "!", "time", "then", "do", "else",
];

/// Whether the command may be parsed; the error says why not.
pub(crate) fn admit(command: &str) -> Result<(), String> {
    if command.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    if command.contains(char::REPLACEMENT_CHARACTER) {
        return Err("it holds bytes that are no text".to_owned());
    }
    for c in command.chars() {
        if (c.is_control() && c != '\n' && c != '\t') || is_invisible(c) {
            return Err(format!("it holds the control or invisible character U+{:04X}", u32::from(c)));
        }
    }
    if depth(command) > MAX_DEPTH || command.matches('`').count() > MAX_DEPTH {
        return Err(format!("it is nested deeper than {MAX_DEPTH} levels"));
    }
    if has_open_document(command) {
        return Err("a here-document stands within brackets that do not close".to_owned());
    }
    let by_old_bash = || doubt::of_old_bash(command).filter(|_| doubt::HAS_OLD_BASH);
    if let Some(why) = doubt::of_command(command).or_else(by_old_bash) {
        return Err(why.to_owned());
    }
    let words = command.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '{'));
    if words.filter(|word| COMPOUNDS.contains(word)).count() > MAX_COMPOUNDS {
        return Err(format!("it has more than {MAX_COMPOUNDS} compound commands"));
    }
    Ok(())
}

/// Whether a here-document may stand in a substitution that never ends: the parser breaks on it, and so does bash.
fn has_open_document(command: &str) -> bool {
    let has_substitution = ["$(", "<(", ">(", "`"].iter().any(|open| command.contains(open));
    let (opened, closed) = (command.matches('(').count(), command.matches(')').count());
    command.contains("<<") && has_substitution && opened > closed
}

/// The deepest nesting of brackets if every bracket counted, quoted or not: never less than the true one, because a
/// closing bracket lowers the count only of its own kind.
fn depth(command: &str) -> usize {
    let (mut round, mut curly, mut square, mut deepest) = (0usize, 0usize, 0usize, 0);
    for c in command.chars() {
        match c {
            '(' => round += 1,
            ')' => round = round.saturating_sub(1),
            '{' => curly += 1,
            '}' => curly = curly.saturating_sub(1),
            '[' => square += 1,
            ']' => square = square.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(round + curly + square);
    }
    deepest
}
