//! The door: what may be remembered, by whom, and what has to reach the disk at once.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
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
    within("list of failed plans", megram.failed_plans.len(), MAX_FAILED_PLANS)?;
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
mod tests;
