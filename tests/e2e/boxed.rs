//! Work in a project without a question: programs run in a box, and everything is taken back by an undo.

use std::process::Command;

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask, tool};
use artoo_testing::{Home, TaskRun};

fn shell(command: &str) -> Value {
    tool("shell", &json!({"command": command}))
}

/// A server whose executor takes these actions and shows `said` at its end.
fn acting(mut actions: Vec<Value>, last: &str, said: &str) -> ModelServer {
    let goal = || checked("it is shown", &json!({"kind": "output_contains", "text": said}));
    let steps = [subtask(1, "Do it", &["shell", "edit_file"], &[], &[criterion("It is done.")])];
    actions.push(last_tool("shell", &json!({"command": last})));
    ModelServer::start(Scenario::new(plan(&[goal()], &steps)).act("Do it", actions).script())
}

fn git(home: &Home, words: &[&str]) -> String {
    let ran = Command::new("git").arg("-C").arg(home.work()).args(words).output().expect("git is there");
    assert!(ran.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn project(server: &ModelServer) -> Home {
    let home = Home::started(&server.base_url());
    home.file("sums.py", "def total(items):\n    return sum(items) + 1\n");
    let test = "import unittest, sums\nclass T(unittest.TestCase):\n    def test_total(self):\n        \
                self.assertEqual(sums.total([1, 2]), 3)\n";
    home.file("test_sums.py", test);
    git(&home, &["init", "-q", "-b", "main"]);
    git(&home, &["config", "user.name", "Ann"]);
    git(&home, &["config", "user.email", "ann@example.org"]);
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "first"]);
    home
}

fn unasked(home: &Home, request: &str) -> TaskRun {
    let run = home.run(request, &["--unattended"]);
    check_end(request, &run, &ACCEPT);
    assert!(run.of_type("confirmation_request").is_empty(), "{}", run.outline());
    run
}

#[test]
fn a_bug_is_fixed_tested_and_committed_unattended_and_all_of_it_is_undone() {
    let server = acting(
        vec![
            shell("python3 -m unittest 2>&1"),
            tool("edit_file", &json!({"path": "./sums.py", "old": " + 1", "new": ""})),
            shell("python3 -m unittest 2>&1"),
            shell("mkdir tests && mv test_sums.py tests/ && cp sums.py tests/copy.py"),
            shell("git add -A && git commit -q -m 'Mend the sum'"),
        ],
        "git log --format=%s",
        "Mend the sum",
    );
    let home = project(&server);
    let run = unasked(&home, "Do it");
    let ends: Vec<Value> =
        run.of_type("tool_call_finished").iter().map(|call| call["exit"].clone()).collect();
    assert_eq!(ends[..3], [1, 0, 0], "{}", run.outline());
    assert_eq!(git(&home, &["log", "--format=%s"]), "Mend the sum\nfirst\n");
    home.json(&["undo", run.id()]);
    assert_eq!(git(&home, &["log", "--format=%s"]), "first\n");
    assert_eq!(git(&home, &["status", "--porcelain"]), "");
    assert!(home.work().join("test_sums.py").exists() && !home.work().join("tests").exists());
}

/// What a program writes into such a file is written to the other place too, which nobody was asked about.
#[test]
fn a_file_with_another_name_outside_of_the_project_is_asked_about() {
    let write = "python3 -c \"open('notes.txt', 'a').write('x')\"";
    let server = acting(vec![shell(write)], "cat sums.py", "return sum");
    let home = project(&server);
    let outside = home.root().join("rc");
    std::fs::write(&outside, "mine\n").expect("it can be written");
    std::fs::hard_link(&outside, home.work().join("notes.txt")).expect("a link");
    let run = home.run("Do it", &["--unattended"]);
    let ends: Vec<Value> = run.of_type("tool_call_finished").iter().map(|call| call["end"].clone()).collect();
    assert_eq!(ends[0], "denied", "{}", run.outline());
    let asked = run.of_type("confirmation_request");
    assert!(asked[0].to_string().contains("hard link"), "{:#}", asked[0]);
    assert_eq!(std::fs::read_to_string(&outside).expect("it is there"), "mine\n");
}

#[test]
fn in_a_plain_folder_a_program_computes_unattended() {
    let sum = "python3 - <<'EOF'\nimport csv\nprint('units', sum(int(row['units']) for row in csv.DictReader(open('sales.csv'))))\nEOF";
    let server = acting(Vec::new(), sum, "units 7");
    let home = Home::started(&server.base_url());
    home.file("sales.csv", "region,units\nsouth,3\nnorth,4\n");
    unasked(&home, "Sum the units of sales.csv");
}

