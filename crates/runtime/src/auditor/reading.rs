//! Reading the journals from where the cursor stands.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use artoo_audit::Incident;
use artoo_journal::{Follower, JournalError, task_ids, task_path};
use artoo_types::machine::StepEnvelopes;
use artoo_types::{Envelope, Message, TaskId};

use super::reader::AuditorLoop;
use crate::clock;

/// How long it keeps reading journals before it answers a question with what it has.
const READ_BEFORE_ANSWER: Duration = Duration::from_millis(1_500);
/// Bad lines of one journal after which the rest of it is not read.
const MAX_BAD_LINES: usize = 16;

impl AuditorLoop {
    /// Journals that grew while nobody looked, and those that are gone although they were not read to their end.
    pub(super) fn find_unread(&mut self) -> BTreeSet<TaskId> {
        let ids = match task_ids(&self.places.journals) {
            Ok(ids) => ids,
            Err(error) => {
                tracing::warn!(%error, "the auditor cannot list the journals");
                return BTreeSet::new();
            }
        };
        let there: BTreeSet<TaskId> = ids.into_iter().collect();
        let gone: Vec<TaskId> = self.log.cursor().open_tasks().filter(|id| !there.contains(id)).collect();
        for task_id in gone {
            self.lose(task_id);
        }
        there.into_iter().filter(|id| !self.log.cursor().has_read(*id)).collect()
    }

    /// A journal is gone that was not read to its end.
    fn lose(&mut self, task_id: TaskId) {
        let what = format!("the journal of task {task_id} is gone before the auditor had read it to its end");
        self.incident(clock::now(), Incident::LogDamage { what });
        self.log.cursor().close(task_id);
        self.log.auditor().forget(task_id);
    }

    /// Reads every grown journal from its cursor. When a question waits for long, or the log cannot be written, the rest
    /// is left for later; returns how many that are.
    pub(super) fn read(&mut self, mut grown: BTreeSet<TaskId>) -> u64 {
        let started = Instant::now();
        let (mut is_stopped, mut failed) = (!self.can_write(), 0);
        while !is_stopped && let Some(task_id) = grown.pop_first() {
            match self.read_task(task_id, started) {
                Ok(true) => {}
                Ok(false) => {
                    grown.insert(task_id);
                    is_stopped = true;
                }
                Err(JournalError::Missing { .. }) => self.lose(task_id),
                // The next bell, or the next start, has it read again.
                Err(error) => {
                    tracing::warn!(%task_id, %error, "the auditor cannot read a journal");
                    failed += 1;
                }
            }
        }
        let left = grown.len() as u64 + failed;
        self.inbox.waiting().grown.append(&mut grown);
        left
    }

    /// Whether reading has to pause: a question has waited for long, or the log cannot be written.
    fn must_pause(&mut self, started: Instant) -> bool {
        if self.log.is_full() {
            self.flush();
        }
        let is_asked = || !self.inbox.waiting().questions.is_empty();
        self.watch.is_stuck() || (started.elapsed() > READ_BEFORE_ANSWER && is_asked())
    }

    /// Reads one journal from its cursor; false when it had to pause.
    fn read_task(&mut self, task_id: TaskId, started: Instant) -> Result<bool, JournalError> {
        if self.log.cursor().has_read(task_id) {
            return Ok(true);
        }
        let path = task_path(&self.places.journals, task_id);
        let mut offset = self.log.cursor().offset(task_id);
        if offset > 0 && fs::metadata(&path).is_ok_and(|found| found.len() < offset) {
            let what = format!(
                "the journal of task {task_id} is shorter than what was audited of it; it is read anew"
            );
            self.incident(clock::now(), Incident::LogDamage { what });
            self.log.auditor().forget(task_id);
            offset = 0;
        }
        let mut steps: Follower<StepEnvelopes> = Follower::open(&path, offset)?;
        let (mut bad_lines, mut ended) = (0, false);
        loop {
            if self.must_pause(started) {
                return Ok(false);
            }
            let step = match steps.next_record() {
                Ok(Some(step)) => step,
                Ok(None) => return Ok(true),
                Err(JournalError::BadLine(bad)) if bad_lines < MAX_BAD_LINES => {
                    bad_lines += 1;
                    self.incident(clock::now(), Incident::LogDamage { what: bad.to_string() });
                    self.log.cursor().advance(task_id, steps.offset());
                    continue;
                }
                Err(error) => return Err(error),
            };
            for envelope in &step.envelopes {
                self.observe(envelope);
                ended |= matches!(envelope.payload, Message::FinalResult(_));
            }
            if ended {
                self.log.cursor().close(task_id);
            } else {
                self.log.cursor().advance(task_id, steps.offset());
            }
        }
    }

    /// Reads the envelopes that belong to no task.
    pub(super) fn read_system(&mut self) {
        if self.can_write()
            && let Err(error) = self.follow_system()
        {
            tracing::warn!(%error, "the auditor cannot read the system journal");
        }
    }

    fn follow_system(&mut self) -> Result<(), JournalError> {
        let path = self.system.path().to_owned();
        let (offset, known) = self.log.cursor().system();
        let goes_on = continues(&path, offset, known)?;
        let mut envelopes: Follower<Envelope> = Follower::open(&path, if goes_on { offset } else { 0 })?;
        let (mut last, mut bad_lines) = (if goes_on { known } else { 0 }, 0);
        loop {
            match envelopes.next_record() {
                Ok(Some(envelope)) => {
                    last = envelope.sequence;
                    if last > known {
                        self.observe(&envelope);
                    }
                    self.log.cursor().advance_system(envelopes.offset(), last.max(known));
                }
                Ok(None) => break,
                Err(JournalError::BadLine(bad)) if bad_lines < MAX_BAD_LINES => {
                    bad_lines += 1;
                    self.incident(clock::now(), Incident::LogDamage { what: bad.to_string() });
                    self.log.cursor().advance_system(envelopes.offset(), last.max(known));
                }
                Err(error) => return Err(error),
            }
        }
        if last < known {
            let what =
                format!("the system journal ends with envelope {last}, and envelope {known} was audited");
            self.incident(clock::now(), Incident::LogDamage { what });
            self.log.cursor().advance_system(envelopes.offset(), last);
        }
        Ok(())
    }
}

/// Whether the system journal goes on at `offset` after envelope `known`. It does not when it was rewritten without its
/// oldest envelopes, or lost its end.
fn continues(path: &Path, offset: u64, known: u64) -> Result<bool, JournalError> {
    if offset == 0 {
        return Ok(false);
    }
    if fs::metadata(path).is_ok_and(|found| found.len() < offset) {
        return Ok(false);
    }
    match Follower::<Envelope>::open(path, offset)?.next_record() {
        Ok(Some(envelope)) => Ok(envelope.sequence == known + 1),
        Ok(None) => Ok(true),
        Err(JournalError::BadLine(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
