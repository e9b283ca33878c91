//! What the tests of several packages share. It panics where a test would, and nothing of it reaches a product. Start
//! reading at [`Home`]: a home folder of its own with the real daemon in it, and the real client to talk to it.

pub mod audit_log;
mod clients;
pub mod dice;
mod home;
pub mod model_server;
mod programs;
mod replays;
pub mod scripted_roles;
pub mod small_disk;
mod tls_front;

pub use clients::{Client, Ended, PATIENCE, POLL, TaskRun, lines, wait_until};
pub use home::Home;
pub use programs::binaries;
pub use tls_front::TlsFront;
