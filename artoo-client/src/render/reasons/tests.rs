use std::path::Path;

use super::{CHINESE, DEPTH, SCREENS, in_chinese, rows};
use crate::render::Language;

fn check(english: &str, said: &str) {
    assert_eq!(Language::Chinese.reason(english), said);
    assert_eq!(Language::English.reason(english), english);
}

#[test]
fn reasons_are_said_in_chinese_with_the_names_in_them() {
    check("rm deletes", "rm 会删除文件");
    check("it writes into /a/b c.txt, which exists", "它要写入 /a/b c.txt，而它已经存在");
    check(
        "it makes /x/y: /x/y is outside the workspace and the working directory",
        "它要新建 /x/y：/x/y 在工作区和工作目录之外",
    );
    check(
        "it would run confined: it can change /a, what is in /b, /c and 3 more and nothing else, and the network is off",
        "它会在限制中运行：只能修改 /a、/b 里的内容、/c and 3 more，不能联网",
    );
    check(
        "it would run confined: it can change nothing, and the network is on",
        "它会在限制中运行：不能改动任何内容，可以联网",
    );
    check(
        "memory calls for caution: shell:rm on /a went wrong before",
        "记忆提醒谨慎：shell:rm 对 /a 以前出过错",
    );
    check("something that nobody wrote down here", "something that nobody wrote down here");
}

#[test]
fn the_first_sentence_of_an_end_is_the_one_that_is_known() {
    let denied = "[LAW1] not done: Delete a.txt. For good (denied). 0 of 2 criteria met.";
    let first = Language::Chinese.first_sentence(denied);
    assert_eq!(first, "[LAW1] not done: Delete a.txt. For good (denied).");
    assert_eq!(Language::Chinese.ending(first), "[LAW1] 没有执行：Delete a.txt. For good（您没有同意）。");
    assert_eq!(
        Language::Chinese.first_sentence("[LAW1] not done: 删除。 (denied). 更多"),
        "[LAW1] not done: 删除。 (denied)."
    );
    assert_eq!(Language::English.first_sentence("A new end. And more."), "A new end.");
    assert_eq!(Language::English.first_sentence("no end"), "no end");
}

#[test]
fn every_row_has_the_gaps_of_its_english() {
    let gaps =
        |text: &str| (0..4).filter(|number| text.contains(&format!("{{{number}}}"))).collect::<Vec<_>>();
    for (english, said) in rows(CHINESE).chain(rows(SCREENS)) {
        assert_eq!(gaps(english), gaps(said), "{english}");
        assert!(!said.is_ascii(), "{said}");
    }
}

#[test]
fn commands_are_told_in_chinese_line_by_line() {
    for (english, said) in [
        ("3 finished", "3 个已结束"),
        ("offline rules", "内置规则"),
        ("2 rules", "2 条规则"),
        ("12 lines, heads recorded in audit/anchors.jsonl", "12 行，链首记录在 audit/anchors.jsonl"),
        (
            "the daemon does not answer at ~/x.sock\n  Try: artoo doctor",
            "后台程序在 ~/x.sock 没有回应\n  请试试：artoo doctor",
        ),
        (
            "`statsu` is no command; did you mean `artoo status`? To run it as a task: artoo run statsu",
            "没有 `statsu` 这个命令；您是要 `artoo status` 吗？要当作任务执行：artoo run statsu",
        ),
        ("something else", "something else"),
    ] {
        assert_eq!(Language::Chinese.screen(english), said);
        assert_eq!(Language::English.screen(english), english);
    }
}

/// A reason that the gate may give for a question is in the catalogue.
#[test]
fn every_reason_of_the_gate_is_in_the_catalogue() {
    let mut lacking = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/gate/src"), &mut lacking);
    assert!(lacking.is_empty(), "add rows to reasons/chinese.tsv: {lacking:#?}");
}

/// What is refused is never asked about.
const REFUSALS: [&str; 4] = ["never.rs", "vital.rs", "foreign.rs", "tests.rs"];

fn collect(folder: &Path, lacking: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("the sources are beside this package").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() && name != "tests" && name != "programs" {
            collect(&path, lacking);
        } else if name.ends_with(".rs") && !REFUSALS.contains(&name.as_str()) {
            let source = std::fs::read_to_string(&path).expect("a source file");
            let said = source.split("#[cfg(test)]").next().unwrap_or_default();
            lacking.extend(reasons(said).filter(|reason| in_chinese(reason, DEPTH).is_none()));
        }
    }
}

/// The sentences in a source, with a name in each gap.
fn reasons(source: &str) -> impl Iterator<Item = String> {
    let lines = source.lines().map(str::trim).filter(|line| {
        let is_told_otherwise = ["//", "assert", "forbid(", "expect(", "UNSEEN", "Never(", "=> Some(\""]
            .iter()
            .any(|word| line.contains(word));
        !is_told_otherwise
    });
    let literals = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let sentences = literals.filter(|text| {
        text.starts_with(|c: char| c.is_ascii_lowercase() || c == '{') && text.matches(' ').count() >= 3
    });
    sentences.map(|text| {
        let text = text.replace("{what} {shown}", "makes {shown}");
        let mut named = String::new();
        for (at, piece) in text.split('{').enumerate() {
            let rest = if at == 0 { piece } else { piece.split_once('}').map_or("", |(_, rest)| rest) };
            named.push_str(if at == 0 { "" } else { "x" });
            named.push_str(rest);
        }
        named
    })
}
