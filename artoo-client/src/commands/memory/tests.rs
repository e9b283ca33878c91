use artoo_protocol::v1::LevelCount;

use super::{bar, parse_tag, parts};

#[test]
fn an_import_is_cut_between_lines() {
    assert_eq!(parts("aa\n\nbb\ncc\n", 7), ["aa\nbb\n", "cc\n"]);
    assert_eq!(parts("a long line\nx", 4), ["a long line\n", "x\n"]);
    assert!(parts("\n \n", 4).is_empty());
}

#[test]
fn a_tag_has_a_space_and_perhaps_an_entity() {
    let tag = parse_tag("tool:glob, path:/a,b");
    assert_eq!((tag.space.as_str(), tag.entity.as_str()), ("tool:glob", "path:/a,b"));
    assert_eq!(parse_tag("global:user").entity, "");
}

#[test]
fn the_smallest_level_still_has_a_bar() {
    let level = |count| LevelCount { level: "C".to_owned(), count, remark: String::new() };
    assert!(bar(&level(1), 100_000).text(false).contains('█'));
    assert!(!bar(&level(0), 100_000).text(false).contains('█'));
}
