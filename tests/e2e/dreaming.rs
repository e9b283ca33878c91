//! What artoo learns by itself: rules from repeated experience, lessons from trouble.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, checked, last_tool, plan_with_output_from, subtask};
use artoo_testing::{Client, Home, PATIENCE};

const REQUEST: &str = "List my text files";

/// Six full successes make a rule: 6 × 0.9 is above 5.
const ENOUGH: usize = 6;

fn scenario() -> Scenario {
    let named = json!({"kind": "output_contains", "text": "a.txt"});
    let found = checked("a.txt is found", &named);
    let steps = [subtask(1, "List the files", &["glob"], &[], std::slice::from_ref(&found))];
    let scenario = Scenario::new(plan_with_output_from(0, &[checked("a.txt is named", &named)], &steps));
    let glob = last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}));
    scenario.act("List the files", vec![glob])
}

/// A server whose Dreamer answers like this.
fn server(dreamer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> ModelServer {
    let scenario = scenario();
    ModelServer::start(move |seen| if seen.role == "R5" { dreamer(seen) } else { scenario.reply(seen) })
}

fn sop(rule: &str) -> Reply {
    Reply::Sse(json!({"rule": rule, "conditions": "", "kind": "best_practice"}).to_string())
}

fn home(server: &ModelServer) -> Home {
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    home
}

/// Runs the request often enough for a rule.
fn repeat(home: &Home) {
    for round in 1..=ENOUGH {
        check_end(&format!("round {round}"), &home.run(REQUEST, &[]), &ACCEPT);
    }
}

/// Reads the live stream up to the news that a rule was distilled.
fn distilled(stream: &mut Client) -> Value {
    loop {
        let change = stream.event("memory_change");
        if change["kind"] == "distilled" {
            return change;
        }
    }
}

fn last_plan_was_told(server: &ModelServer) -> String {
    let prompts: Vec<Seen> = server.requests().into_iter().filter(|seen| seen.role == "R2").collect();
    prompts.last().expect("a plan was asked for").section("Memory")
}

/// The one rule of the memory.
fn rule(home: &Home) -> Value {
    let listed = home.json(&["memory", "list"]);
    let megrams = listed["megrams"].as_array().expect("a list of memories");
    let rules: Vec<&Value> = megrams.iter().filter(|megram| megram["level"] == "C").collect();
    assert_eq!(rules.len(), 1, "{listed:#}");
    rules[0].clone()
}

#[test]
fn repeated_success_becomes_a_rule_that_the_next_plan_reads_and_nothing_is_asked_twice() {
    let server = server(|_| sop("List with glob, pattern *.txt."));
    let home = home(&server);
    let mut stream = home.client(&["events", "--json"]);
    repeat(&home);
    let change = distilled(&mut stream);
    assert_eq!(
        (&change["from"], &change["to"], &change["level"]),
        (&json!("R5"), &json!("operator"), &json!("C"))
    );
    let rule = rule(&home);
    assert_eq!(
        (&rule["content"], &rule["state"]),
        (&json!("List with glob, pattern *.txt."), &json!("distilled"))
    );
    assert_eq!(rule["parents"].as_array().map(Vec::len), Some(ENOUGH), "{rule:#}");
    let asked = server.dreams();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].section("Kind"), "best_practice");
    assert_eq!(asked[0].section("Evidence").lines().count(), ENOUGH);

    check_end("with the rule", &home.run(REQUEST, &[]), &ACCEPT);
    let told = last_plan_was_told(&server);
    assert!(told.contains("RULE: List with glob, pattern *.txt."), "{told}");
    repeat(&home);
    // Another rule would be the news; the end of another daemon's life is what can be waited for instead.
    let mut home = home;
    let (status, log) = home.terminate();
    assert!(status.success(), "{log}");
    assert_eq!(server.dreams().len(), 1, "what is a rule already is not asked about again");
}

