//! The tools: what may be called, judged before it runs and told about afterwards.
//!
//! This crate is the only place that acts on the world for a task. It never decides what to do next, never talks to a
//! model and never asks a person: it says that a call needs asking, and runs such a call only with the [`Approval`]
//! that covers exactly it. Everything that a call did is told by the [`Receipt`] that it returns.
//! Start with [`toolbox`] (what the daemon holds), then `tools` (which tools there are), then [`artoo_gate`] (what a
//! shell command would do).
//!
//! [`Approval`]: artoo_types::tool::Approval
//! [`Receipt`]: artoo_types::evidence::Receipt

mod apple;
#[cfg(test)]
mod bench;
mod check;
mod files;
mod flow;
mod installed;
mod judged;
mod leak;
mod outputs;
mod question;
mod receipt;
mod sandbox;
mod situation;
mod survey;
mod tool;
pub mod toolbox;
mod tools;
mod work;

pub use judged::{CallVerdict, JudgedCall};
pub use outputs::OutputLost;
pub use tool::CallFacts;
pub use toolbox::{RunOutcome, Toolbox, ToolboxConfig};
