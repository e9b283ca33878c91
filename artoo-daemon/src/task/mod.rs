//! Tasks as the daemon runs them: an actor each, a registry of all, and their event streams.

mod accepting;
mod actor;
mod admission;
mod answering;
mod disk;
mod effects;
mod error;
mod history;
mod registry;
mod remains;
mod replay;
mod restart;
mod retention;
mod session;
mod strays;
mod stream;
mod surroundings;

pub use accepting::Accepted;
pub use actor::Listeners;
pub use disk::Disk;
pub use effects::Hands;
pub use error::SubmitError;
pub use registry::{StreamOrUnknown, Tasks, TasksConfig};
pub use remains::{Loss, Remains};
pub use replay::{ReplayError, Replayed};
pub use strays::enter_strays;
pub use stream::{StreamError, TaskStream};
