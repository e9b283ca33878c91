//! Tool calls as values.

use serde::{Deserialize, Serialize};

use crate::evidence::EffectClass;
use crate::plan::Blocks;
use crate::taint::Taint;
use crate::task::ConfirmationResolved;
use crate::{EffectId, SubtaskId};

/// How a tool is offered to a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// Its arguments as people write them: `{root, pattern}`.
    pub signature: String,
    /// When to use it, one line.
    pub purpose: String,
    /// JSON schema of the arguments, as JSON text.
    pub schema: String,
}

/// A call that an executor wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The effect.
    pub effect_id: EffectId,
    /// The subtask that wants it.
    pub subtask_id: SubtaskId,
    /// The tool.
    pub tool: String,
    /// Arguments as JSON text with sorted keys.
    pub arguments: String,
    /// Where relative paths start.
    pub working_directory: String,
    /// What this executor must not use.
    #[serde(default, skip_serializing_if = "Blocks::is_empty")]
    pub blocked: Blocks,
    /// Deadline in milliseconds.
    pub deadline_ms: u64,
    /// What the task has taken in so far.
    #[serde(default, skip_serializing_if = "Taint::is_none")]
    pub taint: Taint,
}

/// A person's yes to one exact call. It can only be made from a resolved confirmation that says so, which is why the
/// tools shell takes it as proof (Law 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    digest: String,
}

impl Approval {
    /// The approval that `resolved` carries; none when it was denied.
    pub fn from_confirmation(resolved: &ConfirmationResolved) -> Option<Self> {
        resolved.approved.then(|| Self { digest: resolved.digest.clone() })
    }

    /// Whether this approval holds for the action with this digest.
    pub fn covers(&self, digest: &str) -> bool {
        self.digest == digest
    }
}

/// A tool call begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallStarted {
    /// The effect.
    pub effect_id: EffectId,
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// The tool.
    pub tool: String,
    /// Arguments as JSON text.
    pub arguments: String,
}

/// A tool call ended. The receipt itself travels in the execution result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallFinished {
    /// The effect.
    pub effect_id: EffectId,
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// The receipt's id.
    pub receipt: crate::EvidenceId,
    /// The tool.
    pub tool: String,
    /// Normalised target.
    pub target: String,
    /// What it did to the world.
    pub effect: EffectClass,
    /// How it ended.
    pub end: crate::evidence::CallEnd,
    /// Exit status.
    pub exit: Option<i64>,
    /// First characters of the output.
    pub output: String,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// What it brought into the task.
    #[serde(default, skip_serializing_if = "Taint::is_none")]
    pub taint: Taint,
}
