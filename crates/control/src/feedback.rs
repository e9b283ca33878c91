//! What the end of a task says about the memories that its plans were given: rules that were not enough, outdated rules
//! that proved wrong again, and hypotheses that were tried.
//!
//! Only ends that teach say anything, and a failure only one that is the approach's own fault (Law 3): a missing file
//! refutes no rule.

use artoo_types::control::Ending;
use artoo_types::criteria::FailureClass;
use artoo_types::evidence::Receipt;
use artoo_types::memory::{Level, Megram, MegramWrite, MemoryEntry, MemoryReply, SopRecord, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::blame::{failing_calls, pair};
use crate::quantize::{Provenance, tool_tag};
use crate::task_end::TaskEnd;

/// One row of the table of feedback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feedback {
    /// The state of the megram.
    pub state: &'static str,
    /// f, magnitude in [0, 1].
    pub f: f64,
    /// σ, valence in [−1, 1]; of what is said about a rule it is the share of the rule's own sign.
    pub sigma: f64,
    /// How fast it fades.
    pub k: Rate,
    /// What it says, in words; the lesson of the task follows.
    pub words: &'static str,
}

impl Feedback {
    /// What the end of the task says about a memory of `tag` that its plans were given: `about` is that memory. Its
    /// content is not quoted, so that forgetting it leaves nothing of it behind.
    fn megram(&self, from: &Provenance, sigma: f64, tag: &Tag, about: Uuid, lesson: &str) -> MegramWrite {
        let name = format!("megram:{}:{}|{}:{about}", self.state, tag.space, tag.entity);
        let megram = Megram {
            state: self.state.to_owned(),
            f: self.f,
            sigma,
            k: self.k,
            parents: vec![about],
            ..from.experience(&name, tag.clone(), &format!("{} {lesson}", self.words))
        };
        MegramWrite { megram }
    }
}

/// A best practice was given, and the task failed for logical reasons all the same.
pub const NEGATIVE_FEEDBACK: Feedback = Feedback {
    state: state::NEGATIVE_FEEDBACK,
    f: 0.85,
    sigma: -1.0,
    k: Rate::Slow,
    words: "The rule about this was followed by a failure.",
};
/// A rule that newer experience contradicts was contradicted once more: with f above a rule's own 0.90 one such memory
/// against otherwise empty evidence ends it (Trust Bankruptcy).
pub const DISSONANCE: Feedback = Feedback {
    state: state::DISSONANCE,
    f: 0.95,
    sigma: -1.0,
    k: Rate::Slow,
    words: "The outdated rule about this was contradicted again.",
};
/// A proposal was shown, and the task ended well.
pub const HYPOTHESIS_CONFIRMED: Feedback = Feedback {
    state: state::HYPOTHESIS_CONFIRMED,
    f: 0.5,
    sigma: 1.0,
    k: Rate::Slow,
    words: "What was proposed from another task was known here, and this worked.",
};
/// A proposal was shown, and the task failed for logical reasons.
pub const HYPOTHESIS_REFUTED: Feedback = Feedback {
    state: state::HYPOTHESIS_REFUTED,
    f: 0.3,
    sigma: -0.5,
    k: Rate::Medium,
    words: "What was proposed from another task was known here, and this failed.",
};

/// Most rules and most proposals that are followed to the end of a task. A reply has ten entries with a rule or two each,
/// and the replies of one task are mostly the same.
const MAX_GIVEN: usize = 64;

/// What the plans of a task were given that an outcome can speak for or against: never a hint, a law, or what the
/// person declared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoriesInPlan {
    rules: Vec<RuleInPlan>,
    proposals: Vec<(Tag, Uuid)>,
}

#[derive(Debug, Clone, PartialEq)]
struct RuleInPlan {
    tag: Tag,
    record: SopRecord,
}

