//! One whole task: the production machine, and a world that answers everything it asks from the hidden structure of a plant.
//!
//! The machine is the real one: drafts are validated, blocks bind, attempts are corrected, rounds are measured and the task
//! ends as in the daemon. Only model replies, receipts and what checks see are invented. Time is simulated.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use artoo_control::belief::{CallMark, Cause, Changed, Evidence};
use artoo_control::calibrate::{Reader, Story};
use artoo_task::TaskMachine;
use artoo_types::belief::StepAxis;
use artoo_types::control::{Directive, Ending, FinalResult, PlanDirective, Reason};
use artoo_types::machine::{TaskEffect, TaskInput};
use artoo_types::memory::MemoryReply;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::Blocks;
use artoo_types::setting::ControlParams;
use artoo_types::{Message, SubtaskId, TaskId, Timestamp};
use uuid::Uuid;

use crate::draw::Luck;
use crate::plant::{CLASSES, Family, Plant, TARGETS, TaskTruth, Trouble, make_task};

mod attempt;
mod replan;
mod replies;
mod surroundings;

use attempt::Attempt;
use replan::Draft;

/// How the planner of the laboratory thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planner {
    /// It follows advice as often as the plant says.
    Advised,
    /// It hears no advice: what is blocked or pinned binds it, the rest is its own choice.
    Deaf,
    /// It knows what is wrong, and rules it out.
    Oracle,
}

/// How tasks are run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// The controller's parameters.
    pub control: ControlParams,
    /// The planner.
    pub planner: Planner,
    /// How often what is seen of an attempt is turned into its opposite, beyond what the plant does.
    pub false_evidence: f64,
    /// How much more often than the plant says the planner finds the right change by itself.
    pub skill: f64,
}

/// What a step needs, and what the controller said of it: for the share of directives that name the right change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    /// The cell's word.
    pub cell: Directive,
    /// The replans before.
    pub round: usize,
    /// The cause, hidden from every role.
    pub cause: Cause,
    /// What was told for the step.
    pub told: StepAxis,
}

impl Advice {
    /// Whether what was told mends the cause. What passes needs nothing but another try; nothing mends the impossible.
    pub fn is_right(&self) -> bool {
        match self.told {
            StepAxis::Approach => self.cause == Cause::Approach,
            StepAxis::Target => self.cause == Cause::Target,
            StepAxis::Detail | StepAxis::Again => matches!(self.cause, Cause::Detail | Cause::Transient),
            StepAxis::Own => false,
        }
    }
}

/// How a task went.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Delivered, and right.
    pub is_true: bool,
    /// Delivered, and wrong.
    pub is_false: bool,
    /// Model calls.
    pub calls: u64,
    /// Simulated seconds.
    pub secs: f64,
    /// Directives.
    pub replans: u32,
    /// Why it ended.
    pub reason: Reason,
    /// Drafts that were sent back.
    pub sent_back: u32,
    /// What was said of failed steps.
    pub advice: Vec<Advice>,
    /// What each round showed of each step, with its hidden cause; for learning.
    pub rounds: Vec<StepRecord>,
    /// What a reader of its messages, who knows no cause, makes of its failed steps, and of how many failed rounds.
    pub stories: (Vec<Story>, u64),
}

/// What one round showed of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRecord {
    /// The evidence; none when the step matched.
    pub evidence: Option<Evidence>,
    /// The hidden cause at the end of the round.
    pub cause: Cause,
    /// The cause before the last plan, and what that plan changed.
    pub before: Option<(Cause, Changed)>,
    /// What it really changed, where that was no more than one thing.
    pub meant: Option<Changed>,
    /// Whether a match was right.
    pub is_right: bool,
    /// The directive that the round ended with, where there was one.
    pub cell: Option<Directive>,
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    NotRun,
    Failed,
    Matched,
}

/// What was tried for a step.
#[derive(Debug, Clone, Default)]
struct Tried {
    classes: [bool; CLASSES],
    targets: [bool; TARGETS],
    /// What one who knows what is wrong has ruled out.
    known_bad: Ruled,
}

/// Classes, and targets for a class.
type Ruled = (Vec<usize>, Vec<(usize, usize)>);

/// How a step stood when it failed last.
#[derive(Debug, Clone)]
struct Before {
    cause: Cause,
    mark: CallMark,
    class: usize,
    target: usize,
}

/// What the executor of a step does in this round.
#[derive(Debug, Clone, Default)]
struct Work {
    /// Attempts so far.
    attempts: usize,
    /// Whether the call of this attempt was made.
    called: bool,
    /// The last attempt.
    last: Option<Attempt>,
}

