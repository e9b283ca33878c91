//! The one writer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use artoo_memory::accumulator::{Cluster, Event};
use artoo_memory::admission::{Author, admit, must_sync};
use artoo_memory::encoding::ClusterRecord;
use artoo_memory::expiry::expires_at;
use artoo_memory::key::{self, Key};
use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::disk::Family;
use crate::error::StoreError;
use crate::shared::Shared;

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is stored.
    Stored,
    /// It was stored before; nothing changed.
    Known,
    /// The operator forgot it, or it was a rule that fell; it stays away.
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
    shared: Arc<Shared>,
}

impl MemoryWriter {
    /// The only writer of this store; made by [`crate::open`].
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Stores experience from the controller: the record, its indexes, accumulators and expiry in one batch. Writing
    /// the same id again changes nothing. How a task ended is on the disk when this returns; other experience survives
    /// a killed process, and a power cut after [`MemoryWriter::flush`].
    ///
    /// # Errors
    /// When the memory breaks a rule of [`artoo_memory::admission`] (counted in the statistics), or the database fails.
    pub fn write(&mut self, now: Timestamp, megram: &Megram) -> Result<Written, StoreError> {
        self.store(now, megram, Author::Controller)
    }

    /// Stores what the operator wants remembered, rules and laws included. Otherwise like [`MemoryWriter::write`].
    ///
    /// # Errors
    /// As [`MemoryWriter::write`].
    pub fn remember(&mut self, now: Timestamp, megram: &Megram) -> Result<Written, StoreError> {
        self.store(now, megram, Author::Operator)
    }

    /// Deletes one memory from the files themselves, and keeps it away for good: the same id is not stored again.
    /// `None` when there is no such memory (it then stays away too). On the disk when this returns.
    ///
    /// # Errors
    /// When the database fails.
    pub fn forget(&mut self, now: Timestamp, id: Uuid) -> Result<Option<Forgotten>, StoreError> {
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let view = self.shared.disk.view();
        let mut batch = self.shared.disk.batch();
        batch.put(&Key::Tombstone(id), tombstone("forgotten", now).as_bytes());
        let megram = view.megram(id)?;
        if let Some(megram) = &megram {
            batch.delete_megram(megram);
            if Event::of(megram).is_some() {
                let filed = view.cluster(&megram.tag)?.due;
                let cluster = self.without(&megram.tag, id)?;
                let due = expires_at(&cluster);
                batch.set_cluster(&megram.tag, &ClusterRecord { cluster, due }, filed);
            }
        }
        self.shared.commit(batch, now, true, &exclusive)?;
        self.shared.forget_known();
        let Some(megram) = megram else { return Ok(None) };
        self.erase()?;
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
        let mut batch = self.shared.disk.batch();
        for rule in &rules {
            batch.put(&Key::Tombstone(rule.id), tombstone("forgotten", now).as_bytes());
            batch.delete_megram(rule);
        }
        self.shared.commit(batch, now, true, &exclusive)?;
        self.shared.forget_known();
        count += rules.len() as u64;
        self.erase()?;
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
        let mut batch = self.shared.disk.batch();
        self.shared.add(&mut batch, &admitted, &exclusive)?;
        self.shared.commit(batch, now, must_sync(&admitted), &exclusive)?;
        Ok(Written::Stored)
    }

    /// The accumulators of a tag from its records, without one of them.
    fn without(&self, tag: &Tag, id: Uuid) -> Result<Cluster, StoreError> {
        let mut cluster = Cluster::default();
        for megram in self.shared.disk.view().evidence(tag) {
            let megram = megram?;
            if let Some(event) = Event::of(&megram).filter(|event| event.id != id) {
                cluster.add(&event);
            }
        }
        Ok(cluster)
    }

    /// Removes what was deleted from the files. Whole families: a forgotten text may lie in any of their files, and a
    /// memory of a hundred thousand records is compacted in about a second.
    fn erase(&self) -> Result<(), StoreError> {
        self.shared.disk.erase(Family::Truth, b"", &[0xFF])?;
        self.shared.disk.erase(Family::Derived, b"", &[0xFF])
    }
}

/// What stands in the place of a memory that must not come back: why and when, never what it said.
pub(crate) fn tombstone(why: &str, at: Timestamp) -> String {
    serde_json::json!({ "why": why, "at": crate::shared::rfc3339(at) }).to_string()
}
