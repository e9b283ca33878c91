//! The gRPC service: what a client may ask, answered from the daemon's parts.
//!
//! It translates and refuses; it decides nothing and holds no state of its own. [`serve`] is the way in; [`Service`] is
//! handed the parts that it may reach, and reads tasks, journals and memory through them alone. It never writes memory: it
//! asks for that at a desk, where each wish is journaled first. `rpcs.rs` has a row for every RPC.

mod audit;
mod call_limit;
mod confirmation;
mod connection;
pub mod convert;
mod diagnose;
mod entrance;
mod errors;
mod events;
mod explain_action;
mod export_memory;
mod fields;
mod findings;
mod forget;
mod import_memory;
mod law_proposals;
mod list_megrams;
mod list_prompts;
mod mcp;
mod memory_search;
mod page;
mod peer;
mod query_memory;
mod read_output;
mod remember;
mod replay_task;
mod report_task;
mod rpcs;
mod schedules;
mod separate_requests;
mod server;
mod service;
mod shutdown;
mod status;
mod tasks;
mod undo_task;
mod verify_memory;

pub use server::{ServeError, serve};
pub use service::{ConfigSummary, ProbedParts, Service};
pub use shutdown::ServingPhase;

#[cfg(test)]
mod tests;
