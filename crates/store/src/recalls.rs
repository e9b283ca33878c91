//! When rules were last read, until the next change takes it to the disk.

use std::collections::BTreeMap;

use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::disk::Disk;
use crate::error::StoreError;

/// Rules that were read and not yet marked so on the disk. At most one entry for each rule that exists.
#[derive(Default)]
pub(crate) struct PendingRecalls {
    at: Mutex<BTreeMap<Uuid, Timestamp>>,
}

impl PendingRecalls {
    /// Notes that a rule was read.
    pub(crate) fn note(&self, id: Uuid, at: Timestamp) {
        self.at.lock().insert(id, at);
    }

    /// Whether nothing waits for the disk.
    pub(crate) fn is_empty(&self) -> bool {
        self.at.lock().is_empty()
    }

    /// Everything that waits, to be written now.
    pub(crate) fn take(&self) -> BTreeMap<Uuid, Timestamp> {
        std::mem::take(&mut *self.at.lock())
    }

    /// Fills in when a memory was last recalled.
    pub(crate) fn fill(&self, disk: &Disk, megram: Megram) -> Result<Megram, StoreError> {
        let pending = self.at.lock().get(&megram.id).copied();
        let stored = disk.view().recalled(megram.id)?;
        Ok(Megram { last_recalled_at: pending.max(stored), ..megram })
    }
}
