//! When recurring tasks are due. Time and zone are inputs: nothing here reads a clock, keeps anything or starts anything.
//!
//! [`Recurrence`] reads what a person says ("every weekday 9:00", 每天九点, `0 9 * * 1-5`); [`decide`] says what is due now, which
//! occurrence it is, and what becomes of those that passed while no daemon ran. Over a change of clocks a fixed time that does not
//! exist comes right after the gap, and one that exists twice comes once (croner's rules, after Vixie cron).
//!
//! A crate of its own, so that the arithmetic of time can be tested without one.

mod pattern;
mod words;

use artoo_types::Timestamp;
use serde::{Deserialize, Serialize};

pub use pattern::{PatternRejected, Recurrence};

/// What becomes of an occurrence that passed while no daemon ran, or the machine slept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissedPolicy {
    /// The latest one runs as soon as a daemon is back; earlier ones do not.
    #[default]
    RunOnce,
    /// None runs.
    Skip,
}

/// How late an occurrence may start without counting as missed: a look comes every second, and a start takes some.
pub const ON_TIME_MS: i64 = 60_000;

/// What is to be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueDecision {
    /// Nothing until then; None where nothing ever comes again.
    Wait(Option<Timestamp>),
    /// This occurrence runs, and every earlier one is over.
    Run(Timestamp),
    /// This occurrence and every earlier one was missed and is over.
    Skip(Timestamp),
}

/// What is due `now`, where everything up to `handled` is over. A clock that was set back repeats nothing.
pub fn decide(
    pattern: &Recurrence,
    policy: MissedPolicy,
    handled: Timestamp,
    now: &jiff::Zoned,
) -> DueDecision {
    let now_ms = now.timestamp().as_millisecond();
    match pattern.latest(now).filter(|latest| latest.0 > handled.0) {
        None => DueDecision::Wait(pattern.next(now)),
        Some(latest) if policy == MissedPolicy::Skip && now_ms - latest.0 > ON_TIME_MS => {
            DueDecision::Skip(latest)
        }
        Some(latest) => DueDecision::Run(latest),
    }
}

#[cfg(test)]
mod tests;
