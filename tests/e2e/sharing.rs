//! What several tasks of one folder share is known there: as knowledge, from receipts alone, after a restart too, and it is
//! told where a request is about it and nowhere else.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask};

const KNOWN: &str = "`sh check.sh` did its work in this folder in 3 accepted tasks";

/// A server whose executor runs the checks of the project.
fn server() -> ModelServer {
    let goal = checked("The checks pass.", &json!({"kind": "output_contains", "text": "all good"}));
    let steps = [subtask(1, "Run the checks", &["shell"], &[], &[criterion("It is done.")])];
    let run = last_tool("shell", &json!({"command": "sh  check.sh"}));
    ModelServer::start(Scenario::new(plan(&[goal], &steps)).act("Run the checks", vec![run]).script())
}

/// Makes a project whose checks pass.
fn project(folder: &Path) {
    std::fs::create_dir_all(folder).expect("it can be made");
    std::fs::write(folder.join("check.sh"), "echo all good\n").expect("it can be written");
    let made = Command::new("git").arg("-C").arg(folder).args(["init", "-q"]).status().expect("git is there");
    assert!(made.success());
}

/// What the memory told the planner of the last task.
fn told(server: &ModelServer) -> String {
    let last = server.requests().into_iter().rfind(|seen| seen.role == "R2");
    last.expect("it planned").section("Memory")
}

#[test]
fn what_three_tasks_of_a_folder_share_is_told_to_the_fourth() {
    let server = server();
    let mut home = Home::started(&server.base_url());
    let (here, there) = (home.work(), home.root().join("there"));
    project(&here);
    project(&there);
    let run = |home: &Home, folder: &Path, words: &str| {
        check_end(words, &home.run_in(folder, words), &ACCEPT);
        told(&server)
    };
    let mut stream = home.client(&["events", "--json"]);
    for words in ["Run the checks", "Do all checks pass?"] {
        assert!(!run(&home, &here, words).contains("did its work"), "two tasks are no knowledge");
    }
    // What was written before the daemon went down counts after it.
    drop(stream);
    home.kill();
    home.start();
    stream = home.client(&["events", "--json"]);
    assert!(!run(&home, &here, "Are the checks green?").contains("did its work"));
    let shared = loop {
        let change = stream.event("memory_change");
        if change["level"] == "K" {
            break change;
        }
    };
    assert_eq!((&shared["kind"], &shared["count"]), (&json!("distilled"), &json!(1)), "{shared:#}");
    assert!(run(&home, &here, "Please run the checks again").contains(KNOWN), "{}", told(&server));
    assert!(!run(&home, &there, "Please run the checks again").contains("did its work"), "another folder");
    assert!(!run(&home, &here, "Say who wrote it").contains("did its work"), "another matter");
    let listed = home.json(&["memory", "list", "--level", "K"]).to_string();
    assert_eq!(listed.matches("did its work").count(), 1, "{listed}");
}
