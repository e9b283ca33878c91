//! R4b Meta-Validator: sensor of the medium loop and fan-in gate.
//! Receives   TaskSpec, DispatchManifest, SubTaskOutcome; check evidence, model replies
//! Produces   ReplanRequest, OutcomeSummary
//! May        have checks evaluated, ask a model
//! Does NOT   retry a subtask, compute loss, choose a directive, write memory

use std::collections::BTreeMap;

use artoo_types::brief::{EarlierWork, MergeBrief};
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::criteria::{Criterion, CriterionVerdict};
use artoo_types::envelope::Role;
use artoo_types::evidence::{CheckEvidence, Receipt};
use artoo_types::lesson::{Shortfall, lesson};
use artoo_types::limits::PromptLimits;
use artoo_types::machine::{AskedCheck, CheckSubject};
use artoo_types::outcome::{JudgedTimes, OutcomeStatus, OutcomeSummary, ReplanRequest, SubTaskOutcome};
use artoo_types::plan::DispatchManifest;
use artoo_types::reply::{MergeReply, SchemaName};
use artoo_types::task::TaskSpec;
use artoo_types::text::first_chars;
use artoo_types::{SubtaskId, TaskId, Timestamp};
use serde_json::Value;

use crate::ask::{Asker, ReplyOutcome};
use crate::claimed;
use crate::lessons;
use crate::past::{JudgedCalls, PastDeeds};
use crate::verdicts;
use artoo_relevance::{self as relevance, ProofScene};
use undone::AskedAgain;

mod merge;
mod request;
#[cfg(test)]
mod tests;
mod undone;

/// What reaches the meta-validator.
#[derive(Debug, Clone)]
pub enum Input {
    /// The task.
    Spec(TaskSpec),
    /// A plan goes out.
    Manifest(DispatchManifest),
    /// A step ended.
    Outcome(SubTaskOutcome),
    /// Checks were evaluated.
    Checked(Vec<CheckEvidence>),
    /// A model call ended.
    Model(ModelOutcome),
}

/// What the meta-validator can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Have checks of task criteria evaluated.
    RunChecks {
        /// The checks.
        checks: Vec<AskedCheck>,
        /// What they are about.
        subject: CheckSubject,
    },
    /// Ask a model.
    AskModel(ChatRequest),
    /// Report that the round fell short.
    Replan(ReplanRequest),
    /// Report that everything is met.
    Summarise(OutcomeSummary),
}

/// The meta-validator of one task.
#[derive(Debug, Clone)]
pub struct MetaValidator {
    task_id: TaskId,
    asker: Asker,
    request: String,
    said_before: String,
    manifest: Option<DispatchManifest>,
    outcomes: BTreeMap<SubtaskId, SubTaskOutcome>,
    past: PastDeeds,
    history: Vec<JudgedTimes>,
    round: RoundJudgement,
}

/// What is known in the round so far.
#[derive(Debug, Clone, Default)]
struct RoundJudgement {
    /// Checks of steps that are evaluated once more, behind those of the task.
    again: Vec<AskedAgain>,
    checks: Vec<CheckEvidence>,
    judged: Vec<CriterionVerdict>,
    merged: Option<MergedOutput>,
}

#[derive(Debug, Clone)]
struct MergedOutput {
    output: Value,
    summary: String,
}

impl MetaValidator {
    /// A meta-validator for one task. `said_before`: what was said in its session before.
    pub fn new(task_id: TaskId, said_before: String) -> Self {
        let system = include_str!("meta_validator/prompt.md").trim_ascii_end();
        Self {
            task_id,
            asker: Asker::new(Role::MetaValidator, Tier::Brain, SchemaName::MergeVerdict, system),
            request: String::new(),
            said_before,
            manifest: None,
            outcomes: BTreeMap::new(),
            past: PastDeeds::default(),
            history: Vec::new(),
            round: RoundJudgement::default(),
        }
    }

    /// The same, with prompts within these bounds.
    #[must_use]
    pub fn within(mut self, limits: PromptLimits) -> Self {
        self.asker = self.asker.within(limits);
        self
    }

