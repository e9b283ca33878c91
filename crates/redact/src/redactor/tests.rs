use super::*;

mod properties;
mod tokens;
mod values;

/// A redactor that knows these values as keys.
fn knowing(values: &[&str]) -> Redactor {
    let known = |value: &&str| KnownSecret { secret: Secret::new(value), kind: SecretKind::ApiKey };
    Redactor::new(&values.iter().map(known).collect::<Vec<_>>())
}

/// Redacts twice and expects the same both times.
fn check(redactor: &Redactor, text: &str, expected: &str) {
    let once = redactor.redact(text);
    assert_eq!(once, expected, "of {text:?}");
    assert_eq!(redactor.redact(&once), once, "a second time, of {text:?}");
}

/// Expects the text to stay as it is.
fn check_kept(redactor: &Redactor, text: &str) {
    check(redactor, text, text);
    assert!(matches!(redactor.redact(text), Cow::Borrowed(_)), "{text:?} was copied");
}
