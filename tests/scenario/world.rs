//! One task, the folder that it works in, the person who asked, and the model that answers.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use artoo_command::stop::StopSignal;
use artoo_redact::Redactor;
use artoo_task::TaskMachine;
use artoo_task::fold::fold;
use artoo_task::replay::{BUILD, Replay};
use artoo_tools::{RunOutcome, Toolbox, ToolboxConfig};
use artoo_types::chat::{ChatReply, ChatRequest, ModelOutcome, Speaker, Usage};
use artoo_types::machine::{StepRecord, TaskEffect, TaskInput};
use artoo_types::memory::{MemoryAction, MemoryEntry, MemoryQuery, MemoryReply, Potentials};
use artoo_types::setting::{ControlParams, PersonClock, TaskSetting};
use artoo_types::tag::Tag;
use artoo_types::task::{StopCause, TaskOptions, TaskSubmitted};
use artoo_types::tool::{Approval, ToolCall};
use artoo_types::{Message, TaskId, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::trace;
use artoo_testing::model_server::{Reply, Seen};
use artoo_testing::scripted_roles::Scenario;

/// Steps of one task. A scenario that takes more is going round in circles.
const MAX_STEPS: usize = 500;
/// What a step takes.
const STEP_MS: u64 = 10;

/// What a person does when asked whether an action may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Person {
    /// Nobody is there.
    Absent,
    /// Says yes to everything.
    Agrees,
    /// Says no to everything.
    Refuses,
}

