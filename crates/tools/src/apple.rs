//! `applescript` and `shortcuts`: programs of macOS that act with everything the person may do.
//!
//! They run as programs of their own, with their arguments as they are: no shell reads them. Nothing confines what they
//! ask other applications to do, which is why a person is asked about each of them, and why what they print is as
//! foreign as what any application says.

use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::tool::{CallOutcome, CallRefusal};

use crate::tool::{CallFacts, Judgement, Permission};

/// What a question says of either.
const FULL_POWER: &str = "it runs with everything that you may do on this Mac: nothing confines it, and nothing it does can be undone";
/// Bytes of a script or of a shortcut's input: it becomes one argument, or a small file.
const MAX_BYTES: usize = 64 << 10;
/// Applications of one script that are named to the person.
const MAX_NAMED: usize = 16;
/// Shortcuts that are named where the wanted one does not exist.
const NEAREST: usize = 5;
/// How alike a name must be to be named, from 0 to 1. Below this, names share a few letters by chance.
const ALIKE: f64 = 0.5;

/// What `osascript` says by number, and what a person can do about it. Source: Apple's list of result codes.
const ERRORS: &[(&str, &str)] = &[
    (
        "(-1743)",
        "macOS does not let artoo control that application. Allow it in System Settings > Privacy & Security > \
         Automation, below the program that started artoo-daemon, then run the task again",
    ),
    (
        "(-1744)",
        "macOS would have to ask the person first and could not. Run the script once in Script Editor, or allow it in \
         System Settings > Privacy & Security > Automation",
    ),
    (
        "(-25211)",
        "macOS does not let artoo use the interface of other applications. Allow it in System Settings > Privacy & \
         Security > Accessibility",
    ),
    (
        "(-1719)",
        "there is no such element, or macOS hides it; see System Settings > Privacy & Security > Accessibility",
    ),
    ("(-1728)", "the application has no such object; ask it first what there is"),
    ("(-600)", "the application is not running; let the script begin with `activate`"),
    ("(-10814)", "there is no such application on this Mac"),
    ("(-1712)", "the application did not answer in time; it may show a dialog that waits for the person"),
    ("(-128)", "the person cancelled a dialog"),
    ("(-2740)", "the script is not valid AppleScript; correct it"),
    ("(-2741)", "the script is not valid AppleScript; correct it"),
];

/// The judgement on a call that nothing confines: always asked, unless it cannot be made at all.
pub(crate) fn judged(
    name: &str,
    target: String,
    targets: Vec<String>,
    unfit: Option<CallRefusal>,
) -> Judgement {
    let effects = vec![EffectClass::Unknown];
    let ask = Permission::Ask { effects, targets, why: vec![FULL_POWER.to_owned()] };
    let facts = CallFacts::new(name, target, EffectClass::Unknown, Taint::BOTH);
    Judgement::new(facts, unfit.map_or(ask, Permission::Refuse))
}

/// What comes of a call whose program went away since the toolbox was made.
pub(crate) fn gone(name: &str) -> CallOutcome {
    CallOutcome::ended(CallEnd::Error, format!("the program of {name} is not on this machine"))
}

/// Why a script cannot be run at all; `None` if it can.
pub(crate) fn unfit_script(script: &str) -> Option<CallRefusal> {
    if script.trim().is_empty() {
        Some(CallRefusal("the script is empty; give the whole AppleScript".to_owned()))
    } else if script.len() > MAX_BYTES || script.contains('\0') {
        Some(CallRefusal(format!("a script has at most {MAX_BYTES} bytes and no NUL; give a shorter one")))
    } else {
        None
    }
}

/// The same for a shortcut.
pub(crate) fn unfit_shortcut(name: &str, input: Option<&str>) -> Option<CallRefusal> {
    if name.trim().is_empty() || name.starts_with('-') || name.contains(char::is_control) {
        let why =
            format!("{name:?} is not the name of a shortcut; give the name that the Shortcuts app shows");
        Some(CallRefusal(why))
    } else if name.len() > MAX_BYTES || input.map_or(0, str::len) > MAX_BYTES {
        Some(CallRefusal(format!("name and input have at most {MAX_BYTES} bytes each; give a shorter input")))
    } else {
        None
    }
}

/// What a script would touch, as far as its text tells: the applications that it names. A denial holds for these.
pub(crate) fn script_targets(script: &str) -> Vec<String> {
    let lower = script.to_lowercase();
    let mut named: Vec<String> = Vec::new();
    // Lower case may change the length of a text, so names are read from the text that was searched.
    for (at, word) in lower.match_indices("application") {
        let rest = lower[at + word.len()..].trim_start_matches(" id").trim_start();
        let name = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(name, _)| name);
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            named.push(format!("application {name}"));
        }
    }
    if lower.contains("do shell script") {
        named.push("the shell".to_owned());
    }
    named.sort();
    named.dedup();
    named.truncate(MAX_NAMED);
    if named.is_empty() { vec!["AppleScript".to_owned()] } else { named }
}

/// The result of a script with advice where the system says by number what is wrong.
pub(crate) fn explained(mut produced: CallOutcome) -> CallOutcome {
    if produced.end == CallEnd::Ran
        && produced.exit != Some(0)
        && let Some((_, advice)) = ERRORS.iter().find(|(number, _)| produced.output.contains(number))
    {
        add(&mut produced.output, advice);
    }
    produced
}

/// The result of a shortcut that failed, given what `shortcuts list` printed: one that does not exist is told as such,
/// with the names that come nearest.
pub(crate) fn not_found(mut produced: CallOutcome, name: &str, listed: &str) -> CallOutcome {
    let names: Vec<&str> = listed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if names.contains(&name) {
        return produced;
    }
    let wanted = fold(name);
    let mut alike: Vec<(f64, &str)> = names
        .iter()
        .map(|known| (likeness(&wanted, &fold(known)), *known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let nearest: Vec<String> = alike.iter().take(NEAREST).map(|(_, name)| format!("{name:?}")).collect();
    let advice = if nearest.is_empty() {
        format!(
            "there is no shortcut {name:?} among the {} of this Mac; its names are told by shortcuts list",
            names.len()
        )
    } else {
        format!("there is no shortcut {name:?}; the nearest names are {}", nearest.join(", "))
    };
    add(&mut produced.output, &advice);
    produced
}

/// A name that holds the other counts as very much like it.
fn likeness(a: &str, b: &str) -> f64 {
    let holds = !a.is_empty() && !b.is_empty() && (a.contains(b) || b.contains(a));
    let same = strsim::normalized_damerau_levenshtein(a, b);
    if holds { same.max(0.9) } else { same }
}

fn add(output: &mut String, line: &str) {
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    output.push_str(line);
}

#[cfg(test)]
mod tests {
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
}
