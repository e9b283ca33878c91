//! A request that can be read in two ways: a person is asked when there is one, else the assumption is told.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, End, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};

const QUESTION: &str = "Which folder do you mean?";

fn reading(clarify: &[&str], direct_answer: &Value) -> Reply {
    let reading = json!({
        "slug": "list_files", "intent": "List the files.", "constraints": {"scope": null, "deadline": null},
        "clarify": clarify, "direct_answer": direct_answer
    });
    Reply::Sse(reading.to_string())
}

/// A server whose perceiver asks until it has an answer.
fn unsure() -> ModelServer {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))]);
    ModelServer::start(move |seen: &Seen| match seen.role.as_str() {
        "R1" if seen.section("Clarification").is_empty() => reading(&[QUESTION], &Value::Null),
        "R1" => reading(&[], &Value::Null),
        _ => scenario.reply(seen),
    })
}

#[test]
fn an_answer_from_elsewhere_lets_the_task_go_on() {
    let server = unsure();
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let mut client = home.task("List them", &["--attended"]);
    let question = client.event("clarification_request");
    assert_eq!(question["questions"], json!([QUESTION]));
    let task = question["task_id"].as_str().expect("it has a task");
    assert_eq!(home.json(&["show", task])["state"], "waiting_for_clarification");
    assert_eq!(home.artoo(&["answer", task, "the working folder"]).code, Some(0));
    let run = client.finish();
    check_end("answered", &run, &ACCEPT);
    let asked: Vec<Seen> = server.requests().into_iter().filter(|seen| seen.role == "R1").collect();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].section("Clarification").contains("the working folder"), "{}", asked[1].message("user"));
    let late = home.artoo(&["answer", task, "another one"]);
    assert_eq!(late.code, Some(5), "{late:?}");
}

#[test]
fn without_a_person_an_assumption_is_made_and_told() {
    let server = unsure();
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("List them", &[]);
    check_end("assumed", &run, &ACCEPT);
    let summary = run.result()["summary"].as_str().unwrap_or_default();
    assert!(summary.contains("Assumed"), "{summary}");
}

#[test]
fn a_greeting_costs_one_call() {
    let server = ModelServer::replies(vec![reading(&[], &json!("Hello! What can I do for you?"))]);
    let home = Home::started(&server.base_url());
    let run = home.run("Hello", &[]);
    check_end("greeting", &run, &End { directive: "accept", reason: "answered", code: 0 });
    assert_eq!(server.requests().len(), 1);
    assert_eq!(run.result()["output"], "Hello! What can I do for you?");
    assert!(run.of_type("megram_write").is_empty(), "{}", run.outline());
    let plain = home.artoo(&["run", "--quiet", "Hello"]);
    assert_eq!((plain.code, plain.stdout.trim()), (Some(0), "Hello! What can I do for you?"), "{plain:?}");
}

/// A model that reads this deadline out of the request.
fn hurried(deadline: &'static str) -> ModelServer {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))])
        .task_spec(json!({
            "slug": "list_files", "intent": "List the files.", "constraints": {"scope": null, "deadline": deadline},
            "clarify": [], "direct_answer": null
        }));
    ModelServer::start(scenario.script())
}

#[test]
fn a_deadline_that_has_passed_is_refused_and_one_that_is_none_is_told() {
    let passed = hurried("2020-01-01T09:00:00Z");
    let home = Home::started(&passed.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("List the files by 2020", &[]);
    check_end("passed", &run, &End { directive: "abandon", reason: "declined", code: 1 });
    let said = format!("{} {}", run.result()["summary"], run.result()["next_moves"]);
    assert!(said.contains("the deadline 2020-01-01T09:00:00Z has passed"), "{said}");
    assert!(said.contains("Ask again with a time to come"), "{said}");
    assert!(run.of_type("megram_write").is_empty(), "{}", run.outline());

    let vague = hurried("when I am back");
    let home = Home::started(&vague.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("List the files before I am back", &[]);
    check_end("vague", &run, &ACCEPT);
    let summary = run.result()["summary"].as_str().unwrap_or_default();
    assert!(summary.contains("names no date or time"), "{summary}");
}
