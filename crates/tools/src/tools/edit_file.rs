//! `edit_file`: one exact replacement in an existing file.
//!
//! Bytes are compared and replaced, so that whatever else the file holds, in whatever encoding, stays as it is.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use artoo_gate::origin::of_path;
use artoo_gate::paths::{PathAccess, PathRules, canonical};
use artoo_redact::SecretKind;
use artoo_types::evidence::EffectClass;
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
use crate::tool::{CallFacts, Judgement, Permission, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

pub(super) const ROW: ToolRow = ToolRow::of::<EditFile>(
    "edit_file",
    "replace one exact piece of text in an existing file; outside of a project a person may be asked first",
);

#[derive(Debug, Deserialize, JsonSchema)]
struct EditFile {
    /// the file
    path: String,
    /// the text to replace; it must occur exactly once
    old: String,
    /// the text to put there
    new: String,
    /// SHA-256 of the whole file as it was read, in hex; another file is not edited
    digest: Option<String>,
}

impl Tool for EditFile {
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let path = places.path(&self.path);
        let (permission, brings) = (editing(&path, places), of_path(places, &path));
        let facts = CallFacts::new(ROW.name, path.clone(), EffectClass::Overwrite, brings).looking_at(&path);
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Writes
    }

    fn describe(&self, target: &str) -> String {
        format!("in {target} replace\n{}\nby\n{}", escape(&self.old), escape(&self.new))
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

/// Replaces `old` by `new` where `old` occurs exactly once.
fn edit(arguments: &EditFile, work: &Work) -> Result<(String, Option<String>), String> {
    let path = canonical(&work.places.path(&arguments.path));
    let say = |error: std::io::Error| format!("{path}: {}", plain(&error));
    let mut file = open(&path, work)?;
    let meta = file.get_ref().metadata().map_err(say)?;
    let mut bytes = Vec::new();
    file.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(say)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("{path} is larger than {MAX_BYTES} bytes, too large to edit"));
    }
    if work.seen.has_changed(&path, FileState::of_content(&bytes, &meta)) {
        return Err(format!(
            "{path} has changed since this task read it; read it again, then edit what is there now"
        ));
    }
    if let Some(wanted) = &arguments.digest {
        let found = hex::encode(Sha256::digest(&bytes));
        if !wanted.trim().eq_ignore_ascii_case(&found) {
            return Err(format!("{path} has the SHA-256 {found} and not the given one; read it again"));
        }
    }
    let (old, new) = in_its_line_ends(arguments, &bytes);
    let at = only_place(&bytes, &old, &path)?;
    // Replacing the file would get round what its mode forbids.
    rustix::fs::access(&path, Access::WRITE_OK).map_err(|e| say(e.into()))?;
    let edited = [&bytes[..at], &new, &bytes[at + old.len()..]].concat();
    replace(Path::new(&path), &edited).map_err(say)?;
    if let Ok(now) = std::fs::metadata(&path) {
        work.seen.note(path.clone(), FileState::of_content(&edited, &now));
    }
    let note = (meta.nlink() > 1).then(|| {
        format!("the file had {} names (hard links); the others still have the text as it was", meta.nlink())
    });
    Ok((format!("replaced {} bytes by {} in {path}", old.len(), new.len()), note))
}

/// Replaces the content of an existing file in one step, keeping its permissions.
fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let permissions = path.metadata()?.permissions();
    let folder = path.parent().unwrap_or(Path::new("/"));
    // Nobody else may look into it before it has the permissions of the file that it replaces.
    let mut file = tempfile::Builder::new().prefix(".artoo-").suffix(".tmp").tempfile_in(folder)?;
    file.as_file().set_permissions(permissions)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// `old` and `new` with the line ends of the file: where all of its lines end in CR LF, theirs do.
fn in_its_line_ends(arguments: &EditFile, bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    let crlf = bytes.windows(2).filter(|pair| *pair == b"\r\n").count();
    let fit = |text: &str| {
        if ends > 0 && ends == crlf {
            text.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
        } else {
            text.as_bytes().to_vec()
        }
    };
    (fit(&arguments.old), fit(&arguments.new))
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
        (None, _) => Err(format!("`old` does not occur in {path}; read the file and copy the text exactly")),
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
