//! What holds for every text and every value.

use proptest::prelude::*;

use super::*;

/// Values as people and services make them.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9_-]{8,60}",
        "[ -~]{8,40}".prop_filter("white space at the ends is no part of a value", |v| v.trim().len() >= 8),
        "\\PC{8,20}".prop_filter("see above", |v| v.trim().chars().count() >= 8),
        Just("abababababababababababababababab".to_owned()),
        Just("\\\\\\\\\\\\\\\\".to_owned()),
    ]
    .prop_map(|v| v.trim().to_owned())
}

/// Text between secrets, with pieces of tokens and of placeholders in it.
fn surroundings() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "[a-z0-9 \\\\\"'=:/@%.-]{0,40}",
        prop_oneof![
            Just("sk-"),
            Just("Bearer "),
            Just("://u:"),
            Just("[redacted: "),
            Just("eyJ"),
            Just("\\n"),
            Just("]"),
            Just("-----BEGIN PRIVATE KEY-----\n"),
            Just("-----END PRIVATE KEY-----"),
            Just("ab"),
            Just("\\")
        ]
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_survives_and_nothing_changes_a_second_time(
        values in prop::collection::vec(value(), 1..4),
        parts in prop::collection::vec((surroundings(), 0..8_usize), 0..8),
    ) {
        let mut text = String::new();
        for (part, which) in &parts {
            text.push_str(part);
            text.push_str(values.get(*which).map_or("", String::as_str));
        }
        let borrowed: Vec<&str> = values.iter().map(String::as_str).collect();
        let redactor = knowing(&borrowed);
        let once = redactor.redact(&text).into_owned();
        let told = |value: &str| SecretKind::ALL.iter().any(|kind| kind.placeholder().contains(value));
        for value in values.iter().filter(|value| !told(value)) {
            prop_assert!(!once.contains(value.as_str()), "{value:?} in {text:?} became {once:?}");
        }
        prop_assert_eq!(redactor.redact(&once).into_owned(), once.clone(), "of {:?}", text);
        prop_assert!(once.len() <= text.len() * 4 + NOTHING_LEFT.len(), "{:?} became {:?}", text, once);
        prop_assert!(*redactor.redact_bytes(text.as_bytes()) == *once.as_bytes());
    }

    #[test]
    fn json_stays_json(value in value(), texts in prop::collection::vec(surroundings(), 1..4)) {
        let redactor = knowing(&[&value]);
        let text = texts.join(&value);
        let json = serde_json::json!({ "a": text }).to_string();
        let redacted = redactor.redact(&json).into_owned();
        // Signs of JSON itself can be part of a value of an absurd configuration; nobody can tell them apart then.
        prop_assume!(!value.contains(['"', '{', '}', ':']) && !value.ends_with('\\'));
        let parsed = serde_json::from_str::<serde_json::Value>(&redacted);
        prop_assert!(parsed.is_ok(), "{json} became {redacted}");
    }

    #[test]
    fn text_without_secrets_is_not_touched(text in "([a-z]{1,12}[ ,./()\\n]){0,40}") {
        let redactor = Redactor::default();
        prop_assert!(matches!(redactor.redact(&text), Cow::Borrowed(_)), "{text:?}");
    }
}
