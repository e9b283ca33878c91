//! R4a Agent-Validator: sensor and controller of the fast loop.
//! Receives   SubTask, ExecutionResult; check evidence, model replies, receipts of its own looks
//! Produces   CorrectionSignal, SubTaskOutcome
//! May        have checks evaluated, ask a model, look for itself where nobody need be asked
//! Does NOT   act, judge the whole task, write memory

use artoo_types::Timestamp;
use artoo_types::brief::JudgeBrief;
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::criteria::{Criterion, CriterionVerdict};
use artoo_types::envelope::Role;
use artoo_types::evidence::{CallEnd, CheckEvidence, Receipt};
use artoo_types::lesson::{AttemptEnd, Shortfall, lesson};
use artoo_types::limits::PromptLimits;
use artoo_types::machine::{AskedCheck, CheckSubject};
use artoo_types::outcome::{
    AttemptRecord, CorrectionSignal, Denial, ExecutionResult, ExecutionStatus, GapPoint, OutcomeStatus,
    SubTaskOutcome,
};
use artoo_types::plan::SubTask;
use artoo_types::reply::{CorrectionReply, SchemaName, VerdictsReply};
use artoo_types::text::first_chars;

use crate::ask::{Asker, ReplyOutcome};
use crate::claimed;
use crate::lessons;
use crate::past::JudgedCalls;
use crate::verdicts::{self, Citable, CitableEvidence};
use artoo_relevance::{self as relevance, ProofScene};

mod attempt;
mod looks;
mod request;
mod task;
#[cfg(test)]
mod tests;

use attempt::{class_of, gap_point, told, unmet_words};
use looks::OwnLooks;
use task::TaskShare;

/// What reaches an agent-validator.
#[derive(Debug, Clone)]
pub enum Input {
    /// The person's words and what was said before, which need no receipt. They come before the subtask.
    Request(String),
    /// What the person wants, and the criteria of the whole task where its plan has no other step. They are judged in the
    /// same call.
    Task {
        /// The person's words.
        request: String,
        /// The criteria of the task; empty where another step shares in them.
        criteria: Vec<Criterion>,
        /// What steps of earlier plans did to the world, whose work this one carries on.
        past: Vec<Receipt>,
        /// The command that runs the tests of the place, where that says so itself.
        suite: Option<String>,
    },
    /// The subtask that it watches.
    Assigned(SubTask),
    /// An attempt ended.
    Result(ExecutionResult),
    /// Checks were evaluated.
    Checked(Vec<CheckEvidence>),
    /// A model call ended.
    Model(ModelOutcome),
    /// A look of its own ended.
    Looked(Receipt),
    /// How the last denied action was denied; it comes before the result.
    Denied(Denial),
}

/// What an agent-validator can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Have checks evaluated.
    RunChecks {
        /// The checks.
        checks: Vec<AskedCheck>,
        /// What they are about.
        subject: CheckSubject,
    },
    /// Ask a model.
    AskModel(ChatRequest),
    /// See for itself. What may not run unasked does not run.
    Look {
        /// The tool.
        tool: String,
        /// Arguments as JSON text with sorted keys.
        arguments: String,
    },
    /// Ask the executor to try again.
    Correct(CorrectionSignal),
    /// Publish the final word.
    Conclude(SubTaskOutcome),
}

/// The validator of one subtask.
#[derive(Debug, Clone)]
pub struct AgentValidator {
    asker: Asker,
    max_retries: u32,
    request: String,
    subtask: Option<SubTask>,
    result: Option<ExecutionResult>,
    checks: Vec<CheckEvidence>,
    trajectory: Vec<GapPoint>,
    /// The attempts before the one that is judged, with all that their calls put out.
    earlier: Vec<AttemptRecord>,
    /// What steps of earlier plans did, whose work this one carries on.
    past: Vec<Receipt>,
    tool_calls: Vec<String>,
    denied: Option<Denial>,
    task: TaskShare,
    /// What it looks at itself.
    looks: OwnLooks,
}

impl AgentValidator {
    /// A validator that asks for at most `max_retries` corrections.
    pub fn new(max_retries: u32) -> Self {
        let system = include_str!("agent_validator/prompt.md").trim_ascii_end();
        Self {
            asker: Asker::new(Role::AgentValidator, Tier::Tool, SchemaName::Verdicts, system),
            max_retries,
            request: String::new(),
            subtask: None,
            result: None,
            checks: Vec::new(),
            trajectory: Vec::new(),
            earlier: Vec::new(),
            past: Vec::new(),
            tool_calls: Vec::new(),
            denied: None,
            task: TaskShare::default(),
            looks: OwnLooks::default(),
        }
    }

