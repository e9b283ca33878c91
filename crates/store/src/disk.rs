//! The open database: its two families and atomic batches.

pub(crate) mod view;

use std::path::Path;

use artoo_memory::key::Key;
use artoo_memory::record::{ClusterRecord, IndexTimes};
use artoo_types::memory::Megram;
use artoo_types::tag::Tag;
use rocksdb::{ColumnFamily, DB, WriteBatch, WriteOptions};

use crate::error::StoreError;
use view::View;

/// A column family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// What cannot be made again: memories, tombstones, recall times, meta.
    Truth,
    /// Indexes and accumulators; they can be dropped and rebuilt from the truth.
    Derived,
}

impl Family {
    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Truth => rocksdb::DEFAULT_COLUMN_FAMILY_NAME,
            Self::Derived => "derived",
        }
    }

    /// Where a key lives.
    pub(crate) fn of(key: &Key) -> Self {
        match key {
            Key::Megram(_)
            | Key::Recalled(_)
            | Key::Tombstone(_)
            | Key::Since(_)
            | Key::Separated(_)
            | Key::Meta(_) => Self::Truth,
            Key::Tagged(..)
            | Key::Level(..)
            | Key::Rule(..)
            | Key::Cluster(_)
            | Key::Due(..)
            | Key::Ripe(_) => Self::Derived,
        }
    }
}

/// The open database.
pub(crate) struct Disk {
    db: DB,
}

impl Disk {
    /// Takes a database that has both families open.
    pub(crate) fn new(db: DB) -> Self {
        Self { db }
    }

    /// What is there now.
    pub(crate) fn view(&self) -> View<'_> {
        View::live(self, &self.db)
    }

    /// What is there at this moment, unchanged by later writes.
    pub(crate) fn frozen(&self) -> View<'_> {
        View::frozen(self, &self.db)
    }

    /// An empty batch.
    pub(crate) fn batch(&self) -> Batch<'_> {
        Batch { disk: self, inner: WriteBatch::default() }
    }

    /// The handle of a family.
    pub(crate) fn family(&self, family: Family) -> &ColumnFamily {
        self.db.cf_handle(family.name()).expect("opening created both column families")
    }

    /// Puts everything that was written on the disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.db.flush_wal(true).map_err(StoreError::database("reach the disk"))
    }

    /// Removes deleted keys between `from` and `to` from the files themselves, and ends the logs that held them.
    pub(crate) fn erase(&self, family: Family, from: &[u8], to: &[u8]) -> Result<(), StoreError> {
        let handle = self.family(family);
        self.db.flush_cf(handle).map_err(StoreError::database("erase what was forgotten"))?;
        self.db.compact_range_cf(handle, Some(from), Some(to));
        Ok(())
    }

    /// The database itself, for what is done with all of it at once.
    pub(crate) fn db(&self) -> &DB {
        &self.db
    }

    /// The folder that it lies in.
    pub(crate) fn folder(&self) -> &Path {
        self.db.path()
    }

    /// How many changes the database has seen.
    #[cfg(test)]
    pub(crate) fn changes(&self) -> u64 {
        self.db.latest_sequence_number()
    }

    /// Bytes of all files in the folder.
    pub(crate) fn size(&self) -> u64 {
        let files = std::fs::read_dir(self.db.path()).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum()
    }
}

/// Changes that become visible together or not at all.
pub(crate) struct Batch<'a> {
    disk: &'a Disk,
    inner: WriteBatch,
}

impl Batch<'_> {
    /// Sets a key.
    pub(crate) fn put(&mut self, key: &Key, value: &[u8]) {
        self.inner.put_cf(self.disk.family(Family::of(key)), key.encode(), value);
    }

    /// Deletes a key.
    pub(crate) fn delete(&mut self, key: &Key) {
        self.inner.delete_cf(self.disk.family(Family::of(key)), key.encode());
    }

    /// Deletes every derived key.
    pub(crate) fn delete_derived(&mut self) {
        self.inner.delete_range_cf(self.disk.family(Family::Derived), &[][..], &[0xFF][..]);
    }

    /// Sets the indexes that lead to a memory.
    pub(crate) fn index(&mut self, megram: &Megram) {
        for key in index_keys(megram) {
            self.put(&key, &[]);
        }
    }

    /// Deletes a memory, when it was recalled, and its indexes; not its weight in the accumulators.
    pub(crate) fn delete_megram(&mut self, megram: &Megram) {
        self.delete(&Key::Megram(megram.id));
        self.delete(&Key::Recalled(megram.id));
        for key in index_keys(megram) {
            self.delete(&key);
        }
    }

    /// Sets the sums of a tag and its places in the indexes of time; `filed` is where those held it before. An empty record
    /// is deleted.
    pub(crate) fn set_cluster(&mut self, tag: &Tag, record: &ClusterRecord, filed: IndexTimes) {
        let now = if record.is_empty() { IndexTimes::default() } else { record.filed };
        if let Some(old) = filed.due.filter(|_| filed.due != now.due) {
            self.delete(&Key::Due(old, tag.clone()));
        }
        if let Some(due) = now.due.filter(|_| filed.due != now.due) {
            self.put(&Key::Due(due, tag.clone()), &[]);
        }
        match now.ripe {
            Some(ripe) if filed.ripe != now.ripe => {
                self.put(&Key::Ripe(tag.clone()), &ripe.0.to_be_bytes());
            }
            None if filed.ripe.is_some() => self.delete(&Key::Ripe(tag.clone())),
            Some(_) | None => {}
        }
        if record.is_empty() {
            self.delete(&Key::Cluster(tag.clone()));
        } else {
            self.put(&Key::Cluster(tag.clone()), &record.encode());
        }
    }

    /// Makes the changes; with `sync` they are on the disk when this returns.
    pub(crate) fn commit(self, sync: bool) -> Result<(), StoreError> {
        let mut options = WriteOptions::default();
        options.set_sync(sync);
        self.disk.db.write_opt(self.inner, &options).map_err(StoreError::database("write"))
    }
}

/// The keys of the indexes that lead to a memory.
pub(crate) fn index_keys(megram: &Megram) -> Vec<Key> {
    use artoo_types::memory::Level;
    let mut keys = vec![Key::Tagged(megram.tag.clone(), megram.id), Key::Level(megram.level, megram.id)];
    match megram.level {
        Level::C | Level::T => keys.push(Key::Rule(megram.tag.clone(), megram.id)),
        Level::M | Level::K => {}
    }
    keys
}
