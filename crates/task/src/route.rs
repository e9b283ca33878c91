//! Delivery: which role hears what, and what its effects become.

use artoo_control as control;
use artoo_roles::{agent_validator, dispatcher, executor, meta_validator, perceiver, planner};
use artoo_types::chat::ModelOutcome;
use artoo_types::control::PlanDirective;
use artoo_types::envelope::Role;
use artoo_types::evidence::{CheckEvidence, EffectClass, Receipt};
use artoo_types::farewell::{Farewell, FarewellRequest};
use artoo_types::limits::{TOOL_CALL_MS, closing_ms};
use artoo_types::machine::{AskedCheck, CheckSubject, TaskEffect};
use artoo_types::memory::{MegramWrite, MemoryQuery, MemoryReply};
use artoo_types::outcome::{
    CorrectionSignal, Denial, ExecutionResult, OutcomeSummary, ReplanRequest, SubTaskOutcome,
};
use artoo_types::plan::{DispatchManifest, PlanDraftRejected, SubTask};
use artoo_types::task::{ClarificationAnswer, TaskCancelled, TaskSpec, TaskSubmitted};
use artoo_types::tool::{ToolCall, ToolCallStarted};
use artoo_types::{EvidenceId, Message, MessageVisitor, SubtaskId, Timestamp};

use crate::fast_loop::FastLoop;
use crate::machine::{Phase, TaskMachine};
use crate::pending::{Caller, Pending};

impl TaskMachine {
    /// Hands one message to everybody who receives it.
    pub(crate) fn deliver(&mut self, now: Timestamp, receivers: &[Role], message: &Message) {
        message.visit(&mut Delivery { machine: self, now, receivers });
    }

    fn step_perceiver(&mut self, now: Timestamp, input: perceiver::Input) {
        let Some(task) = self.phase.task_mut() else { return };
        for effect in task.perceiver.step(now, input) {
            match effect {
                perceiver::Effect::AskModel(request) => self.call_model(now, Caller::Perceiver, request),
                perceiver::Effect::Clarify(request) => {
                    self.questions.clarify(now, request.expires_at, None);
                    self.out.effects.push(TaskEffect::WakeAt { at: request.expires_at });
                    self.publish(now, Role::Perceiver, Role::User, request.into());
                }
                perceiver::Effect::Understood(spec) => {
                    let to = if spec.direct_answer.is_some() { Role::Solver } else { Role::Planner };
                    self.publish(now, Role::Perceiver, to, spec.into());
                }
                perceiver::Effect::NoTask(notice) => {
                    self.publish(now, Role::Perceiver, Role::Solver, notice.into());
                }
            }
        }
    }

    pub(crate) fn step_planner(&mut self, now: Timestamp, input: planner::Input) {
        let Some(task) = self.phase.task_mut() else { return };
        for effect in task.planner.step(now, input) {
            match effect {
                planner::Effect::Recall(query) => {
                    self.publish(now, Role::Planner, Role::Memory, query.into());
                }
                planner::Effect::LookAround => self.look_around(),
                planner::Effect::AskModel(request) => self.call_model(now, Caller::Planner, request),
                planner::Effect::Reject(notice) => {
                    self.publish(now, Role::Planner, Role::Solver, notice.into());
                }
                planner::Effect::Farewell(farewell) => {
                    self.publish(now, Role::Planner, Role::Solver, farewell.into());
                }
                planner::Effect::Dispatch(manifest) => {
                    self.publish(now, Role::Planner, Role::Dispatcher, manifest.into());
                }
            }
        }
    }

    fn step_dispatcher(&mut self, now: Timestamp, input: dispatcher::Input) {
        let Some(task) = self.phase.task_mut() else { return };
        for effect in task.dispatcher.step(now, input) {
            match effect {
                dispatcher::Effect::LookBefore(checks) => {
                    self.run_checks(Caller::Dispatcher, checks, CheckSubject::default());
                }
                dispatcher::Effect::Start(subtask) => {
                    self.publish(now, Role::Dispatcher, Role::Executor, subtask.into());
                }
                dispatcher::Effect::NotRun(outcome) => {
                    self.publish(now, Role::Dispatcher, Role::MetaValidator, outcome.into());
                }
            }
        }
    }

