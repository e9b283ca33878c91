use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
use artoo_types::situation::{FileHead, PlaceEntry, Situation};
use artoo_types::tool::names::{SHELL, WRITE_FILE};
use artoo_types::{EffectId, EvidenceId};
use serde_json::Value;

use super::{Rerun, outcome, refute, reruns};
use crate::{ProofScene, suite};

const FIX: &str = "Find the bugs in the code, fix them, and show that all tests pass.";
const WELL: &str = "The bug is fixed and all tests pass.";

fn call(number: u64, command: &str, output: &str) -> Receipt {
    Receipt {
        arguments: serde_json::json!({ "command": command }).to_string(),
        output: output.to_owned(),
        ..Receipt::quiet(EvidenceId::receipt(EffectId(number)), SHELL)
    }
}

fn edit(path: &str) -> Receipt {
    let mut receipt = Receipt::quiet(EvidenceId("r9".to_owned()), WRITE_FILE);
    let (path, kind) = (path.to_owned(), ChangeKind::Changed);
    receipt.act.changes = vec![FileChange { path, kind, before: None, after: None, modes: None }];
    receipt
}

fn commands(request: &str, answer: &str, receipts: &[&Receipt]) -> Vec<String> {
    let scene =
        ProofScene { receipts: receipts.to_vec(), answer: Some(answer), request, ..ProofScene::default() };
    let command = |arguments: String| {
        let arguments: Value = serde_json::from_str(&arguments).expect("arguments are JSON");
        arguments["command"].as_str().expect("a command").to_owned()
    };
    reruns(&scene, &[]).into_iter().map(command).collect()
}

#[test]
fn a_run_that_shows_itself_is_not_run_again() {
    for command in [
        "python3 -m unittest -v",
        "python3 -m unittest -v 2>&1",
        "cd /w/proj && python3 -m unittest -v 2>&1 | tail -n 5",
        "pytest -q",
        "make test",
        "sh ./test_calc.sh",
        "cargo test 2>&1 | tail -20",
    ] {
        assert_eq!(commands(FIX, WELL, &[&call(1, command, "OK")]), [""; 0], "{command}");
    }
}

/// Each of these was told as "all tests pass" by a weak or a lying mind.
#[test]
fn tests_are_run_alone_where_the_line_hides_how_they_ended() {
    for (line, expected) in [
        ("python3 -m unittest || true", "python3 -m unittest"),
        ("trap 'exit 0' EXIT; python3 -m unittest", "python3 -m unittest"),
        ("if python3 -m unittest; then echo ok; else echo ok; fi", "python3 -m unittest"),
        ("python3 -m unittest & wait; echo OK", "python3 -m unittest"),
        ("(python3 -m unittest) ; true", "python3 -m unittest"),
        ("{ pytest -q; } || :", "pytest -q"),
        ("cd proj; pytest -q > log.txt 2>&1; echo 6 passed", "cd proj && pytest -q"),
        ("pytest -q 2>&1 | sed s/failed/passed/", "pytest -q"),
        (
            "cp t.bak test_a.py; sed -i s/5/4/ test_a.py && python3 test_a.py && cp k test_a.py",
            "python3 test_a.py",
        ),
        ("python3 -m unittest 2>&1 | head -n 1", "python3 -m unittest"),
        ("make test | tail -n 0", "make test"),
        ("! sh ./test_calc.sh", "sh ./test_calc.sh"),
        ("export A=1; make test | grep ok", "export A=1 && make test"),
    ] {
        assert_eq!(commands(FIX, WELL, &[&call(1, line, "fine")]), [expected], "{line}");
    }
}

#[test]
fn a_part_of_the_tests_is_followed_by_all_of_them() {
    for (line, whole) in [
        ("pytest -q tests/test_a.py", "pytest"),
        ("python3 -m pytest -k add", "python3 -m pytest"),
        ("python3 -m unittest tests/test_a.py", "python3 -m unittest discover -s tests"),
        ("python3 -m unittest tests.test_a -v", "python3 -m unittest discover -s tests"),
        ("python3 -m unittest -k test_one", "python3 -m unittest discover"),
        ("python3 -m unittest test_a.TestSum.test_one", "python3 -m unittest discover"),
        ("cargo test --lib", "cargo test"),
        ("go test -run TestA ./...", "go test ./..."),
    ] {
        let found = commands(FIX, WELL, &[&call(1, line, "OK")]);
        assert_eq!(found, [whole, line], "{line}");
    }
    let named = "Run the tests of tests/test_a.py";
    assert_eq!(commands(named, WELL, &[&call(1, "pytest tests/test_a.py", "OK")]), [""; 0]);
}

#[test]
fn the_tests_of_the_place_are_run_where_others_or_none_were() {
    let with = |request: &str, receipts: &[&Receipt]| {
        let scene = ProofScene {
            receipts: receipts.to_vec(),
            answer: Some(WELL),
            request,
            suite: Some("make test"),
            ..ProofScene::default()
        };
        reruns(&scene, &[]).len()
    };
    let own = call(1, "python3 check_calc.py && python3 test_text.py", "OK");
    assert_eq!(with(FIX, &[&own]), 2);
    assert_eq!(
        with("Run test_text.py and tell whether it passes", &[&call(1, "python3 test_text.py", "OK")]),
        0
    );
    assert_eq!(with(FIX, &[&call(1, "make -s test", "OK")]), 0);
    assert_eq!(with(FIX, &[&call(1, "make -s test 2>&1 | sed -n /OK/p", "OK")]), 1);
    assert_eq!(with(FIX, &[&edit("/w/calc.py")]), 1, "nobody ran any");
    assert_eq!(with("Did the tests pass last night?", &[&call(1, "cat log", "6 passed")]), 0);
}

