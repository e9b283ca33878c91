//! What is left of a task whose journal cannot be read to its end: nothing vanishes in silence.

use std::fmt;

use artoo_journal::{AcceptedTask, JournalError, task_path};
use artoo_task::view::TaskView;
use artoo_types::TaskId;

use super::error::SubmitError;
use super::registry::Tasks;
use crate::health::Concern;

/// A task as the index and the readable part of its journal show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Remains {
    /// What the index says.
    pub accepted: AcceptedTask,
    /// What could be read of the journal.
    pub view: TaskView,
    /// What happened to the rest.
    pub loss: Loss,
}

/// Why a journal cannot be read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// The task ended, and its record was deleted.
    Deleted,
    /// Something happened to the file, in words that say what to do.
    Damaged(String),
}

impl fmt::Display for Remains {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.loss {
            Loss::Deleted => write!(
                formatter,
                "the record of task {} was deleted; storage.keep_days, keep_tasks and keep_mib say how long records \
                 are kept",
                self.accepted.accepted.task_id
            ),
            Loss::Damaged(what) => formatter.write_str(what),
        }
    }
}

impl Tasks {
    /// A task that does not run, from its journal.
    pub(super) fn read_view(&self, accepted: AcceptedTask) -> Result<TaskView, SubmitError> {
        let task_id = accepted.accepted.task_id;
        let mut view = TaskView::new(task_id);
        let read = self.read_into(&mut view);
        let loss = match read {
            Err(JournalError::Missing { .. }) if accepted.ended.is_some() => Loss::Deleted,
            Err(error) => Loss::Damaged(format!("task {task_id} cannot be read: {error}")),
            Ok(()) => {
                let stopped = self.shared.listeners.health.said_of(&Concern::Journal(task_id));
                match stopped.filter(|_| view.result.is_none()) {
                    Some(what) => Loss::Damaged(what),
                    None => return Ok(view),
                }
            }
        };
        Err(SubmitError::Remains(Box::new(Remains { accepted, view, loss })))
    }

    fn read_into(&self, view: &mut TaskView) -> Result<(), JournalError> {
        let path = task_path(&self.shared.config.journals, view.task_id);
        let mut reader = artoo_journal::read(&path, 0)?;
        while let Some(record) = reader.next_record()? {
            record.envelopes.iter().for_each(|e| view.observe(e));
        }
        Ok(())
    }

    /// Sequence of the task's last event that can be read.
    pub(super) fn last_readable(&self, task_id: TaskId) -> Result<u64, SubmitError> {
        match self.get(task_id) {
            Ok(view) => Ok(view.latest_sequence),
            Err(SubmitError::Remains(remains)) if remains.loss != Loss::Deleted => {
                Ok(remains.view.latest_sequence)
            }
            Err(error) => Err(error),
        }
    }
}
