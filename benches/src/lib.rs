//! Benchmarks that print ratios: the whole pipeline of the daemon against other frameworks that run the same pipeline.
//!
//! This library reads and compares figures, and holds a plain agent loop (`plain.rs`) that `tests/agent` runs beside
//! artoo. `pipeline/` measures the daemon, `peers/` the other frameworks; `scripts/bench` runs both and shows the table.
//! Nothing here asserts a time: a machine may be busy.

pub mod figure;
pub mod goal;
pub mod plain;
pub mod table;

pub use figure::Figure;
