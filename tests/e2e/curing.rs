//! What failed is tried again once it may work: memory forbids a plan in the state in which it failed, and nothing else.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, abandon, check_end};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, last_tool, plan_with_output_from, subtask};
use artoo_testing::{Home, TaskRun};

/// A home whose daemon has no model: the built-in rules plan.
fn offline() -> Home {
    let mut home = Home::new();
    home.start();
    home
}

fn abandoned(row: &str, run: &TaskRun) {
    assert_eq!(run.result()["directive"], "abandon", "{row}: {}", run.outline());
}

fn succeeded(row: &str, run: &TaskRun) {
    assert_eq!(
        (run.code, run.result()["directive"].as_str()),
        (Some(0), Some("accept")),
        "{row}: {}",
        run.outline()
    );
}

#[test]
fn a_file_that_was_missing_is_read_as_soon_as_it_is_there() {
    let home = offline();
    for round in 0..3 {
        abandoned(&format!("missing, {round}"), &home.run("show the first 2 lines of plan.txt", &[]));
    }
    home.file("plan.txt", "one\ntwo\nthree\n");
    for request in [
        "show the first 2 lines of plan.txt",
        "print the first 2 lines of plan.txt",
        "display the first 2 lines of plan.txt",
    ] {
        let run = home.run(request, &[]);
        succeeded(request, &run);
        let output = run.result()["output"].to_string();
        assert!(output.contains("one") && output.contains("two"), "{request}: {output}");
    }
}

#[test]
fn a_file_that_is_missing_here_is_read_in_another_folder() {
    let home = offline();
    abandoned("missing", &home.run("show the first 2 lines of plan.txt", &[]));
    let other = home.root().join("other");
    std::fs::create_dir(&other).expect("the home is ours");
    std::fs::write(other.join("plan.txt"), "one\ntwo\nthree\n").expect("the home is ours");
    succeeded("there", &home.run_in(&other, "show the first 2 lines of plan.txt"));
}

const REQUEST: &str = "Tell the total of the bill";

/// A model that reads the bill in every plan, each time in another step, and has the total in it checked by code.
fn reader() -> ModelServer {
    let total = json!({"kind": "output_contains", "text": "total"});
    let plan = |intent: &str| {
        let steps =
            [subtask(1, intent, &["read_file"], &["bill.txt"], &[checked("the total is there", &total)])];
        plan_with_output_from(0, &[checked("the total is told", &total)], &steps)
    };
    let intents = ["Read the bill", "Read all of the bill", "Read the bill again", "Read it once more"];
    let mut scenario = Scenario::new(plan(intents[0]));
    for intent in &intents[1..] {
        scenario = scenario.then_plan(plan(intent));
    }
    for intent in intents {
        let read = last_tool("read_file", &json!({"path": "bill.txt"}));
        scenario = scenario.act(intent, vec![read]);
    }
    ModelServer::start(scenario.script())
}

fn memories(rejected: &Value) -> Vec<String> {
    let ids = rejected["memories"].as_array().cloned().unwrap_or_default();
    ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect()
}

#[test]
fn a_plan_that_was_wrong_is_refused_by_name_until_its_input_changes() {
    let server = reader();
    let home = Home::started(&server.base_url());
    home.file("bill.txt", "bread 3\nmilk 2\n");
    let first = home.run(REQUEST, &[]);
    abandoned("the bill has no total", &first);

    let second = home.run(REQUEST, &[]);
    check_end("the same plan in the same state", &second, &abandon("cannot_plan", 1));
    assert!(second.of_type("dispatch_manifest").is_empty(), "{}", second.outline());
    let named = memories(second.of_type("plan_draft_rejected")[0]);
    assert_eq!(named.len(), 1, "{:#?}", second.of_type("plan_draft_rejected"));
    let moves = second.result()["next_moves"].to_string();
    assert!(moves.contains(&format!("artoo memory forget {}", named[0])), "{moves}");
    // What memory prevented taught nothing: the same memory stands there as before.
    let third = home.run(REQUEST, &[]);
    assert_eq!(memories(third.of_type("plan_draft_rejected")[0]), named);

    home.file("bill.txt", "bread 3\nmilk 2\ntotal 5\n");
    check_end("the bill has a total", &home.run(REQUEST, &[]), &ACCEPT);
}

#[test]
fn a_memory_in_the_way_can_be_forgotten_by_what_the_end_says() {
    let server = reader();
    let home = Home::started(&server.base_url());
    home.file("bill.txt", "bread 3\n");
    abandoned("no total", &home.run(REQUEST, &[]));
    let refused = home.run(REQUEST, &[]);
    check_end("refused", &refused, &abandon("cannot_plan", 1));
    let named = memories(refused.of_type("plan_draft_rejected")[0]);
    let forgotten = home.artoo(&["memory", "forget", &named[0], "--yes"]);
    assert_eq!(forgotten.code, Some(0), "{forgotten:?}");
    let again = home.run(REQUEST, &[]);
    assert!(!again.of_type("dispatch_manifest").is_empty(), "the plan is tried again: {}", again.outline());
}
