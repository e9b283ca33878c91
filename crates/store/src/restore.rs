//! Putting a copy of the memory in the place of the memory.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use artoo_types::Timestamp;

use crate::backup::{Backup, not_kept, place_of};
use crate::error::StoreError;
use crate::opening;

/// Puts a copy of `backup` in the place of the memory in `folder`, after the copy was verified. What is there is moved
/// beside it and never deleted; its new place is returned, `None` when nothing was there. Nobody may have the memory
/// open; what tasks learned after the backup was made comes back from their journals at the daemon's next start.
///
/// # Errors
/// When the backup has faults or cannot be read, and when a file cannot be written: then the memory is as it was, or,
/// when the system refused the very last step, moved to where the error says.
pub fn restore(folder: &Path, backup: &Backup, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
    let found = backup.verify()?.total_findings;
    if found > 0 {
        return Err(StoreError::FaultyBackup { path: backup.path.clone(), found });
    }
    // Whole before it takes the memory's place, and with files of its own: what becomes of the memory must not reach
    // the backup.
    let coming = place_of(folder).join("restoring.tmp");
    match fs::remove_dir_all(&coming) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(not_kept(&coming)(error)),
        Ok(()) | Err(_) => {}
    }
    opening::make_folder(&coming)?;
    copy_files(&backup.path, &coming).map_err(not_kept(&coming))?;
    let aside = set_aside(folder, now)?;
    let moved = fs::rename(&coming, folder).and_then(|()| sync_parent(folder));
    moved.map_err(|error| StoreError::Backup {
        path: coming,
        why: match &aside {
            Some(aside) => format!("{error}; the memory as it was lies in {}", aside.display()),
            None => error.to_string(),
        },
    })?;
    Ok(aside)
}

/// Moves what is in `folder` to a name that says when. An empty folder is removed.
fn set_aside(folder: &Path, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
    match fs::remove_dir(folder) {
        Ok(()) => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        // It is not empty.
        Err(_) => {}
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let aside = folder.with_file_name(format!("{name}.replaced-{}", now.0));
    fs::rename(folder, &aside).map_err(not_kept(folder))?;
    Ok(Some(aside))
}

/// A backup is flat: RocksDB keeps no folders in its own.
fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        fs::copy(entry.path(), &copy)?;
        File::open(&copy)?.sync_all()?;
    }
    File::open(to)?.sync_all()
}

fn sync_parent(folder: &Path) -> std::io::Result<()> {
    match folder.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}
