//! Where the operator asks for changes of the memory: first the journal, then the memory's thread, then the answer.

use std::sync::Arc;

use artoo_journal::JournalError;
use artoo_types::Message;
use artoo_types::envelope::Role;
use parking_lot::Mutex;

use super::MemoryInbox;
use super::wish::{Wish, WishOutcome};
use crate::system::SystemBus;

/// Takes the operator's wishes. Cheap to clone; who holds it can have the memory changed, so it goes to the operator's
/// service alone, and to whoever takes the operator's own words in.
#[derive(Clone)]
pub struct OperatorDesk {
    system: SystemBus,
    inbox: MemoryInbox,
    /// Wishes reach the memory's thread in the order in which they stand in the journal.
    order: Arc<Mutex<()>>,
}

/// Why a wish was not granted.
#[derive(Debug, thiserror::Error)]
pub enum WishError {
    /// It could not be journaled, so it is not a wish.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// It stands in the journal, and the memory could not be changed yet.
    #[error("{0}. The wish is kept, and carried out when the memory can be used again")]
    Later(String),
    /// The memory would not take it.
    #[error("{0}")]
    Refused(String),
}

impl OperatorDesk {
    pub(super) fn new(system: SystemBus, inbox: MemoryInbox) -> Self {
        Self { system, inbox, order: Arc::default() }
    }

    /// Has these wishes carried out, in this order: each is on the disk before the memory hears of it, so it is carried
    /// out also when the daemon dies in between. Messages that wish nothing are journaled with them. Answers when all is
    /// done, one answer for each wish.
    ///
    /// # Errors
    /// The first wish that was not granted; those after it were tried all the same.
    pub async fn ask(&self, wishes: Vec<Message>) -> Result<Vec<WishOutcome>, WishError> {
        let desk = self.clone();
        let journaled = tokio::task::spawn_blocking(move || {
            let _in_order = desk.order.lock();
            let envelopes = desk.system.publish_synced(Role::Operator, Role::Memory, wishes)?;
            let wishes =
                envelopes.iter().filter_map(|envelope| Some((envelope.sequence, Wish::of(envelope)?)));
            Ok::<_, JournalError>(desk.inbox.grant(wishes.collect()))
        });
        let gone = |_| WishError::Later("the memory does not answer".to_owned());
        let answers = journaled.await.map_err(|_| gone(()))??;
        let answers = answers.await.map_err(|_| gone(()))?;
        answers.into_iter().collect()
    }
}
