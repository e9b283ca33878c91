//! The machine: what comes in, and how it is turned over until it is quiet.

use std::collections::{BTreeMap, VecDeque};

use artoo_bus::{Bus, Posted};
use artoo_control::{Solver, Spent};
use artoo_roles::dispatcher::Dispatcher;
use artoo_roles::meta_validator::MetaValidator;
use artoo_roles::perceiver::Perceiver;
use artoo_roles::planner::Planner;
use artoo_types::chat::{
    ChatRequest, ModelCallFinished, ModelCallStarted, ModelFailureKind, ModelOutcome, TaskUsage,
};
use artoo_types::envelope::Role;
use artoo_types::evidence::{CheckEvidence, Receipt};
use artoo_types::limits::{MAX_SUBTASKS, TOOL_CALL_SNIPPET_CHARS};
use artoo_types::machine::{StepOutput, TaskEffect, TaskInput};
use artoo_types::memory::MemoryReply;
use artoo_types::setting::TaskSetting;
use artoo_types::taint::Taint;
use artoo_types::task::{ClarificationAnswer, StopCause, TaskSubmitted};
use artoo_types::text::first_chars;
use artoo_types::tool::{ToolCall, ToolCallFinished};
use artoo_types::{EffectId, Message, SubtaskId, TaskId, Timestamp};

use crate::fast_loop::FastLoop;
use crate::pending::{Caller, Pending, PendingEffects};
use crate::questions::Questions;

/// Deliveries in one step. A full plan makes a handful for each of its subtasks; the bound is far above that, and
/// reaching it means that two roles answer each other without end.
const MAX_DELIVERIES: usize = MAX_SUBTASKS * 64;

/// One task.
#[derive(Debug, Clone)]
pub struct TaskMachine {
    pub(crate) task_id: TaskId,
    pub(crate) bus: Bus,
    pub(crate) round: u32,
    pub(crate) running: Option<Running>,
    pub(crate) pending: PendingEffects,
    pub(crate) questions: Questions,
    pub(crate) usage: TaskUsage,
    pub(crate) model_calls: u64,
    pub(crate) stopping: Option<Stopping>,
    pub(crate) finished: bool,
    /// What the task has taken in. It only grows, and comes back with the fold.
    pub(crate) taint: Taint,
    /// The clock reading of the last step: what passes between it and a restart is nobody's time.
    pub(crate) last_step_at: Timestamp,
    /// Restarts since the task last got further.
    pub(crate) restarts: u32,
    /// Posted envelopes that wait for delivery within the current step.
    pub(crate) queue: VecDeque<Posted>,
    pub(crate) out: StepOutput,
}

/// The roles, from the first input on.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    pub(crate) setting: TaskSetting,
    pub(crate) submitted: TaskSubmitted,
    pub(crate) started_at: Timestamp,
    pub(crate) perceiver: Perceiver,
    pub(crate) planner: Planner,
    pub(crate) dispatcher: Dispatcher,
    pub(crate) loops: BTreeMap<SubtaskId, FastLoop>,
    pub(crate) meta: MetaValidator,
    pub(crate) solver: Solver,
}

/// The task is being stopped from outside the control loop.
#[derive(Debug, Clone)]
pub(crate) struct Stopping {
    pub(crate) cause: StopCause,
    pub(crate) detail: String,
}

impl TaskMachine {
    /// A task that has not begun.
    pub fn new(task_id: TaskId) -> Self {
        Self {
            task_id,
            bus: Bus::new(Some(task_id), 1),
            round: 0,
            running: None,
            pending: PendingEffects::default(),
            questions: Questions::default(),
            usage: TaskUsage::default(),
            model_calls: 0,
            stopping: None,
            finished: false,
            taint: Taint::NONE,
            last_step_at: Timestamp::default(),
            restarts: 0,
            queue: VecDeque::new(),
            out: StepOutput::default(),
        }
    }

    /// Whether its FinalResult is published.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Takes one input, lets the roles talk until they are quiet, and returns what was published and what is wanted.
    /// The first input must be the submission. Inputs after the end, and late completions, change nothing.
    pub fn step(&mut self, now: Timestamp, input: TaskInput) -> StepOutput {
        if !self.finished {
            self.take(now, input);
            self.settle(now);
            self.end_if_stuck(now);
            self.last_step_at = now;
        }
        std::mem::take(&mut self.out)
    }

