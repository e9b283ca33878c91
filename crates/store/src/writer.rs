//! The one writer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use artoo_memory::admission::{Author, admit, must_sync};
use artoo_memory::key::{self, Key};
use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::edit::Edit;
use crate::erase::erase_next;
use crate::error::StoreError;
use crate::open_store::Shared;

/// Why an id stays away, in its tombstone.
pub(crate) const FORGOTTEN: &str = "forgotten";

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is stored.
    Stored,
    /// It was stored before; nothing changed.
    Known,
    /// The operator forgot it, it was a rule that fell, or a hypothesis that was tried; it stays away.
    Buried,
}

/// What was forgotten, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// Its tag.
    pub tag: Tag,
    /// How many memories were deleted.
    pub count: u64,
}

/// Writes experience and carries out the operator's wishes. There is one for each open store, and it cannot be cloned:
/// who holds it has the authority to write.
pub struct MemoryWriter {
    pub(crate) shared: Arc<Shared>,
}

impl MemoryWriter {
    /// The only writer of this store; made by [`crate::open`].
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Stores experience from the controller: the record, its indexes, accumulators and expiry in one batch. Writing
    /// the same id again changes nothing. It survives a killed process, and a power cut after [`MemoryWriter::flush`].
    /// A hypothesis that it names among its parents is settled: it goes in the same batch, and stays away.
    ///
    /// # Errors
    /// When the memory breaks a rule of [`artoo_memory::admission`] (counted in the statistics), or the database fails.
    pub fn write(&mut self, now: Timestamp, megram: &Megram) -> Result<Written, StoreError> {
        self.store(now, megram, Author::Controller)
    }

    /// Stores what the operator wants remembered, rules and laws included, and when it was last recalled, if the memory
    /// says so. Otherwise like [`MemoryWriter::write`].
    ///
    /// # Errors
    /// As [`MemoryWriter::write`].
    pub fn remember(&mut self, now: Timestamp, megram: &Megram) -> Result<Written, StoreError> {
        let written = self.store(now, megram, Author::Operator)?;
        if written == Written::Stored {
            self.keep_recall(megram, now);
        }
        Ok(written)
    }

    /// Deletes one memory from the files themselves and from every copy of the memory, and keeps it away for good: the same id is not stored again.
    /// `None` when there is no such memory (it then stays away too). On the disk when this returns.
    ///
    /// # Errors
    /// When the database fails.
    pub fn forget(&mut self, now: Timestamp, id: Uuid) -> Result<Option<Forgotten>, StoreError> {
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let mut edit = Edit::new(&self.shared, now, &exclusive);
        let megram = self.shared.disk.view().megram(id)?;
        match &megram {
            None => edit.bury(id, FORGOTTEN),
            Some(megram) => {
                edit.remove(megram, Some(FORGOTTEN));
                for hypothesis in self.shared.stemming_from(megram)? {
                    edit.remove(&hypothesis, Some(FORGOTTEN));
                }
            }
        }
        let mut batch = edit.finish()?;
        if megram.is_some() {
            erase_next(&mut batch);
        }
        self.shared.commit(batch, now, true, &exclusive)?;
        let Some(megram) = megram else { return Ok(None) };
        self.shared.erase(&exclusive)?;
        Ok(Some(Forgotten { tag: megram.tag, count: 1 }))
    }

    /// Deletes everything under one tag, rules included, as [`MemoryWriter::forget`] does for one memory.
    ///
    /// # Errors
    /// When the database fails.
    pub fn forget_tag(&mut self, now: Timestamp, tag: &Tag) -> Result<Forgotten, StoreError> {
        if key::check_tag(tag).is_err() {
            return Ok(Forgotten { tag: tag.clone(), count: 0 });
        }
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let mut count = self.shared.sweep(tag, now, true, &exclusive)?;
        let rules: Vec<Megram> = self.shared.disk.view().rules(tag).collect::<Result<_, _>>()?;
        let mut edit = Edit::new(&self.shared, now, &exclusive);
        for rule in &rules {
            edit.remove(rule, Some(FORGOTTEN));
            for hypothesis in self.shared.stemming_from(rule)? {
                edit.remove(&hypothesis, Some(FORGOTTEN));
            }
        }
        let mut batch = edit.finish()?;
        if !rules.is_empty() {
            erase_next(&mut batch);
        }
        self.shared.commit(batch, now, true, &exclusive)?;
        self.shared.forget_known();
        count += rules.len() as u64;
        self.shared.erase(&exclusive)?;
        Ok(Forgotten { tag: tag.clone(), count })
    }

    /// Puts everything that was written on the disk, with the times at which rules were read.
    ///
    /// # Errors
    /// When the database fails.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        if self.shared.has_recalled() {
            let exclusive = self.shared.exclusive();
            let now = self.shared.high_water().0;
            self.shared.commit(self.shared.disk.batch(), now, false, &exclusive)?;
        }
        self.shared.disk.sync()
    }

    fn store(&mut self, now: Timestamp, megram: &Megram, author: Author) -> Result<Written, StoreError> {
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let admitted = admit(megram, author, now).inspect_err(|_| {
            self.shared.rejected.fetch_add(1, Ordering::Relaxed);
        })?;
        let view = self.shared.disk.view();
        if view.has(&Key::Tombstone(megram.id))? {
            return Ok(Written::Buried);
        }
        if view.has(&Key::Megram(megram.id))? {
            return Ok(Written::Known);
        }
        let mut edit = Edit::new(&self.shared, now, &exclusive);
        edit.add(&admitted)?;
        self.shared.commit(edit.finish()?, now, must_sync(&admitted), &exclusive)?;
        self.shared.written.fetch_add(1, Ordering::Relaxed);
        Ok(Written::Stored)
    }
}
