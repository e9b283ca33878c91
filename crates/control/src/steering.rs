//! What the belief makes of a round: one word for each failed step, and what code enforces of it.

use std::collections::BTreeMap;

use artoo_types::SubtaskId;
use artoo_types::belief::{StepAxis, StepBelief};
use artoo_types::control::Directive;
use artoo_types::criteria::CriterionVerdict;
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::BlockedTool;
use artoo_types::spelling::names_program;
use artoo_types::tag::fold;

use crate::belief::{CallMark, Changed, Evidence, Tables, Weighing, named, weigh};
use crate::blame::extend_new;

/// What is known of a failed step from round to round, whatever it is called meanwhile.
#[derive(Debug, Clone, PartialEq)]
pub struct StepMemory {
    chances: [f64; 5],
    mark: CallMark,
    /// It was tried again as it was.
    retried: bool,
    /// Classes that were blocked for it.
    blocked: Vec<String>,
}

/// The failed steps of the last round.
pub type StepMemories = BTreeMap<SubtaskId, StepMemory>;

/// What a round is weighed with.
#[derive(Debug, Clone, Copy)]
pub struct Scales<'a> {
    /// The tables.
    pub tables: &'a Tables,
    /// How much evidence counts, see [`Tables::seen`].
    pub trust: f64,
    /// How often the planner finds the right change by itself.
    pub skill: f64,
    /// The cell of the round: where the belief in a step starts that fails for the first time.
    pub cell: Directive,
    /// It gets worse, or the budget runs out.
    pub pressed: bool,
    /// The request, folded: a program that it names is never blocked.
    pub request: &'a str,
}

/// What the belief says of a round.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Steering {
    /// A word for each failed step, in the order of the outcomes.
    pub steps: Vec<StepBelief>,
    /// Classes that code keeps from them.
    pub blocks: Vec<BlockedTool>,
    /// The chance of each that it matches in the next round, in the same order.
    pub chances: Vec<f64>,
}

/// Weighs each failed step of a round and keeps what is to be known of it. A step that a person's no stopped shows nothing
/// of its cause, and one that never ran keeps what was known.
pub fn steer(memories: &mut StepMemories, outcomes: &[SubTaskOutcome], scales: &Scales<'_>) -> Steering {
    let before = std::mem::take(memories);
    let mut steering = Steering::default();
    for outcome in outcomes {
        let parent = outcome.subtask.replaces.and_then(|old| before.get(&old));
        match outcome.status {
            OutcomeStatus::Matched => {}
            OutcomeStatus::NotRun => {
                memories.extend(parent.map(|parent| (outcome.subtask_id, parent.clone())));
            }
            OutcomeStatus::Failed if outcome.denied.is_some() => {}
            OutcomeStatus::Failed => {
                let memory = steering.weigh_step(outcome, parent, scales);
                memories.insert(outcome.subtask_id, memory);
            }
        }
    }
    steering
}

impl Steering {
    fn weigh_step(
        &mut self,
        outcome: &SubTaskOutcome,
        parent: Option<&StepMemory>,
        scales: &Scales<'_>,
    ) -> StepMemory {
        let mark = CallMark::of(outcome);
        let start = match parent {
            Some(parent) => scales.tables.moved(parent.chances, Changed::between(&parent.mark, &mark)),
            None => scales.tables.prior(scales.cell),
        };
        let chances = scales.tables.seen(start, Evidence::of(outcome), scales.trust);
        let retried = parent.is_some_and(|parent| parent.retried);
        let mut weighed =
            weigh(scales.tables, chances, Weighing { retried, pressed: scales.pressed, skill: scales.skill });
        self.chances.push(weighed.chance);
        let mut blocked = parent.map(|parent| parent.blocked.clone()).unwrap_or_default();
        let mut pinned = Vec::new();
        match weighed.axis {
            StepAxis::Approach if weighed.enforced => {
                let at_fault = outcome.all_receipts().last().filter(|last| may_block(last, scales.request));
                weighed.enforced = at_fault.is_some();
                extend_new(&mut blocked, at_fault.map(|last| last.blame.clone()));
            }
            StepAxis::Detail | StepAxis::Again if weighed.enforced => {
                pinned = classes_of(outcome);
                weighed.enforced = !pinned.is_empty();
            }
            StepAxis::Approach | StepAxis::Detail | StepAxis::Again | StepAxis::Target | StepAxis::Own => {}
        }
        if weighed.axis == StepAxis::Approach && weighed.enforced {
            let intent = fold(&outcome.subtask.intent);
            let block = |class: &String| BlockedTool {
                class: class.clone(),
                intent: intent.clone(),
                subtask: Some(outcome.subtask_id),
            };
            self.blocks.extend(blocked.iter().map(block));
        }
        self.steps.push(StepBelief {
            subtask: outcome.subtask_id,
            intent: outcome.subtask.intent.clone(),
            chances: named(chances),
            axis: weighed.axis,
            enforced: weighed.enforced,
            pinned,
        });
        StepMemory { chances, mark, retried: retried || weighed.axis == StepAxis::Again, blocked }
    }
}

/// What only reads is never the wrong way to go about it, and a program that the request names is the one that was asked for.
fn may_block(receipt: &Receipt, request: &str) -> bool {
    receipt.effect != EffectClass::Read && !names_program(request, &receipt.blame)
}

/// The classes that a step planned and those of its last call, for whatever keeps its approach; none where it called nothing.
fn classes_of(outcome: &SubTaskOutcome) -> Vec<String> {
    let Some(last) = outcome.all_receipts().last() else { return Vec::new() };
    let mut classes = outcome.subtask.tools.clone();
    extend_new(&mut classes, last.classes.iter().chain([&last.blame]).cloned());
    classes
}

/// The matched steps that failing verdicts on the whole cite.
pub fn cited_steps(outcomes: &[SubTaskOutcome], task_verdicts: &[CriterionVerdict]) -> Vec<SubtaskId> {
    let fails = |outcome: &&SubTaskOutcome| task_verdicts.iter().any(|v| !v.passed() && is_cited(v, outcome));
    if !outcomes.iter().all(SubTaskOutcome::matched) {
        return Vec::new();
    }
    outcomes.iter().filter(fails).map(|outcome| outcome.subtask_id).collect()
}

/// Whether a verdict cites this step, or a call of it.
pub fn is_cited(verdict: &CriterionVerdict, outcome: &SubTaskOutcome) -> bool {
    verdict.cites.as_ref().is_some_and(|id| {
        id.0 == outcome.subtask_id.to_string() || outcome.all_receipts().any(|receipt| receipt.id == *id)
    })
}

/// Whether it pays to go on for some number of rounds, `most` at most, that end once every failed step matches. `chances` are
/// those of each step in any one round, `worth` is what a person gains by a success, and `cost` that of a mean round so far: model
/// calls, and minutes as if each were a call.
///
/// With one failed step this is the question whether its chance in the next round is worth that round; of several, one may
/// match now and another later.
pub fn pays(chances: &[f64], worth: f64, cost: f64, most: u32) -> bool {
    let mut open: Vec<f64> = vec![1.0; chances.len()];
    let (mut all_match, mut rounds) = (0.0, 0.0);
    (0..most).any(|_| {
        rounds += 1.0 - all_match;
        open.iter_mut().zip(chances).for_each(|(open, chance)| *open *= 1.0 - chance);
        all_match = open.iter().map(|open| 1.0 - open).product();
        all_match * worth > rounds * cost
    })
}

#[cfg(test)]
mod tests;
