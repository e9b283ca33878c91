//! Checks on the calls of an attempt.

use artoo_types::evidence::CallEnd;
use artoo_types::machine::CallFact;

use crate::check::{CheckFinding, CheckScene};

/// The last call of the tool or class ended with this status.
pub(super) fn exit_status(tool: &str, value: i64, scene: &CheckScene<'_>) -> CheckFinding {
    let Some(call) = of(tool, scene).last() else {
        return CheckFinding::Fails(format!("{tool} was not called"));
    };
    match call.exit {
        Some(exit) if exit == value => {
            CheckFinding::Holds(format!("the last {tool} ended with status {exit}"))
        }
        Some(exit) => CheckFinding::FailsAfter(
            call.into(),
            format!("the last {tool} ended with status {exit}, wanted {value}"),
        ),
        None => CheckFinding::FailsAfter(
            call.into(),
            format!("the last {tool} did not run to its end: {:?}", call.end),
        ),
    }
}

/// The tool or class was called and ran. That it found nothing, or ended with another status than 0, is not asked here.
pub(super) fn called(tool: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let all = of(tool, scene).count();
    let worked = of(tool, scene).filter(|call| call.end == CallEnd::Ran).count();
    let saw = format!("{tool} was called {all} times, {worked} of them ran");
    match of(tool, scene).last() {
        None => CheckFinding::Fails(saw),
        Some(call) if worked == 0 => CheckFinding::FailsAfter(call.into(), saw),
        Some(_) => CheckFinding::Holds(saw),
    }
}

/// The calls of a tool, or of a tool class, in order.
fn of<'a>(tool: &'a str, scene: &'a CheckScene<'_>) -> impl Iterator<Item = &'a CallFact> {
    scene.subject.calls.iter().filter(move |call| call.tool == tool || call.classes.iter().any(|c| c == tool))
}
