//! The copies of one call: each file once, and what a task keeps again and again is not copied again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::Stat;
use rustix::io::Errno;

use super::entry::{EntryAt, copy, errno};
use super::manifest::sync_folder;
use super::state::{EntryMeta, EntryState, RecordedEntry};
use super::walk::MetEntry;
use super::{IsStopped, TrashError};

/// Copies up to this many are synced one by one; of more, the whole disk is synced at once where that can be done.
const SYNC_EACH: u32 = 64;
/// A file that was changed so shortly before it was copied may change again within what its time of change can tell.
const CLOCK_GRAIN_S: i64 = 2;

/// What tells one content of a file from every other that may come to lie at its path: it cannot be set by a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    inode: u64,
    bytes: i64,
    changed: (i64, i64),
}

/// Files as they were copied last, and where the copies are.
pub(super) type KeptCopies = BTreeMap<PathBuf, KeptCopy>;

/// A file that was copied.
#[derive(Debug, Clone)]
pub(super) struct KeptCopy {
    stamp: FileStamp,
    pub(super) state: EntryState,
    copy: PathBuf,
}

impl KeptCopy {
    /// The copy lies in this folder now.
    pub(super) fn move_to(&mut self, folder: &Path) {
        self.copy = folder.join(self.copy.file_name().unwrap_or_default());
    }
}

impl FileStamp {
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        clippy::cast_possible_wrap,
        reason = "the fields of the system's record have other types on other systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            inode: stat.st_ino as u64,
            bytes: stat.st_size as i64,
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

/// The state of a file that is as it was when it was copied.
pub(super) fn unchanged(copies: &KeptCopies, path: &Path, stat: &Stat) -> Option<EntryState> {
    copies.get(path).filter(|kept| kept.stamp == FileStamp::of(stat)).map(|kept| kept.state.clone())
}

/// A file that is read until the call is told to stop.
struct StoppableReader<'a, R> {
    from: R,
    stop: IsStopped<'a>,
}

impl<R: Read> Read for StoppableReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if (self.stop)() {
            return Err(Errno::CANCELED.into());
        }
        self.from.read(buffer)
    }
}

/// The copies of one call.
pub(super) struct Copies<'a> {
    pub(super) folder: PathBuf,
    pub(super) limit: u64,
    /// Bytes of all files.
    pub(super) bytes: u64,
    /// Those of them that lie in an earlier copy.
    pub(super) shared: u64,
    pub(super) count: u32,
    pub(super) stop: IsStopped<'a>,
    /// What was kept before for the same task.
    pub(super) earlier: KeptCopies,
    /// What is kept now.
    pub(super) kept: KeptCopies,
    /// When the copying began, in seconds since 1970.
    pub(super) began_s: i64,
}

impl Copies<'_> {
    pub(super) fn node(&mut self, met: &MetEntry<'_>) -> Result<RecordedEntry, TrashError> {
        if (self.stop)() {
            return Err(TrashError::TooMuch("stopped while what it would change was being kept".to_owned()));
        }
        let failed = |errno: Errno| TrashError::io(met.path, errno.into());
        let meta = EntryMeta::of(met.stat);
        let is_file =
            rustix::fs::FileType::from_raw_mode(met.stat.st_mode) == rustix::fs::FileType::RegularFile;
        if !is_file {
            let state =
                if met.is_foreign { EntryState::Other } else { met.spot.state(&mut 0).map_err(failed)? };
            if state == EntryState::Other {
                return Err(TrashError::unexpected(met.path, "it is nothing that can be kept"));
            }
            return Ok(RecordedEntry { state, meta, copy: None });
        }
        if self.bytes + meta.bytes > self.limit {
            return Err(TrashError::TooMuch("it has grown beyond what is kept of one call".to_owned()));
        }
        let number = self.count;
        self.count += 1;
        if let Some(state) = self.linked(met, number) {
            self.bytes += meta.bytes;
            self.shared += meta.bytes;
            return Ok(RecordedEntry { state, meta, copy: Some(number) });
        }
        let (bytes, digest) = self.file(&met.spot, number).map_err(failed)?;
        self.bytes += bytes;
        if self.bytes > self.limit {
            return Err(TrashError::TooMuch("it has grown beyond what is kept of one call".to_owned()));
        }
        let state = EntryState::File { mode: meta.mode, bytes, digest };
        let stamp = FileStamp::of(met.stat);
        if bytes == meta.bytes && stamp.changed.0 < self.began_s - CLOCK_GRAIN_S {
            let copy = self.place(number);
            self.kept.insert(met.path.to_owned(), KeptCopy { stamp, state: state.clone(), copy });
        }
        Ok(RecordedEntry { state, meta, copy: Some(number) })
    }

    /// Takes the copy of an earlier call where the file is still what it was then.
    fn linked(&mut self, met: &MetEntry<'_>, number: u32) -> Option<EntryState> {
        let state = unchanged(&self.earlier, met.path, met.stat)?;
        let kept = self.earlier.remove(met.path)?;
        let copy = self.place(number);
        // What was swept meanwhile is copied anew.
        std::fs::hard_link(&kept.copy, &copy).ok()?;
        self.kept.insert(met.path.to_owned(), KeptCopy { copy, ..kept });
        Some(state)
    }

    fn place(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{number:06}"))
    }

    fn file(&self, spot: &EntryAt<'_>, number: u32) -> Result<(u64, String), Errno> {
        let from = StoppableReader { from: spot.read()?, stop: self.stop };
        let path = self.place(number);
        let to = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path);
        let mut to = to.map_err(|e| errno(&e))?;
        // Of a file that grows meanwhile no more is taken than shows that it is too large.
        let most = (self.limit - self.bytes).saturating_add(1);
        let done = if shares(&to, &from.from) {
            copy(&mut StoppableReader { from: &to, stop: self.stop }, &mut std::io::sink())
        } else {
            copy(&mut from.take(most), &mut to)
        };
        let done = done.map_err(|e| errno(&e))?;
        if number <= SYNC_EACH {
            to.sync_all().map_err(|e| errno(&e))?;
        }
        Ok(done)
    }

    pub(super) fn sync(&self) -> Result<(), TrashError> {
        if self.count > SYNC_EACH {
            sync_all_of(&self.folder, self.count)?;
        }
        sync_folder(&self.folder)
    }
}

/// Makes one file share the blocks of another; false where the file system cannot.
#[cfg(target_os = "linux")]
fn shares(to: &File, from: &File) -> bool {
    rustix::fs::ioctl_ficlone(to, from).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn shares(_: &File, _: &File) -> bool {
    false
}

#[cfg(target_os = "linux")]
fn sync_all_of(folder: &Path, _: u32) -> Result<(), TrashError> {
    let failed = |error| TrashError::io(folder, error);
    rustix::fs::syncfs(File::open(folder).map_err(failed)?).map_err(|errno| failed(errno.into()))
}

#[cfg(not(target_os = "linux"))]
fn sync_all_of(folder: &Path, count: u32) -> Result<(), TrashError> {
    for number in SYNC_EACH + 1..count {
        let path = folder.join(format!("{number:06}"));
        File::open(&path).and_then(|file| file.sync_all()).map_err(|error| TrashError::io(&path, error))?;
    }
    Ok(())
}
