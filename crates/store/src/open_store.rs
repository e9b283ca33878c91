//! What reader, writer and maintenance hold together.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use artoo_memory::clock::HighWater;
use artoo_memory::hypothesis::{is_hypothesis, is_transferable};
use artoo_memory::key::{self, Key};
use artoo_memory::known::{INTENTS, KnownRequests, MAX_REQUESTS};
use artoo_memory::record::ClusterRecord;
use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::disk::{Batch, Disk, Family};
use crate::error::StoreError;
use crate::disk::view::decode_time;
use crate::wishes::MAX_SEPARATIONS;

/// The name of the key with the latest effective time.
const CLOCK_KEY: &str = "clock";

/// The open store.
pub(crate) struct Shared {
    /// The database.
    pub(crate) disk: Disk,
    /// Memories that were refused at the door since the store was opened.
    pub(crate) rejected: AtomicU64,
    /// Memories that were stored since the store was opened.
    pub(crate) written: AtomicU64,
    high_water: AtomicI64,
    writing: Mutex<()>,
    /// Rules that were read and not yet marked so on the disk. At most one entry for each rule that exists.
    recalled: Mutex<BTreeMap<Uuid, Timestamp>>,
    /// The requests that the memories of intents name; none until somebody asks, and after something was deleted.
    known: Mutex<Option<KnownRequests>>,
}

/// Most memories that are read to find the requests they name: below a second, once after each start.
const MAX_READ: usize = 4 * MAX_REQUESTS;

/// Proof that nobody else is changing the store: accumulators are read, changed and written back.
pub(crate) struct Exclusive<'a> {
    _guard: MutexGuard<'a, ()>,
}

impl Shared {
    /// Takes an open database.
    pub(crate) fn new(disk: Disk) -> Result<Self, StoreError> {
        let key = Key::Meta(CLOCK_KEY.to_owned());
        let clock = match disk.view().value(&key)? {
            None => 0,
            Some(value) => decode_time(&key, &value)?.0,
        };
        Ok(Self {
            disk,
            rejected: AtomicU64::new(0),
            written: AtomicU64::new(0),
            high_water: AtomicI64::new(clock),
            writing: Mutex::new(()),
            recalled: Mutex::new(BTreeMap::new()),
            known: Mutex::new(None),
        })
    }

    /// Waits until nobody else changes the store.
    pub(crate) fn exclusive(&self) -> Exclusive<'_> {
        // The lock guards no value, and batches are atomic: a panic of its holder leaves nothing half done.
        Exclusive { _guard: self.writing.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// The latest time at which anything was written.
    pub(crate) fn high_water(&self) -> HighWater {
        HighWater(Timestamp(self.high_water.load(Ordering::Acquire)))
    }

    /// The effective time for a reading of the wall clock.
    pub(crate) fn effective(&self, wall: Timestamp) -> Timestamp {
        self.high_water().effective(wall)
    }

    /// Commits `batch` together with the effective time `now` and the recalls that wait.
    pub(crate) fn commit(
        &self,
        mut batch: Batch<'_>,
        now: Timestamp,
        sync: bool,
        _: &Exclusive<'_>,
    ) -> Result<(), StoreError> {
        for (id, at) in self.take_recalled() {
            // A rule that is gone by now must not get its recall time back.
            if self.disk.view().has(&Key::Megram(id))? {
                batch.put(&Key::Recalled(id), rfc3339(at).as_bytes());
            }
        }
        batch.put(&Key::Meta(CLOCK_KEY.to_owned()), &now.0.to_be_bytes());
        batch.commit(sync)?;
        self.high_water.fetch_max(now.0, Ordering::AcqRel);
        Ok(())
    }

    /// Looks into the requests that the memories name, reading them first where that was not done yet.
    pub(crate) fn known<T>(&self, look: impl FnOnce(&KnownRequests) -> T) -> Result<T, StoreError> {
        let mut guard = self.lock_known();
        if let Some(known) = guard.as_ref() {
            return Ok(look(known));
        }
        let mut known = KnownRequests::default();
        let view = self.disk.view();
        for entry in view.scan(Family::Derived, &key::tagged_space(INTENTS), None).take(MAX_READ) {
            let megram = view.indexed(&entry?.0)?;
            known.insert(&megram.tag, &megram.about);
        }
        for entry in view.scan(Family::Truth, key::SEPARATIONS, None).take(MAX_SEPARATIONS) {
            if let Key::Separated(pair) = entry?.0 {
                known.separate(pair);
            }
        }
        Ok(look(guard.insert(known)))
    }

    /// Something was deleted: what it named must not be shown any more.
    pub(crate) fn forget_known(&self) {
        *self.lock_known() = None;
    }

    /// The memories of a tag change: these requests came, and with `gone` others may have gone.
    pub(crate) fn name_known<'t>(&self, tag: &Tag, requests: impl Iterator<Item = &'t str>, gone: bool) {
        let mut guard = self.lock_known();
        if gone {
            *guard = None;
        } else if let Some(known) = guard.as_mut() {
            requests.for_each(|request| known.insert(tag, request));
        }
    }

    fn lock_known(&self) -> MutexGuard<'_, Option<KnownRequests>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hypotheses that a rule made and nobody tried. Only the clusters of requests that have hypotheses are read.
    pub(crate) fn stemming_from(&self, rule: &Megram) -> Result<Vec<Megram>, StoreError> {
        let mut found = Vec::new();
        if !is_transferable(rule) {
            return Ok(found);
        }
        let view = self.disk.view();
        for entry in view.scan(Family::Derived, &key::clusters_of_space(INTENTS), None) {
            let (key, value) = entry?;
            let Key::Cluster(tag) = &key else { continue };
            let record = ClusterRecord::decode(&value).map_err(StoreError::damaged(&key.encode()))?;
            if record.proposed.is_empty() {
                continue;
            }
            for megram in view.evidence(tag) {
                let megram = megram?;
                if is_hypothesis(&megram) && megram.parents.contains(&rule.id) {
                    found.push(megram);
                }
            }
        }
        Ok(found)
    }

    /// Notes that a rule was read; it reaches the disk with the next change.
    pub(crate) fn note_recalled(&self, id: Uuid, at: Timestamp) {
        self.recalled.lock().unwrap_or_else(PoisonError::into_inner).insert(id, at);
    }

    /// When a rule was last read, if the disk does not know it yet.
    pub(crate) fn pending_recall(&self, id: Uuid) -> Option<Timestamp> {
        self.recalled.lock().unwrap_or_else(PoisonError::into_inner).get(&id).copied()
    }

    /// Whether recalls wait for the disk.
    pub(crate) fn has_recalled(&self) -> bool {
        !self.recalled.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn take_recalled(&self) -> BTreeMap<Uuid, Timestamp> {
        std::mem::take(&mut *self.recalled.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The time in the form of RFC 3339. Times beyond the year 9999 become the last that it can write.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_millisecond(at.0);
    time.unwrap_or(if at.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX }).to_string()
}
