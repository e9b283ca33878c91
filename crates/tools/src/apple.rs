//! `applescript` and `shortcuts`: programs of macOS that act with everything the person may do.
//!
//! They run as programs of their own, with their arguments as they are: no shell reads them. Nothing confines what they
//! ask other applications to do, which is why a person is asked about each of them, and why what they print is as
//! foreign as what any application says.

use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::tool::{CallOutcome, Refusal};

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
pub(crate) fn judged(name: &str, target: String, targets: Vec<String>, unfit: Option<Refusal>) -> Judgement {
    let effects = vec![EffectClass::Unknown];
    let ask = Permission::Ask { effects, targets, why: vec![FULL_POWER.to_owned()] };
    let facts = CallFacts::new(name, target, EffectClass::Unknown, Taint::BOTH);
    Judgement::new(facts, unfit.map_or(ask, Permission::Refuse))
}

/// What comes of a call whose program went away since the toolbox was made.
pub(crate) fn gone(name: &str) -> CallOutcome {
    CallOutcome::ended(CallEnd::Error, format!("the program of {name} is not on this machine"))
}

/// Why a script cannot be run at all; none when it can.
pub(crate) fn unfit_script(script: &str) -> Option<Refusal> {
    if script.trim().is_empty() {
        Some(Refusal("the script is empty; give the whole AppleScript".to_owned()))
    } else if script.len() > MAX_BYTES || script.contains('\0') {
        Some(Refusal(format!("a script has at most {MAX_BYTES} bytes and no NUL; give a shorter one")))
    } else {
        None
    }
}

/// The same for a shortcut.
pub(crate) fn unfit_shortcut(name: &str, input: Option<&str>) -> Option<Refusal> {
    if name.trim().is_empty() || name.starts_with('-') || name.contains(char::is_control) {
        let why =
            format!("{name:?} is not the name of a shortcut; give the name that the Shortcuts app shows");
        Some(Refusal(why))
    } else if name.len() > MAX_BYTES || input.map_or(0, str::len) > MAX_BYTES {
        Some(Refusal(format!("name and input have at most {MAX_BYTES} bytes each; give a shorter input")))
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
mod tests;
