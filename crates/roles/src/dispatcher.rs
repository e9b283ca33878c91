//! Dispatcher: starts what the plan allows to start.
//! Receives   DispatchManifest, SubTaskOutcome
//! Produces   SubTask, and SubTaskOutcome for what never runs
//! May        have the world looked at before a plan begins, hold steps back, hand outputs of earlier steps to later ones
//! Does NOT   ask a model, judge, retry, change a step

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use artoo_types::criteria::{Check, Criterion};
use artoo_types::limits::{MAX_PARALLEL, PRIOR_OUTPUT_CHARS};
use artoo_types::machine::AskedCheck;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{DispatchManifest, PriorOutput, SubTask};
use artoo_types::text::head_tail;
use artoo_types::{SubtaskId, Timestamp};

#[cfg(test)]
mod tests;

/// What reaches the dispatcher.
#[derive(Debug, Clone)]
pub enum Input {
    /// A plan.
    Manifest(DispatchManifest),
    /// What the plan's checks give before it begins is known.
    Looked,
    /// A step ended.
    Outcome(SubTaskOutcome),
}

/// What the dispatcher can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Have checks about the world evaluated before anything is done; no step starts until they are.
    LookBefore(Vec<AskedCheck>),
    /// Start a step.
    Start(SubTask),
    /// Report a step that will not run.
    NotRun(SubTaskOutcome),
}

/// The dispatcher of one task.
#[derive(Debug, Clone, Default)]
pub struct Dispatcher {
    /// Checks that were evaluated before the plan that brought them: what a later plan repeats is not looked at again, for
    /// the state before the task is what counts.
    looked_at: Vec<Check>,
    /// Groups that have not started, by sequence number.
    groups: BTreeMap<u32, VecDeque<SubTask>>,
    /// Steps of the started group that wait for a free place.
    queue: VecDeque<SubTask>,
    running: BTreeSet<SubtaskId>,
    group_failed: bool,
    /// Matched outcomes, in the order in which later steps see them.
    matched: Vec<SubTaskOutcome>,
}

impl Dispatcher {
    /// One step. Time does not matter here.
    pub fn step(&mut self, _now: Timestamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Manifest(manifest) => self.begin(manifest),
            Input::Looked => self.advance(),
            Input::Outcome(outcome) => self.ended(outcome),
        }
    }

    fn begin(&mut self, manifest: DispatchManifest) -> Vec<Effect> {
        self.groups.clear();
        self.queue.clear();
        self.running.clear();
        self.group_failed = false;
        self.matched.retain(|o| manifest.kept.contains(&o.subtask_id));
        let looks = self.looks(&manifest);
        for subtask in manifest.subtasks {
            self.groups.entry(subtask.sequence).or_default().push_back(subtask);
        }
        if looks.is_empty() { self.advance() } else { vec![Effect::LookBefore(looks)] }
    }

    /// The plan's checks about the world of which the state before is not known, each once.
    fn looks(&mut self, manifest: &DispatchManifest) -> Vec<AskedCheck> {
        let of_steps = manifest.subtasks.iter().flat_map(|subtask| &subtask.success_criteria);
        let known = self.looked_at.len();
        for check in manifest.task_criteria.iter().chain(of_steps).filter_map(Criterion::world_check) {
            if !self.looked_at.contains(check) {
                self.looked_at.push(check.clone());
            }
        }
        let asked = |(criterion, check): (usize, &Check)| AskedCheck { criterion, check: check.clone() };
        self.looked_at[known..].iter().enumerate().map(asked).collect()
    }

    fn ended(&mut self, outcome: SubTaskOutcome) -> Vec<Effect> {
        if !self.running.remove(&outcome.subtask_id) {
            // Not one of ours, or ended before: nothing follows from it.
            return Vec::new();
        }
        match outcome.status {
            OutcomeStatus::Matched => self.matched.push(outcome),
            OutcomeStatus::Failed | OutcomeStatus::NotRun => self.group_failed = true,
        }
        self.advance()
    }

    /// Fills free places from the queue; when the group has ended, opens the next one or gives up the rest.
    fn advance(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.queue.is_empty() && self.running.is_empty() {
            if self.group_failed {
                return self.give_up_rest();
            }
            if let Some((_, group)) = self.groups.pop_first() {
                let prior = self.prior_outputs();
                self.queue = group;
                for subtask in &mut self.queue {
                    subtask.prior_outputs.clone_from(&prior);
                }
            }
        }
        while self.running.len() < MAX_PARALLEL {
            let Some(subtask) = self.queue.pop_front() else { break };
            self.running.insert(subtask.subtask_id);
            effects.push(Effect::Start(subtask));
        }
        effects
    }

    fn give_up_rest(&mut self) -> Vec<Effect> {
        let rest = std::mem::take(&mut self.groups);
        rest.into_values().flatten().map(|subtask| Effect::NotRun(not_run(subtask))).collect()
    }

    /// What earlier steps produced; together within [`PRIOR_OUTPUT_CHARS`].
    fn prior_outputs(&self) -> Vec<PriorOutput> {
        let mut sorted: Vec<&SubTaskOutcome> = self.matched.iter().collect();
        sorted.sort_by_key(|o| (o.subtask.round, o.subtask.sequence, o.subtask.ordinal));
        let share = PRIOR_OUTPUT_CHARS / sorted.len().max(1);
        // What short outputs leave over goes to the long ones.
        let short: usize = sorted.iter().map(|o| o.output.chars().count()).filter(|n| *n <= share).sum();
        let long = sorted.iter().filter(|o| o.output.chars().count() > share).count();
        let room = (PRIOR_OUTPUT_CHARS - short.min(PRIOR_OUTPUT_CHARS)) / long.max(1);
        sorted
            .into_iter()
            .map(|o| PriorOutput {
                subtask_id: o.subtask_id,
                sequence: o.subtask.sequence,
                intent: o.subtask.intent.clone(),
                output: head_tail(&o.output, room.max(share)),
            })
            .collect()
    }
}

fn not_run(subtask: SubTask) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: subtask.subtask_id,
        parent_task_id: subtask.parent_task_id,
        status: OutcomeStatus::NotRun,
        output: String::new(),
        handle: None,
        failure_reason: Some("a step before it failed".to_owned()),
        gap_trajectory: Vec::new(),
        criteria_verdicts: Vec::new(),
        task_verdicts: Vec::new(),
        tool_calls: Vec::new(),
        receipts: Vec::new(),
        earlier: Vec::new(),
        denied: None,
        subtask,
    }
}
