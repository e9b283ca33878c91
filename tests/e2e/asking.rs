//! What only the person can know is asked by the executor where somebody attends, over a power cut too.

use std::time::Duration;

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, finish, plan, subtask, tool};

const QUESTION: &str = "Which of the two names is the right one?";

fn server(planned: &str) -> ModelServer {
    let told = [criterion("The name is told.")];
    let steps = [subtask(1, "Find out the name", &[planned], &[], &told)];
    let ask = tool("ask_person", &json!({"question": QUESTION, "choices": ["Ada", "Grace"]}));
    let acts = vec![ask, finish("completed", "The name is Grace.")];
    let scenario = Scenario::new(plan(&told, &steps)).act("Find out the name", acts);
    ModelServer::start(move |seen| scenario.reply(seen))
}

fn receipts(events: &[Value]) -> Vec<(String, String)> {
    let calls = events.iter().filter(|event| event["type"] == "tool_call_finished");
    let text = |call: &Value, field: &str| call[field].as_str().unwrap_or_default().to_owned();
    calls.map(|call| (text(call, "tool"), text(call, "output"))).collect()
}

fn last_executor(server: &ModelServer) -> Seen {
    server.requests().into_iter().rfind(|seen| seen.role == "R3").expect("the executor was asked")
}

#[test]
fn an_answer_from_elsewhere_is_evidence_and_outlives_a_power_cut() {
    let server = server("ask_person");
    let mut home = Home::started(&server.base_url());
    let mut client = home.task("Find out the name of the author", &["--attended"]);
    let question = client.event("clarification_request");
    assert_eq!(question["questions"], json!([format!("{QUESTION}  [1] Ada  [2] Grace")]));
    let task = question["task_id"].as_str().expect("it has a task").to_owned();
    home.kill();
    home.start();
    let shown = home.json(&["show", &task]);
    assert_eq!(shown["state"], "waiting_for_clarification");
    let answered = home.artoo(&["answer", &task, "2"]);
    assert_eq!(answered.code, Some(0), "{answered:?}");
    server.wait_for_requests(4, Duration::from_secs(120));
    artoo_testing::wait_until("the task ends", || home.json(&["show", &task])["state"] == "finished");
    let events = home.events(&task, 0);
    assert_eq!(receipts(&events), [("ask_person".to_owned(), "Grace".to_owned())]);
    let asked = events.iter().filter(|event| event["type"] == "clarification_request");
    assert_eq!(asked.count(), 1, "it is not asked again");
    assert!(last_executor(&server).section("Done so far").contains("Grace"));
    assert_eq!(home.artoo(&["replay", &task]).code, Some(0));
    let shown = home.artoo(&["show", &task]).stdout;
    assert!(shown.contains("ask_person") && shown.contains(QUESTION), "{shown}");
}

#[test]
fn nobody_is_asked_where_nobody_attends() {
    let server = server("glob");
    let home = Home::started(&server.base_url());
    let run = home.run("Find out the name of the author", &["--unattended"]);
    assert!(run.of_type("clarification_request").is_empty(), "{}", run.outline());
    let last = last_executor(&server);
    assert!(last.section("Done so far").contains("nobody can be asked in this task"), "{last:?}");
    assert!(!last.section("Tools").contains("ask_person"), "{last:?}");
}

#[test]
fn whoever_attends_is_offered_the_tool() {
    let server = server("ask_person");
    let home = Home::started(&server.base_url());
    let mut client = home.task("Find out the name of the author", &["--attended"]);
    client.event("clarification_request");
    let task = last_executor(&server);
    assert!(task.section("Tools").contains("ask_person"), "{task:?}");
    let id = home.json(&["tasks"])["tasks"][0]["task_id"].as_str().expect("it has an id").to_owned();
    assert_eq!(home.artoo(&["answer", &id, "it is Grace"]).code, Some(0));
    check_end("answered", &client.finish(), &ACCEPT);
}
