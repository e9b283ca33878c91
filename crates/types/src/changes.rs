//! Changes of files as they are told: what came and went is nothing, what went from one place to another was moved, and what
//! programs keep for themselves is theirs.

use std::collections::BTreeMap;

use crate::evidence::{ChangeKind, FileChange};

/// Folders in which programs keep what they can make again.
const CACHES: [&str; 5] = ["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"];
/// What of git's folder says something to others than git: what it runs, and where it fetches from.
const TELLING_OF_GIT: [&str; 2] = ["hooks", "config"];

/// One change, or two that are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldChange<'a> {
    /// What was at the first path is at the second.
    Moved(&'a FileChange, &'a FileChange),
    /// Anything else.
    Other(&'a FileChange),
}

/// These changes of one call or of several, moves first: a file that is gone and one that was made with the same content.
pub fn told<'a>(changes: &[&'a FileChange]) -> Vec<ToldChange<'a>> {
    let mut waiting: BTreeMap<&str, Vec<&'a FileChange>> = BTreeMap::new();
    for made in changes.iter().filter(|change| change.kind == ChangeKind::Made).rev() {
        if let Some(digest) = &made.after {
            waiting.entry(digest).or_default().push(made);
        }
    }
    let (mut moved, mut targets) = (Vec::new(), Vec::new());
    let mut rest: Vec<&FileChange> = Vec::new();
    for change in changes {
        let digest = change.before.as_deref().filter(|_| change.kind == ChangeKind::Deleted);
        match digest.and_then(|digest| waiting.get_mut(digest)?.pop()) {
            Some(made) => {
                moved.push(ToldChange::Moved(change, made));
                targets.push(made.path.as_str());
            }
            None => rest.push(change),
        }
    }
    rest.retain(|change| change.kind != ChangeKind::Made || !targets.contains(&change.path.as_str()));
    moved.into_iter().chain(rest.into_iter().map(ToldChange::Other)).collect()
}

/// What is another after these changes, in their order, than before the first of them.
pub fn net<'a>(changes: impl Iterator<Item = &'a FileChange>) -> Vec<FileChange> {
    let mut states: BTreeMap<&str, (&FileChange, &FileChange)> = BTreeMap::new();
    for change in changes {
        states.entry(&change.path).and_modify(|(_, last)| *last = change).or_insert((change, change));
    }
    let is_left = |(first, last): &(&FileChange, &FileChange)| !first.is_undone_by(last);
    states.into_values().filter(is_left).map(|(first, last)| joined(first, last)).collect()
}

/// The first and the last change of a path as one.
fn joined(first: &FileChange, last: &FileChange) -> FileChange {
    let kind = match (first.kind, last.kind) {
        (ChangeKind::Made, _) => ChangeKind::Made,
        (_, ChangeKind::Deleted) => ChangeKind::Deleted,
        (_, ChangeKind::Made | ChangeKind::Changed) => ChangeKind::Changed,
    };
    FileChange { kind, before: first.before.clone(), ..last.clone() }
}

/// Whether a program keeps the file at this path for itself: a cache, or what git stores.
pub fn is_kept_by_a_program(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| !CACHES.contains(part) && *part != ".git");
    match (parts.next(), parts.next()) {
        (Some(".git"), next) => !next.is_some_and(|part| TELLING_OF_GIT.contains(&part)),
        (found, _) => found.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ToldChange, is_kept_by_a_program, net, told};
    use crate::evidence::{ChangeKind, FileChange};

    fn change(path: &str, kind: ChangeKind, before: &str, after: &str) -> FileChange {
        let digest = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        FileChange { path: path.to_owned(), kind, before: digest(before), after: digest(after), modes: None }
    }

    #[test]
    fn what_is_gone_here_and_made_there_was_moved_each_once() {
        let all = [
            change("/w/a", ChangeKind::Deleted, "x", ""),
            change("/w/b", ChangeKind::Deleted, "x", ""),
            change("/w/c", ChangeKind::Deleted, "y", ""),
            change("/w/d/a", ChangeKind::Made, "", "x"),
            change("/w/d/b", ChangeKind::Made, "", "x"),
            change("/w/d/new", ChangeKind::Made, "", "z"),
            change("/w/d/folder", ChangeKind::Made, "", ""),
        ];
        let refs: Vec<&FileChange> = all.iter().collect();
        let words: Vec<String> = told(&refs)
            .into_iter()
            .map(|one| match one {
                ToldChange::Moved(from, to) => format!("{} -> {}", from.path, to.path),
                ToldChange::Other(one) => format!("{} {}", one.kind.as_str(), one.path),
            })
            .collect();
        assert_eq!(
            words,
            ["/w/a -> /w/d/a", "/w/b -> /w/d/b", "deleted /w/c", "made /w/d/new", "made /w/d/folder"]
        );
    }

    #[test]
    fn what_was_put_back_is_no_change() {
        let left = |all: &[FileChange]| {
            let net = net(all.iter());
            net.into_iter().map(|one| format!("{} {}", one.kind.as_str(), one.path)).collect::<Vec<_>>()
        };
        let edit = |before: &str, after: &str| change("/w/a", ChangeKind::Changed, before, after);
        let made = change("/w/a", ChangeKind::Made, "", "x");
        let gone = change("/w/a", ChangeKind::Deleted, "x", "");
        assert_eq!(left(&[edit("x", "y")]), ["changed /w/a"]);
        assert_eq!(left(&[edit("x", "y"), edit("y", "x")]), [""; 0]);
        assert_eq!(left(&[edit("x", "y"), edit("y", "z")]), ["changed /w/a"]);
        assert_eq!(left(&[made.clone(), gone.clone()]), [""; 0]);
        assert_eq!(left(&[made.clone(), edit("x", "y")]), ["made /w/a"]);
        assert_eq!(left(&[edit("w", "x"), gone.clone()]), ["deleted /w/a"]);
        assert_eq!(left(&[gone.clone(), made.clone()]), [""; 0]);
        assert_eq!(left(&[gone, change("/w/a", ChangeKind::Made, "", "y")]), ["changed /w/a"]);
    }

    #[test]
    fn git_and_caches_keep_their_own() {
        for (path, expected) in [
            ("/w/.git/index", true),
            ("/w/.git/refs/heads/main", true),
            ("/w/.git/hooks/pre-commit", false),
            ("/w/__pycache__/a.pyc", true),
            ("/w/a.git", false),
            ("/w/.gitignore", false),
        ] {
            assert_eq!(is_kept_by_a_program(path), expected, "{path}");
        }
    }
}
