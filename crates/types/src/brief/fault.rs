//! Why a draft is not a plan. The words are for the planner's model and for people.

use std::fmt;

use uuid::Uuid;

use crate::claim::ClaimedEffect;
use crate::limits::{MAX_CRITERIA, MAX_GROUPS, MAX_SUBTASKS};
use crate::plan::{BlockedTarget, UncoveredPart};

/// One thing that is wrong with a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftFault {
    /// It has no step.
    NoSubtask,
    /// It has this many steps.
    TooManySubtasks(usize),
    /// It has this many groups of steps.
    TooManyGroups(usize),
    /// Nothing says when the task is done.
    NoTaskCriterion,
    /// It has this many task criteria.
    TooManyTaskCriteria(usize),
    /// A task criterion says nothing.
    BlankTaskCriterion,
    /// The task criteria say that it is done, and not what.
    HollowTaskCriteria,
    /// The task criteria ask only that something stays as it is.
    OnlyTaskPreconditions,
    /// The check of this task criterion holds whatever is done.
    EmptyTaskCriterion(String, EmptyClaim),
    /// The step whose output is the result does not exist.
    NoSuchOutput,
    /// A step is wrong.
    Step {
        /// Its place in the plan, from 1.
        number: usize,
        /// What is wrong with it.
        fault: StepFault,
    },
    /// It leaves out a part of the request.
    Uncovered(UncoveredPart),
    /// It failed earlier in this task.
    Repeated,
    /// It failed for this request in an earlier task, in the same state of the world, as this memory says.
    RepeatedFromMemory(Uuid),
    /// The rejection of the whole cites this step, and nothing does it anew.
    NotRedone(String),
    /// It says that nothing can do this, and this is what it cites: nothing that code knows.
    UnshownImpossibility(Vec<String>),
}

/// One thing that is wrong with a step of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepFault {
    /// It says nothing.
    NoIntent,
    /// It has this sequence number.
    BadSequence(u32),
    /// Nothing says when it is done.
    NoCriterion,
    /// It has this many criteria.
    TooManyCriteria(usize),
    /// A criterion says nothing.
    BlankCriterion,
    /// Its criteria ask only that something stays as it is.
    OnlyPreconditions,
    /// The check of this criterion holds whatever is done.
    EmptyCriterion(String, EmptyClaim),
    /// It is to do this to the world, and its criteria ask only whether a tool was called.
    UnprovenEffect(ClaimedEffect),
    /// It names a tool that is not offered.
    UnknownTool(String),
    /// It replaces a step that is not kept.
    NotEstablished(String),
    /// It uses a tool class that is blocked for it.
    BlockedTool(String),
    /// It uses an input that is blocked.
    BlockedTarget(BlockedTarget),
    /// It takes the place of a step of which a detail is wrong, and uses none of these classes.
    Unpinned(Vec<String>),
}

/// Why a check holds whatever is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmptyClaim {
    /// This path, or something under this pattern, is always there.
    AlwaysThere(String),
    /// Every text holds this, or matches it.
    EveryText(String),
    /// Every count stands in this relation.
    EveryCount(String),
}

impl fmt::Display for EmptyClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlwaysThere(path) => {
                write!(
                    f,
                    "{path:?} is there whatever is done; name the very file that the work makes or looks at"
                )
            }
            Self::EveryText(pattern) => write!(
                f,
                "every text matches {pattern:?}; state the word, number or line that must stand there"
            ),
            Self::EveryCount(relation) => {
                write!(f, "every count is {relation}; state the number that shows the result")
            }
        }
    }
}

