//! The memory's copies: one is made by itself, and it takes the place of a memory that was damaged.

use std::fs;

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, wait_until};

/// A home with a model that lists files, whatever it is asked.
fn home() -> (Home, ModelServer) {
    // Only what code saw is praised, and so remembered.
    let named = json!({"kind": "output_contains", "text": "a.txt"});
    let steps = [subtask(1, "List the files", &["glob"], &[], &[checked("a.txt is listed.", &named)])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))]);
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    (home, server)
}

/// The tasks that taught what is remembered. No task taught the laws.
fn teachers(home: &Home) -> Vec<String> {
    let list = home.json(&["memory", "list"]);
    let megrams = list["megrams"].as_array().map_or(&[][..], Vec::as_slice);
    let mut tasks: Vec<String> =
        megrams.iter().filter_map(|m| m["task_id"].as_str().map(str::to_owned)).collect();
    tasks.retain(|task| !task.is_empty());
    tasks.sort();
    tasks.dedup();
    tasks
}

fn warnings(home: &Home) -> Value {
    home.json(&["status"])["warnings"].clone()
}

#[test]
fn a_damaged_memory_is_restored_and_learns_again_what_came_later() {
    let (mut home, _server) = home();
    let first = home.run("List my text files", &[]);
    check_end("before the copy", &first, &ACCEPT);
    let copies = home.data().join("memory-backups");
    wait_until("a copy of the memory", || {
        fs::read_dir(&copies).is_ok_and(|entries| entries.flatten().any(|e| e.path().extension().is_none()))
    });
    let second = home.run("List my text files again", &[]);
    check_end("after the copy", &second, &ACCEPT);
    let refused = home.daemon_program(&["memory", "restore"]);
    assert_eq!(refused.code, Some(1), "a daemon runs: {refused:?}");
    assert!(refused.stderr.contains("stop it first"), "{refused:?}");
    home.terminate();

    let current = home.data().join("memory/CURRENT");
    fs::write(&current, "garbage").expect("it is ours");
    home.start();
    assert!(warnings(&home).to_string().contains("artoo-daemon memory restore"), "{}", warnings(&home));
    home.terminate();

    let listed = home.daemon_program(&["memory", "backups"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let name = listed.stdout.split_whitespace().next().expect("there is one").to_owned();
    assert!(listed.stdout.contains("whole"), "{listed:?}");
    let nonsense = home.daemon_program(&["memory", "restore", "yesterday"]);
    assert!(nonsense.stderr.contains("there is no copy yesterday"), "{nonsense:?}");
    let restored = home.daemon_program(&["memory", "restore"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert!(restored.stdout.contains(&name) && restored.stdout.contains("memory.replaced-"), "{restored:?}");

    home.start();
    assert_eq!(warnings(&home), json!([]));
    let mut both = vec![first.id().to_owned(), second.id().to_owned()];
    both.sort();
    assert_eq!(teachers(&home), both, "the later one comes back from its journal");
    let verified = home.artoo(&["memory", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}
