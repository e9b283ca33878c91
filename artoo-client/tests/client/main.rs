//! The program `artoo` against a daemon that plays prepared events: exit codes, JSON lines, questions, outages.

mod conversation;
mod fake;

use std::process::{Output, Stdio};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use artoo_client::connection::DaemonConnector;
use artoo_client::events::{EventStream, HeartbeatTiming};
use artoo_client::follow::{EventView, FollowOptions, follow};
use artoo_client::keyboard::{Keyboard, UserInput};
use artoo_client::output::Printer;
use artoo_client::paths::ClientPaths;
use artoo_client::repl::activity::{Activity, Asked};
use artoo_client::terminal::TerminalLook;
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{
    ConfirmationRequest, ConfirmationResolved, FinalResult, ModelCallStarted, TaskSpec, TaskSubmitted,
};
use fake::{FakeDaemon, FakeScript, QUESTION, TASK, artoo};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tonic_types::{ErrorDetails, StatusExt};

fn spec() -> Payload {
    Payload::TaskSpec(TaskSpec { slug: "count_lines".to_owned(), ..Default::default() })
}

fn end(directive: &str, reason: &str, unanswered: bool) -> Payload {
    Payload::FinalResult(FinalResult {
        task_id: TASK.to_owned(),
        directive: directive.to_owned(),
        reason: reason.to_owned(),
        unanswered_confirmation: unanswered,
        summary: "There are 3 lines.".to_owned(),
        output: Some(artoo_protocol::json::json_to_value(&serde_json::json!({ "lines": 3 }))),
        ..Default::default()
    })
}

fn ends(directive: &str, reason: &str) -> FakeScript {
    let events =
        vec![Payload::TaskSubmitted(TaskSubmitted::default()), spec(), end(directive, reason, false)];
    FakeScript { events, ..Default::default() }
}

async fn output(fake: &FakeDaemon, arguments: &[&str]) -> Output {
    artoo(fake.data.path(), arguments).output().await.expect("the program runs")
}

