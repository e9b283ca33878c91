//! The roles that perceive, plan, dispatch, execute and judge, each as a step machine.
//!
//! A role gets an input and returns effects; what is not in its `Effect` it cannot do. Nothing here reads a clock, a
//! file or the network, and no role calls another: the machine of the task routes what they publish. Each folder
//! holds one role: its header card, its prompt, the one place where its model's replies are read, and its tests.

pub mod agent_validator;
mod ask;
mod before;
mod claimed;
pub mod dispatcher;
pub mod dreamer;
pub mod executor;
mod extract;
mod images;
mod lessons;
mod located;
pub mod meta_validator;
mod past;
pub mod perceiver;
pub mod planner;
mod prompt;
mod receipt;
#[cfg(test)]
mod testing;
mod verdicts;

pub use extract::{ReplyRejected, parse_reply};
