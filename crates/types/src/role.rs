//! Who takes part in a task.

use serde::{Deserialize, Serialize};

/// Who sends or receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The person who asked.
    #[serde(rename = "user")]
    User,
    /// The person who runs the daemon.
    #[serde(rename = "operator")]
    Operator,
    /// The runtime: starts effects and reports their ends.
    #[serde(rename = "runtime")]
    Runtime,
    /// R1, the Perceiver.
    #[serde(rename = "R1")]
    Perceiver,
    /// R2, the Planner.
    #[serde(rename = "R2")]
    Planner,
    /// The dispatcher.
    #[serde(rename = "dispatcher")]
    Dispatcher,
    /// R3, the Executor.
    #[serde(rename = "R3")]
    Executor,
    /// R4a, the Agent-Validator.
    #[serde(rename = "R4a")]
    AgentValidator,
    /// R4b, the Meta-Validator.
    #[serde(rename = "R4b")]
    MetaValidator,
    /// R5, the memory.
    #[serde(rename = "R5")]
    Memory,
    /// R6, the Auditor.
    #[serde(rename = "R6")]
    Auditor,
    /// R7, the Goal Gradient Solver.
    #[serde(rename = "R7")]
    Solver,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 12] = [
        Self::User,
        Self::Operator,
        Self::Runtime,
        Self::Perceiver,
        Self::Planner,
        Self::Dispatcher,
        Self::Executor,
        Self::AgentValidator,
        Self::MetaValidator,
        Self::Memory,
        Self::Auditor,
        Self::Solver,
    ];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Operator => "operator",
            Self::Runtime => "runtime",
            Self::Perceiver => "R1",
            Self::Planner => "R2",
            Self::Dispatcher => "dispatcher",
            Self::Executor => "R3",
            Self::AgentValidator => "R4a",
            Self::MetaValidator => "R4b",
            Self::Memory => "R5",
            Self::Auditor => "R6",
            Self::Solver => "R7",
        }
    }

    /// The role's name in words.
    pub fn title(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Operator => "Operator",
            Self::Runtime => "Runtime",
            Self::Perceiver => "Perceiver",
            Self::Planner => "Planner",
            Self::Dispatcher => "Dispatcher",
            Self::Executor => "Executor",
            Self::AgentValidator => "Agent-Validator",
            Self::MetaValidator => "Meta-Validator",
            Self::Memory => "Memory",
            Self::Auditor => "Auditor",
            Self::Solver => "Goal Gradient Solver",
        }
    }
}