    fn take(&mut self, now: Timestamp, input: TaskInput) {
        if input.is_progress() {
            self.restarts = 0;
        }
        match input {
            TaskInput::Submitted { submitted, setting } => self.begin(now, submitted, *setting),
            TaskInput::ModelFinished { effect_id, outcome } => self.model_finished(now, effect_id, outcome),
            TaskInput::ToolHeld { effect_id, question } => self.tool_held(now, effect_id, question),
            TaskInput::ToolStarting { effect_id, intent } => self.tool_starting(effect_id, intent),
            TaskInput::ToolInterrupted { effect_id, question } => {
                self.tool_interrupted(now, effect_id, question);
            }
            TaskInput::ToolFinished { effect_id, receipt } => self.tool_finished(now, effect_id, *receipt),
            TaskInput::ChecksFinished { effect_id, evidence } => {
                self.checks_finished(now, effect_id, evidence);
            }
            TaskInput::MemoryAnswered { effect_id, reply } => self.memory_answered(now, effect_id, reply),
            TaskInput::Confirmed { confirmation_id, approved, remember_for_task } => {
                self.confirmed(now, confirmation_id, approved, remember_for_task);
            }
            TaskInput::Clarified { answer } => self.clarified(now, answer, false),
            TaskInput::Stop { cause, detail } => self.stop(now, cause, detail),
            TaskInput::Stopped { survivors } => self.stopped(now, &survivors),
            TaskInput::Wake => self.wake(now),
            TaskInput::Resumed { .. } => self.resumed(now),
        }
    }

    fn begin(&mut self, now: Timestamp, submitted: TaskSubmitted, setting: TaskSetting) {
        if self.running.is_some() {
            return;
        }
        for pair in &setting.session {
            self.take_in(pair.taint);
        }
        let directory = submitted.working_directory.clone();
        self.running = Some(Running {
            started_at: now,
            perceiver: Perceiver::new(self.task_id, &setting),
            planner: Planner::new(self.task_id, &setting, &directory),
            dispatcher: Dispatcher::default(),
            loops: BTreeMap::new(),
            meta: MetaValidator::new(self.task_id),
            solver: Solver::new(self.task_id, &setting, &directory, now),
            submitted: submitted.clone(),
            setting,
        });
        self.out.effects.push(TaskEffect::WakeAt { at: self.deadline(now) });
        self.publish(now, Role::User, Role::Perceiver, submitted.into());
    }

    /// Numbers the message, records it, and queues it for delivery.
    pub(crate) fn publish(&mut self, now: Timestamp, from: Role, to: Role, payload: Message) {
        let posted = self.bus.publish(now, self.round, from, to, payload);
        self.out.envelopes.push(posted.envelope.clone());
        self.queue.push_back(posted);
    }

    fn settle(&mut self, now: Timestamp) {
        for _ in 0..MAX_DELIVERIES {
            let Some(posted) = self.queue.pop_front() else { return };
            if !posted.receivers.is_empty() {
                self.deliver(now, &posted.receivers, &posted.envelope.payload);
            }
        }
        self.queue.clear();
        self.stop(now, StopCause::Internal, format!("more than {MAX_DELIVERIES} messages in one step"));
    }

    /// A task with nothing under way, no open question and no end would wait for ever. That is a bug of ours, and the
    /// person hears of it.
    fn end_if_stuck(&mut self, now: Timestamp) {
        let waits = !self.pending.is_empty() || self.questions.is_open() || self.stopping.is_some();
        if !self.finished && !waits && self.running.is_some() {
            self.stop(now, StopCause::Internal, "the task had nothing left to do and no result".to_owned());
        }
    }

    /// Asks a model for a role.
    pub(crate) fn call_model(&mut self, now: Timestamp, caller: Caller, request: ChatRequest) {
        if self.over_token_ceiling() {
            // What has been answered still counts; only another question is too much.
            self.stop(now, StopCause::TokenCeiling, format!("{} tokens were used", self.usage.tokens()));
            return;
        }
        let effect_id = self.pending.next_id();
        self.model_calls += 1;
        let call = self.model_calls;
        let started = ModelCallStarted {
            call,
            role: caller.role(),
            subtask_id: caller.subtask(),
            prompt_chars: request.messages.iter().map(|m| m.content.chars().count()).sum(),
            repair: request.messages.len() > 2,
        };
        self.publish(now, Role::Runtime, caller.role(), started.into());
        self.pending.open(effect_id, Pending::Model { caller, call, request: request.clone() });
        self.out.effects.push(TaskEffect::CallModel { effect_id, request });
    }

    fn model_finished(&mut self, now: Timestamp, effect_id: EffectId, outcome: ModelOutcome) {
        let Some(Pending::Model { caller, call, .. }) = self.pending.close(effect_id) else { return };
        let finished = model_call_finished(caller, call, &outcome);
        let usage = self.usage.roles.entry(caller.role()).or_default();
        usage.calls += 1;
        usage.prompt_tokens += finished.usage.prompt.unwrap_or(0);
        usage.completion_tokens += finished.usage.completion.unwrap_or(0);
        usage.elapsed_ms += finished.elapsed_ms;
        self.publish(now, Role::Runtime, caller.role(), finished.into());
        match gone(&outcome) {
            // The perceiver and the planner say so themselves; for the others another round would meet the same silence.
            Some(why) if !matches!(caller, Caller::Perceiver | Caller::Planner) => {
                self.stop(now, StopCause::ModelUnavailable, why);
            }
            Some(_) | None => self.hear(now, caller, outcome),
        }
    }

