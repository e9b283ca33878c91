//! The daemon is killed at every boundary of its journals and at random moments, also while it recovers. Whatever
//! happens, every accepted task ends as it would have ended, no action happens twice, and no event is lost or doubled. And
//! it loses its power: what was not synced may be gone.
//!
//! `make test` runs a short version, `make crash` the whole of it. `ARTOO_CRASH_KILLS` sets the number of random kills,
//! `ARTOO_CRASH_SEED` repeats a run's choices.

#[path = "../support/audit_log.rs"]
mod audit_log;
#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/model_server.rs"]
mod model_server;
#[path = "../support/scripted_roles.rs"]
mod scripted_roles;

mod boundaries;
mod dice;
mod kills;
mod person;
mod power;
mod story;
mod tails;
mod victim;
