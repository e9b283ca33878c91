//! The word that the daemon goes down.

use tokio::sync::watch;

/// Tells when the daemon goes down. A stopper that is gone counts as a stop.
#[derive(Debug, Clone)]
pub(super) struct Stop(pub(super) watch::Receiver<bool>);

impl Stop {
    /// Returns when the daemon goes down. Waiting again returns at once.
    pub(super) async fn wait(&mut self) {
        let _ = self.0.wait_for(|stop| *stop).await;
    }

    /// Whether it goes down already.
    pub(super) fn is_set(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}
