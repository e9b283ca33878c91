//! What can go wrong with a journal, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use artoo_types::TaskId;
use rustix::io::Errno;

use crate::line::LineFault;

/// A line that cannot be trusted although later lines can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of {path} (byte {offset}) {fault}; the file was damaged after it was written: keep a copy of it, then restore it from a backup or move it away", path = path.display())]
pub struct BadLine {
    /// The file.
    pub path: PathBuf,
    /// 1 for the first line.
    pub line: u64,
    /// Byte at which the line starts.
    pub offset: u64,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// Why a journal could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk or the quota is full. The file is as it was before the call; the same call may be tried again.
    #[error("no space left for {path}: free some space on that disk; artoo goes on by itself afterwards", path = path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file or its folder may not be written.
    #[error("{path} cannot be written ({source}): check its owner, its permissions and whether the disk is mounted read-only", path = path.display())]
    NotWritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not exist.
    #[error("{path} does not exist: it was moved away or deleted", path = path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A journal that should be new exists.
    #[error("{path} exists already; a task has exactly one journal", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A symbolic link is in the place of the file. What it leads to is not touched.
    #[error("{path} is a symbolic link, and artoo writes its journals into no other file: remove the link, or put the file itself there", path = path.display())]
    Linked {
        /// The link.
        path: PathBuf,
    },
    /// Any other refusal of the system.
    #[error("could not {doing} {path}: {source}", path = path.display())]
    Io {
        /// What was tried, as a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line in the middle is not what was written.
    #[error(transparent)]
    BadLine(#[from] BadLine),
    /// A record came out of turn: a bug of the caller.
    #[error("{path} expects record {expected} next, not {got}", path = path.display())]
    OutOfOrder {
        /// The file.
        path: PathBuf,
        /// The ordinal that is next.
        expected: u64,
        /// The ordinal that came.
        got: u64,
    },
    /// An earlier failure left it open what is on the disk. Nothing is written any more (see
    /// [`TaskJournal::sync`](crate::TaskJournal::sync)).
    #[error("{path} is closed after a failed write to the disk; check the disk, then restart artoo-daemon, which reads back what is really there", path = path.display())]
    Poisoned {
        /// The file.
        path: PathBuf,
    },
    /// The record is longer than [`line::MAX_LINE_BYTES`](crate::line::MAX_LINE_BYTES).
    #[error("a record of {bytes} bytes is too long for {path}", path = path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// How long it is.
        bytes: usize,
    },
    /// The record has no JSON form.
    #[error("a record for {path} has no JSON form: {source}", path = path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The index does not know the task.
    #[error("no accepted task {0} is in the index")]
    UnknownTask(TaskId),
    /// The index knows the task, or its request id, already.
    #[error("task {0} or its request id is in the index already")]
    AlreadyAccepted(TaskId),
}

impl JournalError {
    /// The error for a refusal of the system while `doing` something with `path`.
    pub(crate) fn from_io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        let kind = source.kind();
        if kind == io::ErrorKind::StorageFull || kind == io::ErrorKind::QuotaExceeded {
            Self::Full { path, source }
        } else if kind == io::ErrorKind::PermissionDenied || kind == io::ErrorKind::ReadOnlyFilesystem {
            Self::NotWritable { path, source }
        } else if kind == io::ErrorKind::NotFound {
            Self::Missing { path }
        } else if source.raw_os_error() == Some(Errno::LOOP.raw_os_error()) {
            Self::Linked { path }
        } else {
            Self::Io { doing, path, source }
        }
    }
}
