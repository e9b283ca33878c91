//! Searching a folder tree for names: as fast as `find`. What no search wants is neither looked at nor given a path.

use std::ffi::OsStr;
use std::fs::{DirEntry, FileType, ReadDir};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use artoo_gate::paths::entries::SecretEntries;
use artoo_types::tool::CallOutcome;
use parking_lot::{Condvar, Mutex};

use super::walk::{LOOK_EVERY, MAX_DEPTH, MAX_VISITED, WalkOmissions};
use crate::work::Work;

/// Most threads of one search: more of them wait for the same disk.
const MAX_THREADS: usize = 4;

/// An entry that a search comes by.
pub(crate) struct NameEntry<'a> {
    folder: &'a Path,
    pub(crate) name: &'a OsStr,
    pub(crate) kind: Option<FileType>,
}

impl NameEntry<'_> {
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(self.name)
    }
}

/// Folders that are still to be read, and how many threads read one.
struct Open {
    folders: Vec<(PathBuf, usize)>,
    busy: usize,
}

/// What all threads of a search share.
struct Search<'a, F> {
    skip: &'static [&'static str],
    root_is_secret: bool,
    work: &'a Work,
    pick: F,
    open: Mutex<Open>,
    changed: Condvar,
    visited: AtomicUsize,
    /// Nothing more is read: it has ended early, or the bound is reached.
    over: AtomicBool,
    ended: Mutex<Option<CallOutcome>>,
}

/// What `pick` makes of everything below `root` but folders of these names and what lies in them, in no order. Links are not
/// followed. Places with secrets are left out, unless the root itself is in one.
pub(crate) fn search<T: Send>(
    root: &Path,
    skip: &'static [&'static str],
    work: &Work,
    pick: impl Fn(&NameEntry<'_>) -> Option<T> + Sync,
) -> Result<(Vec<T>, WalkOmissions), CallOutcome> {
    let search = Search {
        skip,
        root_is_secret: work.places.is_secret(&root.to_string_lossy()),
        work,
        pick,
        open: Mutex::new(Open { folders: vec![(root.to_owned(), 0)], busy: 0 }),
        changed: Condvar::new(),
        visited: AtomicUsize::new(0),
        over: AtomicBool::new(false),
        ended: Mutex::new(None),
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS));
    let mut parts = Vec::new();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| search.part())).collect();
        parts.push(search.part());
        for other in others {
            match other.join() {
                Ok(part) => parts.push(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    if let Some(ended) = search.ended.into_inner() {
        return Err(ended);
    }
    let mut found = Vec::new();
    let mut omitted = WalkOmissions { cut: search.over.into_inner(), ..WalkOmissions::default() };
    for (part, left_out) in parts {
        found.extend(part);
        omitted.secret += left_out.secret;
        omitted.unreadable += left_out.unreadable;
    }
    Ok((found, omitted))
}

impl<F> Search<'_, F> {
    /// What one thread finds until no folder is left.
    fn part<T>(&self) -> (Vec<T>, WalkOmissions)
    where
        F: Fn(&NameEntry<'_>) -> Option<T>,
    {
        let mut found = Vec::new();
        let mut omitted = WalkOmissions::default();
        let mut secrets = SecretEntries::new(self.work.places.clone());
        while let Some((folder, depth)) = self.next_folder() {
            // A folder that is not read any more is no folder that cannot be read.
            if self.is_over() {
                self.open.lock().busy -= 1;
                self.changed.notify_all();
                break;
            }
            let inner = match folder.read_dir() {
                Ok(entries) => self.read(&folder, depth + 1, entries, &mut secrets, &mut found, &mut omitted),
                Err(_) => {
                    omitted.unreadable += 1;
                    Vec::new()
                }
            };
            let mut open = self.open.lock();
            open.folders.extend(inner);
            open.busy -= 1;
            self.changed.notify_all();
        }
        (found, omitted)
    }

    /// A folder to read; none when all have been read.
    fn next_folder(&self) -> Option<(PathBuf, usize)> {
        let mut open = self.open.lock();
        loop {
            if self.over.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(folder) = open.folders.pop() {
                open.busy += 1;
                return Some(folder);
            }
            if open.busy == 0 {
                return None;
            }
            self.changed.wait(&mut open);
        }
    }

    /// Reads one folder; its own folders are still to be read.
    fn read<T>(
        &self,
        folder: &Path,
        depth: usize,
        entries: ReadDir,
        secrets: &mut SecretEntries,
        found: &mut Vec<T>,
        omitted: &mut WalkOmissions,
    ) -> Vec<(PathBuf, usize)>
    where
        F: Fn(&NameEntry<'_>) -> Option<T>,
    {
        let mut inner = Vec::new();
        let folder_text = folder.to_string_lossy();
        for (at, entry) in entries.enumerate() {
            if at % LOOK_EVERY == LOOK_EVERY - 1 && self.is_over() {
                break;
            }
            let Ok(entry) = entry else {
                omitted.unreadable += 1;
                continue;
            };
            let (name, kind) = (entry.file_name(), kind(&entry));
            let text = name.to_string_lossy();
            if self.skip.contains(&text.as_ref()) {
                continue;
            }
            if !self.root_is_secret && secrets.holds(&folder_text, &text) {
                omitted.secret += 1;
                continue;
            }
            if self.visited.fetch_add(1, Ordering::Relaxed) >= MAX_VISITED {
                self.over.store(true, Ordering::Relaxed);
                break;
            }
            found.extend((self.pick)(&NameEntry { folder, name: &name, kind }));
            if kind.is_some_and(|kind| kind.is_dir()) && depth < MAX_DEPTH {
                inner.push((folder.join(&name), depth));
            }
        }
        inner
    }

    /// Whether the search has to stop.
    fn is_over(&self) -> bool {
        if let Some(ended) = self.work.ended() {
            *self.ended.lock() = Some(ended);
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed)
    }
}

/// What the entry is, as the folder tells it.
fn kind(entry: &DirEntry) -> Option<FileType> {
    entry.file_type().ok()
}

#[cfg(test)]
mod tests;
