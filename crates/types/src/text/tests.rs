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
