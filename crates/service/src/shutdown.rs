//! The word that the daemon goes down.

use tokio::sync::watch;

/// How far the daemon is on its way. It never goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServingPhase {
    /// It answers everything.
    Serving,
    /// It takes no new tasks and says that it is not serving; what runs may end, and can be watched.
    Draining,
    /// It ends: open streams are told so.
    Stopped,
}

/// Tells when the daemon goes down. A teller that is gone counts as a stop.
#[derive(Debug, Clone)]
pub(super) struct ShutdownSignal(pub(super) watch::Receiver<ServingPhase>);

impl ShutdownSignal {
    /// Returns when the daemon takes no new tasks any more, or has ended.
    pub(super) async fn draining(&mut self) {
        let _ = self.0.wait_for(|phase| *phase >= ServingPhase::Draining).await;
    }

    /// Returns when the daemon ends. Waiting again returns at once.
    pub(super) async fn wait(&mut self) {
        let _ = self.0.wait_for(|phase| *phase >= ServingPhase::Stopped).await;
    }

    /// Whether it ends already.
    pub(super) fn is_set(&self) -> bool {
        *self.0.borrow() == ServingPhase::Stopped || self.0.has_changed().is_err()
    }
}
