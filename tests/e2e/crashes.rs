//! The daemon dies at each boundary of its journals. Afterwards every accepted task has one end, what was seen stands,
//! and the file that the task writes is whole or not there.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::checks::check_gapless;
use crate::rows::check_rows;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, last_tool, plan_with_output_from, subtask};
use artoo_testing::{Home, TaskRun, lines};

/// Rows in which the daemon did die while the client followed.
static DIED: AtomicUsize = AtomicUsize::new(0);

const REQUEST: &str = "Write a greeting to hello.txt";
const GREETING: &str = "hello, world\n";

fn writer() -> ModelServer {
    let written = json!({"kind": "file_contains", "path": "hello.txt", "text": "hello, world"});
    let written = [checked("the greeting is written", &written)];
    let steps = [subtask(1, "Write the greeting", &["write_file"], &["hello.txt"], &written)];
    let write = last_tool("write_file", &json!({"path": "hello.txt", "content": GREETING}));
    let scenario = Scenario::new(plan_with_output_from(0, &written, &steps));
    ModelServer::start(scenario.act("Write the greeting", vec![write]).script())
}

fn submit(home: &Home) -> TaskRun {
    home.run(REQUEST, &["--request-id", "key-1"])
}

fn tasks(home: &Home) -> Vec<Value> {
    home.json(&["tasks"])["tasks"].as_array().cloned().unwrap_or_default()
}

/// Follows a task to its end.
fn ended(row: &str, home: &Home, task: &str) -> Vec<Value> {
    let events = lines(&home.artoo(&["events", task, "--follow", "--json"]).stdout);
    check_gapless(row, &events, 1);
    let results = events.iter().filter(|event| event["type"] == "final_result").count();
    let last = events.last().unwrap_or(&Value::Null);
    assert_eq!((results, &last["type"]), (1, &json!("final_result")), "{row}: {last:#}");
    let reason = last["reason"].as_str().unwrap_or_default();
    assert_eq!(reason, "criteria_met", "{row}: {last:#}");
    events
}

fn check(point: &String) {
    let server = writer();
    let mut home = Home::with_model(&server.base_url()).variable("ARTOO_CRASH_AT", point);
    let file = home.work().join("hello.txt");
    home.start();
    let first = submit(&home);
    home.unset("ARTOO_CRASH_AT");
    home.kill();
    assert!([Some(0), Some(3)].contains(&first.code), "{point}: {}", first.outline());
    DIED.fetch_add(usize::from(first.code == Some(3)), Ordering::SeqCst);
    home.start();

    let found = tasks(&home);
    assert!(found.len() <= 1, "{point}: {found:#?}");
    assert!(first.events.is_empty() || found.len() == 1, "{point}: what was seen is not known any more");
    if let Some(task) = found.first() {
        let events = ended(point, &home, task["task_id"].as_str().expect("a task has an id"));
        assert!(events.len() >= first.events.len(), "{point}: {}", first.outline());
        assert_eq!(events[..first.events.len()], first.events[..], "{point}: what was seen stands");
    }
    let again = submit(&home);
    let met = again.result()["reason"] == "criteria_met";
    assert_eq!(again.code, Some(i32::from(!met)), "{point}: {}", again.outline());
    ended(point, &home, again.id());
    assert_eq!(tasks(&home).len(), 1, "{point}: the same request is one task");
    if met || file.exists() {
        assert_eq!(std::fs::read_to_string(&file).expect("it was written"), GREETING, "{point}");
    }
}

#[test]
fn no_boundary_of_the_journals_loses_or_doubles_a_task() {
    let appends = (1..=12).map(|number| format!("append:{number}"));
    let syncs = (1..=5).map(|number| format!("sync:{number}"));
    check_rows(appends.chain(syncs).collect(), check);
    assert!(DIED.load(Ordering::SeqCst) >= 8, "the rows cover one task from its acceptance to its end");
}
