//! Models that claim what did not happen: only what the runtime saw itself counts.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end, check_gapless};
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, checked, criterion, finish, plan, subtask, tool};
use artoo_testing::{Home, TaskRun};

const CLAIM: &str = "I wrote report.txt and checked it.";

/// A task with one step and this criterion.
fn scenario(criterion: &Value, actions: &[Value]) -> Scenario {
    let steps = [subtask(1, "Write report.txt", &["write_file"], &[], std::slice::from_ref(criterion))];
    Scenario::new(plan(std::slice::from_ref(criterion), &steps)).act("Write report.txt", actions.to_vec())
}

/// The task is not accepted, and the criterion is among what is missing.
fn check(row: &str, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static, unmet: &str) -> TaskRun {
    let server = ModelServer::start(script);
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("Write the report", &["--max-replans", "1"]);
    check_gapless(row, &run.events, 1);
    assert_eq!(
        (run.result()["directive"].as_str(), run.code),
        (Some("abandon"), Some(1)),
        "{row}: {}",
        run.outline()
    );
    assert!(run.result()["unmet"].to_string().contains(unmet), "{row}: {}", run.outline());
    assert!(!home.work().join("report.txt").exists(), "{row}");
    run
}

#[test]
fn a_claim_without_the_file_is_not_accepted() {
    let exists = checked("the report exists", &json!({"kind": "file_exists", "path": "report.txt"}));
    let run =
        check("claimed", scenario(&exists, &[finish("completed", CLAIM)]).script(), "the report exists");
    assert!(run.of_type("tool_call_started").is_empty(), "{}", run.outline());
    for result in run.of_type("execution_result") {
        assert_eq!(result["tool_calls"], json!([]), "calls are what ran: {result:#}");
    }
}

#[test]
fn a_verdict_that_cites_what_does_not_exist_is_a_fail() {
    for cited in [json!("r99"), Value::Null] {
        let criterion = criterion("The report is written.");
        let honest = scenario(&criterion, &[finish("completed", CLAIM)]);
        let verdict = json!({"criterion": 0, "verdict": "pass", "failure_class": null, "receipt": cited, "evidence": "I saw it."});
        let forged = json!({"verdicts": [verdict], "correction": null}).to_string();
        let script = move |seen: &Seen| {
            if seen.role == "R4a" { Reply::Sse(forged.clone()) } else { honest.reply(seen) }
        };
        check("forged citation", script, "The report is written.");
    }
}

#[test]
fn words_alone_do_not_support_a_verifiable_criterion() {
    // The scenario's validator cites the executor's own answer, for want of a receipt.
    let said = scenario(&criterion("The report is written."), &[finish("completed", CLAIM)]);
    check("only an answer", said.script(), "The report is written.");
}

#[test]
fn a_tool_that_does_not_exist_runs_nothing() {
    let exists = checked("the report exists", &json!({"kind": "file_exists", "path": "report.txt"}));
    let actions = [tool("write_everything", &json!({"path": "report.txt"})), finish("completed", CLAIM)];
    check("no such tool", scenario(&exists, &actions).script(), "the report exists");
}

/// A task in a folder with notes, with these criteria for its step and for itself, in which these actions are taken.
fn notes(criteria: &[Value], actions: &[Value]) -> TaskRun {
    let steps = [subtask(1, "Do it", &["write_file"], &[], criteria)];
    let scenario = Scenario::new(plan(criteria, &steps)).act("Do it", actions.to_vec());
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    home.file("notes.txt", "one\n");
    home.file("last-year.md", "old\n");
    home.run("Do what is to be done", &["--max-replans", "1"])
}

