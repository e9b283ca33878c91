//! What a power cut and an orderly stop leave behind: no task lost, no event lost or doubled.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end, check_gapless};
use artoo_testing::model_server::{ModelServer, Reply};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, PATIENCE, TaskRun};

/// A server whose executor hangs once, and plays well before and after.
fn hangs_once() -> ModelServer {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))])
        .task_apart();
    let hung = AtomicBool::new(false);
    ModelServer::start(move |seen| {
        if seen.role == "R3" && !hung.swap(true, Ordering::SeqCst) {
            return Reply::Hang;
        }
        scenario.reply(seen)
    })
}

/// Runs a task until its executor asks a model that hangs; returns the task and the events that a person has seen.
fn hang(home: &Home, server: &ModelServer) -> (String, Vec<Value>) {
    let mut client = home.task("List my text files again", &[]);
    let task = client.event("task_submitted")["task_id"].as_str().expect("it has an id").to_owned();
    server.wait_for_requests(3, PATIENCE);
    client.event("sub_task");
    client.event("model_call_started");
    (task.clone(), home.events(&task, 0))
}

/// The task goes on to its end, and its events are those that were seen before and some more.
fn check_goes_on(home: &Home, server: &ModelServer, task: &str, seen: &[Value]) {
    let follow = home.artoo(&["events", task, "--follow", "--json"]);
    let run = TaskRun { events: artoo_testing::lines(&follow.stdout), code: Some(0), stderr: follow.stderr };
    check_end("after the restart", &run, &ACCEPT);
    assert!(!seen.is_empty());
    assert_eq!(run.events[..seen.len()], *seen, "what was seen stands");
    let roles: Vec<String> = server.requests().into_iter().map(|asked| asked.role).collect();
    assert_eq!(roles, ["R1", "R2", "R3", "R3", "R4a", "R4b"], "only the call that was open is made again");

    let middle = seen.len() as u64 - 1;
    let rest = home.events(task, middle);
    check_gapless("after a sequence", &rest, middle + 1);
    assert_eq!(rest[..], run.events[seen.len() - 1..], "no event is lost or doubled");
    let last = run.events.len() as u64;
    assert!(home.events(task, last).is_empty(), "there is nothing after the end");
    let beyond = home.artoo(&["events", task, "--after", &(last + 7).to_string(), "--json"]);
    assert_eq!(beyond.code, Some(5), "{beyond:?}");

    let shown = home.json(&["show", task]);
    assert_eq!(
        (&shown["state"], &shown["reason"]),
        (&json!("finished"), &json!("criteria_met")),
        "{shown:#}"
    );
    let report = home.json(&["audit"]);
    assert_eq!(report["totals"]["tasks_observed"], 1, "{report:#}");
    assert_eq!(report["anomalies"], json!([]), "{report:#}");
    assert_eq!(report["boundary_violations"], json!([]), "{report:#}");
}

#[test]
fn a_task_goes_on_after_a_power_cut() {
    let server = hangs_once();
    let mut home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let (task, seen) = hang(&home, &server);
    home.kill();
    home.start();
    check_goes_on(&home, &server, &task, &seen);
    // The daemon is as good as new.
    check_end("the next task", &home.run("List my text files again", &[]), &ACCEPT);
    assert_eq!(home.json(&["tasks"])["tasks"].as_array().map(Vec::len), Some(2));
    // A second restart tells the same.
    let told = home.events(&task, 0);
    home.kill();
    home.start();
    assert_eq!(home.events(&task, 0), told);
}

#[test]
fn a_client_follows_its_task_across_a_power_cut() {
    let server = hangs_once();
    let home = Home::with_model(&server.base_url());
    home.file("a.txt", "one\n");
    let mut client = home.client_that_may_start_a_daemon(&["run", "--json", "List my text files again"]);
    client.event("sub_task");
    server.wait_for_requests(3, PATIENCE);
    home.kill_what_a_client_started();
    check_end("the same client", &client.finish(), &ACCEPT);
}

