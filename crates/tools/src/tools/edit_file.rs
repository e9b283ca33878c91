//! `edit_file`: exact replacements in existing files, all of them or none.
//!
//! Bytes are compared and replaced, so that whatever else the file holds, in whatever encoding, stays as it is.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use artoo_gate::origin::of_path;
use artoo_gate::paths::{PathAccess, PathRules, canonical};
use artoo_redact::SecretKind;
use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;
use artoo_types::text::escape;
use artoo_types::tool::CallOutcome;
use rustix::fs::Access;
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::read_file::open;
use crate::files::seen::FileState;
use crate::files::walk::plain;
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, FileRights, Judgement, Permission, Reach, Recovery, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

pub(super) const ROW: ToolRow = ToolRow::of::<EditFile>(
    "edit_file",
    "replace exact pieces of text in existing files, several with edits",
)
.unasked(|rights| match rights.files {
    FileRights::Project => "; in this project at once, it is kept first",
    FileRights::Named => "; at once what the request names or this task made, others need a person's yes",
    FileRights::Nothing => "; needs a person's yes",
});

#[derive(Debug, Deserialize, JsonSchema)]
struct EditFile {
    /// the file
    path: Option<String>,
    /// the text to replace; it must occur exactly once
    old: Option<String>,
    /// the text to put there
    new: Option<String>,
    /// several replacements, made in this order or not at all
    #[serde(default)]
    edits: Vec<TextEdit>,
    /// SHA-256 of the whole file as it was read, in hex; another file is not edited
    digest: Option<String>,
}

/// One replacement.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
struct TextEdit {
    /// the file, where it is not the path of the call
    path: Option<String>,
    /// the text to replace; it must occur exactly once
    old: String,
    /// the text to put there
    new: String,
}

/// Replacements of one call. A model's reply holds far fewer.
const MAX_EDITS: usize = 64;

impl EditFile {
    /// The replacements with the file of each, as it was written.
    fn all(&self) -> Result<Vec<(String, TextEdit)>, String> {
        let single = self.old.as_ref().zip(self.new.as_ref());
        let single = single.map(|(old, new)| TextEdit { path: None, old: old.clone(), new: new.clone() });
        let with_path = |edit: TextEdit| {
            let path = edit.path.clone().or_else(|| self.path.clone());
            path.map(|path| (path, edit)).ok_or_else(|| "an edit names no file; give its `path`".to_owned())
        };
        let all: Vec<_> =
            single.into_iter().chain(self.edits.iter().cloned()).map(with_path).collect::<Result<_, _>>()?;
        match all.len() {
            0 => Err("there is nothing to replace; give `path`, `old` and `new`, or `edits`".to_owned()),
            1..=MAX_EDITS => Ok(all),
            more => Err(format!("{more} replacements are more than the {MAX_EDITS} that one call may make")),
        }
    }

    /// The normalised paths of the files, each once, those outside the workspace first: what leaves it decides how far the
    /// call reaches.
    fn files(&self, places: &PathRules) -> Result<Vec<String>, String> {
        let mut files: Vec<String> = Vec::new();
        for (path, _) in self.all()? {
            let path = places.path(&path);
            if !files.contains(&path) {
                files.push(path);
            }
        }
        let workspace = canonical(&places.workspace);
        files.sort_by_key(|path| is_below(&canonical(path), &workspace));
        Ok(files)
    }
}

impl Tool for EditFile {
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let files = match self.files(places) {
            Ok(files) => files,
            Err(why) => return Judgement::new(CallFacts::unread(ROW.name), Permission::refuse(why)),
        };
        let brings = files.iter().fold(Taint::NONE, |brings, path| brings | of_path(places, path));
        let permission =
            files.iter().map(|path| editing(path, places)).fold(Permission::Free, Permission::and);
        let target = files.first().cloned().unwrap_or_default();
        let facts =
            CallFacts::new(ROW.name, target.clone(), EffectClass::Overwrite, brings).looking_at(&target);
        Judgement::new(CallFacts { changes: Some(files), ..facts }, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Writes
    }

