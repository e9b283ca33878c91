//! The quantization matrix: how strongly each decision is remembered, and the writing of megrams.

use artoo_types::control::{Directive, Ending, MacroState, Reason};
use artoo_types::criteria::FailureClass;
use artoo_types::evidence::CallEnd;
use artoo_types::memory::{FailedPlan, Level, Megram, MegramWrite, state};
use artoo_types::outcome::{Denial, SubTaskOutcome};
use artoo_types::plan::BlockedTarget;
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use artoo_types::task::TaskSpec;
use artoo_types::text::first_chars;
use artoo_types::{TaskId, Timestamp};

use crate::blame::FailingCall;
use crate::directive::for_subtask;
use crate::history::world_of;
use crate::task_end::TaskEnd;

/// One row of the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantum {
    /// The decision that is remembered.
    pub state: MacroState,
    /// f, magnitude in [0, 1].
    pub f: f64,
    /// σ, valence in [−1, 1].
    pub sigma: f64,
    /// How fast it fades.
    pub k: Rate,
    /// What it means, in words.
    pub meaning: &'static str,
}

const fn row(state: MacroState, f: f64, sigma: f64, k: Rate, meaning: &'static str) -> Quantum {
    Quantum { state, f, sigma, k, meaning }
}

/// The matrix. `init` decides nothing and is not remembered.
pub const MATRIX: [Quantum; 7] = [
    row(MacroState::Abandon, 0.95, -1.0, Rate::Slow, "trauma: these plans failed for good"),
    row(MacroState::Accept, 0.90, 1.0, Rate::Slow, "golden path"),
    row(MacroState::ChangeApproach, 0.85, -1.0, Rate::Slow, "anti-pattern"),
    row(MacroState::Success, 0.80, 1.0, Rate::Slow, "good practice"),
    row(MacroState::BreakSymmetry, 0.75, 1.0, Rate::Slow, "breakthrough"),
    row(MacroState::ChangePath, 0.30, 0.0, Rate::Medium, "dead end, the tool is unharmed"),
    row(MacroState::Refine, 0.10, 0.5, Rate::Fast, "right way, wrong parameters"),
];

/// Characters of what one megram says: four plans of a few steps, or one call.
pub const CONTENT_CHARS: usize = 2_000;

/// Characters of the request that a megram names: enough to tell requests apart, see `artoo-memory`'s `relate`.
pub const ABOUT_CHARS: usize = 500;

/// Most denials of a task that are remembered.
const MAX_DENIALS: usize = 4;

/// Where a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provenance {
    /// The task.
    pub task_id: TaskId,
    /// The round that taught it, from 0.
    pub round: usize,
    /// When.
    pub at: Timestamp,
    /// The task had seen untrusted input.
    pub tainted: bool,
}