#[test]
fn a_place_says_how_its_tests_are_run() {
    let place = |entries: &[&str], heads: &[(&str, &str)], programs: &[&str]| {
        let entry = |path: &&str| PlaceEntry { path: (*path).to_owned(), bytes: 1 };
        let head =
            |(path, text): &(&str, &str)| FileHead { path: (*path).to_owned(), text: (*text).to_owned() };
        suite(&Situation {
            entries: entries.iter().map(entry).collect(),
            heads: heads.iter().map(head).collect(),
            programs: programs.iter().map(|program| (*program).to_owned()).collect(),
            ..Situation::default()
        })
    };
    let make = ("Makefile", "all: build\n\ntest: build\n\tpython3 -m unittest\n");
    assert_eq!(place(&["Makefile"], &[make], &["make"]).as_deref(), Some("make test"));
    assert_eq!(place(&["Makefile"], &[make], &[]), None, "make is not there");
    assert_eq!(place(&["Makefile"], &[("Makefile", "tests := a b\n")], &["make"]), None);
    let package = ("package.json", "{\"scripts\": {\"test\": \"node --test\"}}");
    assert_eq!(place(&[], &[package], &["npm"]).as_deref(), Some("npm test"));
    assert_eq!(place(&["Cargo.toml", "src/"], &[], &["cargo"]).as_deref(), Some("cargo test"));
    assert_eq!(place(&["sub/Cargo.toml"], &[], &["cargo"]), None);
}

#[test]
fn what_was_changed_since_is_tested_again() {
    let run = call(1, "pytest -q", "6 passed");
    assert_eq!(commands(FIX, WELL, &[&run, &edit("/w/calc.py")]), ["pytest -q"]);
    assert_eq!(commands(FIX, WELL, &[&edit("/w/calc.py"), &run]), [""; 0]);
    assert_eq!(commands(FIX, WELL, &[&run, &edit("/w/__pycache__/calc.pyc")]), [""; 0]);
    let failed = Receipt { exit: Some(1), ..call(1, "pytest -q", "1 failed") };
    assert_eq!(commands(FIX, WELL, &[&failed]), ["pytest -q"], "it failed, and is told to pass");
}

#[test]
fn what_nobody_says_needs_no_run() {
    let masked = call(1, "pytest -q || true", "");
    assert_eq!(commands(FIX, "The code has 3 functions.", &[&masked]), [""; 0]);
    assert_eq!(commands(FIX, "5 tests pass and 1 test fails.", &[&masked]), [""; 0]);
    for good in ["All tests pass, 0 fail.", "3 tests pass, none fails.", "No test fails: all pass."] {
        assert_eq!(commands(FIX, good, &[&masked]).len(), 1, "{good}");
    }
    assert_eq!(commands(FIX, WELL, &[&call(1, "cat notes.txt", "")]), [""; 0]);
    let long =
        Receipt { time: artoo_types::evidence::CallTime { elapsed_ms: 90_000, ..masked.time }, ..masked };
    assert_eq!(commands(FIX, WELL, &[&long]), [""; 0], "it took long");
}

#[test]
fn a_run_that_did_not_come_about_says_nothing() {
    let with = |exit: i64, output: &str| outcome(&Receipt { exit: Some(exit), ..call(2, "pytest", output) });
    assert_eq!(with(0, "6 passed"), Rerun::Passed);
    assert_eq!(with(127, "pytest: not found"), Rerun::Unknown);
    assert_eq!(with(1, "ModuleNotFoundError: No module named 'calc'"), Rerun::Unknown);
    assert_eq!(with(5, "no tests ran in 0.01s"), Rerun::Unknown);
    let Rerun::Failed(why) = with(1, "F.\n1 failed, 5 passed") else { panic!("it failed") };
    assert_eq!(why, "artoo ran the tests itself (r2, `pytest`), and they fail: 1 failed, 5 passed");
    let denied = Receipt { end: artoo_types::evidence::CallEnd::Denied, exit: None, ..call(2, "pytest", "") };
    assert_eq!(outcome(&denied), Rerun::Unknown);
}

#[test]
fn what_rested_on_the_tests_falls_with_them() {
    let criterion = |text: &str| Criterion {
        text: text.to_owned(),
        mode: CriterionMode::Verifiable,
        check: None,
        unchanged: false,
        derived: None,
    };
    let pass = |index: usize, criterion: &Criterion| CriterionVerdict {
        index,
        criterion: criterion.text.clone(),
        mode: criterion.mode,
        verdict: Verdict::Pass,
        failure_class: None,
        evidence: "seen".to_owned(),
        cites: None,
        before: None,
    };
    let check = |texts: [&str; 2], expected: [bool; 2]| {
        let criteria = texts.map(criterion);
        let mut verdicts = [pass(0, &criteria[0]), pass(1, &criteria[1])];
        refute(&mut verdicts, &criteria, "they fail");
        assert_eq!(verdicts.map(|verdict| verdict.passed()), expected, "{texts:?}");
    };
    check(["The bug is fixed", "All tests pass"], [true, false]);
    check(["The bug is fixed", "The cause is told"], [false, true]);
}
