//! The door: what may be remembered, by whom, and what has to reach the disk at once.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, MAX_INPUTS, Megram};
use artoo_types::rate::Rate;

use crate::hypothesis::{MAGNITUDE, is_harmless, is_hypothesis};
use crate::key::{TagRejected, check_tag};

/// Longest content of one memory, in bytes. Four pages of text; a lesson is a few sentences.
pub const MAX_CONTENT_BYTES: usize = 16 * 1024;

/// Longest state and agent id, in bytes.
pub const MAX_NAME_BYTES: usize = 256;

/// Most parents of one memory. A distilled rule names the evidence that carried it, and five events suffice for one.
pub const MAX_PARENTS: usize = 256;

/// Most failed plans that one memory forbids: a task has at most as many as it may replan, and one.
pub const MAX_FAILED_PLANS: usize = 32;

/// Who wants something remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The controller, R7: experience, on levels M and K.
    Controller,
    /// The person: anything, rules and laws included.
    Operator,
}

/// Why something is not remembered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MegramRejected {
    /// f is outside [0, 1] or not a number.
    #[error("f is {0}; the magnitude of a memory is a number from 0 to 1")]
    Magnitude(f64),
    /// σ is outside [−1, 1] or not a number.
    #[error("sigma is {0}; the valence of a memory is a number from -1 to 1")]
    Valence(f64),
    /// A rule or law that fades.
    #[error("level {0:?} is timeless, so k has to be 0")]
    FadingRule(Level),
    /// A rule that is neither for nor against.
    #[error("a rule on level C is for or against something, so sigma has to be 1 or -1")]
    UndecidedRule,
    /// A hypothesis that would decide something.
    #[error(
        "a hypothesis is on level M with sigma 0 and f of at most {MAGNITUDE}; it decides nothing until it is tried"
    )]
    DecidingHypothesis,
    /// Experience that claims to be a rule.
    #[error("the controller writes experience on levels M and K; level {0:?} is not its to write")]
    NotYours(Level),
    /// A tag that cannot be a key.
    #[error(transparent)]
    Tag(#[from] TagRejected),
    /// Something is too long.
    #[error("the {what} is over {limit}; shorten it")]
    TooLong {
        /// What is too long.
        what: &'static str,
        /// The bound, in bytes or entries.
        limit: usize,
    },
}

/// The memory as it is to be stored at the effective time `now`: checked, `created_at` not after `now`, no negative
/// zeros, and not yet recalled.
///
/// # Errors
/// The first rule that it breaks.
pub fn admit(megram: &Megram, author: Author, now: Timestamp) -> Result<Megram, MegramRejected> {
    check(megram)?;
    match (author, megram.level) {
        (Author::Controller, Level::C | Level::T) => return Err(MegramRejected::NotYours(megram.level)),
        (Author::Controller, Level::M | Level::K) | (Author::Operator, _) => {}
    }
    Ok(Megram {
        created_at: megram.created_at.min(now),
        last_recalled_at: None,
        // Adding a positive zero turns -0 into 0 and changes nothing else.
        f: megram.f + 0.0,
        sigma: megram.sigma + 0.0,
        ..megram.clone()
    })
}

/// Whether a memory keeps the rules that every stored record keeps, whoever wrote it.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(megram: &Megram) -> Result<(), MegramRejected> {
    if !(0.0..=1.0).contains(&megram.f) {
        return Err(MegramRejected::Magnitude(megram.f));
    }
    if !(-1.0..=1.0).contains(&megram.sigma) {
        return Err(MegramRejected::Valence(megram.sigma));
    }
    match megram.level {
        Level::M | Level::K => {}
        Level::C | Level::T if megram.k != Rate::Timeless => {
            return Err(MegramRejected::FadingRule(megram.level));
        }
        Level::C if megram.sigma.abs() != 1.0 => return Err(MegramRejected::UndecidedRule),
        Level::C | Level::T => {}
    }
    if is_hypothesis(megram) && !is_harmless(megram) {
        return Err(MegramRejected::DecidingHypothesis);
    }
    check_tag(&megram.tag)?;
    within("content", megram.content.len(), MAX_CONTENT_BYTES)?;
    within("request", megram.about.len(), MAX_CONTENT_BYTES)?;
    within("state", megram.state.len(), MAX_NAME_BYTES)?;
    within("agent id", megram.agent_id.len(), MAX_NAME_BYTES)?;
    within("list of failed plans", megram.failed.plans.len(), MAX_FAILED_PLANS)?;
    let worlds = megram.failed.plans.iter().map(|plan| &plan.world).chain(&megram.failed.world);
    for world in worlds {
        within("list of inputs", world.inputs.len(), MAX_INPUTS)?;
    }
    within("list of parents", megram.parents.len(), MAX_PARENTS)
}

/// Whether the write has to be on the disk before it counts as done: rules and laws. Experience, how a task ended
/// included, stands in the task's synced journal first, and is brought in again from there after a power cut.
pub fn must_sync(megram: &Megram) -> bool {
    match megram.level {
        Level::C | Level::T => true,
        Level::M | Level::K => false,
    }
}

fn within(what: &'static str, size: usize, limit: usize) -> Result<(), MegramRejected> {
    if size > limit { Err(MegramRejected::TooLong { what, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
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
}
