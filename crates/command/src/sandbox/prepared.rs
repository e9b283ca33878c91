//! New entries of a command, made before it starts: it may then write exactly its new files, and cannot be led elsewhere
//! by a link that is put in their place or on the way to them.
//!
//! Landlock's rights hold for all that is below a folder. So what runs unasked gets none for a folder, and a yes gives no right
//! to make names where something that runs later lies below.

use std::ffi::OsString;
use std::fs::{File, FileTimes, Metadata, Permissions};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Mode, OFlags, linkat, mkdirat, openat, symlinkat};

use super::{Confinement, Grant};

/// How a file is held without being opened.
#[cfg(target_os = "linux")]
const HOLDING: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const HOLDING: OFlags = OFlags::RDONLY;
/// When offered files were last changed, by their own account.
const OLD: SystemTime = SystemTime::UNIX_EPOCH;

/// The entries that were made for one command.
#[derive(Debug, Default)]
pub(crate) struct PreparedEntries {
    /// In the order in which they were made: what is in a folder comes after it.
    entries: Vec<PreparedEntry>,
}

#[derive(Debug)]
struct PreparedEntry {
    path: PathBuf,
    /// Device and inode.
    identity: (u64, u64),
    kind: EntryKind,
}

#[derive(Debug)]
enum EntryKind {
    File(File),
    /// One that nobody may want.
    Offered(File),
    Folder,
    Link,
}

impl PreparedEntries {
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
            Grant::Offered(path) => (path, self.offered(path)),
            Grant::Mode { path, mode } => (path, set_mode(path, *mode)),
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
        let file = held(path, &new_file(path)?)?;
        self.remember(path, EntryKind::File(file))
    }

    /// A file from the beginning of time: what opens it to write it makes it a new one.
    fn offered(&mut self, path: &str) -> std::io::Result<()> {
        let file = new_file(path)?;
        file.set_times(FileTimes::new().set_modified(OLD))?;
        let file = held(path, &file)?;
        self.remember(path, EntryKind::Offered(file))
    }

    fn folder(&mut self, path: &str) -> std::io::Result<()> {
        let (folder, name) = place(path)?;
        mkdirat(&folder, &name, Mode::from_raw_mode(0o777))?;
        self.remember(path, EntryKind::Folder)
    }

    fn symlink(&mut self, path: &str, text: &str) -> std::io::Result<()> {
        let (folder, name) = place(path)?;
        symlinkat(text, &folder, &name)?;
        self.remember(path, EntryKind::Link)
    }

    fn hard_link(&mut self, path: &str, of: &str) -> std::io::Result<()> {
        let ((from, old), (folder, name)) = (place(of)?, place(path)?);
        linkat(&from, &old, &folder, &name, AtFlags::empty())?;
        self.remember(path, EntryKind::Link)
    }

    fn remember(&mut self, path: &str, kind: EntryKind) -> std::io::Result<()> {
        let path = PathBuf::from(path);
        let meta = path.symlink_metadata()?;
        self.entries.push(PreparedEntry { path, identity: (meta.dev(), meta.ino()), kind });
        Ok(())
    }

    /// The files.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "others grant by path"))]
    pub(crate) fn files(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.entries.iter().filter_map(|entry| match &entry.kind {
            EntryKind::File(file) | EntryKind::Offered(file) => Some(file.as_fd()),
            EntryKind::Folder | EntryKind::Link => None,
        })
    }

    /// When the command failed, removes what it left empty, and its links. What was only offered and not written goes
    /// however it ended.
    pub(crate) fn tidy(&self, exit: Option<i64>) {
        let is_done = |entry: &&PreparedEntry| match &entry.kind {
            EntryKind::Offered(file) => !is_untouched(file),
            EntryKind::File(_) | EntryKind::Folder | EntryKind::Link => exit == Some(0),
        };
        let left = self.entries.iter().rev().filter(|entry| !is_done(entry) && entry.is_still_there());
        for entry in left {
            // What cannot be removed stays behind; a folder goes only when it is empty.
            let _ = match &entry.kind {
                EntryKind::Offered(_) => std::fs::remove_file(&entry.path),
                EntryKind::File(file) if file.metadata().is_ok_and(|meta| meta.len() > 0) => Ok(()),
                EntryKind::File(_) | EntryKind::Link => std::fs::remove_file(&entry.path),
                EntryKind::Folder => std::fs::remove_dir(&entry.path),
            };
        }
    }
}

/// A file that is not there yet, made empty.
fn new_file(path: &str) -> std::io::Result<File> {
    let (folder, name) = place(path)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // The mode is that of any new file; the mask of the user takes its part away.
    Ok(File::from(openat(&folder, &name, flags, Mode::from_raw_mode(0o666))?))
}

