//! The auditor at work: it reads what has grown, keeps the log, answers and reports.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_audit::{Incident, ReportRequest};
use artoo_types::envelope::Role;
use artoo_types::finding::{AuditFinding, AuditFindings};
use artoo_types::operator::{AuditReport, Trigger};
use artoo_types::{Envelope, Message, Timestamp};
use parking_lot::MutexGuard;

use super::anchors::AnchorReason;
use super::bell::{AuditQuestion, AuditStanding, AuditorInbox, PendingWork};
use super::log::AuditLog;
use super::storage::Storage;
use super::watch::Watch;
use super::{AuditorConfig, AuditorPlaces};
use crate::clock;
use crate::system::SystemBus;

/// How long it waits after a bell for more to come, so that one reading takes in many steps.
const GATHER_DELAY: Duration = Duration::from_millis(50);
/// How long progress may go unsaved. After a crash what was not saved is read again and recognised.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// Findings that one envelope tells of, some 30 kB.
const MAX_TOLD: usize = 64;

/// The auditor's thread.
pub(super) struct AuditorLoop {
    pub(super) places: AuditorPlaces,
    pub(super) system: SystemBus,
    pub(super) inbox: Arc<AuditorInbox>,
    pub(super) log: AuditLog,
    next_report: Instant,
    saved_at: Instant,
    unsaved: bool,
    pub(super) watch: Watch,
}

