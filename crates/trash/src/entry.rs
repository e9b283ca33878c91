//! Places in the file system that are reached without following a single symbolic link.
//!
//! A path was judged, and a person said yes to it, with its links resolved. From then on it is walked folder by folder
//! and no link is followed, so that what is kept, restored or removed is what was judged, whatever somebody puts in the
//! way meanwhile.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Gid, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps, Uid,
};
use rustix::io::Errno;
use sha2::{Digest, Sha256};

use super::TrashError;
use super::state::{EntryMeta, EntryState};

/// Bytes that are copied or digested at once.
const CHUNK: usize = 256 << 10;
/// A file that is larger is told apart by size, number and time of change instead of its content. It is more than is ever
/// kept of one call by default, and reading it takes about a second.
const DIGEST_BYTES: u64 = 1 << 30;

/// How the digest of a file begins that was not read.
const UNREAD: &str = "unread";

/// Whether a system or its file system says with this error that it knows no such rename. Linux has one number for two of
/// these names; Apple has two, and answers with the one that Linux does not document for it.
pub fn is_unsupported(errno: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&errno)
}

/// A name in an open folder.
#[derive(Debug)]
pub(super) struct EntryAt<'a> {
    pub(super) folder: &'a OwnedFd,
    pub(super) name: &'a OsStr,
}

/// A folder and a name in it, for a path whose folder has its links resolved.
#[derive(Debug)]
pub(super) struct OwnedEntryAt {
    folder: OwnedFd,
    name: OsString,
}

impl OwnedEntryAt {
    /// Opens the folder of `path`; `None` if it does not exist.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, TrashError> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(TrashError::unexpected(path, "it is not the path of a file"));
        };
        let name = name.to_owned();
        match open_folder(parent) {
            Ok(folder) => Ok(Some(Self { folder, name })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                Err(TrashError::unexpected(path, "something else is now where its folder was"))
            }
            Err(errno) => Err(TrashError::io(parent, errno.into())),
        }
    }

    pub(super) fn spot(&self) -> EntryAt<'_> {
        EntryAt { folder: &self.folder, name: &self.name }
    }
}

/// Opens an absolute path of folders, no link followed.
pub(super) fn open_folder(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let mut folder = rustix::fs::openat(CWD, "/", flags, Mode::empty())?;
    for part in path.components() {
        match part {
            Component::Normal(name) => folder = rustix::fs::openat(&folder, name, flags, Mode::empty())?,
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir | Component::Prefix(_) => return Err(Errno::INVAL),
        }
    }
    Ok(folder)
}

