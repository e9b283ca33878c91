//! The auditor at work: it reads what has grown, keeps the log, answers and reports.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_audit::{Incident, ReportRequest};
use artoo_journal::{Follower, JournalError, task_ids, task_path};
use artoo_types::envelope::Role;
use artoo_types::operator::{AuditReport, Trigger};
use artoo_types::{Envelope, Message, TaskId};

use super::AuditorPlaces;
use super::anchors::Occasion;
use super::bell::{Question, Shared, Waiting};
use super::log::AuditLog;
use crate::clock;
use crate::system::SystemBus;

/// How long it waits after a bell for more to come, so that one reading takes in many steps.
const GATHER: Duration = Duration::from_millis(50);
/// How long it keeps reading journals before it answers a question with what it has.
const CATCH_UP: Duration = Duration::from_millis(1_500);
/// How long progress may go unsaved. After a crash what was not saved is read again and recognised.
const SAVE_AFTER: Duration = Duration::from_secs(1);
/// How long it waits after the log could not be written. Nothing is lost meanwhile: it does not read on either.
const RETRY: Duration = Duration::from_secs(2);
/// Bad lines of one journal after which the rest of it is not read.
const MAX_BAD_LINES: usize = 16;

/// What the auditor reads of a step: the envelopes. Prompts and replies are skipped over.
#[derive(serde::Deserialize)]
struct Published {
    envelopes: Vec<Envelope>,
}

/// The auditor's thread.
pub(super) struct Reader {
    pub(super) places: AuditorPlaces,
    pub(super) system: SystemBus,
    pub(super) shared: Arc<Shared>,
    pub(super) log: AuditLog,
    next_report: Instant,
    saved_at: Instant,
    unsaved: bool,
    /// The log could not be written; nothing is read before this.
    stuck_until: Option<Instant>,
}

impl Reader {
    pub(super) fn new(places: AuditorPlaces, system: SystemBus, shared: Arc<Shared>, log: AuditLog) -> Self {
        let now = Instant::now();
        let every = log.limits.report_every;
        Self {
            places,
            system,
            shared,
            log,
            next_report: now + every,
            saved_at: now,
            unsaved: false,
            stuck_until: None,
        }
    }

    pub(super) fn run(&mut self) {
        self.begin();
        loop {
            let waiting = self.wait();
            if self.turn(waiting) {
                return;
            }
        }
    }

    /// What a start does before anything else: checks the log, and finds what was not read yet.
    pub(super) fn begin(&mut self) {
        // A window goes on over a restart, and so does its time.
        let open_for = self.log.auditor().window_start().map_or(0, |start| clock::now().since_ms(start));
        self.next_report -= Duration::from_millis(open_for).min(self.log.limits.report_every);
        if let Err(error) = self.log.examine() {
            tracing::error!(%error, "the audit log cannot be checked");
        }
        for what in self.log.take_damage() {
            tracing::warn!(%what, "the audit log was not as it was left");
            self.shared.change_standing(|standing| standing.problems.push(what.clone()));
            self.incident(clock::now(), Incident::LogDamage { what });
        }
        self.save();
        self.anchor(Occasion::Start);
        {
            let mut waiting = self.shared.waiting();
            waiting.rescan = true;
            waiting.system_grown = true;
        }
        self.read_system();
        if self.stuck_until.is_none() {
            // A crash came between the making of a report and its publication.
            self.publish_pending();
        }
    }

