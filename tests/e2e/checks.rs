//! What is true of every task that a client follows, however it ends.

use serde_json::Value;

use artoo_testing::TaskRun;

/// How a task is expected to end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    pub(crate) directive: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) code: i32,
}

pub(crate) const ACCEPT: End = End { directive: "accept", reason: "criteria_met", code: 0 };

/// An abandoned task with the exit code of its reason.
pub(crate) const fn abandon(reason: &'static str, code: i32) -> End {
    End { directive: "abandon", reason, code }
}

/// The task ended like this, exactly once, in the last line, with every event before it.
pub(crate) fn check_end(row: &str, run: &TaskRun, end: &End) {
    let told = || format!("{row}: {}", run.outline());
    check_gapless(row, &run.events, 1);
    assert_eq!(run.of_type("final_result").len(), 1, "{}", told());
    let result = run.result();
    assert_eq!(result["type"], "final_result", "{}", told());
    assert_eq!(
        (result["directive"].as_str(), result["reason"].as_str(), run.code),
        (Some(end.directive), Some(end.reason), Some(end.code)),
        "{}",
        told()
    );
    let unmet = result["unmet"].as_array().map_or(0, Vec::len);
    assert!(end.reason != "criteria_met" || unmet == 0, "{}", told());
}

/// Sequence numbers count up by one from `first`.
pub(crate) fn check_gapless(row: &str, events: &[Value], first: u64) {
    let found: Vec<Option<u64>> = events.iter().map(|event| event["sequence"].as_u64()).collect();
    let expected: Vec<Option<u64>> = (first..).take(events.len()).map(Some).collect();
    assert_eq!(found, expected, "{row}");
}
