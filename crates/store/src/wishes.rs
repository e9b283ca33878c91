//! What the operator wants of the memory besides writing things down: forgetting many at once, keeping two requests
//! apart, and the mark of how far such wishes were carried out.

use std::collections::BTreeSet;

use artoo_memory::key::{self, Key};
use artoo_memory::known::pair;
use artoo_types::Timestamp;
use uuid::Uuid;

use crate::disk::Family;
use crate::edit::Edit;
use crate::erase::{erase, erase_next};
use crate::error::StoreError;
use crate::open_store::{WriteLock, rfc3339};
use crate::requests::{MAX_SEPARATIONS, Separation};
use crate::writer::MemoryWriter;

/// The name of the key that says which wish of the operator was carried out last.
const WISHES_KEY: &str = "wishes";

/// Why a forgotten id stays away, in its tombstone.
const FORGOTTEN: &str = "forgotten";

/// Memories that are deleted in one batch; see the bound of a sweep.
const BATCH_MEMORIES: usize = 500;

impl MemoryWriter {
    /// Deletes these memories from the files themselves and from every copy of the memory, and keeps their ids away for good,
    /// also those of which there is none (any more). Returns how many were deleted. On the disk when this returns.
    ///
    /// # Errors
    /// When the database fails; what was deleted until then stays deleted, and the rest can be asked for again.
    pub fn forget(&mut self, now: Timestamp, ids: &[Uuid]) -> Result<u64, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let mut count = 0;
        for chunk in ids.chunks(BATCH_MEMORIES) {
            count += self.forget_chunk(now, chunk, &lock)?;
        }
        self.store.requests.clear();
        if count > 0 {
            erase(&self.store, &lock)?;
        }
        Ok(count)
    }

    /// One batch, as of one memory, with the hypotheses that stem from a rule among them.
    fn forget_chunk(&self, now: Timestamp, ids: &[Uuid], lock: &WriteLock<'_>) -> Result<u64, StoreError> {
        let mut edit = Edit::new(&self.store, now, lock);
        let mut deleted = BTreeSet::new();
        for id in ids {
            match self.store.disk.view().megram(*id)? {
                None => edit.bury(*id, FORGOTTEN),
                Some(megram) => {
                    edit.remove_with_hypotheses(&megram, FORGOTTEN)?;
                    deleted.insert(*id);
                }
            }
        }
        let mut batch = edit.finish()?;
        if !deleted.is_empty() {
            erase_next(&mut batch);
        }
        self.store.commit(batch, now, true, lock)?;
        Ok(deleted.len() as u64)
    }

    /// Keeps two requests apart: from now on they are different tasks, whatever their words say. `false` when they were
    /// apart already, or [`MAX_SEPARATIONS`] are. On the disk when this returns.
    ///
    /// # Errors
    /// When the database fails.
    pub fn separate(&mut self, now: Timestamp, first: &str, second: &str) -> Result<bool, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let key = Key::Separated(pair(first, second));
        let view = self.store.disk.view();
        let so_far = view.raw_scan(Family::Truth, key::SEPARATIONS, None).take(MAX_SEPARATIONS).count();
        if view.has(&key)? || so_far == MAX_SEPARATIONS {
            return Ok(false);
        }
        let record = Separation { requests: [first.to_owned(), second.to_owned()], at: rfc3339(now) };
        let json = serde_json::to_vec(&record).map_err(StoreError::damaged(&key.encode()))?;
        let mut batch = self.store.disk.batch();
        batch.put(&key, &json);
        self.store.commit(batch, now, true, &lock)?;
        self.store.requests.clear();
        Ok(true)
    }

    /// Lets two requests relate by their words again. `false` when nobody had kept them apart. On the disk when this
    /// returns.
    ///
    /// # Errors
    /// When the database fails.
    pub fn rejoin(&mut self, now: Timestamp, first: &str, second: &str) -> Result<bool, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let key = Key::Separated(pair(first, second));
        if !self.store.disk.view().has(&key)? {
            return Ok(false);
        }
        let mut batch = self.store.disk.batch();
        batch.delete(&key);
        self.store.commit(batch, now, true, &lock)?;
        self.store.requests.clear();
        Ok(true)
    }

    /// The sequence of the last wish of the operator that was carried out; 0 before the first one.
    ///
    /// # Errors
    /// When the database fails.
    pub fn carried_out(&self) -> Result<u64, StoreError> {
        let key = Key::Meta(WISHES_KEY.to_owned());
        let Some(value) = self.store.disk.view().value(&key)? else { return Ok(0) };
        let bytes = value.as_slice().try_into().map_err(StoreError::damaged(&key.encode()))?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// Notes that the wishes up to this sequence were carried out. Not synced: what it says too little is carried out
    /// again, which changes nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub fn set_carried_out(&mut self, sequence: u64) -> Result<(), StoreError> {
        let lock = self.store.lock();
        let mut batch = self.store.disk.batch();
        batch.put(&Key::Meta(WISHES_KEY.to_owned()), &sequence.to_be_bytes());
        self.store.commit(batch, self.store.high_water().0, false, &lock)
    }
}
