use artoo_types::outcome::ExecutionStatus;

use super::Drift;
use crate::fixtures::{envelope, result};

/// Counts `all` attempts of the executor, `bad` of them given up, and judges.
fn report(drift: &mut Drift, bad: u64, all: u64) -> usize {
    for n in 0..all {
        let status = if n < bad { ExecutionStatus::Failed } else { ExecutionStatus::Completed };
        envelope(1, result(1, status, Vec::new())).payload.visit(drift);
    }
    drift.judge().len()
}

#[test]
fn a_role_is_compared_with_its_own_history() {
    let mut drift = Drift::default();
    assert_eq!(report(&mut drift, 45, 50), 0, "there is no history yet");
    assert_eq!(report(&mut drift, 18, 20), 0, "as bad as ever");
    let mut drift = Drift::default();
    report(&mut drift, 5, 100);
    assert_eq!(report(&mut drift, 5, 20), 1, "a quarter instead of a twentieth");
}

#[test]
fn small_samples_grow_until_they_can_be_judged() {
    let mut drift = Drift::default();
    report(&mut drift, 0, 100);
    assert_eq!(report(&mut drift, 10, 10), 0);
    assert_eq!(report(&mut drift, 9, 9), 0);
    assert_eq!(report(&mut drift, 1, 1), 1);
    assert_eq!(report(&mut drift, 0, 0), 0, "it is reported once");
}

#[test]
fn small_rises_and_improvements_are_no_drift() {
    let mut drift = Drift::default();
    report(&mut drift, 10, 100);
    assert_eq!(report(&mut drift, 4, 20), 0);
    assert_eq!(report(&mut drift, 0, 20), 0);
}

#[test]
fn the_alert_says_who_and_how_much() {
    let mut drift = Drift::default();
    report(&mut drift, 0, 100);
    for _ in 0..20 {
        envelope(1, result(1, ExecutionStatus::Failed, Vec::new())).payload.visit(&mut drift);
    }
    assert_eq!(drift.judge(), ["R3 Executor: 20 of 20 failed attempts, against 0 % before"]);
}