impl EntryAt<'_> {
    /// What the system says of what is here; `None` if nothing is.
    pub(super) fn stat(&self) -> Result<Option<Stat>, Errno> {
        match rustix::fs::statat(self.folder, self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    /// The folder here, opened.
    pub(super) fn enter(&self) -> Result<OwnedFd, Errno> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
        rustix::fs::openat(self.folder, self.name, flags, Mode::empty())
    }

    /// The names in the folder here, sorted, at most `max` of them; `max + 1` when there are more.
    pub(super) fn names(folder: &OwnedFd, max: usize) -> Result<Vec<OsString>, Errno> {
        use std::os::unix::ffi::OsStringExt as _;
        let mut names = Vec::new();
        for entry in Dir::read_from(folder)? {
            let name = entry?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name));
            }
            if names.len() > max {
                break;
            }
        }
        names.sort();
        Ok(names)
    }

    /// The state of what is here, folders without what lies in them. A file's content is read, unless one of the `known`
    /// states was taken without reading and it is in that one.
    pub(super) fn state_as(&self, known: &[&EntryState]) -> Result<EntryState, Errno> {
        if known.iter().any(|state| is_unread(state)) {
            let here = self.state(&mut 0)?;
            if known.contains(&&here) {
                return Ok(here);
            }
        }
        self.state(&mut DIGEST_BYTES.clone())
    }

    /// The same; the content of a file is read if it has no more than `left` bytes, which it then takes from there.
    pub(super) fn state(&self, left: &mut u64) -> Result<EntryState, Errno> {
        let Some(stat) = self.stat()? else { return Ok(EntryState::Absent) };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                let meta = EntryMeta::of(&stat);
                if meta.bytes > (*left).min(DIGEST_BYTES) {
                    let digest = format!("{UNREAD} {} {} {}", stat.st_ino, meta.mtime_s, meta.mtime_ns);
                    return Ok(EntryState::File { mode: meta.mode, bytes: meta.bytes, digest });
                }
                *left -= meta.bytes;
                let (bytes, digest) = copy(&mut self.read()?.take(DIGEST_BYTES + 1), &mut std::io::sink())
                    .map_err(|e| errno(&e))?;
                Ok(EntryState::File { mode: meta.mode, bytes, digest })
            }
            FileType::Directory => Ok(EntryState::Folder { mode: EntryMeta::of(&stat).mode }),
            FileType::Symlink => Ok(self.link()?.map_or(EntryState::Other, |to| EntryState::Link { to })),
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => Ok(EntryState::Other),
        }
    }

    /// Where the link here leads; `None` if that is not text.
    pub(super) fn link(&self) -> Result<Option<String>, Errno> {
        let to = rustix::fs::readlinkat(self.folder, self.name, Vec::new())?;
        Ok(to.into_string().ok())
    }

    /// The file here, opened for reading.
    pub(super) fn read(&self) -> Result<File, Errno> {
        // A pipe that took the file's place must not hold us up.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = File::from(rustix::fs::openat(self.folder, self.name, flags, Mode::empty())?);
        if file.metadata().is_ok_and(|meta| meta.is_file()) { Ok(file) } else { Err(Errno::INVAL) }
    }

    /// A new file here, that nobody else can open until it is complete.
    pub(super) fn make(&self) -> Result<File, Errno> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(self.folder, self.name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    /// Gives what is here the name of `to`, in place of what is there; or only if nothing is.
    pub(super) fn rename(&self, to: &EntryAt<'_>, replaces: bool) -> Result<(), Errno> {
        if replaces {
            return rustix::fs::renameat(self.folder, self.name, to.folder, to.name);
        }
        match rustix::fs::renameat_with(self.folder, self.name, to.folder, to.name, RenameFlags::NOREPLACE) {
            Err(errno) if is_unsupported(errno) => match to.stat()? {
                Some(_) => Err(Errno::EXIST),
                None => rustix::fs::renameat(self.folder, self.name, to.folder, to.name),
            },
            done => done,
        }
    }

    /// Lets what is here and what is at `to` change places.
    pub(super) fn exchange(&self, to: &EntryAt<'_>) -> Result<(), Errno> {
        rustix::fs::renameat_with(self.folder, self.name, to.folder, to.name, RenameFlags::EXCHANGE)
    }

    /// Removes the file or link here.
    pub(super) fn remove(&self) -> Result<(), Errno> {
        rustix::fs::unlinkat(self.folder, self.name, AtFlags::empty())
    }

    /// Removes the empty folder here.
    pub(super) fn remove_folder(&self) -> Result<(), Errno> {
        rustix::fs::unlinkat(self.folder, self.name, AtFlags::REMOVEDIR)
    }

    /// Makes a folder here that only its owner can enter.
    pub(super) fn make_folder(&self) -> Result<(), Errno> {
        rustix::fs::mkdirat(self.folder, self.name, Mode::RWXU)
    }

    /// Makes a link here.
    pub(super) fn make_link(&self, to: &str) -> Result<(), Errno> {
        rustix::fs::symlinkat(to, self.folder, self.name)
    }

    /// Puts the folder's list of names on the disk.
    pub(super) fn sync(&self) {
        // Where folders cannot be synced, nothing more can be done.
        let _ = rustix::fs::fsync(self.folder);
    }
}

/// Whether this is the state of a file whose content was not read.
fn is_unread(state: &EntryState) -> bool {
    matches!(state, EntryState::File { digest, .. } if digest.starts_with(UNREAD))
}

/// Gives an open file or folder the owner, mode and time that were recorded. The owner only where the system allows it.
pub(super) fn dress(open: impl AsFd, meta: &EntryMeta) -> Result<(), Errno> {
    let open = open.as_fd();
    // Only the super-user may give files away; everybody else made the file and owns it already.
    let _ = rustix::fs::fchown(open, Some(Uid::from_raw(meta.uid)), Some(Gid::from_raw(meta.gid)));
    rustix::fs::fchmod(open, Mode::from_raw_mode(meta.mode as rustix::fs::RawMode))?;
    let time = Timespec { tv_sec: meta.mtime_s, tv_nsec: meta.mtime_ns as _ };
    rustix::fs::futimens(open, &Timestamps { last_access: time, last_modification: time })
}

/// Copies everything; returns how much that was and its SHA-256.
pub(super) fn copy(from: &mut impl Read, to: &mut impl Write) -> std::io::Result<(u64, String)> {
    let (mut hash, mut bytes, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK]);
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return Ok((bytes, hex::encode(hash.finalize()))),
            Ok(read) => {
                hash.update(&chunk[..read]);
                to.write_all(&chunk[..read])?;
                bytes += read as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

pub(super) fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}
