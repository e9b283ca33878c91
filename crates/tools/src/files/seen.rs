//! Which files a task has read, and in which state: an edit must not meet another text than the one that was read.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// Files that are remembered. A task makes at most 5,760 calls (32 subtasks of 3 attempts with 10 calls in 6 rounds).
const MAX_FILES: usize = 8_192;

/// Texts up to this size are told apart by their content: a millisecond. Larger ones by identity, size and time of change.
const DIGEST_BYTES: u64 = 1 << 20;

/// What a file holds, as far as an edit needs to know it. Attributes, owners and modes do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileState {
    /// The digest of its content.
    Digest([u8; 32]),
    /// What changes whenever a large file is written, or replaced by another.
    Stamp { identity: (u64, u64), bytes: u64, modified: (i64, i64) },
}

/// The state of each file when this task last read it.
#[derive(Debug, Default)]
pub(crate) struct SeenFiles(Mutex<HashMap<String, FileState>>);

impl FileState {
    /// The state of an open file, whose position stays.
    pub(crate) fn of_open(file: &File, meta: &Metadata) -> Self {
        if meta.size() > DIGEST_BYTES {
            return Self::stamp(meta);
        }
        let mut content = vec![0; usize::try_from(meta.size()).unwrap_or(0)];
        match file.read_exact_at(&mut content, 0) {
            Ok(()) => Self::of_content(&content, meta),
            // It became shorter meanwhile: no later state is this one.
            Err(_) => Self::stamp(meta),
        }
    }

    /// The state of a file with this content.
    pub(crate) fn of_content(content: &[u8], meta: &Metadata) -> Self {
        if content.len() as u64 > DIGEST_BYTES {
            return Self::stamp(meta);
        }
        Self::Digest(Sha256::digest(content).into())
    }

    fn stamp(meta: &Metadata) -> Self {
        Self::Stamp {
            identity: (meta.dev(), meta.ino()),
            bytes: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
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

    /// A call of the task has shown this file, or written it, with this SHA-256 in hex. Only what was read before is compared.
    pub(crate) fn note_digest(&self, path: &str, sha256: &str) {
        let mut digest = [0; 32];
        if hex::decode_to_slice(sha256, &mut digest).is_ok()
            && let Some(state) = self.0.lock().get_mut(path)
        {
            *state = FileState::Digest(digest);
        }
    }

    /// Whether the file is in another state than when it was read. A file that was not read is in no other state.
    pub(crate) fn has_changed(&self, path: &str, now: FileState) -> bool {
        let seen = self.0.lock();
        seen.get(path).is_some_and(|then| *then != now)
    }
}
