//! One task as one deterministic machine.
//!
//! [`TaskMachine`] owns the roles of one task and the controller, routes their envelopes through the bus until it is
//! quiet, and returns what was published and what is wanted from outside. It has no clock, no file and no thread: time
//! and every completion are inputs. So a task is a fold over its inputs, and resume, replay and simulation are that
//! same fold, see [`fold`] and [`replay`]. Start with [`TaskMachine::step`].

mod asking;
mod baseline;
mod confirmation;
mod confirmation_scope;
mod fast_loop;
pub mod fold;
pub mod journaled;
mod machine;
mod pending;
pub mod prompts;
mod questions;
pub mod replay;
mod route;
mod usage;
pub mod view;
mod waiting;
mod word;

pub use machine::TaskMachine;

#[cfg(test)]
mod tests;
