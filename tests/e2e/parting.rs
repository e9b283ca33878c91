//! A task that is given up: the model is asked once for last words, and only what receipts bear out is passed on.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::checks::{End, abandon, check_end};
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, is_farewell, last_tool, plan, subtask};
use artoo_testing::{Home, PATIENCE, TaskRun};

const GIVEN_UP: End = abandon("replans_exhausted", 1);
const REQUEST: &str = "What is the total of the invoices?";

/// A task that reads the invoices, and whose criterion never holds.
fn scenario() -> Scenario {
    let read = subtask(1, "Read the invoices", &["read_file"], &[], &[criterion("The total is known.")]);
    Scenario::new(plan(&[criterion("The total is reported.")], &[read]))
        .act("Read the invoices", vec![last_tool("read_file", &json!({"path": "invoices.txt"}))])
        .fail("The total is known.", "environmental", 100)
}

/// Runs the task, in which R2 parts like this.
fn run(part: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (TaskRun, usize) {
    let scenario = scenario();
    let server = ModelServer::start(move |seen| match seen.role == "R2" && is_farewell(seen) {
        true => part(seen),
        false => scenario.reply(seen),
    });
    let home = home(&server);
    let run = home.run(REQUEST, &["--max-replans", "0"]);
    (run, server.requests().iter().filter(|seen| is_farewell(seen)).count())
}

fn home(server: &ModelServer) -> Home {
    let home = Home::started(&server.base_url());
    home.file("invoices.txt", "March 120.50\nApril is missing\n");
    home
}

/// The receipt of the one call that ran, as the prompt shows it.
fn shown_receipt(seen: &Seen) -> String {
    let receipts = seen.section("Receipts");
    let id = receipts.split_once("[receipt ").and_then(|(_, rest)| rest.split_once(']'));
    id.map(|(id, _)| id.to_owned()).expect("the prompt shows the receipt")
}

fn words(seen: &Seen, found: &str, advice: &str) -> Reply {
    let line = json!({"text": found, "receipt": shown_receipt(seen)});
    Reply::Sse(json!({"found": [line], "next_moves": [advice]}).to_string())
}

fn moves(run: &TaskRun) -> Vec<&str> {
    let moves = run.result()["next_moves"].as_array().expect("a list");
    moves.iter().filter_map(Value::as_str).collect()
}

#[test]
fn what_was_found_and_what_to_do_is_told_in_the_persons_language() {
    let (run, asked) = run(|seen| words(seen, "三月是 120.50,四月没有。", "请补上四月的发票。"));
    check_end("last words", &run, &GIVEN_UP);
    assert_eq!(asked, 1);
    let summary = run.result()["summary"].as_str().unwrap_or_default();
    assert!(summary.starts_with("Stopped: ") && summary.contains("三月是 120.50,四月没有。 [r"), "{summary}");
    let moves = moves(&run);
    assert_eq!(moves.first(), Some(&"请补上四月的发票。"));
    assert!(moves.last().is_some_and(|last| last.contains("artoo show")), "{moves:?}");
}

#[test]
fn last_words_that_no_receipt_bears_out_are_not_passed_on() {
    for (found, advice, why) in [
        ("March and April make 1250.00.", "Pay it.", "number that stands in no receipt"),
        ("March is 120.50.", "Pay 1250.00 now.", "number that stands in no receipt"),
        ("The task was completed.", "Look at it.", "claims success"),
        ("I deleted the file invoices.txt.", "Look at it.", "effect that its receipt does not show"),
        ("March is 120.50.", "Nothing: everything is done.", "claims success"),
        ("The total is known now.", "Look at it.", "claims an unmet criterion"),
    ] {
        let (run, asked) = run(move |seen| words(seen, found, advice));
        check_end(found, &run, &GIVEN_UP);
        assert_eq!(asked, 1, "a lie is not repaired");
        let farewell = run.of_type("farewell");
        let left_out = farewell[0]["left_out"].as_str().unwrap_or_default();
        assert!(left_out.contains(why), "{found}: {left_out}");
        let result = run.result();
        let told = format!("{} {}", result["summary"], result["next_moves"]);
        assert!(!told.contains(advice), "{told}");
        // What the receipt shows is told beside a lie, never the lie.
        assert_eq!(told.contains(found), found == "March is 120.50.", "{told}");
        assert!(moves(&run).iter().any(|m| m.contains("control.max_replans")), "the template: {told}");
    }
}

#[test]
fn a_model_that_is_gone_or_off_the_form_has_no_last_words() {
    let replies = [
        Reply::status(500, "down"),
        Reply::status(401, "no"),
        Reply::Sse("I am sorry.".to_owned()),
        Reply::Sse(json!({"found": "all", "next_moves": 3}).to_string()),
    ];
    for reply in replies {
        let (run, asked) = run({
            let reply = reply.clone();
            move |_| reply.clone()
        });
        check_end(&format!("{reply:?}"), &run, &GIVEN_UP);
        assert!(asked >= 1 && run.of_type("farewell").len() == 1, "{}", run.outline());
        assert!(moves(&run).iter().any(|m| m.contains("control.max_replans")), "{}", run.outline());
    }
}

/// A server whose planner hangs on its first farewell.
fn hangs() -> ModelServer {
    let (scenario, hung) = (scenario(), AtomicBool::new(false));
    ModelServer::start(move |seen| match seen.role == "R2" && is_farewell(seen) {
        true if !hung.swap(true, Ordering::SeqCst) => Reply::Hang,
        true => words(seen, "March is 120.50.", "Add the invoice of April."),
        false => scenario.reply(seen),
    })
}

/// Runs the task until its farewell hangs; returns its id and the events so far.
fn hang(home: &Home, server: &ModelServer) -> (String, Vec<Value>) {
    let mut client = home.task(REQUEST, &["--max-replans", "0"]);
    let task = client.event("task_submitted")["task_id"].as_str().expect("it has an id").to_owned();
    client.event("farewell_request");
    server.wait_for_requests(5, PATIENCE);
    client.event("model_call_started");
    (task.clone(), home.events(&task, 0))
}

#[test]
fn a_power_cut_during_the_farewell_leaves_one_end() {
    let server = hangs();
    let mut home = home(&server);
    let (task, seen) = hang(&home, &server);
    home.kill();
    home.start();
    let follow = home.artoo(&["events", &task, "--follow", "--json"]);
    let events = artoo_testing::lines(&follow.stdout);
    let run = TaskRun { events, code: Some(1), stderr: follow.stderr };
    check_end("after the restart", &run, &GIVEN_UP);
    assert_eq!(run.events[..seen.len()], *seen, "what was seen stands");
    assert_eq!((run.of_type("farewell_request").len(), run.of_type("farewell").len()), (1, 1));
    assert!(run.result()["summary"].to_string().contains("March is 120.50."), "{}", run.outline());
    let told = home.events(&task, 0);
    home.kill();
    home.start();
    assert_eq!(home.events(&task, 0), told, "a second restart tells the same");
}

#[test]
fn who_cancels_during_the_farewell_has_cancelled() {
    let server = hangs();
    let home = home(&server);
    let (task, _) = hang(&home, &server);
    let cancelled = home.artoo(&["cancel", &task, "--json"]);
    assert_eq!(cancelled.code, Some(0), "{cancelled:?}");
    let events = home.events(&task, 0);
    let results: Vec<&Value> = events.iter().filter(|event| event["type"] == "final_result").collect();
    assert_eq!(results.len(), 1, "{events:#?}");
    assert_eq!(results[0]["reason"], "cancelled");
    assert_eq!(server.requests().iter().filter(|seen| is_farewell(seen)).count(), 1);
}
