//! One task that goes well, over real HTTP, and what it may cost.

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Reply};
use artoo_testing::scripted_roles::{
    Scenario, checked, criterion, last_tool, plan, plan_with_output_from, subtask,
};

/// One step that lists the working folder; its criteria are judged by a model.
fn plain() -> Scenario {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps));
    scenario.act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))])
}

/// The same with criteria that code decides, and the output of the step as the result.
fn all_checked() -> Scenario {
    let names = json!({"kind": "output_contains", "text": "a.txt"});
    let called = json!({"kind": "tool_called", "tool": "glob"});
    let steps = [subtask(1, "List the files", &["glob"], &[], &[checked("glob ran", &called)])];
    let scenario = Scenario::new(plan_with_output_from(0, &[checked("a.txt is named", &names)], &steps));
    scenario.act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))])
}

fn check(scenario: Scenario, most_calls: usize, streamed: bool) {
    let server = ModelServer::start(move |seen| {
        let reply = scenario.reply(seen);
        if let (Reply::Sse(content), false) = (&reply, streamed) {
            Reply::Json(content.clone())
        } else {
            reply
        }
    });
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("List my text files", &[]);
    check_end("happy", &run, &ACCEPT);
    let roles: Vec<String> = server.requests().into_iter().map(|seen| seen.role).collect();
    assert!(roles.len() <= most_calls, "{roles:?}");
    assert!(run.result()["output"].to_string().contains("a.txt"), "{}", run.outline());
}

#[test]
fn plain_criteria_cost_five_calls_at_most() {
    check(plain(), 5, true);
}

#[test]
fn a_server_that_does_not_stream_serves_as_well() {
    check(plain(), 5, false);
}

#[test]
fn checked_criteria_cost_three_calls_at_most() {
    check(all_checked(), 3, true);
}

/// The events of a task and its final result hold the head and the tail of a long output; what a program reads is whole.
#[test]
fn a_long_output_is_whole_in_a_pipe() {
    let scenario = plain();
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    for number in 0..1_500 {
        home.file(&format!("the-minutes-of-one-of-our-meetings-{number:04}.txt"), "");
    }
    let run = home.artoo(&["run", "-q", "--", "List my text files"]);
    let listed = run.stdout.lines().filter(|line| line.ends_with(".txt")).count();
    assert_eq!((run.code, listed), (Some(0), 1_500), "{}", run.stderr);
    assert!(!run.stdout.contains("[..."), "nothing is left out");
}