/// The program ends with this code, and its standard output and error hold these texts.
async fn check(script: FakeScript, arguments: &[&str], code: i32, out: &[&str], err: &[&str]) {
    let fake = FakeDaemon::start(script).await;
    let output = output(&fake, arguments).await;
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    for text in out {
        assert!(stdout.contains(text), "`{text}` in\n{stdout}");
    }
    for text in err {
        assert!(stderr.contains(text), "`{text}` in\n{stderr}");
    }
    assert!(!stdout.contains('\u{1b}'), "no escape sequences in a pipe: {stdout:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_exit_code_tells_how_the_task_ended() {
    check(
        ends("accept", "criteria_met"),
        &["count the lines"],
        0,
        &["lines: 3"],
        &["✓ ", "0197b2c4-1a2b -v"],
    )
    .await;
    let told = ["● count_lines   offline rules", "✓ success · within_tolerance"];
    check(ends("success", "within_tolerance"), &["run", "x", "-v"], 0, &["lines: 3"], &told).await;
    check(ends("accept", "criteria_met"), &["run", "x", "-vv"], 0, &["lines: 3"], &["R1 → R2"]).await;
    let told = ["✗ There are 3 lines.", "artoo show 0197b2c4-1a2b"];
    check(ends("abandon", "replans_exhausted"), &["run", "x"], 1, &[], &told).await;
    check(ends("abandon", "cancelled"), &["run", "x", "-v"], 130, &[], &["✗ abandon · cancelled"]).await;
    let script = FakeScript { events: vec![end("abandon", "refused", true)], ..Default::default() };
    check(script, &["run", "x", "--quiet"], 4, &[], &["✗ Not done: nobody was there to say yes."]).await;
}

/// Whoever reads standard output gets the answer and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn standard_output_is_the_answer_alone() {
    for flags in [&[][..], &["-q"], &["-v"], &["-vv"]] {
        let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
        let output = output(&fake, &[&["run", "count"], flags].concat()).await;
        assert_eq!(String::from_utf8_lossy(&output.stdout), "lines: 3\n", "{flags:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said.is_empty(), flags == ["-q"], "{flags:?} {said}");
        assert!(!said.contains('\u{1b}'), "no escape sequences in a pipe: {said:?}");
    }
}

/// A final result holds the head and the tail of a long output; a program gets all of it.
#[tokio::test(flavor = "multi_thread")]
async fn an_output_is_whole_in_a_pipe() {
    let Payload::FinalResult(end) = end("accept", "criteria_met", false) else { unreachable!() };
    let output_of = Some(artoo_protocol::json::json_to_value(&"first\n[...]\nthird".into()));
    let cut = FinalResult { output: output_of, handle: Some("f.txt".to_owned()), ..end };
    let script = || FakeScript { events: vec![Payload::FinalResult(cut.clone())], ..Default::default() };
    for arguments in [&["run", "list"][..], &["run", "-q", "list"], &["show", TASK]] {
        let fake = FakeDaemon::start(script()).await;
        let output = output(&fake, arguments).await;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("first\nsecond\nthird\n"), "{arguments:?}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_daemon_refuses_is_told_with_the_field() {
    let mut details = ErrorDetails::new();
    details.add_bad_request_violation("input", "it is blank");
    let refusal =
        tonic::Status::with_error_details(tonic::Code::InvalidArgument, "the request is not valid", details);
    let script = FakeScript { refusal: Some(refusal), ..Default::default() };
    check(script, &["run", " "], 5, &[], &["artoo: the request is not valid", "input: it is blank"]).await;
    check(FakeScript::default(), &["memory", "pyramid"], 5, &[], &["not in this build"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_line_that_makes_no_sense_is_a_usage_error() {
    check(FakeScript::default(), &["run"], 2, &[], &["say what to do"]).await;
    check(FakeScript::default(), &["taks"], 2, &[], &["did you mean `artoo tasks`", "artoo run taks"]).await;
    let meant = ["did you mean `artoo schedule list`", "artoo run shcedule list"];
    check(FakeScript::default(), &["shcedule", "list"], 2, &[], &meant).await;
    let told = ["unexpected argument", "artoo run show me the files"];
    check(FakeScript::default(), &["show", "me", "the", "files"], 2, &[], &told).await;
    check(FakeScript::default(), &["cancel"], 2, &[], &["Usage"]).await;
    check(FakeScript::default(), &["memory", "forget"], 2, &[], &["say what to forget"]).await;
    check(FakeScript::default(), &["--version"], 0, &["artoo 0."], &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_is_one_object_a_line_and_ends_with_the_final_result() {
    let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
    let output = output(&fake, &["run", "--json", "count"]).await;
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!(kinds, ["task_submitted", "task_spec", "final_result"]);
    let last = &lines[2];
    assert_eq!((&last["directive"], &last["reason"]), (&Value::from("accept"), &Value::from("criteria_met")));
    assert_eq!((&last["sequence"], &last["output"]["lines"]), (&Value::from(3), &Value::from(3)));
    let script = fake.script.lock();
    let submitted = script.submitted.first().expect("it was submitted");
    assert!(
        submitted.options.as_ref().is_some_and(|options| options.unattended),
        "without a terminal nobody is asked"
    );
    assert!(submitted.working_directory.starts_with('/') && !submitted.request_id.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_goes_on_where_it_was() {
    let call = |call| Payload::ModelCallStarted(ModelCallStarted { call, ..Default::default() });
    let events = vec![spec(), call(1), call(2), call(3), end("accept", "criteria_met", false)];
    let fake = FakeDaemon::start(FakeScript { events, breaks_after: Some(3), ..Default::default() }).await;
    let output = output(&fake, &["run", "--json", "count"]).await;
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let line = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["sequence"].clone();
    assert_eq!(text.lines().map(line).collect::<Vec<_>>(), [1, 2, 3, 4, 5].map(Value::from));
    assert_eq!(fake.script.lock().asked_after, [0, 3]);
    assert_eq!(output.status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_goes_away_and_comes_back_is_told_in_two_lines() {
    let script = || FakeScript { breaks_after: Some(2), ..ends("accept", "criteria_met") };
    check(script(), &["count"], 0, &["lines: 3"], &["! the daemon went away", "✓ the daemon is back"]).await;
    let fake = FakeDaemon::start(script()).await;
    let quiet = output(&fake, &["run", "-q", "count"]).await;
    assert_eq!((quiet.stdout.as_slice(), quiet.stderr.as_slice()), (&b"lines: 3\n"[..], &b""[..]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_stream_says_that_it_was_interrupted() {
    let script = || ends("accept", "criteria_met");
    check(FakeScript { breaks_after: Some(2), ..script() }, &["events"], 0, &["accept"], &["missing here"])
        .await;
    let fake = FakeDaemon::start(script()).await;
    assert_eq!(output(&fake, &["events"]).await.stderr, b"");
}

/// A daemon that hangs is left after its patience; a stream that is opened again goes on where the first one was.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_falls_silent_is_opened_again_where_it_was() {
    let script = FakeScript { silent_after: Some(2), ..ends("accept", "criteria_met") };
    let fake = FakeDaemon::start(script).await;
    let paths = ClientPaths { data: fake.data.path().to_owned(), socket: fake.socket() };
    let daemon = DaemonConnector { paths, may_start: false };
    let pulse = HeartbeatTiming { every: Duration::from_millis(100), patience: Duration::from_millis(300) };
    let events =
        EventStream::new(&daemon, TASK, 0, true).with_pulse(pulse).all().await.expect("the whole task");
    let sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, [1, 2, 3]);
    assert_eq!(fake.script.lock().asked_after, [0, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_cancels_and_waits_for_the_end() {
    let events = vec![spec(), end("abandon", "cancelled", false)];
    let fake = FakeDaemon::start(FakeScript { events, waits_before: Some(1), ..Default::default() }).await;
    let mut child = artoo(fake.data.path(), &["run", "x", "-v"]).spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let first = lines.next_line().await.expect("it prints").expect("a line");
    assert!(first.contains("count_lines"), "{first}");
    let id = child.id().and_then(|id| i32::try_from(id).ok()).expect("it runs");
    let process = rustix::process::Pid::from_raw(id).expect("a process id is not 0");
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it can be signalled");
    let mut rest = String::new();
    while let Some(line) = lines.next_line().await.expect("it prints") {
        rest.push_str(&line);
    }
    assert!(rest.contains("■ stopping") && rest.contains("abandon · cancelled"), "{rest}");
    assert_eq!(child.wait().await.expect("it ends").code(), Some(130));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_is_not_there_is_code_three() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let output = artoo(data.path(), &["--no-start", "status"]).output().await.expect("the program runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("does not answer at ~/artoo.sock") && stderr.contains("Try: artoo doctor"),
        "{stderr}"
    );

    let broken = data.path().join("broken-daemon");
    std::fs::write(&broken, "#!/bin/sh\necho 'config.toml line 7: unknown key' >&2\nexit 1\n")
        .expect("it can be written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&broken, mode).expect("its mode can be set");
    let output = artoo(data.path(), &["status"])
        .env("ARTOO_DAEMON", &broken)
        .output()
        .await
        .expect("the program runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("could not be started") && stderr.contains("line 7: unknown key"), "{stderr}");

    let long = format!("/{}/artoo.sock", "x".repeat(120));
    let output = artoo(data.path(), &["--socket", &long, "status"]).output().await.expect("the program runs");
    assert!(String::from_utf8(output.stderr).expect("UTF-8").contains("ARTOO_SOCKET"));
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_print_for_people_and_as_json() {
    let one = r#"{"decision":"confirm","effects":[],"targets":[],"why":["{\"command\":\"rm x\"}"]}"#;
    check(FakeScript::default(), &["explain", "rm x", "--json"], 0, &[one], &[]).await;
    check(FakeScript::default(), &["explain", "ls"], 0, &["safe   runs unasked"], &[]).await;
    check(FakeScript::default(), &["tasks"], 0, &["0197b2c4-1a2b", "accept", "count the lines"], &[]).await;
    check(FakeScript::default(), &["tasks", "--json"], 0, &[r#""slug":"count_lines""#], &[]).await;
    check(FakeScript::default(), &["audit", "verify"], 1, &["not intact", "line 7: altered"], &[]).await;
    check(FakeScript::default(), &["audit", "list"], 0, &["! f0123456789  plateau", "1 open"], &[]).await;
    check(FakeScript::default(), &["audit", "show", "f01"], 0, &["message 7", "Give the task a hint."], &[])
        .await;
    check(FakeScript::default(), &["audit", "show", "f02"], 5, &[], &["no finding is called that"]).await;
    check(FakeScript::default(), &["audit", "ack", "f01"], 0, &["✓ 1 finding seen · none is open"], &[])
        .await;
    check(FakeScript::default(), &["audit", "ack"], 2, &[], &["required"]).await;
    check(FakeScript::default(), &["audit", "reports"], 0, &["periodic", "3 tasks"], &[]).await;
    check(FakeScript::default(), &["replay", "0197"], 0, &["identical"], &[]).await;
    check(FakeScript::default(), &["show", "ffff"], 5, &[], &["starts with `ffff`"]).await;
    check(FakeScript::default(), &["memory", "export"], 0, &["{\"a\":1}\n{\"b\":2}\n"], &[]).await;
    check(FakeScript::default(), &["memory", "verify"], 1, &["x| belongs to no memory", "--rebuild"], &[])
        .await;
    let relation = r#"{"other":"b","relation":"alias","similarity":0.75,"why":"w"}"#;
    check(FakeScript::default(), &["memory", "similar", "a", "--to", "b", "--json"], 0, &[relation], &[])
        .await;
    let told =
        ["call 2 · R2 · plan", "10 characters, 10 as in the call before", "  You are\n  R2", "2 calls"];
    check(FakeScript::default(), &["show", "0197", "--prompts"], 0, &told, &[]).await;
    let told = [r#""call":1"#, r#""call":2"#, r#""more":false"#];
    check(FakeScript::default(), &["show", "0197", "--prompts", "--json"], 0, &told, &[]).await;
    check(FakeScript::default(), &["report", "0197", "-o", "-"], 0, &["<!doctype html>"], &[]).await;
    check(FakeScript::default(), &["report", "--all", "-o", "-"], 0, &["<!doctype html>all"], &[]).await;
    check(FakeScript::default(), &["completions", "bash"], 0, &["_artoo()"], &[]).await;
    check(
        ends("accept", "criteria_met"),
        &["events", "0197", "--after", "1", "--json"],
        0,
        &["task_spec"],
        &[],
    )
    .await;
    check(ends("accept", "criteria_met"), &["show", "0197"], 0, &["count the lines", "✓ accept"], &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_forgotten_without_a_word() {
    let forget = ["memory", "forget", "0197b2c4"];
    let asked = "2 memories would be forgotten for good; say --yes";
    check(FakeScript::default(), &forget, 2, &["a lesson", "and 1 more"], &[asked]).await;
    check(FakeScript::default(), &[&forget[..], &["--json"]].concat(), 2, &[], &[asked]).await;
    check(
        FakeScript::default(),
        &[&forget[..], &["--yes"]].concat(),
        0,
        &["2 memories forgotten for good"],
        &[],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn explain_reads_many_commands() {
    for (flags, input) in [(&["--stdin"][..], "ls\nrm x\n"), (&["--stdin", "-0"], "ls\0rm x\0")] {
        let fake = FakeDaemon::start(FakeScript::default()).await;
        let arguments = [&["--json", "explain"], flags].concat();
        let mut command = artoo(fake.data.path(), &arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(input.as_bytes()).await.expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().await.expect("it ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let decision = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["decision"].clone();
        assert_eq!(text.lines().map(decision).collect::<Vec<_>>(), ["safe", "confirm"].map(Value::from));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn confirm_finds_the_question_of_a_task_and_sends_the_token() {
    let fake = FakeDaemon::start(FakeScript::default()).await;
    let output = output(&fake, &["confirm", "0197b2c4", "yes", "--remember"]).await;
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let script = fake.script.lock();
    let resolved = script.resolved.first().expect("it was resolved");
    assert_eq!((resolved.confirmation_id.as_str(), resolved.token.as_str()), (QUESTION, "secret"));
    assert!(resolved.approved && resolved.remember_for_task);
}

/// With this line typed at the question, the daemon is told this.
async fn check_answer(lines: &[&str], approved: bool, remembered: bool, shown: &str) {
    let question = ConfirmationRequest {
        confirmation_id: QUESTION.to_owned(),
        action: "rm build/a.o\u{1b}[2K".to_owned(),
        effects: vec!["delete".to_owned()],
        digest: "d1ge57".to_owned(),
        rememberable: true,
        ..Default::default()
    };
    let resolved =
        ConfirmationResolved { confirmation_id: QUESTION.to_owned(), approved, ..Default::default() };
    let events = vec![
        spec(),
        Payload::ConfirmationRequest(question),
        Payload::ConfirmationResolved(resolved),
        end("accept", "criteria_met", false),
    ];
    let fake = FakeDaemon::start(FakeScript { events, waits_before: Some(2), ..Default::default() }).await;
    let paths = ClientPaths { data: fake.data.path().to_owned(), socket: fake.socket() };
    let daemon = DaemonConnector { paths, may_start: false };
    let (printed, output) = sync_channel(64);
    let (sender, typed) = tokio::sync::mpsc::channel(8);
    for line in lines {
        sender.send(UserInput::Line((*line).to_owned())).await.expect("there is room");
    }
    let activity = std::sync::Arc::default();
    let mut keyboard = Keyboard::Editor { typed: HeldBack::until_asked(typed, &activity), activity };
    let mut printer =
        Printer::editor(TerminalLook { colour: false, live: true, links: false, width: 80 }, printed);
    let what = FollowOptions {
        daemon: &daemon,
        task_id: TASK,
        view: EventView::Brief,
        attended: true,
        subtitle: "",
    };
    let result = follow(what, &mut printer, &mut keyboard).await.expect("it ends");
    drop(printer);
    let screen: String = output.into_iter().collect::<Vec<_>>().join("\n");
    assert_eq!(result.directive, "accept");
    assert!(
        screen.contains("artoo wants to delete something.") && screen.contains("rm build/a.o\\x1b[2K"),
        "{screen}"
    );
    assert!(screen.contains(shown), "{screen}");
    let script = fake.script.lock();
    let answers: Vec<_> =
        script.resolved.iter().map(|r| (r.approved, r.remember_for_task, r.token.as_str())).collect();
    assert_eq!(answers, [(approved, remembered, "secret")]);
}

/// Passes lines on once the question is put.
struct HeldBack;

impl HeldBack {
    fn until_asked(
        mut typed: tokio::sync::mpsc::Receiver<UserInput>,
        activity: &std::sync::Arc<Activity>,
    ) -> tokio::sync::mpsc::Receiver<UserInput> {
        let (sender, receiver) = tokio::sync::mpsc::channel(8);
        let activity = std::sync::Arc::clone(activity);
        tokio::spawn(async move {
            while activity.asked() == Asked::Nothing {
                tokio::task::yield_now().await;
            }
            while let Some(line) = typed.recv().await {
                if sender.send(line).await.is_err() {
                    return;
                }
            }
            // The editor is still there; it only has nothing to say.
            sender.closed().await;
        });
        receiver
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_takes_a_clear_answer_only() {
    check_answer(&["y"], true, false, "✓ you said yes: rm build/a.o").await;
    check_answer(&["", "perhaps", "a"], true, true, "press y, n, a, v or ?").await;
    check_answer(&["v", "n"], false, false, "d1ge57").await;
    check_answer(&["?", "n"], false, false, "the task looks for another way").await;
    check_answer(&["n"], false, false, "✗ Not done: you said no.").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn output_that_nobody_reads_ends_the_program_quietly() {
    let fake = FakeDaemon::start(ends("accept", "criteria_met")).await;
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let child = artoo(fake.data.path(), &["tasks"]).stdout(writer).spawn().expect("the program runs");
    let output = child.wait_with_output().await.expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]));
}
