use artoo_protocol::v1;
use tonic_types::StatusExt;

use super::{MAX_TEXT_CHARS, paragraph, tags};

#[test]
fn a_text_becomes_one_paragraph_of_what_a_person_sees() {
    let check = |text: &str, expected: Result<&str, &str>| match (paragraph(text), expected) {
        (Ok(text), Ok(expected)) => assert_eq!(text, expected),
        (Err(status), Err(expected)) => {
            assert!(status.message().contains(expected), "{status:?}");
            assert!(status.get_error_details().bad_request().is_some(), "the field is named");
        }
        (got, _) => panic!("{text:?} gave {got:?}"),
    };
    check("  use\n\ttabs  ", Ok("use tabs"));
    check("use \u{1b}[31mtabs\u{200b}", Ok("use tabs"));
    check(" \n", Err("it is empty"));
    check(&"汉".repeat(MAX_TEXT_CHARS), Ok(&"汉".repeat(MAX_TEXT_CHARS)));
    check(&"x".repeat(MAX_TEXT_CHARS + 1), Err("at most 1000 are remembered"));
}

#[test]
fn a_tag_without_an_entity_means_every_target_or_this_machine() {
    let check = |wanted: &[(&str, &str)], expected: &[(&str, &str)]| {
        let wanted: Vec<v1::Tag> = wanted
            .iter()
            .map(|(space, entity)| v1::Tag { space: (*space).to_owned(), entity: (*entity).to_owned() })
            .collect();
        let tags = tags(&wanted).expect("they are tags");
        let tags: Vec<_> = tags.iter().map(|tag| (tag.space.as_str(), tag.entity.as_str())).collect();
        assert_eq!(tags, expected);
    };
    check(&[], &[("global:user", "env:local")]);
    check(&[("tool:glob", ""), ("tool:glob", "path:*")], &[("tool:glob", "path:*")]);
    check(&[("intent:find_files", ""), ("a", "b")], &[("intent:find_files", "env:local"), ("a", "b")]);
    check(&[("intent:Find the TEN largest files", "")], &[("intent:find_largest_files", "env:local")]);
    assert!(super::tags(&[v1::Tag::default()]).is_err(), "a tag needs a space");
}
