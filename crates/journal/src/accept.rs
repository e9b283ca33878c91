//! Which tasks were accepted, and how they ended, without opening their journals.

use std::collections::HashMap;
use std::path::Path;

use artoo_types::control::{Ending, Reason};
use artoo_types::{TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::line_file::LineFile;
use crate::{CrashPoint, JournalError, Recovered};

/// A task as it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The task.
    pub task_id: TaskId,
    /// The caller's idempotency key, or empty.
    pub request_id: String,
    /// Digest of the request's content: the same key with another digest is another request.
    pub request_hash: String,
    /// The session, or empty.
    pub session_id: String,
    /// When.
    pub accepted_at: Timestamp,
    /// What a list of tasks shows, redacted and cut by the caller; empty when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// The end of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The task.
    pub task_id: TaskId,
    /// When.
    pub at: Timestamp,
    /// accept, success or abandon.
    pub directive: Ending,
    /// Why.
    pub reason: Reason,
}

/// A task in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedTask {
    /// How it began.
    pub accepted: Accepted,
    /// How it ended; none while it is not known to have ended.
    pub ended: Option<Ended>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case")]
enum IndexLine {
    Accepted(Accepted),
    Ended(Ended),
}

/// The index of accepted tasks, `accept.jsonl`. Entries are never dropped: one costs some 300 bytes, and a key that is
/// kept forever keeps its promise for more than seven days.
///
/// A task's journal is made and synced before [`add`](Self::add) answers the caller; so an entry always has a journal,
/// and a journal without an entry belongs to a request that was never acknowledged.
pub struct AcceptIndex {
    file: LineFile,
    entries: Entries,
}

#[derive(Default)]
struct Entries {
    tasks: Vec<AcceptedTask>,
    by_task: HashMap<TaskId, usize>,
    by_request: HashMap<String, usize>,
}

impl AcceptIndex {
    /// Opens the index at `path`, or makes it. A torn tail is cut. Lines that are damaged are listed and left out, the
    /// others hold: each stands for itself.
    pub fn open(path: &Path, crash: CrashPoint) -> Result<(Self, Recovered), JournalError> {
        let mut entries = Entries::default();
        let mut take = |json: &str| {
            let line: IndexLine = serde_json::from_str(json).map_err(|e| e.to_string())?;
            let known = match line {
                IndexLine::Accepted(accepted) => entries.accept(accepted),
                IndexLine::Ended(ended) => entries.end(ended),
            };
            known.map_err(|e| e.to_string())
        };
        let (file, recovered) = LineFile::open_or_create(path, crash, &mut take)?;
        Ok((Self { file, entries }, recovered))
    }

    /// Notes an accepted task; it is on the disk when this returns.
    ///
    /// # Errors
    /// [`JournalError::AlreadyAccepted`] when the task or its request id is known. After a failed sync the index takes
    /// nothing any more (see [`TaskJournal::sync`](crate::TaskJournal::sync)).
    pub fn add(&mut self, accepted: Accepted) -> Result<(), JournalError> {
        self.append(&accepted)?;
        self.file.sync()?;
        self.entries.accept(accepted)
    }

    /// As [`Self::add`], without waiting for the disk: what a benchmark of everything else needs.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_unsynced(&mut self, accepted: Accepted) -> Result<(), JournalError> {
        self.append(&accepted)?;
        self.entries.accept(accepted)
    }

    fn append(&mut self, accepted: &Accepted) -> Result<(), JournalError> {
        self.entries.check_new(accepted)?;
        self.file.append(&IndexLine::Accepted(accepted.clone())).map(|_| ())
    }

    /// Notes the end of a task. It is not synced: should it be lost, the task's journal still ends with its result.
    /// The first end of a task stays; a later one changes nothing.
    ///
    /// # Errors
    /// [`JournalError::UnknownTask`] when the task was not accepted.
    pub fn ended(&mut self, ended: Ended) -> Result<(), JournalError> {
        match self.get(ended.task_id) {
            None => Err(JournalError::UnknownTask(ended.task_id)),
            Some(task) if task.ended.is_some() => Ok(()),
            Some(_) => {
                self.file.append(&IndexLine::Ended(ended))?;
                self.entries.end(ended)
            }
        }
    }

    /// The task that was accepted for this idempotency key; none for the empty key.
    pub fn find(&self, request_id: &str) -> Option<&AcceptedTask> {
        self.entries.by_request.get(request_id).map(|i| &self.entries.tasks[*i])
    }

    /// The task.
    pub fn get(&self, task_id: TaskId) -> Option<&AcceptedTask> {
        self.entries.by_task.get(&task_id).map(|i| &self.entries.tasks[*i])
    }

    /// Every task in the order of acceptance.
    pub fn tasks(&self) -> impl DoubleEndedIterator<Item = &AcceptedTask> + ExactSizeIterator {
        self.entries.tasks.iter()
    }

    /// The tasks that are not known to have ended, in the order of acceptance: those to resume.
    pub fn unfinished(&self) -> impl Iterator<Item = &AcceptedTask> {
        self.tasks().filter(|t| t.ended.is_none())
    }
}

impl Entries {
    fn check_new(&self, accepted: &Accepted) -> Result<(), JournalError> {
        let known = self.by_task.contains_key(&accepted.task_id)
            || self.by_request.contains_key(&accepted.request_id);
        if known { Err(JournalError::AlreadyAccepted(accepted.task_id)) } else { Ok(()) }
    }

    fn accept(&mut self, accepted: Accepted) -> Result<(), JournalError> {
        self.check_new(&accepted)?;
        let index = self.tasks.len();
        self.by_task.insert(accepted.task_id, index);
        if !accepted.request_id.is_empty() {
            self.by_request.insert(accepted.request_id.clone(), index);
        }
        self.tasks.push(AcceptedTask { accepted, ended: None });
        Ok(())
    }

    fn end(&mut self, ended: Ended) -> Result<(), JournalError> {
        let index = self.by_task.get(&ended.task_id).ok_or(JournalError::UnknownTask(ended.task_id))?;
        self.tasks[*index].ended.get_or_insert(ended);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
