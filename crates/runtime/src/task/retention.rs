//! Deleting the records of tasks that ended long ago.
//!
//! The journal is the one truth about a task, so its deletion is the deletion: one file goes, at once or not at all. What
//! else belongs to the task follows from that. Long outputs that no remaining task can have made are swept; the index
//! still knows for weeks that the task was there and how it ended (see [`TaskArchive::forget_old`]).

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use artoo_journal::{JournalError, task_ids};
use artoo_types::{TaskId, Timestamp};

use super::archive::TaskArchive;
use crate::clock;
use artoo_config::StorageParams;

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// An ended task stays this long whatever its size, because its request's id does.
const ALWAYS_KEPT_MS: i64 = 7 * DAY_MS;
/// Most tasks that are deleted at once. A pass is made every hour; a clock that is wrong by years cannot empty the folder
/// before somebody has a chance to see it.
const MAX_DELETED: usize = 500;

/// What a pass deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletedRecords {
    /// Tasks.
    pub tasks: Vec<TaskId>,
    /// How many long outputs.
    pub artifacts: usize,
}

/// An ended task whose journal is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EndedTask {
    task_id: TaskId,
    ended_at: Timestamp,
    bytes: u64,
}

impl TaskArchive {
    /// Deletes the records of old tasks; see [`Tasks::delete_old`](super::registry::Tasks::delete_old).
    pub(super) fn delete_old(
        &self,
        storage: &StorageParams,
        artifacts: &Path,
        is_read: impl Fn(TaskId) -> bool,
    ) -> Result<DeletedRecords, JournalError> {
        let mut deleted = DeletedRecords::default();
        for task_id in excess(self.ended_tasks()?, storage, clock::now(), is_read) {
            match std::fs::remove_file(self.journal(task_id)) {
                Ok(()) => deleted.tasks.push(task_id),
                Err(error) => {
                    tracing::warn!(%task_id, %error, "the journal of an old task cannot be deleted");
                }
            }
        }
        if let Some(oldest) = self.oldest_kept()? {
            deleted.artifacts = sweep(artifacts, oldest);
        }
        Ok(deleted)
    }

    /// The ended tasks that have a journal.
    fn ended_tasks(&self) -> Result<Vec<EndedTask>, JournalError> {
        let ended: BTreeMap<TaskId, Timestamp> = self
            .index
            .read(|tasks| tasks.iter().filter_map(|t| Some((t.accepted.task_id, t.ended?.at))).collect());
        let old = |task_id: TaskId| {
            let ended_at = *ended.get(&task_id)?;
            let bytes = std::fs::metadata(self.journal(task_id)).ok()?.len();
            Some(EndedTask { task_id, ended_at, bytes })
        };
        Ok(task_ids(&self.journals)?.into_iter().filter_map(old).collect())
    }

    /// When the earliest task was accepted that has a journal. None when there is no task, or one whose time is unknown:
    /// then nothing can be said about what they made.
    fn oldest_kept(&self) -> Result<Option<Timestamp>, JournalError> {
        let accepted: BTreeMap<TaskId, Timestamp> = self
            .index
            .read(|tasks| tasks.iter().map(|t| (t.accepted.task_id, t.accepted.accepted_at)).collect());
        let kept: Option<Vec<Timestamp>> =
            task_ids(&self.journals)?.into_iter().map(|id| accepted.get(&id).copied()).collect();
        Ok(kept.and_then(|times| times.into_iter().min()))
    }
}

/// The tasks to delete, oldest end first.
fn excess(
    mut tasks: Vec<EndedTask>,
    storage: &StorageParams,
    now: Timestamp,
    is_read: impl Fn(TaskId) -> bool,
) -> Vec<TaskId> {
    tasks.sort_by_key(|task| (task.ended_at, task.task_id));
    // No day counts that nothing ended in: a clock that is set far ahead between two starts makes nothing old.
    let latest = tasks.last().map_or(now.0, |task| task.ended_at.0.saturating_add(DAY_MS));
    let now = now.0.min(latest);
    let keep_ms = i64::try_from(storage.keep_days).unwrap_or(i64::MAX).saturating_mul(DAY_MS);
    let (mut count, mut bytes) = (tasks.len() as u64, tasks.iter().map(|task| task.bytes).sum::<u64>());
    let mut beyond = Vec::new();
    for task in tasks {
        let age_ms = now.saturating_sub(task.ended_at.0);
        let is_beyond = age_ms > keep_ms || count > storage.keep_tasks || bytes > storage.keep_bytes;
        if !is_beyond || age_ms <= ALWAYS_KEPT_MS || beyond.len() == MAX_DELETED {
            break;
        }
        if is_read(task.task_id) {
            beyond.push(task.task_id);
            count -= 1;
            bytes -= task.bytes;
        }
    }
    beyond
}

/// Deletes the long outputs that were last stored before `oldest`. Storing one again renews its time, so that none of
/// them belongs to a task that was accepted since. Returns how many.
fn sweep(folder: &Path, oldest: Timestamp) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let before = UNIX_EPOCH + Duration::from_millis(u64::try_from(oldest.0).unwrap_or(0));
    let is_old = |metadata: &Metadata| metadata.is_file() && metadata.modified().is_ok_and(|at| at < before);
    let mut deleted = 0;
    for entry in entries.flatten() {
        if entry.metadata().is_ok_and(|metadata| is_old(&metadata)) {
            deleted += usize::from(std::fs::remove_file(entry.path()).is_ok());
        }
    }
    deleted
}

#[cfg(test)]
mod tests;
