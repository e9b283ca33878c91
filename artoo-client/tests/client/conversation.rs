//! Conversations and questions, in a pipe and on a terminal.

use std::process::Stdio;

use artoo_client::render::text::columns;
use artoo_client::repl::activity::PAUSE;
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{AuditFinding, AuditFindings, ConfirmationRequest};
use tokio::io::AsyncWriteExt;

use crate::fake::terminal::TestTerminal;
use crate::fake::{FakeDaemon, FakeScript, QUESTION, artoo};
use crate::{end, ends, spec};

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_can_be_piped() {
    let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
    let mut child = artoo(fake.data.path(), &[]).stdin(Stdio::piped()).spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin
        .write_all(b"/help\ncount the lines\n/nothing\n/show\n/tmp/x is a path\n/quit\nnever\n")
        .await
        .expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().await.expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for part in ["/replay", "lines: 3", "model call"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("`/nothing` is no command"), "{said}");
    let script = fake.script.lock();
    let inputs: Vec<&str> = script.submitted.iter().map(|request| request.input.as_str()).collect();
    assert_eq!(inputs, ["count the lines", "/tmp/x is a path"]);
    assert!(!script.submitted[0].session_id.is_empty());
    assert_eq!(script.submitted[0].session_id, script.submitted[1].session_id);
    assert_eq!(output.status.code(), Some(2), "what failed last was no command");
}

/// The program with this on its standard input.
async fn piped(fake: &FakeDaemon, arguments: &[&str], input: &[u8]) -> std::process::Output {
    let mut child =
        artoo(fake.data.path(), arguments).stdin(Stdio::piped()).spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).await.expect("it reads");
    drop(stdin);
    child.wait_with_output().await.expect("it ends")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_piped_request_ends_with_the_code_of_its_task_and_prints_its_answer_alone() {
    for (directive, reason, code, stdout) in [
        ("accept", "criteria_met", 0, "lines: 3\n"),
        ("abandon", "replans_exhausted", 1, "lines: 3\n"),
        ("abandon", "cancelled", 130, "lines: 3\n"),
    ] {
        for arguments in [&[][..], &["-v"]] {
            let fake = FakeDaemon::start(ends(directive, reason)).await;
            let output = piped(&fake, arguments, b"count the lines\n\n").await;
            assert_eq!(output.status.code(), Some(code), "{directive} {reason}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{directive} {arguments:?}");
            assert!(!output.stderr.is_empty());
        }
    }
    let refusal = tonic::Status::invalid_argument("no");
    let fake = FakeDaemon::start(FakeScript { refusal: Some(refusal), ..Default::default() }).await;
    let output = piped(&fake, &[], b"count the lines\n/help\n").await;
    assert_eq!(output.status.code(), Some(5), "the help that came later takes nothing back");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_piped_into_a_request_is_a_file_that_it_names() {
    let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
    let output = piped(&fake, &["count the lines of this"], b"one\ntwo\n").await;
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"lines: 3\n"[..]));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("reading standard input"));
    let input = fake.script.lock().submitted[0].input.clone();
    let named = input.strip_prefix("count the lines of ").expect("the request is there");
    assert!(named.ends_with("/stdin.txt") && named.starts_with('/'), "{named}");
    assert!(!std::path::Path::new(named).exists(), "it goes with the task");
    // Nothing, or no pipe: the request is as it was typed.
    piped(&fake, &["count the lines of this"], b"").await;
    let quiet = artoo(fake.data.path(), &["run", "count"]).output().await.expect("the program runs");
    assert_eq!(quiet.status.code(), Some(0));
    let inputs: Vec<String> =
        fake.script.lock().submitted.iter().skip(1).map(|one| one.input.clone()).collect();
    assert_eq!(inputs, ["count the lines of this", "count"]);
}

