//! Pictures: a model that sees is shown what its step reads, and so is who judges it; another one is told why not.

use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, finish, plan, subtask, tool};
use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};

/// The pictures of a request, as it came over the wire.
fn pictures(seen: &Seen) -> usize {
    let messages = seen.body["messages"].as_array().cloned().unwrap_or_default();
    let parts = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    parts.filter(|part| part["image_url"]["url"].as_str().is_some_and(|url| url == PICTURE)).count()
}

const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAAD";

/// A task about a picture, with these lines of configuration. Returns how many pictures each request to a role had.
fn shown(settings: &str, answer: &str) -> (Vec<usize>, Vec<usize>, Value) {
    let steps =
        [subtask(1, "Read the bill", &["read_file"], &[], &[criterion("The total of ./bill.png is given.")])];
    let scenario = Scenario::new(plan(&[], &steps)).act(
        "Read the bill",
        vec![tool("read_file", &json!({"path": "./bill.png"})), finish("completed", answer)],
    );
    let server = ModelServer::start(scenario.script());
    let mut home = Home::with_model(&server.base_url());
    home.configure(settings, 0o600);
    home.start();
    let bytes = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[0, 0, 0, 2, 0, 0, 0, 3]].concat();
    std::fs::write(home.work().join("bill.png"), bytes).expect("the folder is there");
    let run = home.run("What is the total on ./bill.png?", &[]);
    if settings.contains("true") {
        check_end("pictures", &run, &ACCEPT);
        let replay = home.artoo(&["replay", run.id()]);
        assert_eq!(replay.code, Some(0), "{replay:?}");
    }
    let of = |role: &str| server.requests().iter().filter(|seen| seen.role == role).map(pictures).collect();
    let calls = run.of_type("tool_call_finished");
    (of("R3"), of("R4a"), calls.first().map(|call| (*call).clone()).unwrap_or_default())
}

#[test]
fn a_model_that_sees_is_shown_what_it_reads_and_so_is_its_judge() {
    let (executor, judge, _) = shown("[model]\nimages = true\n", "The total on ./bill.png is 12.50.");
    assert_eq!(executor, [0, 1]);
    assert!(!judge.is_empty() && judge.iter().all(|pictures| *pictures == 1), "{judge:?}");
}

#[test]
fn a_model_that_does_not_see_is_told_so() {
    let (executor, judge, call) = shown("", "I cannot see ./bill.png.");
    assert!(executor.iter().chain(&judge).all(|pictures| *pictures == 0));
    assert!(call.to_string().contains("this model is shown no pictures"), "{call}");
}
