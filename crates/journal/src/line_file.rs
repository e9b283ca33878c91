//! A file to which whole lines are appended, each by one write call.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde::Serialize;

use crate::line::{self, LineHash, MAX_LINE_BYTES};
use crate::repeats::Repeats;
use crate::scan::{OpenReport, Scan};
use crate::{CrashPoint, JournalError};

/// Where a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppendedLine {
    /// Byte at which the line starts.
    pub offset: u64,
    /// Its length in bytes, line feed included. `offset + len` is where the next line starts.
    pub len: u64,
}

/// What a [`LineFile`] needs of a file.
pub(crate) trait Medium: Send {
    /// One write call at the end; returns how many bytes it took.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    /// Cuts the file to `len` bytes.
    fn truncate(&mut self, len: u64) -> io::Result<()>;
    /// Returns when the content is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Medium for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// What a line has beyond its record, its line feed included: `whole` takes 19 bytes, `prev` 26, `crc` 17.
const SEAL_BYTES: usize = 64;

/// A journal is no symbolic link: what somebody else's link leads to is never cut or written.
const NO_LINK: i32 = OFlags::NOFOLLOW.bits().cast_signed();

/// What a bad line before a whole one means for the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDamage {
    /// Every line counts, and there is one at least: the file is not opened.
    Refuse,
    /// Each line stands for itself: the others still hold.
    List,
}

/// The one writer of a journal file.
pub(crate) struct LineFile {
    medium: Box<dyn Medium>,
    path: PathBuf,
    crash: CrashPoint,
    /// Where the next line starts.
    end: u64,
    last: LineHash,
    poisoned: bool,
    /// What was written before, where lines may refer to it.
    repeats: Option<Repeats>,
}

impl LineFile {
    /// Makes the file, which must not exist, and what is missing of its folder. Both are on the disk afterwards.
    pub(crate) fn create(path: &Path, crash: CrashPoint) -> Result<Self, JournalError> {
        let made = Self::create_unsynced(path, crash)?;
        sync_folder(path.parent().unwrap_or(Path::new(".")))?;
        Ok(made)
    }

    /// As [`Self::create`], without waiting until the folder's entry is on the disk.
    pub(crate) fn create_unsynced(path: &Path, crash: CrashPoint) -> Result<Self, JournalError> {
        let parent = path.parent().unwrap_or(Path::new("."));
        make_folder(parent)?;
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(path).map_err(|e| {
            if e.kind() == io::ErrorKind::AlreadyExists {
                JournalError::Exists { path: path.to_owned() }
            } else {
                JournalError::from_io("create", path, e)
            }
        })?;
        Ok(Self::over(Box::new(file), path, crash, 0, LineHash::GENESIS))
    }

    /// Opens an existing file at the end of its last whole line; a torn tail is cut. `on_line` gets the JSON of each
    /// whole line. A bad line before a whole one is an error that leaves the file as it is, or is only listed.
    pub(crate) fn open(
        path: &Path,
        crash: CrashPoint,
        damage: OnDamage,
        on_line: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<(Self, OpenReport), JournalError> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .custom_flags(NO_LINK)
            .open(path)
            .map_err(|e| JournalError::from_io("open", path, e))?;
        let scan = Scan::run(&mut file, path, on_line)?;
        let bad = scan.recovered.bad_lines.first().or(scan.beginning.as_ref());
        match (damage, bad) {
            (OnDamage::Refuse, Some(bad)) => return Err(bad.clone().into()),
            (OnDamage::Refuse, None) | (OnDamage::List, _) => {}
        }
        if scan.recovered.cut_bytes > 0 {
            file.set_len(scan.end).map_err(|e| JournalError::from_io("cut the torn end of", path, e))?;
        }
        // A process that was killed may have left lines that are not on the disk. From here on they are relied on.
        file.sync_data().map_err(|e| JournalError::from_io("sync", path, e))?;
        Ok((Self::over(Box::new(file), path, crash, scan.end, scan.last), scan.recovered))
    }