/// What happens to the task from outside, once: where a kind is named, when a message of it was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// Nothing.
    None,
    /// The person cancels.
    Cancelled(&'static str),
    /// The daemon goes down and comes back.
    Restarted(&'static str),
    /// The same once a call was announced that does more than reading, before it ran.
    RestartedBeforeActing,
    /// The same after it ran, before its end was on record.
    RestartedAfterActing,
}

/// What waits to be done.
enum Next {
    Input(TaskInput),
    Effect(TaskEffect),
}

/// A scenario at work.
pub(crate) struct World {
    folder: TempDir,
    root: PathBuf,
    runtime: Runtime,
    toolbox: Toolbox,
    model: Box<dyn Fn(&Seen) -> Reply>,
    person: Person,
    answer: &'static str,
    mishap: Mishap,
    control: ControlParams,
    /// What the memory answers, whatever is asked.
    known: MemoryReply,
    /// What memory advises for a tool class and a file of the working folder, when it is asked about just that.
    advice: Option<(&'static str, &'static str, MemoryAction)>,
    machine: TaskMachine,
    now: Timestamp,
    calls: usize,
    queue: VecDeque<Next>,
    records: Vec<StepRecord>,
}

impl World {
    /// A world in which the scenario's roles answer, with an empty folder to work in.
    pub(crate) fn new(scenario: Scenario) -> Self {
        Self::with_model(scenario.script())
    }

    /// The same with a model that answers as it likes.
    pub(crate) fn with_model(model: impl Fn(&Seen) -> Reply + 'static) -> Self {
        let folder =
            tempfile::Builder::new().prefix("artoo-").tempdir_in("/tmp").expect("/tmp can be written");
        let root = folder.path().canonicalize().expect("the folder was just made");
        for name in ["work", "workspace", "data/artifacts"] {
            fs::create_dir_all(root.join(name)).expect("the folder can be written");
        }
        let toolbox = Toolbox::new(ToolboxConfig {
            workspace: root.join("workspace"),
            home: root.clone(),
            data_dir: root.join("data"),
            artifacts: root.join("data/artifacts"),
            environment: std::env::vars().filter(|(name, _)| name == "PATH").collect(),
            redactor: Redactor::default(),
            web: Default::default(),
            trash: artoo_trash::TrashLimits::default(),
            launcher: None,
            sandbox: artoo_command::sandbox::Sandboxing::Waived,
            unasked: Default::default(),
        });
        Self {
            folder,
            root,
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime can be made"),
            toolbox,
            model: Box::new(model),
            person: Person::Absent,
            answer: "",
            mishap: Mishap::None,
            control: ControlParams::default(),
            known: MemoryReply::default(),
            advice: None,
            machine: TaskMachine::new(task()),
            now: Timestamp(1_700_000_000_000),
            calls: 0,
            queue: VecDeque::new(),
            records: Vec::new(),
        }
    }

    /// The same with this person, who answers questions like that.
    pub(crate) fn person(self, person: Person, answer: &'static str) -> Self {
        Self { person, answer, ..self }
    }

    /// The same with a mishap.
    pub(crate) fn mishap(self, mishap: Mishap) -> Self {
        Self { mishap, ..self }
    }

    /// The same without corrections: a step has one attempt.
    pub(crate) fn without_corrections(mut self) -> Self {
        self.control.max_retries = 0;
        self
    }

    /// The same with one round alone, however it ends.
    pub(crate) fn without_replans(mut self) -> Self {
        self.control.max_replans = 0;
        self
    }

    /// The same with a memory that knows this.
    pub(crate) fn knowing(self, known: MemoryReply) -> Self {
        Self { known, ..self }
    }

    /// The same with a memory that advises this for a tool class on a file.
    pub(crate) fn advising(self, class: &'static str, name: &'static str, action: MemoryAction) -> Self {
        Self { advice: Some((class, name, action)), ..self }
    }

    /// Writes a file below the folder in which the task works.
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        let path = self.work().join(name);
        let parent = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, content))
            .expect("the folder can be written");
        self
    }

    /// The folder in which the task works.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// What a file of the working directory holds.
    pub(crate) fn written(&self, name: &str) -> String {
        fs::read_to_string(self.work().join(name)).expect("the task wrote it")
    }

    /// Runs the task to its end, folds it again, and gives its trace.
    pub(crate) fn run(&mut self, input: &str) -> String {
        self.queue.push_back(Next::Input(self.submission(input)));
        while let Some(next) = self.queue.pop_front() {
            assert!(self.records.len() < MAX_STEPS, "no end in sight: {}", self.trace());
            match next {
                Next::Input(input) => self.step(input),
                Next::Effect(effect) => self.perform(effect),
            }
        }
        assert!(self.machine.is_finished(), "the task waits for nothing: {}", self.trace());
        self.replay();
        self.trace()
    }

    fn trace(&self) -> String {
        let envelopes = self.records.iter().flat_map(|record| &record.envelopes);
        trace::of(envelopes, &self.folder.path().to_string_lossy())
    }

    /// What the journal would hold leads to the same task, whoever reads it back.
    fn replay(&self) {
        let mut replay = Replay::new(task());
        for record in &self.records {
            let line = serde_json::to_string(record).expect("a record has a JSON form");
            let read: StepRecord = serde_json::from_str(&line).expect("it was just written");
            assert_eq!(&read, record, "a record comes back as it was");
            assert!(replay.take(read), "it folds differently: {:#?}", replay.seen().difference);
        }
        assert!(replay.seen().is_finished);
    }

    fn step(&mut self, input: TaskInput) {
        self.now = self.now.plus_ms(STEP_MS);
        let output = self.machine.step(self.now, input.clone());
        let seq = self.records.len() as u64 + 1;
        let envelopes = output.envelopes;
        let effects = output.effects.clone();
        self.records.push(StepRecord { seq, at: self.now, input, envelopes: envelopes.clone(), effects });
        self.queue.extend(output.effects.into_iter().map(Next::Effect));
        envelopes.iter().for_each(|envelope| self.react(&envelope.payload));
    }

    /// What people do when they see this message, and what else happens then.
    fn react(&mut self, message: &Message) {
        if let Message::ConfirmationRequest(question) = message
            && self.person != Person::Absent
        {
            self.queue.push_back(Next::Input(TaskInput::Confirmed {
                confirmation_id: question.confirmation_id,
                approved: self.person == Person::Agrees,
                remember_for_task: false,
            }));
        }
        if let Message::ClarificationRequest(_) = message {
            self.queue.push_back(Next::Input(TaskInput::Clarified { answer: self.answer.to_owned() }));
        }
        let kind = message.kind().as_str();
        if self.mishap == Mishap::Cancelled(kind) {
            self.mishap = Mishap::None;
            let detail = "cancelled by you".to_owned();
            self.queue.push_front(Next::Input(TaskInput::Stop { cause: StopCause::Cancelled, detail }));
        }
        if self.mishap == Mishap::Restarted(kind) {
            self.restart();
        }
    }

    /// The process dies, and what it was doing with it; the next one has the records alone.
    fn restart(&mut self) {
        self.mishap = Mishap::None;
        self.queue.clear();
        let (machine, difference) = fold(task(), self.records.clone());
        assert_eq!(difference, None);
        self.machine = machine;
        self.queue.push_back(Next::Input(TaskInput::Resumed { build: BUILD.to_owned() }));
    }

    fn perform(&mut self, effect: TaskEffect) {
        let input = match effect {
            TaskEffect::CallModel { effect_id, request } => {
                TaskInput::ModelFinished { effect_id, outcome: self.ask(&request) }
            }
            TaskEffect::RunTool { call, approval } => return self.run_tool(&call, approval.as_ref()),
            TaskEffect::RecoverTool { call } => {
                let recovered = self.toolbox.recover(call.clone(), StopSignal::never(), self.now);
                ended(&call, self.runtime.block_on(recovered))
            }
            TaskEffect::RunChecks { effect_id, checks, subject, working_directory } => {
                let evidence = self.toolbox.evaluate(effect_id, &checks, &subject, &working_directory);
                TaskInput::ChecksFinished { effect_id, evidence: self.runtime.block_on(evidence) }
            }
            TaskEffect::QueryMemory { effect_id, query } => {
                TaskInput::MemoryAnswered { effect_id, reply: self.recall(&query) }
            }
            TaskEffect::LookAround { effect_id, working_directory, .. } => {
                let seen = self.runtime.block_on(self.toolbox.situation(effect_id, &working_directory));
                TaskInput::LookedAround { effect_id, situation: Box::new(seen) }
            }
            TaskEffect::StopAll => {
                self.queue.clear();
                TaskInput::Stopped { survivors: Vec::new() }
            }
            // Nothing waits so long, and what is remembered is in the trace.
            TaskEffect::WakeAt { .. } | TaskEffect::WriteMemory { .. } => return,
        };
        self.queue.push_back(Next::Input(input));
    }

    /// Announces a call that does more than reading, as the daemon does, and runs it.
    fn run_tool(&mut self, call: &ToolCall, approval: Option<&Approval>) {
        let judged = self.toolbox.judge(call.clone());
        if let Some(intent) = judged.intent(approval) {
            let steps = self.records.len();
            self.step(TaskInput::ToolStarting { effect_id: call.effect_id, intent });
            assert_eq!(self.records[steps].effects, [], "an announcement wants nothing");
            if self.mishap == Mishap::RestartedBeforeActing {
                return self.restart();
            }
        }
        let run = self.toolbox.run(judged, approval, StopSignal::never(), self.now);
        let input = ended(call, self.runtime.block_on(run));
        if self.mishap == Mishap::RestartedAfterActing {
            return self.restart();
        }
        self.queue.push_back(Next::Input(input));
    }

    fn recall(&self, query: &MemoryQuery) -> MemoryReply {
        let advice = self.advice.map(|(class, name, action)| {
            let path = self.work().join(name).to_string_lossy().into_owned();
            let potentials = Potentials { attention: 1.0, decision: 0.0, action };
            let tag = Tag::tool(class, Some(&path));
            MemoryEntry {
                tag,
                potentials,
                sops: Vec::new(),
                top: Vec::new(),
                via: None,
                proposals: Vec::new(),
            }
        });
        let advice = advice.into_iter().filter(|entry| query.tags.contains(&entry.tag));
        let entries = self.known.entries.iter().cloned().chain(advice).collect();
        MemoryReply { entries, ..self.known.clone() }
    }

    fn ask(&mut self, request: &ChatRequest) -> ModelOutcome {
        let speaker = |speaker| match speaker {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        let message =
            |m: &artoo_types::chat::ChatMessage| json!({"role": speaker(m.speaker), "content": m.content});
        let messages: Vec<Value> = request.messages.iter().map(message).collect();
        let seen = Seen {
            number: self.calls,
            call: self.calls,
            role: request.role.as_str().to_owned(),
            path: String::new(),
            headers: Default::default(),
            body: json!({"messages": messages}),
        };
        self.calls += 1;
        let (Reply::Sse(content) | Reply::Json(content)) = (self.model)(&seen) else {
            panic!("scenarios answer with content")
        };
        ModelOutcome::Reply(ChatReply {
            content,
            usage: Usage { prompt: Some(100), completion: Some(20), ..Usage::default() },
            model: "scripted".to_owned(),
            attempts: 1,
            elapsed_ms: 1,
            ..ChatReply::default()
        })
    }

    fn submission(&self, input: &str) -> TaskInput {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let submitted = TaskSubmitted {
            input: input.to_owned(),
            session_id: String::new(),
            request_id: String::new(),
            working_directory: text(&self.work()),
            options: TaskOptions { unattended: self.person == Person::Absent, ..TaskOptions::default() },
        };
        let setting = Box::new(TaskSetting {
            control: self.control,
            deadline_ms: 600_000,
            max_tokens: None,
            interactive: self.person != Person::Absent,
            tools: self.toolbox.specs(&text(&self.root.join("work"))),
            native_tool_calls: false,
            models: Default::default(),
            home: text(&self.root),
            workspace: text(&self.root.join("workspace")),
            os: "linux".to_owned(),
            clock: PersonClock { date: "2026-11-21".to_owned(), utc_offset_minutes: 0 },
            provider: "scripted".to_owned(),
            workspace_files: Vec::new(),
            session: Vec::new(),
            build: BUILD.to_owned(),
        });
        TaskInput::Submitted { submitted, setting }
    }
}

fn task() -> TaskId {
    TaskId(uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001))
}

/// The end of a call. How long it took in truth is nobody's business here.
fn ended(call: &ToolCall, outcome: RunOutcome) -> TaskInput {
    let effect_id = call.effect_id;
    match outcome {
        RunOutcome::Done(mut receipt) => {
            receipt.time.elapsed_ms = 1;
            TaskInput::ToolFinished { effect_id, receipt }
        }
        RunOutcome::Held(question, _) => TaskInput::ToolHeld { effect_id, question: *question },
        RunOutcome::Interrupted(question) => TaskInput::ToolInterrupted { effect_id, question: *question },
    }
}