    fn start_subtask(&mut self, now: Timestamp, subtask: &SubTask) {
        let id = subtask.subtask_id;
        let Some(task) = self.phase.task_mut() else { return };
        let fresh = FastLoop::new(&task.setting, &task.submitted);
        let request = format!("{}{}", task.setting.said_before(), task.submitted.input);
        let criteria = task.meta.criteria_of_only(id);
        let background = executor::Input::Task { criteria: criteria.clone(), earlier: task.meta.work_of(id) };
        let said = agent_validator::Input::Task {
            request: task.submitted.input.clone(),
            criteria,
            past: task.meta.past_of(id),
            suite: task.planner.suite(),
        };
        task.loops.insert(id, fresh);
        self.step_agent_validator(now, id, said);
        self.step_agent_validator(now, id, agent_validator::Input::Request(request));
        self.step_agent_validator(now, id, agent_validator::Input::Assigned(subtask.clone()));
        self.step_executor(now, id, background);
        self.step_executor(now, id, executor::Input::Assigned(subtask.clone()));
    }

    fn step_executor(&mut self, now: Timestamp, id: SubtaskId, input: executor::Input) {
        let last_call_at = self.last_call_at(now);
        let Some(fast) = self.phase.fast_loop(id) else { return };
        fast.executor.set_last_call(last_call_at);
        for effect in fast.executor.step(now, input) {
            match effect {
                executor::Effect::AskModel(request) => self.call_model(now, Caller::Executor(id), request),
                executor::Effect::RunTool { tool, arguments } => {
                    self.call_tool(now, id, Role::Executor, (tool, arguments));
                }
                executor::Effect::Report(report) => self.report(now, id, report),
            }
        }
    }

    /// Starts a call of R3, or of R4a, which has half of the time that is left to the task.
    fn call_tool(&mut self, now: Timestamp, subtask_id: SubtaskId, by: Role, wanted: (String, String)) {
        let Some(task) = self.phase.task() else { return };
        let (effect_id, (tool, arguments)) = (self.pending.next_id(), wanted);
        let by_judge = by == Role::AgentValidator;
        let left_ms = match by_judge {
            true => self.deadline(now).since_ms(now) / 2,
            false => self.last_call_at(now).since_ms(now).max(TOOL_CALL_MS),
        };
        let call = ToolCall {
            effect_id,
            subtask_id,
            tool: tool.clone(),
            arguments: arguments.clone(),
            working_directory: task.submitted.working_directory.clone(),
            blocked: task.loops.get(&subtask_id).map(|l| l.executor.blocks()).unwrap_or_default(),
            deadline_ms: left_ms,
            taint: self.taint,
            word: self.persons_word(),
            by_judge,
            shows_images: task.setting.models.tool_sees,
        };
        if self.may_act(&call) {
            self.world_moves_for_others(subtask_id);
        }
        self.pending.open(
            effect_id,
            Pending::Tool { call: call.clone(), since: now, intent: None, began_at: None, interrupted: None },
        );
        self.publish(
            now,
            Role::Runtime,
            by,
            ToolCallStarted { effect_id, subtask_id, tool, arguments }.into(),
        );
        if !self.asks_person(now, &call) {
            self.out.effects.push(TaskEffect::RunTool { call, approval: None });
        }
    }

    fn may_act(&self, call: &ToolCall) -> bool {
        let fast = self.phase.task().and_then(|task| task.loops.get(&call.subtask_id));
        fast.is_none_or(|fast| fast.executor.may_act(&call.tool))
    }

    fn world_moves_for_others(&mut self, id: SubtaskId) {
        let Some(task) = self.phase.task_mut() else { return };
        let others = task.loops.iter_mut().filter(|(other, _)| **other != id);
        others.for_each(|(_, fast)| fast.executor.world_moved());
    }

