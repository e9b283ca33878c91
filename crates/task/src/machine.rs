//! The machine: what comes in, and how it is turned over until it is quiet.

use std::collections::{BTreeMap, VecDeque};

use artoo_bus::{Bus, Posted};
use artoo_control::{Solver, Spending};
use artoo_roles::dispatcher::Dispatcher;
use artoo_roles::meta_validator::MetaValidator;
use artoo_roles::perceiver::Perceiver;
use artoo_roles::planner::{self, Planner};
use artoo_types::chat::{ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome};
use artoo_types::envelope::Role;
use artoo_types::evidence::{CheckEvidence, Receipt};
use artoo_types::limits::{MAX_RESTARTS, MAX_SUBTASKS, TOOL_CALL_SNIPPET_CHARS};
use artoo_types::machine::{HeldCall, Intent, StepOutput, TaskEffect, TaskInput};
use artoo_types::memory::MemoryReply;
use artoo_types::reply::SchemaName;
use artoo_types::setting::TaskSetting;
use artoo_types::taint::Taint;
use artoo_types::task::{ClarificationAnswer, StopCause, TaskCancelled, TaskSubmitted};
use artoo_types::text::first_chars;
use artoo_types::tool::{PersonsWord, ToolCall, ToolCallFinished};
use artoo_types::{EffectId, Message, SubtaskId, TaskId, Timestamp};

use crate::baseline::Baseline;
use crate::fast_loop::FastLoop;
use crate::pending::{Caller, Pending, PendingEffects, ran_again};
use crate::questions::{AskReason, Questions};
use crate::usage::UsageMeter;
use crate::waiting::{AfterFailure, ModelWaits, WaitingCall};

/// Deliveries in one step. A full plan makes a handful for each of its subtasks; the bound is far above that, and
/// reaching it means that two roles answer each other without end.
const MAX_DELIVERIES: usize = MAX_SUBTASKS * 64;

/// What stands beside a call that R4a made.
const JUDGE_LOOKS: &str = "artoo looked itself";

/// One task.
#[derive(Debug, Clone)]
pub struct TaskMachine {
    pub(crate) task_id: TaskId,
    pub(crate) bus: Bus,
    pub(crate) round: u32,
    pub(crate) phase: Phase,
    pub(crate) pending: PendingEffects,
    pub(crate) questions: Questions,
    pub(crate) waits: ModelWaits,
    pub(crate) meter: UsageMeter,
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

/// How far the task has come.
#[derive(Debug, Clone)]
pub(crate) enum Phase {
    /// Nothing came in yet.
    New,
    /// The roles are at work.
    Running(Box<RunningTask>),
    /// It is being stopped from outside the control loop; its end follows when the last child is gone.
    Stopping(Box<RunningTask>, StopRequest),
    /// Its FinalResult is published.
    Finished,
}

impl Phase {
    pub(crate) fn task(&self) -> Option<&RunningTask> {
        match self {
            Self::Running(task) | Self::Stopping(task, _) => Some(task),
            Self::New | Self::Finished => None,
        }
    }

    pub(crate) fn task_mut(&mut self) -> Option<&mut RunningTask> {
        match self {
            Self::Running(task) | Self::Stopping(task, _) => Some(task),
            Self::New | Self::Finished => None,
        }
    }

    pub(crate) fn fast_loop(&mut self, id: SubtaskId) -> Option<&mut FastLoop> {
        self.task_mut()?.loops.get_mut(&id)
    }
}

/// The roles of a task that has begun, and the request that they work on.
#[derive(Debug, Clone)]
pub(crate) struct RunningTask {
    pub(crate) setting: TaskSetting,
    pub(crate) submitted: TaskSubmitted,
    pub(crate) started_at: Timestamp,
    /// When the person wants it done; time spent waiting does not move it.
    pub(crate) named_deadline: Option<Timestamp>,
    pub(crate) perceiver: Perceiver,
    pub(crate) planner: Planner,
    pub(crate) dispatcher: Dispatcher,
    pub(crate) loops: BTreeMap<SubtaskId, FastLoop>,
    pub(crate) meta: MetaValidator,
    pub(crate) solver: Solver,
    pub(crate) baseline: Baseline,
}

impl RunningTask {
    /// Whether a person said how long it may take.
    fn has_allowed_time(&self) -> bool {
        self.submitted.options.deadline_ms.is_some()
    }
}

/// Why a task is being stopped.
#[derive(Debug, Clone)]
pub(crate) struct StopRequest {
    cause: StopCause,
    detail: String,
}

impl TaskMachine {
    /// A task that has not begun.
    pub fn new(task_id: TaskId) -> Self {
        Self {
            task_id,
            bus: Bus::new(Some(task_id), 1),
            round: 0,
            phase: Phase::New,
            pending: PendingEffects::default(),
            questions: Questions::default(),
            waits: ModelWaits::default(),
            meter: UsageMeter::default(),
            taint: Taint::NONE,
            last_step_at: Timestamp::default(),
            restarts: 0,
            queue: VecDeque::new(),
            out: StepOutput::default(),
        }
    }