#[test]
fn a_model_that_answers_rubbish_is_asked_once_more_and_then_the_evidence_speaks() {
    let server = server(|_| Reply::Sse("I would rather not say.".to_owned()));
    let home = home(&server);
    let mut stream = home.client(&["events", "--json"]);
    repeat(&home);
    distilled(&mut stream);
    let asked = server.dreams();
    assert_eq!(asked.len(), 2, "one question and one repair");
    let rule = rule(&home);
    let content = rule["content"].as_str().unwrap_or_default();
    assert!(content.starts_with("Do it as it worked before: criteria_met: List my text files"), "{content}");
}

#[test]
fn a_dreamer_whose_model_hangs_does_not_keep_the_daemon_from_ending() {
    let server = server(|_| Reply::Hang);
    let mut home = home(&server);
    repeat(&home);
    server.wait_for_a_dream(PATIENCE);
    let (status, log) = home.terminate();
    assert!(status.success(), "{log}");
    assert!(!log.contains("did not end in time"), "{log}");
    server.wait_for_hang_ups(1, PATIENCE);
    home.start();
    let listed = home.json(&["memory", "list"]).to_string();
    assert!(!listed.contains("\"distilled\""), "{listed}");
}

/// A task that needs a correction, once.
fn stumbling() -> (ModelServer, Arc<AtomicBool>) {
    let smooth = Arc::new(AtomicBool::new(false));
    let goes_well = Arc::clone(&smooth);
    let scenario = scenario();
    let server = ModelServer::start(move |seen: &Seen| {
        let corrected = !seen.section("Correction").is_empty();
        if seen.role == "R3" && !corrected && !goes_well.load(Ordering::SeqCst) {
            let wrong = json!({"root": ".", "pattern": "*.md"});
            return Reply::Sse(last_tool("glob", &wrong).to_string());
        }
        if seen.role == "R5" {
            let lesson = json!({"lesson": "The texts end in .txt.", "tags": [], "category": "procedure"});
            return Reply::Sse(lesson.to_string());
        }
        scenario.reply(seen)
    });
    (server, smooth)
}

#[test]
fn a_task_that_stumbled_teaches_a_lesson_and_its_calls_are_not_the_tasks() {
    let (server, smooth) = stumbling();
    let home = home(&server);
    let mut stream = home.client(&["events", "--json"]);
    let run = home.run(REQUEST, &[]);
    check_end("stumbling", &run, &ACCEPT);
    let lesson = loop {
        let write = stream.event("megram_write");
        if write["megram"]["state"] == "reflection" {
            break write;
        }
    };
    assert_eq!((&lesson["from"], &lesson["to"]), (&json!("R5"), &json!("R5")), "{lesson:#}");
    let megram = &lesson["megram"];
    assert_eq!((&megram["level"], &megram["task_id"]), (&json!("K"), &json!(run.id())), "{lesson:#}");
    let asked = server.dreams();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].section("Troubles").contains("corrected: "), "{}", asked[0].message("user"));
    assert!(run.result()["usage"]["roles"].get("R5").is_none(), "{:#}", run.result()["usage"]);

    smooth.store(true, Ordering::SeqCst);
    check_end("smooth", &home.run(REQUEST, &[]), &ACCEPT);
    let told = last_plan_was_told(&server);
    assert!(told.contains("SHOULD PREFER: The texts end in .txt."), "{told}");
    let mut home = home;
    home.terminate();
    assert_eq!(server.dreams().len(), 1, "what went smoothly is not reflected on");
}

#[test]
fn reflection_can_be_switched_off() {
    let (server, _) = stumbling();
    let mut home = Home::with_model(&server.base_url());
    home.configure("[memory]\nreflect = false\n", 0o600);
    home.start();
    home.file("a.txt", "one\n");
    for round in ["first", "second"] {
        check_end(round, &home.run(REQUEST, &[]), &ACCEPT);
    }
    home.terminate();
    assert_eq!(server.dreams().len(), 0);
}
