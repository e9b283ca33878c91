//! New files and folders of a command, made before it starts: it may then write exactly these files, and cannot be led
//! elsewhere by a link that is put in their place.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::{Confinement, Grant};

/// The files that were made for one command.
#[derive(Debug, Default)]
pub(crate) struct Made {
    files: Vec<(PathBuf, File)>,
    folders: Vec<PathBuf>,
}

impl Made {
    /// Makes the new files and folders of a confinement, empty, in their order.
    ///
    /// # Errors
    /// When one of them is there already, or cannot be made. What was made is removed again.
    pub(crate) fn prepare(confinement: &Confinement) -> std::io::Result<Self> {
        let mut made = Self::default();
        let Confinement::Confined(bounds) = confinement else { return Ok(made) };
        for grant in &bounds.grants {
            let done = match grant {
                Grant::New(path) => made.file(path).map_err(|error| (path, error)),
                Grant::NewFolder(path) => made.folder(path).map_err(|error| (path, error)),
                Grant::Folders(_)
                | Grant::Links(_)
                | Grant::Index(_)
                | Grant::Content(_)
                | Grant::Below(_)
                | Grant::Names(_) => Ok(()),
            };
            if let Err((path, error)) = done {
                made.tidy(None);
                return Err(std::io::Error::other(format!("{path} cannot be made: {error}")));
            }
        }
        Ok(made)
    }

    fn file(&mut self, path: &str) -> std::io::Result<()> {
        // The mode is that of any new file; the mask of the user takes its part away.
        let file = OpenOptions::new().write(true).create_new(true).mode(0o666).open(path)?;
        self.files.push((PathBuf::from(path), file));
        Ok(())
    }

    fn folder(&mut self, path: &str) -> std::io::Result<()> {
        std::fs::create_dir(path)?;
        self.folders.push(PathBuf::from(path));
        Ok(())
    }

    /// The files.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "others grant by path"))]
    pub(crate) fn files(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.files.iter().map(|(_, file)| file.as_fd())
    }

    /// When the command failed, removes what it left empty.
    pub(crate) fn tidy(&self, exit: Option<i64>) {
        if exit == Some(0) {
            return;
        }
        for (path, file) in &self.files {
            if file.metadata().is_ok_and(|meta| meta.len() == 0) && is_still(path, file) {
                // What cannot be removed stays behind as an empty file.
                let _ = std::fs::remove_file(path);
            }
        }
        for folder in self.folders.iter().rev() {
            // It goes only when it is empty.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Whether the path still leads to this very file.
fn is_still(path: &Path, file: &File) -> bool {
    let (Ok(there), Ok(ours)) = (path.symlink_metadata(), file.metadata()) else { return false };
    (there.dev(), there.ino()) == (ours.dev(), ours.ino())
}

#[cfg(test)]
mod tests;
