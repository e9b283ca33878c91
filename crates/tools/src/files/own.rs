//! What a task has made itself: new files and folders, each as it was after the last call that made or changed it. A file that
//! somebody else has changed since is theirs as well.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use artoo_gate::paths::canonical_entry;
use artoo_types::evidence::{ChangeKind, EffectClass, Receipt};
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// Paths that are remembered, as many as files that were read.
const MAX_PATHS: usize = 4_096;
/// Largest file that is compared: what `edit_file` edits at most.
const MAX_BYTES: u64 = 16 << 20;
/// Entries below a folder that are compared. A folder with more is nobody's own.
const MAX_ENTRIES: usize = 512;

/// What a task made at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum MadeEntry {
    /// A file with this SHA-256, in hex.
    File(String),
    Folder,
    /// Nothing: something was here that was not the task's. What it puts in its place is not its own either.
    Theirs,
}

/// What one task made.
#[derive(Debug, Default)]
pub(crate) struct OwnFiles(Mutex<HashMap<String, MadeEntry>>);

impl OwnFiles {
    /// Learns from a receipt what was made, and what became of what was made before.
    pub(crate) fn learn(&self, receipt: &Receipt) {
        let mut made = self.0.lock();
        let mut moved: Vec<MadeEntry> = Vec::new();
        for change in receipt.act.changes.iter().filter(|change| change.kind == ChangeKind::Deleted) {
            match made.insert(canonical_entry(&change.path), MadeEntry::Theirs) {
                Some(MadeEntry::Theirs) | None => {}
                Some(own) => {
                    moved.push(own);
                    made.remove(&canonical_entry(&change.path));
                }
            }
        }
        for change in receipt.act.changes.iter().filter(|change| change.kind != ChangeKind::Deleted) {
            let path = canonical_entry(&change.path);
            let after = match &change.after {
                Some(digest) => MadeEntry::File(digest.clone()),
                None if Path::new(&path).symlink_metadata().is_ok_and(|meta| meta.is_dir()) => {
                    MadeEntry::Folder
                }
                None => continue,
            };
            let known = made.get(&path);
            let is_own = match (change.kind, known) {
                (_, Some(MadeEntry::Theirs)) => false,
                // A call that only makes something new is told what; of another nobody knows who made it.
                (ChangeKind::Made, _) => {
                    let is_within = || {
                        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
                        folder.is_some_and(|folder| made.get(folder) == Some(&MadeEntry::Folder))
                    };
                    let is_told = receipt.effect == EffectClass::Create || receipt.act.is_exact;
                    is_told || moved.contains(&after) || is_within()
                }
                (ChangeKind::Changed | ChangeKind::Deleted, known) => {
                    known.is_some() && known == change.before.clone().map(MadeEntry::File).as_ref()
                }
            };
            if made.len() < MAX_PATHS || known.is_some() {
                made.insert(path, if is_own { after } else { MadeEntry::Theirs });
            }
        }
    }

    /// The paths at which the task made something, the first first.
    pub(crate) fn paths(&self) -> Vec<String> {
        let made = self.0.lock();
        let own = made.iter().filter(|(_, entry)| **entry != MadeEntry::Theirs);
        let mut paths: Vec<String> = own.map(|(path, _)| path.clone()).collect();
        paths.sort();
        paths
    }

    /// Whether what is at this path was made by the task, with all that lies in it, and is as its last call left it.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let made = self.0.lock();
        let mut left = MAX_ENTRIES;
        is_own(&made, &canonical_entry(path), &mut left)
    }
}

fn is_own(made: &HashMap<String, MadeEntry>, path: &str, left: &mut usize) -> bool {
    let Some(entry) = made.get(path) else { return false };
    let Ok(meta) = Path::new(path).symlink_metadata() else { return false };
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match entry {
        // Another name of a file is another file's too.
        MadeEntry::File(digest) => {
            meta.is_file() && meta.nlink() == 1 && content(path, &meta).as_ref() == Some(digest)
        }
        MadeEntry::Theirs => false,
        MadeEntry::Folder => {
            let Ok(entries) = std::fs::read_dir(path) else { return false };
            meta.is_dir()
                && entries.into_iter().all(|entry| {
                    entry.is_ok_and(|entry| {
                        is_own(made, &format!("{path}/{}", entry.file_name().to_string_lossy()), left)
                    })
                })
        }
    }
}

/// SHA-256 of a file, in hex; None if it is too large or cannot be read.
fn content(path: &str, meta: &Metadata) -> Option<String> {
    if meta.size() > MAX_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).ok()?;
    Some(hex::encode(Sha256::digest(&bytes)))
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::evidence::{ChangeKind, EffectClass, FileChange, Receipt};
    use sha2::{Digest as _, Sha256};

    use super::OwnFiles;

    fn digest(text: &str) -> Option<String> {
        Some(hex::encode(Sha256::digest(text)))
    }

    #[test]
    fn what_takes_the_place_of_something_of_another_is_no_file_of_the_tasks_own() {
        let folder = tempfile::tempdir().unwrap();
        let path =
            |name: &str| folder.path().canonicalize().unwrap().join(name).to_string_lossy().into_owned();
        for name in ["new", "moved", "theirs"] {
            std::fs::write(path(name), "x").unwrap();
        }
        let own = OwnFiles::default();
        let learn = |effect, changes: &[(&str, ChangeKind, Option<&str>, Option<&str>)]| {
            let change =
                |(name, kind, before, after): &(&str, ChangeKind, Option<&str>, Option<&str>)| FileChange {
                    path: path(name),
                    kind: *kind,
                    before: before.and_then(digest),
                    after: after.and_then(digest),
                    modes: None,
                };
            let mut receipt = Receipt { effect, ..Receipt::quiet(EvidenceId("r1".to_owned()), "shell") };
            receipt.act.changes = changes.iter().map(change).collect();
            own.learn(&receipt);
        };
        learn(EffectClass::Create, &[("new", ChangeKind::Made, None, Some("x"))]);
        assert!(own.holds(&path("new")) && !own.holds(&path("theirs")));
        learn(EffectClass::Overwrite, &[("theirs", ChangeKind::Deleted, Some("x"), None)]);
        learn(EffectClass::Create, &[("theirs", ChangeKind::Made, None, Some("x"))]);
        assert!(!own.holds(&path("theirs")), "something of another was there");
        learn(
            EffectClass::Overwrite,
            &[("new", ChangeKind::Deleted, Some("x"), None), ("moved", ChangeKind::Made, None, Some("x"))],
        );
        assert!(own.holds(&path("moved")), "it has another name now");
        learn(EffectClass::Overwrite, &[("moved", ChangeKind::Changed, Some("y"), Some("x"))]);
        assert!(!own.holds(&path("moved")), "somebody else had changed it");
    }
}
