//! Ends that are nobody's wrong way: what cannot be done, a limit, an honest "failed", a silent judge, a wrong form. Each says
//! what it is, and none of them is held against the approach.

use serde_json::{Value, json};

use crate::checks::{abandon, check_end};
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, checked, criterion, finish, plan, subtask, tool};
use artoo_testing::{Home, TaskRun};

const REQUEST: &str = "What is the sum of the column price in items.csv?";
const CRITERION: &str = "The sum of the column price is told.";

fn home(server: &ModelServer) -> Home {
    let home = Home::started(&server.base_url());
    home.file("items.csv", "name,count\nbolt,4\nnut,9\n");
    home
}

fn read() -> Value {
    tool("read_file", &json!({"path": "items.csv"}))
}

fn scenario(of_step: &Value) -> Scenario {
    let step = subtask(1, "Sum the column", &["read_file"], &["items.csv"], std::slice::from_ref(of_step));
    Scenario::new(plan(&[criterion(CRITERION)], &[step]))
}

fn impossible(evidence: &str) -> Value {
    let said = json!({"reason": "items.csv has no column price.", "evidence": [evidence]});
    json!({"task_criteria": [], "subtasks": [], "impossible": said})
}

/// The id of the last call that the planner is told of.
fn last_call(seen: &Seen) -> String {
    let done = seen.section("Done");
    let id = done.rsplit("[receipt ").next().and_then(|rest| rest.split_once(']'));
    id.map(|(id, _)| id.to_owned()).unwrap_or_default()
}

fn check_cannot_be_done(run: &TaskRun, shown_by: &str) {
    check_end("cannot be done", run, &abandon("cannot_be_done", 1));
    let summary = run.result()["summary"].as_str().unwrap_or_default();
    assert!(summary.starts_with("Cannot be done: items.csv has no column price."), "{summary}");
    assert!(summary.contains(&format!("shown by {shown_by}")), "{summary}");
    assert!(!summary.contains("no valid plan"), "{summary}");
    assert!(run.of_type("megram_write").is_empty(), "it teaches nothing: {}", run.outline());
}

#[test]
fn what_the_place_shows_to_be_impossible_ends_before_anything_runs() {
    let scenario = scenario(&criterion(CRITERION));
    let server = ModelServer::start(move |seen| match seen.role.as_str() {
        "R2" => Reply::Sse(impossible("items.csv").to_string()),
        _ => scenario.reply(seen),
    });
    let home = home(&server);
    let run = home.run(REQUEST, &[]);
    check_cannot_be_done(&run, "items.csv");
    assert!(run.of_type("tool_call_started").is_empty(), "{}", run.outline());
    let screen = home.artoo(&["show", run.id()]);
    assert!(
        screen.stdout.contains("cannot_be_done") && screen.stdout.contains("no column price"),
        "{screen:?}"
    );
}

#[test]
fn what_a_call_shows_to_be_impossible_ends_with_its_receipt() {
    let scenario = scenario(&criterion(CRITERION))
        .act("Sum the column", vec![read(), finish("failed", "There is no column price.")]);
    let server = ModelServer::start(move |seen| match seen.role.as_str() {
        "R2" if !seen.section("Directive").is_empty() => Reply::Sse(impossible(&last_call(seen)).to_string()),
        _ => scenario.reply(seen),
    });
    let run = home(&server).run(REQUEST, &[]);
    check_cannot_be_done(&run, "r");
}

#[test]
fn what_is_cited_and_does_not_exist_is_no_end_but_a_draft_sent_back() {
    let scenario = scenario(&criterion(CRITERION)).act("Sum the column", vec![read()]);
    let server = ModelServer::start(move |seen| match seen.role.as_str() {
        "R2" if seen.section("Rejected draft").is_empty() => Reply::Sse(impossible("prices.csv").to_string()),
        _ => scenario.reply(seen),
    });
    let run = home(&server).run(REQUEST, &[]);
    let sent_back = run.of_type("plan_draft_rejected");
    assert_eq!(sent_back.len(), 1, "{}", run.outline());
    assert!(sent_back[0]["reasons"][0].as_str().is_some_and(|why| why.contains("cites prices.csv")));
}

/// The task is given up, and nothing of that is against its approach: no class is blocked, no plan forbidden, nothing that
/// memory holds speaks against it.
fn check_no_wrong_approach(name: &str, run: &TaskRun) {
    let told = || format!("{name}: {}", run.outline());
    assert_eq!(run.code, Some(1), "{}", told());
    let directives = run.of_type("plan_directive");
    assert!(!directives.is_empty(), "{}", told());
    for directive in directives {
        let kind = directive["directive"].as_str().unwrap_or_default();
        assert!(!matches!(kind, "change_approach" | "break_symmetry"), "{kind} {}", told());
        assert!(directive["blocked_tools"].as_array().is_none_or(Vec::is_empty), "{}", told());
    }
    for write in run.of_type("megram_write") {
        let megram = &write["megram"];
        let is_against = megram["sigma"].as_f64().is_some_and(|sigma| sigma < 0.0);
        let forbids = megram["failed_plans"].as_array().is_some_and(|plans| !plans.is_empty());
        assert!(!is_against && !forbids, "{megram} {}", told());
    }
}

/// Runs the task, in which this role always answers like this.
fn always(
    name: &str,
    role: &'static str,
    scenario: Scenario,
    reply: impl Fn(&Seen) -> Value + Send + Sync + 'static,
) {
    let server = ModelServer::start(move |seen| match seen.role == role {
        true => Reply::Sse(reply(seen).to_string()),
        false => scenario.reply(seen),
    });
    check_no_wrong_approach(name, &home(&server).run(REQUEST, &["--max-replans", "1"]));
}

#[test]
fn a_limit_a_silent_judge_a_wrong_form_and_an_honest_failure_are_no_wrong_approach() {
    let plain = || scenario(&criterion(CRITERION)).act("Sum the column", vec![read()]);
    always("the same call over and over", "R3", plain(), |_| read());
    always("an honest failure", "R3", plain(), |_| finish("failed", "There is no such column."));
    always("an executor off the form", "R3", plain(), |_| json!({"action": "dance"}));
    always("a judge without verdicts", "R4a", plain(), |_| json!({"verdicts": [], "correction": null}));
    always("a judge off the form", "R4a", plain(), |_| json!({"verdict": "hm"}));
    let wants_json =
        checked(CRITERION, &json!({"kind": "output_json", "pointer": "/sum", "op": "ge", "value": 0}));
    let sum = || tool("shell", &json!({"command": "cut -d, -f2 items.csv"}));
    let not_json = scenario(&wants_json).act("Sum the column", vec![sum()]);
    let server = ModelServer::start(not_json.script());
    check_no_wrong_approach(
        "an output in another form",
        &home(&server).run(REQUEST, &["--max-replans", "1"]),
    );
}
