//! The same numbers once more, by other means than the daemon's: plain Rust over the file system.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

/// Folders that hold generated files.
pub(crate) const GENERATED: &[&str] = &[".git", "target", "node_modules"];
/// Folders that hold no files of a person.
pub(crate) const INTERNAL: &[&str] = &[".git"];
/// Endings of pictures.
pub(crate) const IMAGES: &[&str] = &["jpg", "jpeg", "png"];

/// Everything below a folder, in the order of the paths; without what has one of these names.
pub(crate) fn entries(root: &Path, skipped: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in
            fs::read_dir(&folder).expect("a folder of the fixture").map(|entry| entry.expect("an entry"))
        {
            if skipped.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            if entry.file_type().expect("a type").is_dir() {
                open.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// The files below a folder.
pub(crate) fn files(root: &Path, skipped: &[&str]) -> Vec<PathBuf> {
    entries(root, skipped).into_iter().filter(|path| path.is_file()).collect()
}

/// The folders below a folder.
pub(crate) fn folders(root: &Path, skipped: &[&str]) -> Vec<PathBuf> {
    entries(root, skipped).into_iter().filter(|path| path.is_dir()).collect()
}

/// The files with one of these endings, in either case.
pub(crate) fn with_ending(files: Vec<PathBuf>, endings: &[&str]) -> Vec<PathBuf> {
    files.into_iter().filter(|path| endings.contains(&ending(path).as_str())).collect()
}

/// The ending in lower case; empty without one.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Bytes of a file.
pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path).expect("a file of the fixture").len()
}

/// What a folder and everything in it take on the disk, in KiB.
pub(crate) fn occupied_kib(root: &Path) -> f64 {
    let blocks = |path: &Path| fs::symlink_metadata(path).expect("a file of the fixture").blocks();
    let all: u64 = entries(root, &[]).iter().map(|path| blocks(path)).sum();
    // A block is half a KiB, whatever the file system says. A few thousand are exact as a floating-point number.
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    let kib = (all + blocks(root)) as f64 / 2.0;
    kib
}

/// When a file changed.
pub(crate) fn changed(path: &Path) -> SystemTime {
    fs::metadata(path).and_then(|about| about.modified()).expect("a file of the fixture")
}

/// Line ends in files.
pub(crate) fn line_ends(files: &[PathBuf]) -> usize {
    let count = |path: &PathBuf| {
        fs::read(path).expect("a file of the fixture").iter().filter(|byte| **byte == b'\n').count()
    };
    files.iter().map(count).sum()
}

/// The SHA-256 digest of a file, in hexadecimal.
pub(crate) fn digest(path: &Path) -> String {
    let content = fs::read(path).expect("a file of the fixture");
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Groups of files with the same content, of two and more; empty files are no duplicates.
pub(crate) fn duplicates(files: &[PathBuf]) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<Vec<u8>, Vec<String>> = BTreeMap::new();
    for path in files.iter().filter(|path| size(path) > 0) {
        groups.entry(fs::read(path).expect("a file of the fixture")).or_default().push(shown(path));
    }
    let mut groups: Vec<Vec<String>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

/// `path:number:line` of every line that holds one of the texts; as words of their own if `whole` is set.
pub(crate) fn lines_with(files: &[PathBuf], texts: &[&str], whole: bool) -> Vec<String> {
    let word = |found: char| found.is_alphanumeric() || found == '_';
    let holds = |line: &str, text: &str| {
        line.match_indices(text).any(|(at, _)| {
            let before = line[..at].chars().next_back().is_some_and(word);
            let after = line[at + text.len()..].chars().next().is_some_and(word);
            !whole || (!before && !after)
        })
    };
    let mut found = Vec::new();
    for path in files {
        let content = String::from_utf8_lossy(&fs::read(path).expect("a file of the fixture")).into_owned();
        for (index, line) in content.lines().enumerate() {
            if texts.iter().any(|text| holds(line, text)) {
                found.push(format!("{}:{}:{line}", shown(path), index + 1));
            }
        }
    }
    found
}

/// A path as text.
pub(crate) fn shown(path: &Path) -> String {
    path.to_str().expect("paths of the fixture are UTF-8").to_owned()
}

/// Paths as texts.
pub(crate) fn all_shown(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| shown(path)).collect()
}
