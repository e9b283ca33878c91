//! The index of a repository: a confined command changes a copy of it, which takes its place when the command succeeded.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};

use crate::sandbox::{Confinement, Grant};

/// Bytes of an index that are copied: that of a repository with a million files.
const MAX_BYTES: u64 = 256 << 20;
/// The variable by which git is told where the index is.
pub(super) const VARIABLE: &str = "GIT_INDEX_FILE";

/// A copy of an index in the private folder of a command.
pub(super) struct Copied {
    index: PathBuf,
    /// The SHA-256 of what was copied.
    before: [u8; 32],
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
        let bytes = read(&index)?;
        std::fs::write(&copy, &bytes)?;
        Ok(Some(Self { index, before: Sha256::digest(&bytes).into(), copy }))
    }

    /// Puts the copy in the place of the index, the way git does it: whoever holds the lock keeps others out. A copy that
    /// was not changed is not put back.
    ///
    /// # Errors
    /// When the copy is no file any more, another program changed the index since or does so at this moment, or the disk
    /// fails. Then the index stays as it is.
    pub(super) fn put_back(&self) -> std::io::Result<()> {
        use std::io::Write as _;
        let bytes = read(&self.copy)?;
        if Sha256::digest(&bytes)[..] == self.before {
            return Ok(());
        }
        let mut lock = self.index.clone().into_os_string();
        lock.push(".lock");
        let mut file = OpenOptions::new().write(true).create_new(true).open(&lock)?;
        let done = self
            .is_as_copied()
            .and_then(|()| file.write_all(&bytes))
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&lock, &self.index));
        if done.is_err() {
            let _ = std::fs::remove_file(&lock); // what went wrong before is what is told
        }
        done
    }

    /// What somebody staged while the command ran must not be lost. The caller holds the lock.
    fn is_as_copied(&self) -> std::io::Result<()> {
        if Sha256::digest(read(&self.index)?)[..] == self.before {
            return Ok(());
        }
        Err(std::io::Error::other("another program changed it while the command ran; run the command again"))
    }
}

/// The content of a file that is one itself, and no link to another. It does not wait: a command may have put a named
/// pipe in the place of its copy.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).map_err(std::io::Error::other)?;
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
