//! Which lines calls left in a file, as far as receipts tell.

use artoo_types::evidence::{ChangeKind, Receipt};

use crate::names::is_among;
use crate::{contents, shown};

/// What the calls did to the lines of one file, all together: what was written and taken back is not among it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct LinesLeft {
    /// Lines that are there now and were not before.
    pub(crate) added: Vec<String>,
    /// Lines that were there before and are gone.
    pub(crate) removed: Vec<String>,
    /// Lines that stand around those.
    pub(crate) around: Vec<String>,
    /// The calls made the file, so that what was added is all of it.
    pub(crate) is_whole: bool,
}

impl LinesLeft {
    /// Nothing of the file is another now.
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    fn add(&mut self, line: &str) {
        match self.removed.iter().position(|gone| gone == line) {
            Some(at) => drop(self.removed.remove(at)),
            None => self.added.push(line.to_owned()),
        }
    }

    fn remove(&mut self, line: &str) {
        match self.added.iter().position(|new| new == line) {
            Some(at) => drop(self.added.remove(at)),
            None => self.removed.push(line.to_owned()),
        }
    }

    fn read(&mut self, written: &str) {
        let is_difference = written.lines().any(|line| line.starts_with("@@"));
        if !is_difference {
            *self = Self { is_whole: true, ..Self::default() };
            self.added = written.lines().map(str::to_owned).collect();
            return;
        }
        let changes = written.lines().skip_while(|line| !line.starts_with("@@"));
        // What goes is taken away first, so that an edit that only moves a line leaves nothing.
        let changes: Vec<&str> = changes.filter(|line| !line.starts_with("@@")).collect();
        for line in &changes {
            if let Some(gone) = line.strip_prefix('-') {
                self.remove(gone);
            }
        }
        for line in &changes {
            if let Some(new) = line.strip_prefix('+') {
                self.add(new);
            } else if let Some(same) = line.strip_prefix(' ') {
                self.around.push(same.to_owned());
            }
        }
    }
}

/// What the calls left at a path; nothing where they did not change it, or a receipt does not show all that was written.
pub(crate) fn left_at(receipts: &[&Receipt], path: &str) -> Option<LinesLeft> {
    let mut left: Option<LinesLeft> = None;
    for receipt in receipts {
        let mut at_path =
            receipt.act.changes.iter().filter(|change| is_among([change.path.as_str()].into_iter(), path));
        let Some(change) = at_path.next() else { continue };
        if change.kind == ChangeKind::Deleted {
            left = None;
            continue;
        }
        let written = written_at(receipt, &change.path)?;
        if written.contains("characters omitted") {
            return None;
        }
        left.get_or_insert_default().read(&written);
    }
    left
}

/// Every path that the calls changed, each once.
pub(crate) fn changed_paths<'a>(receipts: &[&'a Receipt]) -> Vec<&'a str> {
    let mut paths: Vec<&str> =
        receipts.iter().flat_map(|receipt| &receipt.act.changes).map(|change| change.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// What a call wrote to one file: of several texts each names its own. Where a command only repeats words, they are in it.
fn written_at(receipt: &Receipt, path: &str) -> Option<String> {
    let Some(written) = receipt.act.written.as_deref() else {
        let command = shown::command(receipt)?;
        let repeats = shown::programs(receipt).all(|program| contents::SAYING.contains(&program));
        let is_all = [">>", "<", "$", "-a "].iter().all(|part| !command.contains(part));
        return (repeats && is_all).then_some(command);
    };
    let Some(rest) = written.strip_prefix("=== ") else {
        let is_only = receipt.act.changes.len() == 1 && receipt.act.changes_omitted == 0;
        return is_only.then(|| written.to_owned());
    };
    let own = rest.split("\n=== ").find_map(|part| part.strip_prefix(path)?.strip_prefix('\n'));
    own.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
    use artoo_types::{EffectId, EvidenceId};

    use super::left_at;

    fn call(n: u64, path: &str, kind: ChangeKind, written: Option<&str>) -> Receipt {
        let mut receipt = Receipt::quiet(EvidenceId::receipt(EffectId(n)), "edit_file");
        receipt.act.changes =
            vec![FileChange { path: path.to_owned(), kind, before: None, after: None, modes: None }];
        receipt.act.written = written.map(str::to_owned);
        receipt
    }

    /// A reader of the last call alone would take a slip that was put right for what is there.
    #[test]
    fn several_edits_leave_what_they_come_to() {
        let edits = [
            call(
                1,
                "/w/c.ini",
                ChangeKind::Changed,
                Some("@@ -1,2 +1,2 @@\n host = x\n-port = 1\n+port = 3\n"),
            ),
            call(
                2,
                "/w/c.ini",
                ChangeKind::Changed,
                Some("@@ -1,2 +1,2 @@\n host = x\n-port = 3\n+port = 2\n"),
            ),
        ];
        let left = left_at(&edits.iter().collect::<Vec<_>>(), "./c.ini").expect("both edits are shown");
        assert_eq!((left.removed, left.added), (vec!["port = 1".to_owned()], vec!["port = 2".to_owned()]));
        assert!(!left.is_whole);
        let made = call(1, "/w/n.txt", ChangeKind::Made, Some("one\ntwo\n"));
        let left = left_at(&[&made], "n.txt").expect("the text is shown");
        assert!(left.is_whole && left.added == ["one", "two"]);
    }

    #[test]
    fn what_no_receipt_shows_whole_is_not_known() {
        let hidden = call(1, "/w/c.ini", ChangeKind::Changed, None);
        assert_eq!(left_at(&[&hidden], "./c.ini"), None);
        let cut = call(1, "/w/c.ini", ChangeKind::Made, Some("a\n[... 9 characters omitted ...]\nb"));
        assert_eq!(left_at(&[&cut], "./c.ini"), None);
        let gone = call(2, "/w/n.txt", ChangeKind::Deleted, None);
        let made = call(1, "/w/n.txt", ChangeKind::Made, Some("one\n"));
        assert_eq!(left_at(&[&made, &gone], "n.txt"), None);
        assert_eq!(left_at(&[&made], "other.txt"), None);
    }

    #[test]
    fn of_several_files_each_has_its_own_text() {
        let mut both = call(1, "/w/a.txt", ChangeKind::Made, Some("=== /w/a.txt\n1\n=== /w/b.txt\n2"));
        both.act.changes.push(FileChange { path: "/w/b.txt".to_owned(), ..both.act.changes[0].clone() });
        assert_eq!(left_at(&[&both], "b.txt").map(|left| left.added), Some(vec!["2".to_owned()]));
    }
}
