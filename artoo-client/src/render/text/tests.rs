use super::{columns, escape, fit, one_line, pad, wrap};

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
