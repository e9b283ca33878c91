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
    assert_eq!((content(&bench, "a.sh"), content(&bench, "other")), (b"two\n".to_vec(), b"one\n".to_vec()));
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
