//! A way to stop running tools: one switch, many signals.

use tokio::sync::watch;

/// Stops every call that holds one of its signals. It cannot be switched back.
#[derive(Debug)]
pub struct StopSwitch(watch::Sender<bool>);

/// What a running call listens to.
#[derive(Debug, Clone)]
pub struct StopSignal(Option<watch::Receiver<bool>>);

impl StopSwitch {
    /// A switch and its first signal.
    pub fn new() -> (Self, StopSignal) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), StopSignal(Some(receiver)))
    }

    /// Stops.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// One more signal of this switch.
    pub fn signal(&self) -> StopSignal {
        StopSignal(Some(self.0.subscribe()))
    }
}

impl StopSignal {
    /// A signal that never comes.
    pub fn never() -> Self {
        Self(None)
    }

    /// Whether it has come.
    pub fn is_stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|r| *r.borrow())
    }

    /// Returns when it comes. When the switch is gone without having been used, it never comes.
    pub async fn stopped(&mut self) {
        if let Some(receiver) = &mut self.0
            && receiver.wait_for(|stopped| *stopped).await.is_ok()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}
