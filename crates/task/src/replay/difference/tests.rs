use serde_json::{Value, json};

use super::*;

/// The first difference of two values: where it is, and what either side holds there.
#[track_caller]
fn check(recorded: &Value, folded: &Value, expected: Option<(&str, &str, &str)>) {
    let mut path = "x".to_owned();
    let found = first(&mut path, Some(recorded), Some(folded)).map(|(a, b)| shown(a, b));
    let found = found.as_ref().map(|(a, b)| (path.as_str(), a.as_str(), b.as_str()));
    assert_eq!(found, expected);
}

#[test]
fn the_first_differing_field_is_named_with_both_values() {
    let value = json!({"a": [1, {"b": "same", "c": 2.5}], "d": null});
    check(&value, &value, None);
    check(&value, &json!({"d": null, "a": [1, {"c": 2.5, "b": "same"}]}), None);
    check(&value, &json!({"a": [1, {"b": "same", "c": 2}], "d": 1}), Some(("x.a[1].c", "2.5", "2")));
    check(&value, &json!({"a": [1, 2], "d": 1}), Some(("x.a[1]", r#"{"b":"same","c":2.5}"#, "2")));
    check(&value, &json!({"a": [1], "d": null}), Some(("x.a[1]", r#"{"b":"same","c":2.5}"#, NOTHING)));
    check(&json!({"a": 1}), &json!({"a": 1, "b": 2}), Some(("x.b", NOTHING, "2")));
    check(&json!({"a": 1, "b": 2}), &json!({"a": 1}), Some(("x.b", "2", NOTHING)));
}

#[test]
fn long_texts_are_shown_from_where_they_part() {
    let text = |middle: &str| json!("文".repeat(5_000) + middle + &"b".repeat(5_000));
    let mut path = String::new();
    let (recorded, folded) = (text("1"), text("2"));
    let (a, b) = first(&mut path, Some(&recorded), Some(&folded)).expect("they differ");
    let (a, b) = shown(a, b);
    assert!(a.starts_with(&format!("…\"{}1bb", "文".repeat(BEFORE_CHARS))), "{a}");
    assert!(b.starts_with(&format!("…\"{}2bb", "文".repeat(BEFORE_CHARS))), "{b}");
    assert!(a.chars().count() <= VALUE_CHARS + 1, "{a}");
}