    /// Whether its FinalResult is published.
    pub fn is_finished(&self) -> bool {
        matches!(self.phase, Phase::Finished)
    }

    /// Continues the numbering after `last_sequence`: for a task whose journal folds differently now, so that its end
    /// still follows the envelopes that were seen.
    pub fn number_from(&mut self, last_sequence: u64) {
        self.bus = Bus::new(Some(self.task_id), last_sequence + 1);
    }

    /// Takes one input, lets the roles talk until they are quiet, and returns what was published and what is wanted.
    /// The first input must be the submission. Inputs after the end, and late completions, change nothing.
    pub fn step(&mut self, now: Timestamp, input: TaskInput) -> StepOutput {
        if !self.is_finished() {
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
            TaskInput::ToolStarting { effect_id, intent } => self.tool_starting(now, effect_id, intent),
            TaskInput::ToolInterrupted { effect_id, question } => {
                self.tool_interrupted(now, effect_id, question);
            }
            TaskInput::ToolFinished { effect_id, receipt } => self.tool_finished(now, effect_id, *receipt),
            TaskInput::ChecksFinished { effect_id, evidence } => {
                self.checks_finished(now, effect_id, evidence);
            }
            TaskInput::MemoryAnswered { effect_id, reply } => self.memory_answered(now, effect_id, reply),
            TaskInput::LookedAround { effect_id, situation } => {
                if let Some(Pending::Look { .. }) = self.pending.close(effect_id) {
                    self.step_planner(now, planner::Input::Situation(*situation));
                }
            }
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
        let Phase::New = self.phase else { return };
        for pair in &setting.session {
            self.take_in(pair.taint);
        }
        let directory = submitted.working_directory.clone();
        self.phase = Phase::Running(Box::new(RunningTask {
            started_at: now,
            named_deadline: None,
            perceiver: Perceiver::new(self.task_id, &setting),
            planner: Planner::new(self.task_id, &setting, &directory),
            dispatcher: Dispatcher::default(),
            loops: BTreeMap::new(),
            meta: MetaValidator::new(self.task_id, setting.said_before())
                .within(setting.models.brain_limits()),
            solver: Solver::new(self.task_id, &setting, &directory, now),
            baseline: Baseline::default(),
            submitted: submitted.clone(),
            setting,
        }));
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
        let waits = !self.pending.is_empty() || self.questions.is_open() || self.waits.is_open();
        if matches!(self.phase, Phase::Running(_)) && !waits {
            self.stop(now, StopCause::Internal, "the task had nothing left to do and no result".to_owned());
        }
    }

    /// Asks a model for a role.
    pub(crate) fn call_model(&mut self, now: Timestamp, caller: Caller, request: ChatRequest) {
        if let Some((cause, spent)) = self.phase.task().and_then(|task| self.meter.over(&task.setting)) {
            // What has been answered still counts; only another question is too much.
            return self.stop(now, cause, spent);
        }
        let effect_id = self.pending.next_id();
        let started = self.meter.started(caller, &request);
        let call = started.call;
        self.publish(now, Role::Runtime, caller.role(), started.into());
        self.pending.open(effect_id, Pending::Model { caller, call, request: request.clone() });
        self.out.effects.push(TaskEffect::CallModel { effect_id, request });
    }

    fn model_finished(&mut self, now: Timestamp, effect_id: EffectId, outcome: ModelOutcome) {
        let Some(Pending::Model { caller, call, request }) = self.pending.close(effect_id) else { return };
        let Some(outcome) = self.heard_or_waits(now, (caller, call), request, outcome) else { return };
        let finished = self.meter.finished(caller, call, &outcome);
        self.publish(now, Role::Runtime, caller.role(), finished.into());
        match gone(&outcome) {
            // The perceiver and the planner say so themselves; for the others another round would meet the same silence.
            Some(why) if !matches!(caller, Caller::Perceiver | Caller::Planner) => {
                self.stop(now, StopCause::ModelUnavailable, why);
            }
            Some(_) | None => self.hear(now, caller, outcome),
        }
    }

    /// What the caller hears of the call that ended. None: it waits, and is asked again.
    fn heard_or_waits(
        &mut self,
        now: Timestamp,
        (caller, call): (Caller, u64),
        request: ChatRequest,
        outcome: ModelOutcome,
    ) -> Option<ModelOutcome> {
        let budget_ms = self.phase.task().map_or(0, |task| task.setting.control.model_wait_ms);
        let failure = match &outcome {
            ModelOutcome::Reply(_) => {
                self.waits.answered(request.tier);
                return Some(outcome);
            }
            // The task has ended but for its last words: nobody waits for those.
            ModelOutcome::Failure(_) if request.schema == SchemaName::Farewell => return Some(outcome),
            ModelOutcome::Failure(failure) => failure,
        };
        match self.waits.after(now, request.tier, failure, budget_ms) {
            AfterFailure::Told => Some(outcome),
            AfterFailure::Over(message) => {
                let kind = ModelFailureKind::Unreachable;
                Some(ModelOutcome::Failure(ModelFailure { kind, message, ..failure.clone() }))
            }
            AfterFailure::Again(wait_ms) => {
                let mut finished = self.meter.finished(caller, call, &outcome);
                finished.retry_in_ms = Some(wait_ms);
                self.publish(now, Role::Runtime, caller.role(), finished.into());
                let again_at = now.plus_ms(wait_ms);
                self.waits.begin(now, caller, request, again_at);
                self.out.effects.push(TaskEffect::WakeAt { at: again_at });
                None
            }
        }
    }

    /// Asks the calls again whose wait is over.
    fn ask_models_again(&mut self, now: Timestamp) {
        let due = self.waits.due(now);
        let any = !due.is_empty();
        for WaitingCall { caller, request, .. } in due {
            self.call_model(now, caller, request);
        }
        if any {
            self.set_deadline_again(now);
        }
    }

    /// Ends a tool call: its receipt becomes evidence, and the executor goes on.
    pub(crate) fn tool_finished(&mut self, now: Timestamp, effect_id: EffectId, mut receipt: Receipt) {
        let Some(Pending::Tool { call, intent, interrupted, .. }) = self.pending.close(effect_id) else {
            return;
        };
        // A call that was not run again says so in its output.
        let mut output = receipt.output.clone();
        if let Some(began_at) = interrupted.filter(|_| !receipt.end.was_not_allowed()) {
            let told = ran_again(began_at);
            output = format!("({told})\n{output}");
            receipt.note = Some(receipt.note.map_or(told.clone(), |note| format!("{told}; {note}")));
        }
        self.meter.usage.tool_calls += 1;
        if call.by_judge {
            receipt.note =
                Some(receipt.note.map_or(JUDGE_LOOKS.to_owned(), |n| format!("{JUDGE_LOOKS}; {n}")));
        }
        if let Some(task) = self.phase.task_mut() {
            task.baseline.did(&receipt, intent.as_ref());
            if !call.by_judge {
                task.planner.saw(&receipt);
                task.solver.saw(&receipt);
            }
        }
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
            output: first_chars(&output, TOOL_CALL_SNIPPET_CHARS),
            elapsed_ms: receipt.time.elapsed_ms,
            taint: receipt.taint,
            changes: receipt.act.changes.clone(),
        };
        let by = if call.by_judge { Role::AgentValidator } else { Role::Executor };
        self.publish(now, Role::Runtime, by, finished.into());
        match call.by_judge {
            true => self.give_look(now, call.subtask_id, receipt),
            false => self.give_receipt(now, call.subtask_id, receipt),
        }
    }

