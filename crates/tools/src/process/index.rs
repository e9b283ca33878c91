//! The index of a repository: a confined command changes a copy of it, which takes its place when the command succeeded.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::sandbox::{Confinement, Grant};

/// Bytes of an index that are copied: that of a repository with a million files.
const MAX_BYTES: u64 = 256 << 20;
/// The variable by which git is told where the index is.
pub(super) const VARIABLE: &str = "GIT_INDEX_FILE";

/// A copy of an index in the private folder of a command.
pub(super) struct Copied {
    index: PathBuf,
    pub(super) copy: PathBuf,
}

impl Copied {
    /// Copies the index that a confinement grants; none when it grants none.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub(super) fn of(confinement: &Confinement, scratch: &Path) -> std::io::Result<Option<Self>> {
        let Confinement::Confined(bounds) = confinement else { return Ok(None) };
        let granted = bounds.grants.iter().find_map(|grant| match grant {
            Grant::Index(path) => Some(PathBuf::from(path)),
            Grant::New(_)
            | Grant::NewFolder(_)
            | Grant::OwnFolder(_)
            | Grant::Symlink { .. }
            | Grant::HardLink { .. }
            | Grant::Content(_)
            | Grant::Below(_)
            | Grant::Removals(_) => None,
        });
        let Some(index) = granted else { return Ok(None) };
        let copy = scratch.join("index");
        std::fs::write(&copy, read(&index)?)?;
        Ok(Some(Self { index, copy }))
    }

    /// Puts the copy in the place of the index, the way git does it: whoever holds the lock keeps others out.
    ///
    /// # Errors
    /// When the copy is no file any more, another program changes the index at this moment, or the disk fails.
    pub(super) fn put_back(&self) -> std::io::Result<()> {
        use std::io::Write as _;
        let bytes = read(&self.copy)?;
        let mut lock = self.index.clone().into_os_string();
        lock.push(".lock");
        let mut file = OpenOptions::new().write(true).create_new(true).open(&lock)?;
        let done = file
            .write_all(&bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&lock, &self.index));
        if done.is_err() {
            let _ = std::fs::remove_file(&lock); // what went wrong before is what is told
        }
        done
    }
}

/// The content of a file that is one itself, and no link to another.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).map_err(std::io::Error::other)?;
    let file: File = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return Err(std::io::Error::other(format!("{} is no index that can be copied", path.display())));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