/// The program in a terminal, against a daemon that plays this.
fn in_terminal(fake: &FakeDaemon, arguments: &[&str]) -> TestTerminal {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_artoo"));
    command.args(arguments).env_clear().env("HOME", fake.data.path()).env("ARTOO_DATA_DIR", fake.data.path());
    command.env("TERM", "xterm-256color");
    TestTerminal::run(command)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_shows_what_goes_on_stops_it_with_esc_and_ends_with_ctrl_d() {
    let events = vec![spec(), end("abandon", "cancelled", false)];
    let fake = FakeDaemon::start(FakeScript { events, waits_before: Some(1), ..Default::default() }).await;
    let mut terminal = in_terminal(&fake, &[]);
    terminal.wait_for("Esc stops the task");
    terminal.wait_for("! a task waits for your answer");
    terminal.wait_for("› ");
    terminal.press("count the lines\r");
    while fake.script.lock().submitted.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    terminal.wait_for("Esc stops");
    terminal.press("\u{1b}");
    terminal.wait_for("■ stopping");
    terminal.wait_for("There are 3 lines.");
    terminal.wait_for("lines: 3");
    // Without a task, ctrl-c throws away what was typed: the next line is a new one.
    terminal.press("abc");
    terminal.wait_for("abc");
    terminal.press("\u{3}");
    // Keys that come together with it go with it, and the prompt looks the same before and after.
    tokio::time::sleep(PAUSE).await;
    terminal.press("/he\t");
    terminal.wait_for("/help");
    terminal.press("\r");
    terminal.wait_for("fold a task's recorded inputs again");
    terminal.press("\u{4}");
    assert_eq!(terminal.end(), Some(0));
    let script = fake.script.lock();
    let submitted = script.submitted.first().expect("it was submitted");
    assert!(submitted.options.as_ref().is_some_and(|options| !options.unattended), "somebody is there");
    let history = std::fs::read_to_string(fake.data.path().join("history.txt")).expect("history is kept");
    assert!(history.contains("count the lines"), "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_finding_is_a_line_of_the_conversation() {
    let finding = AuditFinding {
        id: "f0123456789".to_owned(),
        kind: "plateau".to_owned(),
        detail: "D is 0.50 and did not fall".to_owned(),
        ..Default::default()
    };
    let news = vec![Payload::AuditFindings(AuditFindings { findings: vec![finding] })];
    let fake = FakeDaemon::start(FakeScript { news, ..Default::default() }).await;
    let mut terminal = in_terminal(&fake, &[]);
    terminal.wait_for("! the auditor found");
    terminal.wait_for("plateau");
    terminal.wait_for("artoo audit show f0123456789");
    terminal.wait_for("› ");
    terminal.press("\u{4}");
    assert_eq!(terminal.end(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_asked_on_a_terminal() {
    let question = ConfirmationRequest {
        confirmation_id: QUESTION.to_owned(),
        action: "rm x".to_owned(),
        effects: vec!["delete".to_owned()],
        ..Default::default()
    };
    let events = vec![spec(), Payload::ConfirmationRequest(question), end("accept", "criteria_met", false)];
    let fake = FakeDaemon::start(FakeScript { events, waits_before: Some(2), ..Default::default() }).await;
    let mut terminal = in_terminal(&fake, &["run", "delete x"]);
    terminal.wait_for("artoo wants to delete something.");
    terminal.wait_for("[v] view all");
    // Nobody reads that fast: what comes at once is no answer.
    terminal.press("n");
    tokio::time::sleep(PAUSE * 2).await;
    terminal.press("?");
    terminal.wait_for("the task looks for another way");
    terminal.press("y");
    terminal.wait_for("lines: 3");
    terminal.wait_for("✓ ");
    assert_eq!(terminal.end(), Some(0));
    let script = fake.script.lock();
    assert!(script.resolved.first().is_some_and(|resolved| resolved.approved));
}

/// What is pasted is one request with its lines, and the ids of tasks are completed.
#[tokio::test(flavor = "multi_thread")]
async fn pasted_lines_are_one_request_and_ids_are_completed() {
    let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
    let mut terminal = in_terminal(&fake, &[]);
    terminal.wait_for("› ");
    // A terminal says where what it pastes begins and ends (xterm, "Bracketed Paste Mode").
    terminal.press("\u{1b}[200~count these:\none.txt\ntwo.txt\u{1b}[201~");
    terminal.wait_for("two.txt");
    terminal.press("\r");
    terminal.wait_for("lines: 3");
    terminal.press("/show 0197\t");
    terminal.wait_for("/show 0197b2c4-1a2b");
    terminal.press("\r");
    terminal.wait_for("count the lines");
    terminal.press("\u{4}");
    assert_eq!(terminal.end(), Some(0));
    let script = fake.script.lock();
    let inputs: Vec<&str> = script.submitted.iter().map(|request| request.input.as_str()).collect();
    assert_eq!(inputs, ["count these:\none.txt\ntwo.txt"]);
}

/// Lines that come after a change of the window's size have its width.
#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_changes_its_size_is_respected() {
    let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
    let mut terminal = in_terminal(&fake, &[]);
    terminal.wait_for("› ");
    terminal.press("/help\r");
    let wide = terminal.lines_until("/quit");
    terminal.resize(40);
    terminal.press("/help\r");
    terminal.wait_for("/quit");
    terminal.wait_for("› ");
    terminal.press("/help\r");
    let narrow = terminal.lines_until("/quit");
    let longest = |lines: &[String]| lines.iter().map(|line| columns(line.trim())).max().unwrap_or_default();
    assert!(longest(&wide) > 40 && longest(&narrow) <= 40, "{wide:#?}\n{narrow:#?}");
    terminal.wait_for("› ");
    terminal.press("\u{4}");
    assert_eq!(terminal.end(), Some(0));
}