/// The same file, not open for writing: what is open for that cannot be run.
fn held(path: &str, made: &File) -> std::io::Result<File> {
    let (folder, name) = place(path)?;
    let file =
        File::from(openat(&folder, &name, HOLDING | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?);
    let (held, made) = (file.metadata()?, made.metadata()?);
    if (held.dev(), held.ino()) != (made.dev(), made.ino()) {
        return Err(std::io::Error::other("something else has its place"));
    }
    Ok(file)
}

/// Whether an offered file is as it was made.
fn is_untouched(file: &File) -> bool {
    let is_old = |meta: &Metadata| meta.modified().is_ok_and(|modified| modified == OLD);
    file.metadata().is_ok_and(|meta| meta.len() == 0 && is_old(&meta))
}

/// Gives a file its mode; whatever a link leads to keeps its own.
fn set_mode(path: &str, mode: u32) -> std::io::Result<()> {
    let (folder, name) = place(path)?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(&folder, &name, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    file.set_permissions(Permissions::from_mode(mode))
}

impl PreparedEntry {
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
mod tests {
    use std::os::unix::fs::symlink;

    use super::PreparedEntries;
    use crate::sandbox::{Bounds, Confinement, Grant};

    fn confinement(grants: Vec<Grant>) -> Confinement {
        Confinement::Confined(Bounds { grants, ..Bounds::reading(Vec::new()) })
    }

    fn text(path: &std::path::Path) -> String {
        path.to_string_lossy().into_owned()
    }

    #[test]
    fn what_a_failed_command_left_empty_goes_again() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, empty, full) =
            (dir.path().join("d"), dir.path().join("d/empty"), dir.path().join("full"));
        let grants = vec![Grant::NewFolder(text(&folder)), Grant::New(text(&empty)), Grant::New(text(&full))];
        for (exit, stays) in [(Some(0), true), (Some(1), false), (None, false)] {
            let made = PreparedEntries::prepare(&confinement(grants.clone())).unwrap();
            assert_eq!(made.files().count(), 2);
            std::fs::write(&full, "text").unwrap();
            made.tidy(exit);
            assert_eq!((empty.exists(), folder.exists()), (stays, stays), "{exit:?}");
            assert!(full.exists(), "{exit:?}: what was written stays");
            std::fs::remove_file(&full).unwrap();
            // Where the command succeeded, the folder goes here.
            let _ = std::fs::remove_dir_all(&folder);
        }
    }

    #[test]
    fn what_is_there_is_not_taken_and_nothing_is_left_of_a_start_that_failed() {
        let dir = tempfile::tempdir().unwrap();
        let (new, there) = (dir.path().join("new"), dir.path().join("there"));
        for make in [
            |path: &std::path::Path| std::fs::write(path, "mine"),
            |path: &std::path::Path| symlink("/nowhere", path),
        ] {
            make(&there).unwrap();
            let error = PreparedEntries::prepare(&confinement(vec![
                Grant::New(text(&new)),
                Grant::New(text(&there)),
            ]));
            assert!(error.is_err_and(|error| error.to_string().contains(&text(&there))));
            assert!(!new.exists() && there.symlink_metadata().is_ok());
            std::fs::remove_file(&there).unwrap();
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn folders_and_links_of_the_command_itself_are_there_before_it_and_gone_when_it_fails() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let (own, soft, hard, file) =
            (base.join("own"), base.join("soft"), base.join("hard"), base.join("file"));
        std::fs::write(&file, "text").unwrap();
        let grants = vec![
            Grant::OwnFolder(text(&own)),
            Grant::Symlink { path: text(&soft), text: "../else where".to_owned() },
            Grant::HardLink { path: text(&hard), of: text(&file) },
        ];
        for (exit, stays) in [(Some(1), false), (None, false), (Some(0), true)] {
            let made = PreparedEntries::prepare(&confinement(grants.clone())).unwrap();
            assert_eq!(std::fs::read_link(&soft).unwrap(), std::path::Path::new("../else where"));
            assert!(own.is_dir() && std::fs::read(&hard).unwrap() == b"text");
            made.tidy(exit);
            let there = [&own, &soft, &hard].map(|path| path.symlink_metadata().is_ok());
            assert_eq!(there, [stays; 3], "{exit:?}");
            assert!(file.exists(), "{exit:?}: the file has its first name still");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_made_behind_a_link_that_took_the_place_of_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("outside")).unwrap();
        symlink("outside", base.join("folder")).unwrap();
        let path = text(&base.join("folder/new"));
        for grant in [
            Grant::New(path.clone()),
            Grant::NewFolder(path.clone()),
            Grant::OwnFolder(path.clone()),
            Grant::Symlink { path: path.clone(), text: "x".to_owned() },
        ] {
            assert!(PreparedEntries::prepare(&confinement(vec![grant.clone()])).is_err(), "{grant:?}");
            assert!(base.join("outside/new").symlink_metadata().is_err(), "{grant:?}");
        }
    }

    #[test]
    fn what_was_offered_and_not_written_goes_and_what_was_written_stays_though_it_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let offered = dir.path().join("offered");
        let grants = || vec![Grant::Offered(text(&offered))];
        for exit in [Some(0), Some(1), None] {
            PreparedEntries::prepare(&confinement(grants())).unwrap().tidy(exit);
            assert!(!offered.exists(), "{exit:?}: nobody wrote it");
            for content in ["text", ""] {
                let made = PreparedEntries::prepare(&confinement(grants())).unwrap();
                std::fs::write(&offered, content).unwrap();
                made.tidy(exit);
                assert!(offered.exists(), "{exit:?}: it was written");
                std::fs::remove_file(&offered).unwrap();
            }
        }
    }

    #[test]
    fn a_mode_is_set_before_and_never_through_a_link() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        symlink(&file, &link).unwrap();
        let mode = |path: &std::path::Path| Grant::Mode { path: text(path), mode: 0o755 };
        let grants = vec![Grant::New(text(&file)), mode(&file)];
        PreparedEntries::prepare(&confinement(grants)).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o755);
        assert!(PreparedEntries::prepare(&confinement(vec![mode(&link)])).is_err());
    }

    #[test]
    fn what_took_the_place_of_a_new_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let new = dir.path().join("new");
        let made = PreparedEntries::prepare(&confinement(vec![Grant::New(text(&new))])).unwrap();
        std::fs::remove_file(&new).unwrap();
        std::fs::write(&new, "").unwrap();
        made.tidy(Some(1));
        assert!(new.exists(), "it is another file");
    }
}
