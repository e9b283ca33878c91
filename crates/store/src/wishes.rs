//! What the operator wants of the memory besides writing things down: forgetting many at once, keeping two requests
//! apart, and the mark of how far such wishes were carried out.

use std::collections::BTreeSet;

use artoo_memory::key::{self, Key};
use artoo_memory::known::pair;
use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::disk::Family;
use crate::edit::Edit;
use crate::erase::erase_next;
use crate::error::StoreError;
use crate::reader::MemoryReader;
use crate::open_store::{Exclusive, rfc3339};
use crate::writer::{FORGOTTEN, MemoryWriter};

/// The name of the key that says which wish of the operator was carried out last.
const WISHES_KEY: &str = "wishes";

/// Memories that are deleted in one batch; see the bound of a sweep.
const CHUNK: usize = 500;

/// Most pairs of requests that are kept apart. A person does it one by one; each costs one lookup at the start.
pub const MAX_SEPARATIONS: usize = 10_000;

/// Two requests that the operator keeps apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separation {
    /// The requests, as the operator wrote them.
    pub requests: [String; 2],
    /// When, in the form of RFC 3339.
    pub at: String,
}

impl MemoryWriter {
    /// Deletes these memories from the files themselves, and keeps their ids away for good, also those of which there is
    /// none (any more). Returns how many were deleted. On the disk when this returns.
    ///
    /// # Errors
    /// When the database fails; what was deleted until then stays deleted, and the rest can be asked for again.
    pub fn forget_all(&mut self, now: Timestamp, ids: &[Uuid]) -> Result<u64, StoreError> {
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let mut count = 0;
        for chunk in ids.chunks(CHUNK) {
            count += self.forget_chunk(now, chunk, &exclusive)?;
        }
        self.shared.forget_known();
        if count > 0 {
            self.shared.erase(&exclusive)?;
        }
        Ok(count)
    }

    /// One batch, as of one memory, with the hypotheses that stem from a rule among them.
    fn forget_chunk(
        &self,
        now: Timestamp,
        ids: &[Uuid],
        exclusive: &Exclusive<'_>,
    ) -> Result<u64, StoreError> {
        let mut edit = Edit::new(&self.shared, now, exclusive);
        let mut deleted = BTreeSet::new();
        for id in ids {
            match self.shared.disk.view().megram(*id)? {
                None => edit.bury(*id, FORGOTTEN),
                Some(megram) => {
                    edit.remove(&megram, Some(FORGOTTEN));
                    deleted.insert(*id);
                    for hypothesis in self.shared.stemming_from(&megram)? {
                        edit.remove(&hypothesis, Some(FORGOTTEN));
                    }
                }
            }
        }
        let mut batch = edit.finish()?;
        if !deleted.is_empty() {
            erase_next(&mut batch);
        }
        self.shared.commit(batch, now, true, exclusive)?;
        Ok(deleted.len() as u64)
    }

    /// Keeps two requests apart: from now on they are different tasks, whatever their words say. `false` when they were
    /// apart already, or [`MAX_SEPARATIONS`] are. On the disk when this returns.
    ///
    /// # Errors
    /// When the database fails.
    pub fn separate(&mut self, now: Timestamp, first: &str, second: &str) -> Result<bool, StoreError> {
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let key = Key::Separated(pair(first, second));
        let view = self.shared.disk.view();
        let so_far = view.raw_scan(Family::Truth, key::SEPARATIONS, None).take(MAX_SEPARATIONS).count();
        if view.has(&key)? || so_far == MAX_SEPARATIONS {
            return Ok(false);
        }
        let record = Separation { requests: [first.to_owned(), second.to_owned()], at: rfc3339(now) };
        let json = serde_json::to_vec(&record).map_err(StoreError::damaged(&key.encode()))?;
        let mut batch = self.shared.disk.batch();
        batch.put(&key, &json);
        self.shared.commit(batch, now, true, &exclusive)?;
        self.shared.forget_known();
        Ok(true)
    }

    /// Lets two requests relate by their words again. `false` when nobody had kept them apart. On the disk when this
    /// returns.
    ///
    /// # Errors
    /// When the database fails.
    pub fn rejoin(&mut self, now: Timestamp, first: &str, second: &str) -> Result<bool, StoreError> {
        let exclusive = self.shared.exclusive();
        let now = self.shared.effective(now);
        let key = Key::Separated(pair(first, second));
        if !self.shared.disk.view().has(&key)? {
            return Ok(false);
        }
        let mut batch = self.shared.disk.batch();
        batch.delete(&key);
        self.shared.commit(batch, now, true, &exclusive)?;
        self.shared.forget_known();
        Ok(true)
    }

    /// The sequence of the last wish of the operator that was carried out; 0 before the first one.
    ///
    /// # Errors
    /// When the database fails.
    pub fn carried_out(&self) -> Result<u64, StoreError> {
        let key = Key::Meta(WISHES_KEY.to_owned());
        let Some(value) = self.shared.disk.view().value(&key)? else { return Ok(0) };
        let bytes = value.as_slice().try_into().map_err(StoreError::damaged(&key.encode()))?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// Notes that the wishes up to this sequence were carried out. Not synced: what it says too little is carried out
    /// again, which changes nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub fn set_carried_out(&mut self, sequence: u64) -> Result<(), StoreError> {
        let exclusive = self.shared.exclusive();
        let mut batch = self.shared.disk.batch();
        batch.put(&Key::Meta(WISHES_KEY.to_owned()), &sequence.to_be_bytes());
        self.shared.commit(batch, self.shared.high_water().0, false, &exclusive)
    }

    /// Keeps when a memory was recalled, for one that comes from a file.
    pub(crate) fn keep_recall(&self, megram: &Megram, now: Timestamp) {
        if let Some(at) = megram.last_recalled_at {
            self.shared.note_recalled(megram.id, at.min(now));
        }
    }
}

impl MemoryReader {
    /// The memories whose id begins with `start`, in its one spelling (lower case, with hyphens); at most `most`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn ids_starting(&self, start: &str, most: usize) -> Result<Vec<Uuid>, StoreError> {
        let view = self.shared.disk.view();
        let prefix = [key::MEGRAMS, start.as_bytes()].concat();
        let ids = view.scan(Family::Truth, &prefix, None).take(most).map(|entry| {
            let key = entry?.0;
            let Key::Megram(id) = key else {
                return Err(StoreError::damaged(&key.encode())("not the key of a memory"));
            };
            Ok(id)
        });
        ids.collect()
    }

    /// Whether the memory with this id was forgotten, or was a rule that fell: it is not stored again.
    ///
    /// # Errors
    /// When the database fails.
    pub fn is_buried(&self, id: Uuid) -> Result<bool, StoreError> {
        self.shared.disk.view().has(&Key::Tombstone(id))
    }

    /// Whether the operator keeps these two requests apart.
    ///
    /// # Errors
    /// When the database fails.
    pub fn are_separate(&self, first: &str, second: &str) -> Result<bool, StoreError> {
        self.shared.disk.view().has(&Key::Separated(pair(first, second)))
    }

    /// The requests that the operator keeps apart, at most `most` pairs of them.
    ///
    /// # Errors
    /// When the database fails.
    pub fn separations(&self, most: usize) -> Result<Vec<Separation>, StoreError> {
        let view = self.shared.disk.view();
        let found = view.scan(Family::Truth, key::SEPARATIONS, None).take(most).map(|entry| {
            let (key, value) = entry?;
            serde_json::from_slice(&value).map_err(StoreError::damaged(&key.encode()))
        });
        found.collect()
    }
}
