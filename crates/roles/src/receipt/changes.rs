//! What a call did to files, on one line: what was moved as a move, paths below their common folder, and what programs
//! keep for themselves only counted.

use artoo_types::changes::{self, ToldChange, is_kept_by_a_program};
use artoo_types::evidence::{CallAct, ChangeKind, FileChange};

use crate::prompt::one_line;

/// Changes that are listed.
const LISTED: usize = 20;
/// Hex digits of a digest: enough to tell two states apart.
const SHOWN_DIGITS: usize = 12;
/// The changes with the states before and after; none where there is none.
pub(super) fn changes(act: &CallAct) -> Option<String> {
    told(act, states)
}

/// The changes by name alone.
pub(super) fn files(act: &CallAct) -> Option<String> {
    told(act, |_| String::new())
}

fn told(act: &CallAct, states: impl Fn(&FileChange) -> String) -> Option<String> {
    let (kept, shown): (Vec<&FileChange>, Vec<&FileChange>) =
        act.changes.iter().partition(|change| is_kept_by_a_program(&change.path));
    let folder = common_folder(&shown);
    let below = |path: &str| one_line(path.strip_prefix(folder.as_str()).unwrap_or(path));
    let mut parts: Vec<String> = changes::told(&shown)
        .into_iter()
        .map(|one| match one {
            ToldChange::Moved(from, to) => format!("moved {} to {}", below(&from.path), below(&to.path)),
            ToldChange::Other(one) => format!("{} {}{}", one.kind.as_str(), below(&one.path), states(one)),
        })
        .collect();
    // Of folders that were not looked into the runtime's remark tells.
    let unlisted = act.changes_omitted.saturating_sub(act.folders_unseen);
    let more = unlisted + parts.len().saturating_sub(LISTED) as u64;
    parts.truncate(LISTED);
    if more > 0 {
        parts.push(format!("{more} more that are not listed"));
    }
    if !kept.is_empty() {
        parts.push(format!("{} of caches and of git's own", kept.len()));
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
