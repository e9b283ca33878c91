//! Files: which ones criteria name, which of them a receipt speaks of, and which ones calls changed. As in [`crate::deeds`],
//! nothing is said where it is not sure.

use std::collections::BTreeSet;

use artoo_types::evidence::{ChangeKind, Receipt};
use artoo_types::target::{Bases, is_below, normal_path};
use artoo_types::tool::names::WRITE_FILE;
use serde::{Deserialize, Serialize};

/// Names that are watched for: more than the criteria of any plan name; what is over is not judged.
const MAX_NAMES: usize = 256;
/// Characters of the longest name.
const MAX_NAME_CHARS: usize = 200;
/// Letters and digits of the longest ending of a file's name.
const MAX_ENDING: usize = 8;
/// Letters of the shortest name with its ending: shorter ones are abbreviations ("e.g").
const MIN_LETTERS: usize = 3;

/// The file names of all criteria, in the order in which they came.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct NamedFiles(Vec<String>);

impl NamedFiles {
    /// Takes in what a criterion names.
    pub(crate) fn add(&mut self, criterion: &str) {
        for name in file_names(criterion) {
            if self.0.len() < MAX_NAMES && !self.0.contains(&name) {
                self.0.push(name);
            }
        }
    }

    /// Which of the names the receipt says nothing of. A receipt that does not hold all that the call showed, or that
    /// works with patterns, may be about any.
    pub(crate) fn unmentioned(&self, receipt: &Receipt) -> BTreeSet<usize> {
        let act = &receipt.act;
        let is_cut = receipt.output_bytes > receipt.output.len() as u64 || act.changes_omitted > 0;
        if is_cut || receipt.arguments.contains(['*', '?']) {
            return BTreeSet::new();
        }
        let texts = [
            receipt.arguments.as_str(),
            &receipt.target,
            &receipt.output,
            receipt.note.as_deref().unwrap_or_default(),
            act.written.as_deref().unwrap_or_default(),
        ];
        let said: Vec<String> = texts.into_iter().map(str::to_lowercase).collect();
        let changed: Vec<String> = act.changes.iter().map(|change| change.path.to_lowercase()).collect();
        let is_said = |name: &str| said.iter().chain(&changed).any(|text| text.contains(name));
        self.0.iter().enumerate().filter(|(_, name)| !is_said(name)).map(|(at, _)| at).collect()
    }

    /// What the criterion names, where a receipt that is silent on these says nothing of any of it.
    pub(crate) fn all_unmentioned(&self, criterion: &str, silent_on: &BTreeSet<usize>) -> Option<String> {
        let names = file_names(criterion);
        let is_unmentioned = |name: &String| {
            self.0.iter().position(|known| known == name).is_some_and(|at| silent_on.contains(&at))
        };
        (!names.is_empty() && names.iter().all(is_unmentioned)).then(|| names.join(", "))
    }
}

/// What calls made, changed and deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ChangedFiles(BTreeSet<ChangedFile>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct ChangedFile {
    path: String,
    /// It came or went, and with a folder all that lies in it.
    whole: bool,
    /// By the tool that may put bare names into the workspace.
    typed: bool,
}

impl ChangedFiles {
    /// Takes in what a call changed.
    pub(crate) fn note(&mut self, receipt: &Receipt) {
        self.0.extend(receipt.act.changes.iter().map(|change| ChangedFile {
            path: change.path.trim_end_matches('/').to_owned(),
            whole: change.kind != ChangeKind::Changed,
            typed: receipt.tool == WRITE_FILE,
        }));
    }

    /// Whether anything was changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the changes is of what this path of a check names: of it, of something in it, or of a folder that it
    /// came or went with.
    pub(crate) fn touch(&self, path: &str, working_directory: &str) -> bool {
        let path = path.trim();
        let here = Bases { working_directory, workspace: working_directory, home: working_directory };
        let normal = normal_path(path.strip_prefix("~/").unwrap_or(path), here);
        let is_bare = !path.contains('/');
        let below_home = path.strip_prefix("~/").map(|rest| format!("/{rest}"));
        self.0.iter().any(|changed| match &below_home {
            Some(end) => changed.path.ends_with(end) || changed.path.contains(&format!("{end}/")),
            None => {
                is_below(&changed.path, &normal)
                    || changed.whole && is_below(&normal, &changed.path)
                    || is_bare && changed.is_in_workspace(path, working_directory)
            }
        })
    }
}