impl Provenance {
    /// What the failing calls of a round teach under a directive: one megram for each distinct (class, target) that the
    /// directive blames. A directive against the approach blames logical failures, the others environmental ones; what
    /// nobody is to blame for teaches nothing. Each holds the state in which its call failed.
    /// `break_symmetry` teaches nothing yet: praising the call that just failed would cancel the anti-pattern.
    pub fn of_directive(
        &self,
        directive: Directive,
        calls: &[FailingCall<'_>],
        folder: &str,
    ) -> Vec<MegramWrite> {
        let blamed = match directive {
            Directive::BreakSymmetry => return Vec::new(),
            Directive::ChangeApproach => FailureClass::Logical,
            Directive::ChangePath | Directive::Refine => FailureClass::Environmental,
        };
        let mut seen: Vec<BlockedTarget> = Vec::new();
        let mut writes = Vec::new();
        for call in calls.iter().filter(|c| c.fault == Some(blamed)) {
            let pair = call.pair();
            if !seen.contains(&pair) {
                let state = for_subtask(directive, call.outcome.subtask_id, calls);
                let mut write = self.megram(state.into(), tool_tag(&pair), &lesson(call));
                let world = world_of(folder, std::iter::once(call.receipt));
                write.iter_mut().for_each(|write| write.megram.failed.world = Some(world.clone()));
                writes.extend(write);
                seen.push(pair);
            }
        }
        writes
    }

    /// What was not allowed in these steps, one megram for each distinct (class, target): a fact about the setting. It has no
    /// valence, so that it speaks against no plan; a person's no is kept longer than that nobody was there to say yes.
    pub fn of_denials(&self, outcomes: &[SubTaskOutcome]) -> Vec<MegramWrite> {
        let mut seen: Vec<BlockedTarget> = Vec::new();
        let mut writes = Vec::new();
        for outcome in outcomes {
            let Some(denial) = outcome.denied else { continue };
            let (f, k, who) = match denial {
                Denial::Refused => (0.30, Rate::Slow, "a person said no to"),
                Denial::Unanswered => (0.10, Rate::Fast, "nobody was there to allow"),
            };
            for receipt in outcome.all_receipts().filter(|r| r.end == CallEnd::Denied) {
                let pair = BlockedTarget { class: receipt.blame.clone(), target: receipt.target.clone() };
                if seen.contains(&pair) || seen.len() == MAX_DENIALS {
                    continue;
                }
                let tag = tool_tag(&pair);
                let content = format!(
                    "{who} {} on {} (\"{}\")",
                    pair.class,
                    shown(&pair.target),
                    outcome.subtask.intent
                );
                let name = format!("denied:{}|{}", tag.space, tag.entity);
                let state = state::DENIED.to_owned();
                let megram = Megram { state, f, sigma: 0.0, k, ..self.experience(&name, tag, &content) };
                writes.push(MegramWrite { megram });
                seen.push(pair);
            }
        }
        writes
    }

    /// The deferred praise of `break_symmetry`, for the new calls of the round that followed it.
    pub fn of_breakthrough(&self, fresh: &[BlockedTarget], outcomes: &[SubTaskOutcome]) -> Vec<MegramWrite> {
        let intents: Vec<&str> = outcomes.iter().map(|o| o.subtask.intent.as_str()).collect();
        let praise = |pair: &BlockedTarget| {
            let content = format!(
                "{} on {} brought the task nearer after other classes were stuck: {}",
                pair.class,
                shown(&pair.target),
                intents.join("; ")
            );
            self.megram(MacroState::BreakSymmetry, tool_tag(pair), &content)
        };
        fresh.iter().filter_map(praise).collect()
    }

    /// What the end of a task teaches about its request; nothing for ends that say nothing of it. A good end is praised if code
    /// saw it. A bad one speaks against the plans that failed because their approach was wrong; without any it is known, and
    /// speaks against nothing.
    pub fn of_request(
        &self,
        end: &TaskEnd<'_>,
        reason: Reason,
        spec: &TaskSpec,
        failed: Vec<FailedPlan>,
    ) -> Option<MegramWrite> {
        let is_praise = match end.ending {
            Ending::Accept | Ending::Success => true,
            Ending::Abandon => false,
        };
        if !teaches(reason) || (is_praise && !end.confirmed) {
            return None;
        }
        let mut write = self.megram(end.ending.into(), spec.intent_tag.clone(), end.lesson)?;
        if !is_praise && failed.is_empty() {
            write.megram.sigma = 0.0;
        }
        write.megram.failed.plans = failed;
        write.megram.about = first_chars(&spec.intent, ABOUT_CHARS);
        Some(write)
    }

    /// A megram of the matrix row of `state`. Its id depends on task, round, state and tag alone, so that writing it
    /// again changes nothing.
    fn megram(&self, state: MacroState, tag: Tag, content: &str) -> Option<MegramWrite> {
        let quantum = MATRIX.iter().find(|q| q.state == state)?;
        let name = format!("megram:{}:{}|{}", state.as_str(), tag.space, tag.entity);
        let megram = Megram {
            state: state.as_str().to_owned(),
            f: quantum.f,
            sigma: quantum.sigma,
            k: quantum.k,
            ..self.experience(&name, tag, content)
        };
        Some(MegramWrite { megram })
    }

    /// A megram of this task whose weights are still to be set. Its id derives from `name` and the round.
    pub(crate) fn experience(&self, name: &str, tag: Tag, content: &str) -> Megram {
        Megram {
            id: self.task_id.derive(name, self.round as u64),
            level: Level::M,
            created_at: self.at,
            last_recalled_at: None,
            tag,
            content: first_chars(content, CONTENT_CHARS),
            state: String::new(),
            f: 0.0,
            sigma: 0.0,
            k: Rate::Timeless,
            agent_id: "R7".to_owned(),
            task_id: Some(self.task_id),
            parents: Vec::new(),
            tainted: self.tainted,
            about: String::new(),
            failed: Default::default(),
        }
    }
}

/// Whether an end says anything about the intent. A cancelled task, an unreachable model, a denial, a declined request, one
/// that nothing can fulfil as things are, or an answer without tools does not.
pub fn teaches(reason: Reason) -> bool {
    match reason {
        Reason::CriteriaMet
        | Reason::WithinTolerance
        | Reason::BudgetExhausted
        | Reason::ReplansExhausted
        | Reason::NotWorthIt
        | Reason::Diverging
        | Reason::CannotPlan => true,
        Reason::Answered
        | Reason::CostExhausted
        | Reason::Deadline
        | Reason::Cancelled
        | Reason::Refused
        | Reason::Declined
        | Reason::CannotBeDone
        | Reason::ModelUnavailable
        | Reason::Interrupted
        | Reason::Internal => false,
    }
}

/// The tag of a (class, target); `path:*` when the call had no target.
pub(crate) fn tool_tag(pair: &BlockedTarget) -> Tag {
    Tag::tool(&pair.class, (!pair.target.is_empty()).then_some(pair.target.as_str()))
}

fn shown(target: &str) -> &str {
    if target.is_empty() { "any input" } else { target }
}

/// What one failing call teaches.
fn lesson(call: &FailingCall<'_>) -> String {
    let receipt = call.receipt;
    let end = match receipt.exit {
        Some(status) => format!("exit status {status}"),
        None => "no exit status".to_owned(),
    };
    let fails = call.outcome.criteria_verdicts.iter().find(|v| !v.passed());
    let why =
        fails.map(|v| v.evidence.as_str()).or(call.outcome.failure_reason.as_deref()).unwrap_or("not met");
    format!(
        "{} on {} ({end}) did not achieve \"{}\": {why}",
        receipt.blame,
        shown(&receipt.target),
        call.outcome.subtask.intent
    )
}

#[cfg(test)]
mod tests;
