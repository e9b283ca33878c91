//! What a call did to files, on one line: what was moved as a move, paths below their common folder, and what programs
//! keep for themselves only counted.

use artoo_types::evidence::{CallAct, ChangeKind, FileChange};

use crate::prompt::one_line;

/// Changes that are listed.
const LISTED: usize = 20;
/// Hex digits of a digest: enough to tell two states apart.
const SHOWN_DIGITS: usize = 12;
/// Folders in which programs keep what they can make again.
const CACHES: [&str; 5] = ["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"];
/// What of git's folder says something to others than git: what it runs, and where it fetches from.
const TELLING_OF_GIT: [&str; 2] = ["hooks", "config"];

/// The changes; none where there is none.
pub(super) fn changes(act: &CallAct) -> Option<String> {
    let (kept, shown): (Vec<&FileChange>, Vec<&FileChange>) =
        act.changes.iter().partition(|change| is_kept_by_a_program(&change.path));
    let folder = common_folder(&shown);
    let below = |path: &str| one_line(path.strip_prefix(folder.as_str()).unwrap_or(path));
    let mut parts = Vec::new();
    let mut told = vec![false; shown.len()];
    for (at, gone) in shown.iter().enumerate().filter(|(_, c)| c.kind == ChangeKind::Deleted) {
        let is_here = |(i, c): &(usize, &&FileChange)| {
            !told[*i] && c.kind == ChangeKind::Made && c.after.is_some() && c.after == gone.before
        };
        let Some((to, made)) = shown.iter().enumerate().find(is_here) else { continue };
        parts.push(format!("moved {} to {}", below(&gone.path), below(&made.path)));
        (told[at], told[to]) = (true, true);
    }
    let rest = shown.iter().zip(&told).filter(|(_, told)| !**told);
    parts.extend(
        rest.map(|(change, _)| format!("{} {}{}", change.kind.as_str(), below(&change.path), states(change))),
    );
    let more = act.changes_omitted + parts.len().saturating_sub(LISTED) as u64;
    parts.truncate(LISTED);
    if !kept.is_empty() {
        parts.push(format!("{} of caches and of git's own", kept.len()));
    }
    if more > 0 {
        parts.push(format!("{more} more, or places that were not looked at"));
    }
    let place = if folder.is_empty() {
        String::new()
    } else {
        format!("in {}: ", one_line(folder.trim_end_matches('/')))
    };
    (!parts.is_empty()).then(|| format!("{place}{}", parts.join("; ")))
}

/// The folder that holds them all, with its slash; empty for one change alone, whose path is told whole.
fn common_folder(changes: &[&FileChange]) -> String {
    let [first, rest @ ..] = changes else { return String::new() };
    if rest.is_empty() {
        return String::new();
    }
    let shared = |a: &str, b: &str| {
        let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        a.as_bytes()[..same].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)
    };
    let length = rest.iter().map(|change| shared(&first.path, &change.path)).min().unwrap_or(0);
    // The root of everything is no place.
    if length <= 1 { String::new() } else { first.path[..length].to_owned() }
}

fn is_kept_by_a_program(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| !CACHES.contains(part) && *part != ".git");
    match (parts.next(), parts.next()) {
        (Some(".git"), next) => !next.is_some_and(|part| TELLING_OF_GIT.contains(&part)),
        (found, _) => found.is_some(),
    }
}

/// ` mode 0644 -> 0755 (3fa9c1d2b0e4 to 77ab01cd93f2)`.
fn states(change: &FileChange) -> String {
    let short =
        |digest: &Option<String>| digest.as_ref().map(|d| d.chars().take(SHOWN_DIGITS).collect::<String>());
    let mode = change.modes.map(|modes| format!(" {modes}")).unwrap_or_default();
    match (change.kind, short(&change.before), short(&change.after)) {
        (ChangeKind::Changed, Some(before), Some(after)) if before != after => {
            format!("{mode} ({before} to {after})")
        }
        (ChangeKind::Made, _, Some(after)) => format!(" ({after})"),
        (ChangeKind::Made | ChangeKind::Changed | ChangeKind::Deleted, _, _) => mode,
    }
}
