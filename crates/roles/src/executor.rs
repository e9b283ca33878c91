//! R3 Executor: plant of the fast loop.
//! Receives   SubTask, CorrectionSignal; model replies, receipts
//! Produces   ExecutionResult
//! May        ask a model, ask for a tool to be run
//! Does NOT   judge itself, retry unasked, reach memory, make evidence

use std::sync::Arc;

use artoo_types::brief::{ActBrief, EarlierWork, TaskBackground, Turn};
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::criteria::Criterion;
use artoo_types::envelope::Role;
use artoo_types::evidence::Receipt;
use artoo_types::lesson::AttemptEnd;
use artoo_types::limits::{MAX_PARALLEL, MAX_REFUSALS, MAX_TOOL_STEPS, TOOL_CALL_SNIPPET_CHARS};
use artoo_types::outcome::{CorrectionSignal, ExecutionStatus};
use artoo_types::plan::{Blocks, SubTask};
use artoo_types::reply::SchemaName;
use artoo_types::setting::TaskSetting;
use artoo_types::text::first_chars;
use artoo_types::tool::{ToolSpec, names};
use artoo_types::{EvidenceId, Timestamp};

use crate::ask::{Asker, ReplyOutcome};
use crate::prompt::one_line;

mod earlier;
mod looks;
mod reply;
mod request;
#[cfg(test)]
mod tests;
mod turn;

use looks::StandingLooks;
use reply::ExecutorAction;
use turn::{TurnCall, TurnCalls, WantedCall};

/// Characters of what a model says of its calls.
const THOUGHT_CHARS: usize = 500;

/// What reaches an executor.
#[derive(Debug, Clone)]
pub enum Input {
    /// What else is known of the task; it comes before the subtask.
    Task {
        /// The criteria of the task; empty where another step shares in them.
        criteria: Vec<Criterion>,
        /// What steps of earlier plans did whose work this one carries on.
        earlier: Vec<EarlierWork>,
    },
    /// Its subtask.
    Assigned(SubTask),
    /// Try again, like this.
    Corrected(CorrectionSignal),
    /// A model call ended.
    Model(ModelOutcome),
    /// A tool call ended.
    Tool(Receipt),
}

/// What an executor can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask a model.
    AskModel(ChatRequest),
    /// Ask for a tool call.
    RunTool {
        /// The tool.
        tool: String,
        /// Arguments as JSON text with sorted keys.
        arguments: String,
    },
    /// End the attempt.
    Report(AttemptReport),
}

/// The end of an attempt, before the runtime attaches the receipts.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptReport {
    /// 1 for the first attempt.
    pub attempt: u32,
    /// How it ended.
    pub status: ExecutionStatus,
    /// The result.
    pub output: AttemptOutput,
    /// Why it failed, when the reason is not the executor's own.
    pub infrastructure: Option<String>,
    /// How it ended, when there is nothing to judge.
    pub end: Option<AttemptEnd>,
}

/// Where a result comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum AttemptOutput {
    /// The executor's own text.
    Answer(String),
    /// The output of this receipt, as it is.
    Receipt(EvidenceId),
}

/// The executor of one subtask.
#[derive(Debug, Clone)]
pub struct Executor {
    setting: Arc<TaskSetting>,
    working_directory: String,
    task: Arc<TaskBackground>,
    asker: Asker,
    subtask: Option<Arc<SubTask>>,
    correction: Option<CorrectionSignal>,
    attempt: u32,
    /// When the last call may begin; none where nobody said so.
    last_call_at: Option<Timestamp>,
    /// Calls of this attempt.
    steps: usize,
    refusals: Refusals,
    /// What became of the calls of all attempts, in order.
    turns: Vec<Turn>,
    /// How many of them are of earlier attempts.
    earlier_turns: usize,
    /// What reading calls of this attempt showed.
    looks: StandingLooks,
    /// What the model wants in this turn.
    calls: TurnCalls,
    /// What the attempt ended with, in the executor's own words.
    answer: Option<String>,
}

