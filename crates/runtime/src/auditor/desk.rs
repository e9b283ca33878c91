//! Where the operator's service asks the auditor.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use artoo_audit::FindingShelf;
use artoo_journal::JournalError;
use artoo_types::TaskId;
use artoo_types::envelope::Role;
use artoo_types::finding::{FindingAck, FindingId};
use artoo_types::operator::{AuditHead, AuditQuery, AuditReport};
use tokio::sync::oneshot;

use super::bell::{AuditProgress, AuditQuestion, AuditStanding, AuditorInbox};
use super::reports;
use crate::system::SystemBus;

/// How long a question may wait: less than the 3 s that are promised.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(2_800);

/// Where the operator's service asks. Nobody else holds one.
#[derive(Clone)]
pub struct AuditDesk {
    inbox: Arc<AuditorInbox>,
    system: SystemBus,
}

impl AuditDesk {
    pub(super) fn new(inbox: Arc<AuditorInbox>, system: SystemBus) -> Self {
        Self { inbox, system }
    }

    /// Asks for a report, as the operator. None when the auditor does not answer within 3 s, or is asked too much.
    pub async fn report(&self, include_window: bool) -> Option<AuditReport> {
        let query = AuditQuery { include_window };
        if let Err(error) = self.system.publish(Role::Operator, Role::Auditor, query.into()) {
            tracing::warn!(%error, "a question to the auditor is not on record");
        }
        self.ask(|answer| AuditQuestion::Report { include_window, answer }).await
    }

    /// The last line of the log that can be read from the disk now. None when the auditor does not answer within 3 s.
    pub async fn head(&self) -> Option<AuditHead> {
        self.ask(|answer| AuditQuestion::Head { answer }).await
    }

    /// What was found: what is open, and what was acknowledged last. None when the auditor does not answer within 3 s.
    pub async fn findings(&self) -> Option<FindingShelf> {
        self.ask(|answer| AuditQuestion::Findings { answer }).await
    }

    /// Says that the operator has seen these findings. It is on the disk when this returns; the auditor hears of it before
    /// it answers the next question.
    ///
    /// # Errors
    /// When it cannot be journaled.
    pub async fn acknowledge(&self, findings: Vec<FindingId>) -> Result<(), JournalError> {
        let system = self.system.clone();
        let wish = FindingAck { findings }.into();
        let journaled = move || system.publish_synced(Role::Operator, Role::Auditor, vec![wish]).map(drop);
        match tokio::task::spawn_blocking(journaled).await {
            Ok(outcome) => outcome,
            Err(broken) => std::panic::resume_unwind(broken.into_panic()),
        }
    }

    /// The last reports, newest first, with the sequence of each in the system journal; at most `limit` of those before
    /// `before`. It reads the journal, and belongs on a thread that may wait.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn reports(&self, before: Option<u64>, limit: usize) -> io::Result<Vec<(u64, AuditReport)>> {
        reports::read(self.system.path(), before, limit)
    }

    /// Whether the auditor has read this task's journal to its end.
    pub fn has_read(&self, task_id: TaskId) -> bool {
        AuditProgress::new(Arc::clone(&self.inbox)).has_read(task_id)
    }

    /// What the auditor says of its own log. Never waits.
    pub fn standing(&self) -> AuditStanding {
        self.inbox.standing()
    }

    async fn ask<T>(&self, question: impl FnOnce(oneshot::Sender<T>) -> AuditQuestion) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        if !self.inbox.ask(question(sender)) {
            return None;
        }
        tokio::time::timeout(ANSWER_TIMEOUT, receiver).await.ok()?.ok()
    }
}
