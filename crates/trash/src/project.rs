//! Which paths of a project are kept before a program runs in it that may change any of them: those that git does not ignore,
//! those that it tracks all the same, and small ignored files, for a file of settings often is one. Folders that git ignores hold
//! what programs make again, and are neither kept nor restored.
//!
//! What counts is decided once, before the call: a call that changes the rules does not change what is kept of it.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use artoo_gate::paths::project::is_guarded_in;
use artoo_types::target::is_below;
use artoo_types::undo::TargetKind;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use sha2::{Digest as _, Sha256};

use super::repository::HISTORY;
use super::tracked::tracked;
use super::{KeptProject, MAX_PATHS, TrashError};

/// Largest ignored file that is kept, in bytes: settings and notes are smaller, what programs build is larger.
const IGNORED_BYTES: u64 = 256 << 10;
/// Largest file of rules that is read, in bytes.
const RULES_BYTES: u64 = 1 << 20;
/// Levels of folders that are looked into, as many as are kept.
const MAX_DEPTH: usize = 64;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathMeasure {
    /// What it is.
    pub kind: TargetKind,
    /// Bytes of all files, as far as they were counted.
    pub bytes: u64,
    /// Files, as far as they were counted.
    pub files: u64,
    /// SHA-256 over names, numbers, sizes and times of everything below a folder.
    pub listing: String,
    /// Why it cannot be kept, or not all that would be changed with it.
    pub problem: Option<String>,
}

/// What is kept of a project.
#[derive(Debug)]
pub struct ProjectScope {
    root: PathBuf,
    /// What a person denied to change.
    denied: Vec<String>,
    device: u64,
    /// Rules of a folder for everything below it.
    rules: Vec<(PathBuf, Gitignore)>,
    /// What git tracks, and the folders above it; None where that cannot be told: then nothing counts as ignored.
    tracked: Option<BTreeSet<PathBuf>>,
    /// Ignored files that are kept, because they are small, and those that are not: what they become does not change that.
    small: BTreeSet<PathBuf>,
    large: BTreeSet<PathBuf>,
    /// Whether the history is small enough to be kept too.
    keeps_history: bool,
    measure: PathMeasure,
}

/// Counts while a project is looked through.
struct Tally {
    paths: usize,
    bytes: u64,
    files: u64,
    most_bytes: u64,
    listing: Sha256,
    /// Files with several names, by device and number.
    linked: BTreeMap<(u64, u64), LinkedFile>,
}

/// A file with several names (hard links).
struct LinkedFile {
    /// One of them.
    path: PathBuf,
    /// How many were met, and how many there are.
    met: u64,
    names: u64,
}

impl ProjectScope {
    /// Looks through the project in this folder, of which at most so many bytes are kept.
    ///
    /// # Errors
    /// Why it cannot be kept.
    pub fn look(project: &KeptProject, most_bytes: u64) -> Result<Self, TrashError> {
        let root = Path::new(&project.root);
        let meta = root.symlink_metadata().map_err(|error| TrashError::io(root, error))?;
        let measure = PathMeasure {
            kind: TargetKind::Folder,
            bytes: 0,
            files: 0,
            listing: String::new(),
            problem: None,
        };
        let mut scope = Self {
            root: root.to_owned(),
            denied: project.denied.clone(),
            device: meta.dev(),
            rules: Vec::new(),
            tracked: tracked(&root.join(".git")),
            small: BTreeSet::new(),
            large: BTreeSet::new(),
            keeps_history: false,
            measure,
        };
        scope.read_rules(root, &root.join(".git/info/exclude"));
        let mut tally = Tally::of_at_most(most_bytes);
        scope.collect(root, 0, &mut tally)?;
        scope.measure.problem = tally.linked_outside();
        scope.weigh_history(&mut tally);
        scope.measure.bytes = tally.bytes;
        scope.measure.files = tally.files;
        scope.measure.listing = hex::encode(tally.listing.finalize());
        Ok(scope)
    }

    /// How much of it is kept.
    pub fn measure(&self) -> &PathMeasure {
        &self.measure
    }

    /// Whether the history of its repository is kept with it.
    pub fn keeps_history(&self) -> bool {
        self.keeps_history
    }

    /// Whether this path below the project is for a person to decide about.
    pub(super) fn is_guarded(&self, path: &Path) -> bool {
        self.is_denied(path) || is_guarded_in(&self.root.to_string_lossy(), &path.to_string_lossy())
    }

    /// Whether a change of it was asked about in this task, and not allowed.
    pub(super) fn is_denied(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        self.denied.iter().any(|denied| is_below(&text, denied))
    }

    /// Whether nothing is kept of what is at this path.
    pub(super) fn skips(&self, path: &Path, kind: PathKind, bytes: u64, device: u64) -> bool {
        let Ok(rest) = path.strip_prefix(&self.root) else { return false };
        if device != self.device || kind == PathKind::Other {
            return true;
        }
        let parts: Vec<_> = rest.components().map(|part| part.as_os_str()).collect();
        if let Some(git) = parts.iter().position(|part| *part == ".git")
            && parts.len() > git + 1
        {
            let is_history = parts[git + 1..].iter().any(|part| *part == HISTORY || *part == "lfs");
            return is_history && !(self.keeps_history && parts[git + 1] == HISTORY && git == 0);
        }
        if parts.is_empty() || self.is_guarded(path) {
            return false;
        }
        let Some(tracked) = &self.tracked else { return false };
        let is_folder = kind == PathKind::Folder;
        if !is_folder && (self.small.contains(path) || self.large.contains(path)) {
            return self.large.contains(path);
        }
        let may_go = is_folder || bytes > IGNORED_BYTES;
        may_go && !tracked.contains(rest) && self.is_ignored(path, is_folder)
    }

    fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        // The rules of the innermost folder decide, if they say anything.
        let said =
            self.rules.iter().rev().filter(|(folder, _)| path.starts_with(folder)).find_map(|(_, rules)| {
                let matched = rules.matched_path_or_any_parents(path, is_folder);
                (!matched.is_none()).then(|| matched.is_ignore())
            });
        said.unwrap_or(false)
    }

    fn collect(&mut self, folder: &Path, depth: usize, tally: &mut Tally) -> Result<(), TrashError> {
        if depth > MAX_DEPTH {
            return self.too_much("has folders too deep in each other to be kept");
        }
        let failed = |error: std::io::Error| TrashError::io(folder, error);
        self.read_rules(folder, &folder.join(".gitignore"));
        let mut entries: Vec<_> =
            std::fs::read_dir(folder).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let Ok(meta) = path.symlink_metadata() else { continue };
            let kind = PathKind::of(&meta);
            let is_left_out = self.skips(&path, kind, meta.len(), meta.dev());
            if kind == PathKind::File && self.is_ignored(&path, false) {
                if is_left_out { &mut self.large } else { &mut self.small }.insert(path.clone());
            }
            if is_left_out {
                continue;
            }
            if path.to_str().is_none() {
                return Err(TrashError::unexpected(&path, "its name is not text, so it is not kept"));
            }
            tally.add(&path, kind, &meta);
            if tally.paths >= MAX_PATHS {
                return self.too_much(&format!(
                    "has more than {MAX_PATHS} files that git does not ignore, too many to be kept"
                ));
            }
            if tally.bytes > tally.most_bytes {
                return self.too_much(&format!(
                    "has more than {} MB that git does not ignore, too much to be kept (storage.trash_call_mib)",
                    tally.most_bytes / 1_000_000
                ));
            }
            if kind == PathKind::Folder {
                self.collect(&path, depth + 1, tally)?;
            }
        }
        Ok(())
    }

    fn too_much(&self, what: &str) -> Result<(), TrashError> {
        Err(TrashError::TooMuch(format!("{} {what}", self.root.display())))
    }

    /// Keeps the history too where it fits beside the rest.
    fn weigh_history(&mut self, tally: &mut Tally) {
        let mut more = tally.counted();
        let mut waiting = vec![self.root.join(".git").join(HISTORY)];
        while let Some(folder) = waiting.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            more.paths += 1;
            for entry in entries.flatten() {
                let path = entry.path();
                let Ok(meta) = path.symlink_metadata() else { continue };
                let kind = PathKind::of(&meta);
                more.add(&path, kind, &meta);
                if more.paths >= MAX_PATHS || more.bytes > more.most_bytes {
                    return;
                }
                if kind == PathKind::Folder {
                    waiting.push(path);
                }
            }
        }
        self.keeps_history = true;
        (tally.paths, tally.bytes, tally.files) = (more.paths, more.bytes, more.files);
    }

    /// Reads the rules in this file for what is below a folder, if there are any.
    fn read_rules(&mut self, folder: &Path, file: &Path) {
        let is_small = file.symlink_metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= RULES_BYTES);
        let Some(text) = is_small.then(|| std::fs::read_to_string(file).ok()).flatten() else { return };
        let mut builder = GitignoreBuilder::new(folder);
        for line in text.lines() {
            // A line that is no pattern ignores nothing, so more is kept.
            let _ = builder.add_line(None, line);
        }
        if let Ok(rules) = builder.build() {
            self.rules.push((folder.to_owned(), rules));
        }
    }
}

/// What is at a path, as far as keeping it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathKind {
    Folder,
    File,
    Link,
    Other,
}

impl PathKind {
    fn of(meta: &std::fs::Metadata) -> Self {
        if meta.is_dir() {
            Self::Folder
        } else if meta.is_file() {
            Self::File
        } else if meta.is_symlink() {
            Self::Link
        } else {
            Self::Other
        }
    }
}

impl Tally {
    fn of_at_most(most_bytes: u64) -> Self {
        Self { paths: 0, bytes: 0, files: 0, most_bytes, listing: Sha256::new(), linked: BTreeMap::new() }
    }

    /// A file that has a name which was not met: what is written into it is written there too, and is not put back there.
    fn linked_outside(&self) -> Option<String> {
        let file = self.linked.values().find(|file| file.met < file.names)?;
        let path = file.path.display();
        Some(format!(
            "{path} has another name (hard link) outside of the project, where a change of it shows too"
        ))
    }

    fn add(&mut self, path: &Path, kind: PathKind, meta: &std::fs::Metadata) {
        self.paths += 1;
        if kind == PathKind::File {
            self.files += 1;
            self.bytes += meta.len();
            if meta.nlink() > 1 {
                let new = || LinkedFile { path: path.to_owned(), met: 0, names: meta.nlink() };
                self.linked.entry((meta.dev(), meta.ino())).or_insert_with(new).met += 1;
            }
        }
        let line = format!(
            "{path:?} {} {:o} {} {} {}\n",
            meta.ino(),
            meta.mode(),
            meta.len(),
            meta.mtime(),
            meta.mtime_nsec()
        );
        self.listing.update(line.as_bytes());
    }

    /// The same counts with a listing of their own.
    fn counted(&self) -> Self {
        let Self { paths, bytes, files, most_bytes, .. } = *self;
        Self { paths, bytes, files, ..Self::of_at_most(most_bytes) }
    }
}