    fn describe(&self, target: &str) -> String {
        let told = |(path, edit): &(String, TextEdit)| {
            let file = if self.edits.is_empty() { target.to_owned() } else { escape(path) };
            format!("in {file} replace\n{}\nby\n{}", escape(&edit.old), escape(&edit.new))
        };
        self.all().map_or_else(|why| why, |all| all.iter().map(told).collect::<Vec<_>>().join("\n"))
    }

    /// Each file is replaced in one step, so it is as it was or as it was to become.
    fn recovery(&self, places: &PathRules) -> Recovery {
        let Ok(all) = self.all() else { return Recovery::Unknown };
        let states: Vec<Option<bool>> =
            all.iter().map(|(path, edit)| is_made(&places.path(path), edit)).collect();
        if states.iter().all(|state| *state == Some(true)) {
            let note = "it was changed before the daemon went down".to_owned();
            let said = all.iter().map(|(path, _)| format!("replaced in {}", places.path(path)));
            Recovery::Done(CallOutcome::done(said.collect::<Vec<_>>().join("\n")).noted([note]))
        } else if all.len() == 1 && states == [Some(false)] {
            Recovery::NotDone
        } else {
            Recovery::Unknown
        }
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(move |work| match edit(&self, work) {
            Ok((text, note)) => CallOutcome::done(text).noted(note),
            Err(message) => CallOutcome::failed(message),
        })
    }
}

/// Bytes of a file that can be edited: it is held in memory twice.
const MAX_BYTES: u64 = 16 << 20;

/// Whether the file at this normalised path may be changed.
fn editing(path: &str, places: &PathRules) -> Permission {
    let ask = Permission::ask(EffectClass::Overwrite, path, "it changes an existing file");
    match places.writing(path) {
        PathAccess::Never(why) => {
            Permission::refuse(format!("{why}, where no tool may write; name another path"))
        }
        PathAccess::Ask(reason) => ask.because(reason),
        PathAccess::Free if std::fs::metadata(path).is_err() => {
            Permission::refuse(format!("{path} does not exist; write_file makes new files"))
        }
        PathAccess::Free if places.is_project_file(path) => Permission::Free,
        PathAccess::Free => ask,
    }
}

/// A file with its replacements made, before it is written.
struct EditedFile {
    path: String,
    bytes: Vec<u8>,
    meta: std::fs::Metadata,
    said: Vec<String>,
}

/// Whether the text of a file is as this replacement leaves it; None where it might be either way.
fn is_made(path: &str, edit: &TextEdit) -> Option<bool> {
    let meta = std::fs::metadata(path).ok().filter(|meta| meta.is_file() && meta.len() <= MAX_BYTES)?;
    let bytes = std::fs::read(path).ok().filter(|bytes| bytes.len() as u64 == meta.len())?;
    let (old, new) = fitted(edit, &bytes);
    let occurs = |text: &[u8]| text.is_empty() || bytes.windows(text.len()).any(|found| found == text);
    match (occurs(&old), occurs(&new)) {
        (true, false) => Some(false),
        (false, true) if !new.is_empty() => Some(true),
        (true, true) | (false, _) => None,
    }
}

/// Replaces each `old` by its `new` where `old` occurs exactly once. All are found before the first file is written.
fn edit(arguments: &EditFile, work: &Work) -> Result<(String, Option<String>), String> {
    let mut files: Vec<EditedFile> = Vec::new();
    for (path, edit) in arguments.all()? {
        let path = canonical(&work.places.path(&path));
        let at = match files.iter().position(|file| file.path == path) {
            Some(at) => at,
            None => {
                files.push(opened(&path, arguments.digest.as_deref(), work)?);
                files.len() - 1
            }
        };
        change(&mut files[at], &edit)?;
    }
    for file in &files {
        let permissions = file.meta.permissions();
        replace(Path::new(&file.path), &file.bytes, permissions)
            .map_err(|error| format!("{}: {}", file.path, plain(&error)))?;
        if let Ok(now) = std::fs::metadata(&file.path) {
            work.seen.note(file.path.clone(), FileState::of_content(&file.bytes, &now));
        }
    }
    let linked = files.iter().find(|file| file.meta.nlink() > 1).map(|file| {
        let names = file.meta.nlink();
        format!("the file had {names} names (hard links); the others still have the text as it was")
    });
    let said: Vec<String> = files.into_iter().flat_map(|file| file.said).collect();
    Ok((said.join("\n"), linked))
}

