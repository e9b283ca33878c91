//! What is left of a task whose journal cannot be read to its end: nothing vanishes in silence.

use std::fmt;

use artoo_journal::{AcceptedTask, JournalError};
use artoo_task::view::TaskView;

use super::archive::TaskArchive;
use crate::health::Concern;

/// A task as the index and the readable part of its journal show it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnreadableTask {
    /// What the index says.
    pub accepted: AcceptedTask,
    /// What could be read of the journal.
    pub view: TaskView,
    /// What happened to the rest.
    pub failure: ReadFailure,
}

/// Why a journal cannot be read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFailure {
    /// The task ended, and its record was deleted.
    Deleted,
    /// Something happened to the file, in words that say what to do.
    Damaged(String),
}

impl fmt::Display for UnreadableTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failure {
            ReadFailure::Deleted => write!(
                formatter,
                "the record of task {} was deleted; storage.keep_days, keep_tasks and keep_mib say how long records \
                 are kept",
                self.accepted.accepted.task_id
            ),
            ReadFailure::Damaged(what) => formatter.write_str(what),
        }
    }
}

impl TaskArchive {
    /// A task that does not run, from its journal.
    pub(super) fn read_view(&self, accepted: AcceptedTask) -> Result<TaskView, Box<UnreadableTask>> {
        let task_id = accepted.accepted.task_id;
        let mut view = TaskView::new(task_id);
        let read = self.read_into(&mut view);
        let failure = match read {
            Err(JournalError::Missing { .. }) if accepted.ended.is_some() => ReadFailure::Deleted,
            Err(error) => ReadFailure::Damaged(format!("task {task_id} cannot be read: {error}")),
            Ok(()) => {
                let stopped = self.health.said_of(&Concern::Journal(task_id));
                match stopped.filter(|_| view.result.is_none()) {
                    Some(what) => ReadFailure::Damaged(what),
                    None => return Ok(view),
                }
            }
        };
        Err(Box::new(UnreadableTask { accepted, view, failure }))
    }

    fn read_into(&self, view: &mut TaskView) -> Result<(), JournalError> {
        let mut reader = artoo_journal::read(&self.journal(view.task_id), 0)?;
        while let Some(record) = reader.next_record()? {
            record.envelopes.iter().for_each(|e| view.observe(e));
        }
        Ok(())
    }
}
