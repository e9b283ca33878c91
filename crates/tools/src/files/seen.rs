//! Which files a task has read, and in which state: an edit must not meet another text than the one that was read.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

use parking_lot::Mutex;

/// Files that are remembered. A task makes at most 3,840 calls (32 subtasks of 3 attempts with 10 calls in 4 rounds).
const MAX_FILES: usize = 4_096;

/// What changes whenever a file is written, replaced or put in the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileState {
    identity: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// The state of each file when this task last read it.
#[derive(Debug, Default)]
pub(crate) struct SeenFiles(Mutex<HashMap<String, FileState>>);

impl FileState {
    /// The state that this describes.
    pub(crate) fn of(meta: &Metadata) -> Self {
        Self {
            identity: (meta.dev(), meta.ino()),
            bytes: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

impl SeenFiles {
    /// The file with this real path was read, or written, and is in this state now.
    pub(crate) fn note(&self, path: String, state: FileState) {
        let mut seen = self.0.lock();
        if seen.len() < MAX_FILES || seen.contains_key(&path) {
            seen.insert(path, state);
        }
    }

    /// Whether the file is in another state than when it was read. A file that was not read is in no other state.
    pub(crate) fn has_changed(&self, path: &str, now: FileState) -> bool {
        let seen = self.0.lock();
        seen.get(path).is_some_and(|then| *then != now)
    }
}
