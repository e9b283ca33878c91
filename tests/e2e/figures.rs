//! What an accepted answer says and no receipt shows is told to the person: in the result, on the screen, and later on.

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, finish, plan, plausible, subtask, tool};

const REQUEST: &str = "Tell me what invoices.txt says";

/// The answer, told of what a task has read, is accepted; gives what the result, the screen and `artoo show` mark in it.
fn check(answer: &str, expected: &[&str]) {
    let clear = || plausible("It is told clearly.");
    let scenario = Scenario::new(plan(&[clear()], &[subtask(1, "Tell it", &["read_file"], &[], &[clear()])]))
        .act(
            "Tell it",
            vec![tool("read_file", &json!({"path": "invoices.txt"})), finish("completed", answer)],
        );
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    home.file("invoices.txt", "March 120.50\nApril 79.50\n");

    let run = home.run(REQUEST, &[]);
    check_end(answer, &run, &ACCEPT);
    assert_eq!(run.result()["not_in_receipts"], json!(expected), "{}", run.outline());
    let shown = home.json(&["show", run.id()]);
    assert_eq!(shown["result"]["not_in_receipts"], json!(expected), "{shown:#}");

    let line = format!("not in any receipt: {}", expected.join(", "));
    let count = |text: &str| text.matches("not in any receipt").count();
    let lines = usize::from(!expected.is_empty());
    let again = home.artoo(&["run", "--", REQUEST]);
    assert_eq!((again.code, again.stdout.trim_end()), (Some(0), answer), "the answer alone is the output");
    assert_eq!((count(&again.stderr), again.stderr.contains(&line)), (lines, lines == 1), "{again:?}");
    let later = home.artoo(&["show", run.id()]);
    assert_eq!(count(&later.stdout), lines, "{later:?}");
}

#[test]
fn a_figure_of_the_answer_that_no_receipt_shows_is_told() {
    check("March is 120.50, and with May it is 1250.00.", &["1250.00"]);
}

#[test]
fn of_an_answer_whose_figures_were_read_nothing_is_told() {
    check("March is 120.50, April is 79.50, which makes 200.00.", &[]);
}
