//! What the memory tells a planner, line by line.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::TaskId;
use crate::memory::Level;
use crate::plan::BlockedTarget;

/// One line of advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryAdvice {
    /// How much it binds.
    pub force: AdviceForce,
    /// What it says, on one line and within the bounds of a prompt.
    pub content: String,
    /// The tool class that it is about, and the input; an empty target stands for every one. None for other tags.
    pub subject: Option<BlockedTarget>,
    /// Who wrote it, where that is told.
    pub origin: Option<AdviceOrigin>,
    /// Another request under which it was learned.
    pub learned_from: Option<LearnedFrom>,
}

/// How much a line of advice binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceForce {
    /// The operator allows it.
    Law,
    /// A best practice.
    Rule,
    /// A rule against something.
    MustNot,
    /// Experience against a tool on an input.
    MustNotUse,
    /// Experience against the plans that are named.
    MustNotRepeat,
    /// Experience for it.
    Prefer,
    /// Learned from a task that only looks alike.
    Hint,
    /// A warning.
    Caution,
    /// Experience against it from another folder, or with inputs that have changed since.
    FailedElsewhere,
    /// Newer experience contradicts it.
    Outdated,
    /// Nobody has tried it.
    Hypothesis,
    /// What the person declared, or what is known of them.
    Fact,
}

/// Who wrote a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdviceOrigin {
    /// A rule of this level.
    Rule(Level, Uuid),
    /// A decision of a task, as a word; both may be unknown.
    Decision(String, Option<TaskId>),
}

/// Another request under which something was learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedFrom {
    /// Its words, within the bounds of a prompt.
    pub request: String,
    /// How it relates to the one that is planned.
    pub kinship: Kinship,
}

/// How a remembered request relates to the one that is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinship {
    /// The same task in other words.
    SameTask,
    /// It begins like the same task in other words.
    SameBeginning,
    /// It only looks alike.
    LooksAlike,
}