    /// Does what waits; true when that is the end.
    pub(super) fn turn(&mut self, waiting: Waiting) -> bool {
        for (at, incident) in waiting.told {
            self.incident(at, incident);
        }
        let mut grown = waiting.grown;
        if waiting.rescan {
            grown.extend(self.find_unread());
        }
        let unread = self.read(grown);
        if waiting.system_grown {
            self.read_system();
        }
        if waiting.rescan && unread == 0 && self.stuck_until.is_none() {
            self.log.saved.written.forget();
        }
        self.flush();
        for question in waiting.questions {
            self.answer(question, unread);
        }
        if Instant::now() >= self.next_report {
            self.next_report = Instant::now() + self.log.limits.report_every;
            self.report(ReportRequest { trigger: Trigger::Periodic, include_window: false }, unread);
            if let Err(error) = self.log.retire(clock::now()) {
                tracing::warn!(%error, "old segments of the audit log cannot be deleted");
            }
        }
        if waiting.stop {
            self.save();
            self.anchor(Occasion::Shutdown);
        } else if self.unsaved && self.saved_at.elapsed() >= SAVE_AFTER {
            self.save();
        }
        waiting.stop
    }

    /// Waits until there is something to do.
    fn wait(&mut self) -> Waiting {
        let shared = Arc::clone(&self.shared);
        let mut waiting = shared.waiting();
        loop {
            let now = Instant::now();
            let until_report = self.next_report.saturating_duration_since(now);
            let until_retry = self.stuck_until.map(|at| at.saturating_duration_since(now));
            let is_held = until_retry.is_some_and(|left| !left.is_zero());
            if waiting.is_urgent() || until_report.is_zero() || (waiting.is_something() && !is_held) {
                return self.gather(&shared, waiting);
            }
            // Wakes up by itself only to save, to report or to try again.
            let mut patience = until_retry.filter(|_| is_held).unwrap_or(until_report).min(until_report);
            if self.unsaved {
                patience = patience.min(SAVE_AFTER);
            }
            let (next, nothing_changed) = shared.wait(waiting, patience);
            waiting = next;
            if nothing_changed && !is_held {
                return std::mem::take(&mut *waiting);
            }
        }
    }

