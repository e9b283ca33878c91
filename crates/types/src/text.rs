//! Text for people and prompts: cut to a bound without hiding that it was cut, and foreign text made fit to be shown.

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

/// Foreign text made fit to be shown to a person who decides on it: every character that a terminal would
/// act on, or that cannot be seen, is written as `\u{..}`. Line breaks stay, because a command may have several lines.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !(c.is_control() || is_invisible(c)) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

/// Characters that are not seen, or that change how others are seen: zero width, bidirectional, fillers, tags, variation
/// selectors and spaces other than the plain one. Source: Unicode 16, general categories Cf and Zs and
/// Default_Ignorable_Code_Point.
pub fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00A0
            | 0x00AD
            | 0x034F
            | 0x061C
            | 0x115F..=0x1160
            | 0x1680
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x2000..=0x200F
            | 0x2028..=0x202F
            | 0x205F..=0x206F
            | 0x3000
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFA0
            | 0xFFF0..=0xFFFB
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use super::{escape, first_chars, head_tail, indented, is_cut};

    #[test]
    fn text_within_the_bound_is_unchanged() {
        assert_eq!(head_tail("abc", 3), "abc");
        assert!(!is_cut(&head_tail("abc", 3)));
    }

    #[test]
    fn head_and_tail_remain_and_the_gap_is_counted_in_characters() {
        let cut = head_tail("一二三四五六七", 4);
        assert_eq!(cut, "一二\n[... 3 characters omitted ...]\n六七");
        assert!(is_cut(&cut));
    }

    #[test]
    fn a_cut_beginning_says_so() {
        assert_eq!(first_chars("abcd", 3), "abc…");
        assert_eq!(first_chars("abc", 3), "abc");
    }

    #[test]
    fn every_line_is_indented() {
        assert_eq!(indented("a\n\nb"), "  a\n  \n  b");
    }

    #[test]
    fn what_a_person_decides_on_is_shown_plainly() {
        assert_eq!(escape("a\u{1b}[2Jb\u{202e}c\u{200b}d"), "a\\u{1b}[2Jb\\u{202e}c\\u{200b}d");
        assert_eq!(escape("echo 删除\nls"), "echo 删除\nls");
    }
}
