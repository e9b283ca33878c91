//! The daemon as a library: one actor a task, the thread of the memory, the auditor, the gRPC service, the life cycle.
//!
//! This is the shell around the pure crates: it reads clocks and files, runs effects, and decides nothing that the
//! roles or the controller decide. Start with [`wiring`], one screen that shows who holds what; then [`task::actor`],
//! the loop that every task runs in.

pub mod auditor;
pub mod backups;
pub mod clock;
pub mod config;
pub mod debug_log;
pub mod dreamer;
pub mod folder;
pub mod grpc;
pub mod health;
pub mod instance;
pub mod lifecycle;
pub mod live;
pub mod mcp;
pub mod memory;
pub mod offline;
pub mod secrets;
pub mod system;
pub mod task;
#[cfg(test)]
mod testing;
pub mod upkeep;
pub mod wiring;