    /// Lets more come, unless somebody waits for an answer.
    fn gather(&self, shared: &Shared, mut waiting: std::sync::MutexGuard<'_, Waiting>) -> Waiting {
        let until = Instant::now() + GATHER;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || waiting.is_urgent() {
                return std::mem::take(&mut *waiting);
            }
            (waiting, _) = shared.wait(waiting, left);
        }
    }

    /// Journals that grew while nobody looked, and those that are gone although they were not read to their end.
    fn find_unread(&mut self) -> BTreeSet<TaskId> {
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
    fn read(&mut self, mut grown: BTreeSet<TaskId>) -> u64 {
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
        self.shared.waiting().grown.append(&mut grown);
        left
    }

    /// Whether reading has to pause: a question has waited for long, or the log cannot be written.
    fn must_pause(&mut self, started: Instant) -> bool {
        if self.log.is_full() {
            self.flush();
        }
        let is_asked = || !self.shared.waiting().questions.is_empty();
        self.stuck_until.is_some() || (started.elapsed() > CATCH_UP && is_asked())
    }

    /// Reads one journal from its cursor; false when it had to pause.
    fn read_task(&mut self, task_id: TaskId, started: Instant) -> Result<bool, JournalError> {
        if self.log.cursor().has_read(task_id) {
            return Ok(true);
        }
        let path = task_path(&self.places.journals, task_id);
        let mut offset = self.log.cursor().offset(task_id);
        if offset > 0 && std::fs::metadata(&path).is_ok_and(|found| found.len() < offset) {
            let what = format!(
                "the journal of task {task_id} is shorter than what was audited of it; it is read anew"
            );
            self.incident(clock::now(), Incident::LogDamage { what });
            self.log.auditor().forget(task_id);
            offset = 0;
        }
        let mut steps: Follower<Published> = Follower::open(&path, offset)?;
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
    fn read_system(&mut self) {
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

    fn observe(&mut self, envelope: &Envelope) {
        self.unsaved = true;
        if let Message::AuditReport(report) = &envelope.payload
            && self.log.saved.pending.as_ref() == Some(report)
        {
            self.log.saved.pending = None;
        }
        self.log.observe(envelope);
    }

    fn incident(&mut self, at: artoo_types::Timestamp, incident: Incident) {
        self.unsaved = true;
        self.log.incident(at, incident);
    }

    fn answer(&mut self, question: Question, unread: u64) {
        // Who asked may have gone.
        match question {
            Question::Report { include_window, answer } => {
                let report =
                    self.report(ReportRequest { trigger: Trigger::OnDemand, include_window }, unread);
                let _ = answer.send(report);
            }
            Question::Head { answer } => {
                let _ = answer.send(self.log.head().clone());
            }
        }
    }

    /// Makes a report and puts it on record: exactly once, wherever a crash comes in between. The state in which the
    /// window has started anew is saved together with the report, before that is published.
    pub(super) fn report(&mut self, request: ReportRequest, unread: u64) -> AuditReport {
        let mut report = self.log.report(clock::now(), request);
        report.unread = unread;
        self.log.saved.pending = Some(report.clone());
        self.save();
        self.publish_pending();
        self.anchor(Occasion::Report);
        report
    }

    fn publish_pending(&mut self) {
        let Some(report) = self.log.saved.pending.clone() else { return };
        match self.system.publish(Role::Auditor, Role::Operator, report.into()) {
            Ok(_) => self.log.saved.pending = None,
            Err(error) => tracing::warn!(%error, "a report of the auditor is not on record"),
        }
        self.read_system();
    }

    fn anchor(&mut self, why: Occasion) {
        if let Err(error) = self.log.anchor(clock::now(), why) {
            tracing::error!(%error, "the head of the audit log cannot be recorded");
        }
    }

    /// Whether the log takes anything; tries when it is time again.
    fn can_write(&mut self) -> bool {
        if self.stuck_until.is_some_and(|until| Instant::now() >= until) {
            self.flush();
        }
        self.stuck_until.is_none()
    }

    fn flush(&mut self) {
        let flushed = self.log.flush();
        self.mark("the audit log cannot be written", flushed);
    }

    fn save(&mut self) {
        self.saved_at = Instant::now();
        let saved = self.log.save(clock::now());
        if saved.is_ok() {
            self.unsaved = false;
            self.shared.set_durable(self.log.cursor().clone());
        }
        let (head, anchored_in) = (self.log.head().clone(), self.log.anchored_in());
        self.shared.change_standing(|standing| (standing.head, standing.anchored_in) = (head, anchored_in));
        self.mark("the auditor's state cannot be saved", saved);
    }

    /// After a failure reading pauses: what is not in the log must not count as read for long, and memory is finite.
    fn mark(&mut self, what: &'static str, outcome: std::io::Result<()>) {
        let was_stuck = self.stuck_until.is_some();
        match outcome {
            Ok(()) => {
                self.stuck_until = None;
                if was_stuck {
                    tracing::info!("the audit log can be written again");
                    self.shared.waiting().rescan = true;
                }
            }
            Err(error) => {
                self.stuck_until = Some(Instant::now() + RETRY);
                if !was_stuck {
                    tracing::error!(%error, "{what}; the auditor waits and reads on when that is possible");
                }
            }
        }
        let stuck = self.stuck_until.is_some();
        if stuck != was_stuck {
            let said = format!("{what}: look at the disk of the data folder; nothing is lost meanwhile");
            self.shared.change_standing(|standing| {
                standing.problems.retain(|problem| !problem.ends_with("nothing is lost meanwhile"));
                if stuck {
                    standing.problems.push(said);
                }
            });
        }
    }
}

/// Whether the system journal goes on at `offset` after envelope `known`. It does not when it was rewritten without its
/// oldest envelopes, or lost its end.
fn continues(path: &std::path::Path, offset: u64, known: u64) -> Result<bool, JournalError> {
    if offset == 0 {
        return Ok(false);
    }
    if std::fs::metadata(path).is_ok_and(|found| found.len() < offset) {
        return Ok(false);
    }
    match Follower::<Envelope>::open(path, offset)?.next_record() {
        Ok(Some(envelope)) => Ok(envelope.sequence == known + 1),
        Ok(None) => Ok(true),
        Err(JournalError::BadLine(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
