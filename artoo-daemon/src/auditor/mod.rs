//! R6's thread: it reads the journals behind a durable cursor, as slowly as it likes, and nothing waits for it.
//!
//! Tasks only ring a bell when their journal has grown. What the auditor sees it reads from disk itself, so it misses
//! nothing, not even what happened while it was not running.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use artoo_audit::Incident;
use artoo_journal::{Follower, JournalError, task_ids, task_path};
use artoo_types::envelope::Role;
use artoo_types::operator::{AuditQuery, AuditReport, Trigger};
use artoo_types::{Envelope, Message, TaskId};
use tokio::sync::oneshot;

use crate::clock;
use crate::system::SystemBus;

mod log;

use log::AuditLog;

/// How often it reports by itself.
const REPORT_EVERY: Duration = Duration::from_secs(300);
/// How long it waits after a bell for more to come, so that one reading takes in many steps.
const GATHER: Duration = Duration::from_millis(50);
/// How long it keeps reading journals before it answers a question with what it has.
const CATCH_UP: Duration = Duration::from_millis(1_500);
/// How long progress may go unsaved. After a crash what was not saved is read again and recognised.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// Tells the auditor that there is something to read. Ringing never waits.
#[derive(Debug, Clone, Default)]
pub struct AuditorBell {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<Waiting>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    grown: BTreeSet<TaskId>,
    system_grown: bool,
    questions: Vec<oneshot::Sender<AuditReport>>,
    stop: bool,
}

impl AuditorBell {
    /// This task's journal has grown.
    pub fn ring(&self, task_id: TaskId) {
        // Coalesced: at most one entry for each running task.
        if self.state().grown.insert(task_id) {
            self.shared.wake.notify_one();
        }
    }

    /// Asks for a report, as the operator. None when the auditor is gone.
    pub async fn report(&self, system: &SystemBus, include_window: bool) -> Option<AuditReport> {
        let query = AuditQuery { include_window };
        if let Err(error) = system.publish(Role::Operator, Role::Auditor, query.into()) {
            tracing::warn!(%error, "a question to the auditor is not on record");
        }
        let (sender, receiver) = oneshot::channel();
        self.state().questions.push(sender);
        self.shared.wake.notify_one();
        tokio::time::timeout(Duration::from_millis(2_800), receiver).await.ok()?.ok()
    }

    /// The system journal has grown.
    pub fn ring_system(&self) {
        self.state().system_grown = true;
        self.shared.wake.notify_one();
    }

