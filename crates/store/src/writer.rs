//! The one writer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use artoo_memory::admission::{Author, admit, must_sync};
use artoo_memory::key::Key;
use artoo_types::Timestamp;
use artoo_types::memory::Megram;

use crate::edit::Edit;
use crate::error::StoreError;
use crate::open_store::OpenStore;

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It is stored.
    Stored,
    /// It was stored before; nothing changed.
    Known,
    /// The operator forgot it, it was a rule that fell, or a hypothesis that was tried; it stays away.
    Buried,
}

/// Writes experience and carries out the operator's wishes. There is one for each open store, and it cannot be cloned:
/// who holds it has the authority to write.
pub struct MemoryWriter {
    pub(crate) store: Arc<OpenStore>,
}

impl MemoryWriter {
    /// The only writer of this store; made by [`crate::open`].
    pub(crate) fn new(store: Arc<OpenStore>) -> Self {
        Self { store }
    }

    /// Stores experience from the controller: the record, its indexes, accumulators and expiry in one batch. Writing
    /// the same id again changes nothing. It survives a killed process, and a power cut after [`MemoryWriter::flush`].
    /// A hypothesis that it names among its parents is settled: it goes in the same batch, and stays away.
    ///
    /// # Errors
    /// When the memory breaks a rule of [`artoo_memory::admission`] (counted in the statistics), or the database fails.
    pub fn write(&mut self, now: Timestamp, megram: &Megram) -> Result<WriteOutcome, StoreError> {
        self.store(now, megram, Author::Controller)
    }

    /// Stores what the operator wants remembered, rules and laws included, and when it was last recalled, if the memory
    /// says so. Otherwise like [`MemoryWriter::write`].
    ///
    /// # Errors
    /// As [`MemoryWriter::write`].
    pub fn remember(&mut self, now: Timestamp, megram: &Megram) -> Result<WriteOutcome, StoreError> {
        let written = self.store(now, megram, Author::Operator)?;
        if written == WriteOutcome::Stored
            && let Some(at) = megram.last_recalled_at
        {
            self.store.recalls.note(megram.id, at.min(now));
        }
        Ok(written)
    }

    /// Puts everything that was written on the disk, with the times at which rules were read.
    ///
    /// # Errors
    /// When the database fails.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        if !self.store.recalls.is_empty() {
            let lock = self.store.lock();
            let now = self.store.high_water().0;
            self.store.commit(self.store.disk.batch(), now, false, &lock)?;
        }
        self.store.disk.sync()
    }

    fn store(&mut self, now: Timestamp, megram: &Megram, author: Author) -> Result<WriteOutcome, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let admitted = admit(megram, author, now).inspect_err(|_| {
            self.store.rejected.fetch_add(1, Ordering::Relaxed);
        })?;
        let view = self.store.disk.view();
        if view.has(&Key::Tombstone(megram.id))? {
            return Ok(WriteOutcome::Buried);
        }
        if view.has(&Key::Megram(megram.id))? {
            return Ok(WriteOutcome::Known);
        }
        let mut edit = Edit::new(&self.store, now, &lock);
        edit.add(&admitted)?;
        self.store.commit(edit.finish()?, now, must_sync(&admitted), &lock)?;
        self.store.written.fetch_add(1, Ordering::Relaxed);
        Ok(WriteOutcome::Stored)
    }
}
