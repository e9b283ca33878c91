//! The ways to the auditor's thread. Each holder gets the one that fits: who publishes can ring, who deletes old journals can
//! see what was read, and the operator's service can ask (see [`super::AuditDesk`]). None of them can make the auditor skip,
//! wait or stop.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use artoo_audit::{FindingShelf, Incident};
use artoo_types::finding::FindingKind;
use artoo_types::operator::{AuditHead, AuditReport};
use artoo_types::{TaskId, Timestamp};
use parking_lot::{Condvar, Mutex, MutexGuard};
use tokio::sync::oneshot;

use super::cursor::JournalCursor;
use crate::clock;

/// Questions that wait at once. Each is answered or given up soon; more than these are turned away.
const MAX_QUESTIONS: usize = 64;
/// Tasks whose bells are remembered one by one, 16 bytes each. When more have rung, for instance because the auditor was
/// held up for long, it looks through the folder of journals instead.
const MAX_GROWN: usize = 16_384;
/// Incidents that wait at once. The tellers watch things that change a few times an hour.
const MAX_INCIDENTS: usize = 64;

/// Tells the auditor that there is something to read, or what no envelope says. Nothing here ever waits.
#[derive(Debug, Clone, Default)]
pub struct AuditorBell {
    inbox: Arc<AuditorInbox>,
}

/// How far the auditor has read, as far as it will remember after a crash.
///
/// Whoever deletes old journals asks here first: what the auditor has not read must stay.
#[derive(Debug, Clone)]
pub struct AuditProgress {
    inbox: Arc<AuditorInbox>,
}

/// What the auditor says of its own log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditStanding {
    /// The last line that is on the disk.
    pub head: AuditHead,
    /// Where heads are recorded besides the log and the reports.
    pub anchored_in: Vec<String>,
    /// Findings that nobody has acknowledged, by kind.
    pub open_findings: BTreeMap<FindingKind, u64>,
}

#[derive(Debug, Default)]
pub(super) struct AuditorInbox {
    waiting: Mutex<PendingWork>,
    wake: Condvar,
    durable: Mutex<JournalCursor>,
    standing: Mutex<AuditStanding>,
}

/// What waits for the auditor.
#[derive(Debug, Default)]
pub(super) struct PendingWork {
    /// Tasks whose journals have grown.
    pub(super) grown: BTreeSet<TaskId>,
    /// Any journal may have grown.
    pub(super) rescan: bool,
    /// The system journal has grown.
    pub(super) system_grown: bool,
    pub(super) told: Vec<(Timestamp, Incident)>,
    pub(super) questions: Vec<AuditQuestion>,
    pub(super) stop: bool,
    /// The auditor is up and lets more come: only what is urgent need wake it.
    pub(super) gathers: bool,
}

/// What the operator wants to know.
#[derive(Debug)]
pub(super) enum AuditQuestion {
    /// A report, with or without more of its window.
    Report { include_window: bool, answer: oneshot::Sender<AuditReport> },
    /// What was found and can be looked up.
    Findings { answer: oneshot::Sender<FindingShelf> },
    /// The last line of the log that can be read from the disk.
    Head { answer: oneshot::Sender<AuditHead> },
}

impl AuditorBell {
    /// This task's journal has grown.
    pub fn ring(&self, task_id: TaskId) {
        let mut waiting = self.inbox.waiting();
        if waiting.grown.len() >= MAX_GROWN {
            waiting.grown.clear();
            waiting.rescan = true;
        }
        // Coalesced: at most one entry for each task.
        if !waiting.rescan && waiting.grown.insert(task_id) {
            self.inbox.wake(waiting);
        }
    }

    /// The system journal has grown.
    pub fn ring_system(&self) {
        let mut waiting = self.inbox.waiting();
        waiting.system_grown = true;
        self.inbox.wake(waiting);
    }

    /// Something happened that no envelope says: the disk is short of room, or has room again; the clock was set; a log
    /// or journal is damaged. It may be told again and again.
    pub fn tell(&self, incident: Incident) {
        let mut waiting = self.inbox.waiting();
        if waiting.told.len() >= MAX_INCIDENTS {
            tracing::warn!(?incident, "the auditor is told too much at once");
            return;
        }
        waiting.told.push((clock::now(), incident));
        self.inbox.wake(waiting);
    }

    pub(super) fn inbox(&self) -> &Arc<AuditorInbox> {
        &self.inbox
    }
}

impl AuditProgress {
    pub(super) fn new(inbox: Arc<AuditorInbox>) -> Self {
        Self { inbox }
    }

    /// Whether the auditor has read this task's journal to its end, and will remember it. A journal of which this is
    /// false must not be deleted.
    pub fn has_read(&self, task_id: TaskId) -> bool {
        self.inbox.durable.lock().has_read(task_id)
    }

    /// The auditor has read the system journal up to and including this sequence, and will remember it. Envelopes beyond
    /// it must not be deleted; those before it may, in any way that keeps whole lines.
    pub fn system_sequence(&self) -> u64 {
        self.inbox.durable.lock().system_sequence()
    }
}

impl AuditQuestion {
    fn is_wanted(&self) -> bool {
        match self {
            Self::Report { answer, .. } => !answer.is_closed(),
            Self::Findings { answer } => !answer.is_closed(),
            Self::Head { answer } => !answer.is_closed(),
        }
    }
}

impl PendingWork {
    /// Whether there is something to do now.
    pub(super) fn is_something(&self) -> bool {
        let to_read = !self.grown.is_empty() || self.rescan || self.system_grown;
        to_read || !self.told.is_empty() || self.is_urgent()
    }

    /// Whether somebody waits for an answer, or for the end.
    pub(super) fn is_urgent(&self) -> bool {
        !self.questions.is_empty() || self.stop
    }
}

impl AuditorInbox {
    pub(super) fn waiting(&self) -> MutexGuard<'_, PendingWork> {
        self.waiting.lock()
    }

    /// Wakes the auditor for what was added, unless it looks by itself soon.
    fn wake(&self, waiting: MutexGuard<'_, PendingWork>) {
        let is_awaited = !waiting.gathers || waiting.is_urgent();
        drop(waiting);
        if is_awaited {
            self.wake.notify_one();
        }
    }

    /// Waits for a change, at most so long; whether nothing changed.
    pub(super) fn wait(&self, waiting: &mut MutexGuard<'_, PendingWork>, at_most: Duration) -> bool {
        self.wake.wait_for(waiting, at_most).timed_out()
    }

    /// Has a question answered; false when too many wait.
    pub(super) fn ask(&self, question: AuditQuestion) -> bool {
        let mut waiting = self.waiting();
        waiting.questions.retain(AuditQuestion::is_wanted);
        if waiting.questions.len() >= MAX_QUESTIONS {
            return false;
        }
        waiting.questions.push(question);
        self.wake(waiting);
        true
    }

    /// What the auditor says of its own log.
    pub(super) fn standing(&self) -> AuditStanding {
        self.standing.lock().clone()
    }

    /// Lets the auditor read what there is, save and end.
    pub(super) fn stop(&self) {
        let mut waiting = self.waiting();
        waiting.stop = true;
        self.wake(waiting);
    }

    pub(super) fn set_durable(&self, cursor: JournalCursor) {
        *self.durable.lock() = cursor;
    }

    pub(super) fn set_standing(&self, standing: AuditStanding) {
        *self.standing.lock() = standing;
    }
}
