//! The open memory, which reader, writer and maintenance share: the database, the clock that never runs back, the lock
//! of whoever changes something, and what is held in memory alone.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use artoo_memory::clock::HighWater;
use artoo_memory::key::Key;
use artoo_types::Timestamp;
use parking_lot::{Mutex, MutexGuard};

use crate::disk::view::decode_time;
use crate::disk::{Batch, Disk};
use crate::error::StoreError;
use crate::recalls::PendingRecalls;
use crate::requests::RequestCache;

/// The name of the key with the latest effective time.
const CLOCK_KEY: &str = "clock";

/// The open memory.
pub(crate) struct OpenStore {
    /// The database.
    pub(crate) disk: Disk,
    /// Memories that admission refused since the store was opened.
    pub(crate) rejected: AtomicU64,
    /// Memories that were stored since the store was opened.
    pub(crate) written: AtomicU64,
    /// Rules that were read and not yet marked so on the disk.
    pub(crate) recalls: PendingRecalls,
    /// The requests that the memories of intents name.
    pub(crate) requests: RequestCache,
    high_water: AtomicI64,
    writing: Mutex<()>,
}

/// Proof that nobody else is changing the store: accumulators are read, changed and written back.
pub(crate) struct WriteLock<'a> {
    _guard: MutexGuard<'a, ()>,
}

impl OpenStore {
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
            recalls: PendingRecalls::default(),
            requests: RequestCache::default(),
            high_water: AtomicI64::new(clock),
            writing: Mutex::new(()),
        })
    }

    /// Waits until nobody else changes the store.
    pub(crate) fn lock(&self) -> WriteLock<'_> {
        WriteLock { _guard: self.writing.lock() }
    }

    /// The latest time at which anything was written.
    pub(crate) fn high_water(&self) -> HighWater {
        HighWater(Timestamp(self.high_water.load(Ordering::Acquire)))
    }

    /// The effective time for a reading of the wall clock.
    pub(crate) fn effective(&self, wall: Timestamp) -> Timestamp {
        self.high_water().effective(wall)
    }

    /// Commits `batch` together with the effective time `now` and the pending recalls.
    pub(crate) fn commit(
        &self,
        mut batch: Batch<'_>,
        now: Timestamp,
        sync: bool,
        _: &WriteLock<'_>,
    ) -> Result<(), StoreError> {
        for (id, at) in self.recalls.take_rules() {
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
}

/// The time in the form of RFC 3339. Times beyond the year 9999 become the last that it can write.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_millisecond(at.0);
    time.unwrap_or(if at.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX }).to_string()
}
