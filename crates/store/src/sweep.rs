//! Deleting the evidence of a whole cluster.

use artoo_memory::accumulator::{Cluster, Event};
use artoo_memory::encoding::ClusterRecord;
use artoo_memory::key::Key;
use artoo_types::Timestamp;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::error::StoreError;
use crate::shared::{Exclusive, Shared};
use crate::writer::tombstone;

/// Memories deleted in one batch. With six keys of at most 1.1 KB each, a batch stays below 4 MB, the size of all
/// write buffers.
const CHUNK: usize = 500;

impl Shared {
    /// Deletes every memory on levels M and K of a tag, with its accumulators, and returns how many there were. With
    /// `bury`, their ids stay away. Rules stay.
    ///
    /// A large cluster is deleted in several batches, from its last id to its first. Each batch also writes the
    /// accumulators of what is left, so that the store is consistent between any two of them.
    pub(crate) fn sweep(
        &self,
        tag: &Tag,
        now: Timestamp,
        bury: bool,
        exclusive: &Exclusive<'_>,
    ) -> Result<u64, StoreError> {
        self.forget_known();
        let filed = self.disk.view().cluster(tag)?.due;
        let mut ids: Vec<Uuid> = Vec::new();
        let mut left: Vec<Cluster> = Vec::new();
        let mut so_far = Cluster::default();
        for megram in self.disk.view().evidence(tag) {
            let megram = megram?;
            if ids.len().is_multiple_of(CHUNK) {
                left.push(so_far.clone());
            }
            ids.push(megram.id);
            if let Some(event) = Event::of(&megram) {
                so_far.add(&event);
            }
        }
        for (chunk, cluster) in ids.chunks(CHUNK).zip(left).rev() {
            let mut batch = self.disk.batch();
            for id in chunk {
                if let Some(megram) = self.disk.view().megram(*id)? {
                    batch.delete_megram(&megram);
                }
                if bury {
                    batch.put(&Key::Tombstone(*id), tombstone("forgotten", now).as_bytes());
                }
            }
            // The place in the expiry index stays until the last batch: after a crash in between, the rest is found.
            batch.set_cluster(tag, &ClusterRecord { cluster, due: filed }, filed);
            self.commit(batch, now, bury, exclusive)?;
        }
        if ids.is_empty() {
            let mut batch = self.disk.batch();
            batch.set_cluster(tag, &ClusterRecord::default(), filed);
            self.commit(batch, now, bury, exclusive)?;
        }
        Ok(ids.len() as u64)
    }
}
