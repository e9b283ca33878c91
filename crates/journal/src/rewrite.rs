//! Writing a journal anew, without what is not wanted any more.

use std::path::{Path, PathBuf};

use crate::line_file::LineFile;
use crate::{CrashPoint, JournalError};

/// Puts a file with what `write` appends into the place of the journal at `path`: written beside it, synced, renamed, so
/// that a crash leaves one or the other. The inner result says whether the rename is durable; when it is not, nobody knows
/// which of the two a power loss leaves, and the new file takes nothing any more.
///
/// # Errors
/// What the disk refuses: then the journal is as it was.
pub(crate) fn rewrite(
    path: &Path,
    crash: CrashPoint,
    write: impl FnOnce(&mut LineFile) -> Result<(), JournalError>,
) -> Result<(LineFile, Result<(), JournalError>), JournalError> {
    remove_unfinished(path)?;
    let new_path = beside(path);
    let written = LineFile::create_unsynced(&new_path, crash).and_then(|mut file| {
        write(&mut file)?;
        file.sync()?;
        file.rename(path)?;
        Ok(file)
    });
    match written {
        Ok(mut file) => {
            let durable = file.sync_entry();
            Ok((file, durable))
        }
        Err(error) => {
            // Nothing is lost when it stays: the next start removes it.
            drop(std::fs::remove_file(&new_path));
            Err(error)
        }
    }
}

/// Removes what an interrupted rewriting of the journal at `path` left behind.
pub(crate) fn remove_unfinished(path: &Path) -> Result<(), JournalError> {
    let path = beside(path);
    match std::fs::remove_file(&path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(JournalError::from_io("remove", &path, e)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Where a journal is written anew: in the same folder, because a rename works within one file system alone.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}
