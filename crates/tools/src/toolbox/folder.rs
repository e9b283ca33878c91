//! A folder of files that is no project: a command of which not all is understood runs in a box there, and may write what the
//! request names and what the task made, which is kept first. Everything else stays as the system holds it.

use std::os::unix::fs::MetadataExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use artoo_command::sandbox::{Grant, derive};
use artoo_gate::made_executable;
use artoo_gate::paths::{canonical, canonical_entry};
use artoo_types::evidence::EffectClass;
use artoo_types::target::is_below;
use artoo_types::tool::ToolCall;

use super::said::CallGrounds;
use crate::tool::{FolderBox, Judgement, Permission};

/// Files that one command is given beside those that it names: more are no few files that somebody spoke of.
const MAX_OPEN: usize = 64;
/// Words with which a command asks whether a file is there, or takes it for one that is to be kept. An empty one, made before,
/// would mislead it.
const LOOKS: &[&str] = &["exists", "is_file", "isfile", "-e ", "-f ", "-s ", "-n ", "noclobber"];
/// Words with which a program asks what is in a folder, and how many they are.
const LISTS: &[&str] =
    &["listdir", "scandir", "iterdir", "glob", "walk(", "readdir", "opendir", "Dir.", "Dir[", "find ", "ls "];
const COUNTS: &[&str] =
    &["len(", "wc ", ".length", ".size", "sum(", "count", "Counter", "scalar(", "+= 1", "+=1", "++"];
/// Bytes of a script that is looked into.
const MAX_SCRIPT: u64 = 65_536;
/// The mode of a file that a command makes.
const NEW_MODE: u32 = 0o644;

/// A file that a command is given.
struct OpenFile {
    path: String,
    grant: Grant,
    /// Whether it was the task itself that made it.
    is_own: bool,
}

impl CallGrounds<'_> {
    /// Gives a command in its box what it may write. One that would be asked about runs where all that it says it changes is
    /// among that.
    pub(super) fn open_folder(&self, call: &ToolCall, judgement: &mut Judgement) {
        let Some(mut folder) = judgement.folder.take() else { return };
        let is_free = judgement.permission == Permission::Free;
        let is_asked = matches!(judgement.permission, Permission::Ask { .. });
        let open = self.open_files(call, &folder);
        let modes = modes(&folder, &open);
        // One that says that it changes something, and not what, is asked about: the box would only keep it from that.
        let fits = modes.is_some()
            && folder.keeps_names
            && !folder.told.is_empty()
            && folder.told.iter().all(|path| self.may_change(path, &folder));
        if !(is_free || is_asked && fits) {
            return;
        }
        let closed = (judgement.facts.clone(), judgement.confinement.clone());
        let grants: Vec<Grant> =
            open.iter().map(|file| file.grant.clone()).chain(modes.unwrap_or_default()).collect();
        let changes = folder.facts.changes.get_or_insert_default();
        changes.extend(open.iter().map(|file| file.path.clone()));
        folder.facts.effect = match (open.is_empty(), open.iter().all(|file| file.is_own)) {
            (true, _) => folder.facts.effect,
            (false, true) => EffectClass::Create,
            (false, false) => EffectClass::Overwrite,
        };
        folder.facts.is_exact = true;
        judgement.facts = folder.facts;
        judgement.confinement = folder.confinement.extended(false, grants);
        judgement.permission = Permission::Free;
        judgement.closed = is_free.then(|| Box::new(closed));
    }

    /// The files that a command may write in its box: those that the request names for a change, those that it asks to make and
    /// that are not there yet, and those that the task made.
    fn open_files(&self, call: &ToolCall, folder: &FolderBox) -> Vec<OpenFile> {
        let here = canonical(&self.places.working_directory);
        let place = |name: &String| canonical_entry(&self.places.path(name));
        let missing = |path: &String| std::fs::symlink_metadata(path).is_err();
        let named = self.word.named.iter().map(place);
        let named = named.chain(self.word.made.iter().map(place).filter(missing));
        let mut open: Vec<OpenFile> = Vec::new();
        for path in self.own.paths().into_iter().chain(named) {
            let is_hidden = path.strip_prefix(&here).is_none_or(|rest| rest.contains("/."));
            let is_known = open.iter().any(|file| file.path == path)
                || folder.facts.changes.iter().flatten().any(|changed| *changed == path);
            let is_fit = is_below(&path, &here) && !is_hidden && !is_known;
            if is_fit && open.len() < MAX_OPEN && self.is_open(&path) && !self.is_denied(&path) {
                let is_own = self.own.holds(&path);
                let grant =
                    if is_own { derive::writing(&path, self.places) } else { given(call, &here, &path) };
                open.extend(grant.map(|grant| OpenFile { path, grant, is_own }));
            }
        }
        open
    }

    /// Whether a command may change what it says here: what it makes itself, and what it is given.
    fn may_change(&self, path: &str, folder: &FolderBox) -> bool {
        let place = canonical_entry(path);
        let is_made = folder.facts.changes.iter().flatten().any(|made| is_below(&place, made));
        let is_ours = match std::fs::symlink_metadata(&place) {
            Err(_) => is_made,
            Ok(meta) => self.own.holds(&place) || meta.is_file() && self.is_named(&place),
        };
        is_ours && self.is_open(path) && !self.is_denied(path)
    }
}

