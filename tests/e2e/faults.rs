//! What a model server may do wrong, at each role: the task ends as it should, once, and the client tells.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::checks::{ACCEPT, End, abandon, check_end};
use crate::daemon::{Home, TaskRun};
use crate::model_server::{ModelServer, Reply, Seen};
use crate::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};

/// Every role that asks a model.
const ROLES: [&str; 5] = ["R1", "R2", "R3", "R4a", "R4b"];

/// A task of one step in which every role asks a model exactly once.
fn five_calls() -> Scenario {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps));
    scenario.act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))])
}

/// The content of a reply that went well.
fn content(reply: &Reply) -> String {
    match reply {
        Reply::Sse(content) => content.clone(),
        other => panic!("the scenario answers with a stream, not {other:?}"),
    }
}

/// A fault: what becomes of the reply that the role should have got.
type Fault = fn(&str) -> Reply;

fn run(role: &'static str, fault: Fault, times: usize, options: &[&str]) -> (TaskRun, Vec<Seen>) {
    let scenario = five_calls();
    let spoiled = AtomicUsize::new(0);
    let server = ModelServer::start(move |seen| {
        let reply = scenario.reply(seen);
        if seen.role == role && spoiled.fetch_add(1, Ordering::SeqCst) < times {
            return fault(&content(&reply));
        }
        reply
    });
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("List my text files", options);
    (run, server.requests())
}

#[test]
fn explore() {
    let faults: &[(&str, Fault)] = &[
        ("429", |_| Reply::retry_after(429, "0")),
        ("500", |_| Reply::status(500, "")),
        ("cut0", |c| Reply::Cut { content: c.to_owned(), after: 0 }),
        ("cut", |c| Reply::Cut { content: c.to_owned(), after: 400 }),
        ("closed", |_| Reply::Raw(Vec::new())),
        ("junk", |_| Reply::Junk(b"<html>Bad gateway</html>".to_vec())),
        ("prose", |c| Reply::Sse(format!("Sure! Here it is:\n```json\n{c}\n```\nAnything else?"))),
        ("two", |c| Reply::Sse(format!("{c}\n{c}"))),
        ("think", |c| Reply::Sse(format!("<think>{{\"a\": 1}} hm</think>{c}"))),
        ("missing", |_| Reply::Sse("{}".to_owned())),
        ("words", |_| Reply::Sse("I cannot help with that.".to_owned())),
        ("maybe", |c| Reply::Sse(c.replace("\"pass\"", "\"maybe\""))),
    ];
    let times: usize = std::env::var("TIMES").unwrap().parse().unwrap();
    std::thread::scope(|s| {
        for chunk in 0..4 {
            s.spawn(move || {
                for (i, (name, fault)) in faults.iter().enumerate() {
                    if i % 4 != chunk {
                        continue;
                    }
                    for role in ROLES {
                        let t = std::time::Instant::now();
                        let (run, seen) = run(role, *fault, times, &[]);
                        let r = run.result();
                        let roles: Vec<&str> = seen.iter().map(|s| s.role.as_str()).collect();
                        println!(
                            "{name} {role} {} {} {:?} n={} {:?} {roles:?} | {}",
                            r["directive"],
                            r["reason"],
                            run.code,
                            roles.len(),
                            t.elapsed(),
                            r["summary"].as_str().unwrap_or_default()
                        );
                    }
                }
            });
        }
    });
}
