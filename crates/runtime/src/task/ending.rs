//! How a task ends that cannot go on: a bug of ours broke it, or this build folds its journal differently.

use std::path::Path;

use artoo_journal::{CrashPoint, JournalError, TaskJournal};
use artoo_task::TaskMachine;
use artoo_task::fold::fold;
use artoo_types::evidence::Receipt;
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::task::StopCause;
use artoo_types::{TaskId, Timestamp};

use super::actor::StartingTask;
use super::archive::TaskArchive;
use super::published::PublishedTask;
use crate::clock::TaskClock;

/// A fresh machine that knows the request and nothing else: all that it can do is end.
pub(super) fn ending(task_id: TaskId, submission: Option<StepRecord>, last_sequence: u64) -> TaskMachine {
    let mut machine = fold(task_id, submission).0;
    machine.number_from(last_sequence);
    machine
}

/// What ends a task whose actor broke by a bug of ours: its journal has all that came before, and whoever follows it is shown
/// that. The receipts it has come with it. `is_first`: it has not broken in its end as well, so that the machine may know all.
///
/// # Errors
/// When its journal cannot be opened or read.
pub(super) fn after_a_bug(
    task_id: TaskId,
    journals: &Path,
    crash: CrashPoint,
    archive: &TaskArchive,
    published: PublishedTask,
    is_first: bool,
) -> Result<(StartingTask, Vec<Receipt>, TaskInput), JournalError> {
    let (journal, _) = TaskJournal::open(journals, task_id, crash)?;
    let records = archive.records(task_id)?;
    // What was recorded and not yet shown is shown first.
    let shown = published.read(|view| view.latest_sequence);
    let envelopes = records.iter().flat_map(|r| &r.envelopes).filter(|e| e.sequence > shown);
    published.publish(&envelopes.cloned().collect::<Vec<_>>());
    let clock = TaskClock::after(records.last().map_or(Timestamp::default(), |r| r.at));
    let received = receipts(&records);
    let latest = published.read(|view| view.latest_sequence);
    let machine =
        if is_first { fold(task_id, records).0 } else { ending(task_id, records.into_iter().next(), latest) };
    let detail =
        "a bug in artoo broke this task: the log says where (`artoo logs`); please report it".to_owned();
    let first = TaskInput::Stop { cause: StopCause::Internal, detail };
    let task = StartingTask { machine, journal, published, clock };
    Ok((task, received, first))
}

/// The receipts of all calls that ended.
pub(super) fn receipts(records: &[StepRecord]) -> Vec<Receipt> {
    let mut receipts = Vec::new();
    for record in records {
        if let TaskInput::ToolFinished { receipt, .. } = &record.input {
            receipts.push(Receipt::clone(receipt));
        }
    }
    receipts
}