    /// Lets the auditor read what there is, save and end.
    pub fn stop(&self) {
        self.state().stop = true;
        self.shared.wake.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, Waiting> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the auditor reads and writes.
#[derive(Debug, Clone)]
pub struct AuditorPlaces {
    /// Folder of the tasks' journals.
    pub journals: PathBuf,
    /// Folder of the segments.
    pub segments: PathBuf,
    /// The link to the live segment.
    pub link: PathBuf,
    /// Statistics and cursor.
    pub stats: PathBuf,
}

/// Starts the auditor.
///
/// # Errors
/// When its log cannot be opened or no thread can be made.
pub fn start(
    places: AuditorPlaces,
    system: SystemBus,
    bell: &AuditorBell,
) -> std::io::Result<JoinHandle<()>> {
    let log = AuditLog::open(&places)?;
    let bell = bell.clone();
    let now = Instant::now();
    let mut reader =
        Reader { places, system, bell, log, next_report: now + REPORT_EVERY, saved_at: now, unsaved: false };
    std::thread::Builder::new().name("auditor".to_owned()).spawn(move || reader.run())
}

/// What the auditor reads of a step: the envelopes. Prompts and replies are skipped over.
#[derive(serde::Deserialize)]
struct Published {
    envelopes: Vec<Envelope>,
}

struct Reader {
    places: AuditorPlaces,
    system: SystemBus,
    bell: AuditorBell,
    log: AuditLog,
    next_report: Instant,
    saved_at: Instant,
    unsaved: bool,
}

impl Reader {
    fn run(&mut self) {
        self.find_unread();
        self.bell.ring_system();
        if let Some(what) = self.log.take_damage() {
            tracing::warn!(%what, "the audit log was not as it was left");
            self.incident(Incident::LogDamage { what });
        }
        loop {
            let waiting = self.wait();
            self.read(waiting.grown);
            if waiting.system_grown {
                self.read_system();
            }
            self.flush();
            for question in waiting.questions {
                let report = self.report(Trigger::OnDemand);
                let _ = question.send(report);
            }
            if Instant::now() >= self.next_report {
                self.next_report = Instant::now() + REPORT_EVERY;
                self.watch_disk();
                self.report(Trigger::Periodic);
            }
            if waiting.stop {
                break;
            }
            self.save_if_due();
        }
        self.save();
    }

    /// Journals that grew while nobody looked.
    fn find_unread(&mut self) {
        match task_ids(&self.places.journals) {
            Ok(ids) => {
                let unread: BTreeSet<TaskId> = ids.into_iter().filter(|id| self.log.is_unread(*id)).collect();
                self.bell.state().grown.extend(unread);
            }
            Err(error) => tracing::warn!(%error, "the auditor cannot list the journals"),
        }
    }

    fn wait(&self) -> Waiting {
        let mut state = self.bell.state();
        loop {
            let something =
                !state.grown.is_empty() || state.system_grown || !state.questions.is_empty() || state.stop;
            let until_report = self.next_report.saturating_duration_since(Instant::now());
            if something || until_report.is_zero() {
                return self.gather(state);
            }
            // Wakes up by itself only to save or to report.
            let patience = if self.unsaved { SAVE_AFTER.min(until_report) } else { until_report };
            let (next, timeout) =
                self.bell.shared.wake.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if timeout.timed_out() {
                return std::mem::take(&mut *state);
            }
        }
    }

    /// Lets more come, unless somebody waits for an answer.
    fn gather(&self, mut state: MutexGuard<'_, Waiting>) -> Waiting {
        let until = Instant::now() + GATHER;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || state.stop || !state.questions.is_empty() {
                return std::mem::take(&mut *state);
            }
            (state, _) =
                self.bell.shared.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Reads every grown journal from its cursor. When a question waits for long, the rest is left for later.
    fn read(&mut self, mut grown: BTreeSet<TaskId>) {
        let started = Instant::now();
        while let Some(task_id) = grown.pop_first() {
            if let Err(error) = self.read_task(task_id) {
                tracing::warn!(%task_id, %error, "the auditor cannot read a journal");
                self.incident(Incident::LogDamage { what: error.to_string() });
                self.log.give_up(task_id);
            }
            if started.elapsed() > CATCH_UP && !self.bell.state().questions.is_empty() {
                self.bell.state().grown.append(&mut grown);
            }
        }
    }

    fn read_task(&mut self, task_id: TaskId) -> Result<(), JournalError> {
        if self.log.is_closed(task_id) {
            return Ok(());
        }
        let path = task_path(&self.places.journals, task_id);
        let mut steps: Follower<Published> = Follower::open(&path, self.log.cursor(task_id))?;
        while let Some(step) = steps.next_record()? {
            let mut ended = false;
            for envelope in &step.envelopes {
                self.observe(envelope);
                ended |= matches!(envelope.payload, Message::FinalResult(_));
            }
            self.log.advance(task_id, steps.offset(), ended);
        }
        Ok(())
    }

    fn read_system(&mut self) {
        let path = self.system.path().to_owned();
        let read = |reader: &mut Self| -> Result<(), JournalError> {
            let mut envelopes: Follower<Envelope> = Follower::open(&path, reader.log.system_cursor())?;
            while let Some(envelope) = envelopes.next_record()? {
                reader.observe(&envelope);
                reader.log.advance_system(envelopes.offset());
            }
            Ok(())
        };
        if let Err(error) = read(self) {
            tracing::warn!(%error, "the auditor cannot read the system journal");
        }
    }

    fn observe(&mut self, envelope: &Envelope) {
        self.unsaved = true;
        if let Err(error) = self.log.observe(envelope) {
            tracing::error!(%error, "the audit log cannot be written");
        }
    }

    fn flush(&mut self) {
        if let Err(error) = self.log.flush() {
            tracing::error!(%error, "the audit log cannot be written");
        }
    }

    fn incident(&mut self, incident: Incident) {
        self.unsaved = true;
        if let Err(error) = self.log.incident(clock::now(), incident) {
            tracing::error!(%error, "the audit log cannot be written");
        }
    }

    fn report(&mut self, trigger: Trigger) -> AuditReport {
        self.unsaved = true;
        let report = self.log.report(clock::now(), trigger);
        if let Err(error) = self.system.publish(Role::Auditor, Role::Operator, report.clone().into()) {
            tracing::warn!(%error, "a report of the auditor is not on record");
        }
        self.read_system();
        tracing::info!(head = %self.log.head_hash(), "audit report");
        report
    }

    fn watch_disk(&mut self) {
        if let Ok(stats) = rustix::fs::statvfs(&self.places.segments) {
            let free_bytes = stats.f_bavail.saturating_mul(stats.f_frsize);
            self.incident(Incident::DiskSpace { free_bytes });
        }
    }

    fn save_if_due(&mut self) {
        if self.unsaved && self.saved_at.elapsed() >= SAVE_AFTER {
            self.save();
        }
    }

    fn save(&mut self) {
        self.saved_at = Instant::now();
        match self.log.save() {
            Ok(()) => self.unsaved = false,
            Err(error) => tracing::error!(%error, "the auditor's cursor cannot be saved"),
        }
    }
}
