//! Tasks as the daemon runs them: an actor each, a registry of all, and their event streams.

mod actor;
mod admission;
mod answers;
mod disk;
mod effects;
mod error;
mod history;
mod registry;
mod replay;
mod restart;
mod retention;
mod session;
mod stream;
mod submission;
mod task_setting;
mod unindexed;
mod unreadable;

pub use actor::Listeners;
pub use disk::Disk;
pub use effects::Hands;
pub use error::SubmitError;
pub use registry::{StreamOrUnknown, Tasks, TasksConfig};
pub use replay::{ReplayError, Replayed};
pub use stream::{StreamError, TaskStream};
pub use submission::Accepted;
pub use unindexed::enter_strays;
pub use unreadable::{Loss, Remains};
