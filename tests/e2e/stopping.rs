//! A task that a person stops: it ends soon, says so, and leaves no process behind.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;

use crate::checks::{abandon, check_end};
use artoo_testing::model_server::{ModelServer, Reply};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Client, Home, wait_until};

/// A time to sleep that no other process of this machine was given: it names the child.
fn unique_sleep() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(1);
    format!("29.{}{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst))
}

/// A server whose executor sleeps for so long.
fn sleeper(seconds: &str) -> ModelServer {
    let steps = [subtask(1, "Wait a while", &["shell:sleep"], &[], &[criterion("It waited.")])];
    let command = json!({"command": format!("sleep {seconds}")});
    let scenario = Scenario::new(plan(&[criterion("The wait is over.")], &steps))
        .act("Wait a while", vec![last_tool("shell", &command)]);
    ModelServer::start(scenario.script())
}

/// Whether a process has this among its arguments.
fn runs(argument: &str) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        let listed = std::process::Command::new("ps").args(["-axo", "args"]).output().expect("ps can be run");
        return String::from_utf8_lossy(&listed.stdout)
            .lines()
            .any(|line| line == format!("sleep {argument}"));
    };
    let commands =
        processes.flatten().filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    commands.into_iter().any(|line| line.split(|byte| *byte == 0).any(|part| part == argument.as_bytes()))
}

/// A client whose task runs the child.
fn asleep(home: &Home, seconds: &str) -> Client {
    let mut client = home.task("Wait a while", &[]);
    client.event("tool_call_started");
    wait_until("the child runs", || runs(seconds));
    client
}

#[test]
fn an_interrupted_client_cancels_its_task() {
    let seconds = unique_sleep();
    let server = sleeper(&seconds);
    let home = Home::started(&server.base_url());
    let client = asleep(&home, &seconds);
    client.interrupt();
    let run = client.finish();
    assert!(!runs(&seconds), "the child outlived the final result");
    check_end("Ctrl+C", &run, &abandon("cancelled", 130));
    assert_eq!(run.of_type("task_cancelled").len(), 1, "{}", run.outline());
    assert_eq!(server.requests().len(), 3, "no model is asked after a cancellation");
}

#[test]
fn a_task_is_cancelled_from_elsewhere() {
    let seconds = unique_sleep();
    let server = sleeper(&seconds);
    let home = Home::started(&server.base_url());
    let mut client = asleep(&home, &seconds);
    let running = home.json(&["tasks", "--state", "running"]);
    let task = running["tasks"][0]["task_id"].as_str().expect("one task runs").to_owned();
    let cancelled = home.json(&["cancel", &task]);
    assert!(!runs(&seconds), "the child outlived the answer: {cancelled:#}");
    let last = client.event("final_result");
    assert_eq!(last["reason"], "cancelled");
    check_end("artoo cancel", &client.finish(), &abandon("cancelled", 130));
    let told = home.events(&task, 0);
    home.artoo(&["cancel", &task]);
    assert_eq!(home.events(&task, 0), told, "what has ended cannot be cancelled");
}

#[test]
fn a_task_is_cancelled_while_a_model_hangs() {
    let server = ModelServer::replies(vec![Reply::Hang]);
    let home = Home::started(&server.base_url());
    let mut client = home.task("Wait a while", &[]);
    client.event("model_call_started");
    client.interrupt();
    check_end("hanging model", &client.finish(), &abandon("cancelled", 130));
    server.wait_for_hang_ups(1, artoo_testing::PATIENCE);
}

#[test]
fn a_command_that_outlasts_the_deadline_is_ended() {
    let seconds = unique_sleep();
    let server = sleeper(&seconds);
    let home = Home::started(&server.base_url());
    let run = home.run("Wait a while", &["--deadline", "1500ms"]);
    assert!(!runs(&seconds), "the child outlived the final result");
    check_end("deadline", &run, &abandon("deadline", 1));
}
