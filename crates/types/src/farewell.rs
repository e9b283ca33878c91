//! The last words of a task that ends without its result: what was found all the same, and what a person can do next.

use serde::{Deserialize, Serialize};

use crate::control::{Loss, Reason, Unmet};
use crate::outcome::SubTaskOutcome;
use crate::{EvidenceId, TaskId};

/// R7 to R2: the task is given up; what can be said to the person? Asked once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FarewellRequest {
    /// The task.
    pub task_id: TaskId,
    /// Why it ends.
    pub reason: Reason,
    /// Figures of the last round, on which that was decided.
    pub loss: Loss,
    /// ∇L of the last round.
    pub grad_l: f64,
    /// ∇Q of the last round.
    pub grad_q: f64,
    /// What the last round did: all that may be said rests on it.
    pub outcomes: Vec<SubTaskOutcome>,
    /// What was not met.
    pub unmet: Vec<Unmet>,
    /// How long the answer may take, in milliseconds.
    pub deadline_ms: u64,
}

/// R2 to R7: what can be said. Empty when there is nothing that evidence supports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Farewell {
    /// The task.
    pub task_id: TaskId,
    /// What was found or done all the same.
    pub found: Vec<FoundLine>,
    /// What the person can do, best first.
    pub next_moves: Vec<String>,
    /// Why nothing is said, when the reply of the model was not usable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// One thing that was found or done, with the receipt that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLine {
    /// In the person's language.
    pub text: String,
    /// The receipt.
    pub cites: EvidenceId,
}

impl Farewell {
    /// Nothing is said, for this reason.
    pub fn silent(task_id: TaskId, why: Option<String>) -> Self {
        Self { task_id, found: Vec::new(), next_moves: Vec::new(), left_out: why }
    }

    /// Whether there is nothing to say.
    pub fn is_silent(&self) -> bool {
        self.found.is_empty() && self.next_moves.is_empty()
    }
}
