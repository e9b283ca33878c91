use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;

use super::{Author, MAX_CONTENT_BYTES, MegramRejected, admit, must_sync};
use crate::fixture::{MATRIX, START, megram, rule};

/// Whether the controller may write an accepted task's memory after `change`.
fn check(change: impl FnOnce(&mut Megram)) -> Result<Megram, MegramRejected> {
    let mut candidate = megram(1, "accept", START);
    change(&mut candidate);
    admit(&candidate, Author::Controller, START)
}

#[test]
fn the_whole_matrix_is_admitted() {
    for (state, ..) in MATRIX {
        assert!(admit(&megram(1, state, START), Author::Controller, START).is_ok(), "{state}");
    }
}

#[test]
fn numbers_outside_their_range_are_refused() {
    for f in [-0.001, 1.001, f64::NAN, f64::INFINITY] {
        assert!(matches!(check(|m| m.f = f), Err(MegramRejected::Magnitude(_))), "f = {f}");
    }
    for sigma in [-1.001, 1.001, f64::NAN, f64::NEG_INFINITY] {
        assert!(matches!(check(|m| m.sigma = sigma), Err(MegramRejected::Valence(_))), "sigma = {sigma}");
    }
}

#[test]
fn time_is_cut_to_the_effective_time_and_zeros_are_positive() {
    let stored = check(|m| {
        m.created_at = Timestamp(START.0 + 1);
        m.last_recalled_at = Some(START);
        m.sigma = -0.0;
        m.f = -0.0;
    })
    .expect("it is within every range");
    assert_eq!((stored.created_at, stored.last_recalled_at), (START, None));
    assert!([stored.f, stored.sigma].iter().all(|zero| zero.is_sign_positive()));
}

#[test]
fn rules_are_timeless_decided_and_not_the_controllers() {
    let rule = rule(1, 0.9, -1.0);
    assert!(admit(&rule, Author::Operator, START).is_ok());
    assert_eq!(admit(&rule, Author::Controller, START), Err(MegramRejected::NotYours(Level::C)));
    let fading = Megram { k: Rate::Slow, ..rule.clone() };
    assert_eq!(admit(&fading, Author::Operator, START), Err(MegramRejected::FadingRule(Level::C)));
    let undecided = Megram { sigma: 0.0, ..rule.clone() };
    assert_eq!(admit(&undecided, Author::Operator, START), Err(MegramRejected::UndecidedRule));
    let law = Megram { level: Level::T, sigma: 0.0, ..rule };
    assert!(admit(&law, Author::Operator, START).is_ok());
}

#[test]
fn raw_tags_and_endless_texts_are_refused() {
    for (space, entity) in [("a|b", "c"), ("a", "b\n"), ("", "b"), ("a", "")] {
        let tag = Tag { space: space.to_owned(), entity: entity.to_owned() };
        assert!(matches!(check(|m| m.tag = tag), Err(MegramRejected::Tag(_))), "({space:?}, {entity:?})");
    }
    let refused = check(|m| m.content = "x".repeat(MAX_CONTENT_BYTES + 1));
    assert!(matches!(refused, Err(MegramRejected::TooLong { what: "content", .. })));
}

#[test]
fn rules_reach_the_disk_at_once_and_experience_with_the_next_sync() {
    for (state, ..) in MATRIX {
        assert!(!must_sync(&megram(1, state, START)), "{state}");
    }
    assert!(must_sync(&Megram { state: "remembered".to_owned(), ..rule(1, 0.9, 1.0) }));
}

/// What strangers may have written teaches, and stays marked; it becomes a rule by the word of a person alone.
#[test]
fn what_a_tainted_task_taught_keeps_its_mark_and_is_no_rule_by_itself() {
    assert!(check(|m| m.tainted = true).expect("it may be remembered").tainted);
    for level in [Level::C, Level::T] {
        let promoted = Megram { level, tainted: true, ..rule(1, 0.9, -1.0) };
        assert_eq!(admit(&promoted, Author::Controller, START), Err(MegramRejected::NotYours(level)));
        assert!(admit(&promoted, Author::Operator, START).expect("a person may").tainted);
    }
}
