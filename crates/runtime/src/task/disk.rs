//! Waiting for the disk. It takes a thread, so only so many tasks do it at a time: a hundred that end together would else
//! make a hundred threads, each with memory of its own, to wait in the same queue.

use std::sync::Arc;

use artoo_journal::{JournalError, TaskJournal};
use tokio::sync::Semaphore;

/// Waits at a time. A disk takes a few syncs at once for the price of one (see `artoo_journal::sync_new`).
const AT_ONCE: usize = 4;

/// The disk as tasks see it. Cheap to clone; all clones share the turns.
#[derive(Debug, Clone)]
pub struct Disk {
    turns: Arc<Semaphore>,
    syncs: bool,
}

impl Disk {
    /// A disk that syncs what the durability rules name. `syncs` is false in benchmarks alone.
    pub fn new(syncs: bool) -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), syncs }
    }

    /// Whether syncs are made at all.
    pub(super) fn syncs(&self) -> bool {
        self.syncs
    }

    /// Returns when every step of the journal is on the disk; see [`TaskJournal::sync`].
    pub(super) async fn sync(&self, journal: &mut TaskJournal) -> Result<(), JournalError> {
        if self.syncs { self.wait_for(|| journal.sync()).await } else { Ok(()) }
    }

    /// Does work that waits for the disk; other tasks go on meanwhile. Once begun, it cannot be given up half way.
    pub(super) async fn wait_for<T>(&self, work: impl FnOnce() -> T) -> T {
        if !self.syncs {
            return work();
        }
        // Nobody closes the turns, and without one the work would have to be done all the same.
        let _turn = self.turns.acquire().await;
        tokio::task::block_in_place(work)
    }
}
