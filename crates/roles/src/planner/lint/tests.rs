use artoo_types::claim::ClaimedEffect;
use artoo_types::criteria::Criterion;
use artoo_types::target::Bases;
use serde_json::{Value, json};

use super::{are_hollow, empty_claim, unproven_effect};

const BASES: Bases<'_> =
    Bases { working_directory: "/home/u/project", workspace: "/home/u/artoo_workspace", home: "/home/u" };

fn criterion(check: &Value) -> Criterion {
    serde_json::from_value(json!({"text": "it is so", "check": check})).expect("a criterion")
}

/// The check says nothing, and the one beside it, which differs in little, says something.
fn check(empty: &Value, honest: &Value) {
    assert!(empty_claim(&criterion(empty), BASES).is_some(), "{empty} says nothing");
    assert_eq!(empty_claim(&criterion(honest), BASES), None, "{honest} says something");
}

#[test]
fn what_is_always_there_proves_nothing() {
    for root in
        ["/", ".", "~", "", "./", "/home", "/home/u", "/home/u/project", "~/artoo_workspace", "../project"]
    {
        check(
            &json!({"kind": "file_exists", "path": root}),
            &json!({"kind": "file_exists", "path": "out/report.md"}),
        );
    }
    check(
        &json!({"kind": "file_lines", "path": "/", "op": "ge", "n": 3}),
        &json!({"kind": "file_lines", "path": "a.txt", "op": "ge", "n": 3}),
    );
    for glob in ["*", "**/*", "./*", "/*", "~/*", "*.*"] {
        check(
            &json!({"kind": "files_match", "glob": glob, "op": "ge", "n": 1}),
            &json!({"kind": "files_match", "glob": glob, "op": "eq", "n": 7}),
        );
    }
    assert_eq!(empty_claim(&criterion(&json!({"kind": "file_absent", "path": "."})), BASES), None);
}

#[test]
fn a_pattern_that_every_text_matches_says_nothing() {
    for pattern in ["", ".*", "(?s).*", "\\s*", "^", "$", "a?", "[\\s\\S]*", "(?s).{0,}", "x*|y", "\\A"] {
        check(
            &json!({"kind": "output_matches", "regex": pattern}),
            &json!({"kind": "output_matches", "regex": "^total: \\d+"}),
        );
        check(
            &json!({"kind": "file_contains", "path": "a.txt", "regex": pattern}),
            &json!({"kind": "file_contains", "path": "a.txt", "regex": pattern, "text": "total"}),
        );
    }
    check(&json!({"kind": "output_contains", "text": " "}), &json!({"kind": "output_contains", "text": "0"}));
    for honest in ["\\S", "^$", "\\A\\s*\\d+\\b", "(unclosed"] {
        assert_eq!(
            empty_claim(&criterion(&json!({"kind": "output_matches", "regex": honest})), BASES),
            None,
            "{honest}"
        );
    }
}

#[test]
fn a_comparison_that_every_count_meets_says_nothing() {
    for (op, n, honest) in [
        (">=", 0.0, 1.0),
        (">", -1.0, 0.0),
        ("!=", -1.0, 0.0),
        ("<=", 1e12, 10.0),
        ("<", 1e10, 1.0),
        ("!=", 0.5, 5.0),
    ] {
        for mut of in [
            json!({"kind": "output_lines"}),
            json!({"kind": "file_lines", "path": "a.txt"}),
            json!({"kind": "files_match", "glob": "*.rs"}),
        ] {
            of["op"] = json!(op);
            of["n"] = json!(n);
            let mut other = of.clone();
            other["n"] = json!(honest);
            check(&of, &other);
        }
    }
}

#[test]
fn a_text_without_content_is_hollow() {
    let texts = |texts: &[&str]| -> Vec<Criterion> {
        texts.iter().map(|t| serde_json::from_value(json!({"text": t})).expect("a criterion")).collect()
    };
    for hollow in [
        "done",
        "The task is complete.",
        "Everything was done successfully",
        "完成",
        "任务已成功完成",
        "所有步骤都完成了",
    ] {
        assert!(are_hollow(&texts(&[hollow])), "{hollow}");
        assert!(!are_hollow(&texts(&[hollow, "the report names ten files"])), "{hollow} with another");
    }
    for honest in ["the notes are listed", "It is told.", "a number", "文件已列出", "报告完成", "all is gone"]
    {
        assert!(!are_hollow(&texts(&[honest])), "{honest}");
    }
    assert!(
        !are_hollow(&[criterion(&json!({"kind": "file_exists", "path": "a.txt"}))]),
        "a check says what the text does not"
    );
}

#[test]
fn a_change_is_not_proven_by_a_call_alone() {
    let exit = || criterion(&json!({"kind": "exit_status", "tool": "shell", "value": 0}));
    let called = || criterion(&json!({"kind": "tool_called", "tool": "write_file"}));
    let named = |text: &str| serde_json::from_value::<Criterion>(json!({"text": text})).expect("a criterion");
    assert_eq!(unproven_effect("Make a backup of src", &[exit()]), Some(ClaimedEffect::Made));
    assert_eq!(unproven_effect("Write report.md", &[called(), exit()]), Some(ClaimedEffect::Made));
    assert_eq!(unproven_effect("删除旧日志", &[exit()]), Some(ClaimedEffect::Deleted));
    let mut claiming = exit();
    claiming.text = "the old logs are deleted".to_owned();
    assert_eq!(unproven_effect("Look after the logs", &[claiming]), Some(ClaimedEffect::Deleted));
    let file = criterion(&json!({"kind": "file_exists", "path": "report.md"}));
    assert_eq!(unproven_effect("Write report.md", &[called(), file]), None);
    assert_eq!(unproven_effect("Write report.md", &[called(), named("report.md has one line a file")]), None);
    assert_eq!(
        unproven_effect("List the notes", &[exit()]),
        None,
        "a call can prove that something was looked at"
    );
}
