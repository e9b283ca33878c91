use std::path::PathBuf;
use std::sync::Arc;

use artoo_redact::Redactor;
use artoo_types::criteria::{Check, FailureClass, Verdict};
use artoo_types::evidence::{CallEnd, CheckEvidence, Receipt};
use artoo_types::machine::{AskedCheck, CallFact, CheckSubject};
use artoo_types::{EffectId, EvidenceId};
use serde_json::{Value, json};

use super::evaluate;
use crate::outputs::{self, Outputs};
use artoo_gate::paths::PathRules;

const PASS: (Verdict, Option<FailureClass>) = (Verdict::Pass, None);
const LOGICAL: (Verdict, Option<FailureClass>) = (Verdict::Fail, Some(FailureClass::Logical));
/// Not met, and nobody's fault.
const UNBLAMED: (Verdict, Option<FailureClass>) = (Verdict::Fail, None);
const ENVIRONMENTAL: (Verdict, Option<FailureClass>) = (Verdict::Fail, Some(FailureClass::Environmental));

struct CheckScene {
    _dir: tempfile::TempDir,
    places: PathRules,
    artifacts: PathBuf,
    outputs: Arc<Outputs>,
}

impl CheckScene {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        for folder in ["w", "ws", ".ssh", "data"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        let files = [
            ("w/a.txt", "eins\nzwei\ndrei"),
            ("w/empty.txt", ""),
            ("w/data.json", r#"{"n": 3, "s": "x", "list": [1, 2.5]}"#),
            ("w/bare.md", "total: 5\n"),
            (".ssh/id", "key"),
            ("w/env.json", r#"{"token": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}"#),
        ];
        for (name, content) in files {
            std::fs::write(home.join(name), content).unwrap();
        }
        let text = |name: &str| home.join(name).to_string_lossy().into_owned();
        let places = PathRules {
            working_directory: text("w"),
            workspace: text("ws"),
            data_dir: text("data"),
            unasked: Default::default(),
            real: Default::default(),
            home: text(""),
        };
        Self { _dir: dir, places, artifacts: home.join("artifacts"), outputs: Arc::default() }
    }

    async fn evidence(&self, check: Value, subject: &CheckSubject) -> CheckEvidence {
        let check: Check = serde_json::from_value(check).unwrap();
        let asked = [AskedCheck { criterion: 7, check }];
        let places = self.places.clone();
        let outputs = (self.artifacts.clone(), Arc::clone(&self.outputs));
        evaluate(EffectId(4), &asked, subject, places, outputs, Redactor::default()).await.remove(0)
    }

    async fn check(&self, check: Value, subject: &CheckSubject, expected: (Verdict, Option<FailureClass>)) {
        let evidence = self.evidence(check.clone(), subject).await;
        assert_eq!((evidence.verdict, evidence.failure_class), expected, "{check}: {}", evidence.saw);
        assert!(!evidence.saw.is_empty());
    }
}

fn subject(output: &str, calls: &[(&str, CallEnd, Option<i64>)]) -> CheckSubject {
    let calls = calls
        .iter()
        .map(|(class, end, exit)| CallFact {
            tool: class.split(':').next().unwrap().to_owned(),
            classes: vec![(*class).to_owned()],
            end: *end,
            exit: *exit,
            found_nothing: false,
        })
        .collect();
    CheckSubject { output: output.to_owned(), calls, ..CheckSubject::default() }
}

#[tokio::test]
async fn files() {
    let scene = CheckScene::new();
    let ran = subject("", &[("shell:wc", CallEnd::Ran, Some(0))]);
    let cases = [
        (json!({"kind": "file_exists", "path": "./a.txt"}), PASS),
        (json!({"kind": "file_exists", "path": "bare.md"}), PASS),
        // A bare name is looked for where the task works, unless the attempt wrote files.
        (json!({"kind": "file_exists", "path": "a.txt"}), PASS),
        (json!({"kind": "file_absent", "path": "a.txt"}), LOGICAL),
        (json!({"kind": "file_absent", "path": "./b.txt"}), PASS),
        (json!({"kind": "file_absent", "path": "./a.txt"}), LOGICAL),
        (json!({"kind": "file_absent", "path": "./a.txt/b"}), ENVIRONMENTAL),
        (json!({"kind": "file_contains", "path": "./a.txt", "text": "zwei"}), PASS),
        (json!({"kind": "file_contains", "path": "./a.txt", "text": "vier"}), LOGICAL),
        (json!({"kind": "file_contains", "path": "bare.md", "regex": "^total: \\d$"}), PASS),
        (json!({"kind": "file_contains", "path": "bare.md", "regex": "^sum"}), LOGICAL),
        (json!({"kind": "file_contains", "path": "./a.txt", "text": "zwei", "regex": "vier"}), LOGICAL),
        (json!({"kind": "file_contains", "path": "./a.txt", "regex": "("}), UNBLAMED),
        (json!({"kind": "file_contains", "path": "./a.txt"}), UNBLAMED),
        (json!({"kind": "file_contains", "path": ".", "text": "x"}), ENVIRONMENTAL),
        (json!({"kind": "file_contains", "path": "~/.ssh/id", "text": "key"}), UNBLAMED),
        (json!({"kind": "file_lines", "path": "./a.txt", "op": "eq", "n": 3}), PASS),
        (json!({"kind": "file_lines", "path": "./empty.txt", "op": "eq", "n": 0}), PASS),
        (json!({"kind": "file_lines", "path": "./a.txt", "op": "gt", "n": 3}), LOGICAL),
        (
            json!({"kind": "file_json", "path": "./data.json", "pointer": "/n", "op": "ge", "value": 3.0}),
            PASS,
        ),
        (
            json!({"kind": "file_json", "path": "./data.json", "pointer": "/list/1", "op": "lt", "value": 2}),
            LOGICAL,
        ),
        (
            json!({"kind": "file_json", "path": "./data.json", "pointer": "/s", "op": "eq", "value": "x"}),
            PASS,
        ),
        (
            json!({"kind": "file_json", "path": "./data.json", "pointer": "/s", "op": "lt", "value": "y"}),
            UNBLAMED,
        ),
        (
            json!({"kind": "file_json", "path": "./data.json", "pointer": "/none", "op": "eq", "value": 1}),
            LOGICAL,
        ),
        (json!({"kind": "file_json", "path": "./a.txt", "pointer": "", "op": "eq", "value": 1}), LOGICAL),
        (json!({"kind": "files_match", "glob": "*.txt", "op": "eq", "n": 2}), PASS),
        (json!({"kind": "files_match", "glob": "*.txt", "op": "gt", "n": 2}), LOGICAL),
        (json!({"kind": "files_match", "glob": "a[", "op": "eq", "n": 0}), UNBLAMED),
    ];
    for (check, expected) in cases {
        scene.check(check, &ran, expected).await;
    }
}

#[tokio::test]
async fn a_missing_file_is_the_fault_of_a_failed_call() {
    let scene = CheckScene::new();
    let missing = json!({"kind": "file_lines", "path": "./missing", "op": "eq", "n": 1});
    scene.check(missing.clone(), &subject("", &[("shell:wc", CallEnd::Timeout, None)]), UNBLAMED).await;
    scene.check(missing.clone(), &subject("", &[("write_file", CallEnd::Ran, Some(1))]), ENVIRONMENTAL).await;
    scene.check(missing.clone(), &subject("", &[("write_file", CallEnd::Ran, Some(0))]), LOGICAL).await;
    scene.check(missing, &subject("", &[]), LOGICAL).await;
}

#[tokio::test]
async fn outputs() {
    let scene = CheckScene::new();
    let ran = subject("alpha\n\nbeta 42\n", &[("glob", CallEnd::Ran, Some(0))]);
    let json_output = subject(" {\"a\": [5]} \n", &[]);
    let nothing = subject("(no match)", &[]);
    let failed = subject("alpha", &[("shell:cat", CallEnd::Ran, Some(1))]);
    let cases = [
        (json!({"kind": "output_contains", "text": "beta"}), &ran, PASS),
        (json!({"kind": "output_contains", "text": "gamma"}), &ran, LOGICAL),
        (json!({"kind": "output_contains", "text": "gamma"}), &failed, ENVIRONMENTAL),
        (json!({"kind": "output_matches", "regex": "^beta \\d+$"}), &ran, PASS),
        (json!({"kind": "output_matches", "regex": "^\\d+$"}), &ran, UNBLAMED),
        (json!({"kind": "output_matches", "regex": "\\A[^x]\\d+[$]?\\z"}), &ran, UNBLAMED),
        (json!({"kind": "output_matches", "regex": "^gamma \\d+$"}), &ran, LOGICAL),
        (json!({"kind": "output_matches", "regex": "\\A\\z"}), &ran, LOGICAL),
        (json!({"kind": "output_matches", "regex": "["}), &failed, UNBLAMED),
        (json!({"kind": "output_matches", "regex": "^\\d+$"}), &failed, ENVIRONMENTAL),
        (json!({"kind": "output_lines", "op": "eq", "n": 2}), &ran, PASS),
        (json!({"kind": "output_lines", "op": "ne", "n": 2}), &ran, LOGICAL),
        (json!({"kind": "output_lines", "op": "eq", "n": 0}), &nothing, PASS),
        (json!({"kind": "output_json", "pointer": "/a/0", "op": "eq", "value": 5}), &json_output, PASS),
        (json!({"kind": "output_json", "pointer": "/a/0", "op": "gt", "value": 5}), &json_output, LOGICAL),
        (json!({"kind": "output_json", "pointer": "", "op": "eq", "value": 5}), &ran, UNBLAMED),
    ];
    for (check, subject, expected) in cases {
        scene.check(check, subject, expected).await;
    }
}

/// A text of a model that says this, after calls that gave these outputs.
fn claim(scene: &CheckScene, text: &str, outputs: &[&str]) -> CheckSubject {
    let mut shown = Vec::new();
    for (effect, output) in (1..).zip(outputs) {
        let id = EvidenceId::receipt(EffectId(effect));
        scene
            .outputs
            .remember(&Receipt { output: (*output).to_owned(), ..Receipt::quiet(id.clone(), "shell") });
        shown.push(id);
    }
    let told = "Count the 3 biggest".to_owned();
    CheckSubject { is_claim: true, shown, told, ..subject(text, &[("shell", CallEnd::Ran, Some(0))]) }
}

#[tokio::test]
async fn a_models_text_is_a_claim_until_a_call_shows_it() {
    const UNSHOWN: (Verdict, Option<FailureClass>) = (Verdict::Fail, None);
    let scene = CheckScene::new();
    let contains = json!({"kind": "output_contains", "text": "42 files"});
    let number = json!({"kind": "output_matches", "regex": "\\A\\d+ files"});
    let word = json!({"kind": "output_contains", "text": "beta"});
    let digits = json!({"kind": "output_matches", "regex": "\\d+"});
    let german = json!({"kind": "output_matches", "regex": "1[.]910,50"});
    let two = json!({"kind": "output_lines", "op": "eq", "n": 2});
    let ran = json!({"kind": "output_matches", "regex": "Ran \\d+ tests"});
    let five = json!({"kind": "output_json", "pointer": "/n", "op": "ge", "value": 5});
    let cases: &[(&Value, &str, &[&str], _)] = &[
        (&contains, "there are 42 files", &[], UNSHOWN),
        (&contains, "there are 42 files", &["7\n"], UNSHOWN),
        (&contains, "there are 42 files", &["42\n"], PASS),
        (&contains, "there are 42 files", &["42 files\n"], PASS),
        (&number, "2 files", &["/a\n/b\n"], PASS),
        (&number, "9 files", &["/a\n/b\n"], UNSHOWN),
        (&word, "alpha and beta", &["alpha\nbeta\n"], PASS),
        (&word, "alpha and beta", &["alpha\n"], UNSHOWN),
        // What a call shows need not be repeated; but the text must not say something else.
        (&word, "the 3 biggest are found", &["beta 7\n"], PASS),
        (&word, "987654", &["beta 7\n"], UNSHOWN),
        (&word, "about 7.00 of them, roughly 8", &["beta 7.6\n"], UNSHOWN),
        (&word, "7.60, that is about 8, at 10.0.0.1", &["beta 7.6\n"], PASS),
        (&word, "30,003 bytes (about 30 KB)", &["beta 30003\n"], PASS),
        (&word, "about 40 KB", &["beta 30003\n"], UNSHOWN),
        (&word, "30,004 bytes", &["beta 30003 in 1\n"], UNSHOWN),
        (&word, "1,200.00 in all, about 1,910", &["beta 1200.0 1910.5\n"], PASS),
        (&word, "about 3,110", &["beta 1200.0 1910.5\n"], UNSHOWN),
        (&word, "16.6 %, and 8.25 %", &["beta 16.6 0.0825\n"], PASS),
        (&word, "17.6 %", &["beta 16.6 1\n"], UNSHOWN),
        (&word, "51.00 of 5 members", &["beta 50.00\nb 1\nc 1\nd 1\ne 1\n"], UNSHOWN),
        (&word, "50 of 5 members", &["beta 50.00\nb 1\nc 1\nd 1\ne 1\n"], PASS),
        // How a run ended stands in its own output: no number elsewhere bears it out.
        (&ran, "Ran 4 tests, OK", &["app/cli.py:4: def main\n"], UNSHOWN),
        (&ran, "Ran 4 tests, OK", &["Ran 4 tests in 0.1s\nOK\n"], PASS),
        (&word, "1. found by `python3 -m x` in receipt r9\n2. told", &["beta 7\n"], PASS),
        (&word, "1. 11 of them", &["beta 7\n"], UNSHOWN),
        (&word, "共11个", &["beta 7\n"], UNSHOWN),
        (&word, "nothing", &["alpha\n"], LOGICAL),
        (&two, "a.txt\nb.txt", &["x\na.txt\n", "b.txt\n"], PASS),
        (&two, "- a.txt\n- `b.txt`", &["a.txt\nb.txt\n"], PASS),
        (&two, "These are they:\na.txt\nb.txt", &["a.txt\nb.txt\n"], PASS),
        (&two, "a.txt\nmade-up.txt", &["a.txt\n"], UNSHOWN),
        (&two, "a.txt\nmade-up.txt", &["x\ny\n"], UNSHOWN),
        (&two, "one line", &["x\ny\n"], LOGICAL),
        // What stands around a list is no line of it.
        (&two, "These are they:\n\n- a.txt\n- b.txt\n\nThat is all.", &["x\na.txt\nb.txt\n"], PASS),
        (&two, "1. a.txt\n2. b.txt\nBoth are small.", &["x\na.txt\nb.txt\n"], PASS),
        (&two, "Here:\n```\na.txt\nb.txt\n```\nDone.", &["x\na.txt\nb.txt\n"], PASS),
        (&two, "| name | n |\n|---|---|\n| a | 3 |\n| b | 4 |\n", &["x\na 3\nb 4\n"], PASS),
        (&two, "Here:\n- a.txt\n- b.txt\n- c.txt", &["x\na.txt\nb.txt\nc.txt\n"], LOGICAL),
        (&two, "Here:\n- a.txt\n- made-up.txt\nDone.", &["zz\na.txt\n"], LOGICAL),
        // A pattern that fits does not tell which number stands there.
        (&digits, "987 lines", &["7 lines\n"], UNSHOWN),
        (&digits, "7 lines", &["7 lines\n"], PASS),
        (&digits, "7 lines of 4711", &["7\n"], UNSHOWN),
        (&digits, "Summe: 1.910,50 EUR", &["1200.00\n710.50\n"], PASS),
        (&digits, "It is 1.910,50 EUR", &["1910.5\n"], PASS),
        (&german, "It is 1.910,50 EUR", &["1910.5\n"], PASS),
        (&german, "It is 1.910,50 EUR", &["1901.5\n"], UNSHOWN),
        (&digits, "It is 1.901,50 EUR", &["1910.5\n"], UNSHOWN),
        (&digits, "30 MB", &["30003 a.bin\n"], UNSHOWN),
        (&digits, "3 of 7, that is 42.9 %", &["all 7\ngood 3\n"], PASS),
        (&digits, "3 of 7, that is 44.9 %", &["all 7\ngood 3\n"], UNSHOWN),
        (&digits, "5 members", &["- a\n- b\n- c\n- d\n- e\n\nend\n"], PASS),
        (&digits, "8 members", &["- a\n- b\n- c\n- d\n- e\n\nend\n"], UNSHOWN),
        (&five, r#"{"n": 7}"#, &["7 lines"], PASS),
        (&five, r#"{"n": 7}"#, &["6 lines"], UNSHOWN),
        (&five, r#"{"n": 7}"#, &[r#"{"n": 7}"#], PASS),
    ];
    for (check, text, outputs, expected) in cases {
        let subject = claim(&scene, text, outputs);
        let evidence = scene.evidence((*check).clone(), &subject).await;
        let found = (evidence.verdict, evidence.failure_class);
        assert_eq!(found, *expected, "{check} of {text:?} after {outputs:?}: {}", evidence.saw);
    }
    let said = scene.evidence(contains, &claim(&scene, "42 files", &[])).await;
    assert!(said.saw.starts_with("the text says so, no receipt shows it"), "{}", said.saw);
}

#[tokio::test]
async fn a_call_that_failed_shows_what_it_put_out_and_nothing_good() {
    let scene = CheckScene::new();
    let check = async |regex: &str, text: &str, expected: Verdict| {
        let mut subject = claim(
            &scene,
            text,
            &["test_back (tests.T) ... ok\nRan 3 tests in 0.1s\n\nFAILED (errors=1)\n2 passed, OK\n"],
        );
        subject.failed = std::mem::take(&mut subject.shown);
        let check = json!({"kind": "output_matches", "regex": regex});
        let evidence = scene.evidence(check, &subject).await;
        assert_eq!(evidence.verdict, expected, "{regex} of {text}: {}", evidence.saw);
    };
    check(r"Ran 3 tests", "One of the three tests fails.", Verdict::Pass).await;
    check(r"Ran 3 tests", "Ran 3 tests, one failed", Verdict::Pass).await;
    check(r"\bOK\b", "One of the tests fails.", Verdict::Fail).await;
    check(r"test_back .*ok", "test_back (tests.T) ... ok", Verdict::Pass).await;
    check(r"\d passed", "2 passed", Verdict::Fail).await;
}

#[tokio::test]
async fn a_cut_output_is_read_in_full() {
    let scene = CheckScene::new();
    let full = "line\n".repeat(20_000);
    let digest = outputs::digest(&full);
    outputs::store(&scene.artifacts, &digest, &full).unwrap();
    let mut cut = subject("line\n[... 1 characters omitted ...]\nline", &[]);
    cut.handle = Some(outputs::name(&digest));
    let check = json!({"kind": "output_lines", "op": "eq", "n": 20_000});
    scene.check(check.clone(), &cut, PASS).await;
    cut.handle = Some(outputs::name(&"0".repeat(64)));
    scene.check(check, &cut, ENVIRONMENTAL).await;
}

#[tokio::test]
async fn calls() {
    let scene = CheckScene::new();
    let calls = subject(
        "",
        &[
            ("shell:find", CallEnd::Ran, Some(0)),
            ("shell:grep", CallEnd::Ran, Some(1)),
            ("glob", CallEnd::Timeout, None),
        ],
    );
    let cases = [
        (json!({"kind": "exit_status", "tool": "shell:find", "value": 0}), PASS),
        (json!({"kind": "exit_status", "tool": "shell", "value": 1}), PASS),
        (json!({"kind": "exit_status", "tool": "shell:grep", "value": 0}), ENVIRONMENTAL),
        (json!({"kind": "exit_status", "tool": "glob", "value": 0}), UNBLAMED),
        (json!({"kind": "exit_status", "tool": "read_file", "value": 0}), UNBLAMED),
        (json!({"kind": "tool_called", "tool": "shell:find"}), PASS),
        (json!({"kind": "tool_called", "tool": "shell"}), PASS),
        (json!({"kind": "tool_called", "tool": "glob"}), UNBLAMED),
        (json!({"kind": "tool_called", "tool": "write_file"}), UNBLAMED),
    ];
    for (check, expected) in cases {
        scene.check(check, &calls, expected).await;
    }
}

#[tokio::test]
async fn evidence_carries_ids_and_measured_numbers() {
    let scene = CheckScene::new();
    let check = json!({"kind": "file_lines", "path": "./a.txt", "op": "ge", "n": 10});
    let evidence = scene.evidence(check, &subject("", &[])).await;
    assert_eq!(evidence.id.0, "c4.0");
    assert_eq!(evidence.criterion, 7);
    assert!(evidence.saw.contains(": 3, wanted ≥ 10"), "{}", evidence.saw);
}

#[tokio::test]
async fn evidence_names_the_paths_that_were_looked_at() {
    let scene = CheckScene::new();
    let home = scene.places.home.trim_end_matches('/').to_owned();
    std::os::unix::fs::symlink(format!("{home}/w/a.txt"), format!("{home}/w/link.txt")).unwrap();
    for number in 0..70 {
        std::fs::write(format!("{home}/ws/many-{number}.md"), "x").unwrap();
    }
    let check = async |check: Value, expected: &[&str]| {
        let paths: Vec<String> = expected.iter().map(|path| format!("{home}/{path}")).collect();
        assert_eq!(scene.evidence(check.clone(), &CheckSubject::default()).await.subjects, paths, "{check}");
    };
    check(json!({"kind": "file_exists", "path": "./a.txt"}), &["w/a.txt"]).await;
    check(json!({"kind": "file_exists", "path": "a.txt"}), &["w/a.txt"]).await;
    check(json!({"kind": "file_exists", "path": "new.txt"}), &["w/new.txt"]).await;
    check(json!({"kind": "file_absent", "path": "new.txt"}), &["w/new.txt"]).await;
    check(
        json!({"kind": "file_lines", "path": "./link.txt", "op": "eq", "n": 3}),
        &["w/link.txt", "w/a.txt"],
    )
    .await;
    check(
        json!({"kind": "files_match", "glob": "*.txt", "op": "ge", "n": 1}),
        &["w/a.txt", "w/empty.txt", "w/link.txt"],
    )
    .await;
    let many = format!("{home}/ws/*.md");
    check(json!({"kind": "files_match", "glob": many, "op": "ge", "n": 1}), &["ws/"]).await;
    check(json!({"kind": "file_exists", "path": "~/.ssh/id"}), &[]).await;
    check(json!({"kind": "output_lines", "op": "eq", "n": 3}), &[]).await;
}

#[tokio::test]
async fn a_check_knows_of_a_secret_only_that_there_is_one() {
    let scene = CheckScene::new();
    let none = CheckSubject::default();
    let contains = |text: &str| json!({"kind": "file_contains", "path": "./env.json", "text": text});
    scene.check(contains("[redacted: token]"), &none, PASS).await;
    scene.check(contains("ghp_"), &none, LOGICAL).await;
    let matches = json!({"kind": "file_contains", "path": "./env.json", "regex": "\"ghp_a.*"});
    scene.check(matches, &none, LOGICAL).await;
    let value =
        json!({"kind": "file_json", "path": "./env.json", "pointer": "/token", "op": "eq", "value": "x"});
    let seen = scene.evidence(value, &none).await;
    assert!(seen.saw.contains("[redacted: token]") && !seen.saw.contains("ghp_"), "{}", seen.saw);
    // What is measured without being told is measured as it is.
    scene.check(json!({"kind": "file_exists", "path": "./env.json"}), &none, PASS).await;
}