/// A step of the task as it is planned and done now.
#[derive(Debug, Clone)]
struct Step {
    class: usize,
    target: usize,
    quality: f64,
    /// How often parameters that are part of the target changed.
    folded: u32,
    /// How often it was planned anew.
    version: u32,
    status: Status,
    is_right: bool,
    /// The passing trouble has not passed.
    troubled: bool,
    /// What worked has grown stale.
    stale: bool,
    redo: bool,
    gone: [bool; TARGETS],
    tried: Tried,
    work: Work,
    /// What its executor must not use.
    blocked: Blocks,
    /// Cause and outcome of the last round in which it ran and failed.
    before: Option<Before>,
}

/// What a task is made of.
struct Scene<'a> {
    luck: Luck,
    family: Family,
    plant: &'a Plant,
    policy: &'a Policy,
    truth: TaskTruth,
    round: usize,
}

impl Scene<'_> {
    fn draw(&self, purpose: u64, step: usize, index: usize) -> f64 {
        self.luck.draw((purpose, self.round, step, index))
    }
}

/// Whether the plan covers all of the request, and the step that makes up for what it left out.
#[derive(Debug, Clone, Default)]
struct Cover {
    whole: bool,
    planned: bool,
    called: bool,
    receipt: String,
}

/// What is due when, on a simulated clock.
#[derive(Default)]
struct Agenda {
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    inputs: BTreeMap<u64, TaskInput>,
    count: u64,
    /// Simulated microseconds.
    now: u64,
}

impl Agenda {
    /// Puts an input on the agenda, due after this many seconds.
    fn after(&mut self, secs: f64, input: TaskInput) {
        self.count += 1;
        let at = self.now + (secs.max(0.0) * 1e6) as u64;
        self.queue.push(Reverse((at, self.count)));
        self.inputs.insert(self.count, input);
    }

    /// Moves the clock to what is due next, and takes it.
    fn next(&mut self) -> Option<TaskInput> {
        let Reverse((at, number)) = self.queue.pop()?;
        self.now = at;
        self.inputs.remove(&number)
    }
}

/// What is written down of a task.
#[derive(Default)]
struct Notes {
    sent_back: u32,
    advice: Vec<Advice>,
    rounds: Vec<StepRecord>,
    reader: Reader,
    result: Option<FinalResult>,
}

/// One task in its world.
pub struct World<'a> {
    machine: TaskMachine,
    scene: Scene<'a>,
    steps: Vec<Step>,
    used: [bool; CLASSES],
    cover: Cover,
    ids: BTreeMap<SubtaskId, Option<usize>>,
    directive: Option<Arc<PlanDirective>>,
    drafts: Vec<Draft>,
    sent: usize,
    agenda: Agenda,
    notes: Notes,
}

impl<'a> World<'a> {
    /// The `task`-th task of a family on this plant, under a seed.
    pub fn new(seed: u64, task: u64, family: Family, plant: &'a Plant, policy: &'a Policy) -> Self {
        let luck = Luck::of(seed, task, family as u64);
        let truth = make_task(luck, family, plant);
        let steps = truth.steps.iter().map(|step| Step {
            class: step.class,
            target: 0,
            quality: step.quality,
            folded: 0,
            version: 0,
            status: Status::NotRun,
            is_right: false,
            troubled: step.trouble == Trouble::Transient,
            stale: false,
            redo: false,
            gone: [false; TARGETS],
            tried: Tried::default(),
            work: Work::default(),
            blocked: Blocks::default(),
            before: None,
        });
        Self {
            machine: TaskMachine::new(TaskId(Uuid::from_u128(
                0x0197_b2c4_0000_7000_8000_0000_0000_0000 | u128::from(luck.number() >> 8),
            ))),
            steps: steps.collect(),
            used: [false; CLASSES],
            cover: Cover { whole: truth.covered, ..Cover::default() },
            scene: Scene { luck, family, plant, policy, truth, round: 0 },
            ids: BTreeMap::new(),
            directive: None,
            drafts: Vec::new(),
            sent: 0,
            agenda: Agenda::default(),
            notes: Notes::default(),
        }
    }

    /// Runs the task to its end.
    ///
    /// # Panics
    /// When the machine comes to rest without a result: then the laboratory is wrong.
    pub fn run(mut self) -> Course {
        let setting = Box::new(surroundings::setting(self.scene.policy.control));
        let submitted = surroundings::submitted(&self.scene.truth);
        self.step(TaskInput::Submitted { submitted, setting });
        while self.notes.result.is_none() {
            let Some(input) = self.agenda.next() else { break };
            self.step(input);
        }
        let Notes { sent_back, advice, rounds, reader, result } = self.notes;
        let result = result.unwrap_or_else(|| panic!("task {} has no end", self.scene.luck.number()));
        let delivered = matches!(result.directive, Ending::Accept | Ending::Success);
        let right = self.cover.whole
            && self.steps.iter().all(|step| match step.status {
                Status::Matched => step.is_right && !step.stale,
                Status::Failed => delivered && step.is_right,
                Status::NotRun => false,
            });
        Course {
            is_true: delivered && right,
            is_false: delivered && !right,
            calls: result.usage.roles.values().map(|usage| usage.calls).sum(),
            secs: self.agenda.now as f64 / 1e6,
            replans: result.replans,
            reason: result.reason,
            sent_back,
            advice,
            rounds,
            stories: reader.finish(),
        }
    }

