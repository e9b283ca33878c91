//! Plans on their way down: from the planner to the executors.

use serde::{Deserialize, Serialize};

use crate::criteria::Criterion;
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
    /// What its executor must not use.
    #[serde(default, skip_serializing_if = "Blocks::is_empty")]
    pub blocked: Blocks,
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

/// Tool classes and targets that one executor must not use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Blocks {
    /// Blocked tool classes.
    pub classes: Vec<String>,
    /// Blocked (class, normalised target) pairs.
    pub targets: Vec<BlockedTarget>,
}

impl Blocks {
    /// Whether nothing is blocked.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.targets.is_empty()
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
    /// No model answered.
    ModelUnavailable,
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
}
