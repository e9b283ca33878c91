//! What a task costs with a model that does its work well: calls and characters, held against a plain loop of model and
//! tools; and what is carried over from one turn of a session to the next.

use std::process::Command;

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask};

/// Calls of a plain loop for a two-line bug fix with tests, measured with a real model, and two more.
const MOST_CALLS: usize = 5;
/// Characters that the plain loop sent for it, and half as many more.
const MOST_CHARS: usize = 31_000;

/// Characters of everything that was sent to the model.
fn sent(asked: &[Seen]) -> usize {
    let chars = |seen: &Seen| seen.message("system").chars().count() + seen.message("user").chars().count();
    asked.iter().map(chars).sum()
}

const PRICE: &str = "#!/bin/sh\n# price.sh UNIT COUNT: ten and more get a tenth off\ntotal=$(($1 + $2))\n\
                     [ \"$2\" -gt 10 ] && total=$((total - total / 10))\necho \"$total\"\n";
const TESTS: &str =
    "set -e\n[ \"$(sh price.sh 3 4)\" = 12 ]\n[ \"$(sh price.sh 10 10)\" = 90 ]\necho OK, 2 tests\n";

#[test]
fn a_two_line_bug_fix_costs_a_plain_loop_and_two_calls_at_most() {
    let holds = |text: &str| json!({"kind": "file_contains", "path": "price.sh", "text": text});
    let steps = [subtask(
        1,
        "Fix both bugs of price.sh",
        &["read_file", "edit_file", "shell"],
        &["price.sh", "test.sh"],
        &[
            checked("price.sh was fixed: it multiplies", &holds("$1 * $2")),
            checked("price.sh was fixed: ten count", &holds("-ge 10")),
            criterion("sh test.sh passes."),
        ],
    )];
    let edit = |old: &str, new: &str| json!({"action": "tool", "tool": "edit_file", "arguments": {"path": "price.sh", "old": old, "new": new}});
    let read = |name: &str| json!({"tool": "read_file", "arguments": {"path": name}});
    let turns = [
        json!({"thought": "see both", "action": "tools", "calls": [read("price.sh"), read("test.sh")]}),
        json!({"actions": [edit("$1 + $2", "$1 * $2"), edit("-gt 10", "-ge 10"),
                           last_tool("shell", &json!({"command": "sh test.sh"}))]}),
    ];
    let scenario = Scenario::new(plan(&[criterion("sh test.sh passes.")], &steps));
    let server = ModelServer::start(move |seen: &Seen| match seen.role.as_str() {
        "R3" => Reply::Sse(turns[usize::from(!seen.section("Done so far").is_empty())].to_string()),
        "R4a" => {
            let receipt = seen.section("Receipts");
            let last = receipt.lines().rev().find_map(|line| line.strip_prefix("[receipt ")?.split_once(']'));
            let id = last.map(|(id, _)| id).unwrap_or_default();
            let pass = json!({"criterion": 2, "verdict": "pass", "receipt": id, "evidence": "OK, 2 tests"});
            Reply::Sse(json!({"verdicts": [pass], "task_verdicts": []}).to_string())
        }
        _ => scenario.reply(seen),
    });
    let mut home = Home::with_model(&server.base_url());
    home.configure("[gate]\nproject = \"work\"\n", 0o600);
    home.start();
    home.file("price.sh", PRICE);
    home.file("test.sh", TESTS);
    let made = Command::new("git").args(["init", "-q"]).arg(home.work()).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no git here");
        return;
    }
    let run = home.run("Two tests of price.sh fail. Fix both bugs in price.sh and run test.sh.", &[]);
    check_end("the fix", &run, &ACCEPT);
    let asked = server.requests();
    let roles: Vec<&str> = asked.iter().map(|seen| seen.role.as_str()).collect();
    let chars = sent(&asked);
    println!("two-line bug fix: {} calls {roles:?}, {chars} characters sent", asked.len());
    assert_eq!(roles, ["R2", "R3", "R3", "R4a"]);
    assert!(asked.len() <= MOST_CALLS && chars <= MOST_CHARS, "{chars} characters in {roles:?}");
    let situation = asked[0].section("Situation");
    assert!(situation.contains("price.sh") && situation.contains("git: branch "), "{situation}");
    assert!(situation.contains("total=$(($1 + $2))"), "the head of a small text is told: {situation}");
    assert!(run.of_type("confirmation_request").is_empty(), "{}", run.outline());
}

#[test]
fn the_third_of_them_is_found_in_the_answer_of_the_turn_before() {
    let list = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let first = Scenario::new(plan(&[criterion("The answer names the files.")], &list))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))]);
    let show = [subtask(1, "Show the file", &["read_file"], &[], &[criterion("The file is shown.")])];
    let second = Scenario::new(plan(&[criterion("The answer holds the file.")], &show));
    let server = ModelServer::start(move |seen: &Seen| match seen.role.as_str() {
        "R1" => {
            let session = seen.section("Session");
            let files: Vec<&str> =
                session.lines().filter(|line| line.ends_with(".txt")).map(str::trim).collect();
            let intent = format!("Show {}", files.get(2).unwrap_or(&"nothing"));
            Reply::Sse(json!({"slug": "show", "intent": intent, "clarify": []}).to_string())
        }
        _ if seen.section("Request").starts_with("List") => first.reply(seen),
        "R2" => {
            let intent = seen.section("Intent");
            let mut planned = plan(&[criterion("The answer holds the file.")], &show);
            planned["subtasks"][0]["targets"] = json!([intent.trim_start_matches("Show ")]);
            planned["subtasks"][0]["context"] = json!(intent);
            Reply::Sse(planned.to_string())
        }
        "R3" => {
            let context = seen.section("Context");
            let path = context.trim_start_matches("Show ");
            Reply::Sse(last_tool("read_file", &json!({"path": path})).to_string())
        }
        _ => second.reply(seen),
    });
    let home = Home::started(&server.base_url());
    for (name, text) in [("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "three\n")] {
        home.file(name, text);
    }
    check_end("first", &home.run("List the text files here", &["--session", "s"]), &ACCEPT);
    let run = home.run("Show the third of them", &["--session", "s"]);
    check_end("second", &run, &ACCEPT);
    assert!(run.result()["output"].to_string().contains("three"), "{}", run.outline());
    let roles: Vec<String> = server.requests().into_iter().map(|seen| seen.role).collect();
    assert_eq!(roles, ["R2", "R3", "R4a", "R1", "R2", "R3", "R4a"]);
}
