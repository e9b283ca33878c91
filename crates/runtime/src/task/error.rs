//! Why a request about a task is refused.

use std::sync::Arc;

use artoo_journal::JournalError;
use artoo_types::TaskId;

use super::unreadable::UnreadableTask;

/// Why a request about a task is refused.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TaskError {
    /// A field is wrong.
    #[error("{field}: {problem}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What is wrong and what to do.
        problem: String,
    },
    /// The idempotency key was used for something else.
    #[error("request_id {0:?} was used before for another request; use a new one")]
    KeyReused(String),
    /// Too many tasks run.
    #[error("{0} tasks are running, which is the limit; try again in a moment")]
    Busy(usize),
    /// Too little room on the disk.
    #[error("{0}")]
    NoRoom(String),
    /// The daemon is going down.
    #[error("the daemon is shutting down; try again when it is back")]
    ShuttingDown,
    /// The disk does not take it.
    #[error("the task could not be made durable: {0}")]
    Journal(Arc<JournalError>),
    /// There is no such task.
    #[error("there is no task {0}; `artoo tasks` lists them")]
    Unknown(TaskId),
    /// Its journal cannot be read to its end.
    #[error("{0}")]
    Unreadable(Box<UnreadableTask>),
    /// The task is not waiting for this.
    #[error("{0}")]
    NotWaiting(String),
}

impl From<JournalError> for TaskError {
    fn from(error: JournalError) -> Self {
        Self::Journal(Arc::new(error))
    }
}

impl From<Box<UnreadableTask>> for TaskError {
    fn from(task: Box<UnreadableTask>) -> Self {
        Self::Unreadable(task)
    }
}
