//! Tasks as the daemon runs them: an actor each, a registry of all, and their event streams.

mod actor;
mod admission;
mod answers;
mod archive;
mod confirmation;
mod disk;
mod effects;
mod ending;
mod error;
mod prompts;
mod published;
mod queue;
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
pub use effects::EffectServices;
pub use error::TaskError;
pub use prompts::{PromptPage, prompts};
pub use queue::Accepted;
pub use registry::{EventsError, Tasks, TasksConfig};
pub use replay::{ReplayError, Replayed, replay};
pub use restart::recover;
pub use retention::DeletedRecords;
pub use stream::{StreamError, TaskStream};
pub use unindexed::enter_unindexed;
pub use unreadable::{ReadFailure, UnreadableTask};