impl AuditorLoop {
    /// An auditor on this disk that has not begun.
    pub(super) fn open(
        config: AuditorConfig,
        storage: Box<dyn Storage>,
        inbox: Arc<AuditorInbox>,
    ) -> io::Result<Self> {
        let AuditorConfig { places, limits, system_log, health, system } = config;
        let log = AuditLog::open(&places, limits, system_log, storage)?;
        let now = Instant::now();
        Ok(Self {
            places,
            system,
            inbox,
            log,
            next_report: now + limits.report_every,
            saved_at: now,
            unsaved: false,
            watch: Watch::new(health),
        })
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
            self.watch.found_damage(&what);
            self.incident(clock::now(), Incident::LogDamage { what });
        }
        self.save();
        self.anchor(AnchorReason::Start);
        {
            let mut waiting = self.inbox.waiting();
            waiting.rescan = true;
            waiting.system_grown = true;
        }
        self.read_system();
        if !self.watch.is_stuck() {
            // A crash came between the making of a report and its publication.
            self.publish_pending();
            self.tell_findings();
        }
    }

    /// Does what waits; true when that is the end.
    pub(super) fn turn(&mut self, waiting: PendingWork) -> bool {
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
        self.tell_findings();
        if waiting.rescan && unread == 0 && !self.watch.is_stuck() {
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
            self.anchor(AnchorReason::Shutdown);
        } else if self.unsaved && self.saved_at.elapsed() >= SAVE_AFTER {
            self.save();
        }
        waiting.stop
    }

    /// Waits until there is something to do.
    fn wait(&mut self) -> PendingWork {
        let inbox = Arc::clone(&self.inbox);
        let mut waiting = inbox.waiting();
        loop {
            let until_report = self.next_report.saturating_duration_since(Instant::now());
            let until_retry = self.watch.pause();
            let is_held = until_retry.is_some_and(|left| !left.is_zero());
            if waiting.is_urgent() || until_report.is_zero() || (waiting.is_something() && !is_held) {
                return gather(&inbox, waiting);
            }
            // Wakes up by itself only to save, to report or to try again.
            let mut at_most = until_retry.filter(|_| is_held).unwrap_or(until_report).min(until_report);
            if self.unsaved {
                at_most = at_most.min(SAVE_AFTER);
            }
            if inbox.wait(&mut waiting, at_most) && !is_held {
                return std::mem::take(&mut *waiting);
            }
        }
    }

    pub(super) fn observe(&mut self, envelope: &Envelope) {
        self.unsaved = true;
        if let Message::AuditReport(report) = &envelope.payload
            && self.log.saved.pending.as_ref() == Some(report)
        {
            self.log.saved.pending = None;
        }
        self.log.observe(envelope);
    }

    pub(super) fn incident(&mut self, at: Timestamp, incident: Incident) {
        self.unsaved |= self.log.incident(at, incident);
    }

    fn answer(&mut self, question: AuditQuestion, unread: u64) {
        // Who asked may have gone.
        match question {
            AuditQuestion::Report { include_window, answer } => {
                let report =
                    self.report(ReportRequest { trigger: Trigger::OnDemand, include_window }, unread);
                let _ = answer.send(report);
            }
            AuditQuestion::Findings { answer } => {
                // Whoever asks next for the status hears of no other state than this one.
                self.set_standing();
                let _ = answer.send(self.log.auditor().shelf().clone());
            }
            AuditQuestion::Head { answer } => {
                let _ = answer.send(self.log.head().clone());
            }
        }
    }

    /// Makes a report and puts it on record: exactly once, wherever a crash comes in between. The state in which the
    /// window has started anew is saved together with the report, before that is published.
    pub(super) fn report(&mut self, request: ReportRequest, unread: u64) -> AuditReport {
        let mut report = self.log.report(clock::now(), request);
        report.standing.unread = unread;
        self.log.saved.pending = Some(report.clone());
        self.save();
        self.publish_pending();
        // The report is a line of the log itself.
        self.flush();
        self.anchor(AnchorReason::Report);
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

    /// Tells the operator what was found since it last did. The envelope is read back as any other, and only then is a
    /// finding told: one that a crash keeps from being told is found, or told, again.
    fn tell_findings(&mut self) {
        while !self.watch.is_stuck() {
            let untold = self.log.auditor().untold();
            let findings: Vec<AuditFinding> = untold.iter().take(MAX_TOLD).cloned().collect();
            if findings.is_empty() {
                return;
            }
            let before = untold.len();
            let told = AuditFindings { findings };
            if let Err(error) = self.system.publish(Role::Auditor, Role::Operator, told.into()) {
                tracing::warn!(%error, "findings of the auditor are not on record");
                return;
            }
            self.read_system();
            self.set_standing();
            if self.log.auditor().untold().len() >= before {
                return;
            }
        }
    }

    fn set_standing(&mut self) {
        let (head, anchored_in) = (self.log.head().clone(), self.log.anchored_in());
        let open_findings = self.log.auditor().shelf().open_by_kind();
        self.inbox.set_standing(AuditStanding { head, anchored_in, open_findings });
    }

    fn anchor(&mut self, why: AnchorReason) {
        if let Err(error) = self.log.anchor(clock::now(), why) {
            tracing::error!(%error, "the head of the audit log cannot be recorded");
        }
    }

    /// Whether the log takes anything; tries when it is time again.
    pub(super) fn can_write(&mut self) -> bool {
        if self.watch.pause().is_some_and(|left| left.is_zero()) {
            self.flush();
        }
        !self.watch.is_stuck()
    }

    pub(super) fn flush(&mut self) {
        let flushed = self.log.flush();
        self.mark("the auditor cannot write its log", flushed);
    }

    fn save(&mut self) {
        self.saved_at = Instant::now();
        let saved = self.log.save(clock::now());
        if saved.is_ok() {
            self.unsaved = false;
            self.inbox.set_durable(self.log.cursor().clone());
        }
        self.set_standing();
        self.mark("the auditor cannot save how far it has read", saved);
    }

    fn mark(&mut self, what: &str, outcome: io::Result<()>) {
        if self.watch.note(what, outcome) {
            self.inbox.waiting().rescan = true;
        }
    }
}

/// Lets more come, unless somebody waits for an answer.
fn gather(inbox: &AuditorInbox, mut waiting: MutexGuard<'_, PendingWork>) -> PendingWork {
    let until = Instant::now() + GATHER_DELAY;
    waiting.gathers = true;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || waiting.is_urgent() {
            return std::mem::take(&mut *waiting);
        }
        inbox.wait(&mut waiting, left);
    }
}