    fn checks_finished(&mut self, now: Timestamp, effect_id: EffectId, evidence: Vec<CheckEvidence>) {
        let Some(Pending::Checks { caller, checks, .. }) = self.pending.close(effect_id) else { return };
        self.give_checks(now, caller, &checks, evidence);
    }

    fn memory_answered(&mut self, now: Timestamp, effect_id: EffectId, reply: MemoryReply) {
        if let Some(Pending::Memory(_)) = self.pending.close(effect_id) {
            self.take_in(of_memory(&reply));
            self.publish(now, Role::Memory, Role::Planner, reply.into());
        }
    }

    pub(crate) fn clarified(&mut self, now: Timestamp, answer: String, assumed: bool) {
        let Some(open) = self.questions.clarified(now) else { return };
        self.set_deadline_again(now);
        let answer = ClarificationAnswer { answer, assumed };
        match open.of {
            None => self.publish(now, Role::User, Role::Perceiver, answer.into()),
            Some(ask) => self.person_answered(now, &ask, answer),
        }
    }

    /// Stops everything that runs. The end follows when the last child is gone.
    pub(crate) fn stop(&mut self, now: Timestamp, cause: StopCause, detail: String) {
        match std::mem::replace(&mut self.phase, Phase::New) {
            Phase::Running(task) => {
                self.phase = Phase::Stopping(task, StopRequest { cause, detail });
                self.pending.close_all();
                self.queue.clear();
                self.questions.drop_all(now);
                self.waits.drop_all(now);
                self.out.effects.push(TaskEffect::StopAll);
            }
            other @ (Phase::New | Phase::Stopping(..) | Phase::Finished) => self.phase = other,
        }
    }

