//! Copies of the memory in a folder beside it: one before each change of the schema, one a day while something changes.
//!
//! They are checkpoints of RocksDB: folders that open like the memory itself and share its files (hard links) for as long
//! as neither side replaces them. So they are made in milliseconds and take little room, and they help where the memory
//! was deleted, changed by mistake or left half written; where the disk itself loses bytes, only a copy on another one
//! helps. What is forgotten is forgotten here too: see [`remove_all`].

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use artoo_types::Timestamp;
use rocksdb::checkpoint::Checkpoint;

use crate::disk::Disk;
use crate::error::StoreError;
use crate::open_store::{OpenStore, WriteLock};
use crate::opening;
use crate::schema::parse_version;
use crate::verify::{Verification, verify};

/// Milliseconds between two daily copies.
const BACKUP_PERIOD_MS: u64 = 86_400_000;

/// Copies from before changes of the schema that are kept: the change that went wrong may be the last but one.
const KEEP_SCHEMAS: usize = 2;

/// Why a copy was made. It is the name of its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackupOccasion {
    /// The schema was about to change from this major and minor: `schema-1.0`.
    Schema(u32, u32),
    /// A day was over, at this time, in whole seconds: `2026-01-31T23-59-59Z`.
    Daily(Timestamp),
}

impl BackupOccasion {
    /// The name of the folder.
    pub fn name(self) -> String {
        match self {
            Self::Schema(major, minor) => format!("schema-{major}.{minor}"),
            Self::Daily(at) => {
                crate::open_store::rfc3339(Timestamp(at.0 - at.0.rem_euclid(1_000))).replace(':', "-")
            }
        }
    }

    fn parse(name: &str) -> Option<Self> {
        if let Some(version) = name.strip_prefix("schema-") {
            return parse_version(version).map(|(major, minor)| Self::Schema(major, minor));
        }
        let (date, time) = name.split_once('T')?;
        let at: jiff::Timestamp = format!("{date}T{}", time.replace('-', ":")).parse().ok()?;
        Some(Self::Daily(Timestamp(at.as_millisecond()))).filter(|occasion| occasion.name() == name)
    }
}

/// A copy of the memory as it was at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Why, and when.
    pub occasion: BackupOccasion,
    /// Its folder.
    pub path: PathBuf,
}

impl Backup {
    /// Compares every derived record in the copy with the memories in it, as [`crate::MemoryReader::verify`] does. It may be
    /// done while a daemon uses the memory.
    ///
    /// # Errors
    /// When it cannot be opened. Damaged records are findings, not errors.
    pub fn verify(&self) -> Result<Verification, StoreError> {
        verify(&OpenStore::new(opening::open_to_read(&self.path)?)?)
    }
}

/// The copies of the memory in `folder`: those of days, newest first, then those from before changes of the schema.
///
/// # Errors
/// When the folder with the copies cannot be read. None is no error.
pub fn backups(folder: &Path) -> Result<Vec<Backup>, StoreError> {
    let place = place_of(folder);
    let entries = match fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(not_kept(&place)(error)),
    };
    let named = entries.flatten().filter_map(|entry| {
        let occasion = BackupOccasion::parse(entry.file_name().to_str()?)?;
        Some(Backup { occasion, path: entry.path() })
    });
    let mut found: Vec<Backup> = named.collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.occasion));
    Ok(found)
}

/// Makes the copy of a day when the last one is a day old and something changed since, and keeps the `keep` newest.
/// Returns the new one.
pub(crate) fn back_up(
    store: &OpenStore,
    wall: Timestamp,
    keep: usize,
    _: &WriteLock<'_>,
) -> Result<Option<Backup>, StoreError> {
    let folder = store.disk.folder();
    let last = backups(folder)?.into_iter().find_map(|backup| match backup.occasion {
        BackupOccasion::Daily(at) => Some(at),
        BackupOccasion::Schema(..) => None,
    });
    let (now, changed) = (store.effective(wall), store.high_water().0);
    let is_due = last.is_none_or(|last| now.since_ms(last) >= BACKUP_PERIOD_MS && changed > last);
    if keep == 0 || changed == Timestamp::default() || !is_due {
        return Ok(None);
    }
    let made = copy(&store.disk, BackupOccasion::Daily(now))?;
    prune(folder, keep, KEEP_SCHEMAS)?;
    Ok(Some(made))
}

/// Copies the memory as it is before its schema, `from`, is changed. The two newest of such copies are kept.
pub(crate) fn before_change(disk: &Disk, from: (u32, u32)) -> Result<(), StoreError> {
    copy(disk, BackupOccasion::Schema(from.0, from.1))?;
    prune(disk.folder(), usize::MAX, KEEP_SCHEMAS)
}

/// Deletes every copy, because something in them was forgotten. The next one is made when the Dreamer looks again.
pub(crate) fn remove_all(folder: &Path) -> Result<(), StoreError> {
    remove(&place_of(folder))
}

/// Where the copies of the memory in `folder` lie: beside it, so that they stay when it is moved away.
pub(crate) fn place_of(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{name}-backups"))
}

/// For `map_err`: a copy at `path` could not be made, read or deleted.
pub(crate) fn not_kept(path: &Path) -> impl Fn(std::io::Error) -> StoreError {
    move |why| StoreError::Backup { path: path.to_owned(), why: why.to_string() }
}

fn copy(disk: &Disk, occasion: BackupOccasion) -> Result<Backup, StoreError> {
    let place = place_of(disk.folder());
    opening::make_folder(&place)?;
    let path = place.join(occasion.name());
    // RocksDB makes it under another name and renames it when it is whole, and takes none that is there.
    remove(&path)?;
    let made = Checkpoint::new(disk.db()).and_then(|checkpoint| checkpoint.create_checkpoint(&path));
    made.map_err(|error| StoreError::Backup { path: path.clone(), why: error.to_string() })?;
    Ok(Backup { occasion, path })
}

/// Deletes all but the newest, and what a killed process left half made.
fn prune(folder: &Path, keep_days: usize, keep_schemas: usize) -> Result<(), StoreError> {
    let (days, schemas): (Vec<Backup>, Vec<Backup>) =
        backups(folder)?.into_iter().partition(|backup| matches!(backup.occasion, BackupOccasion::Daily(_)));
    for old in days.into_iter().skip(keep_days).chain(schemas.into_iter().skip(keep_schemas)) {
        remove(&old.path)?;
    }
    let place = place_of(folder);
    for entry in fs::read_dir(&place).map_err(not_kept(&place))?.flatten() {
        if entry.path().extension().is_some_and(|end| end == "tmp") {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(not_kept(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