/// The file as it is, if it may be edited and is what the task knows.
fn opened(path: &str, digest: Option<&str>, work: &Work) -> Result<EditedFile, String> {
    let say = |error: std::io::Error| format!("{path}: {}", plain(&error));
    let mut file = open(path, work)?;
    let meta = file.get_ref().metadata().map_err(say)?;
    let mut bytes = Vec::new();
    file.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(say)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("{path} is larger than {MAX_BYTES} bytes, too large to edit"));
    }
    if work.seen.has_changed(path, FileState::of_content(&bytes, &meta)) {
        return Err(format!(
            "{path} has changed since this task read it; read it again, then edit what is there now"
        ));
    }
    if let Some(wanted) = digest {
        let found = hex::encode(Sha256::digest(&bytes));
        if !wanted.trim().eq_ignore_ascii_case(&found) {
            return Err(format!("{path} has the SHA-256 {found} and not the given one; read it again"));
        }
    }
    // Replacing the file would get round what its mode forbids.
    rustix::fs::access(path, Access::WRITE_OK).map_err(|e| say(e.into()))?;
    Ok(EditedFile { path: path.to_owned(), bytes, meta, said: Vec::new() })
}

fn change(file: &mut EditedFile, edit: &TextEdit) -> Result<(), String> {
    let EditedFile { path, bytes, said, .. } = file;
    let (old, new) = fitted(edit, bytes);
    let at = only_place(bytes, &old, path)?;
    *bytes = [&bytes[..at], &new, &bytes[at + old.len()..]].concat();
    said.push(format!("replaced {} bytes by {} in {path}", old.len(), new.len()));
    Ok(())
}

/// Replaces the content of an existing file in one step, with these permissions.
pub(super) fn replace(path: &Path, content: &[u8], permissions: std::fs::Permissions) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    // Nobody else may look into it before it has the permissions of the file that it replaces.
    let mut file = tempfile::Builder::new().prefix(".artoo-").suffix(".tmp").tempfile_in(folder)?;
    file.as_file().set_permissions(permissions)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// `old` and `new` as they fit the file: with its line ends, and without the numbers of lines that a model copied from what it
/// was shown, where the file has the text without them alone.
fn fitted(edit: &TextEdit, bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let occurs = |text: &[u8]| text.is_empty() || bytes.windows(text.len()).any(|found| found == text);
    let (old, new) = in_its_line_ends(edit, bytes);
    if occurs(&old) {
        return (old, new);
    }
    let Some(plain) = without_numbers(&edit.old) else { return (old, new) };
    let put = without_numbers(&edit.new).unwrap_or_else(|| edit.new.clone());
    let plain = in_its_line_ends(&TextEdit { path: None, old: plain, new: put }, bytes);
    if occurs(&plain.0) { plain } else { (old, new) }
}

/// The lines without their numbers, where each has one, followed by a tab.
fn without_numbers(text: &str) -> Option<String> {
    let line = |line: &str| {
        let (number, rest) = line.split_once('\t')?;
        let number = number.trim_start();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| rest.to_owned())
    };
    let lines: Option<Vec<String>> = text.lines().map(line).collect();
    let end = if text.ends_with('\n') { "\n" } else { "" };
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n") + end)
}

/// `old` and `new` with the line ends of the file: where all of its lines end in CR LF, theirs do.
fn in_its_line_ends(edit: &TextEdit, bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let crlf = bytes.windows(2).filter(|pair| *pair == b"\r\n").count();
    let fit = |text: &str| {
        if ends > 0 && ends == crlf {
            text.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
        } else {
            text.as_bytes().to_vec()
        }
    };
    (fit(&edit.old), fit(&edit.new))
}

