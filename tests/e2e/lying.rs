//! Models that claim what did not happen: only what the runtime saw itself counts.

use serde_json::{Value, json};

use crate::checks::check_gapless;
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
    assert!(!home.root().join("artoo_workspace/report.txt").exists(), "{row}");
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
