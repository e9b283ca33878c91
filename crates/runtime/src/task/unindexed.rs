//! Journals without an entry in the index, as a start may find them.
//!
//! A task begins only when its entry is on the disk. So a journal with more than its first step was accepted, and the
//! index has lost it: it is entered again. A journal with its first step alone belongs to a request that was never
//! acknowledged, and is removed; only when the index itself was damaged or gone nobody can know, and it is entered too.

use std::path::Path;

use artoo_journal::{AcceptIndex, AcceptRecord, JournalError, OpenReport, read, task_ids, task_path};
use artoo_types::TaskId;
use artoo_types::machine::{StepRecord, TaskInput};

use super::admission::{entry, request_hash};
use crate::health::{Concern, Health};

/// Entries that are made durable with one sync.
const GROUP: usize = 256;

/// What a journal without an entry is.
enum UnindexedJournal {
    /// An accepted task.
    Task(AcceptRecord),
    /// A request that was never acknowledged.
    Unacknowledged,
    /// A file whose beginning cannot be read, and why.
    Unreadable(String),
}

/// Enters the tasks that the index has lost, and removes what was never acknowledged. `recovered` is what opening the
/// index found. Returns how many tasks were entered.
///
/// # Errors
/// When the folder cannot be listed or the index cannot be written.
pub fn enter_unindexed(
    index: &AcceptIndex,
    recovered: &OpenReport,
    journals: &Path,
    health: &Health,
) -> Result<usize, JournalError> {
    let is_whole = recovered.lines > 0 && recovered.bad_lines.is_empty();
    let mut lost = Vec::new();
    for task_id in task_ids(journals)?.into_iter().filter(|id| index.get(*id).is_none()) {
        match look(journals, task_id, is_whole) {
            UnindexedJournal::Task(accepted) => lost.push(accepted),
            UnindexedJournal::Unacknowledged => {
                tracing::info!(%task_id, "a request that was never acknowledged is removed");
                drop(std::fs::remove_file(task_path(journals, task_id)));
            }
            UnindexedJournal::Unreadable(why) => {
                let what =
                    format!("the journal of task {task_id}, which is in no index, cannot be read: {why}");
                health.raise(Concern::Journal(task_id), what);
            }
        }
    }
    let entered = lost.len();
    while !lost.is_empty() {
        let rest = lost.split_off(lost.len().min(GROUP));
        for result in index.accept(std::mem::replace(&mut lost, rest), true)? {
            // A request id that two journals claim stays with the first of them.
            match result {
                Ok(()) | Err(JournalError::AlreadyAccepted(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    if let Some(bad) = recovered.bad_lines.first() {
        let what = format!(
            "the index of tasks was damaged ({bad}); {entered} tasks were entered again from their journals"
        );
        health.raise(Concern::Index, what);
    } else if entered > 0 {
        let what = format!(
            "the index of tasks had lost {entered} tasks; they were entered again from their journals"
        );
        health.raise(Concern::Index, what);
    }
    Ok(entered)
}

fn look(journals: &Path, task_id: TaskId, index_is_whole: bool) -> UnindexedJournal {
    match first_steps(journals, task_id) {
        Err(error) => UnindexedJournal::Unreadable(error.to_string()),
        Ok((_, false)) if index_is_whole => UnindexedJournal::Unacknowledged,
        Ok((None, _)) => UnindexedJournal::Unreadable("it has no whole first line".to_owned()),
        Ok((Some(first), _)) => match accepted(task_id, first) {
            Some(accepted) => UnindexedJournal::Task(accepted),
            None => UnindexedJournal::Unreadable("it does not start with a request".to_owned()),
        },
    }
}

/// The first step, and whether there is a second one.
fn first_steps(journals: &Path, task_id: TaskId) -> Result<(Option<StepRecord>, bool), JournalError> {
    let mut reader = read(&task_path(journals, task_id), 0)?;
    let first = reader.next_record()?;
    // Whatever is wrong with a second step, it is one.
    let has_second = !matches!(reader.next_record(), Ok(None));
    Ok((first, has_second))
}

/// The entry that the task had. None when its first step is no submission: then it is no task of ours.
fn accepted(task_id: TaskId, first: StepRecord) -> Option<AcceptRecord> {
    let TaskInput::Submitted { submitted, .. } = first.input else { return None };
    Some(entry(task_id, first.at, &submitted, request_hash(&submitted)))
}

#[cfg(test)]
mod tests;