    /// Everything that ran is gone: the controller ends the task.
    fn stopped(&mut self, now: Timestamp, survivors: &[String]) {
        let StopRequest { cause, mut detail } = match std::mem::replace(&mut self.phase, Phase::New) {
            Phase::Stopping(task, request) => {
                self.phase = Phase::Running(task);
                request
            }
            other @ (Phase::New | Phase::Running(_) | Phase::Finished) => return self.phase = other,
        };
        if !survivors.is_empty() {
            detail.push_str(&format!(
                "; still running, the system will not let them go: {}",
                survivors.join(", ")
            ));
        }
        let from = match cause {
            StopCause::Cancelled => Role::User,
            StopCause::Deadline
            | StopCause::TokenCeiling
            | StopCause::CostCeiling
            | StopCause::ModelUnavailable
            | StopCause::Interrupted
            | StopCause::Internal => Role::Runtime,
        };
        self.publish(now, from, Role::Solver, TaskCancelled { cause, detail }.into());
    }

    /// Milliseconds in which the task waited for a person or for its model.
    fn waited_ms(&self, now: Timestamp) -> u64 {
        self.questions.waited_ms(now) + self.waits.waited_ms(now)
    }

    /// When the task must end: time spent waiting moves it, but not beyond the moment that the person named. How long they
    /// allowed is no time of the model's either: only their own does not count.
    pub(crate) fn deadline(&self, now: Timestamp) -> Timestamp {
        let Some(task) = self.phase.task() else { return now };
        let waited =
            if task.has_allowed_time() { self.questions.waited_ms(now) } else { self.waited_ms(now) };
        let allowed = task.started_at.plus_ms(task.setting.deadline_ms).plus_ms(waited);
        task.named_deadline.map_or(allowed, |named| named.min(allowed))
    }

    /// The person named a moment by which the task must be done.
    pub(crate) fn set_named_deadline(&mut self, at: Timestamp) {
        let Some(task) = self.phase.task_mut() else { return };
        task.named_deadline = Some(at);
        self.out.effects.push(TaskEffect::WakeAt { at });
    }

    /// Lets expire what has expired, and asks for the next wake-up.
    fn wake(&mut self, now: Timestamp) {
        if self.questions.clarification_expired(now) {
            self.clarified(now, String::new(), true);
        }
        for id in self.questions.expired(now) {
            self.expire(now, id);
        }
        self.ask_models_again(now);
        let deadline = self.deadline(now);
        let named = self.phase.task().and_then(|task| task.named_deadline);
        let has_allowed_time = self.phase.task().is_some_and(RunningTask::has_allowed_time);
        let moves = self.questions.is_open() || self.waits.is_open() && !has_allowed_time;
        if moves && named.is_none_or(|named| now < named) {
            // The deadline moves along with the wait; it is set again when that is over.
            return;
        }
        if now < deadline {
            self.out.effects.push(TaskEffect::WakeAt { at: deadline });
        } else {
            let seconds = self.phase.task().map_or(0, |task| task.setting.deadline_ms / 1000);
            let said = match named {
                Some(named) if named <= now => "the deadline that the request names has passed".to_owned(),
                Some(_) | None if self.waits.is_open() => {
                    format!("the deadline of {seconds} s passed while the model was waited for")
                }
                Some(_) | None => format!("the deadline of {seconds} s passed"),
            };
            self.stop(now, StopCause::Deadline, said);
        }
    }

