//! What a person asks, answers and stops.

use serde::{Deserialize, Serialize};

use crate::evidence::EffectClass;
use crate::outcome::Denial;
use crate::tag::Tag;
use crate::undo::TargetState;
use crate::{ConfirmationId, EffectId, SubtaskId, TaskId, Timestamp};

/// Options of one task; absent means the configured default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TaskOptions {
    /// Time budget that Ω measures against, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_budget_ms: Option<u64>,
    /// Hard deadline in milliseconds; twice the time budget unless set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
    /// Most directives; 0 allows no replan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_replans: Option<u32>,
    /// Ceiling of tokens over all model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Nothing is ever asked: confirmations are denied, clarifications assumed.
    #[serde(default)]
    pub unattended: bool,
}

/// A request as it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSubmitted {
    /// The text, verbatim.
    pub input: String,
    /// The session, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session_id: String,
    /// The caller's idempotency key, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub request_id: String,
    /// Absolute path that relative paths start from.
    pub working_directory: String,
    /// Options.
    #[serde(default)]
    pub options: TaskOptions,
}

/// Limits that the person named.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Constraints {
    /// Where or on what to work.
    #[serde(default)]
    pub scope: Option<String>,
    /// When it must be done, ISO 8601.
    #[serde(default)]
    pub deadline: Option<String>,
}

/// R1's reading of a request. It carries no success criteria: those are R2's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSpec {
    /// The task.
    pub task_id: TaskId,
    /// Short snake_case label for people.
    pub slug: String,
    /// The goal, faithfully restated.
    pub intent: String,
    /// Limits that the person named.
    pub constraints: Constraints,
    /// When it must be done, where the person named a moment that is to come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// The request, verbatim.
    pub raw_input: String,
    /// Words to file it under, as models of earlier builds gave them; nothing reads them.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The memory tag of the intent; computed once, used by R2 and R7 alike.
    pub intent_tag: Tag,
    /// The whole answer, when the request needs no tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_answer: Option<String>,
    /// What was assumed because nobody could be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

/// R1 asks the person, or the runtime asks them for an executor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClarificationRequest {
    /// At most two questions, asked in one turn.
    pub questions: Vec<String>,
    /// When an empty answer is assumed.
    pub expires_at: Timestamp,
}

/// The person answers; an empty answer means proceed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClarificationAnswer {
    /// The answer.
    pub answer: String,
    /// Nobody answered in time, or nobody could be asked.
    #[serde(default)]
    pub assumed: bool,
}

/// An action waits for a person's word. Bound to exactly this action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmationRequest {
    /// Names the question; single use.
    pub confirmation_id: ConfirmationId,
    /// The call that waits.
    pub effect_id: EffectId,
    /// The subtask that wants it.
    pub subtask_id: SubtaskId,
    /// The tool.
    pub tool: String,
    /// The exact action, escaped for display.
    pub action: String,
    /// Where it would run.
    pub working_directory: String,
    /// What it would do to the world.
    pub effects: Vec<EffectClass>,
    /// What it would touch.
    pub targets: Vec<String>,
    /// Why artoo asks.
    pub why: Vec<String>,
    /// Each target as it was when this was asked, in the order of `targets`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<TargetState>,
    /// Whether it can be undone: what it changes is kept in the trash first.
    pub undoable: bool,
    /// Bytes that are kept, when it can be undone; 0 when it only makes something new.
    #[serde(default)]
    pub undo_bytes: u64,
    /// Why it cannot be undone; empty when it can.
    #[serde(default)]
    pub undo_why: String,
    /// Whether a yes may also hold for more of the same kind in this task.
    #[serde(default)]
    pub rememberable: bool,
    /// SHA-256 over the action, the folder and the targets: the answer holds for this digest alone.
    pub digest: String,
    /// When it counts as denied.
    pub expires_at: Timestamp,
}

/// How a question ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmationResolved {
    /// The question.
    pub confirmation_id: ConfirmationId,
    /// The call that waited.
    pub effect_id: EffectId,
    /// Whether it may run.
    pub approved: bool,
    /// The digest of the question that was answered.
    pub digest: String,
    /// Whether the same effect on the same target class is approved for the rest of the task.
    #[serde(default)]
    pub remember_for_task: bool,
    /// Set when it was denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denial: Option<Denial>,
}

/// The person stopped the task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskCancelled {
    /// Why it stops: cancelled by a person, deadline, interrupted.
    pub cause: StopCause,
    /// In words.
    pub detail: String,
}

/// Why running work is stopped from outside the control loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopCause {
    /// A person cancelled.
    Cancelled,
    /// The deadline passed.
    Deadline,
    /// The token ceiling was reached.
    TokenCeiling,
    /// What its model calls may cost is spent.
    CostCeiling,
    /// No model answers any more.
    ModelUnavailable,
    /// The daemon went down while the task ran.
    Interrupted,
    /// A bound was exceeded that should not be: a bug of ours.
    Internal,
}
