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

/// A model with which corrections never help: one storm, and no convergence of three steps.
fn stormy() -> ModelServer {
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
    ModelServer::start(scenario.script())
}

#[test]
fn corrections_without_end_are_a_storm_and_a_failure_to_converge() {
    let server = stormy();
    let home = Home::started(&server.base_url());
    for name in ["one.txt", "two.txt", "three.txt"] {
        home.file(name, name);
    }
    home.run("Look at everything", &["--max-replans", "0"]);
    let report = home.json(&["audit", "--window"]);
    let found = &report["window"]["findings"];
    assert_eq!(found["correction_storm"], 1, "{report:#}");
    assert_eq!(found["convergence_failure"], 3, "no correction helped any of them: {report:#}");
    assert_eq!(
        (&report["total_corrections"], &report["tool_health"]["logical_retries"]),
        (&json!(6), &json!(6))
    );
    assert_eq!(report["health"]["distances"][0]["tasks"], 1, "{report:#}");
    assert_eq!(report["health"]["reasons"], json!({"replans_exhausted": 1}), "{report:#}");
    assert!(log(&home.data()).iter().any(|line| line["kind"] == "correction_storm"), "it is in the log, too");
}

/// Ids of findings in the order of the list, and whether each is open.
fn listed(home: &Home) -> Vec<(String, bool)> {
    let found = home.json(&["audit", "list", "--limit", "200"]);
    let rows = found["findings"].as_array().expect("a list").iter();
    let row = |row: &Value| {
        let id = row["finding"]["id"].as_str().expect("a name").to_owned();
        (id, row["acknowledged_at"].is_null())
    };
    rows.map(row).collect()
}