impl fmt::Display for DraftFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSubtask => f.write_str("the plan has no subtask"),
            Self::TooManySubtasks(n) => {
                write!(f, "the plan has {n} subtasks; at most {MAX_SUBTASKS} are allowed")
            }
            Self::TooManyGroups(n) => {
                write!(f, "the plan has {n} sequence groups; at most {MAX_GROUPS} are allowed")
            }
            Self::NoTaskCriterion => f.write_str("the plan has no task criterion"),
            Self::TooManyTaskCriteria(n) => {
                write!(f, "there are {n} task criteria; at most {MAX_CRITERIA} are allowed")
            }
            Self::BlankTaskCriterion => f.write_str("a task criterion has no text"),
            Self::HollowTaskCriteria => f.write_str(
                "the task criteria say only that it is done; say what must be there, or be told, when it is",
            ),
            Self::OnlyTaskPreconditions => f.write_str(
                "the task criteria ask only that something stays as it is (\"unchanged\"); add one about what the task \
                 makes or finds out",
            ),
            Self::EmptyTaskCriterion(text, claim) => {
                write!(f, "the task criterion \"{text}\" holds whatever is done: {claim}")
            }
            Self::NoSuchOutput => {
                f.write_str("output_from names a subtask that does not exist (it is 0-based)")
            }
            Self::Step { number, fault } => step_words(f, *number, fault),
            Self::Uncovered(UncoveredPart::Action(words)) => {
                write!(f, "the request also asks: {words}; no criterion says that it is done")
            }
            Self::Uncovered(UncoveredPart::File(name)) => {
                write!(f, "the request names {name}; no step and no criterion does")
            }
            Self::Repeated => {
                f.write_str("this is the plan that already failed; change the steps or their tools")
            }
            Self::RepeatedFromMemory(id) => write!(
                f,
                "this plan already failed for this request in an earlier task, and its inputs are as they were \
                 (memory {id}); change the steps or their tools"
            ),
            Self::NotRedone(id) => {
                write!(f, "what the whole was rejected for stems from step {id}; do it anew (supersedes)")
            }
            Self::UnshownImpossibility(cited) if cited.is_empty() => f.write_str(
                "`impossible` cites nothing that shows it; name receipts or what the situation shows, or plan a look",
            ),
            Self::UnshownImpossibility(cited) => write!(
                f,
                "`impossible` cites {}, which is no receipt and nothing in the situation; cite what is, or plan a look",
                cited.join(", ")
            ),
        }
    }
}

fn step_words(f: &mut fmt::Formatter<'_>, number: usize, fault: &StepFault) -> fmt::Result {
    match fault {
        StepFault::NoIntent => write!(f, "subtask {number} has no intent"),
        StepFault::BadSequence(n) => write!(f, "subtask {number} has sequence {n}; use 1, 2, 3 …"),
        StepFault::NoCriterion => write!(f, "subtask {number} has no success criterion"),
        StepFault::TooManyCriteria(n) => {
            write!(f, "subtask {number} has {n} criteria; at most {MAX_CRITERIA} are allowed")
        }
        StepFault::BlankCriterion => write!(f, "a criterion of subtask {number} has no text"),
        StepFault::OnlyPreconditions => write!(
            f,
            "the criteria of subtask {number} ask only that something stays as it is (\"unchanged\"); add one about what \
             it makes or finds out"
        ),
        StepFault::EmptyCriterion(text, claim) => {
            write!(f, "the criterion \"{text}\" of subtask {number} holds whatever is done: {claim}")
        }
        StepFault::UnprovenEffect(effect) => write!(
            f,
            "subtask {number} is to see that something is {}, but its criteria ask only whether a tool was called: check \
             the result (file_exists, file_absent, file_contains), or say in a criterion without a check what must be \
             different, and where",
            effect.as_str()
        ),
        StepFault::UnknownTool(class) => {
            write!(f, "subtask {number} names the tool {class}, which does not exist here")
        }
        StepFault::NotEstablished(id) => {
            write!(f, "subtask {number} supersedes {id}, which is not established")
        }
        StepFault::BlockedTool(class) => {
            write!(f, "subtask {number} uses {class}, which is blocked for it")
        }
        StepFault::BlockedTarget(BlockedTarget { class, target }) => {
            write!(f, "subtask {number} uses {class} on {target}, which is blocked")
        }
        StepFault::Unpinned(classes) => write!(
            f,
            "subtask {number} changes the tool where a detail was wrong; keep {} and change how it is used",
            classes.join(" or ")
        ),
    }
}
