use super::{Tag, fold, intent_slug};

#[test]
fn a_slug_is_three_words_or_eight_characters_and_never_empty() {
    let cases = [
        ("Find the ten largest files", "find_the_ten"),
        ("  FIND   the\nTEN ...", "find_the_ten"),
        ("列出下载目录里最大的文件", "列出下载目录里最"),
        ("Ｆｉｎｄ it", "find_it"),
        ("!!!", "empty"),
        ("", "empty"),
    ];
    for (intent, slug) in cases {
        assert_eq!(intent_slug(intent), slug, "for {intent:?}");
    }
}

#[test]
fn separators_cannot_be_smuggled_into_a_tag() {
    let tag = Tag::new("a|b%", "c\nd");
    assert_eq!(tag.space, "a%7Cb%25");
    assert_eq!(tag.entity, "c%0Ad");
}

#[test]
fn long_parts_are_hashed_and_stay_distinct() {
    let a = Tag::new("tool:x", &"p".repeat(600));
    let b = Tag::new("tool:x", &"p".repeat(601));
    assert!(a.entity.starts_with('~') && a.entity.len() == 33);
    assert_ne!(a, b);
}

#[test]
fn folding_ignores_case_width_and_space() {
    assert_eq!(fold(" A  b\tＣ "), "a b c");
}