#[test]
fn what_was_so_before_is_nobodys_work() {
    let path = json!("./notes.txt");
    let checks = [
        json!({"kind": "file_exists", "path": path}),
        json!({"kind": "file_contains", "path": path, "text": "one"}),
        json!({"kind": "file_lines", "path": path, "op": "eq", "n": 1}),
        json!({"kind": "file_absent", "path": "./cache"}),
        json!({"kind": "files_match", "glob": "*.txt", "op": "ge", "n": 1}),
    ];
    let looks = tool("shell", &json!({"command": "cat notes.txt"}));
    for check in checks {
        for actions in [vec![finish("completed", CLAIM)], vec![looks.clone(), finish("completed", CLAIM)]] {
            let run = notes(&[checked("it is done", &check)], &actions);
            check_gapless("before", &run.events, 1);
            let told = || format!("{check}: {}", run.outline());
            assert_eq!(
                (run.result()["directive"].as_str(), run.code),
                (Some("abandon"), Some(1)),
                "{}",
                told()
            );
            let unmet = run.result()["unmet"].to_string();
            assert!(unmet.contains("it was so before; nothing in this task did it"), "{}", told());
        }
    }
}

#[test]
fn what_was_so_before_counts_where_the_task_made_it_so_again() {
    let there =
        checked("a text is there", &json!({"kind": "files_match", "glob": "*.md", "op": "ge", "n": 1}));
    let writes = tool("write_file", &json!({"path": "./new.md", "content": "new\n"}));
    let run = notes(std::slice::from_ref(&there), &[writes, finish("completed", CLAIM)]);
    check_end("made again", &run, &ACCEPT);
    let outcome = &run.of_type("sub_task_outcome")[0];
    let verdict = &outcome["criteria_verdicts"][0];
    assert_eq!(
        (verdict["before"].as_str(), verdict["verdict"].as_str()),
        (Some("pass"), Some("pass")),
        "{verdict}"
    );
    let cited = verdict["cites"].as_str().expect("a pass cites evidence");
    assert!(cited.starts_with('r'), "the receipt that made it: {verdict}");
}

#[test]
fn a_precondition_is_met_by_leaving_it_alone_and_proves_nothing_alone() {
    let stays = checked(
        "notes.txt is there",
        &json!({"kind": "file_exists", "path": "./notes.txt", "unchanged": true}),
    );
    let reads = tool("read_file", &json!({"path": "notes.txt"}));
    let found = checked("the line is told", &json!({"kind": "output_contains", "text": "one"}));
    check_end("left alone", &notes(&[stays.clone(), found], std::slice::from_ref(&reads)), &ACCEPT);
    let run = notes(std::slice::from_ref(&stays), &[reads]);
    assert_eq!(run.result()["directive"], "abandon", "{}", run.outline());
    assert!(!run.of_type("plan_draft_rejected").is_empty(), "{}", run.outline());
}

#[test]
fn words_that_no_call_shows_meet_no_check_of_the_output() {
    let checks = [
        json!({"kind": "output_contains", "text": "987654 files"}),
        json!({"kind": "output_matches", "regex": "\\d+ files"}),
        json!({"kind": "output_lines", "op": "eq", "n": 1}),
    ];
    let said = finish("completed", "987654 files");
    let repeated = tool("shell", &json!({"command": "echo 987654 files"}));
    let looked = tool("glob", &json!({"root": ".", "pattern": "*.txt"}));
    for check in checks {
        for actions in [vec![said.clone()], vec![repeated.clone()], vec![looked.clone(), said.clone()]] {
            let run = notes(&[checked("the files are counted", &check)], &actions);
            let told = || format!("{check}: {}", run.outline());
            assert_eq!(
                (run.result()["directive"].as_str(), run.code),
                (Some("abandon"), Some(1)),
                "{}",
                told()
            );
            assert!(run.result()["unmet"].to_string().contains("no receipt shows it"), "{}", told());
        }
    }
}

#[test]
fn words_that_calls_bear_out_are_a_result() {
    let looked = tool("glob", &json!({"root": ".", "pattern": "*.txt"}));
    let counted = checked("the files are counted", &json!({"kind": "output_contains", "text": "1 text"}));
    let run = notes(&[counted], &[looked.clone(), finish("completed", "There is 1 text here.")]);
    check_end("a count", &run, &ACCEPT);
    let named = checked("the file is named", &json!({"kind": "output_matches", "regex": "notes\\.txt"}));
    let run = notes(&[named], &[looked, finish("completed", "It is notes.txt.")]);
    check_end("a name", &run, &ACCEPT);
}
