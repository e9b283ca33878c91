//! Whose turn it is: a program in a box may change anything in its project, so nothing else of its task changes anything
//! meanwhile. Otherwise nobody could tell afterwards which call did what, and an undo would find a stranger's hand in it.

use std::sync::Arc;

use artoo_command::stop::StopSignal;
use artoo_types::evidence::EffectClass;
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::tool::CallFacts;

/// The turns of one task.
#[derive(Debug, Clone, Default)]
pub(super) struct CallTurns(Arc<RwLock<()>>);

/// A turn, which ends when it is dropped.
#[derive(Debug)]
pub(super) enum CallTurn {
    /// Nothing else changes anything.
    Alone(#[allow(dead_code, reason = "it is held")] OwnedRwLockWriteGuard<()>),
    /// Others that say what they change do so too.
    Beside(#[allow(dead_code, reason = "it is held")] OwnedRwLockReadGuard<()>),
    /// It changes nothing.
    Any,
}

impl CallTurns {
    /// Waits until a call with these facts may begin. What it waits for ends within its own deadline, or by the same `stop`.
    pub(super) async fn wait(&self, facts: &CallFacts, mut stop: StopSignal) -> CallTurn {
        if facts.effect == EffectClass::Read {
            return CallTurn::Any;
        }
        let lock = Arc::clone(&self.0);
        let turn = async {
            if facts.project.is_some() {
                CallTurn::Alone(lock.write_owned().await)
            } else {
                CallTurn::Beside(lock.read_owned().await)
            }
        };
        tokio::select! {
            turn = turn => turn,
            // It is stopped before it does anything.
            () = stop.stopped() => CallTurn::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use artoo_command::stop::StopSignal;
    use artoo_trash::KeptProject;
    use artoo_types::evidence::EffectClass;
    use artoo_types::taint::Taint;

    use super::{CallTurn, CallTurns};
    use crate::tool::CallFacts;

    fn facts(effect: EffectClass, is_boxed: bool) -> CallFacts {
        let project = is_boxed.then(|| KeptProject { root: "/p".to_owned(), denied: Vec::new() });
        CallFacts { project, ..CallFacts::new("shell", "/p/a".to_owned(), effect, Taint::NONE) }
    }

    #[tokio::test]
    async fn a_boxed_call_changes_things_alone_and_reading_waits_for_nobody() {
        let turns = CallTurns::default();
        let (edit, boxed) = (facts(EffectClass::Overwrite, false), facts(EffectClass::Overwrite, true));
        let first = turns.wait(&edit, StopSignal::never()).await;
        let beside = turns.wait(&edit, StopSignal::never()).await;
        let mut waits = Box::pin(turns.wait(&boxed, StopSignal::never()));
        assert!(futures_poll(&mut waits).await.is_none(), "others change things");
        let read = turns.wait(&facts(EffectClass::Read, false), StopSignal::never()).await;
        assert!(matches!(read, CallTurn::Any));
        drop((first, beside));
        let alone = waits.await;
        assert!(matches!(alone, CallTurn::Alone(_)));
        let mut next = Box::pin(turns.wait(&edit, StopSignal::never()));
        assert!(futures_poll(&mut next).await.is_none(), "it is alone");
        drop(alone);
        assert!(matches!(next.await, CallTurn::Beside(_)));
    }

    /// What a future comes to if it is ready now.
    async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
