//! Tools in the server's own form: by default, once the server has shown that its model calls them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, TaskRun, wait_until};

/// A model that calls tools natively where they are offered so, two in one turn, and plays every other role as usual.
fn server() -> ModelServer {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let glob = json!({"root": ".", "pattern": "*.txt"});
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &glob)]);
    ModelServer::with_tools(move |seen| match (is_native(seen), seen.section("Done so far")) {
        (false, _) => scenario.reply(seen),
        (true, done) if done.is_empty() => Reply::ToolCalls(vec![
            ("glob".to_owned(), glob.clone()),
            ("read_file".to_owned(), json!({"path": "./a.txt"})),
        ]),
        (true, done) => {
            Reply::Sse(done.lines().find(|line| line.contains("a.txt")).unwrap_or("none").to_owned())
        }
    })
}

fn is_native(seen: &Seen) -> bool {
    seen.role == "R3" && seen.body.get("tools").is_some()
}

/// The task went well; how its executor was asked, a call each.
fn forms(server: &ModelServer, run: &TaskRun) -> Vec<bool> {
    check_end("tools", run, &ACCEPT);
    assert!(run.result()["output"].to_string().contains("a.txt"), "{}", run.outline());
    let forms = server.requests().iter().filter(|seen| seen.role == "R3").map(is_native).collect();
    server.forget();
    forms
}

#[test]
fn the_servers_own_form_is_found_out_by_itself_and_outlives_the_daemon() {
    let server = server();
    let mut home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    assert_eq!(forms(&server, &home.run("List my text files", &[])), [false], "nothing is known yet");
    wait_until("it is kept", || home.data().join("model-servers.json").exists());
    let run = home.run("List my text files again", &[]);
    assert_eq!(forms(&server, &run), [true, true], "two calls in one turn, then the result");
    let calls = run.of_type("tool_call_finished");
    // The two of one turn run at once, and either may end first.
    let called: BTreeSet<_> = calls.iter().filter_map(|call| call["tool"].as_str()).collect();
    assert_eq!((calls.len(), called), (2, BTreeSet::from(["glob", "read_file"])), "{}", run.outline());
    home.terminate();
    home.start();
    let run = home.run("List my text files a third time", &[]);
    assert_eq!((forms(&server, &run), server.probes()), (vec![true, true], 1));
}

#[test]
fn json_is_json_whatever_the_server_can() {
    let server = server();
    let mut home = Home::with_model(&server.base_url());
    home.configure("[model]\ntool_calls = \"json\"\n", 0o600);
    home.start();
    home.file("a.txt", "one\n");
    for request in ["List my text files", "List my text files again"] {
        assert_eq!(forms(&server, &home.run(request, &[])), [false]);
    }
    assert_eq!(server.probes(), 0);
}
