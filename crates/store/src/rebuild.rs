//! Making every derived record again.

use artoo_memory::key::{self, Key};
use artoo_memory::record::{ClusterRecord, Filed};
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::error::StoreError;
use crate::opening::{DERIVED_KEY, derived_version};
use crate::open_store::Shared;
use crate::disk::view::{decode_megram, is_rule};

/// Memories indexed in one batch: four keys of at most 1.1 KB each stay below 4 MB.
const CHUNK: usize = 800;

impl Shared {
    /// Drops and rebuilds the derived records. The mark of completeness goes first and comes back last, so that opening
    /// repeats a rebuild that was interrupted.
    pub(crate) fn rebuild(&self) -> Result<(), StoreError> {
        let exclusive = self.exclusive();
        let mark = Key::Meta(DERIVED_KEY.to_owned());
        let mut batch = self.disk.batch();
        batch.delete(&mark);
        batch.delete_derived();
        batch.commit(true)?;
        self.rebuild_indexes()?;
        self.rebuild_clusters()?;
        let mut batch = self.disk.batch();
        batch.put(&mark, derived_version().as_bytes());
        batch.commit(true)?;
        drop(exclusive);
        Ok(())
    }

    fn rebuild_indexes(&self) -> Result<(), StoreError> {
        let mut batch = self.disk.batch();
        for (number, entry) in self.disk.frozen().scan(Family::Truth, key::MEGRAMS, None).enumerate() {
            let (key, value) = entry?;
            batch.index(&decode_megram(&key.encode(), &value)?);
            if number % CHUNK == CHUNK - 1 {
                std::mem::replace(&mut batch, self.disk.batch()).commit(false)?;
            }
        }
        batch.commit(false)
    }

    /// The index is sorted by tag, so each cluster comes in one piece.
    fn rebuild_clusters(&self) -> Result<(), StoreError> {
        let view = self.disk.frozen();
        let mut current: Option<(Tag, ClusterRecord)> = None;
        for entry in view.scan(Family::Derived, key::TAGGED, None) {
            let megram = view.indexed(&entry?.0)?;
            if is_rule(&megram) {
                continue;
            }
            match &mut current {
                Some((tag, record)) if *tag == megram.tag => record.take(&megram),
                Some(_) | None => {
                    let rules: Vec<Megram> = view.rules(&megram.tag).collect::<Result<_, _>>()?;
                    let mut record = ClusterRecord::born(view.since(&megram.tag)?, &rules);
                    record.take(&megram);
                    self.put_cluster(current.replace((megram.tag, record)))?;
                }
            }
        }
        self.put_cluster(current)?;
        self.drop_stray_marks()
    }

    fn put_cluster(&self, finished: Option<(Tag, ClusterRecord)>) -> Result<(), StoreError> {
        let Some((tag, mut record)) = finished else { return Ok(()) };
        record.file(self.high_water().0);
        let mut batch = self.disk.batch();
        batch.set_cluster(&tag, &record, Filed::default());
        batch.commit(false)
    }

    /// A mark says since when evidence counts; where there is no evidence, it says nothing.
    fn drop_stray_marks(&self) -> Result<(), StoreError> {
        let view = self.disk.frozen();
        let mut batch = self.disk.batch();
        for entry in view.scan(Family::Truth, key::SINCE, None) {
            let Key::Since(tag) = entry?.0 else { continue };
            if !view.has(&Key::Cluster(tag.clone()))? {
                batch.delete(&Key::Since(tag));
            }
        }
        batch.commit(false)
    }
}
