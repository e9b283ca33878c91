//! The way from M to K: what several tasks of one folder share is written as knowledge of that folder.

use artoo_memory::key::{self, Key};
use artoo_memory::record::ClusterRecord;
use artoo_memory::sharing::{LEAST_TASKS, is_practice, shared, shared_id, support};
use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::tag::{FOLDERS, Tag};

use crate::disk::Family;
use crate::edit::Edit;
use crate::error::StoreError;
use crate::maintenance::{Maintenance, SharedKnowledge};

/// Most commands of folders that one look reads the sums of: those of some hundred folders. They fade within weeks.
const MAX_CLUSTERS_READ: usize = 1_024;

impl Maintenance {
    /// Looks at the commands of all folders. Where as many tasks bear one out as before, nothing is written.
    pub(crate) fn share(&mut self, now: Timestamp) -> Result<Vec<SharedKnowledge>, StoreError> {
        let mut written = Vec::new();
        let listed = self.store.disk.frozen();
        let prefix = key::clusters_of_space(FOLDERS);
        for entry in listed.scan(Family::Derived, &prefix, None).take(MAX_CLUSTERS_READ) {
            let (key, value) = entry?;
            let Key::Cluster(tag) = &key else { continue };
            if is_practice(tag) {
                let record = ClusterRecord::decode(&value).map_err(StoreError::damaged(&key.encode()))?;
                if record.all().count() >= LEAST_TASKS as u64 {
                    written.extend(self.share_one(now, tag)?);
                }
            }
        }
        Ok(written)
    }

    /// Writes what is shared about one command, in one batch: what was known of it gives way to what is known now.
    fn share_one(&self, now: Timestamp, practice: &Tag) -> Result<Option<SharedKnowledge>, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let view = self.store.disk.view();
        let id = shared_id(practice);
        let memories: Vec<Megram> = view.evidence(practice).collect::<Result<_, _>>()?;
        let (old, new) = (view.megram(id)?, shared(practice, &memories, now));
        let is_same = match (&old, &new) {
            (Some(old), Some(new)) => old.parents == new.parents,
            // Knowledge that is old keeps until it fades, unless something speaks against it.
            (Some(_), None) => !is_contradicted(&memories),
            (None, Some(_)) => view.has(&Key::Tombstone(id))?,
            (None, None) => true,
        };
        if is_same {
            return Ok(None);
        }
        let mut edit = Edit::new(&self.store, now, &lock);
        if let Some(old) = &old {
            edit.remove(old, None);
        }
        if let Some(new) = &new {
            edit.add(new)?;
        }
        self.store.commit(edit.finish()?, now, false, &lock)?;
        let tasks = new.as_ref().map_or(0, support);
        Ok(new.or(old).map(|megram| SharedKnowledge { tag: megram.tag, id, tasks }))
    }
}

/// Whether the newest of these memories speaks against the command.
fn is_contradicted(memories: &[Megram]) -> bool {
    memories.iter().max_by_key(|megram| (megram.created_at, megram.id)).is_some_and(|m| m.sigma < 0.0)
}
