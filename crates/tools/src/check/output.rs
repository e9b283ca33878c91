//! Checks on the output of a subtask or of the task.

use artoo_types::criteria::Compare;
use serde_json::Value;

use crate::check::{Finding, Scene, compare};
use crate::outputs;
use artoo_types::tool::NO_MATCH;

pub(super) fn contains(text: &str, scene: &Scene<'_>) -> Finding {
    with_output(scene, |output| {
        let size = output.chars().count();
        if output.contains(text) {
            Finding::Holds(format!("the output, {size} characters, contains {text:?}"))
        } else {
            Finding::Fails(format!("the output, {size} characters, does not contain {text:?}"))
        }
    })
}

pub(super) fn matches(expression: &str, scene: &Scene<'_>) -> Finding {
    let regex = match compare::regex(expression) {
        Ok(regex) => regex,
        Err(finding) => return finding,
    };
    with_output(scene, |output| {
        let size = output.chars().count();
        match regex.find(output.as_bytes()) {
            Some(at) => {
                Finding::Holds(format!("the output, {size} characters, matches at byte {}", at.start()))
            }
            None => Finding::Fails(format!("the output, {size} characters, has no match of /{expression}/")),
        }
    })
}

/// Counts the lines that are not empty; the remark that nothing was found is no line.
pub(super) fn lines(op: Compare, n: f64, scene: &Scene<'_>) -> Finding {
    with_output(scene, |output| {
        let lines = output.lines().filter(|line| !line.trim().is_empty()).count();
        let lines = if output.trim() == NO_MATCH { 0 } else { lines };
        compare::count("non-empty lines of the output", lines, op, n)
    })
}

pub(super) fn json(pointer: &str, op: Compare, value: &Value, scene: &Scene<'_>) -> Finding {
    with_output(scene, |output| compare::json("the output", output, pointer, op, value))
}

/// The full output, or why there is none. An output that fails a check after a failed call is the call's failure.
fn with_output(scene: &Scene<'_>, look: impl FnOnce(&str) -> Finding) -> Finding {
    let finding = match &scene.subject.handle {
        None => look(&scene.subject.output),
        Some(handle) => match outputs::load(&scene.work.artifacts, handle) {
            Ok(full) => look(&full),
            Err(message) => return Finding::Prevented(message),
        },
    };
    match finding {
        Finding::Fails(saw) => Finding::Missing(saw),
        other @ (Finding::Holds(_) | Finding::Missing(_) | Finding::Prevented(_)) => other,
    }
}
