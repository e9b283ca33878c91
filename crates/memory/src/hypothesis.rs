//! Schema transfer: a best practice of one task, proposed for tasks that look alike.
//!
//! A hypothesis has no valence, so that it decides nothing; it is kept out of the potentials, so that it does not even
//! count as history; and it is no evidence, so that only an outcome of trying it can become part of a rule.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::known::INTENTS;
use crate::sign::Sign;

/// Most hypotheses that one rule makes.
pub const MAX_PROPOSALS: usize = 3;

/// f of a hypothesis, and the most that it may have. With its rate, an untried one fades below 0.1 after 5.5 days.
pub const MAGNITUDE: f64 = 0.3;

/// How fast a hypothesis fades.
pub const RATE: Rate = Rate::Medium;

/// Whether a memory is a hypothesis.
pub fn is_hypothesis(megram: &Megram) -> bool {
    megram.state == state::HYPOTHESIS
}

/// Whether a hypothesis is one that decides nothing: on level M, without valence, and not heavier than [`MAGNITUDE`].
pub fn is_harmless(megram: &Megram) -> bool {
    megram.level == Level::M && megram.sigma == 0.0 && megram.f <= MAGNITUDE
}

/// Whether a rule is one to propose elsewhere: a best practice of a request that evidence made. What must not be done here
/// may be right there, and what the person said is about what they said.
pub fn is_transferable(rule: &Megram) -> bool {
    rule.level == Level::C
        && rule.state == state::DISTILLED
        && Sign::of(rule.sigma) == Sign::For
        && rule.tag.space.starts_with(INTENTS)
}

/// The hypothesis that `rule` might hold for the task that is remembered under `tag` as `request`. The same rule makes the
/// same id for a tag every time, so that one that was settled or forgotten stays away.
pub fn propose(rule: &Megram, tag: &Tag, request: &str, now: Timestamp) -> Megram {
    let name = format!("{}|{}|{}", state::HYPOTHESIS, tag.space, tag.entity);
    Megram {
        id: Uuid::new_v5(&rule.id, name.as_bytes()),
        level: Level::M,
        created_at: now,
        last_recalled_at: None,
        tag: tag.clone(),
        content: rule.content.clone(),
        state: state::HYPOTHESIS.to_owned(),
        f: MAGNITUDE,
        sigma: 0.0,
        k: RATE,
        agent_id: rule.agent_id.clone(),
        task_id: None,
        parents: vec![rule.id],
        tainted: false,
        about: request.to_owned(),
        failed_plans: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
