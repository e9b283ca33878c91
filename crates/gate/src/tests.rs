use std::path::Path;

use proptest::prelude::*;

use super::{Decision, explain};
use crate::paths::PathRules;

mod boxing;
mod facts;
mod week;

/// What the gate says when its own reader broke.
const BROKEN: &str = "the command could not be read";

/// A home with a project, a quiet repository and some secrets.
pub(crate) fn home() -> (tempfile::TempDir, PathRules) {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().canonicalize().unwrap().join("home");
    let project = home.join("project");
    for folder in
        ["project/src", "project/emptydir", "project/.git/hooks", ".ssh", ".artoo", "artoo_workspace"]
    {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    let write = |path: &Path, text: &str| std::fs::write(path, text).unwrap();
    write(&project.join("notes.txt"), "a\n");
    write(&project.join("list.csv"), "a,b\n");
    write(&project.join("script.sh"), "rm notes.txt\n");
    write(&project.join("-f"), "a\n");
    write(&home.join(".artoo/audit.jsonl"), "{}\n");
    write(&project.join(".git/config"), "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n");
    write(&home.join(".ssh/id_ed25519"), "key\n");
    write(&home.join(".netrc"), "key\n");
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let paths = PathRules {
        working_directory: text(&project),
        workspace: text(&home.join("artoo_workspace")),
        data_dir: text(&home.join(".artoo")),
        unasked: Default::default(),
        real: Default::default(),
        home: text(&home),
    };
    (dir, paths)
}

fn unfold(command: &str) -> String {
    let mut text = command.replace("<NL>", "\n").replace("<TAB>", "\t");
    while let Some((start, rest)) = text.clone().split_once("<U+") {
        let (code, rest) = rest.split_once('>').unwrap();
        let c = char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
        text = format!("{start}{c}{rest}");
    }
    text
}

/// Lines of a corpus on which the gate disagrees, and how many lines there are.
fn disagreements(corpus: &str, paths: &PathRules) -> (Vec<String>, usize) {
    let lines = corpus.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let mut all = 0;
    let mut wrong = Vec::new();
    for line in lines {
        let mut fields = line.split('\t');
        let (expected, command) = (fields.next().unwrap(), fields.next().unwrap());
        let explanation = explain(&unfold(command), paths);
        all += 1;
        if explanation.decision.as_str() != expected {
            wrong.push(format!(
                "{expected} expected: {command}: {} {:?}",
                explanation.decision.as_str(),
                explanation.why
            ));
        }
    }
    (wrong, all)
}

#[test]
fn the_gate_agrees_with_the_corpus() {
    let (_dir, paths) = home();
    for corpus in [
        include_str!("../corpus/corpus.tsv"),
        include_str!("../corpus/evasions.tsv"),
        include_str!("../corpus/acts.tsv"),
        include_str!("../corpus/attacks.tsv"),
    ] {
        let (wrong, all) = disagreements(corpus, &paths);
        assert!(all >= 80);
        assert!(wrong.is_empty(), "{} of {all}: {wrong:#?}", wrong.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_judged(text in "\\PC{0,200}") {
        let (_dir, paths) = home();
        check_read(&text, &paths);
    }

    #[test]
    fn shell_like_text_with_a_deletion_is_never_safe(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "ls", " ", ";", "|", "&&", "$(", ")", "(", "{ ", "; }", "\"", "'", "`", "\n", "if ", "then ", "fi",
                "<<X\n", "X\n", "\\", "$x", "*", "> ", "#", "${a:-", "}", "[[ ", " ]]", "case x in ", "esac", "((", "))",
                "echo ", "$$", "<(", "\"${a:-'", "'}\"", "$(<<X ", "\\\n", "$'", "${a:-<(", " #", "<<<", "cat <<X\n${a:-'",
                "$[", "]", "$'\\0125", "`",
            ]),
            0..12,
        ),
        at in 0usize..12,
    ) {
        let (_dir, paths) = home();
        let mut pieces = pieces;
        let at = at.min(pieces.len());
        pieces.insert(at, "\nrm notes.txt\n");
        let text = pieces.concat();
        let explanation = explain(&text, &paths);
        // Within quotes, comments or a here-document the words are data; bash itself says whether they would run.
        if explanation.decision == Decision::Safe {
            prop_assert!(!deletes(&text), "{text:?} was called safe");
        }
    }
}

/// The gate's own reader does not break on this text.
fn check_read(text: &str, paths: &PathRules) {
    let explanation = explain(text, paths);
    assert!(!explanation.why.iter().any(|why| why == BROKEN), "{text:?}: {:?}", explanation.why);
}

/// Whether bash, run on this text in a folder of its own, deletes the file there.
fn deletes(text: &str) -> bool {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("notes.txt");
    std::fs::write(&file, "a").unwrap();
    std::process::Command::new("bash")
        .args(["--noprofile", "--norc", "-c", text])
        .current_dir(dir.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    !file.exists()
}

#[test]
fn deep_and_long_commands_are_judged_not_feared() {
    let (_dir, paths) = home();
    let pairs = [
        ("(", ")"),
        ("$(", ")"),
        ("{ ", ";}"),
        ("\"$(", ")\""),
        ("`", "`"),
        ("${x:-", "}"),
        ("[[ ( ", " ) ]]"),
        ("if ", "; then :; fi"),
        ("! ", ""),
        ("<(", ")"),
        ("$((", "))"),
        ("case x in x) ", ";; esac"),
        ("f() { ", "; }"),
    ];
    for (open, close) in pairs {
        for count in [10, 31, 200, 4_000] {
            let command = format!("{}rm x{}", open.repeat(count), close.repeat(count));
            assert_ne!(explain(&command, &paths).decision, Decision::Safe, "{open} x {count}");
        }
    }
    let long = format!("echo {}", "a ".repeat(8_000));
    assert_eq!(explain(&long, &paths).decision, Decision::Safe);
    let longer = format!("echo {}", "a ".repeat(9_000));
    assert_eq!(explain(&longer, &paths).decision, Decision::Confirm);
    for text in ["'".repeat(16 * 1024), "$".repeat(16 * 1024), "a=(".repeat(5_000), "\0".repeat(10)] {
        check_read(&text, &paths);
    }
    let open = "ls $($($($($($(ls <<X))\nrm -rf /\nX";
    let why = explain(open, &paths).why;
    assert!(why[0].contains("brackets"), "the parser is not given what it breaks on: {why:?}");
}