    /// Opens the file, damage being only listed, or makes it.
    pub(crate) fn open_or_create(
        path: &Path,
        crash: CrashPoint,
        on_line: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<(Self, OpenReport), JournalError> {
        match Self::open(path, crash.clone(), OnDamage::List, on_line) {
            Err(JournalError::Missing { .. }) => Ok((Self::create(path, crash)?, OpenReport::default())),
            opened => opened,
        }
    }

    pub(crate) fn over(
        medium: Box<dyn Medium>,
        path: &Path,
        crash: CrashPoint,
        end: u64,
        last: LineHash,
    ) -> Self {
        Self { medium, path: path.to_owned(), crash, end, last, poisoned: false, repeats: None }
    }

    /// Lines that are appended from here on refer to what is known of those before.
    pub(crate) fn with_references(self, repeats: Repeats) -> Self {
        Self { repeats: Some(repeats), ..self }
    }

    /// Appends the record as one line with one write call. After an error the file ends where it ended before, or the
    /// file takes nothing any more.
    pub(crate) fn append<T: Serialize>(&mut self, record: &T) -> Result<AppendedLine, JournalError> {
        self.check_usable()?;
        let encode = |source| JournalError::Encode { path: self.path.clone(), source };
        let object = serde_json::to_string(record).map_err(encode)?;
        if object.len() >= MAX_LINE_BYTES - SEAL_BYTES {
            return Err(JournalError::TooLong { path: self.path.clone(), bytes: object.len() });
        }
        let mut repeats = self.repeats.take();
        let short = repeats.as_mut().and_then(|repeats| repeats.shorten(&object, self.end));
        let sealed = line::seal(short.as_deref().unwrap_or(&object), self.last)
            .ok_or_else(|| encode(serde::ser::Error::custom("it is not an object with fields")));
        let written = sealed.and_then(|line| self.append_line(line));
        if let Some(repeats) = &mut repeats {
            match &written {
                Ok((appended, bytes)) => repeats.wrote(appended.offset, bytes),
                Err(_) => repeats.failed(),
            }
        }
        self.repeats = repeats;
        written.map(|(appended, _)| appended)
    }

    fn append_line(&mut self, line: String) -> Result<(AppendedLine, Vec<u8>), JournalError> {
        let hash = LineHash::of(&line);
        let mut bytes = line.into_bytes();
        bytes.push(b'\n');
        self.write_whole(&bytes)?;
        let appended = AppendedLine { offset: self.end, len: bytes.len() as u64 };
        self.end += appended.len;
        self.last = hash;
        Ok((appended, bytes))
    }

    /// Returns when every line is on the disk. A failure is final: the kernel may have dropped the pages and marked
    /// them clean, so that a second attempt would succeed without the data (Rebello et al., USENIX ATC 2020).
    pub(crate) fn sync(&mut self) -> Result<(), JournalError> {
        self.check_usable()?;
        if self.crash.at_sync() {
            std::process::abort();
        }
        self.medium.sync().map_err(|e| {
            self.poisoned = true;
            JournalError::from_io("sync", &self.path, e)
        })
    }

    /// Takes everything from `end` on back, as far as the disk lets that happen, and closes the file: nothing is written
    /// any more.
    pub(crate) fn take_back(&mut self, end: u64) {
        self.poisoned = true;
        if self.medium.truncate(end).is_ok() {
            self.end = end;
        }
    }

    /// Moves the file to `path`, which it replaces. [`Self::sync_entry`] makes that durable.
    pub(crate) fn rename(&mut self, path: &Path) -> Result<(), JournalError> {
        std::fs::rename(&self.path, path).map_err(|e| JournalError::from_io("replace", path, e))?;
        path.clone_into(&mut self.path);
        Ok(())
    }

    /// Returns when the file's name is on the disk. A failure is final, as in [`Self::sync`]: after a power loss another
    /// file might have the name.
    pub(crate) fn sync_entry(&mut self) -> Result<(), JournalError> {
        sync_folder(self.path.parent().unwrap_or(Path::new("."))).inspect_err(|_| self.poisoned = true)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    pub(crate) fn last(&self) -> LineHash {
        self.last
    }

    pub(crate) fn crash(&self) -> &CrashPoint {
        &self.crash
    }

    fn check_usable(&self) -> Result<(), JournalError> {
        if self.poisoned { Err(JournalError::Poisoned { path: self.path.clone() }) } else { Ok(()) }
    }

    fn write_whole(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if self.crash.at_append() {
            // The process dies with half a line in the file; whether this write works does not matter any more.
            let _ = self.medium.write(&bytes[..bytes.len() / 2]);
            std::process::abort();
        }
        let failure = match self.medium.write(bytes) {
            Ok(n) if n == bytes.len() => return Ok(()),
            // A regular file takes less than asked for only when there is no room for the rest.
            Ok(_) => io::Error::from(io::ErrorKind::StorageFull),
            Err(e) => e,
        };
        if self.medium.truncate(self.end).is_err() {
            self.poisoned = true;
        }
        Err(JournalError::from_io("append to", &self.path, failure))
    }
}

/// Makes the folder and its parents as far as they are missing, for this user alone, each entry on the disk.
fn make_folder(folder: &Path) -> Result<(), JournalError> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(Path::new("."));
    make_folder(parent)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => sync_folder(parent),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(JournalError::from_io("make", folder, e)),
    }
}

/// Returns when the names in the folder are on the disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), JournalError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder).and_then(|f| f.sync_all()).map_err(|e| JournalError::from_io("sync", folder, e))
}

#[cfg(test)]
mod tests;
