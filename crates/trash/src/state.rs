//! What is at a path, as it is recorded and compared.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustix::fs::Stat;
use serde::{Deserialize, Serialize};

/// What is at a path. Two equal states hold the same for a person: times and owners do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum EntryState {
    /// Nothing.
    Absent,
    /// A file.
    File { mode: u32, bytes: u64, digest: String },
    /// A folder, without what lies in it.
    Folder { mode: u32 },
    /// A symbolic link.
    Link { to: String },
    /// A device, a pipe, a socket, a place where another file system begins: nothing that can be kept.
    Other,
}

/// What else is recorded of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct EntryMeta {
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// Time of change, in seconds since 1970.
    pub(super) mtime_s: i64,
    /// And nanoseconds.
    pub(super) mtime_ns: i64,
    #[serde(skip)]
    pub(super) bytes: u64,
}

/// One path of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedEntry {
    pub(super) state: EntryState,
    pub(super) meta: EntryMeta,
    /// The kept copy's number, for a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) copy: Option<u32>,
}

/// Paths and what is there. What is not named is absent.
pub(super) type Tree = BTreeMap<PathBuf, RecordedEntry>;

impl EntryMeta {
    #[allow(
        clippy::cast_sign_loss,
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        clippy::cast_possible_wrap,
        reason = "the fields of the system's record have other types on other systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            mode: u32::from(stat.st_mode) & 0o7777,
            uid: stat.st_uid,
            gid: stat.st_gid,
            mtime_s: stat.st_mtime as i64,
            mtime_ns: stat.st_mtime_nsec as i64,
            bytes: stat.st_size as u64,
        }
    }
}
