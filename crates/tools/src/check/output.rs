//! Checks on the output of a subtask or of the task.

use artoo_types::criteria::Compare;
use serde_json::Value;

use crate::check::{CheckFinding, CheckScene, compare};
use crate::outputs;
use artoo_types::tool::NO_MATCH;

pub(super) fn contains(text: &str, scene: &CheckScene<'_>) -> CheckFinding {
    with_output(scene, |output| {
        let size = output.chars().count();
        if output.contains(text) {
            CheckFinding::Holds(format!("the output, {size} characters, contains {text:?}"))
        } else {
            CheckFinding::Fails(format!("the output, {size} characters, does not contain {text:?}"))
        }
    })
}

pub(super) fn matches(expression: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let regex = match compare::regex(expression) {
        Ok(regex) => regex,
        Err(finding) => return finding,
    };
    with_output(scene, |output| {
        let size = output.chars().count();
        match regex.find(output.as_bytes()) {
            Some(at) => {
                CheckFinding::Holds(format!("the output, {size} characters, matches at byte {}", at.start()))
            }
            None => CheckFinding::WrongForm(format!(
                "the output, {size} characters, has no match of /{expression}/"
            )),
        }
    })
}

/// Counts the lines that are not empty; the remark that nothing was found is no line.
pub(super) fn lines(op: Compare, n: f64, scene: &CheckScene<'_>) -> CheckFinding {
    with_output(scene, |output| {
        let lines = output.lines().filter(|line| !line.trim().is_empty()).count();
        let lines = if output.trim() == NO_MATCH { 0 } else { lines };
        compare::count("non-empty lines of the output", lines, op, n)
    })
}

pub(super) fn json(pointer: &str, op: Compare, value: &Value, scene: &CheckScene<'_>) -> CheckFinding {
    with_output(scene, |output| compare::json("the output", output, pointer, op, value))
}

/// The full output, or why there is none.
fn with_output(scene: &CheckScene<'_>, look: impl FnOnce(&str) -> CheckFinding) -> CheckFinding {
    match &scene.subject.handle {
        None => look(&scene.subject.output),
        Some(handle) => match outputs::load(&scene.work.artifacts, handle) {
            Ok(full) => look(&full),
            Err(message) => CheckFinding::Prevented(message),
        },
    }
}
