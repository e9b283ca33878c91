//! Links in a folder through which a program that reads all of it would come to secrets.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::paths::{PathRules, canonical};

/// Entries that are looked at, nearest first: some milliseconds. Links that lead out of a project are made by hand, near
/// its top; and none that leads to a secret is made unasked.
const MAX_ENTRIES: usize = 1_000;
/// Links whose end is looked up.
const MAX_LINKS: usize = 64;

/// Whether a link below this folder leads to a secret, or to a folder with secrets in it, or a file outside the roots has the
/// name of one. The folder's own links are resolved, those below it are not followed any further. A large folder is looked at
/// in part.
pub(crate) fn lead_to_secrets(folder: &str, paths: &PathRules) -> bool {
    let mut open = VecDeque::from([PathBuf::from(canonical(folder))]);
    let (mut entries, mut links) = (0, 0);
    let is_outside = !paths.in_roots(&canonical(folder));
    while let Some(folder) = open.pop_front() {
        // What cannot be read here cannot be read by the command either.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MAX_ENTRIES || links > MAX_LINKS {
                return false;
            }
            let Ok(kind) = entry.file_type() else { continue };
            if is_outside && paths.is_secret(&entry.path().to_string_lossy()) {
                return true;
            }
            if kind.is_dir() {
                open.push_back(entry.path());
            } else if kind.is_symlink() {
                links += 1;
                let end = canonical(&entry.path().to_string_lossy());
                if paths.is_secret(&end) || paths.holds_secrets_below(&end) {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests;
