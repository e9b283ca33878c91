//! Deleting the evidence of a whole cluster.

use artoo_memory::consolidation::ripe_at;
use artoo_memory::key::Key;
use artoo_memory::record::{ClusterRecord, IndexTimes};
use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::error::StoreError;
use crate::open_store::{OpenStore, WriteLock};

/// Memories deleted in one batch. With six keys of at most 1.1 KB each, a batch stays below 4 MB, the size of all
/// write buffers.
const BATCH_MEMORIES: usize = 500;

/// Deletes every memory on levels M and K of a tag, with its accumulators, and returns how many there were. Rules stay.
///
/// A large cluster is deleted in several batches, from its last id to its first. Each batch also writes the
/// accumulators of what is left, so that the store is consistent between any two of them.
pub(crate) fn sweep(
    store: &OpenStore,
    tag: &Tag,
    now: Timestamp,
    lock: &WriteLock<'_>,
) -> Result<u64, StoreError> {
    store.requests.clear();
    let view = store.disk.view();
    let filed = view.cluster(tag)?.filed;
    let rules: Vec<Megram> = view.rules(tag).collect::<Result<_, _>>()?;
    let mut ids: Vec<Uuid> = Vec::new();
    let mut left: Vec<ClusterRecord> = Vec::new();
    let mut so_far = ClusterRecord::born(view.since(tag)?, &rules);
    for megram in view.evidence(tag) {
        let megram = megram?;
        if ids.len().is_multiple_of(BATCH_MEMORIES) {
            left.push(so_far.clone());
        }
        ids.push(megram.id);
        so_far.take(&megram);
    }
    if ids.is_empty() {
        left.push(so_far);
    }
    let mut filed_now = filed;
    for (number, mut record) in left.into_iter().enumerate().rev() {
        let mut batch = store.disk.batch();
        for id in ids.iter().skip(number * BATCH_MEMORIES).take(BATCH_MEMORIES) {
            if let Some(megram) = view.megram(*id)? {
                batch.delete_megram(&megram);
            }
        }
        // The place in the expiry index stays until the last batch: after a crash in between, the rest is found.
        record.filed = IndexTimes { due: filed.due, ripe: ripe_at(&record, now) };
        batch.set_cluster(tag, &record, filed_now);
        filed_now = record.filed;
        if record.is_empty() {
            batch.delete(&Key::Since(tag.clone()));
        }
        store.commit(batch, now, false, lock)?;
    }
    Ok(ids.len() as u64)
}
