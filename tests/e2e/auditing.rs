//! The auditor as a person meets it: reports with their head, the check of the log, what it finds, and that nobody can
//! keep it from finding it.

use std::fs;

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::audit_log::{check_exactly_once, log, segments};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, wait_until};

const REQUEST: &str = "List my text files";

/// A model that lists files, and is content with it.
fn lister() -> ModelServer {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps));
    let glob = last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}));
    ModelServer::start(scenario.act("List the files", vec![glob]).script())
}

/// A home in which one task ran, and what the auditor reported of it.
fn after_one_task(server: &ModelServer) -> (Home, Value) {
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    check_end("a task", &home.run(REQUEST, &[]), &ACCEPT);
    let report = home.json(&["audit"]);
    assert_eq!(report["tasks_observed"], 1, "{report:#}");
    (home, report)
}

fn findings(home: &Home) -> Vec<String> {
    let verified = home.artoo(&["audit", "verify", "--json"]);
    let found: Value = serde_json::from_str(&verified.stdout).expect("it prints JSON");
    let findings = found["findings"].as_array().map_or(&[][..], Vec::as_slice);
    assert_eq!(verified.code, Some(i32::from(!findings.is_empty())), "{verified:?}");
    findings.iter().map(|finding| finding.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_report_names_its_head_and_the_check_finds_it_again() {
    let server = lister();
    let (home, report) = after_one_task(&server);
    let hash = report["head"]["hash"].as_str().expect("a hash").to_owned();
    assert_eq!(hash.len(), 64, "{report:#}");
    assert_eq!(report["anchored_in"][0], "audit/anchors.jsonl", "{report:#}");
    let shown = home.artoo(&["audit"]).stdout;
    let head = format!("head      {} ", report["head"]["seq"].as_u64().expect("a number") + 2);
    assert!(shown.contains(&head), "the report and the question are lines themselves: {head} in {shown}");
    let anchors = fs::read_to_string(home.data().join("audit/anchors.jsonl")).expect("text");
    assert!(anchors.contains(&hash), "{anchors}");

    for noted in [hash.as_str(), &hash[..16], &hash.to_uppercase()] {
        let found = home.json(&["audit", "verify", "--anchor", noted]);
        assert_eq!(found["anchors_found"][0]["hash"], hash, "{found:#}");
        assert_eq!(found["anchors_found"][0]["sequence"], report["head"]["seq"], "{found:#}");
    }
    let foreign = home.artoo(&["audit", "verify", "--anchor", &"0".repeat(64)]);
    assert_eq!(foreign.code, Some(1), "{foreign:?}");
    assert!(foreign.stdout.contains("no line of the log has the hash 0000"), "{foreign:?}");
    let nonsense = home.artoo(&["audit", "verify", "--anchor", "abc"]);
    assert_eq!(nonsense.code, Some(5), "{nonsense:?}");
    assert!(nonsense.stderr.contains("hex digits"), "{nonsense:?}");
}

#[test]
fn every_report_says_what_the_window_held_and_more_when_it_is_asked() {
    let server = lister();
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    check_end("a task", &home.run(REQUEST, &[]), &ACCEPT);
    let first = home.json(&["audit", "--window"]);
    assert_eq!((&first["tasks_observed"], &first["unread"]), (&json!(1), &json!(0)), "{first:#}");
    assert_eq!(first["window"]["reasons"], json!({"criteria_met": 1}), "{first:#}");
    let roles = first["window"]["roles"].as_array().expect("a list");
    assert!(roles.iter().any(|role| role["measure"] == "failed verdicts"), "{first:#}");
    let second = home.json(&["audit"]);
    assert_eq!((&second["tasks_observed"], &second["window"]), (&json!(0), &Value::Null), "{second:#}");
    assert_eq!(second["totals"]["tasks_observed"], 1, "the totals go on");
    assert_eq!(second["window_start"], first["window_end"], "no time is in two windows, and none in between");
}

#[test]
fn an_altered_log_does_not_stop_the_daemon_and_is_told() {
    let server = lister();
    let (mut home, _) = after_one_task(&server);
    home.terminate();
    let segment = segments(&home.data()).pop().expect("there is one");
    let text = fs::read_to_string(&segment).expect("text");
    fs::write(&segment, text.replacen("R1", "R2", 1)).expect("it is ours");
    home.start();
    wait_until("it is a warning", || {
        home.json(&["status"])["warnings"].to_string().contains("audit-000001.jsonl: line 1 was changed")
    });
    assert!(home.artoo(&["doctor"]).stdout.contains("artoo audit verify"));
    let report = home.json(&["audit"]);
    assert!(report["anomalies"].to_string().contains("log_damage"), "{report:#}");
    assert_eq!(segments(&home.data()).len(), 2, "a new segment begins");
    let live = fs::read_link(home.data().join("audit.jsonl")).expect("a link");
    assert!(live.ends_with("audit-000002.jsonl"), "{live:?}");
    check_end("the next task", &home.run(REQUEST, &[]), &ACCEPT);
    home.json(&["audit"]);
    assert_eq!(findings(&home), ["audit-000001.jsonl: line 1 was changed: its hash does not match"]);
    check_exactly_once(&home.data(), 2);
}

#[test]
fn a_cut_end_is_found_although_the_rest_is_sound() {
    let server = lister();
    let (mut home, _) = after_one_task(&server);
    home.terminate();
    let segment = segments(&home.data()).pop().expect("there is one");
    let text = fs::read_to_string(&segment).expect("text");
    let kept: Vec<&str> = text.lines().take(text.lines().count() - 2).collect();
    fs::write(&segment, format!("{}\n", kept.join("\n"))).expect("it is ours");
    // Whoever cuts the log may remove the auditor's own memory as well.
    fs::remove_file(home.data().join("audit_stats.json")).expect("it is ours");
    home.start();
    let report = home.json(&["audit"]);
    assert!(report["anomalies"].to_string().contains("its end was cut off"), "{report:#}");
    let found = findings(&home);
    assert!(found.iter().any(|finding| finding.contains("does not follow the line before it")), "{found:?}");
}

#[test]
fn a_power_cut_of_the_machine_leaves_half_a_line_and_a_whole_log() {
    let server = lister();
    let (mut home, _) = after_one_task(&server);
    home.kill();
    let segment = segments(&home.data()).pop().expect("there is one");
    let text = fs::read_to_string(&segment).expect("text");
    fs::write(&segment, format!("{text}{{\"seq\":77,\"boo")).expect("it is ours");
    home.start();
    let report = home.json(&["audit"]);
    assert!(report["anomalies"].to_string().contains("in the middle of a line"), "{report:#}");
    assert_eq!(findings(&home), Vec::<String>::new());
    check_exactly_once(&home.data(), 1);
}

#[test]
fn corrections_without_end_are_a_storm_and_a_failure_to_converge() {
    let texts = ["one", "two", "three"];
    let work = |text: &str| format!("Look at {text}");
    let steps: Vec<Value> = texts
        .iter()
        .map(|text| subtask(1, &work(text), &["glob"], &[], &[criterion(&format!("It is {text}."))]))
        .collect();
    let mut scenario = Scenario::new(plan(&[criterion("All is there.")], &steps));
    for text in texts {
        let glob = last_tool("glob", &json!({"root": ".", "pattern": format!("{text}*")}));
        scenario = scenario.act(&work(text), vec![glob.clone(), glob]).fail(
            &format!("It is {text}."),
            "logical",
            u32::MAX,
        );
    }
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    home.run("Look at everything", &["--max-replans", "0"]);
    let report = home.json(&["audit", "--window"]);
    let found = &report["window"]["findings"];
    assert_eq!(found["correction_storm"], 1, "{report:#}");
    assert_eq!(found["convergence_failure"], 3, "no correction helped any of them: {report:#}");
    assert_eq!(
        (&report["total_corrections"], &report["tool_health"]["logical_retries"]),
        (&json!(6), &json!(6))
    );
    assert!(log(&home.data()).iter().any(|line| line["kind"] == "correction_storm"), "it is in the log, too");
}