    fn report(&mut self, now: Timestamp, id: SubtaskId, report: executor::AttemptReport) {
        let answer = EvidenceId::answer(self.bus.next_sequence());
        let Some(fast) = self.phase.fast_loop(id) else { return };
        let result = fast.result(id, report, answer);
        self.publish(now, Role::Executor, Role::AgentValidator, result.into());
    }

    /// Where the task works; nothing before it was submitted.
    pub fn working_directory(&self) -> &str {
        self.phase.task().map_or("", |task| &task.submitted.working_directory)
    }

    /// A receipt reaches the judge that wanted to see for itself.
    pub(crate) fn give_look(&mut self, now: Timestamp, id: SubtaskId, receipt: Receipt) {
        if receipt.effect != EffectClass::Read {
            self.world_moves_for_others(id);
        }
        self.step_agent_validator(now, id, agent_validator::Input::Looked(receipt));
    }

    /// A receipt reaches the executor that asked for the call, and nobody else. The others hear that something may be
    /// another now; so does this one where another step is about to change something.
    pub(crate) fn give_receipt(&mut self, now: Timestamp, id: SubtaskId, receipt: Receipt) {
        if receipt.effect != EffectClass::Read {
            self.world_moves_for_others(id);
        }
        let others_act = self.pending.tools().any(|call| call.subtask_id != id && self.may_act(call));
        if let Some(fast) = self.phase.fast_loop(id) {
            fast.keep(receipt.clone());
            if others_act {
                fast.executor.world_moved();
            }
        }
        self.step_executor(now, id, executor::Input::Tool(receipt));
    }

    /// When the last call may begin, and by when it must have ended: some of the task's time is for judging it.
    fn last_call_at(&self, now: Timestamp) -> Timestamp {
        let ends_at = self.deadline(now);
        let Some(task) = self.phase.task() else { return ends_at };
        let task_ms = ends_at.since_ms(task.started_at);
        task.started_at.plus_ms(task_ms - closing_ms(task_ms))
    }

    /// The validator learns how an action was denied.
    pub(crate) fn note_denial(&mut self, now: Timestamp, id: SubtaskId, denial: Denial) {
        self.step_agent_validator(now, id, agent_validator::Input::Denied(denial));
    }

    fn step_agent_validator(&mut self, now: Timestamp, id: SubtaskId, input: agent_validator::Input) {
        let Some(fast) = self.phase.fast_loop(id) else { return };
        for effect in fast.validator.step(now, input) {
            match effect {
                agent_validator::Effect::RunChecks { checks, subject } => {
                    self.run_checks(Caller::AgentValidator(id), checks, subject);
                }
                agent_validator::Effect::Look { tool, arguments } => {
                    self.call_tool(now, id, Role::AgentValidator, (tool, arguments));
                }
                agent_validator::Effect::AskModel(request) => {
                    self.call_model(now, Caller::AgentValidator(id), request);
                }
                agent_validator::Effect::Correct(signal) => {
                    self.publish(now, Role::AgentValidator, Role::Executor, signal.into());
                }
                agent_validator::Effect::Conclude(outcome) => {
                    self.publish(now, Role::AgentValidator, Role::MetaValidator, outcome.into());
                }
            }
        }
    }

    fn step_meta_validator(&mut self, now: Timestamp, input: meta_validator::Input) {
        let Some(task) = self.phase.task_mut() else { return };
        for effect in task.meta.step(now, input) {
            match effect {
                meta_validator::Effect::RunChecks { checks, subject } => {
                    self.run_checks(Caller::MetaValidator, checks, subject);
                }
                meta_validator::Effect::AskModel(request) => {
                    self.call_model(now, Caller::MetaValidator, request);
                }
                meta_validator::Effect::Replan(request) => {
                    self.publish(now, Role::MetaValidator, Role::Solver, request.into());
                }
                meta_validator::Effect::Summarise(summary) => {
                    self.publish(now, Role::MetaValidator, Role::Solver, summary.into());
                }
            }
        }
    }