/// Where `old` occurs, when it does so exactly once. Occurrences that overlap count as several.
fn only_place(bytes: &[u8], old: &[u8], path: &str) -> Result<usize, String> {
    if old.is_empty() {
        return Err("`old` is empty; give the exact text to replace".to_owned());
    }
    let mut places =
        bytes.windows(old.len()).enumerate().filter(|(_, found)| *found == old).map(|(at, _)| at);
    match (places.next(), places.count()) {
        (Some(at), 0) => Ok(at),
        (Some(_), more) => Err(format!(
            "`old` occurs {} times in {path}; add surrounding lines so that it is unique",
            more + 1
        )),
        (None, _) if SecretKind::stands_in(&String::from_utf8_lossy(old)) => Err(format!(
            "`old` does not occur in {path}, which has a secret where `old` has a placeholder; choose a text without it"
        )),
        (None, _) => Err(format!(
            "`old` does not occur in {path}; read the file and copy the text exactly, without the numbers of its lines"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use serde_json::{Value, json};
    use sha2::{Digest as _, Sha256};

    use crate::bench::Bench;
    use artoo_types::tool::CallOutcome;

    fn edit(bench: &Bench, path: &str, old: &str, new: &str) -> CallOutcome {
        bench.run("edit_file", &json!({"path": path, "old": old, "new": new}))
    }

    fn content(bench: &Bench, name: &str) -> Vec<u8> {
        std::fs::read(bench.path(name)).unwrap()
    }

    /// The edit works and leaves these bytes.
    fn check(before: impl AsRef<[u8]>, old: &str, new: &str, after: impl AsRef<[u8]>) {
        let bench = Bench::new();
        bench.put("a.txt", before);
        let produced = edit(&bench, "a.txt", old, new);
        assert_eq!(produced.exit, Some(0), "{}", produced.output);
        assert_eq!(content(&bench, "a.txt"), after.as_ref());
    }

    #[test]
    fn everything_but_the_text_stays() {
        check("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n");
        check("a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n");
        check("a\r\nb\n", "b", "x\ny", "a\r\nx\ny\n");
        check(b"caf\xe9 one\n", "one", "zw\u{f6}lf", b"caf\xe9 zw\xc3\xb6lf\n");
        check("\u{feff}one", "one", "two", "\u{feff}two");
        check("one two", " two", "", "one");
    }

    #[test]
    fn numbers_of_lines_that_were_copied_are_no_part_of_the_text() {
        check("a\nb\nc\n", "2\tb\n3\tc\n", "2\tx\n3\ty\n", "a\nx\ny\n");
        check("a\n  b\n", "     2\t  b", "  x", "a\n  x\n");
        check("a\n", "1\ta", "", "\n");
        check("1\ta\n", "1\ta", "2\tb", "2\tb\n");
        let bench = Bench::new();
        bench.put("a.txt", "a\nb\n");
        let half = edit(&bench, "a.txt", "1\ta\nb", "x");
        assert!(half.exit == Some(1) && half.output.contains("does not occur"), "{half:?}");
    }

    #[test]
    fn after_a_crash_the_text_says_whether_the_edit_was_made() {
        use crate::tool::Recovery;
        let bench = Bench::new();
        let recovered = |content: &str| {
            bench.put("a.txt", content);
            let arguments = json!({"path": bench.path("a.txt"), "old": "one", "new": "two"}).to_string();
            let tool = crate::tools::read("edit_file", &arguments, &bench.work.installed).unwrap();
            tool.recovery(&bench.work.places)
        };
        assert!(matches!(recovered("one\n"), Recovery::NotDone));
        assert!(matches!(recovered("two\n"), Recovery::Done(outcome) if outcome.exit == Some(0)));
        assert!(matches!(recovered("one two\n"), Recovery::Unknown));
        assert!(matches!(recovered("else\n"), Recovery::Unknown), "somebody else was here");
    }

    #[test]
    fn a_file_that_changed_since_it_was_read_is_not_edited() {
        let bench = Bench::new();
        bench.put("a.txt", "one\n");
        std::os::unix::fs::symlink(bench.path("a.txt"), bench.path("link")).unwrap();
        bench.run("read_file", &json!({"path": "link"}));
        bench.put("a.txt", "one of many\n");
        for path in ["a.txt", "link"] {
            let blind = edit(&bench, path, "one", "two");
            assert!(blind.exit == Some(1) && blind.output.contains("changed since"), "{blind:?}");
        }
        assert_eq!(content(&bench, "a.txt"), b"one of many\n");
        bench.run("read_file", &json!({"path": "a.txt"}));
        assert_eq!(edit(&bench, "a.txt", "one", "two").exit, Some(0));
        // Its own edits are no surprise to it.
        assert_eq!(edit(&bench, "a.txt", "two", "three").exit, Some(0));
        assert_eq!(content(&bench, "a.txt"), b"three of many\n");
    }

    #[test]
    fn a_digest_binds_the_edit_to_one_content() {
        let bench = Bench::new();
        bench.put("a.txt", "one\n");
        let with = |digest: Value| {
            bench.run("edit_file", &json!({"path": "a.txt", "old": "one", "new": "1", "digest": digest}))
        };
        let wrong = with(json!("00"));
        assert!(wrong.exit == Some(1) && wrong.output.contains("SHA-256"), "{wrong:?}");
        assert_eq!(content(&bench, "a.txt"), b"one\n");
        let right = hex::encode_upper(Sha256::digest(b"one\n"));
        assert_eq!(with(json!(right)).exit, Some(0));
    }

    #[test]
    fn several_replacements_are_made_in_order_or_not_at_all() {
        let bench = Bench::new();
        bench.put("a.txt", "one two\n");
        bench.put("b.txt", "three\n");
        let edit = |path: &str, old: &str, new: &str| json!({"path": path, "old": old, "new": new});
        let three = [edit("a.txt", "one", "1"), edit("b.txt", "three", "3"), edit("a.txt", "1 two", "1 2")];
        let done = bench.run("edit_file", &json!({"edits": three}));
        assert_eq!(done.exit, Some(0), "{done:?}");
        assert_eq!(
            (content(&bench, "a.txt"), content(&bench, "b.txt")),
            (b"1 2\n".to_vec(), b"3\n".to_vec())
        );
        let half = json!({"path": "a.txt", "edits": [{"old": "1", "new": "one"}, edit("b.txt", "none", "")]});
        let failed = bench.run("edit_file", &half);
        assert!(failed.exit == Some(1) && failed.output.contains("does not occur"), "{failed:?}");
        assert_eq!(content(&bench, "a.txt"), b"1 2\n", "nothing is written when one of them fails");
        let specs = crate::tools::specs(&bench.work.installed, crate::tools::tests::RIGHTS);
        let edit_file = specs.into_iter().find(|spec| spec.name == "edit_file").unwrap();
        let schema: Value = serde_json::from_str(&edit_file.schema).unwrap();
        assert_eq!(schema["properties"]["edits"]["items"]["required"], json!(["old", "new"]), "{schema}");
    }

    #[test]
    fn mode_and_links_stay() {
        let bench = Bench::new();
        bench.put("a.sh", "one\n");
        std::fs::set_permissions(bench.path("a.sh"), std::fs::Permissions::from_mode(0o751)).unwrap();
        std::os::unix::fs::symlink(bench.path("a.sh"), bench.path("link")).unwrap();
        std::fs::hard_link(bench.path("a.sh"), bench.path("other")).unwrap();
        let produced = edit(&bench, "link", "one", "two");
        assert_eq!(produced.exit, Some(0), "{produced:?}");
        assert!(produced.note.unwrap().contains("2 names"));
        assert!(std::fs::symlink_metadata(bench.path("link")).unwrap().is_symlink());
        assert_eq!(
            (content(&bench, "a.sh"), content(&bench, "other")),
            (b"two\n".to_vec(), b"one\n".to_vec())
        );
        let mode = std::fs::metadata(bench.path("a.sh")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o751);
    }

    #[test]
    fn overlapping_places_are_several() {
        let bench = Bench::new();
        bench.put("a.txt", "aaa");
        let produced = edit(&bench, "a.txt", "aa", "b");
        assert!(produced.exit == Some(1) && produced.output.contains("occurs 2 times"), "{produced:?}");
        assert_eq!(content(&bench, "a.txt"), b"aaa");
    }

    #[test]
    fn what_may_not_be_written_is_not_replaced_either() {
        let bench = Bench::new();
        bench.put("a.txt", "one");
        std::fs::set_permissions(bench.path("a.txt"), std::fs::Permissions::from_mode(0o444)).unwrap();
        // Root may write everything; then nothing is shown here.
        if std::fs::File::options().write(true).open(bench.path("a.txt")).is_err() {
            assert_eq!(edit(&bench, "a.txt", "one", "two").exit, Some(1));
            assert_eq!(content(&bench, "a.txt"), b"one");
        }
    }
}
