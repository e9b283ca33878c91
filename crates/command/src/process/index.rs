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
pub(super) struct IndexCopy {
    index: PathBuf,
    /// The SHA-256 of what was copied.
    before: [u8; 32],
    pub(super) copy: PathBuf,
}

impl IndexCopy {
    /// Copies the index that a confinement grants; `None` if it grants none.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub(super) fn of(confinement: &Confinement, scratch: &Path) -> std::io::Result<Option<Self>> {
        let Confinement::Confined(bounds) = confinement else { return Ok(None) };
        let granted = bounds.grants.iter().find_map(|grant| match grant {
            Grant::Index(path) => Some(PathBuf::from(path)),
            Grant::New(_)
            | Grant::Offered(_)
            | Grant::Mode { .. }
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
mod tests {
    use super::IndexCopy;
    use crate::sandbox::{Bounds, Confinement, Grant};

    fn granting(index: &std::path::Path) -> Confinement {
        Confinement::Confined(Bounds {
            grants: vec![Grant::Index(index.to_string_lossy().into_owned())],
            ..Bounds::reading(Vec::new())
        })
    }

    #[test]
    fn a_changed_copy_takes_the_place_of_the_index() {
        let dir = tempfile::tempdir().unwrap();
        let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
        std::fs::create_dir(&scratch).unwrap();
        std::fs::write(&index, "before").unwrap();
        let copied = IndexCopy::of(&granting(&index), &scratch).unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(&copied.copy).unwrap(), "before");
        std::fs::write(&copied.copy, "after").unwrap();
        copied.put_back().unwrap();
        assert_eq!(std::fs::read_to_string(&index).unwrap(), "after");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no lock stays behind");
    }

    #[test]
    fn a_link_in_the_place_of_the_copy_is_not_followed_and_a_lock_is_respected() {
        let dir = tempfile::tempdir().unwrap();
        let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
        std::fs::create_dir(&scratch).unwrap();
        std::fs::write(&index, "before").unwrap();
        std::fs::write(dir.path().join("secret"), "canary").unwrap();
        let copied = IndexCopy::of(&granting(&index), &scratch).unwrap().unwrap();
        std::fs::write(&copied.copy, "after").unwrap();
        std::fs::write(dir.path().join("index.lock"), "").unwrap();
        copied.put_back().unwrap_err();
        std::fs::remove_file(dir.path().join("index.lock")).unwrap();
        std::fs::remove_file(&copied.copy).unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), &copied.copy).unwrap();
        copied.put_back().unwrap_err();
        assert_eq!(std::fs::read_to_string(&index).unwrap(), "before");
    }

    #[test]
    fn a_pipe_in_the_place_of_the_copy_holds_nobody_up() {
        let dir = tempfile::tempdir().unwrap();
        let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
        std::fs::create_dir(&scratch).unwrap();
        std::fs::write(&index, "before").unwrap();
        let copied = IndexCopy::of(&granting(&index), &scratch).unwrap().unwrap();
        std::fs::remove_file(&copied.copy).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&copied.copy).status().unwrap();
        assert!(made.success());
        // Opened without a writer, it would wait for ever.
        copied.put_back().unwrap_err();
        assert_eq!(std::fs::read_to_string(&index).unwrap(), "before");
    }

    #[test]
    fn what_somebody_staged_meanwhile_stays() {
        let dir = tempfile::tempdir().unwrap();
        let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
        std::fs::create_dir(&scratch).unwrap();
        std::fs::write(&index, "before").unwrap();
        let copied = IndexCopy::of(&granting(&index), &scratch).unwrap().unwrap();
        std::fs::write(&copied.copy, "after").unwrap();
        std::fs::write(&index, "staged by somebody else").unwrap();
        let refused = copied.put_back().unwrap_err();
        assert!(refused.to_string().contains("another program changed it"), "{refused}");
        assert_eq!(std::fs::read_to_string(&index).unwrap(), "staged by somebody else");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no lock stays behind");
        // A command that changed nothing takes nothing back either.
        std::fs::write(&copied.copy, "before").unwrap();
        copied.put_back().unwrap();
        assert_eq!(std::fs::read_to_string(&index).unwrap(), "staged by somebody else");
    }
}
