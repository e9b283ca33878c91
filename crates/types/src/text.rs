//! Cutting text to a bound without hiding that it was cut.

/// Keeps the head and the tail of `text` so that at most `max` characters of it remain, with a line between them that
/// says how many characters are missing. Text within the bound is returned as it is.
pub fn head_tail(text: &str, max: usize) -> String {
    let total = text.chars().count();
    if total <= max {
        return text.to_owned();
    }
    let head_len = max.div_ceil(2);
    let tail_len = max - head_len;
    let head: String = text.chars().take(head_len).collect();
    let tail: String = text.chars().skip(total - tail_len).collect();
    format!("{head}\n[... {} characters omitted ...]\n{tail}", total - max)
}

/// The first `max` characters, with an ellipsis when something was cut.
pub fn first_chars(text: &str, max: usize) -> String {
    let mut cut: String = text.chars().take(max).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// The text with every line indented by two spaces: how foreign text is set apart in prompts.
pub fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (i, line) in text.lines().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str("  ");
        out.push_str(line);
    }
    out
}

/// Whether text was cut by [`head_tail`].
pub fn is_cut(text: &str) -> bool {
    text.contains("\n[... ") && text.contains(" characters omitted ...]\n")
}

#[cfg(test)]
mod tests;
