//! The one writer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use artoo_memory::admission::{Author, admit, must_sync};
use artoo_memory::key::Key;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};

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
            let at = at.min(now);
            match megram.level {
                Level::K => {
                    self.store.recalls.note_told(&Megram { last_recalled_at: None, ..megram.clone() }, at);
                }
                Level::M | Level::C | Level::T => self.store.recalls.note(megram.id, at),
            }
        }
        Ok(written)
    }

    /// Puts everything that was written on the disk, with the times at which rules and knowledge were read. The sums of
    /// knowledge that was read are made anew here, so that reading them stays one look.
    ///
    /// # Errors
    /// When the database fails.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        if !self.store.recalls.is_empty() {
            let lock = self.store.lock();
            let knowledge = self.store.recalls.take_knowledge();
            let latest = knowledge.values().flat_map(|ids| ids.values()).max().copied();
            let now = self.store.high_water().0.max(latest.unwrap_or_default());
            let mut edit = Edit::new(&self.store, now, &lock);
            for (tag, ids) in knowledge {
                edit.recalled(&tag, ids)?;
            }
            self.store.commit(edit.finish()?, now, false, &lock)?;
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
