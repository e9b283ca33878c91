//! Where the operator's service asks the auditor.

use std::sync::Arc;
use std::time::Duration;

use artoo_types::envelope::Role;
use artoo_types::operator::{AuditHead, AuditQuery, AuditReport};
use tokio::sync::oneshot;

use super::bell::{AuditQuestion, AuditStanding, AuditorInbox};
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
