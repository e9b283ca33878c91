//! One look at the places that a call may change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{Metadata, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use artoo_gate::paths::PathRules;
use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};

use super::SurveyRoot;

/// Entries of a first look. At some 500,000 a second that is less than 50 ms. A second look has room for as many new ones.
const MAX_ENTRIES: usize = 20_000;
/// How long one look may take, reading included.
const MAX_TIME: Duration = Duration::from_millis(500);
/// Largest file of a folder that is digested before anybody knows whether it will change.
const TREE_DIGEST_BYTES: u64 = 256 << 10;
/// Files of a folder that are digested before anybody knows whether they will change.
const TREE_DIGESTS: usize = 2_000;
/// Largest file that is digested when it was named, or has changed: what `edit_file` edits at most.
const NAMED_DIGEST_BYTES: u64 = 16 << 20;
/// Bytes that one look reads: a tenth of a second for SHA-256.
const ALL_DIGEST_BYTES: u64 = 32 << 20;
/// Largest text that is kept for the difference. More lines than anybody reads.
const TEXT_BYTES: usize = 1 << 20;
/// Bytes of all texts that are kept.
const ALL_TEXT_BYTES: usize = 4 << 20;
/// Levels of folders below a named one that are looked into.
pub(super) const ALL_LEVELS: usize = 64;
/// A file that was changed so shortly before a look may change again within what its time of change can tell.
const CLOCK_GRAIN: Duration = Duration::from_secs(2);

/// Folders of what programs make for themselves: looked at last, and never read before a call.
const MADE_BY_PROGRAMS: &[&str] = &[
    "node_modules",
    "target",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".cache",
    ".venv",
    "venv",
    ".tox",
    ".gradle",
    ".next",
];
/// What counts of version control: what is committed and where the branches are, not how that is stored.
const GIT_NAMES: &[&str] = &["HEAD", "index", "refs", "packed-refs"];

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Folder,
    /// A link to this.
    Link(PathBuf),
    Other,
}

/// What a path looks like, and what it holds as far as that was read.
#[derive(Debug, Clone)]
pub(super) struct SeenEntry {
    pub(super) kind: EntryKind,
    pub(super) mode: u32,
    /// Of the file, or of what a link leads to.
    pub(super) stamp: FileStamp,
    /// SHA-256 of the content, where it was read.
    pub(super) digest: Option<String>,
    /// The content of a small text.
    pub(super) text: Option<String>,
}

/// What changes whenever a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub(super) identity: (u64, u64),
    pub(super) bytes: u64,
    pub(super) modified: (i64, i64),
    changed: (i64, i64),
}

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Look {
    pub(super) entries: BTreeMap<PathBuf, SeenEntry>,
    /// Folders all of whose names are known.
    listed: BTreeSet<PathBuf>,
    /// Folders that were not looked into.
    pub(super) unseen: BTreeSet<PathBuf>,
    /// When it began, since 1970.
    began: Duration,
}

/// A look under way.
pub(super) struct Looking<'a> {
    places: &'a PathRules,
    is_stopped: &'a dyn Fn() -> bool,
    deadline: Instant,
    most_entries: usize,
    bytes: u64,
    text_bytes: usize,
    look: Look,
    /// Folders still to be listed, and those that are looked at last.
    waiting: VecDeque<WaitingFolder>,
    last: VecDeque<WaitingFolder>,
}

struct WaitingFolder {
    path: PathBuf,
    /// Levels of folders that are listed from here on.
    levels: usize,
}