    /// Whether a question is open, or a call waits for its model.
    fn is_waiting(&self) -> bool {
        self.questions.is_open() || self.waits.is_open()
    }

    /// After a wait, the deadline counts again.
    pub(crate) fn set_deadline_again(&mut self, now: Timestamp) {
        if !self.is_waiting() && !self.is_finished() {
            self.out.effects.push(TaskEffect::WakeAt { at: self.deadline(now) });
        }
    }

    /// The daemon was started anew.
    fn resumed(&mut self, now: Timestamp) {
        match self.phase {
            Phase::Running(_) => {}
            // Whatever still ran is stopped by the successor of the daemon that was stopping it.
            Phase::Stopping(..) => return self.out.effects.push(TaskEffect::StopAll),
            Phase::New | Phase::Finished => return,
        }
        self.restarts += 1;
        if self.restarts > MAX_RESTARTS {
            let detail = format!(
                "the daemon went down {MAX_RESTARTS} times in a row without this task getting any further"
            );
            self.stop(now, StopCause::Interrupted, detail);
            return;
        }
        // Neither the budget nor a deadline counts the time in which there was no daemon. Questions about actions are void: their
        // calls are judged again, as things are now.
        let last = self.last_step_at;
        self.questions.void(now, last);
        let folder = self.working_directory().to_owned();
        // What a person is asked in words stays asked.
        let pending = self.pending.all().filter(|(id, _)| !self.questions.is_asked_by(*id));
        self.out.effects.extend(pending.map(|(id, pending)| pending.again(id, &folder, self.taint)));
        self.waits.pass_over(now, last);
        self.ask_models_again(now);
        let wakes = self.questions.expiry().into_iter().chain([self.deadline(now)]);
        self.out.effects.extend(wakes.map(|at| TaskEffect::WakeAt { at }));
    }

    /// A call that is more than reading is about to run. From here on it is never repeated unasked, neither after a
    /// restart nor by a later attempt or plan.
    pub(crate) fn tool_starting(&mut self, now: Timestamp, effect_id: EffectId, intent: Intent) {
        self.questions.done(&intent);
        self.pending.starting(now, effect_id, intent);
    }

    /// Nobody knows whether the call happened.
    pub(crate) fn tool_interrupted(&mut self, now: Timestamp, effect_id: EffectId, held: HeldCall) {
        self.pending.interrupted(effect_id);
        self.ask(now, effect_id, held, AskReason::Again);
    }

    /// The task takes something in. From the moment at which it holds both kinds, what a person allowed for the rest of
    /// the task counts where nothing leaves the workspace and the working directory: of what would they did not know this
    /// then.
    pub(crate) fn take_in(&mut self, taint: Taint) {
        let before = self.taint;
        self.taint |= taint;
        if self.taint.is_both() && !before.is_both() {
            self.forget_approvals_beyond_its_folders();
        }
    }

    /// The call with what the task has taken in by now: it may have waited while others brought something.
    pub(crate) fn as_of_now(&self, call: &ToolCall) -> ToolCall {
        ToolCall { taint: self.taint, word: self.persons_word(), ..call.clone() }
    }

    /// What the person has said so far that bears on what may be done unasked.
    pub(crate) fn persons_word(&self) -> PersonsWord {
        let task = self.phase.task();
        let input = task.map_or("", |task| task.submitted.input.as_str());
        let could_ask = task.is_some_and(|task| task.setting.interactive);
        PersonsWord { denied: self.questions.denied_places(could_ask), ..crate::word::of_request(input) }
    }

    /// What the controller measures cost by.
    pub(crate) fn spent(&self, now: Timestamp) -> Spending {
        let started_at = self.phase.task().map_or(now, |task| task.started_at);
        let mut usage = self.meter.usage.clone();
        usage.elapsed_ms = now.since_ms(started_at);
        Spending { waited_ms: self.waited_ms(now), usage, taint: self.taint }
    }
}

/// What recalled memories bring: one that was written by a task with text of strangers may repeat such text.
fn of_memory(reply: &MemoryReply) -> Taint {
    let recalled = reply.entries.iter().flat_map(|entry| &entry.top);
    Taint { untrusted: recalled.into_iter().any(|megram| megram.tainted), ..Taint::NONE }
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