/// The calls of an attempt that code refused.
#[derive(Debug, Clone, Default)]
struct Refusals {
    count: usize,
    /// The words of the last one, unless a call ran since.
    last: Option<String>,
}

impl Executor {
    /// An executor for one subtask of the task with this request.
    pub fn new(setting: &TaskSetting, working_directory: &str, request: &str) -> Self {
        let system = include_str!("executor/prompt.md").trim_ascii_end();
        let schema = if setting.native_tool_calls { SchemaName::ExecutionResult } else { SchemaName::Action };
        Self {
            setting: Arc::new(setting.clone()),
            working_directory: working_directory.to_owned(),
            task: Arc::new(TaskBackground { request: request.to_owned(), ..TaskBackground::default() }),
            asker: Asker::new(Role::Executor, Tier::Tool, schema, system)
                .within(setting.models.tool_limits()),
            subtask: None,
            correction: None,
            attempt: 0,
            last_call_at: None,
            steps: 0,
            refusals: Refusals::default(),
            turns: Vec::new(),
            earlier_turns: 0,
            looks: StandingLooks::default(),
            calls: TurnCalls::default(),
            answer: None,
        }
    }

    /// One step.
    pub fn step(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Task { criteria, earlier } => {
                let request = self.task.request.clone();
                self.task = Arc::new(TaskBackground { request, criteria, earlier });
                Vec::new()
            }
            Input::Assigned(subtask) => {
                let opening = subtask.opening.iter().map(reply::opening).collect();
                self.subtask = Some(Arc::new(subtask));
                self.begin();
                self.act(now, opening)
            }
            Input::Corrected(correction) => {
                self.turns.extend(self.answer.take().map(Turn::Answered));
                self.turns.push(Turn::TriedAgain);
                self.correction = Some(correction);
                self.begin();
                vec![self.ask(now)]
            }
            // A call of an attempt that is over came to its end.
            Input::Tool(_) if !self.calls.is_running() => Vec::new(),
            Input::Model(outcome) => self.hear(now, outcome),
            Input::Tool(receipt) => self.take(now, receipt),
        }
    }

    /// From then on no further call begins; what the attempt has found by then may still be told. The moment is said anew with
    /// every step, for what the task waits for moves it.
    pub fn set_last_call(&mut self, at: Timestamp) {
        self.last_call_at = Some(at);
    }

    /// Another step of the task did something, or is about to: whatever was looked at may be another now.
    pub fn world_moved(&mut self) {
        self.looks.world_moved(self.calls.is_running());
    }

    /// Whether a call of this tool may do more than look.
    pub fn may_act(&self, tool: &str) -> bool {
        !self.setting.tools.iter().any(|offered| offered.name == tool && offered.reads)
    }

    /// What this executor must not use.
    pub fn blocks(&self) -> Blocks {
        self.subtask.as_ref().map(|s| s.blocked.clone()).unwrap_or_default()
    }

    /// Milliseconds in which a call may still begin.
    fn left_ms(&self, now: Timestamp) -> Option<u64> {
        self.last_call_at.map(|at| at.since_ms(now))
    }

    /// A further attempt goes on from what the ones before it did and saw. It may look at all of it again.
    fn begin(&mut self) {
        self.attempt += 1;
        self.steps = 0;
        self.refusals = Refusals::default();
        self.earlier_turns = self.turns.len();
        self.looks = StandingLooks::default();
        self.calls = TurnCalls::default();
    }

    fn hear(&mut self, now: Timestamp, outcome: ModelOutcome) -> Vec<Effect> {
        let effect = match reply::read(&mut self.asker, outcome) {
            ReplyOutcome::AskAgain(request) => Effect::AskModel(request),
            ReplyOutcome::Failed(failed) => self.broke_down(failed.message, AttemptEnd::NoModel),
            ReplyOutcome::Reply(ExecutorAction::Finish { status, output }) => {
                self.answer = Some(output.clone());
                Effect::Report(AttemptReport {
                    attempt: self.attempt,
                    status,
                    output: AttemptOutput::Answer(output),
                    infrastructure: None,
                    end: (status == ExecutionStatus::Failed).then_some(AttemptEnd::GaveUp),
                })
            }
            ReplyOutcome::Reply(ExecutorAction::Tools { thought, wanted }) => {
                let thought = thought.map(|words| first_chars(words.trim(), THOUGHT_CHARS));
                self.turns.extend(thought.filter(|words| !words.is_empty()).map(Turn::Said));
                return self.act(now, wanted);
            }
        };
        vec![effect]
    }

    /// Runs the calls, except those that code refuses: a tool that is not offered, or a look at what was seen before and
    /// has not changed since. Any other call may be made again: tests, once more after an edit.
    fn act(&mut self, now: Timestamp, wanted: Vec<WantedCall>) -> Vec<Effect> {
        if !wanted.is_empty() && self.left_ms(now) == Some(0) {
            let why = "the time of the task was spent before there was a result".to_owned();
            return vec![self.broke_down(why, AttemptEnd::Limit)];
        }
        let runs_out = self.steps >= MAX_TOOL_STEPS;
        let mut refused = None;
        for (index, call) in wanted.into_iter().enumerate() {
            match self.refusal(index, &call) {
                Some(words) => {
                    self.calls.refuse(words.clone());
                    refused = Some(words);
                }
                None if runs_out => {
                    let why = format!("no result after {MAX_TOOL_STEPS} tool calls");
                    return vec![self.give_up(why, AttemptEnd::Limit)];
                }
                None if self.steps >= MAX_TOOL_STEPS => {
                    self.calls.refuse(format!("[not run] {}: no step is left", call.tool));
                }
                None => {
                    self.steps += 1;
                    self.refusals.last = None;
                    let reads = !self.may_act(&call.tool);
                    self.calls.call(TurnCall { wanted: call, reads });
                }
            }
        }
        match refused.and_then(|words| self.loops(words)) {
            Some(why) => vec![self.give_up(why, AttemptEnd::Limit)],
            None => self.go_on(now),
        }
    }

    /// Why code does not run the call, the `index`-th of its turn, in words for the model.
    fn refusal(&self, index: usize, call: &WantedCall) -> Option<String> {
        let tool = &call.tool;
        if index >= MAX_PARALLEL {
            return Some(format!("[not run] {tool}: at most {MAX_PARALLEL} calls a turn; ask for it again"));
        }
        if *tool == names::ASK_PERSON && !self.setting.interactive {
            let why = "nobody can be asked in this task; decide by yourself and say what you assumed";
            return Some(format!("[refused] {tool}: {why}"));
        }
        if !self.offered().any(|t| t.name == *tool) {
            let names: Vec<&str> = self.offered().map(|t| t.name.as_str()).collect();
            let tool = first_chars(tool, 60);
            return Some(format!("[refused] {tool}: not offered here; use one of {}", names.join(", ")));
        }
        if self.calls.wants(call) {
            return Some(format!("[not run] {tool}: this turn asks for it already"));
        }
        let id = self.looks.of(call).filter(|_| !self.calls.acts())?;
        Some(format!("[not run again] {tool}: nothing has changed since receipt {id}"))
    }

    /// The model hears why nothing ran. A second refusal in the same words in a row ends the attempt: it is a loop.
    fn loops(&mut self, refusal: String) -> Option<String> {
        if self.refusals.last.as_ref() == Some(&refusal) {
            return Some(format!("the same call was refused twice: {refusal}"));
        }
        self.refusals.count += 1;
        if self.refusals.count > MAX_REFUSALS {
            return Some(format!("more than {MAX_REFUSALS} calls were refused, the last: {refusal}"));
        }
        self.refusals.last = Some(refusal);
        None
    }

    /// A call that failed, that was denied, or that changed something is a receipt like any other: the model reads it and goes on.
    fn take(&mut self, now: Timestamp, receipt: Receipt) -> Vec<Effect> {
        for (call, receipt) in self.calls.ended(Arc::new(receipt)).unwrap_or_default() {
            self.looks.note(call.wanted, &receipt);
        }
        if self.calls.is_running() {
            return Vec::new();
        }
        self.looks.rest();
        if self.left_ms(now) == Some(0) {
            self.calls.start_no_more();
        }
        self.go_on(now)
    }

    /// Starts what may start of the turn; when all of it has ended, the attempt ends with it or the model is asked.
    fn go_on(&mut self, now: Timestamp) -> Vec<Effect> {
        let started = self.calls.start();
        if !started.is_empty() {
            let run = |call: WantedCall| Effect::RunTool { tool: call.tool, arguments: call.arguments };
            return started.into_iter().map(run).collect();
        }
        let (told, result) = self.calls.finish();
        self.turns.extend(told);
        // A model takes a second look at what its own program line broke.
        let is_broken = |receipt: &Arc<Receipt>| {
            self.setting.models.language_model && artoo_relevance::shell_complains(&receipt.output)
        };
        let result = result.filter(|receipt| !is_broken(receipt));
        vec![match result {
            Some(receipt) => Effect::Report(AttemptReport {
                attempt: self.attempt,
                status: ExecutionStatus::Completed,
                output: AttemptOutput::Receipt(receipt.id.clone()),
                infrastructure: None,
                end: None,
            }),
            None => self.ask(now),
        }]
    }

    fn give_up(&self, why: String, end: AttemptEnd) -> Effect {
        Effect::Report(AttemptReport {
            attempt: self.attempt,
            status: ExecutionStatus::Failed,
            output: AttemptOutput::Answer(why),
            infrastructure: None,
            end: Some(end),
        })
    }

    fn broke_down(&self, why: String, end: AttemptEnd) -> Effect {
        Effect::Report(AttemptReport {
            attempt: self.attempt,
            status: ExecutionStatus::Failed,
            output: AttemptOutput::Answer(why.clone()),
            infrastructure: Some(why),
            end: Some(end),
        })
    }

    /// Tools of this machine minus the blocked ones. A block on one program of `shell` leaves `shell` itself; the
    /// gate refuses that program.
    fn offered(&self) -> impl Iterator<Item = &ToolSpec> {
        let blocked = self.subtask.as_ref().map(|s| s.blocked.classes.as_slice()).unwrap_or_default();
        self.setting.tools.iter().filter(move |t| !blocked.contains(&t.name))
    }

    fn ask(&mut self, now: Timestamp) -> Effect {
        let Some(subtask) = &self.subtask else {
            return self.broke_down("no subtask was assigned".to_owned(), AttemptEnd::Limit);
        };
        let offered: Vec<ToolSpec> = self.offered().cloned().collect();
        let native = if self.setting.native_tool_calls { offered.clone() } else { Vec::new() };
        let brief = ActBrief {
            setting: Arc::clone(&self.setting),
            working_directory: self.working_directory.clone(),
            subtask: Arc::clone(subtask),
            tools: offered,
            turns: self.turns.clone(),
            earlier_turns: self.earlier_turns,
            steps_left: MAX_TOOL_STEPS - self.steps.min(MAX_TOOL_STEPS),
            left_ms: self.left_ms(now),
            task: Arc::clone(&self.task),
            correction: self.correction.clone(),
        };
        Effect::AskModel(self.asker.ask_with_tools(brief, native))
    }
}

/// The line that stands for a call in `tool_calls`, made from its receipt.
pub fn call_line(receipt: &Receipt) -> String {
    let [arguments, output] = [&receipt.arguments, &receipt.output]
        .map(|text| one_line(&first_chars(text, TOOL_CALL_SNIPPET_CHARS)));
    format!("{}: {arguments} → {output}", receipt.tool)
}
