//! What the memory tells a planner, line by line.

use uuid::Uuid;

use crate::TaskId;
use crate::force::AdviceForce;
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
