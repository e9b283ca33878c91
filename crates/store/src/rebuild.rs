//! Making every derived record again.

use artoo_memory::filing::file;
use artoo_memory::key::{self, Key};
use artoo_memory::record::{ClusterRecord, IndexTimes};
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::disk::view::{decode_megram, is_rule};
use crate::error::StoreError;
use crate::open_store::OpenStore;
use crate::schema::{DERIVED_KEY, derived_version};

/// Memories indexed in one batch: four keys of at most 1.1 KB each stay below 4 MB.
const BATCH_INDEXED: usize = 800;

/// Drops and rebuilds the derived records. The mark of completeness goes first and comes back last, so that opening
/// repeats a rebuild that was interrupted.
pub(crate) fn rebuild(store: &OpenStore) -> Result<(), StoreError> {
    let lock = store.lock();
    let mark = Key::Meta(DERIVED_KEY.to_owned());
    let mut batch = store.disk.batch();
    batch.delete(&mark);
    batch.delete_derived();
    batch.commit(true)?;
    rebuild_indexes(store)?;
    rebuild_clusters(store)?;
    let mut batch = store.disk.batch();
    batch.put(&mark, derived_version().as_bytes());
    batch.commit(true)?;
    drop(lock);
    Ok(())
}

fn rebuild_indexes(store: &OpenStore) -> Result<(), StoreError> {
    let mut batch = store.disk.batch();
    for (number, entry) in store.disk.frozen().scan(Family::Truth, key::MEGRAMS, None).enumerate() {
        let (key, value) = entry?;
        batch.index(&decode_megram(&key.encode(), &value)?);
        if number % BATCH_INDEXED == BATCH_INDEXED - 1 {
            std::mem::replace(&mut batch, store.disk.batch()).commit(false)?;
        }
    }
    batch.commit(false)
}

/// The index is sorted by tag, so each cluster comes in one piece.
fn rebuild_clusters(store: &OpenStore) -> Result<(), StoreError> {
    let view = store.disk.frozen();
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
                put_cluster(store, current.replace((megram.tag, record)))?;
            }
        }
    }
    put_cluster(store, current)?;
    drop_stray_marks(store)
}

fn put_cluster(store: &OpenStore, finished: Option<(Tag, ClusterRecord)>) -> Result<(), StoreError> {
    let Some((tag, mut record)) = finished else { return Ok(()) };
    file(&mut record, store.high_water().0);
    let mut batch = store.disk.batch();
    batch.set_cluster(&tag, &record, IndexTimes::default());
    batch.commit(false)
}

/// A mark says since when evidence counts; where there is no evidence, it says nothing.
fn drop_stray_marks(store: &OpenStore) -> Result<(), StoreError> {
    let view = store.disk.frozen();
    let mut batch = store.disk.batch();
    for entry in view.scan(Family::Truth, key::SINCE, None) {
        let Key::Since(tag) = entry?.0 else { continue };
        if !view.has(&Key::Cluster(tag.clone()))? {
            batch.delete(&Key::Since(tag));
        }
    }
    batch.commit(false)
}