    /// The same, which looks for itself, or does not.
    #[must_use]
    pub fn looking(mut self, may_look: bool) -> Self {
        self.looks.may_look = may_look;
        self
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
            Input::Request(words) => {
                self.request = words;
                Vec::new()
            }
            Input::Task { request, criteria, past, suite } => {
                self.task = TaskShare::new(request, criteria);
                self.looks.suite = suite;
                self.past = past;
                Vec::new()
            }
            Input::Assigned(subtask) => {
                self.subtask = Some(subtask);
                Vec::new()
            }
            Input::Denied(denial) => {
                self.denied = Some(denial);
                Vec::new()
            }
            Input::Result(result) => self.begin(result),
            Input::Checked(evidence) => {
                self.checks = evidence;
                vec![self.after_checks()]
            }
            Input::Model(outcome) => vec![self.hear(outcome)],
            Input::Looked(receipt) => vec![self.look(receipt)],
        }
    }

    fn begin(&mut self, result: ExecutionResult) -> Vec<Effect> {
        self.tool_calls.extend(result.tool_calls.iter().cloned());
        self.checks.clear();
        self.task.forget();
        let over = result.status == ExecutionStatus::Failed || result.infrastructure.is_some();
        self.result = Some(result);
        if over {
            return vec![self.end_at_once()];
        }
        let reruns =
            if self.looks.may_look { relevance::reruns(&self.scene(), self.criteria()) } else { Vec::new() };
        self.looks.begin(reruns);
        vec![self.rerun_or_check()]
    }

    /// Tests are run again where their run does not show what is said of them; then checks see what is so now.
    fn rerun_or_check(&mut self) -> Effect {
        if let Some(rerun) = self.looks.next_rerun() {
            return rerun;
        }
        let checks = self.judged_calls().checks_of(self.criteria());
        if checks.is_empty() {
            return self.after_checks();
        }
        Effect::RunChecks { checks, subject: self.subject() }
    }

    fn look(&mut self, receipt: Receipt) -> Effect {
        let is_models = self.looks.note(&receipt);
        if let Some(result) = self.result.as_mut().filter(|_| receipt.end == CallEnd::Ran) {
            result.receipts.push(receipt);
        }
        match is_models {
            true => self.looks.next_wanted().unwrap_or_else(|| self.after_checks()),
            false => self.rerun_or_check(),
        }
    }

    fn subject(&self) -> CheckSubject {
        let result = self.result.as_ref();
        let output = result.map(|r| r.output.clone()).unwrap_or_default();
        let intent = self.subtask.as_ref().map_or("", |subtask| subtask.intent.as_str());
        // A number that the person said is no invention of the answer's.
        let words = first_chars(&format!("{intent}\n{}", self.request), claimed::TOLD_CHARS);
        let handle = result.and_then(|r| r.handle.clone());
        self.judged_calls().subject(output, handle, words)
    }

    /// The model judges what no check decides; without such criteria no model is asked.
    fn after_checks(&mut self) -> Effect {
        let asked = verdicts::unchecked(self.criteria());
        let task_asked = self.task.asked(self.criteria());
        let checked = self.checked_verdicts();
        // What fails by a check is corrected first: the rest is judged when there is something to accept.
        if asked.is_empty() && (task_asked.is_empty() || !checked.iter().all(CriterionVerdict::passed)) {
            return self.aggregate(checked, None);
        }
        let Some((subtask, result)) = self.subtask.as_ref().zip(self.result.as_ref()) else {
            return self.end_at_once();
        };
        let brief = JudgeBrief {
            subtask: subtask.clone(),
            result: result.clone(),
            checks: self.checks.clone(),
            earlier: told(&self.earlier),
            past: self.past.clone(),
            asked,
            request: self.task.request.clone(),
            task_criteria: self.task.criteria.clone(),
            task_asked,
            unsupported: relevance::unsupported(
                result.answer.as_ref().map_or("", |_| &result.output),
                &self.scene(),
            ),
        };
        Effect::AskModel(self.asker.ask(brief))
    }

    /// What a verdict may rest on: the calls of all attempts, what the step carries on, and what the person said or earlier steps found.
    fn scene(&self) -> ProofScene<'_> {
        let words = self.result.as_ref().filter(|r| r.answer.is_some()).map(|r| r.output.as_str());
        let prior = self.subtask.iter().flat_map(|s| &s.prior_outputs).map(|p| p.output.as_str());
        ProofScene {
            receipts: self.judged_calls().all(),
            checks: &self.checks,
            steps: self.subtask.iter().collect(),
            answer: words,
            request: &self.request,
            accepted: prior.collect(),
            suite: self.looks.suite.as_deref(),
            reading: None,
        }
    }

    /// The calls of every attempt so far, and what the step carries on.
    fn judged_calls(&self) -> JudgedCalls<'_> {
        let earlier = self.earlier.iter().flat_map(|attempt| &attempt.receipts);
        let own = earlier.chain(self.result.iter().flat_map(|r| &r.receipts));
        JudgedCalls::new(self.past.iter(), own)
    }

    fn hear(&mut self, outcome: ModelOutcome) -> Effect {
        if let Some(look) = self.looks.want(&outcome) {
            return look;
        }
        match self.asker.read::<VerdictsReply>(outcome) {
            ReplyOutcome::AskAgain(request) => Effect::AskModel(request),
            ReplyOutcome::Failed(failed) => {
                let mut verdicts = self.checked_verdicts();
                if verdicts.len() == self.criteria().len() {
                    return self.aggregate(verdicts, None);
                }
                let why = format!("it could not be judged: {}", failed.message);
                for index in verdicts::unchecked(self.criteria()) {
                    if let Some(criterion) = self.criteria().get(index) {
                        let class = lesson(Shortfall::Unjudged);
                        verdicts.push(verdicts::fail(index, criterion, class, None, &why));
                    }
                }
                self.conclude(OutcomeStatus::Failed, verdicts, Some(why))
            }
            ReplyOutcome::Reply(reply) => {
                let asked = verdicts::unchecked(self.criteria());
                let mut judged =
                    verdicts::from_model(self.criteria(), &asked, &reply.verdicts, &self.evidence());
                lessons::classify(&mut judged, self.judged_calls().own());
                let (own, evidence) = (self.criteria().to_vec(), self.evidence());
                self.task.hear(&own, &reply.task_verdicts, &evidence);
                let mut verdicts = self.checked_verdicts();
                verdicts.extend(judged);
                self.aggregate(verdicts, reply.correction)
            }
        }
    }

    /// All pass: matched. Else another attempt, while there is one; after a denial there is none, for the attempt had its
    /// chance to go another way.
    fn aggregate(&mut self, mut verdicts: Vec<CriterionVerdict>, advice: Option<CorrectionReply>) -> Effect {
        verdicts.sort_by_key(|v| v.index);
        if let Some(why) = &self.looks.refuted {
            relevance::refute(&mut verdicts, self.criteria(), why);
        }
        relevance::hold(&mut verdicts, self.criteria(), &self.scene());
        if self.task.is_all() {
            let reading = Some(artoo_request::read(&self.task.request));
            let scene = ProofScene { request: &self.task.request, reading, ..self.scene() };
            relevance::veto(&mut verdicts, self.criteria(), &scene);
        }
        if verdicts.iter().all(CriterionVerdict::passed) {
            return self.conclude(OutcomeStatus::Matched, verdicts, None);
        }
        let attempt = self.result.as_ref().map_or(1, |r| r.attempt);
        if attempt > self.max_retries || self.denied.is_some() {
            let why = unmet_words(&verdicts);
            return self.conclude(OutcomeStatus::Failed, verdicts, Some(why));
        }
        let class = class_of(&verdicts);
        let advice = advice.unwrap_or_else(|| CorrectionReply {
            what_was_wrong: unmet_words(&verdicts),
            what_to_do: "mend what is unmet; what is right may stay as it is".to_owned(),
        });
        self.trajectory.push(gap_point(attempt, &verdicts));
        let receipts = self.result.take().map(|result| result.receipts).unwrap_or_default();
        self.earlier.push(AttemptRecord { attempt, verdicts, receipts });
        let Some(subtask) = &self.subtask else { return self.end_at_once() };
        Effect::Correct(CorrectionSignal {
            subtask_id: subtask.subtask_id,
            attempt: attempt + 1,
            what_was_wrong: first_chars(&advice.what_was_wrong, 1_000),
            what_to_do: first_chars(&advice.what_to_do, 1_000),
            failure_class: class,
            prior_calls: self.tool_calls.clone(),
        })
    }

    /// A failed, broken or denied attempt ends the loop without a judgement.
    fn end_at_once(&mut self) -> Effect {
        let result = self.result.as_ref();
        let why = result.map_or_else(|| "no result".to_owned(), |r| r.output.clone());
        let last = lessons::last_call(self.judged_calls().own());
        let class = lesson(Shortfall::Ended { end: self.attempt_end(), last });
        let cites = result.and_then(|r| r.receipts.last()).map(|r| r.id.clone());
        let words = first_chars(&why, 500);
        let verdicts = self
            .criteria()
            .iter()
            .enumerate()
            .map(|(i, c)| verdicts::fail(i, c, class, cites.clone(), &words))
            .collect();
        self.conclude(OutcomeStatus::Failed, verdicts, Some(words))
    }

    /// How the attempt ended that is not judged.
    fn attempt_end(&self) -> AttemptEnd {
        let result = self.result.as_ref();
        if self.denied.is_some() || result.is_some_and(|r| r.receipts.iter().any(|r| r.end.was_not_allowed()))
        {
            return AttemptEnd::Denied;
        }
        let unsaid = match result.is_none_or(|r| r.infrastructure.is_some()) {
            true => AttemptEnd::NoModel,
            false => AttemptEnd::GaveUp,
        };
        result.and_then(|r| r.end).unwrap_or(unsaid)
    }

    fn conclude(
        &mut self,
        status: OutcomeStatus,
        verdicts: Vec<CriterionVerdict>,
        failure_reason: Option<String>,
    ) -> Effect {
        let attempt = self.result.as_ref().map_or(1, |r| r.attempt);
        self.trajectory.push(gap_point(attempt, &verdicts));
        let of_task = match status {
            OutcomeStatus::Matched => self.task.verdicts(self.criteria(), &verdicts),
            OutcomeStatus::Failed | OutcomeStatus::NotRun => Vec::new(),
        };
        let result = self.result.take();
        let subtask =
            self.subtask.clone().expect("the machine assigns a subtask before it delivers a result");
        Effect::Conclude(SubTaskOutcome {
            subtask_id: subtask.subtask_id,
            parent_task_id: subtask.parent_task_id,
            status,
            output: result.as_ref().map(|r| r.output.clone()).unwrap_or_default(),
            handle: result.as_ref().and_then(|r| r.handle.clone()),
            failure_reason,
            gap_trajectory: self.trajectory.clone(),
            criteria_verdicts: verdicts,
            task_verdicts: of_task,
            tool_calls: self.tool_calls.clone(),
            receipts: result.map(|r| r.receipts).unwrap_or_default(),
            earlier: told(&self.earlier),
            denied: self.denied,
            subtask,
        })
    }

    fn criteria(&self) -> &[Criterion] {
        self.subtask.as_ref().map(|s| s.success_criteria.as_slice()).unwrap_or_default()
    }

    fn checked_verdicts(&self) -> Vec<CriterionVerdict> {
        let criteria = self.criteria();
        let mut verdicts: Vec<CriterionVerdict> = Vec::new();
        for (index, criterion) in criteria.iter().enumerate().filter(|(_, c)| c.check.is_some()) {
            match self.checks.iter().find(|c| c.criterion == index) {
                Some(evidence) => {
                    let mut verdict = verdicts::from_check(criterion, evidence);
                    if let Some(said) = self.failed_call().filter(|_| !verdict.passed()) {
                        verdict.evidence.push_str(&said);
                    }
                    verdicts.push(verdict);
                }
                None => {
                    verdicts.push(verdicts::fail(
                        index,
                        criterion,
                        None,
                        None,
                        "its check was not evaluated",
                    ));
                }
            }
        }
        verdicts
    }

    /// What the last call said, when it failed: the cause that a person looks for.
    fn failed_call(&self) -> Option<String> {
        let last = self.result.as_ref()?.receipts.last().filter(|r| r.call_failed())?;
        let said = first_chars(last.output.trim(), 160).replace('\n', " ");
        (!said.is_empty()).then(|| format!("; {} said: {said}", last.blame))
    }

    fn evidence(&self) -> CitableEvidence {
        let mut evidence = CitableEvidence::new();
        for check in &self.checks {
            evidence.insert(check.id.0.clone(), (check.id.clone(), Citable::Record));
        }
        // What was not done shows nothing of what was asked for.
        for receipt in self.judged_calls().all().into_iter().filter(|r| !r.end.was_not_allowed()) {
            evidence.insert(receipt.id.0.clone(), (receipt.id.clone(), Citable::Record));
        }
        if let Some(id) = self.result.as_ref().and_then(|result| result.answer.as_ref()) {
            evidence.insert(id.0.clone(), (id.clone(), Citable::Answer));
        }
        evidence
    }
}