/// What was told of findings: each that the system journal holds an envelope of, in order.
fn told(home: &Home, kind: &str) -> Vec<String> {
    let text = fs::read_to_string(home.data().join("journal/system.jsonl")).expect("text");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let bodies =
        lines.filter(|line| line["payload"]["type"] == kind).map(|line| line["payload"]["body"].clone());
    let ids = bodies.flat_map(|body| body["findings"].as_array().cloned().unwrap_or_default());
    ids.map(|found| found["id"].as_str().or(found.as_str()).unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_finding_stays_open_until_it_is_acknowledged_whatever_reports_and_restarts_come() {
    let server = stormy();
    let mut home = Home::started(&server.base_url());
    let task = home.run("Look at everything", &["--max-replans", "0"]);
    let first = home.json(&["audit"]);
    let second = home.json(&["audit"]);
    assert_eq!((&first["open_findings"], &second["open_findings"]), (&json!(4), &json!(4)), "{second:#}");
    assert_eq!(second["anomalies"], json!([]), "the window is a new one");
    let before = listed(&home);
    assert_eq!(before.iter().filter(|(_, open)| *open).count(), 4, "{before:?}");
    assert_eq!(told(&home, "audit_findings").len(), 4, "each is told once");
    let status = home.json(&["status"]);
    assert_eq!(
        status["open_findings"],
        json!({"convergence_failure": 3, "correction_storm": 1}),
        "{status:#}"
    );
    assert!(home.artoo(&["status"]).stdout.contains("the auditor found"), "and people are told");

    let id = before[0].0.clone();
    let shown = home.artoo(&["audit", "show", &id[..8]]).stdout;
    for part in [id.as_str(), task.id(), "message ", "artoo audit ack"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    for again in [false, true] {
        let seen = home.json(&["audit", "ack", &id[..8]]);
        assert_eq!(
            (&seen["open"], &seen["findings"][0]["finding"]["id"]),
            (&json!(3), &json!(id)),
            "{again}"
        );
    }
    assert_eq!(told(&home, "finding_ack"), std::slice::from_ref(&id), "the second word changes nothing");
    let unknown = home.artoo(&["audit", "ack", "f00"]);
    assert_eq!(unknown.code, Some(5), "{unknown:?}");

    for orderly in [true, false] {
        if orderly {
            home.terminate();
        } else {
            home.kill();
        }
        home.start();
        let after = listed(&home);
        assert_eq!(after.last(), Some(&(id.clone(), false)), "what is open comes first: {after:?}");
        assert_eq!(after.iter().filter(|(_, open)| *open).count(), 3, "{after:?}");
    }
    assert_eq!(told(&home, "audit_findings").len(), 4, "no restart tells it again");
    assert_eq!(home.json(&["audit", "ack", "--all"])["open"], 0);
    assert_eq!(home.json(&["status"])["open_findings"], json!({}));
    assert!(home.artoo(&["audit", "list"]).stdout.contains("none is open"));
}

#[test]
fn reports_are_kept_and_listed_newest_first() {
    let server = lister();
    let (home, first) = after_one_task(&server);
    let second = home.json(&["audit"]);
    let kept = home.json(&["audit", "reports"]);
    let ends: Vec<&Value> = kept["reports"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|kept| &kept["report"]["window_end"])
        .collect();
    assert_eq!(ends, [&second["window_end"], &first["window_end"]]);
    let newest = home.json(&["audit", "reports", "--limit", "1"]);
    assert_eq!(newest["reports"].as_array().map(Vec::len), Some(1), "{newest:#}");
    assert!(newest["next_page_token"].as_str().is_some_and(|token| !token.is_empty()), "{newest:#}");
    assert!(home.artoo(&["audit", "reports"]).stdout.contains("1 task, 0 corrections, 0 findings"));
}

#[test]
fn one_task_is_verified_by_its_lines_and_its_journal() {
    let server = lister();
    let mut home = Home::started(&server.base_url());
    home.journals_are_damaged();
    home.file("a.txt", "one\n");
    let tasks = [home.run(REQUEST, &[]), home.run(REQUEST, &[])].map(|run| run.id().to_owned());
    home.json(&["audit"]);
    let check = |task: &str| -> (Value, Option<i32>) {
        let checked = home.artoo(&["audit", "verify", task, "--json"]);
        (serde_json::from_str(&checked.stdout).expect("it prints JSON"), checked.code)
    };
    for task in &tasks {
        let (sound, code) = check(task);
        assert_eq!((&sound["intact"], code), (&json!(true), Some(0)), "{sound:#}");
        assert!(sound["lines"].as_u64().is_some_and(|lines| lines > 5), "{sound:#}");
    }
    // A line of the first task is taken out of the log: the second one is none of its business.
    let segment = segments(&home.data()).pop().expect("there is one");
    let text = fs::read_to_string(&segment).expect("text");
    let gone = text.lines().find(|line| line.contains(&tasks[0]) && line.contains("dispatch_manifest"));
    fs::write(&segment, text.replace(&format!("{}\n", gone.expect("it planned")), "")).expect("it is ours");
    let (cut, code) = check(&tasks[0]);
    assert_eq!(code, Some(1), "{cut:#}");
    let found = cut["findings"].to_string();
    assert!(
        found.contains("(dispatch_manifest) is in the task's journal and not in the audit log"),
        "{found}"
    );
    assert!(found.contains("does not follow the line before it"), "{found}");
    assert_eq!(check(&tasks[1]).1, Some(0));
    // The journal of the second one is changed.
    let journal = home.data().join(format!("tasks/{}.jsonl", tasks[1]));
    let text = fs::read_to_string(&journal).expect("text");
    fs::write(&journal, text.replacen(REQUEST, "Do what somebody else says", 1)).expect("ours");
    let (changed, code) = check(&tasks[1]);
    assert_eq!(code, Some(1), "{changed:#}");
    assert!(
        changed["findings"][0].as_str().is_some_and(|found| found.contains("the task's journal")),
        "{changed:#}"
    );
    assert_eq!(home.artoo(&["audit", "verify", "--task", "ffff"]).code, Some(5));
}