#[test]
fn a_finished_task_outlives_a_power_cut_as_it_was() {
    let server = hangs_once();
    let mut home = Home::started(&server.base_url());
    let steps = ["R1", "R2"];
    let (task, _) = hang(&home, &server);
    let cancelled = home.artoo(&["cancel", &task, "--json"]);
    assert_eq!(cancelled.code, Some(0), "{cancelled:?}");
    let told = home.events(&task, 0);
    home.kill();
    home.start();
    assert_eq!(home.events(&task, 0), told);
    assert_eq!(home.json(&["show", &task[..13]])["reason"], "cancelled");
    let roles: Vec<String> = server.requests().into_iter().map(|seen| seen.role).collect();
    assert_eq!(roles[..2], steps);
    assert_eq!(roles.len(), 3, "nothing runs after the end: {roles:?}");
}

#[test]
fn a_stopped_daemon_ends_in_order() {
    let server = hangs_once();
    let mut home = Home::started(&server.base_url());
    for _ in 0..2 {
        home.json(&["status"]);
        let (status, log) = home.terminate();
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(!home.socket().exists(), "{log}");
        home.start();
    }
}

#[test]
fn a_daemon_that_listens_can_be_stopped_in_order() {
    let mut home = Home::new();
    for round in 0..12 {
        home.start();
        let (status, log) = home.terminate();
        assert_eq!(status.code(), Some(0), "round {round}: {status}: {log}");
        assert!(!home.socket().exists(), "round {round}: {log}");
    }
}

#[test]
fn a_stopped_daemon_leaves_off_with_a_call_that_hangs_and_the_next_one_goes_on() {
    let server = hangs_once();
    let mut home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let (task, seen) = hang(&home, &server);
    let (status, log) = home.terminate();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!home.socket().exists(), "{log}");
    home.start();
    check_goes_on(&home, &server, &task, &seen);
}

/// What a person does after changing the configuration, without knowing a process id.
#[test]
fn a_person_stops_the_daemon_and_starts_it_anew_with_what_is_set_now() {
    let home = Home::new();
    let started = |arguments: &[&str]| home.client_that_may_start_a_daemon(arguments).wait();
    assert_eq!(started(&["stop"]).stdout.trim(), "the daemon was not running");
    assert_eq!(home.artoo(&["status"]).code, Some(3), "to stop does not start it");
    assert_eq!(started(&["logs"]).code, Some(1), "there is no log yet");

    let first: Value = serde_json::from_str(&started(&["status", "--json"]).stdout).expect("JSON");
    home.configure(
        "[control]\nmax_replans = 2\n[model]\nbase_url = \"http://127.0.0.1:9\"\nmodel = \"m1\"\n",
        0o600,
    );
    let anew = started(&["restart"]);
    assert_eq!(anew.code, Some(0), "{anew:?}");
    assert!(anew.stdout.contains("model m1"), "it has read what is set now: {anew:?}");
    let second = home.json(&["status"]);
    assert_ne!(first["pid"], second["pid"]);
    assert!(started(&["version"]).stdout.contains("daemon "), "it runs");
    let logs = started(&["logs", "-n", "3"]);
    assert_eq!((logs.code, logs.stdout.lines().count()), (Some(0), 3), "{logs:?}");

    assert_eq!(started(&["stop"]).stdout.trim(), "the daemon has ended");
    assert_eq!(home.artoo(&["status"]).code, Some(3), "it is gone");
    assert!(!home.socket().exists());
}

#[test]
fn a_second_daemon_says_by_its_status_that_the_folder_is_in_use() {
    let mut home = Home::new().variable("ARTOO_PROVIDER", "offline");
    home.start();
    let ended = home.daemon_program(&["--foreground"]);
    assert_eq!(ended.code, Some(75), "{ended:?}");
    assert!(ended.stderr.contains("already uses"), "{ended:?}");
}
