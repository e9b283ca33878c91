//! New entries of a command, made before it starts: it may then write exactly its new files, and cannot be led elsewhere
//! by a link that is put in their place or on the way to them.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, linkat, mkdirat, openat, symlinkat};

use super::{Confinement, Grant};

/// The entries that were made for one command.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// In the order in which they were made: what is in a folder comes after it.
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    /// Device and inode.
    identity: (u64, u64),
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    File(File),
    Folder,
    Link,
}

impl Made {
    /// Makes the new entries of a confinement, files empty, in their order.
    ///
    /// # Errors
    /// When one of them is there already, or cannot be made. What was made is removed again.
    pub(crate) fn prepare(confinement: &Confinement) -> std::io::Result<Self> {
        let mut made = Self::default();
        let Confinement::Confined(bounds) = confinement else { return Ok(made) };
        for grant in &bounds.grants {
            if let Err((path, error)) = made.make(grant) {
                made.tidy(None);
                return Err(std::io::Error::other(format!("{path} cannot be made: {error}")));
            }
        }
        Ok(made)
    }

    fn make<'a>(&mut self, grant: &'a Grant) -> Result<(), (&'a str, std::io::Error)> {
        let (path, done) = match grant {
            Grant::New(path) => (path, self.file(path)),
            Grant::NewFolder(path) => (path, self.folder(path)),
            // Elsewhere the command makes them itself.
            Grant::OwnFolder(_) | Grant::Symlink { .. } | Grant::HardLink { .. }
                if !cfg!(target_os = "linux") =>
            {
                return Ok(());
            }
            Grant::OwnFolder(path) => (path, self.folder(path)),
            Grant::Symlink { path, text } => (path, self.symlink(path, text)),
            Grant::HardLink { path, of } => (path, self.hard_link(path, of)),
            Grant::Index(_) | Grant::Content(_) | Grant::Below(_) | Grant::Removals(_) => return Ok(()),
        };
        done.map_err(|error| (path.as_str(), error))
    }

    fn file(&mut self, path: &str) -> std::io::Result<()> {
        let (folder, name) = place(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // The mode is that of any new file; the mask of the user takes its part away.
        let file = openat(&folder, &name, flags, Mode::from_raw_mode(0o666))?;
        self.remember(path, Kind::File(File::from(file)))
    }

    fn folder(&mut self, path: &str) -> std::io::Result<()> {
        let (folder, name) = place(path)?;
        mkdirat(&folder, &name, Mode::from_raw_mode(0o777))?;
        self.remember(path, Kind::Folder)
    }

    fn symlink(&mut self, path: &str, text: &str) -> std::io::Result<()> {
        let (folder, name) = place(path)?;
        symlinkat(text, &folder, &name)?;
        self.remember(path, Kind::Link)
    }

    fn hard_link(&mut self, path: &str, of: &str) -> std::io::Result<()> {
        let ((from, old), (folder, name)) = (place(of)?, place(path)?);
        linkat(&from, &old, &folder, &name, AtFlags::empty())?;
        self.remember(path, Kind::Link)
    }

    fn remember(&mut self, path: &str, kind: Kind) -> std::io::Result<()> {
        let path = PathBuf::from(path);
        let meta = path.symlink_metadata()?;
        self.entries.push(Entry { path, identity: (meta.dev(), meta.ino()), kind });
        Ok(())
    }

    /// The files.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "others grant by path"))]
    pub(crate) fn files(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.entries.iter().filter_map(|entry| match &entry.kind {
            Kind::File(file) => Some(file.as_fd()),
            Kind::Folder | Kind::Link => None,
        })
    }

    /// When the command failed, removes what it left empty, and its links.
    pub(crate) fn tidy(&self, exit: Option<i64>) {
        if exit == Some(0) {
            return;
        }
        for entry in self.entries.iter().rev().filter(|entry| entry.is_still_there()) {
            // What cannot be removed stays behind; a folder goes only when it is empty.
            let _ = match &entry.kind {
                Kind::File(file) if file.metadata().is_ok_and(|meta| meta.len() > 0) => Ok(()),
                Kind::File(_) | Kind::Link => std::fs::remove_file(&entry.path),
                Kind::Folder => std::fs::remove_dir(&entry.path),
            };
        }
    }
}

impl Entry {
    /// Whether the path still leads to this very entry.
    fn is_still_there(&self) -> bool {
        self.path.symlink_metadata().is_ok_and(|meta| (meta.dev(), meta.ino()) == self.identity)
    }
}

/// The folder that an entry is to be in, and its name there.
fn place(path: &str) -> std::io::Result<(OwnedFd, OsString)> {
    let path = Path::new(path);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(std::io::Error::other("it has no name"));
    };
    Ok((opened(folder)?, name.to_owned()))
}

/// The folder at a path whose links were resolved before.
#[cfg(target_os = "linux")]
fn opened(folder: &Path) -> std::io::Result<OwnedFd> {
    super::reach::real(folder)
}

/// As above, as far as the system tells: a link at the end of the path is an error.
#[cfg(not(target_os = "linux"))]
fn opened(folder: &Path) -> std::io::Result<OwnedFd> {
    Ok(openat(
        rustix::fs::CWD,
        folder,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )?)
}

#[cfg(test)]
mod tests;
