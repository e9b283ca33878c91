//! The daemon's program: configuration and log, the lock of the data folder, the socket, the signals, the shutdown.
//!
//! It puts together what `artoo-config` reads, `artoo-runtime` runs and `artoo-service` answers, and holds nothing else but
//! what a person's shell is needed for: [`setup`].
//! Start with [`lifecycle`].

pub mod backups;
pub mod debug_log;
pub mod instance;
pub mod lifecycle;
pub mod notify;
pub mod secrets;
pub mod setup;
