use artoo_types::evidence::CallEnd;

use super::{ERRORS, explained, not_found, script_targets, unfit_script, unfit_shortcut};
use artoo_types::tool::CallOutcome;

#[test]
fn a_script_is_asked_about_by_the_applications_that_it_names() {
    let check = |script: &str, targets: &[&str]| assert_eq!(script_targets(script), targets, "{script}");
    check("tell application \"Mail\" to activate", &["application mail"]);
    check(
        "tell application id \"com.apple.Music\"\nend tell\nTELL APPLICATION   \"Finder\" to beep",
        &["application com.apple.music", "application finder"],
    );
    check("do shell script \"rm -rf ~\"", &["the shell"]);
    check("tell application \"A\" to beep\ntell application \"a\" to beep", &["application a"]);
    check("beep", &["AppleScript"]);
    check("tell application \"", &["AppleScript"]);
}

#[test]
fn every_number_gets_its_advice_and_nothing_else_does() {
    for (number, advice) in ERRORS {
        let said = format!("0:5: execution error: Something. {number}");
        let told = explained(CallOutcome::failed(said.clone()));
        assert_eq!(told.output, format!("{said}\n{advice}"));
        let fine = CallOutcome::done(said.clone());
        assert_eq!(explained(fine.clone()), fine, "a script may print what it likes");
        let late = CallOutcome::ended(CallEnd::Timeout, said);
        assert_eq!(explained(late.clone()), late);
    }
    let other = CallOutcome::failed("execution error: (-17431)".to_owned());
    assert_eq!(explained(other.clone()), other);
}

#[test]
fn the_nearest_names_are_told_of_a_shortcut_that_is_not_there() {
    let check = |name: &str, listed: &str, advice: &str| {
        let told = not_found(CallOutcome::failed("Error: it failed".to_owned()), name, listed);
        assert_eq!(told.output, format!("Error: it failed{advice}"), "{name}");
    };
    let listed = "Morning Lights\nEvening Lights\nCall Mum\n拍照存档\n";
    check(
        "Mornign Lights",
        listed,
        "\nthere is no shortcut \"Mornign Lights\"; the nearest names are \"Morning Lights\", \"Evening Lights\"",
    );
    check("拍照", listed, "\nthere is no shortcut \"拍照\"; the nearest names are \"拍照存档\"");
    check("Call Mum", listed, "");
    check(
        "Xyzzy",
        listed,
        "\nthere is no shortcut \"Xyzzy\" among the 4 of this Mac; its names are told by shortcuts list",
    );
    check(
        "Xyzzy",
        "",
        "\nthere is no shortcut \"Xyzzy\" among the 0 of this Mac; its names are told by shortcuts list",
    );
}

#[test]
fn what_cannot_be_run_is_said_before_anybody_is_asked() {
    let script = |text: &str| unfit_script(text).is_some();
    assert!(script(" \n") && script("a\0b") && script(&"x".repeat(70_000)) && !script("beep"));
    let shortcut = |name: &str, input: usize| unfit_shortcut(name, Some(&"x".repeat(input))).is_some();
    assert!(shortcut("", 0) && shortcut("--help", 0) && shortcut("a\nb", 0) && shortcut("a", 70_000));
    assert!(!shortcut("Call Mum", 10));
}
