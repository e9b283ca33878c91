//! The gRPC service: what a client may ask, answered from the daemon's parts.
//!
//! It translates and refuses; it decides nothing and holds no state of its own. [`serve`] is the way in; [`Service`] is
//! handed the parts that it may reach, and reads tasks, journals and memory through them alone. It never writes memory: it
//! asks for that at a desk, where each wish is journaled first.

mod connection;
pub mod convert;
mod entrance;
mod errors;
mod events;
mod explain;
mod export;
mod fields;
mod figures;
mod forget;
mod import;
mod in_flight;
mod mcp;
mod page;
mod peer;
mod recall;
mod remember;
mod replay;
mod server;
mod service;
mod status;
mod stop;
mod tasks;
mod undo;
mod verify;

pub use server::{ServeError, serve};
pub use service::{Configured, Service};
pub use stop::Phase;

#[cfg(test)]
mod tests;
