//! What an undo spares of a repository. The files of a repository name each other, so taking back a part of them breaks it:
//! either all of it goes back, or nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of a repository with its history: written once and never changed, and often larger than all the rest.
pub(super) const HISTORY: &str = "objects";
/// The folder of a repository beside its work tree.
const REPOSITORY: &str = ".git";

/// The outermost folder `.git` that this path is or lies in.
pub(super) fn repository_of(path: &Path) -> Option<PathBuf> {
    let mut above = path.ancestors().filter(|above| above.file_name().is_some_and(|name| name == REPOSITORY));
    above.by_ref().last().map(Path::to_owned)
}

/// Whether this path is or lies in the history of a repository: what is in there is named by its content, harms nobody where
/// nothing speaks of it, and is missed where something does.
pub(super) fn is_history(path: &Path) -> bool {
    let mut parts = path.components().skip_while(|part| part.as_os_str() != REPOSITORY);
    parts.any(|part| part.as_os_str() == HISTORY)
}

/// Whether all that lies at and below this path is among these. What cannot be looked at is not.
pub(super) fn is_all_of(known: &BTreeSet<&Path>, path: &Path) -> bool {
    if !known.contains(path) {
        return false;
    }
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => std::fs::read_dir(path).is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| is_all_of(known, &entry.path())))
        }),
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Why nothing of a repository is taken back of which a part was changed by somebody else.
pub(super) fn why_left_alone(is_added_to: bool) -> String {
    if is_added_to {
        "the task made this repository and somebody else put something into it since, so all of it is left alone".to_owned()
    } else {
        "a part of this repository was changed since, and taking back the rest would break it, so all of it is left alone; \
         --force restores it all the same and puts what is there into the trash"
            .to_owned()
    }
}
