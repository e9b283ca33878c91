//! What the disk knows of tasks: the index of all that were ever accepted, and their journals.

use std::path::PathBuf;

use artoo_journal::line::LineHash;
use artoo_journal::{AcceptIndex, AcceptedTask, EndRecord, JournalError, task_path};
use artoo_task::view::TaskView;
use artoo_types::machine::StepRecord;
use artoo_types::{TaskId, Timestamp};

use crate::clock;
use crate::health::Health;

/// How long the id of a request stands for its task at least, in milliseconds: 30 days. Seven are promised; the rest is
/// for clocks that jump. An entry whose journal is still there is never forgotten.
const KEYS_KEPT_MS: i64 = 30 * 24 * 3_600 * 1_000;

/// The index and the journals of this daemon's tasks.
pub(super) struct TaskArchive {
    /// Every task that was ever accepted.
    pub(super) index: AcceptIndex,
    /// Folder of the journals.
    pub(super) journals: PathBuf,
    /// Knows which journals are damaged.
    pub(super) health: Health,
}

impl TaskArchive {
    /// The task that the index has under this id.
    pub(super) fn find(&self, task_id: TaskId) -> Option<AcceptedTask> {
        self.index.get(task_id)
    }

    /// How many tasks there are.
    pub(super) fn count(&self) -> usize {
        self.index.read(<[_]>::len)
    }

    /// Ids of tasks, newest first, after `after` (exclusive).
    pub(super) fn list(&self, after: Option<TaskId>) -> Vec<TaskId> {
        self.index.read(|tasks| {
            let all = tasks.iter().rev().map(|t| t.accepted.task_id);
            match after {
                Some(after) => all.skip_while(|id| *id != after).skip(1).collect(),
                None => all.collect(),
            }
        })
    }

    /// Where the journal of a task lies.
    pub(super) fn journal(&self, task_id: TaskId) -> PathBuf {
        task_path(&self.journals, task_id)
    }

    /// Every step of a task.
    pub(super) fn records(&self, task_id: TaskId) -> Result<Vec<StepRecord>, JournalError> {
        let mut reader = artoo_journal::read(&self.journal(task_id), 0)?;
        let mut records = Vec::new();
        while let Some(record) = reader.next_record()? {
            records.push(record);
        }
        Ok(records)
    }

    /// Forgets requests that are old and whose journals are gone. Returns how many.
    pub(super) fn forget_old(&self) -> Result<usize, JournalError> {
        let before = Timestamp(clock::now().0.saturating_sub(KEYS_KEPT_MS));
        self.index.forget(before, |task_id| matches!(self.journal(task_id).try_exists(), Ok(false)))
    }

    /// Marks a task as ended that the index does not know to be. `head` is the hash of its journal's last line.
    pub(super) fn mark_ended(&self, view: &TaskView, head: LineHash) {
        if let (Some(result), Some(at)) = (&view.result, view.ended_at) {
            let (directive, reason) = (result.directive, result.reason);
            let mark = EndRecord { task_id: view.task_id, at, directive, reason, head: Some(head) };
            if let Err(error) = self.index.ended(mark) {
                // The journal has the end; the mark only saves opening it.
                tracing::warn!(%error, "the end of a task is not in the index");
            }
        }
    }

    /// Tasks that are not known to have ended.
    pub(super) fn unfinished(&self) -> Vec<TaskId> {
        self.index.unfinished()
    }

    /// The last `most` tasks, and further ones that ended after `since`, or up to `within_ms` before it; without it the
    /// last end is meant. The bounds on journals of old tasks bound this too.
    pub(super) fn latest(&self, most: usize, since: Option<Timestamp>, within_ms: u64) -> Vec<TaskId> {
        self.index.read(|tasks| {
            let last = tasks.iter().filter_map(|t| t.ended.map(|e| e.at)).max();
            let since = last.map(|last| since.map_or(last, |since| since.min(last)));
            let is_late = |at: Timestamp| since.is_some_and(|since| since.since_ms(at) <= within_ms);
            let all = tasks.iter().rev().enumerate();
            all.filter(|(i, t)| *i < most || t.ended.is_some_and(|e| is_late(e.at)))
                .map(|(_, t)| t.accepted.task_id)
                .collect()
        })
    }

    /// The last tasks of sessions, oldest first: what a restart reads to know the sessions again.
    pub(super) fn session_tasks(&self, most: usize) -> Vec<TaskId> {
        let mut ids: Vec<TaskId> = self.index.read(|tasks| {
            tasks
                .iter()
                .rev()
                .filter(|t| !t.accepted.session_id.is_empty() && t.ended.is_some())
                .take(most)
                .map(|t| t.accepted.task_id)
                .collect()
        });
        ids.reverse();
        ids
    }
}
