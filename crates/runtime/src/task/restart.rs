//! What a start finds: tasks that had not ended when the daemon went down, and memories that were not written.

use artoo_journal::{JournalError, TaskJournal};
use artoo_task::fold::fold;
use artoo_task::replay::BUILD;
use artoo_task::view::TaskView;
use artoo_types::machine::{TaskEffect, TaskInput};
use artoo_types::task::StopCause;
use artoo_types::{Envelope, TaskId, Timestamp};

use super::actor::StartingTask;
use super::ending::{ending, receipts};
use super::published::PublishedTask;
use super::registry::Tasks;
use crate::clock::TaskClock;
use crate::health::Concern;
use crate::memory::declared;

/// The last tasks whose memories are brought in again at a start, whatever the memory says; writing one twice changes
/// nothing, because its id is derived.
const CATCH_UP: usize = 64;
/// Tasks that ended this long before the memory's last change, in milliseconds, or later are brought in as well: memory
/// writes are synced about a second after they are made, and a memory that was restored lacks what came after its copy.
const CATCH_UP_MS: u64 = 10_000;
/// Ended tasks that are read to know the sessions again.
const SESSION_TASKS: usize = 64;

/// Goes on with every task that had not ended when the daemon went down, and brings in memories of the last tasks
/// again. Returns how many tasks go on.
pub fn recover(tasks: &Tasks) -> usize {
    let archive = &tasks.inner.archive;
    let mut resumed = 0;
    for task_id in archive.unfinished() {
        match recover_one(tasks, task_id).and_then(|goes_on| {
            catch_up_memory(tasks, task_id)?;
            Ok(goes_on)
        }) {
            Ok(true) => resumed += 1,
            Ok(false) => {}
            // One damaged journal must not keep the daemon from the others.
            Err(error) => {
                let what = format!("task {task_id} had not ended and cannot go on: {error}");
                tasks.inner.listeners.health.raise(Concern::Journal(task_id), what);
            }
        }
    }
    let known_until = tasks.inner.services.memory().known_until();
    for task_id in archive.latest(CATCH_UP, known_until, CATCH_UP_MS) {
        if let Err(error) = catch_up_memory(tasks, task_id) {
            tracing::warn!(%task_id, %error, "memories of a task were not checked");
        }
    }
    for task_id in archive.session_tasks(SESSION_TASKS) {
        if let Ok(view) = tasks.get(task_id) {
            tasks.live().sessions.ended(&view);
        }
    }
    resumed
}

/// True when the task goes on, false when its journal already has its end.
fn recover_one(tasks: &Tasks, task_id: TaskId) -> Result<bool, JournalError> {
    let (journals, crash) = (&tasks.inner.config.journals, tasks.inner.crash.clone());
    let (journal, recovered) = TaskJournal::open(journals, task_id, crash)?;
    tracing::debug!(%task_id, ?recovered, "opened the journal of an unfinished task");
    let records = tasks.inner.archive.records(task_id)?;
    let mut view = TaskView::new(task_id);
    let envelopes = || records.iter().flat_map(|r| &r.envelopes);
    envelopes().for_each(|e: &Envelope| view.observe(e));
    if view.result.is_some() {
        tasks.inner.archive.mark_ended(&view, journal.head());
        return Ok(false);
    }
    // Nobody can answer a question of the daemon before, not even while this one has not yet folded the restart.
    view.restarted();
    let last_sequence = view.latest_sequence;
    let submission = records.first().cloned();
    let last = records.last().map_or(Timestamp::default(), |r| r.at);
    let receipts = receipts(&records);
    let (mut machine, difference) = fold(task_id, records);
    let mut first = TaskInput::Resumed { build: BUILD.to_owned() };
    if let Some(difference) = difference {
        tracing::warn!(%task_id, ?difference, "this build folds the task's journal differently; it ends here");
        machine = ending(task_id, submission, last_sequence);
        let detail = "the daemon went down while the task was running, and this version decides differently"
            .to_owned();
        first = TaskInput::Stop { cause: StopCause::Interrupted, detail };
    }
    let clock = TaskClock::after(last);
    let task = StartingTask { machine, journal, published: PublishedTask::new(view), clock };
    tasks.adopt(task_id, task, &receipts, first);
    Ok(true)
}

fn catch_up_memory(tasks: &Tasks, task_id: TaskId) -> Result<(), JournalError> {
    for record in tasks.inner.archive.records(task_id)? {
        if let TaskInput::Submitted { submitted, .. } = &record.input
            && let Some(megram) = declared(task_id, record.at, &submitted.input)
        {
            tasks.inner.services.memory().remember(megram);
        }
        for effect in record.effects {
            if let TaskEffect::WriteMemory { megram } = effect {
                tasks.inner.services.memory().write(megram);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