#[test]
fn modes_are_set_shown_kept_and_put_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = acting(
        vec![
            shell("chmod +x sums.py"),
            shell("python3 -c 'print(1)'; sed -i 's/ + 1//' sums.py"),
            shell("python3 -c 'print(1)'; sed -i 's/total/sum_up/' test_sums.py"),
            shell("chmod u+s sums.py"),
        ],
        "cat sums.py",
        "return sum",
    );
    let home = project(&server);
    let mode = |name: &str| {
        std::fs::metadata(home.work().join(name)).expect("it is there").permissions().mode() & 0o7777
    };
    let (script, test) = (mode("sums.py"), mode("test_sums.py"));
    let run = home.run("Do it", &["--unattended"]);
    let ends: Vec<Value> = run.of_type("tool_call_finished").iter().map(|call| call["end"].clone()).collect();
    assert_eq!(ends, ["ran", "ran", "ran", "denied", "ran"], "{}", run.outline());
    assert_eq!((mode("sums.py"), mode("test_sums.py")), (script | 0o111, test), "{}", run.outline());
    let changes = &run.of_type("tool_call_finished")[0]["changes"];
    assert_eq!(changes[0]["modes"], format!("mode {script:04o} -> {:04o}", script | 0o111), "{changes:#}");
    let prompts: Vec<String> = server.requests().iter().map(|seen| seen.message("user").to_owned()).collect();
    assert!(prompts.iter().any(|prompt| prompt.contains("sums.py mode 0644 -> 0755")), "{prompts:#?}");
    home.json(&["undo", run.id()]);
    assert_eq!((mode("sums.py"), mode("test_sums.py")), (script, test));
}

/// A build runs what it made, and undo takes back the modes of what was there.
#[test]
fn what_a_build_makes_can_be_run_unattended() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = acting(
        vec![
            shell(
                "python3 -c \"import os; open('area', 'w').write('#!/bin/sh\\necho built\\n'); os.chmod('area', 0o755)\"; ./area",
            ),
            shell(
                "python3 -m venv --without-pip env; env/bin/python -c 'print(2)'; python3 -c \"import os; os.chmod('sums.py', 0o700)\"",
            ),
        ],
        "cat sums.py",
        "return sum",
    );
    let home = project(&server);
    let mode =
        || std::fs::metadata(home.work().join("sums.py")).expect("it is there").permissions().mode() & 0o7777;
    let before = mode();
    let run = unasked(&home, "Do it");
    let ends: Vec<Value> =
        run.of_type("tool_call_finished").iter().map(|call| call["exit"].clone()).collect();
    assert_eq!((ends, mode()), (vec![Value::from(0); 3], 0o700), "{}", run.outline());
    home.json(&["undo", run.id()]);
    assert_eq!(mode(), before);
    assert!(!home.work().join("area").exists() && !home.work().join("env").exists());
}

/// The denial of a deletion binds programs in a box too: what they do to it is put back at once.
#[test]
fn what_was_denied_stays_as_it_is_whatever_runs_later() {
    let server = acting(
        vec![shell("rm sums.py"), shell("python3 -c \"open('sums.py', 'w'); open('made.txt', 'w')\"")],
        "cat sums.py",
        "return sum",
    );
    let home = project(&server);
    let run = home.run("Show sums.py", &["--unattended"]);
    let ends: Vec<Value> = run.of_type("tool_call_finished").iter().map(|call| call["end"].clone()).collect();
    assert_eq!(ends, ["denied", "ran", "ran"], "{}", run.outline());
    assert!(home.work().join("made.txt").exists());
    assert_eq!(git(&home, &["status", "--porcelain"]), "?? made.txt\n");
}

#[test]
fn explain_says_what_would_happen_in_a_box() {
    let server = acting(Vec::new(), "true", "x");
    let home = project(&server);
    let work = home.work();
    let told = home.json(&["explain", "--cwd", &work.to_string_lossy(), "make test"]);
    assert_eq!(told["decision"], "confirm", "the text alone says no more: {told:#}");
    let says = told["box"].as_str().unwrap_or_default();
    assert!(says.contains(&*work.to_string_lossy()) && says.contains("kept first"), "{told:#}");
    let asked = home.json(&["explain", "--cwd", &work.to_string_lossy(), "git push"]);
    assert!(asked.get("box").is_none(), "{asked:#}");
}

/// A right that is wanting is told, and asked for by itself.
#[test]
fn a_right_beyond_the_box_is_asked_for_and_nothing_else() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let connect = format!(
        "python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port})); print('connected')\" 2>&1"
    );
    let needing = json!({"command": connect, "needs": ["network"]});
    let server = acting(vec![shell(&connect), tool("shell", &needing)], "echo at the end", "at the end");
    let home = project(&server);
    let mut client = home.task("Connect", &["--attended"]);
    let question = client.event("confirmation_request");
    assert_eq!(question["effects"], json!(["send"]), "{question:#}");
    let why = question["why"].to_string();
    assert!(why.contains("it asks for the network") && why.contains("confined"), "{why}");
    let id = question["confirmation_id"].as_str().expect("it has an id");
    assert_eq!(home.artoo(&["confirm", id, "yes"]).code, Some(0));
    let run = client.finish();
    let said: Vec<String> =
        run.of_type("tool_call_finished").iter().map(|call| call["output"].to_string()).collect();
    assert!(!said[0].contains("connected") && said[1].contains("connected"), "{said:?}");
    let receipts = run.of_type("execution_result")[0]["receipts"].clone();
    assert!(
        receipts[0]["note"].as_str().is_some_and(|note| note.contains("needs: [\"network\"]")),
        "{receipts:#}"
    );
}
