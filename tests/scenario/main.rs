//! Whole tasks with a scripted model and real tools in a temporary folder. What is compared is the trace: one line a
//! message, so that a change in the conversation of the roles can be read. Every task is then folded again.
//!
//! There is no daemon and no clock in here: a step is 10 ms, effects run one after the other, and so the same scenario
//! gives the same trace on every machine. Start reading at `stories.rs`.

mod earlier_builds;
mod stories;
mod trace;
mod world;
