//! What is left of tasks: memories, the audit, and that a request is the same task when it says so.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Reply};
use artoo_testing::scripted_roles::{Scenario, checked, last_tool, plan_with_output_from, subtask};

const REQUEST: &str = "List my text files";

fn lister() -> ModelServer {
    let names = json!({"kind": "output_contains", "text": "a.txt"});
    let called = json!({"kind": "tool_called", "tool": "glob"});
    let steps = [subtask(1, "List the files", &["glob"], &[], &[checked("glob ran", &called)])];
    let scenario = Scenario::new(plan_with_output_from(0, &[checked("a.txt is named", &names)], &steps));
    let glob = last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}));
    ModelServer::start(scenario.act("List the files", vec![glob]).script())
}

fn home(server: &ModelServer) -> Home {
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    home
}

fn actions(reply: &Value) -> Vec<&str> {
    let entries = reply["entries"].as_array().map_or(&[][..], Vec::as_slice);
    entries.iter().filter_map(|entry| entry["potentials"]["action"].as_str()).collect()
}

#[test]
fn a_success_is_remembered_and_counted_across_a_restart() {
    let server = lister();
    let mut home = home(&server);
    let first = home.run(REQUEST, &[]);
    check_end("first", &first, &ACCEPT);
    assert!(actions(first.of_type("memory_reply")[0]).is_empty(), "there was nothing to remember");
    let second = home.run(REQUEST, &[]);
    check_end("second", &second, &ACCEPT);
    let reply = second.of_type("memory_reply")[0];
    assert!(actions(reply).contains(&"exploit"), "{reply:#}");
    let prompts: Vec<_> = server.requests().into_iter().filter(|seen| seen.role == "R2").collect();
    let told = |at: usize| prompts[at].message("user").to_owned();
    assert!(!told(1).contains("SHOULD PREFER"), "what always went well needs no words: {}", told(1));
    assert!(told(1).len() <= told(0).len(), "the second run reads no more than the first");

    let (status, log) = home.terminate();
    assert_eq!(status.code(), Some(0), "{log}");
    home.start();
    let report = home.json(&["audit"]);
    assert_eq!(report["totals"]["tasks_observed"], 2, "{report:#}");
    assert_eq!(report["totals"]["reasons"]["criteria_met"], 2, "{report:#}");
    for clean in ["boundary_violations", "anomalies", "drift_alerts"] {
        assert_eq!(report[clean], json!([]), "{report:#}");
    }
    let third = home.run(REQUEST, &[]);
    assert!(!actions(third.of_type("memory_reply")[0]).is_empty(), "{}", third.outline());
}

#[test]
fn a_request_in_other_words_finds_what_was_learned() {
    let server = lister();
    let home = home(&server);
    let relation = |a: &str, b: &str| home.json(&["memory", "similar", a, "--to", b])["relation"].clone();
    assert_eq!(relation("Count the PDFs in Documents", "How many PDF files are in Documents?"), "alias");
    assert_eq!(relation("Count the PDFs in Documents", "Delete the PDFs in Documents"), "none");
    assert_eq!(relation("列出最大的文件", "显示最大的文件"), "alias");
    assert_eq!(home.json(&["memory", "similar", REQUEST])["relations"], json!([]));
    let first = home.run(REQUEST, &[]);
    check_end("first", &first, &ACCEPT);
    let intent = first.of_type("task_spec")[0]["intent"].clone();
    let found = home.json(&["memory", "similar", intent.as_str().expect("an intent")]);
    assert_eq!(found["relations"][0]["relation"], "same", "{found:#}");
    assert_eq!(found["relations"][0]["other"], intent, "{found:#}");
    let second = home.run(REQUEST, &[]);
    check_end("second", &second, &ACCEPT);
    assert_eq!(second.of_type("memory_query")[0]["intent"], intent, "the memory is told the request");
}

#[test]
fn a_changed_line_of_the_audit_is_found() {
    let server = lister();
    let home = home(&server);
    check_end("a task", &home.run(REQUEST, &[]), &ACCEPT);
    home.json(&["audit"]);
    let sound = home.artoo(&["audit", "verify"]);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    let log = home.data().join("audit.jsonl");
    let text = std::fs::read_to_string(&log).expect("the log is ours");
    assert!(text.contains("task_spec") || text.contains("TaskSpec"), "{text}");
    let third = text.lines().nth(2).expect("a task leaves more than three lines");
    let forged = text.replacen(third, &third.replacen("\"R2\"", "\"R3\"", 1), 1);
    assert_ne!(forged, text, "{third}");
    std::fs::write(&log, forged).expect("the log is ours");
    let found = home.artoo(&["audit", "verify"]);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(format!("{}{}", found.stdout, found.stderr).contains('3'), "it names the line: {found:?}");
}

#[test]
fn the_same_request_id_is_the_same_task() {
    let server = lister();
    let mut home = home(&server);
    let key = ["--request-id", "key-1"];
    let first = home.run(REQUEST, &key);
    check_end("first", &first, &ACCEPT);
    let calls = server.requests().len();
    let again = home.run(REQUEST, &key);
    assert_eq!(again.events, first.events, "the same task is shown");
    home.kill();
    home.start();
    let later = home.run(REQUEST, &key);
    assert_eq!(later.events, first.events, "also after a restart");
    assert_eq!(server.requests().len(), calls, "nothing ran twice");
    let other = home.artoo(&["run", "--request-id", "key-1", "--json", "Something else"]);
    assert_eq!(other.code, Some(5), "{other:?}");
    assert!(other.stderr.contains("key-1"), "{other:?}");
    assert_eq!(home.json(&["tasks"])["tasks"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_audit_sees_each_task_once() {
    const TASKS: usize = 30;
    let greeting = json!({
        "slug": "greeting", "intent": "Greet.", "constraints": {"scope": null, "deadline": null},
        "tags": [], "clarify": [], "direct_answer": "Hello!"
    });
    let server = ModelServer::replies(vec![Reply::Sse(greeting.to_string())]);
    let home = Home::started(&server.base_url());
    let mut clients: Vec<_> = (0..TASKS).map(|_| home.task("Hello", &[])).collect();
    let events: usize = clients.drain(..).map(|client| client.finish().events.len()).sum();
    // The question itself is an event too.
    let report = home.json(&["audit"]);
    assert_eq!(report["totals"]["tasks_observed"], TASKS, "{report:#}");
    assert_eq!(report["totals"]["reasons"]["answered"], TASKS, "{report:#}");
    assert_eq!(report["totals"]["envelopes"], events + 1, "every event and the question: {report:#}");
    assert_eq!(report["anomalies"], json!([]), "{report:#}");
}
