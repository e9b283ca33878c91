//! Replay: the recorded inputs of a task, folded again, and everything that they led to, compared.
//!
//! A replay needs no model, no tool, no clock and no network: it holds a machine and is given records. It says whether
//! every envelope (plans, verdicts, figures, directives, results) and every effect is the one that the journal holds,
//! and else where the first difference is. With other parameters of the controller it says what the controller would
//! have decided on the same rounds. Start with [`Replay::take`].
//!
//! Texts of prompts, and how long a call may take, are compared within one [`BUILD`] alone, which is a hash of the sources that are
//! folded; so another build with other prompts or limits goes on with a task.

mod decided;
mod difference;

use artoo_types::TaskId;
use artoo_types::chat::ChatMessage;
use artoo_types::machine::{StepOutput, StepRecord, TaskEffect, TaskInput};
use artoo_types::setting::ControlParams;
use artoo_types::{Envelope, Message};

pub use decided::ControllerDecision;
pub use difference::ReplayDifference;
pub(crate) use difference::in_wants;

use crate::TaskMachine;
use crate::journaled::put_in_words;

/// The build of artoo that this code belongs to: its version, and a hash of the sources of everything that is folded.
/// Two programs with the same build write the same prompts from the same inputs; nothing else about them matters.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("ARTOO_FOLD_HASH"));

/// A task that is folded again, step by step.
#[derive(Debug, Clone)]
pub struct Replay {
    machine: TaskMachine,
    /// Who wrote the steps that come; empty until the first one says so.
    written_by: String,
    /// Parameters to decide with in the place of the recorded ones.
    control: Option<ControlParams>,
    seen: ReplayReport,
}

/// What a replay has seen so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReplayReport {
    /// Steps that were compared and are the same.
    pub steps: u64,
    /// Envelopes in them.
    pub envelopes: u64,
    /// Effects in them.
    pub effects: u64,
    /// The controller's decisions, the ones of the step that differs included.
    pub decisions: Vec<DecisionPair>,
    /// Prompts in steps of another build that read differently now. They are no difference.
    pub other_prompts: u64,
    /// Builds other than this one that wrote steps, in order; an empty name for one that did not say.
    pub other_builds: Vec<String>,
    /// Where the replay and the journal part.
    pub difference: Option<ReplayDifference>,
    /// Whether the task has ended.
    pub is_finished: bool,
}

/// One decision of the controller, as it was recorded and as it is folded. One of them is absent when only the other
/// decides at this point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecisionPair {
    /// What the journal says.
    pub recorded: Option<ControllerDecision>,
    /// What the machine does.
    pub folded: Option<ControllerDecision>,
}

impl DecisionPair {
    /// Whether both decide, and the same.
    pub fn agrees(&self) -> bool {
        match (&self.recorded, &self.folded) {
            (Some(recorded), Some(folded)) => recorded.is_same_decision(folded),
            (Some(_), None) | (None, Some(_)) | (None, None) => false,
        }
    }
}

impl Replay {
    /// A replay that compares everything.
    pub fn new(task_id: TaskId) -> Self {
        Self {
            machine: TaskMachine::new(task_id),
            written_by: String::new(),
            control: None,
            seen: ReplayReport::default(),
        }
    }

    /// A replay that decides with these parameters and compares decisions alone. It holds up to the first different
    /// one: what would have followed, nobody has tried.
    pub fn with_control(task_id: TaskId, control: ControlParams) -> Self {
        Self { control: Some(control), ..Self::new(task_id) }
    }

    /// Folds the next record. False when it, or one before it, differs: what comes later answers to effects that this
    /// machine never wanted, so that comparing it would say nothing.
    pub fn take(&mut self, record: StepRecord) -> bool {
        if self.seen.difference.is_none() {
            self.seen.difference = self.compare(record);
        }
        self.seen.difference.is_none()
    }

    /// What was seen so far.
    pub fn seen(&self) -> &ReplayReport {
        &self.seen
    }

    /// The machine after the last step that was folded.
    pub fn into_machine(self) -> TaskMachine {
        self.machine
    }

