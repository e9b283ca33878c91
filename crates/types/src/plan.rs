//! Plans on their way down: from the planner to the executors.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::criteria::Criterion;
use crate::force::AdviceForce;
use crate::form::OutputForm;
use crate::tag::fold;
use crate::{SubtaskId, TaskId};

/// One planned step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubTask {
    /// Made by the runtime.
    pub subtask_id: SubtaskId,
    /// The task.
    pub parent_task_id: TaskId,
    /// The round that planned it.
    pub round: u32,
    /// Position among the steps of its plan, from 1: what people call it.
    pub ordinal: u32,
    /// Same number: in parallel. Lower numbers first.
    pub sequence: u32,
    /// What to achieve.
    pub intent: String,
    /// Everything the executor needs beyond the intent.
    pub context: String,
    /// Outputs of earlier steps, injected by the dispatcher.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prior_outputs: Vec<PriorOutput>,
    /// Tool classes that the planner intends.
    pub tools: Vec<String>,
    /// Inputs that the planner already knows, normalised.
    pub targets: Vec<String>,
    /// What its output must meet.
    pub success_criteria: Vec<Criterion>,
    /// The step of the plan before that it takes the place of: it failed, or never ran. Blocks and pins follow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<SubtaskId>,
    /// What its executor must not use.
    #[serde(default, skip_serializing_if = "Blocks::is_empty")]
    pub blocked: Blocks,
    /// What the memory knows of its tools and inputs, and of the person where that concerns it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<StepAdvice>,
    /// The calls of its first turn, which run before its executor is asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<OpeningCall>,
}

/// One thing that the memory knows about a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepAdvice {
    /// How much it binds.
    pub force: AdviceForce,
    /// What it says, on one line and within the bounds of a prompt.
    pub content: String,
}

/// A call that a plan begins a step with. It is judged and asked about like any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningCall {
    /// The tool.
    pub tool: String,
    /// Its arguments as JSON text.
    pub arguments: String,
    /// When it succeeds, its output ends the attempt.
    #[serde(default, rename = "final", skip_serializing_if = "std::ops::Not::not")]
    pub is_final: bool,
}

/// The output of an earlier step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PriorOutput {
    /// The step that produced it.
    pub subtask_id: SubtaskId,
    /// Its sequence number.
    pub sequence: u32,
    /// Its intent.
    pub intent: String,
    /// Its output; all prior outputs of one step share `limits::PRIOR_OUTPUT_CHARS`.
    pub output: String,
}

/// What one executor must not use, and what it may use with care.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Blocks {
    /// Blocked tool classes.
    pub classes: Vec<String>,
    /// Blocked (class, normalised target) pairs.
    pub targets: Vec<BlockedTarget>,
    /// Pairs that memory calls for caution with: reading and making run in the tightest sandbox, all else is asked about
    /// each time. A pair with an empty target is about calls without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cautions: Vec<BlockedTarget>,
}

impl Blocks {
    /// Whether nothing is blocked, and nothing needs care.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.targets.is_empty() && self.cautions.is_empty()
    }
}

/// A class and an input of it that failed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlockedTarget {
    /// Tool class.
    pub class: String,
    /// Normalised target.
    pub target: String,
}

/// A tool class that must not be used for one intent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlockedTool {
    /// Tool class.
    pub class: String,
    /// Folded intent of the subtask that failed with it; the block binds its successor alone.
    pub intent: String,
    /// That subtask, or the one that took its place since; journals of earlier builds know the intent alone.
    #[serde(default, rename = "subtask_id", skip_serializing_if = "Option::is_none")]
    pub subtask: Option<SubtaskId>,
}

/// A plan as it goes out: it exists only after the draft passed the validator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DispatchManifest {
    /// The task.
    pub task_id: TaskId,
    /// The round.
    pub round: u32,
    /// What the combined output must meet.
    pub task_criteria: Vec<Criterion>,
    /// The steps of this round, in plan order.
    pub subtasks: Vec<SubTask>,
    /// Matched steps of earlier rounds that stay.
    pub kept: Vec<SubtaskId>,
    /// Matched steps of earlier rounds that this plan replaces.
    pub superseded: Vec<SubtaskId>,
    /// The step whose output is the result, so that nothing has to be merged by a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_from: Option<SubtaskId>,
    /// What of the request it leaves out although it was sent back for that: with it, no end is an accept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncovered: Vec<UncoveredPart>,
    /// How the result is shown to a person, if the built-in rules say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<OutputForm>,
}

/// A part of the request that no step and no criterion of a plan speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UncoveredPart {
    /// An action, in the person's words.
    Action(String),
    /// A file or folder that the request names.
    File(String),
}

impl UncoveredPart {
    /// The person's words.
    pub fn words(&self) -> &str {
        match self {
            Self::Action(words) | Self::File(words) => words,
        }
    }
}

/// What makes a plan this plan: the set of (sequence, tool classes, intent) of its steps. Two plans with the same mark are
/// the same, whatever the order of their steps and tools and the case and spaces of their intents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlanMark(pub Uuid);

impl PlanMark {
    /// The mark of a plan with these steps: sequence number, tool classes, intent (UUID version 5, RFC 9562).
    pub fn of<'a>(steps: impl IntoIterator<Item = (u32, &'a [String], &'a str)>) -> Self {
        let spelled: BTreeSet<String> = steps.into_iter().map(spelled).collect();
        let lines: Vec<String> = spelled.into_iter().collect();
        Self(Uuid::new_v5(&Uuid::NAMESPACE_OID, lines.join("\n").as_bytes()))
    }

    /// The mark of steps that went out.
    pub fn of_steps<'a>(steps: impl IntoIterator<Item = &'a SubTask>) -> Self {
        Self::of(steps.into_iter().map(|s| (s.sequence, s.tools.as_slice(), s.intent.as_str())))
    }
}

/// One step on one line, with quotes and escapes, so that no two steps share a spelling.
fn spelled((sequence, tools, intent): (u32, &[String], &str)) -> String {
    let classes: BTreeSet<String> = tools.iter().map(|tool| tool.trim().to_lowercase()).collect();
    format!("{sequence} {classes:?} {:?}", fold(intent))
}

/// Why no plan came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoPlan {
    /// This draft was sent back; another is being asked for.
    SentBack,
    /// Too many drafts were rejected.
    CannotPlan,
    /// The planner says that it will not, or cannot, do this.
    Declined,
    /// The planner says that nothing can do this, and names what shows it; code has looked that up.
    CannotBeDone,
    /// No model answered.
    ModelUnavailable,
    /// A model answered, twice in a form that cannot be read.
    WrongForm,
}

/// What a planner that declines says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Decline {
    /// Why.
    pub reason: String,
    /// The nearest requests that would work.
    #[serde(default)]
    pub nearest: Vec<String>,
    /// What to configure so that it would work.
    #[serde(default)]
    pub how_to_configure: String,
    /// Whether the reason stands by itself and the nearest requests are whole sentences, both in the language of the
    /// request; set by rules alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(skip)]
    pub is_plain: bool,
}

/// A draft that the validator rejected, or the end of planning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanDraftRejected {
    /// The task.
    pub task_id: TaskId,
    /// 1 for the first rejected draft of the round.
    pub attempt: u32,
    /// What became of it.
    pub outcome: NoPlan,
    /// Why, one reason a line.
    pub reasons: Vec<String>,
    /// Set when the planner declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decline: Option<Decline>,
    /// What of the request the draft leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncovered: Vec<UncoveredPart>,
    /// The memories that stood against what was drafted, or against every way that the planner knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Uuid>,
}
