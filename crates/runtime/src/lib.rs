//! What runs in the daemon: one actor a task, the thread of the memory, the auditor, the dreamer.
//!
//! This is the shell around the pure crates: it reads clocks and files, runs effects, and decides nothing that the roles or
//! the controller decide. It knows nothing of gRPC: who asks from outside comes through `artoo-service`. Start with
//! [`wiring`], one screen that shows who holds what; then [`task::Tasks`] and the actor, the loop that every task runs in.

pub mod auditor;
pub mod calibration;
pub mod clock;
pub mod dreamer;
pub mod health;
pub mod live;
pub mod mcp;
pub mod memory;
pub mod model_server;
pub mod notices;
pub mod offline;
pub mod schedules;
pub mod system;
pub mod task;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod upkeep;
pub mod wiring;
