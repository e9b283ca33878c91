//! What a role wants to know from its model, as values. The prompt is rendered from them for a language model; who answers
//! without one reads them, and never the prompt.
//!
//! A brief rides in a [`ChatRequest`](crate::chat::ChatRequest) and is not journaled: a fold of the journal makes it again.
//! It holds what the model may see; where the prompt shortens a text, it says so.

mod advice;
mod fault;

use std::sync::Arc;

use crate::control::PlanDirective;
use crate::criteria::Criterion;
use crate::evidence::{CheckEvidence, Receipt};
use crate::farewell::FarewellRequest;
use crate::memory::Megram;
use crate::outcome::{AttemptRecord, CorrectionSignal, ExecutionResult, SubTaskOutcome};
use crate::plan::SubTask;
use crate::reply::RuleKind;
use crate::setting::TaskSetting;
use crate::situation::Situation;
use crate::tag::Tag;
use crate::task::{ClarificationAnswer, TaskSpec};
use crate::tool::ToolSpec;

pub use crate::force::AdviceForce;
pub use advice::{AdviceOrigin, Kinship, LearnedFrom, MemoryAdvice};
pub use fault::{DraftFault, EmptyClaim, StepFault};

/// One question, by who asks it.
#[derive(Debug, Clone, PartialEq)]
pub enum Brief {
    /// R1: what does the request mean?
    Specify(SpecifyBrief),
    /// R2: by which steps?
    Plan(PlanBrief),
    /// R3: what next?
    Act(ActBrief),
    /// R4a: are these criteria of a subtask met?
    Judge(JudgeBrief),
    /// R4b: what do the outcomes come to?
    Merge(MergeBrief),
    /// R2: what can be said at the end?
    Farewell(FarewellBrief),
    /// R5: how is this rule said?
    Rule(RuleBrief),
    /// R5: what does this task teach?
    Lesson(LessonBrief),
}

/// The question of R1.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecifyBrief {
    /// The surroundings, with the session so far.
    pub setting: Arc<TaskSetting>,
    /// Where relative paths start.
    pub working_directory: String,
    /// What the person was asked before; empty when nothing was.
    pub questions: Vec<String>,
    /// What they said to that.
    pub answer: Option<ClarificationAnswer>,
    /// The person's words.
    pub request: String,
}

/// The question of R2.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanBrief {
    /// The surroundings.
    pub setting: Arc<TaskSetting>,
    /// Where relative paths start.
    pub working_directory: String,
    /// The task.
    pub spec: Arc<TaskSpec>,
    /// How this plan must differ from the last one.
    pub directive: Option<Arc<PlanDirective>>,
    /// What the memory says, laws first.
    pub memory: Vec<MemoryAdvice>,
    /// What there is where the task works.
    pub situation: Option<Arc<Situation>>,
    /// What the calls of the task gave so far, one on a line, for a plan that is not the first.
    pub record: Vec<String>,
    /// Why the last draft was sent back.
    pub faults: Vec<DraftFault>,
}

/// The last question of R2.
#[derive(Debug, Clone, PartialEq)]
pub struct FarewellBrief {
    /// What is known at the end.
    pub request: Arc<FarewellRequest>,
    /// The person's words.
    pub words: String,
}

/// The question of R3.
#[derive(Debug, Clone, PartialEq)]
pub struct ActBrief {
    /// The surroundings.
    pub setting: Arc<TaskSetting>,
    /// Where relative paths start.
    pub working_directory: String,
    /// The step.
    pub subtask: Arc<SubTask>,
    /// The tools that it may use.
    pub tools: Vec<ToolSpec>,
    /// What was done for the step so far, in order, earlier attempts included.
    pub turns: Vec<Turn>,
    /// How many of the turns are of earlier attempts.
    pub earlier_turns: usize,
    /// Calls that this attempt may still make, this one included.
    pub steps_left: usize,
    /// Milliseconds in which such a call may still begin, and that it may take; none where nobody said so.
    pub left_ms: Option<u64>,
    /// What is known of the task beside the step.
    pub task: Arc<TaskBackground>,
    /// Why it is tried again.
    pub correction: Option<CorrectionSignal>,
}

/// What an executor is told of its task beside its step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskBackground {
    /// The person's words.
    pub request: String,
    /// The criteria of the task, where the step is all of it: its result is judged by them in the same call.
    pub criteria: Vec<Criterion>,
    /// What steps of earlier plans did whose work this one carries on, oldest first.
    pub earlier: Vec<EarlierWork>,
}

/// What a step did that counts no more.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierWork {
    /// Its calls, of every attempt.
    pub receipts: Vec<Receipt>,
    /// Its last answer, where it gave one.
    pub answer: String,
    /// Why it counts no more.
    pub ending: String,
}

/// What an executor said of its calls, what became of one of them, or how an attempt ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// What the model said of the calls that follow, in its own words: no evidence of anything.
    Said(String),
    /// It was made.
    Called(Arc<Receipt>),
    /// Code refused it, in these words.
    Refused(String),
    /// The attempt ended with this answer, and it fell short.
    Answered(String),
    /// Another attempt begins.
    TriedAgain,
}

/// The question of R4a.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeBrief {
    /// The step, with its criteria.
    pub subtask: SubTask,
    /// The end of the attempt.
    pub result: ExecutionResult,
    /// What code has decided already.
    pub checks: Vec<CheckEvidence>,
    /// The attempts before this one; their calls count as evidence as well.
    pub earlier: Vec<AttemptRecord>,
    /// What steps of earlier plans did to the world, whose work this one carries on: evidence as well.
    pub past: Vec<Receipt>,
    /// Indexes of the criteria to judge.
    pub asked: Vec<usize>,
    /// The person's words.
    pub request: String,
    /// The criteria of the task, where this is its only step.
    pub task_criteria: Vec<Criterion>,
    /// Indexes of those among them to judge.
    pub task_asked: Vec<usize>,
    /// What the answer says and no receipt shows.
    pub unsupported: Vec<String>,
}

/// The question of R4b.
#[derive(Debug, Clone, PartialEq)]
pub struct MergeBrief {
    /// The matched steps in order, the output of each shortened to its share of the prompt.
    pub outcomes: Vec<SubTaskOutcome>,
    /// What steps that count no more did to the world.
    pub past: Vec<Receipt>,
    /// The criteria of the task.
    pub criteria: Vec<Criterion>,
    /// What code has decided already.
    pub checks: Vec<CheckEvidence>,
    /// Indexes of the criteria to judge.
    pub asked: Vec<usize>,
    /// What the outputs say and no receipt shows.
    pub unsupported: Vec<String>,
    /// The person's words.
    pub request: String,
}

/// The question of the Dreamer for the words of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleBrief {
    /// What the rule will be.
    pub kind: RuleKind,
    /// What it is about.
    pub tag: Tag,
    /// The evidence, heaviest first.
    pub evidence: Vec<Megram>,
}

/// The question of the Dreamer for a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonBrief {
    /// The task, as R1 restated it.
    pub intent: String,
    /// Whether it ended well.
    pub well: bool,
    /// Why it ended, as a word.
    pub reason: String,
    /// Its plans, one a line.
    pub plans: Vec<String>,
    /// Corrections and directives, one a line.
    pub troubles: Vec<String>,
    /// What was not met in the end, one a line.
    pub unmet: Vec<String>,
}
