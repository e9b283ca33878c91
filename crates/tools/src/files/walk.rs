//! Walking a folder tree within bounds.

use std::path::{Path, PathBuf};

use artoo_gate::paths::entries::SecretEntries;
use ignore::{DirEntry, WalkBuilder};
use parking_lot::Mutex;

use crate::work::Work;
use artoo_types::tool::{CallOutcome, joined_remarks};

/// Entries that one walk looks at: a large home folder has about a million. At some 300,000 entries a second it ends
/// before the deadline of a call.
pub(super) const MAX_VISITED: usize = 3_000_000;
/// Levels below the root.
pub(super) const MAX_DEPTH: usize = 64;
/// How often the clock and the stop signal are looked at, in entries.
pub(super) const LOOK_EVERY: usize = 256;

/// What a walk left out.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct WalkOmissions {
    /// Folders with secrets.
    pub(crate) secret: usize,
    /// Entries that could not be read.
    pub(crate) unreadable: usize,
    /// Whether the bound on entries ended it.
    pub(crate) cut: bool,
}

impl WalkOmissions {
    /// A remark for the receipt; `None` if nothing was left out.
    pub(crate) fn remark(&self) -> Option<String> {
        let mut remarks = Vec::new();
        if self.cut {
            remarks.push(format!("stopped after {MAX_VISITED} entries; narrow the folder"));
        }
        if self.secret > 0 {
            remarks.push(format!("{} places that may hold secrets were left out", self.secret));
        }
        if self.unreadable > 0 {
            remarks.push(format!("{} entries could not be read", self.unreadable));
        }
        joined_remarks(remarks)
    }
}

/// What of a folder is walked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WalkScope {
    /// Names of folders that are left out.
    pub(crate) skip: &'static [&'static str],
    /// What files such as `.gitignore` are for.
    pub(crate) ignore_files: IgnoreFiles,
}

/// Whether what ignore files name is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IgnoreFiles {
    /// It is, also by those of the folders above.
    Heeded,
    /// It is not.
    Unread,
}

/// Visits everything below `root` that is in the scope but not `root` itself, links not followed. Places with secrets are left
/// out, unless the root itself is in one.
pub(crate) fn walk(
    root: &Path,
    scope: WalkScope,
    work: &Work,
    mut visit: impl FnMut(&DirEntry),
) -> Result<WalkOmissions, CallOutcome> {
    let mut omitted = WalkOmissions::default();
    let root_text = root.to_string_lossy().into_owned();
    let root_is_secret = work.places.is_secret(&root_text);
    let secret_entries = Mutex::new(SecretEntries::new(work.places.clone()));
    let (secret_sender, secrets) = std::sync::mpsc::channel();
    let heeds = scope.ignore_files == IgnoreFiles::Heeded;
    let walker = WalkBuilder::new(root)
        .standard_filters(false)
        .ignore(heeds)
        .git_ignore(heeds)
        .git_exclude(heeds)
        .parents(heeds)
        .require_git(false)
        .follow_links(false)
        .max_depth(Some(MAX_DEPTH))
        .filter_entry(move |entry| {
            let name = entry.file_name().to_string_lossy();
            if entry.depth() == 0 {
                return true;
            }
            if scope.skip.contains(&name.as_ref()) {
                return false;
            }
            let folder = || entry.path().parent().unwrap_or(entry.path()).to_string_lossy();
            if !root_is_secret && secret_entries.lock().holds(&folder(), &name) {
                // The receiver outlives the walk; a lost count would only make a remark too low.
                let _ = secret_sender.send(());
                return false;
            }
            true
        })
        .build();
    for (visited, entry) in walker.enumerate() {
        if visited % LOOK_EVERY == 0
            && let Some(ended) = work.ended()
        {
            return Err(ended);
        }
        if visited >= MAX_VISITED {
            omitted.cut = true;
            break;
        }
        match entry {
            Ok(entry) if entry.depth() > 0 => visit(&entry),
            Ok(_) => {}
            Err(_) => omitted.unreadable += 1,
        }
    }
    omitted.secret = secrets.try_iter().count();
    Ok(omitted)
}

/// The folder to walk. The error says why it cannot be walked.
pub(crate) fn folder(path: &str) -> Result<PathBuf, CallOutcome> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Ok(PathBuf::from(path)),
        Ok(_) => Err(CallOutcome::failed(format!("{path} is not a folder"))),
        Err(error) => Err(CallOutcome::failed(format!("{path}: {}", plain(&error)))),
    }
}

/// An input or output error in the words that people know.
#[allow(clippy::wildcard_enum_match_arm)] // a foreign enum
pub(crate) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
