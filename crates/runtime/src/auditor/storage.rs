//! Every change that the auditor makes to the disk, in one place, so that a test can end the process before, in the
//! middle of, and after each of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::Path;

use rustix::fs::OFlags;

/// The auditor's files are no symbolic links: what one leads to is somebody else's.
const NO_LINK: i32 = OFlags::NOFOLLOW.bits().cast_signed();

/// The disk, as the auditor changes it.
pub(super) trait Storage: Send {
    /// A file to append to, for this user alone, made when it is missing; then its folder's entry is on the disk.
    fn open(&mut self, path: &Path) -> io::Result<File>;
    /// Appends. After an error a part of the bytes may be there.
    fn append(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
    /// Takes back what is after `length`.
    fn cut(&mut self, file: &File, length: u64) -> io::Result<()>;
    /// Returns when the content is on the disk. A failure is final for this file: the kernel may have dropped the pages.
    fn sync(&mut self, file: &File) -> io::Result<()>;
    /// Gives the file this content, as a whole or not at all, on the disk.
    fn replace(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Makes or turns a link.
    fn link(&mut self, target: &Path, link: &Path) -> io::Result<()>;
    /// Deletes a file.
    fn remove(&mut self, path: &Path) -> io::Result<()>;
}

/// The real disk.
pub(super) struct RealStorage;

impl Storage for RealStorage {
    fn open(&mut self, path: &Path) -> io::Result<File> {
        let is_new = !path.exists();
        let file =
            OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(NO_LINK).open(path)?;
        if is_new {
            sync_folder(path)?;
        }
        Ok(file)
    }

    fn append(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn cut(&mut self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn replace(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = path.with_added_extension("new");
        // It is there only when an earlier attempt was cut short, or somebody put it there.
        let _ = fs::remove_file(&temporary);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&temporary, path)
    }

    fn link(&mut self, target: &Path, link: &Path) -> io::Result<()> {
        if fs::read_link(link).ok().as_deref() == Some(target) {
            return Ok(());
        }
        let temporary = link.with_added_extension("new");
        // It is there only when an earlier attempt was cut short.
        let _ = fs::remove_file(&temporary);
        symlink(target, &temporary)?;
        fs::rename(&temporary, link)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}
