//! Making every derived record again.

use artoo_memory::accumulator::{Cluster, Event};
use artoo_memory::encoding::ClusterRecord;
use artoo_memory::expiry::expires_at;
use artoo_memory::key::{self, Key};
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::error::StoreError;
use crate::opening::{DERIVED_KEY, derived_version};
use crate::shared::Shared;
use crate::view::{decode_megram, is_rule};

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
        let mut current: Option<(Tag, Cluster)> = None;
        for entry in view.scan(Family::Derived, key::TAGGED, None) {
            let megram = view.indexed(&entry?.0)?;
            if is_rule(&megram) {
                continue;
            }
            let Some(event) = Event::of(&megram) else { continue };
            match &mut current {
                Some((tag, cluster)) if *tag == megram.tag => cluster.add(&event),
                Some(_) | None => {
                    let finished = current.replace((megram.tag, [event].into_iter().collect()));
                    self.put_cluster(finished)?;
                }
            }
        }
        self.put_cluster(current)
    }

    fn put_cluster(&self, finished: Option<(Tag, Cluster)>) -> Result<(), StoreError> {
        let Some((tag, cluster)) = finished else { return Ok(()) };
        let mut batch = self.disk.batch();
        let due = expires_at(&cluster);
        batch.set_cluster(&tag, &ClusterRecord { cluster, due }, None);
        batch.commit(false)
    }
}