    fn over_token_ceiling(&self) -> bool {
        let ceiling = self.running.as_ref().and_then(|r| r.setting.max_tokens);
        ceiling.is_some_and(|max| self.usage.tokens() > max)
    }

    /// Ends a tool call: its receipt becomes evidence, and the executor goes on.
    pub(crate) fn tool_finished(&mut self, now: Timestamp, effect_id: EffectId, receipt: Receipt) {
        let Some(Pending::Tool { call, .. }) = self.pending.close(effect_id) else { return };
        self.usage.tool_calls += 1;
        self.take_in(receipt.taint);
        let finished = ToolCallFinished {
            effect_id,
            subtask_id: call.subtask_id,
            receipt: receipt.id.clone(),
            tool: receipt.tool.clone(),
            target: receipt.target.clone(),
            effect: receipt.effect,
            end: receipt.end,
            exit: receipt.exit,
            output: first_chars(&receipt.output, TOOL_CALL_SNIPPET_CHARS),
            elapsed_ms: receipt.elapsed_ms,
            taint: receipt.taint,
        };
        self.publish(now, Role::Runtime, Role::Executor, finished.into());
        self.give_receipt(now, call.subtask_id, receipt);
    }

    fn checks_finished(&mut self, now: Timestamp, effect_id: EffectId, evidence: Vec<CheckEvidence>) {
        let Some(Pending::Checks { caller, .. }) = self.pending.close(effect_id) else { return };
        self.give_checks(now, caller, evidence);
    }

    fn memory_answered(&mut self, now: Timestamp, effect_id: EffectId, reply: MemoryReply) {
        if let Some(Pending::Memory(_)) = self.pending.close(effect_id) {
            self.take_in(of_memory(&reply));
            self.publish(now, Role::Memory, Role::Planner, reply.into());
        }
    }

    pub(crate) fn clarified(&mut self, now: Timestamp, answer: String, assumed: bool) {
        if self.questions.clarified(now) {
            self.set_deadline_again(now);
            let answer = ClarificationAnswer { answer, assumed };
            self.publish(now, Role::User, Role::Perceiver, answer.into());
        }
    }

    /// The task takes something in. From the moment at which it holds both kinds, what a person allowed for the rest of
    /// the task counts no more: they did not know this then.
    pub(crate) fn take_in(&mut self, taint: Taint) {
        let before = self.taint;
        self.taint |= taint;
        if self.taint.is_both() && !before.is_both() {
            self.questions.forget_approvals();
        }
    }

    /// The call with what the task has taken in by now: it may have waited while others brought something.
    pub(crate) fn as_of_now(&self, call: &ToolCall) -> ToolCall {
        ToolCall { taint: self.taint, ..call.clone() }
    }

    /// What the controller measures cost by.
    pub(crate) fn spent(&self, now: Timestamp) -> Spent {
        let started_at = self.running.as_ref().map_or(now, |r| r.started_at);
        let mut usage = self.usage.clone();
        usage.elapsed_ms = now.since_ms(started_at);
        Spent { waited_ms: self.questions.waited_ms(now), usage, taint: self.taint }
    }
}

/// What recalled memories bring: one that was written by a task with text of strangers may repeat such text.
fn of_memory(reply: &MemoryReply) -> Taint {
    let recalled = reply.entries.iter().flat_map(|entry| &entry.top);
    Taint { untrusted: recalled.into_iter().any(|megram| megram.tainted), private: false }
}

/// Why no further call can succeed, when that is what the outcome says.
fn gone(outcome: &ModelOutcome) -> Option<String> {
    match outcome {
        ModelOutcome::Failure(failure) if failure.kind == ModelFailureKind::Unreachable => {
            Some(failure.message.clone())
        }
        ModelOutcome::Failure(_) | ModelOutcome::Reply(_) => None,
    }
}

fn model_call_finished(caller: Caller, call: u64, outcome: &ModelOutcome) -> ModelCallFinished {
    let (role, subtask_id) = (caller.role(), caller.subtask());
    match outcome {
        ModelOutcome::Reply(reply) => ModelCallFinished {
            call,
            role,
            subtask_id,
            model: reply.model.clone(),
            usage: reply.usage,
            elapsed_ms: reply.elapsed_ms,
            attempts: reply.attempts,
            failure: None,
        },
        ModelOutcome::Failure(failure) => ModelCallFinished {
            call,
            role,
            subtask_id,
            model: String::new(),
            usage: artoo_types::chat::Usage::default(),
            elapsed_ms: failure.elapsed_ms,
            attempts: failure.attempts,
            failure: Some(failure.message.clone()),
        },
    }
}
