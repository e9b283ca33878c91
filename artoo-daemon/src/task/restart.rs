//! What a start finds: tasks that had not ended when the daemon went down, and memories that were not written.

use artoo_journal::{JournalError, TaskJournal, task_path};
use artoo_task::fold::fold;
use artoo_task::replay::BUILD;
use artoo_task::view::TaskView;
use artoo_types::evidence::Receipt;
use artoo_types::machine::{StepRecord, TaskEffect, TaskInput};
use artoo_types::task::StopCause;
use artoo_types::{Envelope, TaskId, Timestamp};

use super::actor::{Standing, Window};
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

impl Tasks {
    /// Goes on with every task that had not ended when the daemon went down, and brings in memories of the last tasks
    /// again. Returns how many tasks go on.
    pub fn recover(&self) -> usize {
        let mut resumed = 0;
        for task_id in self.unfinished() {
            match self.recover_one(task_id).and_then(|goes_on| {
                self.catch_up_memory(task_id)?;
                Ok(goes_on)
            }) {
                Ok(true) => resumed += 1,
                Ok(false) => {}
                // One damaged journal must not keep the daemon from the others.
                Err(error) => {
                    let what = format!("task {task_id} had not ended and cannot go on: {error}");
                    self.shared.listeners.health.raise(Concern::Journal(task_id), what);
                }
            }
        }
        let known_until = self.shared.hands.memory().known_until();
        for task_id in self.latest(CATCH_UP, known_until, CATCH_UP_MS) {
            if let Err(error) = self.catch_up_memory(task_id) {
                tracing::warn!(%task_id, %error, "memories of a task were not checked");
            }
        }
        for task_id in self.session_tasks(SESSION_TASKS) {
            if let Ok(view) = self.get(task_id) {
                self.remember_session(&view);
            }
        }
        resumed
    }

    /// True when the task goes on, false when its journal already has its end.
    fn recover_one(&self, task_id: TaskId) -> Result<bool, JournalError> {
        let (journals, crash) = (&self.shared.config.journals, self.shared.crash.clone());
        let (journal, recovered) = TaskJournal::open(journals, task_id, crash)?;
        tracing::debug!(%task_id, ?recovered, "opened the journal of an unfinished task");
        let records = self.records(task_id)?;
        let mut view = TaskView::new(task_id);
        let envelopes = || records.iter().flat_map(|r| &r.envelopes);
        envelopes().for_each(|e: &Envelope| view.observe(e));
        if view.result.is_some() {
            self.mark_ended(&view, journal.head());
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
            // A fresh machine that knows the request and nothing else: all that it can do is end.
            machine = fold(task_id, submission).0;
            machine.number_from(last_sequence);
            let detail =
                "the daemon went down while the task was running, and this version decides differently"
                    .to_owned();
            first = TaskInput::Stop { cause: StopCause::Interrupted, detail };
        }
        let standing =
            Standing { machine, journal, window: Window::new(view), clock: TaskClock::after(last) };
        self.adopt(task_id, standing, &receipts, first);
        Ok(true)
    }

    fn catch_up_memory(&self, task_id: TaskId) -> Result<(), JournalError> {
        for record in self.records(task_id)? {
            if let TaskInput::Submitted { submitted, .. } = &record.input
                && let Some(megram) = declared(task_id, record.at, &submitted.input)
            {
                self.shared.hands.memory().remember(megram);
            }
            for effect in record.effects {
                if let TaskEffect::WriteMemory { megram } = effect {
                    self.shared.hands.memory().write(megram);
                }
            }
        }
        Ok(())
    }

    fn records(&self, task_id: TaskId) -> Result<Vec<StepRecord>, JournalError> {
        let mut reader = artoo_journal::read(&task_path(&self.shared.config.journals, task_id), 0)?;
        let mut records = Vec::new();
        while let Some(record) = reader.next_record()? {
            records.push(record);
        }
        Ok(records)
    }
}

/// The receipts of all calls that ended.
fn receipts(records: &[StepRecord]) -> Vec<Receipt> {
    let mut receipts = Vec::new();
    for record in records {
        if let TaskInput::ToolFinished { receipt, .. } = &record.input {
            receipts.push(Receipt::clone(receipt));
        }
    }
    receipts
}

#[cfg(test)]
mod tests;
