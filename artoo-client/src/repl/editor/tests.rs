use reedline::{Completer, ValidationResult, Validator};

use super::{Backslash, Slashes};

fn check(line: &str, names: &[&str]) {
    let found = Slashes.complete(line, line.len());
    let values: Vec<&str> = found.suggestions().iter().map(|suggestion| suggestion.value.as_str()).collect();
    assert_eq!(values, names, "{line}");
}

#[test]
fn slash_commands_are_completed_and_nothing_else() {
    check("/rep", &["/replay", "/report"]);
    check("/q", &["/quit"]);
    check("rep", &[]);
    check("", &[]);
    check("/show 01", &[]);
}

#[test]
fn a_line_goes_on_after_a_backslash() {
    assert!(matches!(Backslash.validate("one\\"), ValidationResult::Incomplete));
    assert!(matches!(Backslash.validate("one \"two"), ValidationResult::Complete));
}