/// A named file as it is given: the content of one that is there and has no other name, or one that is not there yet.
fn given(call: &ToolCall, here: &str, path: &str) -> Option<Grant> {
    let Ok(meta) = std::fs::symlink_metadata(path) else {
        let (folder, name) = path.rsplit_once('/')?;
        let is_seen =
            || is_looked_for(&call.arguments, name) || would_be_counted(&call.arguments, here, name);
        return (Path::new(folder).is_dir() && !is_seen()).then(|| Grant::Offered(path.to_owned()));
    };
    (meta.is_file() && meta.nlink() == 1).then(|| Grant::Content(path.to_owned()))
}

/// Whether a command asks whether the file of this name is there, so that it must not be made beforehand: in the statement
/// that names it, or by the variable that holds it.
fn is_looked_for(arguments: &str, name: &str) -> bool {
    let statements = || arguments.split("\\n").flat_map(|line| line.split(';'));
    let looks = |statement: &str| LOOKS.iter().any(|word| statement.contains(word));
    let held = |statement: &str| {
        let (before, _) = statement.split_once('=')?;
        let variable =
            before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty())?;
        Some(variable.to_owned())
    };
    let variables: Vec<String> = statements().filter(|one| one.contains(name)).filter_map(held).collect();
    let words = |statement: &str, variable: &str| {
        statement.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == variable)
    };
    statements().filter(|statement| looks(statement)).any(|statement| {
        statement.contains(name) || variables.iter().any(|variable| words(statement, variable))
    })
}

/// Whether a command, by its own text or that of the scripts that it names, looks at what is in a folder, and either says nothing
/// of the file of this name or counts what it finds: one that was made beforehand would be among that.
fn would_be_counted(arguments: &str, here: &str, name: &str) -> bool {
    let words = arguments
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ';' | '(' | ')' | '='));
    let script = |word: &str| {
        let path = Path::new(here).join(word.trim_start_matches("./"));
        let meta = std::fs::symlink_metadata(&path).ok()?;
        let is_read = word.contains('.') && meta.is_file() && meta.len() <= MAX_SCRIPT;
        is_read.then(|| std::fs::read_to_string(&path).ok()).flatten()
    };
    let mut program = arguments.to_owned();
    for text in words.filter(|word| !word.is_empty()).take(MAX_OPEN).filter_map(script) {
        program.push('\n');
        program.push_str(&text);
    }
    let is_named = program.contains(name);
    let rest = program.replace(name, " ");
    let has = |words: &[&str]| words.iter().any(|word| rest.contains(word));
    has(LISTS) && (!is_named || has(COUNTS))
}

/// The modes that a command sets, where it only makes files executable that it makes or is given; None where it does more.
fn modes(folder: &FolderBox, open: &[OpenFile]) -> Option<Vec<Grant>> {
    let mode = |order: &artoo_gate::ModeOrder| {
        let path = canonical_entry(&order.path);
        let is_given = open.iter().any(|file| file.path == path)
            || folder.facts.changes.iter().flatten().any(|made| *made == path);
        let now = std::fs::symlink_metadata(&path).map_or(NEW_MODE, |meta| meta.permissions().mode());
        let mode = made_executable(&order.text, now & 0o7777)?;
        is_given.then_some(Grant::Mode { path, mode })
    };
    folder.modes.iter().map(mode).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_looked_for, would_be_counted};

    /// Fails where a program that counts finds a file that is only to come, or one that merges what it finds cannot write.
    #[test]
    fn what_counts_the_files_finds_none_that_is_to_come() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("count.py"), "print(len(os.listdir('.')))").unwrap();
        let here = dir.path().to_string_lossy();
        let check = |program: &str, expected: bool| {
            let arguments = serde_json::json!({ "command": program }).to_string();
            assert_eq!(would_be_counted(&arguments, &here, "count.txt"), expected, "{program}");
        };
        check("python3 -c \"import os; print(len(os.listdir('.')))\"", true);
        check("python3 count.py", true);
        check("python3 count.py > /dev/null; cat ./other.csv", true);
        check("n = len(os.listdir('.')); open('count.txt', 'w').write(str(n))", true);
        check("for p in d.glob('*.csv'): open('count.txt', 'a').write(p.read_text())", false);
        check("python3 -c \"open('count.txt', 'w').write('1')\"", false);
        check("make", false);
    }

    #[test]
    fn a_question_after_the_file_itself_is_told_from_one_after_others() {
        let check = |program: &str, expected: bool| {
            let arguments = serde_json::json!({ "command": program }).to_string();
            assert_eq!(is_looked_for(&arguments, "emails.txt"), expected, "{program}");
        };
        let write = "open('emails.txt', 'w').write(all)";
        check(&format!("files = [p for p in d.iterdir() if p.is_file()]\n{write}"), false);
        check(&format!("if not os.path.exists('emails.txt'):\n    {write}"), true);
        check("out = Path('emails.txt')\nif out.exists(): raise SystemExit\nout.write_text(all)", true);
        check("out = Path('emails.txt')\nif other.exists(): raise SystemExit\nout.write_text(all)", false);
        check("[ -e emails.txt ] || sort a > emails.txt", true);
    }
}
