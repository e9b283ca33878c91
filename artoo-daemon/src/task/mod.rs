//! Tasks as the daemon runs them: an actor each, a registry of all, and their event streams.

mod actor;
mod admission;
mod effects;
mod error;
mod registry;
mod restart;
mod session;
mod stream;
mod surroundings;

pub use actor::Listeners;
pub use effects::Hands;
pub use error::SubmitError;
pub use registry::{Accepted, StreamOrUnknown, Submission, Tasks, TasksConfig};
pub use stream::{StreamError, TaskStream};