    fn run_checks(&mut self, caller: Caller, checks: Vec<AskedCheck>, subject: CheckSubject) {
        let Some(task) = self.phase.task() else { return };
        let effect_id = self.pending.next_id();
        let working_directory = task.submitted.working_directory.clone();
        let pending = Pending::Checks { caller, checks: checks.clone(), subject: subject.clone() };
        self.pending.open(effect_id, pending);
        self.out.effects.push(TaskEffect::RunChecks { effect_id, checks, subject, working_directory });
    }

    /// Evidence of checks reaches the validator that asked, with what is known of the state before; that of the state before
    /// is kept.
    pub(crate) fn give_checks(
        &mut self,
        now: Timestamp,
        caller: Caller,
        asked: &[AskedCheck],
        evidence: Vec<CheckEvidence>,
    ) {
        let Some(task) = self.phase.task_mut() else { return };
        match caller {
            Caller::Dispatcher => {
                task.baseline.note(asked, evidence);
                self.step_dispatcher(now, dispatcher::Input::Looked);
            }
            Caller::AgentValidator(id) => {
                let evidence = task.baseline.complete(asked, evidence);
                self.step_agent_validator(now, id, agent_validator::Input::Checked(evidence));
            }
            Caller::MetaValidator => {
                let evidence = task.baseline.complete(asked, evidence);
                self.step_meta_validator(now, meta_validator::Input::Checked(evidence));
            }
            Caller::Perceiver | Caller::Planner | Caller::Executor(_) => {}
        }
    }

    /// A model's outcome reaches the role that asked.
    pub(crate) fn hear(&mut self, now: Timestamp, caller: Caller, outcome: ModelOutcome) {
        match caller {
            Caller::Perceiver => self.step_perceiver(now, perceiver::Input::Model(outcome)),
            Caller::Planner => self.step_planner(now, planner::Input::Model(outcome)),
            Caller::Dispatcher => {}
            Caller::Executor(id) => self.step_executor(now, id, executor::Input::Model(outcome)),
            Caller::AgentValidator(id) => {
                self.step_agent_validator(now, id, agent_validator::Input::Model(outcome));
            }
            Caller::MetaValidator => self.step_meta_validator(now, meta_validator::Input::Model(outcome)),
        }
    }

    fn look_around(&mut self) {
        let Some(task) = self.phase.task() else { return };
        let working_directory = task.submitted.working_directory.clone();
        let effect_id = self.pending.next_id();
        let request =
            if task.setting.models.rules_look { task.submitted.input.clone() } else { String::new() };
        self.pending.open(effect_id, Pending::Look { request: request.clone() });
        self.out.effects.push(TaskEffect::LookAround { effect_id, working_directory, request });
    }

    fn query_memory(&mut self, query: MemoryQuery) {
        let effect_id = self.pending.next_id();
        self.pending.open(effect_id, Pending::Memory(query.clone()));
        self.out.effects.push(TaskEffect::QueryMemory { effect_id, query });
    }

    fn step_solver(&mut self, now: Timestamp, input: control::Input) {
        let spent = self.spent(now);
        let Some(task) = self.phase.task_mut() else { return };
        for effect in task.solver.step(now, spent, input) {
            match effect {
                control::Effect::Direct(directive) => {
                    self.publish(now, Role::Solver, Role::Planner, directive.clone().into());
                    self.round = directive.replan;
                }
                control::Effect::AskFarewell(request) => {
                    self.publish(now, Role::Solver, Role::Planner, request.into());
                }
                control::Effect::Remember(write) => {
                    self.publish(now, Role::Solver, Role::Memory, write.into());
                }
                control::Effect::Finish(result) => {
                    self.publish(now, Role::Solver, Role::User, result.into());
                    self.phase = Phase::Finished;
                    self.pending.close_all();
                }
            }
        }
    }
}

/// One message on its way. Kinds without a method of their own are for people, for the auditor, or notices about effects.
struct Delivery<'a> {
    machine: &'a mut TaskMachine,
    now: Timestamp,
    receivers: &'a [Role],
}

impl Delivery<'_> {
    fn reaches(&self, role: Role) -> bool {
        self.receivers.contains(&role)
    }
}

