//! Foreign text on a terminal: nothing in it may move the cursor, hide itself or change direction.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a tab that is shown as spaces.
const TAB: &str = "    ";

/// The text with everything that a terminal would obey, or that a person would not see, written out: `\x1b`, `\u{202e}`.
/// Line feeds stay, carriage returns before them go, tabs become spaces.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut before = None;
    while let Some(c) = rest.next() {
        let joins = if is_variant(c) {
            is_joined(before.filter(|b| !is_variant(*b)))
        } else {
            is_joined(before) && is_joined(rest.peek().copied())
        };
        before = Some(c);
        match c {
            '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' if joins => out.push(c),
            '\n' => out.push('\n'),
            '\r' if rest.peek() == Some(&'\n') => {}
            '\t' => out.push_str(TAB),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if is_invisible(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Escaped, on one line: runs of white space become one space.
pub fn one_line(text: &str) -> String {
    escape(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Columns that an escaped text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text cut to `width` columns, with an ellipsis when something was cut.
pub fn fit(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let next = c.width().unwrap_or(0);
        if used + next + 1 > width {
            break;
        }
        used += next;
        out.push(c);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// The text cut or filled with spaces to exactly `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    let mut out = fit(text, width);
    out.push_str(&" ".repeat(width.saturating_sub(columns(&out))));
    out
}

/// A word as a shell reads it. Letters, digits and these characters need no quotes.
pub fn shell_word(word: &str, plain: &str) -> String {
    if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || plain.contains(c)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The text in lines of at most `width` columns, broken at spaces where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && columns(&line) + 1 + columns(word) > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if columns(&line) + c.width().unwrap_or(0) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The text in lines of at most `width` columns with every character of it, blanks too: broken behind a blank where there is one,
/// else anywhere. Put together again they are the text.
pub fn fold(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for c in text.chars() {
        while !line.is_empty() && columns(&line) + c.width().unwrap_or(0) > width {
            let blank = line.rfind(' ').filter(|_| c != ' ');
            let rest = blank.map_or_else(String::new, |blank| line.split_off(blank + 1));
            lines.push(std::mem::replace(&mut line, rest));
        }
        line.push(c);
    }
    lines.push(line);
    lines
}

/// Whether a joiner or a variant belongs beside this: a letter of another script or a pictograph, which can be seen.
fn is_joined(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        let is_key = matches!(c, '0'..='9' | '#' | '*');
        is_key || c == '\u{fe0f}' || (!c.is_ascii() && !c.is_control() && !is_invisible(c))
    })
}

fn is_variant(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

/// Marks of direction, zero-width characters, line separators, tags, variants and other fillers.
fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00AD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
            | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB
            | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use super::{columns, escape, fit, fold, one_line, pad, wrap};

    #[test]
    fn nothing_that_a_terminal_obeys_passes() {
        for (text, shown) in [
            ("a\u{1b}[2Jb", "a\\x1b[2Jb"),
            ("x\u{9b}31m", "x\\x9b31m"),
            ("over\rwritten", "over\\x0dwritten"),
            ("line\r\nfeed", "line\nfeed"),
            ("a\u{202e}txt.exe", "a\\u{202e}txt.exe"),
            ("zero\u{200b}width\u{feff}", "zero\\u{200b}width\\u{feff}"),
            ("\u{e0041}tag", "\\u{e0041}tag"),
            ("tab\tbell\u{7}", "tab    bell\\x07"),
            ("é 数 ok", "é 数 ok"),
            ("a\u{200d}b\u{fe0f}", "a\\u{200d}b\\u{fe0f}"),
            ("\u{1f468}\u{200d}\u{1f469}\u{fe0f}", "\u{1f468}\u{200d}\u{1f469}\u{fe0f}"),
            (
                "\u{2764}\u{fe0f}\u{fe0f}\u{200d}\u{1f525} 1\u{fe0f}",
                "\u{2764}\u{fe0f}\\u{fe0f}\u{200d}\u{1f525} 1\u{fe0f}",
            ),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("\u{1d173}\u{fe01}", "\\u{1d173}\\u{fe01}"),
        ] {
            assert_eq!(escape(text), shown);
        }
        assert_eq!(one_line("  a\n\tb\u{8}  "), "a b\\x08");
    }

    #[test]
    fn a_folded_text_is_whole() {
        assert_eq!(fold("rm  'a  b' c", 6), ["rm  'a", "  b' c"]);
        assert_eq!(fold("cat notes old", 11), ["cat notes ", "old"]);
        for text in ["", "   ", "    indented", "one two  three", "数据 表格x", "a-word-that-is-too-long b"]
        {
            for width in 1..12 {
                let lines = fold(text, width);
                assert_eq!(lines.concat(), text, "{width}");
                assert!(lines.iter().all(|line| columns(line) <= width.max(2)), "{width} {lines:?}");
            }
        }
    }

    #[test]
    fn wide_characters_count_double() {
        assert_eq!(columns("数据"), 4);
        assert_eq!(fit("数据表", 5), "数据…");
        assert_eq!(fit("数据表", 4), "数…");
        assert_eq!(fit("数据", 4), "数据");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(pad("数", 4), "数  ");
        assert_eq!(columns(&pad("数据表格", 6)), 6);
    }

    #[test]
    fn lines_break_at_spaces_and_inside_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("数据表格", 4), ["数据", "表格"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("a bcdef", 3), ["a", "bcd", "ef"]);
    }
}