impl ChangedFile {
    /// Whether it may be the file that a bare name means: it lies in the workspace, and where that is nobody told the
    /// auditor.
    fn is_in_workspace(&self, name: &str, working_directory: &str) -> bool {
        let is_elsewhere = working_directory.is_empty() || !is_below(&self.path, working_directory);
        self.path.rsplit('/').next() == Some(name) && (self.typed || is_elsewhere)
    }
}

/// The last parts of what a text clearly names as files, in small letters: a stem, a dot and an ending. Names in other
/// letters than Latin ones run into the words around them.
fn file_names(text: &str) -> Vec<String> {
    let separates =
        |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | '~' | '+' | '@' | ':'));
    text.split(separates).filter(|word| !word.contains("://")).filter_map(file_name).collect()
}

fn file_name(word: &str) -> Option<String> {
    let last = word.trim_end_matches(['.', ':', '/']).rsplit(['/', ':']).next()?;
    let (stem, ending) = last.rsplit_once('.')?;
    let has_letter = |part: &str| part.chars().any(|c| c.is_ascii_alphabetic());
    let is_name = (1..=MAX_ENDING).contains(&ending.len())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && has_letter(ending)
        && has_letter(stem)
        && stem.len() + ending.len() >= MIN_LETTERS
        && last.len() <= MAX_NAME_CHARS;
    is_name.then(|| last.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{ChangedFiles, file_names};
    use artoo_types::EvidenceId;
    use artoo_types::evidence::{ChangeKind, FileChange, Receipt};

    #[test]
    fn only_what_is_clearly_a_file_is_one() {
        let check = |text: &str, names: &[&str]| assert_eq!(file_names(text), names, "{text}");
        check("The file `notes/Report.md` was created.", &["report.md"]);
        check("日志a.log已删除, and b.tar.gz too", &["a.log", "b.tar.gz"]);
        check("It is 3.14, e.g. 1,250.00 and/or v1.2 at 5 p.m.", &[]);
        check("The page at https://example.com/a.html is quoted", &[]);
        check("待办.md exists", &[]);
    }

    /// Whether a check on `path` in `/w` is touched by a change of `changed` that `tool` made.
    #[track_caller]
    fn touches(path: &str, (tool, changed, kind): (&str, &str, ChangeKind), expected: bool) {
        let mut receipt = Receipt::quiet(EvidenceId("r1".to_owned()), tool);
        receipt.act.changes =
            vec![FileChange { path: changed.to_owned(), kind, before: None, after: None, modes: None }];
        let mut files = ChangedFiles::default();
        files.note(&receipt);
        assert_eq!(files.touch(path, "/w"), expected, "{path} by {changed}");
    }

    #[test]
    fn a_path_is_compared_as_a_whole() {
        use ChangeKind::{Changed, Made};
        touches("out/report.md", ("shell", "/w/out/report.md", Changed), true);
        touches("./out/../out/report.md", ("shell", "/w/out/report.md", Changed), true);
        touches("out/report.md", ("shell", "/w/old/report.md", Changed), false);
        touches("/etc/report.md", ("shell", "/w/report.md", Changed), false);
        touches("out", ("shell", "/w/out/report.md", Made), true);
        touches("out/report.md", ("shell", "/w/out", Made), true);
        touches("out/report.md", ("shell", "/w/out", Changed), false);
        touches("~/a/report.md", ("shell", "/home/u/a/report.md", Changed), true);
        touches("~/a/report.md", ("shell", "/home/u/b/report.md", Changed), false);
    }

    #[test]
    fn a_bare_name_is_in_the_working_folder_or_in_the_workspace() {
        let made = |tool, path| (tool, path, ChangeKind::Made);
        touches("report.md", made("shell", "/w/report.md"), true);
        touches("report.md", made("shell", "/w/old/report.md"), false);
        touches("report.md", made("shell", "/home/u/workspace/report.md"), true);
        touches("report.md", made("write_file", "/w/workspace/report.md"), true);
        touches("report.md", made("write_file", "/w/workspace/other.md"), false);
    }
}
