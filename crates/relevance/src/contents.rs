//! What calls left at a path, by the digests that the runtime took.

use std::collections::BTreeMap;

use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
use artoo_types::tool::names::{SHELL, WRITE_FILE};

use crate::figures::written_text;
use crate::names::{is_among, mentions};
use crate::shown::programs;

/// SHA-256 of nothing.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// Programs that make files and folders without content.
const EMPTY_MAKERS: [&str; 8] = ["mkdir", "touch", "true", ":", "cd", "ls", "test", "truncate"];
/// Programs that write what they are told.
pub(crate) const SAYING: [&str; 4] = ["echo", "printf", "tee", "cat"];

/// What came to be at the path is not empty, as far as digests tell.
pub(crate) fn filled(receipts: &[&Receipt], path: &str) -> Result<(), String> {
    if receipts.iter().any(|receipt| receipt.act.changes_omitted > 0) {
        return Ok(());
    }
    let mut last: BTreeMap<&str, bool> = BTreeMap::new();
    for (receipt, change) in changes_at(receipts, path) {
        // A folder has no digest, and neither has a large file: the program tells which it is.
        let is_empty = match (change.kind, change.after.as_deref()) {
            (ChangeKind::Deleted, _) | (_, Some(EMPTY)) => true,
            (_, Some(_)) => false,
            (_, None) => {
                receipt.tool == SHELL && programs(receipt).all(|program| EMPTY_MAKERS.contains(&program))
            }
        };
        last.insert(&change.path, is_empty);
    }
    if last.is_empty() || last.values().any(|is_empty| !is_empty) {
        return Ok(());
    }
    Err(format!("what came to be at {path} is empty; write what it is to hold"))
}

/// What is at `to` is what was at `from`, as far as digests tell.
pub(crate) fn moved(receipts: &[&Receipt], from: &str, to: &str) -> Result<(), String> {
    let taken = changes_at(receipts, from).filter(|(_, change)| change.kind == ChangeKind::Deleted);
    let before = taken.filter_map(|(_, change)| change.before.as_deref()).last();
    let after = changes_at(receipts, to).filter_map(|(_, change)| change.after.as_deref()).last();
    match (before, after) {
        (Some(before), Some(after)) if before != after => {
            Err(format!("{to} does not hold what {from} held; move it instead of writing it anew"))
        }
        _ => Ok(()),
    }
}

/// What is at `to` was taken from `from`: a text that was dictated stands in the output of a call that read the original.
pub(crate) fn copied(receipts: &[&Receipt], from: &str, to: &str) -> Result<(), String> {
    let Some((last, _)) = changes_at(receipts, to).filter(|(_, change)| change.after.is_some()).last() else {
        return Ok(());
    };
    let dictated = last.tool == WRITE_FILE || programs(last).all(|program| SAYING.contains(&program));
    let Some(written) = written_text(last).filter(|_| dictated && !mentions(&last.arguments, from)) else {
        return Ok(());
    };
    let is_cut = receipts.iter().any(|receipt| receipt.handle.is_some());
    let read = receipts.iter().any(|receipt| {
        let about = mentions(&receipt.arguments, from) || mentions(&receipt.target, from);
        about && receipt.succeeded() && receipt.output.contains(written.trim())
    });
    if is_cut || read {
        return Ok(());
    }
    Err(format!("{} wrote to {to} what no call read from {from}; copy it", last.id))
}

/// The calls left something else at the path than was there before, as far as digests tell.
pub(crate) fn differs(receipts: &[&Receipt], path: &str) -> Result<(), String> {
    if receipts.iter().any(|receipt| receipt.act.changes_omitted > 0) {
        return Ok(());
    }
    let mut states: BTreeMap<&str, (&FileChange, &FileChange)> = BTreeMap::new();
    for (_, change) in changes_at(receipts, path) {
        states.entry(&change.path).and_modify(|(_, last)| *last = change).or_insert((change, change));
    }
    let is_as_before = |(first, last): &(&FileChange, &FileChange)| first.is_undone_by(last);
    if states.is_empty() || !states.values().all(is_as_before) {
        return Ok(());
    }
    Err(format!("{path} is again what it was before the task"))
}

fn changes_at<'a>(
    receipts: &[&'a Receipt],
    path: &str,
) -> impl Iterator<Item = (&'a Receipt, &'a FileChange)> {
    let all =
        receipts.iter().flat_map(|receipt| receipt.act.changes.iter().map(move |change| (*receipt, change)));
    all.filter(move |(_, change)| is_among([change.path.as_str()].into_iter(), path))
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{ChangeKind, EffectClass, FileChange, Receipt};
    use artoo_types::{EffectId, EvidenceId};

    use super::{EMPTY, differs, filled, moved};

    fn call(program: &str, path: &str, kind: ChangeKind, states: [Option<&str>; 2]) -> Receipt {
        let [before, after] = states.map(|digest| digest.map(str::to_owned));
        let mut receipt = Receipt::quiet(EvidenceId::receipt(EffectId(1)), "shell");
        receipt.classes = vec![format!("shell:{program}")];
        receipt.effect = EffectClass::Create;
        receipt.act.changes = vec![FileChange { path: path.to_owned(), kind, before, after, modes: None }];
        receipt
    }

    #[test]
    fn what_is_empty_or_as_before_or_another_file_is_told() {
        use ChangeKind::{Changed, Deleted, Made};
        let empty = call("touch", "/w/r.md", Made, [None, Some(EMPTY)]);
        let full = call("tee", "/w/r.md", Changed, [Some(EMPTY), Some("aa")]);
        let folder = call("mkdir", "/w/backup", Made, [None, None]);
        let copied = call("cp", "/w/backup/a", Made, [None, Some("aa")]);
        assert!(filled(&[&empty], "./r.md").is_err());
        assert!(filled(&[&empty, &full], "./r.md").is_ok());
        assert!(filled(&[&folder], "./backup").is_err());
        assert!(filled(&[&folder, &copied], "./backup").is_ok());
        assert!(
            filled(&[&call("cp", "/w/backup", Made, [None, None])], "./backup").is_ok(),
            "an empty folder was copied"
        );

        let there = call("sed", "/w/c.txt", Changed, [Some("aa"), Some("bb")]);
        let back = call("sed", "/w/c.txt", Changed, [Some("bb"), Some("aa")]);
        assert!(differs(&[&there], "./c.txt").is_ok());
        assert!(differs(&[&there, &back], "./c.txt").is_err());
        assert!(
            differs(&[&back, &there, &call("sed", "/w/c.txt", Changed, [Some("bb"), Some("cc")])], "./c.txt")
                .is_ok()
        );

        let gone = call("rm", "/w/m.txt", Deleted, [Some("aa"), None]);
        let new = |digest| call("tee", "/w/archive/m.txt", Made, [None, Some(digest)]);
        assert!(moved(&[&gone, &new("bb")], "./m.txt", "./archive/m.txt").is_err());
        assert!(moved(&[&gone, &new("aa")], "./m.txt", "./archive/m.txt").is_ok());
    }
}
