//! When rules and knowledge were last read, until the next change takes it to the disk.

use std::collections::BTreeMap;

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::tag::Tag;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::disk::Disk;
use crate::error::StoreError;

/// How far the clock of knowledge is moved at least: within an hour the slowest half-life of 14 days fades by 0.2 %, and a
/// tag that is read all the time is summed anew once an hour.
const LEAST_MOVE_MS: u64 = 3_600_000;

/// Knowledge that was read, by tag: its sums change with it.
pub(crate) type RecalledKnowledge = BTreeMap<Tag, BTreeMap<Uuid, Timestamp>>;

/// Memories that were read and not yet marked so on the disk. At most one entry for each that exists.
#[derive(Default)]
pub(crate) struct PendingRecalls {
    rules: Mutex<BTreeMap<Uuid, Timestamp>>,
    knowledge: Mutex<RecalledKnowledge>,
}

impl PendingRecalls {
    /// Notes that a rule was read.
    pub(crate) fn note(&self, id: Uuid, at: Timestamp) {
        self.rules.lock().insert(id, at);
    }

    /// Notes that a memory was told to a planner; `megram` holds when that was last so. It matters for knowledge alone: an
    /// event fades from the time at which it happened.
    pub(crate) fn note_told(&self, megram: &Megram, at: Timestamp) {
        match megram.level {
            Level::K => {}
            Level::M | Level::C | Level::T => return,
        }
        let clock = megram.last_recalled_at.unwrap_or_default().max(megram.created_at);
        if at.since_ms(clock) >= LEAST_MOVE_MS {
            self.knowledge.lock().entry(megram.tag.clone()).or_default().insert(megram.id, at);
        }
    }

    /// Whether nothing waits for the disk.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.lock().is_empty() && self.knowledge.lock().is_empty()
    }

    /// The rules that wait, to be written now.
    pub(crate) fn take_rules(&self) -> BTreeMap<Uuid, Timestamp> {
        std::mem::take(&mut *self.rules.lock())
    }

    /// The knowledge that waits, to be written and summed now.
    pub(crate) fn take_knowledge(&self) -> RecalledKnowledge {
        std::mem::take(&mut *self.knowledge.lock())
    }

    /// Fills in when a memory was last recalled.
    pub(crate) fn fill(&self, disk: &Disk, megram: Megram) -> Result<Megram, StoreError> {
        let told = self.knowledge.lock().get(&megram.tag).and_then(|ids| ids.get(&megram.id)).copied();
        let pending = self.rules.lock().get(&megram.id).copied().max(told);
        let stored = disk.view().recalled(megram.id)?;
        Ok(Megram { last_recalled_at: pending.max(stored), ..megram })
    }
}