    fn compare(&mut self, record: StepRecord) -> Option<ReplayDifference> {
        let StepRecord { seq, at, mut input, envelopes, effects } = record;
        if seq != self.seen.steps + 1 {
            return Some(ReplayDifference::of_seq(self.seen.steps + 1, seq));
        }
        self.note_build(&input);
        if let (TaskInput::Submitted { setting, .. }, Some(control)) = (&mut input, self.control) {
            setting.control = control;
        }
        let mut recorded = StepOutput { envelopes, effects };
        let mut folded = self.machine.step(at, input);
        put_in_words(&mut recorded.effects, &folded.effects);
        let decisions = decided::pairs(&recorded.envelopes, &folded.envelopes);
        let before = self.seen.decisions.last().copied();
        self.seen.decisions.extend(decisions.iter().filter(|d| !decided::is_told_again(d, before.as_ref())));
        if self.control.is_some() {
            let agrees = decisions.iter().all(DecisionPair::agrees);
            let parted = if agrees { None } else { Some(ReplayDifference::of_decisions(seq, &decisions)) };
            let parted = parted.or_else(|| in_wants(seq, &recorded.effects, &folded.effects));
            if parted.is_some() {
                return parted;
            }
        } else {
            if self.written_by != BUILD {
                self.seen.other_prompts += forget_prompts(&mut recorded, &mut folded);
                recorded.effects.iter_mut().chain(&mut folded.effects).for_each(forget_limit);
            }
            if recorded != folded
                && let Some(difference) = difference::between(seq, &recorded, &folded)
            {
                return Some(difference);
            }
        }
        self.seen.steps += 1;
        self.seen.envelopes += folded.envelopes.len() as u64;
        self.seen.effects += folded.effects.len() as u64;
        self.seen.is_finished = self.machine.is_finished();
        None
    }

    /// Notes which build wrote this step and those that follow.
    fn note_build(&mut self, input: &TaskInput) {
        let build = match input {
            TaskInput::Submitted { setting, .. } => &setting.build,
            TaskInput::Resumed { build } => build,
            TaskInput::ModelFinished { .. }
            | TaskInput::ToolHeld { .. }
            | TaskInput::ToolStarting { .. }
            | TaskInput::ToolInterrupted { .. }
            | TaskInput::ToolFinished { .. }
            | TaskInput::ChecksFinished { .. }
            | TaskInput::MemoryAnswered { .. }
            | TaskInput::LookedAround { .. }
            | TaskInput::Confirmed { .. }
            | TaskInput::Clarified { .. }
            | TaskInput::Stop { .. }
            | TaskInput::Stopped { .. }
            | TaskInput::Wake => return,
        };
        self.written_by.clone_from(build);
        if self.written_by != BUILD && !self.seen.other_builds.contains(&self.written_by) {
            self.seen.other_builds.push(self.written_by.clone());
        }
    }
}

/// Takes the texts of prompts, and their lengths, out of both; gives how many prompts differed.
fn forget_prompts(recorded: &mut StepOutput, folded: &mut StepOutput) -> u64 {
    let pairs = recorded.effects.iter_mut().zip(&mut folded.effects);
    let differing = pairs.map(|(a, b)| u64::from(take_prompt(a) != take_prompt(b))).sum();
    // What has no counterpart is a difference anyway.
    recorded.envelopes.iter_mut().chain(&mut folded.envelopes).for_each(forget_length);
    differing
}

fn take_prompt(effect: &mut TaskEffect) -> Vec<String> {
    let TaskEffect::CallModel { request, .. } = effect else { return Vec::new() };
    let text = |message: &mut ChatMessage| std::mem::take(&mut message.content);
    request.messages.iter_mut().map(text).collect()
}

fn forget_limit(effect: &mut TaskEffect) {
    if let TaskEffect::RunTool { call, .. } | TaskEffect::RecoverTool { call } = effect {
        call.deadline_ms = 0;
    }
}

fn forget_length(envelope: &mut Envelope) {
    if let Message::ModelCallStarted(started) = &mut envelope.payload {
        started.prompt_chars = 0;
    }
}