impl MemoriesInPlan {
    /// The memory answered the planner. A rule that was given before counts as it is now.
    pub fn note(&mut self, reply: &MemoryReply) {
        let binding = |entry: &&MemoryEntry| !entry.is_hint() && entry.tag != Tag::user();
        for entry in reply.entries.iter().filter(binding) {
            for record in entry.sops.iter().filter(|sop| is_learned(sop)) {
                self.rules.retain(|given| given.record.id != record.id);
                self.rules.push(RuleInPlan { tag: entry.tag.clone(), record: record.clone() });
            }
            for proposal in &entry.proposals {
                let known = self.proposals.iter().any(|(_, id)| *id == proposal.id);
                if !known {
                    self.proposals.push((entry.tag.clone(), proposal.id));
                }
            }
        }
        self.rules.truncate(MAX_GIVEN);
        self.proposals.truncate(MAX_GIVEN);
    }

    /// What the outcome says about them, each megram on the tag of what it is about, which is its parent. Empty for an
    /// outcome that says nothing; who asks has made sure that the end teaches at all.
    pub fn judged(&self, from: &Provenance, outcome: &TaskEnd<'_>) -> Vec<MegramWrite> {
        let rules = self.rules.iter().filter_map(|given| {
            let feedback = given.feedback(outcome)?;
            let sigma = feedback.sigma * given.record.sigma.signum();
            Some(feedback.megram(from, sigma, &given.tag, given.record.id, outcome.lesson))
        });
        let proposals = self.proposals.iter().filter_map(|(tag, id)| {
            let feedback = if outcome.well() && outcome.confirmed {
                HYPOTHESIS_CONFIRMED
            } else if outcome.logical {
                HYPOTHESIS_REFUTED
            } else {
                return None;
            };
            Some(feedback.megram(from, feedback.sigma, tag, *id, outcome.lesson))
        });
        rules.chain(proposals).collect()
    }
}

impl RuleInPlan {
    /// A rule in force that binds cannot be contradicted by what it kept from happening; only a best practice can turn out
    /// not to be enough. An outdated one binds nobody, so that the world may speak against it either way.
    fn feedback(&self, outcome: &TaskEnd<'_>) -> Option<Feedback> {
        let is_practice = self.record.sigma > 0.0;
        let contradicted =
            if is_practice { outcome.failed_at(&self.tag) } else { outcome.worked_at(&self.tag) };
        if !contradicted {
            None
        } else if self.record.overwritten {
            Some(DISSONANCE)
        } else {
            is_practice.then_some(NEGATIVE_FEEDBACK)
        }
    }
}

impl TaskEnd<'_> {
    fn well(&self) -> bool {
        match self.ending {
            Ending::Accept | Ending::Success => true,
            Ending::Abandon => false,
        }
    }

    /// Whether what the tag stands for failed for a logical reason.
    fn failed_at(&self, tag: &Tag) -> bool {
        if !is_tool(tag) {
            return !self.well() && self.logical;
        }
        if self.well() {
            return false;
        }
        let calls = failing_calls(self.outcomes);
        let mut logical = calls.iter().filter(|call| call.fault == Some(FailureClass::Logical));
        logical.any(|call| is_about(tag, call.receipt))
    }

    /// Whether what the tag stands for worked.
    fn worked_at(&self, tag: &Tag) -> bool {
        if !is_tool(tag) {
            return self.well();
        }
        let matched = self.outcomes.iter().filter(|outcome| outcome.matched());
        let mut receipts = matched.flat_map(|outcome| outcome.all_receipts());
        receipts.any(|receipt| receipt.succeeded() && is_about(tag, receipt))
    }
}

/// Whether experience may speak against it: laws and what is not a rule on level C stay out of it.
fn is_learned(sop: &SopRecord) -> bool {
    match sop.level {
        Level::C => true,
        Level::M | Level::K | Level::T => false,
    }
}

fn is_tool(tag: &Tag) -> bool {
    tag.space.starts_with("tool:")
}

/// Whether the tag is that of the call, or of its class on every target.
fn is_about(tag: &Tag, receipt: &Receipt) -> bool {
    let pair = pair(receipt);
    *tag == tool_tag(&pair) || *tag == Tag::tool(&pair.class, None)
}

#[cfg(test)]
mod tests;