    /// One step. Time does not matter to a verdict.
    pub fn step(&mut self, _now: Timestamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Spec(spec) => {
                self.request = spec.raw_input;
                Vec::new()
            }
            Input::Manifest(manifest) => {
                self.past.pass_on(self.outcomes.values(), &manifest);
                self.outcomes.retain(|id, _| manifest.kept.contains(id));
                self.history.resize(manifest.task_criteria.len(), JudgedTimes::default());
                self.manifest = Some(manifest);
                self.round = RoundJudgement::default();
                Vec::new()
            }
            Input::Outcome(outcome) => {
                self.outcomes.insert(outcome.subtask_id, outcome);
                if self.is_complete() { vec![self.judge()] } else { Vec::new() }
            }
            Input::Checked(evidence) => {
                self.hear_checks(evidence);
                vec![self.after_checks()]
            }
            Input::Model(outcome) => vec![self.hear(outcome)],
        }
    }

    fn is_complete(&self) -> bool {
        self.manifest
            .as_ref()
            .is_some_and(|m| m.subtasks.iter().all(|s| self.outcomes.contains_key(&s.subtask_id)))
    }

    fn all_matched(&self) -> bool {
        self.outcomes.values().all(SubTaskOutcome::matched)
    }

    /// Every outcome is in: merge by code where that is enough, else ask the model to merge first.
    fn judge(&mut self) -> Effect {
        if self.all_matched() {
            match merge::by_code(self.manifest.as_ref(), &self.ordered()) {
                Some((output, summary)) => self.round.merged = Some(MergedOutput { output, summary }),
                None => return self.ask(),
            }
        }
        self.run_checks()
    }

    fn run_checks(&mut self) -> Effect {
        let ordered = self.ordered();
        let calls = self.judged_calls();
        let all: usize = self.criteria().len();
        let again = undone::asked_again(&ordered, &artoo_request::read(&self.request));
        let once_more = again
            .iter()
            .enumerate()
            .map(|(i, (_, _, check))| AskedCheck { criterion: all + i, check: check.clone() });
        let checks: Vec<AskedCheck> = calls.checks_of(self.criteria()).into_iter().chain(once_more).collect();
        if checks.is_empty() {
            return self.after_checks();
        }
        let output = match &self.round.merged {
            Some(merged) => merge::text_of(&merged.output),
            None => merge::partial_output(&ordered),
        };
        let handle =
            merge::handle_of(self.manifest.as_ref(), &ordered).filter(|_| self.round.merged.is_some());
        let intents: Vec<&str> = ordered.iter().map(|o| o.subtask.intent.as_str()).collect();
        let words = first_chars(&format!("{}\n{}", self.request, intents.join("\n")), claimed::TOLD_CHARS);
        let subject = calls.subject(output, handle, words);
        self.round.again = again;
        Effect::RunChecks { checks, subject }
    }

    /// Keeps what checks of the task gave; a step whose check does not hold any more has failed.
    fn hear_checks(&mut self, evidence: Vec<CheckEvidence>) {
        let all = self.criteria().len();
        let (of_task, of_steps): (Vec<_>, Vec<_>) = evidence.into_iter().partition(|e| e.criterion < all);
        self.round.checks = of_task;
        for evidence in of_steps {
            if let Some((step, index, _)) = self.round.again.get(evidence.criterion - all).cloned()
                && let Some(outcome) = self.outcomes.get_mut(&step)
            {
                undone::fail(outcome, index, evidence);
            }
        }
    }

    /// With a failed outcome no model is asked. Otherwise it judges what no check decides, unless it already did when
    /// it merged.
    fn after_checks(&mut self) -> Effect {
        let unchecked = verdicts::unchecked(self.criteria());
        if self.round.judged.is_empty() {
            self.round.judged = self.judged_before(&unchecked);
        }
        if self.all_matched() && !unchecked.is_empty() && self.round.judged.is_empty() {
            return self.ask();
        }
        self.conclude()
    }

    /// What R4a said of the task along with its only step; nothing unless it said all that is wanted.
    fn judged_before(&self, unchecked: &[usize]) -> Vec<CriterionVerdict> {
        let [only] = self.ordered()[..] else { return Vec::new() };
        let is_judged = |index: &usize| only.task_verdicts.iter().any(|verdict| verdict.index == *index);
        let is_whole = only.matched() && unchecked.iter().all(is_judged);
        if is_whole { only.task_verdicts.clone() } else { Vec::new() }
    }

    /// The criteria of the task, where this is the only step that counts: who judges it judges them as well.
    pub fn criteria_of_only(&self, subtask: SubtaskId) -> Vec<Criterion> {
        let is_only = |manifest: &&DispatchManifest| {
            manifest.kept.is_empty() && matches!(&manifest.subtasks[..], [only] if only.subtask_id == subtask)
        };
        self.manifest.as_ref().filter(is_only).map(|m| m.task_criteria.clone()).unwrap_or_default()
    }

    fn ask(&mut self) -> Effect {
        let asked = verdicts::unchecked(self.criteria());
        let brief = MergeBrief {
            outcomes: request::shortened(&self.ordered(), self.asker.limits()),
            past: self.past.all().cloned().collect(),
            criteria: self.criteria().to_vec(),
            checks: self.round.checks.clone(),
            asked,
            unsupported: self.unsupported(),
            request: self.request.clone(),
        };
        Effect::AskModel(self.asker.ask(brief))
    }

    /// The calls of every step that counts, and what the others did.
    fn judged_calls(&self) -> JudgedCalls<'_> {
        JudgedCalls::new(self.past.all(), self.outcomes.values().flat_map(|o| o.all_receipts()))
    }

    /// What steps of earlier plans did whose work this one carries on.
    pub fn past_of(&self, step: SubtaskId) -> Vec<Receipt> {
        self.past.of(step)
    }

    /// What steps of earlier plans did and saw whose work this one carries on.
    pub fn work_of(&self, step: SubtaskId) -> Vec<EarlierWork> {
        self.past.work_of(step)
    }

    /// What a verdict may rest on: the calls of every step that counts, what was done before, and the person's words. What a step says is not
    /// among it: the steps' own words are claims here.
    fn proof<T>(&self, look: impl FnOnce(&ProofScene<'_>) -> T) -> T {
        self.proof_by(&self.judged_calls(), look)
    }

    /// The same by these calls.
    fn proof_by<T>(&self, calls: &JudgedCalls<'_>, look: impl FnOnce(&ProofScene<'_>) -> T) -> T {
        let ordered = self.ordered();
        let text = merge::delivered(self.round.merged.as_ref().map(|m| &m.output), &ordered);
        look(&ProofScene {
            receipts: calls.all(),
            checks: &self.round.checks,
            steps: ordered.iter().map(|o| &o.subtask).collect(),
            answer: Some(&text),
            request: &self.request,
            accepted: vec![&self.said_before],
            suite: None,
            reading: Some(artoo_request::read(&self.request)),
        })
    }

    /// What the text that is delivered says and no receipt that counts shows.
    fn unsupported(&self) -> Vec<String> {
        self.unsupported_by(&self.judged_calls())
    }

    /// What it says and no receipt of the task shows, for the person: what an earlier plan saw was seen.
    fn never_shown(&self) -> Vec<String> {
        let own = self.outcomes.values().flat_map(|outcome| outcome.all_receipts());
        self.unsupported_by(&JudgedCalls::new(self.past.seen(), own))
    }

    /// Of a part, the words of the plan around it do not count.
    fn unsupported_by(&self, calls: &JudgedCalls<'_>) -> Vec<String> {
        let parts = || {
            let matched = self.ordered().into_iter().filter(|o| o.matched());
            matched.map(|o| o.output.as_str()).collect::<Vec<_>>().join("\n")
        };
        let text = self.round.merged.as_ref().map_or_else(parts, |merged| merge::text_of(&merged.output));
        self.proof_by(calls, |scene| relevance::unsupported(&text, scene))
    }

    fn hear(&mut self, outcome: ModelOutcome) -> Effect {
        let asked = verdicts::unchecked(self.criteria());
        let merging = self.round.merged.is_none();
        match self.asker.read::<MergeReply>(outcome) {
            ReplyOutcome::AskAgain(request) => return Effect::AskModel(request),
            ReplyOutcome::Failed(failed) => {
                let why = format!("it could not be judged: {}", failed.message);
                let class = lesson(Shortfall::Unjudged);
                // Without a merged output nothing about it is known: checks on it cannot pass either.
                let doubtful = if merging { (0..self.criteria().len()).collect() } else { asked };
                let mut failed = Vec::new();
                for index in doubtful {
                    if let Some(criterion) = self.criteria().get(index) {
                        failed.push(verdicts::fail(index, criterion, class, None, &why));
                    }
                }
                self.round.judged = failed;
                return self.conclude();
            }
            ReplyOutcome::Reply(reply) => {
                let evidence = merge::evidence(&self.ordered(), &self.past, &self.round.checks);
                let mut judged = verdicts::from_model(self.criteria(), &asked, &reply.verdicts, &evidence);
                lessons::classify(&mut judged, self.judged_calls().own());
                self.round.judged = judged;
                if merging {
                    let summary = first_chars(&reply.summary, 2_000);
                    // A model that forgot the output gets it from code: nothing delivered is no result.
                    let output = if reply.merged_output.is_null() {
                        Value::String(merge::partial_output(&self.ordered()))
                    } else {
                        reply.merged_output
                    };
                    self.round.merged = Some(MergedOutput { output, summary });
                } else if let Some(merged) = &mut self.round.merged
                    && !reply.summary.trim().is_empty()
                {
                    merged.summary = first_chars(&reply.summary, 2_000);
                }
            }
        }
        if merging { self.run_checks() } else { self.conclude() }
    }

    fn conclude(&mut self) -> Effect {
        let verdicts = self.task_verdicts();
        for verdict in &verdicts {
            if let Some(times) = self.history.get_mut(verdict.index) {
                times.judged += 1;
                times.failed += u32::from(!verdict.passed());
            }
        }
        let outcomes: Vec<SubTaskOutcome> = self.ordered().into_iter().cloned().collect();
        let not_in_receipts = self.never_shown();
        let complete =
            verdicts.len() == self.criteria().len() && verdicts.iter().all(CriterionVerdict::passed);
        // Where every step matched and nothing of the whole did, what they deliver is no more than what was said.
        let is_all_rejected = self.all_matched()
            && self.round.merged.is_some()
            && !verdicts.iter().any(CriterionVerdict::passed);
        match self.round.merged.clone() {
            Some(merged) if complete && self.all_matched() => Effect::Summarise(OutcomeSummary {
                task_id: self.task_id,
                merged_output: merged.output,
                summary: merged.summary,
                outcomes,
                task_verdicts: verdicts,
                task_history: self.history.clone(),
                task_criteria: self.criteria().to_vec(),
                not_in_receipts,
            }),
            _ => Effect::Replan(ReplanRequest {
                task_id: self.task_id,
                failed_outcomes: outcomes
                    .iter()
                    .filter(|o| o.status == OutcomeStatus::Failed)
                    .map(|o| o.subtask_id)
                    .collect(),
                gap_summary: merge::gap_summary(&outcomes, &verdicts),
                partial_output: match is_all_rejected {
                    true => String::new(),
                    false => merge::partial_output(&self.ordered()),
                },
                unverified_output: merge::unverified_output(&self.ordered(), &self.request, is_all_rejected),
                task_verdicts: verdicts,
                task_history: self.history.clone(),
                task_criteria: self.criteria().to_vec(),
                outcomes,
                not_in_receipts,
            }),
        }
    }

    /// Verdicts of checks and of the model; of two on one criterion the model's failure to judge counts.
    fn task_verdicts(&self) -> Vec<CriterionVerdict> {
        let mut verdicts = self.round.judged.clone();
        for evidence in &self.round.checks {
            let known = verdicts.iter().any(|v| v.index == evidence.criterion);
            if let Some(criterion) = self.criteria().get(evidence.criterion).filter(|_| !known) {
                verdicts.push(verdicts::from_check(criterion, evidence));
            }
        }
        verdicts.sort_by_key(|v| v.index);
        self.proof(|scene| {
            relevance::hold(&mut verdicts, self.criteria(), scene);
            if self.all_matched() {
                relevance::veto(&mut verdicts, self.criteria(), scene);
            }
        });
        if self.is_cut_short() {
            for verdict in verdicts.iter_mut().filter(|v| !v.passed()) {
                verdict.failure_class = lesson(Shortfall::Unreached);
            }
        }
        verdicts
    }

    /// Whether steps failed and none of them for the approach or the surroundings: then what the task lacks is their
    /// consequence.
    fn is_cut_short(&self) -> bool {
        let mut failed = self.outcomes.values().filter(|o| o.status == OutcomeStatus::Failed).peekable();
        failed.peek().is_some()
            && failed.all(|o| o.criteria_verdicts.iter().all(|v| v.passed() || v.failure_class.is_none()))
    }

    fn criteria(&self) -> &[Criterion] {
        self.manifest.as_ref().map(|m| m.task_criteria.as_slice()).unwrap_or_default()
    }

    /// Outcomes in the order of rounds, sequence numbers and plan.
    fn ordered(&self) -> Vec<&SubTaskOutcome> {
        let mut outcomes: Vec<&SubTaskOutcome> = self.outcomes.values().collect();
        outcomes.sort_by_key(|o| (o.subtask.sequence, o.subtask.round, o.subtask.ordinal));
        outcomes
    }
}
