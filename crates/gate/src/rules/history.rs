//! What `git` shows of a repository's history: text of any file that is or was in it.

use std::path::Path;

use crate::arg::Arg;
use crate::paths::canonical;
use crate::walk::Walk;

/// Subcommands that show the content of files which their words do not name.
const SHOWING: &[&str] = &[
    "show",
    "diff",
    "grep",
    "cat-file",
    "stash",
    "whatchanged",
    "diff-tree",
    "diff-index",
    "diff-files",
    "reflog",
    "rev-list",
    "show-branch",
];
/// Subcommands that take a file as it was at some time, `REVISION:PATH`.
const BY_REVISION: &[&str] = &["show", "cat-file", "diff", "blame", "annotate"];
/// Beginnings of the options of `git log` with which it shows no content of files.
const BRIEF: &[&str] = &[
    "--oneline",
    "--format",
    "--pretty",
    "--stat",
    "--shortstat",
    "--numstat",
    "--name-",
    "--since",
    "--until",
    "--after",
    "--before",
    "--author",
    "--committer",
    "--grep",
    "--graph",
    "--all",
    "--decorate",
    "--no-",
    "--reverse",
    "--date",
    "--follow",
    "--abbrev",
    "--first-parent",
    "--merges",
    "--max-count",
    "--skip",
    "--branches",
    "--tags",
    "--remotes",
    "-n",
    "-i",
    "-S",
    "-G",
];

/// Notes what a subcommand that only looks reads of the repository's history.
pub(super) fn read(command: &str, words: &[Option<String>], walk: &mut Walk<'_>) {
    if BY_REVISION.contains(&command) {
        let named = words.iter().flatten().filter(|word| !word.starts_with('-'));
        let paths: Vec<&str> = named.filter_map(|word| Some(word.split_once(':')?.1)).collect();
        for path in paths.into_iter().filter(|path| !path.is_empty()) {
            walk.path(&Arg::plain(path), true);
        }
    }
    if SHOWING.contains(&command) || command == "log" && !words.iter().all(is_brief) {
        let folder = canonical(&walk.scope.folder);
        let top = Path::new(&folder).ancestors().find(|above| above.join(".git").symlink_metadata().is_ok());
        walk.found.history.folders.extend(top.map(|top| top.to_string_lossy().into_owned()));
    }
}

/// Whether a word of `git log` has it show no content: an order of its own kind, a number, a revision or a path.
fn is_brief(word: &Option<String>) -> bool {
    let Some(word) = word else { return false };
    let is_number = word.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    !word.starts_with('-') || is_number || BRIEF.iter().any(|brief| word.starts_with(brief))
}