    fn step(&mut self, input: TaskInput) {
        let now = Timestamp(1_000_000 + (self.agenda.now / 1000) as i64);
        let output = self.machine.step(now, input);
        for envelope in output.envelopes {
            self.hear(envelope.payload);
        }
        for effect in output.effects {
            self.answer(effect);
        }
    }

    fn hear(&mut self, message: Message) {
        self.notes.reader.take(&message);
        if let Message::DispatchManifest(plan) = &message {
            self.take_plan(plan);
        } else if let Message::PlanDirective(directive) = &message {
            self.directed(&Arc::new(directive.clone()));
        } else if let Message::PlanDraftRejected(_) = &message {
            self.notes.sent_back += 1;
        } else if let Message::SubTaskOutcome(outcome) = &message {
            self.note_evidence(outcome);
        } else if let Message::FinalResult(result) = message {
            self.notes.result = Some(result);
        }
    }

    fn answer(&mut self, effect: TaskEffect) {
        match effect {
            TaskEffect::CallModel { effect_id, request } => {
                let (reply, secs) = self.reply(&request);
                let outcome = replies::outcome(&reply, secs);
                self.agenda.after(secs, TaskInput::ModelFinished { effect_id, outcome });
            }
            TaskEffect::RunTool { call, .. } => self.run_tool(&call),
            TaskEffect::RunChecks { effect_id, checks, subject, .. } => {
                let evidence = self.check(effect_id, &checks, &subject);
                self.agenda.after(0.01, TaskInput::ChecksFinished { effect_id, evidence });
            }
            TaskEffect::QueryMemory { effect_id, .. } => {
                let reply = MemoryReply::default();
                self.agenda.after(0.001, TaskInput::MemoryAnswered { effect_id, reply });
            }
            TaskEffect::LookAround { effect_id, .. } => {
                self.agenda.after(0.001, TaskInput::LookedAround { effect_id, situation: Box::default() });
            }
            TaskEffect::WakeAt { at } => {
                let secs = (at.0 - 1_000_000) as f64 / 1000.0 - self.agenda.now as f64 / 1e6;
                self.agenda.after(secs + 0.001, TaskInput::Wake);
            }
            TaskEffect::StopAll => {
                self.agenda.queue.clear();
                self.agenda.inputs.clear();
                self.agenda.after(0.01, TaskInput::Stopped { survivors: Vec::new() });
            }
            TaskEffect::RecoverTool { .. } | TaskEffect::WriteMemory { .. } => {}
        }
    }

    /// What a step's round showed, beside what was the matter.
    fn note_evidence(&mut self, outcome: &SubTaskOutcome) {
        let Some(s) = self.ids.get(&outcome.subtask_id).copied().flatten() else { return };
        if outcome.status == OutcomeStatus::NotRun || self.steps[s].work.attempts == 0 {
            return;
        }
        let cause = self.cause(s);
        let failed = outcome.status == OutcomeStatus::Failed;
        let before = self.steps[s].before.take();
        let (class, target, mark) = (self.steps[s].class, self.steps[s].target, CallMark::of(outcome));
        let meant = before.as_ref().and_then(|old| match (old.class == class, old.target == target) {
            (true, true) => Some(Changed::Nothing),
            (false, true) => Some(Changed::Class),
            (true, false) => Some(Changed::Target),
            (false, false) => None,
        });
        let before = before.map(|old| (old.cause, Changed::between(&old.mark, &mark)));
        self.notes.rounds.push(StepRecord {
            evidence: failed.then(|| Evidence::of(outcome)),
            cause,
            before,
            meant,
            is_right: self.steps[s].is_right,
            cell: None,
        });
        self.steps[s].before = failed.then_some(Before { cause, mark, class, target });
    }

    fn cause(&self, s: usize) -> Cause {
        let step = &self.steps[s];
        if self.scene.truth.steps[s].trouble == Trouble::Impossible {
            return Cause::Impossible;
        }
        match self.hidden(s) {
            0 => Cause::Approach,
            1 => Cause::Target,
            _ if step.troubled && step.target == 0 => Cause::Transient,
            _ => Cause::Detail,
        }
    }
}
