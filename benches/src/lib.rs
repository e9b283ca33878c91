//! Benchmarks that print ratios: the whole pipeline of the daemon against other frameworks that run the same pipeline.
//!
//! This library only reads and compares figures. `pipeline/` measures the daemon, `peers/` the other frameworks;
//! `scripts/bench` runs both and shows the table. Nothing here asserts a time: a machine may be busy.

pub mod figure;
pub mod goal;
pub mod table;

pub use figure::Figure;