impl MessageVisitor for Delivery<'_> {
    fn task_submitted(&mut self, m: &TaskSubmitted) {
        self.machine.step_perceiver(self.now, perceiver::Input::Submitted(m.clone()));
    }

    fn clarification_answer(&mut self, m: &ClarificationAnswer) {
        if self.reaches(Role::Perceiver) {
            self.machine.step_perceiver(self.now, perceiver::Input::Answered(m.clone()));
        }
    }

    fn task_spec(&mut self, m: &TaskSpec) {
        if let Some(at) = m.deadline {
            self.machine.set_named_deadline(at);
        }
        if self.reaches(Role::Solver) {
            self.machine.step_solver(self.now, control::Input::Spec(m.clone()));
        }
        if self.reaches(Role::MetaValidator) {
            self.machine.step_meta_validator(self.now, meta_validator::Input::Spec(m.clone()));
        }
        if self.reaches(Role::Planner) {
            self.machine.step_planner(self.now, planner::Input::Spec(m.clone()));
        }
    }

    fn memory_query(&mut self, m: &MemoryQuery) {
        self.machine.query_memory(m.clone());
    }

    fn memory_reply(&mut self, m: &MemoryReply) {
        self.machine.step_solver(self.now, control::Input::Memory(m.clone()));
        self.machine.step_planner(self.now, planner::Input::Memory(m.clone()));
    }

    fn plan_draft_rejected(&mut self, m: &PlanDraftRejected) {
        self.machine.step_solver(self.now, control::Input::NoPlan(m.clone()));
    }

    fn dispatch_manifest(&mut self, m: &DispatchManifest) {
        self.machine.step_solver(self.now, control::Input::Manifest(m.clone()));
        self.machine.step_meta_validator(self.now, meta_validator::Input::Manifest(m.clone()));
        self.machine.step_dispatcher(self.now, dispatcher::Input::Manifest(m.clone()));
    }

    fn sub_task(&mut self, m: &SubTask) {
        self.machine.start_subtask(self.now, m);
    }

    fn execution_result(&mut self, m: &ExecutionResult) {
        let input = agent_validator::Input::Result(m.clone());
        self.machine.step_agent_validator(self.now, m.subtask_id, input);
    }

    fn correction_signal(&mut self, m: &CorrectionSignal) {
        self.machine.step_executor(self.now, m.subtask_id, executor::Input::Corrected(m.clone()));
    }

    fn sub_task_outcome(&mut self, m: &SubTaskOutcome) {
        // The controller hears of it before R4b may close the round with it.
        if self.reaches(Role::Solver) {
            self.machine.step_solver(self.now, control::Input::Outcome(m.clone()));
        }
        self.machine.step_meta_validator(self.now, meta_validator::Input::Outcome(m.clone()));
        if self.reaches(Role::Dispatcher) {
            self.machine.step_dispatcher(self.now, dispatcher::Input::Outcome(m.clone()));
        }
    }

    fn replan_request(&mut self, m: &ReplanRequest) {
        self.machine.step_solver(self.now, control::Input::Replan(m.clone()));
    }

    fn outcome_summary(&mut self, m: &OutcomeSummary) {
        self.machine.step_solver(self.now, control::Input::Summary(m.clone()));
    }

    fn task_cancelled(&mut self, m: &TaskCancelled) {
        self.machine.step_solver(self.now, control::Input::Stop(m.clone()));
    }

    fn plan_directive(&mut self, m: &PlanDirective) {
        self.machine.step_planner(self.now, planner::Input::Directive(m.clone()));
    }

    fn farewell_request(&mut self, m: &FarewellRequest) {
        self.machine.step_planner(self.now, planner::Input::Farewell(m.clone()));
    }

    fn farewell(&mut self, m: &Farewell) {
        self.machine.step_solver(self.now, control::Input::Farewell(m.clone()));
    }

    fn megram_write(&mut self, m: &MegramWrite) {
        self.machine.out.effects.push(TaskEffect::WriteMemory { megram: m.megram.clone() });
    }
}
