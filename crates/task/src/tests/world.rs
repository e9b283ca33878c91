//! A world for one task: answers effects at once from a script, on a clock that the test moves.

use std::collections::VecDeque;

use artoo_types::chat::{ChatReply, ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome, Usage};
use artoo_types::control::FinalResult;
use artoo_types::criteria::{FailureClass, Verdict};
use artoo_types::envelope::Role;
use artoo_types::evidence::{CallAct, ChangeKind, CheckEvidence, EffectClass, FileChange, Receipt};
use artoo_types::machine::{CheckSubject, HeldCall, Intent, StepRecord, TaskEffect, TaskInput};
use artoo_types::memory::MemoryReply;
use artoo_types::setting::{ControlParams, PersonClock, TaskSetting};
use artoo_types::taint::Taint;
use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::tool::{ToolCall, ToolSpec};
use artoo_types::undo::{TargetKind, TargetState, Undoing};
use artoo_types::{EvidenceId, Message, MessageKind, TaskId, Timestamp};
use uuid::Uuid;

use crate::TaskMachine;
use crate::fold::fold;
use crate::journaled::journaled;

/// What a scripted tool does.
pub(super) enum Tool {
    /// Runs, with this exit status and output.
    Ran(i64, &'static str),
    /// Runs, and brings this into the task.
    Brought(Taint),
    /// Runs, and writes over something.
    Wrote,
    /// Runs, and changes this file.
    Changed(&'static str),
    /// Needs a person.
    Held,
}

/// A task and everything around it.
pub(super) struct World {
    pub(super) machine: TaskMachine,
    pub(super) now: Timestamp,
    /// Milliseconds that each input takes to come.
    pub(super) pace_ms: u64,
    pub(super) setting: TaskSetting,
    pub(super) options: TaskOptions,
    pub(super) records: Vec<StepRecord>,
    inputs: VecDeque<TaskInput>,
    pub(super) wakes: Vec<Timestamp>,
    pub(super) memory: MemoryReply,
    pub(super) survivors: Vec<String>,
    model: Box<dyn FnMut(&ChatRequest) -> ModelOutcome>,
    tool: Box<dyn FnMut(&ToolCall) -> Tool>,
    check: Box<dyn FnMut(usize) -> Verdict>,
    /// Asked before each input: whether the daemon goes down now.
    crash: Box<dyn FnMut() -> bool>,
    /// Whether every question is answered with yes at once.
    pub(super) approving: bool,
    /// How often an action that needs a person's word was carried out.
    pub(super) acted: usize,
}

impl World {
    pub(super) fn new(model: impl FnMut(&ChatRequest) -> ModelOutcome + 'static) -> Self {
        Self {
            machine: TaskMachine::new(TaskId(Uuid::from_u128(7))),
            now: Timestamp(1_000_000),
            pace_ms: 1,
            setting: setting(),
            options: TaskOptions::default(),
            records: Vec::new(),
            inputs: VecDeque::new(),
            wakes: Vec::new(),
            memory: MemoryReply::default(),
            survivors: Vec::new(),
            model: Box::new(model),
            tool: Box::new(|_| Tool::Ran(0, "three lines")),
            check: Box::new(|_| Verdict::Pass),
            crash: Box::new(|| false),
            approving: false,
            acted: 0,
        }
    }

    pub(super) fn tools(mut self, tool: impl FnMut(&ToolCall) -> Tool + 'static) -> Self {
        self.tool = Box::new(tool);
        self
    }

    pub(super) fn checks(mut self, check: impl FnMut(usize) -> Verdict + 'static) -> Self {
        self.check = Box::new(check);
        self
    }

    pub(super) fn crashing(mut self, crash: impl FnMut() -> bool + 'static) -> Self {
        self.crash = Box::new(crash);
        self
    }

    /// The records as a journal gives them back.
    pub(super) fn journaled(&self) -> Vec<StepRecord> {
        let reread = |record: &StepRecord| {
            let record = StepRecord { effects: journaled(&record.effects).into_owned(), ..record.clone() };
            serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap()
        };
        self.records.iter().map(reread).collect()
    }

    /// The daemon goes down and comes back an hour later: all that is left is the journal.
    pub(super) fn restart(&mut self) {
        let (machine, difference) = fold(self.machine.task_id, self.journaled());
        assert!(difference.is_none(), "{difference:?}");
        self.machine = machine;
        self.now = self.now.plus_ms(3_600_000);
        self.wakes.clear();
        self.inputs = VecDeque::from([resumed()]);
    }

    pub(super) fn replace_model(&mut self, model: impl FnMut(&ChatRequest) -> ModelOutcome + 'static) {
        self.model = Box::new(model);
    }

    /// Submits and runs until nothing more happens by itself.
    pub(super) fn submit(&mut self) {
        self.submit_words("count the files");
    }

    /// The same with this request.
    pub(super) fn submit_words(&mut self, input: &str) {
        let submitted = TaskSubmitted {
            input: input.to_owned(),
            session_id: String::new(),
            request_id: String::new(),
            working_directory: "/w".to_owned(),
            options: self.options.clone(),
        };
        self.put(TaskInput::Submitted { submitted, setting: Box::new(self.setting.clone()) });
    }

    /// Gives one input and runs until nothing more happens by itself.
    pub(super) fn put(&mut self, input: TaskInput) {
        self.inputs.push_back(input);
        for _ in 0..10_000 {
            if !self.records.is_empty() && !self.machine.is_finished() && (self.crash)() {
                self.restart();
            }
            let Some(input) = self.inputs.pop_front() else { return };
            self.step(input);
        }
        panic!("the task does not come to rest");
    }

    fn step(&mut self, input: TaskInput) {
        self.now = self.now.plus_ms(self.pace_ms);
        // From the moment that it is announced it may have happened.
        self.acted += usize::from(matches!(input, TaskInput::ToolStarting { .. }));
        let output = self.machine.step(self.now, input.clone());
        self.records.push(StepRecord {
            seq: self.records.len() as u64 + 1,
            at: self.now,
            input,
            envelopes: output.envelopes,
            effects: output.effects.clone(),
        });
        for effect in output.effects {
            if let TaskEffect::RunTool { call, approval: Some(_) } = &effect {
                match (self.tool)(call) {
                    Tool::Held => {
                        // The call is announced, runs, and reports; each of the three may be the last thing before a
                        // crash.
                        let intent = intent(call);
                        self.inputs.push_back(TaskInput::ToolStarting { effect_id: call.effect_id, intent });
                        self.inputs.push_back(finished(call, 0, "done"));
                    }
                    // What has a yes is not held again: else somebody who always says yes would never be done.
                    Tool::Ran(exit, output) => self.inputs.push_back(finished(call, exit, output)),
                    Tool::Brought(taint) => self.inputs.push_back(brought(call, taint)),
                    Tool::Wrote => self.inputs.push_back(wrote(call)),
                    Tool::Changed(path) => self.inputs.push_back(changed(call, path)),
                }
                continue;
            }
            if let Some(input) = self.answer(effect) {
                self.inputs.push_back(input);
            }
        }
        let asked = self.records.last().map(|r| r.envelopes.clone()).unwrap_or_default();
        for envelope in asked.into_iter().filter(|_| self.approving) {
            if let Message::ConfirmationRequest(request) = envelope.payload {
                self.inputs.push_back(TaskInput::Confirmed {
                    confirmation_id: request.confirmation_id,
                    approved: true,
                    remember_for_task: false,
                });
            }
        }
    }

    fn answer(&mut self, effect: TaskEffect) -> Option<TaskInput> {
        Some(match effect {
            TaskEffect::CallModel { effect_id, request } => {
                TaskInput::ModelFinished { effect_id, outcome: (self.model)(&request) }
            }
            TaskEffect::RunTool { call, .. } => match (self.tool)(&call) {
                Tool::Held => TaskInput::ToolHeld { effect_id: call.effect_id, question: held(&call) },
                Tool::Ran(exit, output) => finished(&call, exit, output),
                Tool::Brought(taint) => brought(&call, taint),
                Tool::Wrote => wrote(&call),
                Tool::Changed(path) => changed(&call, path),
            },
            TaskEffect::RecoverTool { call } => {
                TaskInput::ToolInterrupted { effect_id: call.effect_id, question: held(&call) }
            }
            TaskEffect::RunChecks { effect_id, checks, subject, .. } => {
                // Nothing holds before the task, so that what holds after it was made.
                let is_before = subject == CheckSubject::default();
                let mut verdict = |criterion| match is_before {
                    true => Verdict::Fail,
                    false => (self.check)(criterion),
                };
                let evidence = checks
                    .iter()
                    .map(|asked| (asked, verdict(asked.criterion)))
                    .enumerate()
                    .map(|(i, (asked, verdict))| CheckEvidence {
                        id: EvidenceId::check(effect_id, i),
                        criterion: asked.criterion,
                        verdict,
                        failure_class: (verdict == Verdict::Fail).then_some(FailureClass::Logical),
                        saw: "measured".to_owned(),
                        subjects: Vec::new(),
                        before: None,
                    })
                    .collect();
                TaskInput::ChecksFinished { effect_id, evidence }
            }
            TaskEffect::QueryMemory { effect_id, .. } => {
                TaskInput::MemoryAnswered { effect_id, reply: self.memory.clone() }
            }
            TaskEffect::LookAround { effect_id, .. } => {
                TaskInput::LookedAround { effect_id, situation: Box::default() }
            }
            TaskEffect::WakeAt { at } => {
                self.wakes.push(at);
                return None;
            }
            TaskEffect::StopAll => {
                self.inputs.retain(|i| !matches!(i, TaskInput::ToolFinished { .. }));
                TaskInput::Stopped { survivors: self.survivors.clone() }
            }
            TaskEffect::WriteMemory { .. } => return None,
        })
    }

    /// Every envelope so far.
    pub(super) fn envelopes(&self) -> Vec<&artoo_types::Envelope> {
        self.records.iter().flat_map(|r| &r.envelopes).collect()
    }

    /// The kinds that were published, effect notices left out.
    pub(super) fn trace(&self) -> Vec<&'static str> {
        let notices = [
            MessageKind::ModelCallStarted,
            MessageKind::ModelCallFinished,
            MessageKind::ToolCallStarted,
            MessageKind::ToolCallFinished,
        ];
        let kinds = self.envelopes().into_iter().map(|e| e.payload.kind());
        kinds.filter(|k| !notices.contains(k)).map(MessageKind::as_str).collect()
    }

    /// The results that were published.
    pub(super) fn results(&self) -> Vec<FinalResult> {
        let mut results = Vec::new();
        for envelope in self.envelopes() {
            if let Message::FinalResult(result) = &envelope.payload {
                results.push(result.clone());
            }
        }
        results
    }

    /// The one result.
    pub(super) fn result(&self) -> FinalResult {
        let results = self.results();
        assert_eq!(results.len(), 1, "a task ends exactly once; trace: {:?}", self.trace());
        results[0].clone()
    }

    /// Sequence numbers are gapless, nothing was refused, nothing follows the end.
    pub(super) fn check_stream(&self) {
        for (i, envelope) in self.envelopes().into_iter().enumerate() {
            assert_eq!(envelope.sequence, i as u64 + 1);
            assert!(!envelope.refused, "{envelope:?}");
        }
        if !self.results().is_empty() {
            let last = self.envelopes().last().map(|e| e.payload.kind());
            assert_eq!(last, Some(MessageKind::FinalResult));
        }
    }
}

/// The daemon is back, and is the same build.
pub(super) fn resumed() -> TaskInput {
    TaskInput::Resumed { build: crate::replay::BUILD.to_owned() }
}

pub(super) fn reply(content: &str) -> ModelOutcome {
    ModelOutcome::Reply(ChatReply {
        content: content.to_owned(),
        usage: Usage { prompt: Some(10), completion: Some(5), ..Usage::default() },
        attempts: 1,
        ..ChatReply::default()
    })
}

pub(super) fn unreachable() -> ModelOutcome {
    let kind = ModelFailureKind::Unreachable;
    ModelOutcome::Failure(ModelFailure {
        kind,
        message: "no model".to_owned(),
        attempts: 1,
        elapsed_ms: 0,
        retry_after_ms: None,
    })
}

/// A model that answers each role with the pinned JSON for a plan of the given steps, one tool call each.
pub(super) fn scripted(plan: &'static str) -> impl FnMut(&ChatRequest) -> ModelOutcome + 'static {
    move |request| {
        assert!(request.brief.is_some(), "who reads no prompt is asked as well, after a restart too");
        scripted_reply(plan, request)
    }
}

fn scripted_reply(plan: &str, request: &ChatRequest) -> ModelOutcome {
    match request.role {
        Role::Perceiver => reply(r#"{"slug":"count","intent":"count the files"}"#),
        Role::Planner => reply(plan),
        Role::Executor => reply(r#"{"action":"tool","tool":"glob","arguments":{"root":"."},"final":true}"#),
        _ => reply(&passing(request)),
    }
}

/// Verdicts that pass every listed criterion, citing the last receipt of the prompt.
pub(super) fn passing(request: &ChatRequest) -> String {
    let prompt = &request.messages[1].content;
    let receipt =
        prompt.rsplit("[receipt ").next().and_then(|t| t.split(']').next()).unwrap_or("none").to_owned();
    let verdicts: Vec<String> = prompt
        .lines()
        .filter_map(|l| l.split_once(". [").and_then(|(n, _)| n.parse::<usize>().ok()))
        .map(|n| format!(r#"{{"criterion":{n},"verdict":"pass","receipt":"{receipt}","evidence":"seen"}}"#))
        .collect();
    format!(r#"{{"verdicts":[{}],"merged_output":"merged","summary":"done"}}"#, verdicts.join(","))
}

fn receipt(call: &ToolCall, exit: i64, output: &str) -> Receipt {
    Receipt {
        target: "/w".to_owned(),
        arguments: call.arguments.clone(),
        exit: Some(exit),
        output: output.to_owned(),
        output_bytes: output.len() as u64,
        ..Receipt::quiet(EvidenceId::receipt(call.effect_id), &call.tool)
    }
}

fn finished(call: &ToolCall, exit: i64, output: &str) -> TaskInput {
    TaskInput::ToolFinished { effect_id: call.effect_id, receipt: Box::new(receipt(call, exit, output)) }
}

fn brought(call: &ToolCall, taint: Taint) -> TaskInput {
    let receipt = Receipt { taint, ..receipt(call, 0, "three lines") };
    TaskInput::ToolFinished { effect_id: call.effect_id, receipt: Box::new(receipt) }
}

fn wrote(call: &ToolCall) -> TaskInput {
    let receipt = Receipt { effect: EffectClass::Overwrite, ..receipt(call, 0, "written") };
    TaskInput::ToolFinished { effect_id: call.effect_id, receipt: Box::new(receipt) }
}

fn changed(call: &ToolCall, path: &str) -> TaskInput {
    let digest = |text: &str| Some(text.repeat(64));
    let change = FileChange {
        path: path.to_owned(),
        kind: ChangeKind::Changed,
        before: digest("a"),
        after: digest("b"),
        modes: None,
    };
    let act = CallAct { changes: vec![change], ..CallAct::default() };
    let receipt = Receipt { effect: EffectClass::Overwrite, act, ..receipt(call, 0, "changed") };
    TaskInput::ToolFinished { effect_id: call.effect_id, receipt: Box::new(receipt) }
}

/// What a call that was [`held`] is about to do.
pub(super) fn intent(call: &ToolCall) -> Intent {
    let HeldCall { effects, targets, digest, .. } = held(call);
    Intent { effects, targets, digest }
}

pub(super) fn held(call: &ToolCall) -> HeldCall {
    HeldCall {
        tool: call.tool.clone(),
        action: "rm /w/x".to_owned(),
        classes: vec!["shell:rm".to_owned()],
        target: "/w/x".to_owned(),
        effects: vec![EffectClass::Delete],
        targets: vec!["/w/x".to_owned()],
        why: vec!["it deletes".to_owned()],
        states: vec![TargetState {
            real: "/w/x".to_owned(),
            leads_to: "/w/x".to_owned(),
            kind: TargetKind::File,
            bytes: 1,
            files: 1,
            sha256: String::new(),
        }],
        undo: Undoing::Trash { bytes: 1 },
        caution: false,
        digest: "d".to_owned(),
    }
}

fn setting() -> TaskSetting {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        signature: "{}".to_owned(),
        purpose: "for tests".to_owned(),
        schema: "{}".to_owned(),
        reads: false,
    };
    TaskSetting {
        control: ControlParams::default(),
        deadline_ms: 600_000,
        max_tokens: None,
        interactive: true,
        tools: ["glob", "read_file", "write_file", "shell"].map(tool).to_vec(),
        native_tool_calls: false,
        models: Default::default(),
        home: "/h".to_owned(),
        workspace: "/h/artoo_workspace".to_owned(),
        os: "linux".to_owned(),
        clock: PersonClock { date: "2026-11-21".to_owned(), utc_offset_minutes: 0 },
        provider: "test".to_owned(),
        workspace_files: Vec::new(),
        session: Vec::new(),
        build: crate::replay::BUILD.to_owned(),
    }
}