impl<'a> Looking<'a> {
    pub(super) fn new(places: &'a PathRules, is_stopped: &'a dyn Fn() -> bool) -> Self {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            places,
            is_stopped,
            deadline: Instant::now() + MAX_TIME,
            most_entries: MAX_ENTRIES,
            bytes: ALL_DIGEST_BYTES,
            text_bytes: ALL_TEXT_BYTES,
            look: Look { began, ..Look::default() },
            waiting: VecDeque::new(),
            last: VecDeque::new(),
        }
    }

    /// Looks at everything, and reads what is small or was named.
    pub(super) fn before(mut self, roots: &[SurveyRoot]) -> Look {
        for root in roots {
            self.entry(Path::new(&root.path), root.levels);
            self.read(Path::new(&root.path), NAMED_DIGEST_BYTES);
        }
        self.folders(None);
        let is_small =
            |entry: &SeenEntry| entry.kind == EntryKind::File && entry.stamp.bytes <= TREE_DIGEST_BYTES;
        let small: Vec<PathBuf> = self
            .look
            .entries
            .iter()
            .filter(|(path, entry)| is_small(entry) && !is_made_by_programs(path))
            .map(|(path, _)| path.clone())
            .take(TREE_DIGESTS)
            .collect();
        for path in small {
            self.read(&path, TREE_DIGEST_BYTES);
        }
        self.look
    }

    /// Looks at the same places again, and reads what may have changed.
    pub(super) fn after(mut self, roots: &[SurveyRoot], before: &Look) -> Look {
        self.most_entries = before.entries.len() + MAX_ENTRIES;
        for root in roots {
            self.entry(Path::new(&root.path), root.levels);
        }
        self.folders(Some(before));
        // What the first look saw and this one did not come to may still be there.
        for path in before.entries.keys() {
            if !self.look.entries.contains_key(path) {
                self.meet(path);
            }
        }
        let touched: Vec<PathBuf> = self
            .look
            .entries
            .iter()
            .filter(|(path, now)| before.entries.get(*path).is_none_or(|then| before.may_differ(then, now)))
            .map(|(path, _)| path.clone())
            .collect();
        for path in touched {
            self.read(&path, NAMED_DIGEST_BYTES);
        }
        self.look
    }

    fn is_over(&self) -> bool {
        self.look.entries.len() >= self.most_entries || Instant::now() >= self.deadline || (self.is_stopped)()
    }

    /// Lists the folders that wait. On a second look one that was there and was not listed is not listed either.
    fn folders(&mut self, before: Option<&Look>) {
        while let Some(folder) = self.waiting.pop_front().or_else(|| self.last.pop_front()) {
            let path = &folder.path;
            let was_unseen = before
                .is_some_and(|before| before.entries.contains_key(path) && !before.listed.contains(path));
            if was_unseen || self.is_over() || !self.list(&folder) {
                self.look.unseen.insert(folder.path);
            }
        }
    }

    /// Lists one folder; false when it could not be listed whole.
    fn list(&mut self, folder: &WaitingFolder) -> bool {
        let Ok(names) = std::fs::read_dir(&folder.path) else { return false };
        let is_git = folder.path.file_name().is_some_and(|name| name == ".git");
        for name in names {
            let Ok(name) = name else { return false };
            if is_git && !GIT_NAMES.iter().any(|known| name.file_name() == *known) {
                continue;
            }
            if self.look.entries.len() >= self.most_entries {
                return false;
            }
            self.entry(&name.path(), folder.levels - 1);
        }
        self.look.listed.insert(folder.path.clone());
        true
    }

    /// Meets what is at a path; a folder waits to be listed.
    fn entry(&mut self, path: &Path, levels: usize) {
        let is_new = self.meet(path);
        if !is_new || self.look.entries.get(path).is_none_or(|entry| entry.kind != EntryKind::Folder) {
            return;
        }
        let folder = WaitingFolder { path: path.to_owned(), levels };
        if levels == 0 {
            self.look.unseen.insert(folder.path);
        } else if is_made_by_programs(path) {
            self.last.push_back(folder);
        } else {
            self.waiting.push_back(folder);
        }
    }

    /// Notes what is at a path; false if nothing is, or if it was met before, or is artoo's own.
    fn meet(&mut self, path: &Path) -> bool {
        if self.look.entries.contains_key(path) || self.places.in_data_dir(&path.to_string_lossy()) {
            return false;
        }
        let Ok(meta) = path.symlink_metadata() else { return false };
        let (kind, stamp) = if meta.is_file() {
            (EntryKind::File, FileStamp::of(&meta))
        } else if meta.is_dir() {
            (EntryKind::Folder, FileStamp::of(&meta))
        } else if meta.is_symlink() {
            let to = std::fs::read_link(path).unwrap_or_default();
            // What is written through a link changes what it leads to.
            let stamp = path.metadata().map_or_else(|_| FileStamp::of(&meta), |meta| FileStamp::of(&meta));
            (EntryKind::Link(to), stamp)
        } else {
            (EntryKind::Other, FileStamp::of(&meta))
        };
        let entry = SeenEntry { kind, mode: meta.mode() & 0o7777, stamp, digest: None, text: None };
        self.look.entries.insert(path.to_owned(), entry);
        true
    }

    /// Reads the content of a file of at most `most` bytes, as far as this look may still read.
    fn read(&mut self, path: &Path, most: u64) {
        let Some(entry) = self.look.entries.get_mut(path) else { return };
        let is_over = Instant::now() >= self.deadline || entry.stamp.bytes > most.min(self.bytes);
        if entry.kind != EntryKind::File || entry.digest.is_some() || is_over {
            return;
        }
        // The digest of a short secret would tell it.
        if self.places.is_secret(&path.to_string_lossy()) {
            return;
        }
        // A link or a pipe may have come in its place, and a pipe would wait.
        let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0);
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
        let mut content = Vec::new();
        let read = file.and_then(|file| file.take(most + 1).read_to_end(&mut content));
        if read.is_err() || content.len() as u64 > most {
            return;
        }
        self.bytes = self.bytes.saturating_sub(content.len() as u64);
        entry.digest = Some(hex::encode(Sha256::digest(&content)));
        if content.len() <= TEXT_BYTES.min(self.text_bytes)
            && let Ok(text) = String::from_utf8(content)
            && !text.contains('\0')
        {
            self.text_bytes -= text.len();
            entry.text = Some(text);
        }
    }
}

impl Look {
    /// Whether what looks like this now may hold something else than what looked like that then.
    fn may_differ(&self, then: &SeenEntry, now: &SeenEntry) -> bool {
        let grain = self.began.saturating_sub(CLOCK_GRAIN).as_secs();
        let is_fresh = u64::try_from(then.stamp.changed.0).is_ok_and(|changed| changed >= grain);
        then.kind != now.kind || then.mode != now.mode || then.stamp != now.stamp || is_fresh
    }

    /// Whether what is at a path is another than it was. What was only touched, or has another attribute, is the same.
    pub(super) fn differs(&self, then: &SeenEntry, now: &SeenEntry) -> bool {
        if then.kind != now.kind || then.mode != now.mode {
            return true;
        }
        match (&then.kind, &then.digest, &now.digest) {
            (EntryKind::Folder | EntryKind::Other, _, _) => false,
            (_, Some(then), Some(now)) => then != now,
            _ => FileStamp { changed: (0, 0), ..then.stamp } != FileStamp { changed: (0, 0), ..now.stamp },
        }
    }
}

impl FileStamp {
    fn of(meta: &Metadata) -> Self {
        Self {
            identity: (meta.dev(), meta.ino()),
            bytes: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

/// Whether a path lies in a folder of what programs make for themselves, or is one.
pub(super) fn is_made_by_programs(path: &Path) -> bool {
    path.components().any(|part| MADE_BY_PROGRAMS.iter().any(|name| part.as_os_str() == *name))
}
