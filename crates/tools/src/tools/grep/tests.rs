use artoo_types::evidence::CallEnd;
use serde_json::json;

use crate::bench::Bench;

fn folder() -> Bench {
    let bench = Bench::new();
    for (name, text) in [
        ("a.rs", "fn one() {\n    two();\n}\n"),
        ("src/b.rs", "fn two() {}\n// TWO again\n"),
        ("notes.md", "two\r\nthree\n"),
        ("out/c.rs", "fn two() {}\n"),
        (".gitignore", "out/\n"),
        (".git/config", "two\n"),
        (".env", "TOKEN=two\n"),
        ("报告.txt", "第二 two\n"),
    ] {
        bench.put(name, text);
    }
    bench.put("picture.png", b"\x89PNG\r\n\x1a\n two two");
    bench
}

#[test]
fn lines_that_match_are_shown_with_file_and_number() {
    let bench = folder();
    let cases = [
        (
            json!({"pattern": "two"}),
            "a.rs:2:    two();\nnotes.md:1:two\nsrc/b.rs:1:fn two() {}\n报告.txt:1:第二 two",
        ),
        (json!({"pattern": "^fn two\\(", "glob": "*.rs"}), "src/b.rs:1:fn two() {}"),
        (
            json!({"pattern": "two", "path": "src", "ignore_case": true}),
            "src/b.rs:1:fn two() {}\nsrc/b.rs:2:// TWO again",
        ),
        (
            json!({"pattern": "two", "glob": "*.rs", "ignored": true}),
            "a.rs:2:    two();\nout/c.rs:1:fn two() {}\nsrc/b.rs:1:fn two() {}",
        ),
        (json!({"pattern": "two", "path": "a.rs", "context": 1}), "1-fn one() {\n2:    two();\n3-}"),
        (json!({"pattern": "第.", "path": "."}), "报告.txt:1:第二 two"),
        (json!({"pattern": "four"}), "(no match)"),
    ];
    for (arguments, output) in cases {
        bench.check("grep", &arguments, 0, output);
    }
    let note = bench.run("grep", &json!({"pattern": "two"})).note.unwrap();
    assert!(note.contains("1 binary files") && note.contains("secrets"), "{note}");
}

#[test]
fn groups_of_lines_are_kept_apart_and_no_line_is_shown_twice() {
    let bench = Bench::new();
    bench.put("a.txt", "x1\na\nx2\nb\nc\nd\nx3\n");
    bench.check(
        "grep",
        &json!({"pattern": "x", "path": "a.txt", "context": 1}),
        0,
        "1:x1\n2-a\n3:x2\n4-b\n--\n6-d\n7:x3",
    );
}

#[test]
fn what_is_not_shown_is_counted() {
    let bench = Bench::new();
    bench.put("a.txt", "x\n".repeat(300));
    bench.put("b.txt", "x\n");
    let all = bench.run("grep", &json!({"pattern": "x"}));
    assert_eq!(all.output.lines().count(), 201);
    assert!(all.output.ends_with("\n... and 101 more"), "{}", all.output);
    assert!(all.note.is_some_and(|note| note.contains("the first 200 of 301 matching lines in 2 files")));
    bench.put("long.txt", "y".repeat(600));
    let long = bench.run("grep", &json!({"pattern": "y+", "path": "long.txt"}));
    assert!(long.output.ends_with("[... 100 more bytes of this line]"), "{}", long.output);
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_found() {
    use std::os::unix::fs::symlink;
    let bench = folder();
    symlink(bench.path(".env"), bench.path("way-in")).unwrap();
    std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    let found = bench.run("grep", &json!({"pattern": "TOKEN"}));
    assert_eq!(
        (found.exit, found.output.as_str()),
        (Some(0), "(no match)"),
        "neither the secret nor a link to it"
    );
    let missing = bench.run("grep", &json!({"pattern": "x", "path": "missing"}));
    assert!(missing.exit == Some(1) && missing.output.contains("no such file"), "{missing:?}");
    let binary = bench.run("grep", &json!({"pattern": "two", "path": "picture.png"}));
    assert!(binary.exit == Some(1) && binary.output.contains("binary"), "{binary:?}");
}

#[test]
fn a_pattern_that_is_none_is_refused_with_what_to_write() {
    let bench = folder();
    for pattern in ["two(", "", "(?=two)"] {
        let produced = bench.run("grep", &json!({ "pattern": pattern }));
        assert_eq!(produced.end, CallEnd::Refused, "{pattern}: {produced:?}");
    }
    assert!(bench.run("grep", &json!({"pattern": "two("})).output.contains("\\("));
}

#[test]
fn downloaded_files_of_a_folder_are_left_out_and_told() {
    let bench = folder();
    crate::flow::mark_origin(&bench.path("notes.md"));
    if !artoo_gate::origin::has_origin(&bench.path("notes.md")) {
        return;
    }
    let found = bench.run("grep", &json!({"pattern": "three"}));
    assert_eq!(found.output, "(no match)");
    assert!(found.note.is_some_and(|note| note.contains("downloaded")));
    bench.check("grep", &json!({"pattern": "three", "path": "notes.md"}), 0, "2:three");
}
