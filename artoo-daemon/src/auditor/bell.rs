//! The ways to the auditor's thread. Each holder gets the one that fits: who publishes can ring, the operator's service
//! can ask, who deletes old journals can see what was read. None of them can make the auditor skip, wait or stop.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use artoo_audit::Incident;
use artoo_types::envelope::Role;
use artoo_types::operator::{AuditHead, AuditQuery, AuditReport};
use artoo_types::{TaskId, Timestamp};
use tokio::sync::oneshot;

use super::cursor::Cursor;
use crate::clock;
use crate::system::SystemBus;

/// How long a question may wait: less than the 3 s that are promised.
const PATIENCE: Duration = Duration::from_millis(2_800);
/// Questions that wait at once. Each is answered or given up within [`PATIENCE`]; more than these are turned away.
const MAX_QUESTIONS: usize = 64;
/// Tasks whose bells are remembered one by one, 16 bytes each. When more have rung, for instance because the auditor was
/// held up for long, it looks through the folder of journals instead.
const MAX_GROWN: usize = 16_384;
/// Incidents that wait at once. The tellers watch things that change a few times an hour.
const MAX_TOLD: usize = 64;

/// Tells the auditor that there is something to read, or what no envelope says. Nothing here ever waits.
#[derive(Debug, Clone, Default)]
pub struct AuditorBell {
    shared: Arc<Shared>,
}

/// Where the operator's service asks. Nobody else holds one.
#[derive(Clone)]
pub struct AuditDesk {
    shared: Arc<Shared>,
    system: SystemBus,
}

/// How far the auditor has read, as far as it will remember after a crash.
///
/// Whoever deletes old journals asks here first: what the auditor has not read must stay.
#[derive(Debug, Clone)]
pub struct AuditProgress {
    shared: Arc<Shared>,
}

/// What the auditor says of its own log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditStanding {
    /// The last line that is on the disk.
    pub head: AuditHead,
    /// Where heads are recorded besides the log and the reports.
    pub anchored_in: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Shared {
    waiting: Mutex<Waiting>,
    wake: Condvar,
    durable: Mutex<Cursor>,
    standing: Mutex<AuditStanding>,
}

/// What waits for the auditor.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// Tasks whose journals have grown.
    pub(super) grown: BTreeSet<TaskId>,
    /// Any journal may have grown.
    pub(super) rescan: bool,
    /// The system journal has grown.
    pub(super) system_grown: bool,
    pub(super) told: Vec<(Timestamp, Incident)>,
    pub(super) questions: Vec<Question>,
    pub(super) stop: bool,
}

/// What the operator wants to know.
#[derive(Debug)]
pub(super) enum Question {
    /// A report, with or without more of its window.
    Report { include_window: bool, answer: oneshot::Sender<AuditReport> },
    /// The last line of the log that can be read from the disk.
    Head { answer: oneshot::Sender<AuditHead> },
}

impl AuditorBell {
    /// This task's journal has grown.
    pub fn ring(&self, task_id: TaskId) {
        let mut waiting = self.shared.waiting();
        if waiting.grown.len() >= MAX_GROWN {
            waiting.grown.clear();
            waiting.rescan = true;
        }
        // Coalesced: at most one entry for each task.
        if !waiting.rescan && waiting.grown.insert(task_id) {
            self.shared.wake.notify_one();
        }
    }

    /// The system journal has grown.
    pub fn ring_system(&self) {
        self.shared.waiting().system_grown = true;
        self.shared.wake.notify_one();
    }

    /// Something happened that no envelope says: the disk is short of room, or has room again; the clock was set; a log
    /// or journal is damaged. It may be told again and again.
    pub fn tell(&self, incident: Incident) {
        let mut waiting = self.shared.waiting();
        if waiting.told.len() >= MAX_TOLD {
            tracing::warn!(?incident, "the auditor is told too much at once");
            return;
        }
        waiting.told.push((clock::now(), incident));
        self.shared.wake.notify_one();
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl AuditDesk {
    pub(super) fn new(shared: Arc<Shared>, system: SystemBus) -> Self {
        Self { shared, system }
    }

    /// Asks for a report, as the operator. None when the auditor does not answer within 3 s, or is asked too much.
    pub async fn report(&self, include_window: bool) -> Option<AuditReport> {
        let query = AuditQuery { include_window };
        if let Err(error) = self.system.publish(Role::Operator, Role::Auditor, query.into()) {
            tracing::warn!(%error, "a question to the auditor is not on record");
        }
        self.ask(|answer| Question::Report { include_window, answer }).await
    }

    /// The last line of the log that can be read from the disk now. None when the auditor does not answer within 3 s.
    pub async fn head(&self) -> Option<AuditHead> {
        self.ask(|answer| Question::Head { answer }).await
    }

    /// What the auditor says of its own log. Never waits.
    pub fn standing(&self) -> AuditStanding {
        lock(&self.shared.standing).clone()
    }

    async fn ask<T>(&self, question: impl FnOnce(oneshot::Sender<T>) -> Question) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut waiting = self.shared.waiting();
            waiting.questions.retain(Question::is_wanted);
            if waiting.questions.len() >= MAX_QUESTIONS {
                return None;
            }
            waiting.questions.push(question(sender));
        }
        self.shared.wake.notify_one();
        tokio::time::timeout(PATIENCE, receiver).await.ok()?.ok()
    }
}

impl AuditProgress {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Whether the auditor has read this task's journal to its end, and will remember it. A journal of which this is
    /// false must not be deleted.
    pub fn has_read(&self, task_id: TaskId) -> bool {
        lock(&self.shared.durable).has_read(task_id)
    }

    /// The auditor has read the system journal up to and including this sequence, and will remember it. Envelopes beyond
    /// it must not be deleted; those before it may, in any way that keeps whole lines.
    pub fn system_sequence(&self) -> u64 {
        lock(&self.shared.durable).system_sequence()
    }
}

impl Question {
    fn is_wanted(&self) -> bool {
        match self {
            Self::Report { answer, .. } => !answer.is_closed(),
            Self::Head { answer } => !answer.is_closed(),
        }
    }
}

impl Waiting {
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

impl Shared {
    pub(super) fn waiting(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }

    /// Waits for a change, at most so long; gives the lock back, and whether nothing changed.
    pub(super) fn wait<'a>(
        &self,
        waiting: MutexGuard<'a, Waiting>,
        at_most: Duration,
    ) -> (MutexGuard<'a, Waiting>, bool) {
        let (waiting, timeout) =
            self.wake.wait_timeout(waiting, at_most).unwrap_or_else(PoisonError::into_inner);
        (waiting, timeout.timed_out())
    }

    /// Lets the auditor read what there is, save and end.
    pub(super) fn stop(&self) {
        self.waiting().stop = true;
        self.wake.notify_one();
    }

    pub(super) fn set_durable(&self, cursor: Cursor) {
        *lock(&self.durable) = cursor;
    }

    pub(super) fn set_standing(&self, standing: AuditStanding) {
        *lock(&self.standing) = standing;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
