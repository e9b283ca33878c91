//! Listings of paths that were checked, and into which words a shell or `xargs` splits them.

use std::collections::VecDeque;
use std::path::PathBuf;

use super::creation::Creation;

/// Entries that are looked at, nearest first. A folder with more is taken for one whose names may hold anything.
const MAX_ENTRIES: usize = 20_000;

/// What `find` prints: paths at or below folders that were checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    /// The folders, resolved, each with its text in the command, which every path begins with.
    pub(super) roots: Vec<(String, String)>,
    /// Each path ends in a NUL.
    pub(super) ends_in_zero: bool,
    /// Levels below a folder that are listed; all when none.
    pub(super) depth: Option<usize>,
}

/// How a listing is split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Splitting {
    /// At blanks and line ends, quotes and patterns having a meaning.
    Blanks,
    /// At line ends, quotes having a meaning.
    Lines,
    /// At NULs.
    Zeros,
    /// At any other character, which a path may hold.
    Mark,
}

impl Listing {
    /// Whether each word that this listing is split into is one of its paths.
    pub(crate) fn stays_whole(&self, splitting: Splitting, made: &[Creation]) -> bool {
        let splits: &[char] = match splitting {
            Splitting::Zeros => return self.ends_in_zero,
            Splitting::Mark => return false,
            Splitting::Lines => &['\n', '\'', '"', '\\'],
            Splitting::Blanks => &[' ', '\t', '\n', '\'', '"', '\\', '*', '?', '['],
        };
        let fits = |name: &str| !name.contains(splits) && !name.contains(char::is_control);
        !self.ends_in_zero
            && self.roots.iter().all(|(_, text)| fits(text))
            && made.iter().all(|creation| fits(&creation.path))
            && self.roots.iter().all(|(folder, _)| names_below(folder, self.depth, &fits))
    }
}

/// Whether all names below a folder are like this, and not too many to be looked at.
fn names_below(folder: &str, depth: Option<usize>, fits: &dyn Fn(&str) -> bool) -> bool {
    let mut open = VecDeque::from([(PathBuf::from(folder), 0)]);
    let mut entries = 0;
    while let Some((folder, level)) = open.pop_front() {
        if depth.is_some_and(|depth| level >= depth) {
            continue;
        }
        // What cannot be read here cannot be listed by the command either.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MAX_ENTRIES || !fits(&entry.file_name().to_string_lossy()) {
                return false;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push_back((entry.path(), level + 1));
            }
        }
    }
    true
}
