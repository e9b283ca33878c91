//! The deadline that a person names: a moment to come, one that has passed, or words that name none.

use artoo_types::deadline::read;
use artoo_types::plan::{Decline, NoPlan, PlanDraftRejected};
use artoo_types::task::Constraints;
use artoo_types::text::first_chars;
use artoo_types::{TaskId, Timestamp};

/// Characters of a deadline's words in a question or a sentence.
const WORDS: usize = 80;

/// What the words of a deadline mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedDeadline {
    /// None is named.
    Absent,
    /// A moment to come.
    At(Timestamp),
    /// A moment that has passed.
    Passed,
    /// No moment can be read from them.
    Unread,
}

/// What the deadline among these constraints means now, where the person is.
pub(super) fn named(constraints: &Constraints, now: Timestamp, utc_offset_minutes: i32) -> NamedDeadline {
    let words = words(constraints);
    if words.is_empty() {
        return NamedDeadline::Absent;
    }
    match read(&words, utc_offset_minutes) {
        Some(at) if at > now => NamedDeadline::At(at),
        Some(_) => NamedDeadline::Passed,
        None => NamedDeadline::Unread,
    }
}

/// What a person is asked of a deadline that has passed.
pub(super) fn question(constraints: &Constraints) -> String {
    let words = words(constraints);
    format!("The deadline {words} has passed. By when is it wanted? (an empty answer: without a deadline)")
}

/// What is assumed of words that name no moment, and of a deadline that nobody replaced.
pub(super) fn assumption(constraints: &Constraints, deadline: NamedDeadline) -> String {
    let words = words(constraints);
    let why = match deadline {
        NamedDeadline::Passed => "has passed",
        NamedDeadline::Absent | NamedDeadline::At(_) | NamedDeadline::Unread => "names no date or time",
    };
    format!("the deadline \"{words}\" {why}, so the task has its usual limit alone")
}

/// The refusal of a task whose deadline has passed.
pub(super) fn refusal(task_id: TaskId, constraints: &Constraints) -> PlanDraftRejected {
    let reason = format!("the deadline {} has passed", words(constraints));
    let decline = Decline {
        reason: reason.clone(),
        nearest: Vec::new(),
        how_to_configure: "Ask again with a time to come, or without one.".to_owned(),
        is_plain: false,
    };
    let (attempt, outcome) = (0, NoPlan::Declined);
    PlanDraftRejected {
        task_id,
        attempt,
        outcome,
        reasons: vec![reason],
        decline: Some(decline),
        uncovered: Vec::new(),
        memories: Vec::new(),
    }
}

fn words(constraints: &Constraints) -> String {
    first_chars(constraints.deadline.as_deref().unwrap_or_default().trim(), WORDS)
}
