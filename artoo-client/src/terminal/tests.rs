use std::ffi::OsString;

use super::Look;

fn check(terminal: bool, environment: &[(&str, &str)], colour: bool, live: bool) {
    let variable =
        |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
    let look = Look::of(terminal, Some(100), variable);
    let width = if terminal { 100 } else { 80 };
    assert_eq!(look, Look { colour, live, width }, "{terminal} {environment:?}");
}

#[test]
fn pipes_dumb_terminals_and_no_color_are_respected() {
    check(true, &[("TERM", "xterm")], true, true);
    check(false, &[("TERM", "xterm")], false, false);
    check(true, &[("TERM", "dumb")], false, false);
    check(true, &[("NO_COLOR", "1")], false, true);
    check(true, &[("NO_COLOR", "")], true, true);
}

#[test]
fn a_narrow_terminal_keeps_a_minimum() {
    assert_eq!(Look::of(true, Some(10), |_| None).width, 40);
    assert_eq!(Look::of(true, None, |_| None).width, 80);
}
