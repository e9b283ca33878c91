//! A model that takes little at once is shown less of a result, and no prompt is longer than its context.

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, finish, plan, subtask, tool};
use artoo_testing::{Home, wait_until};

const CONTEXT: u64 = 8_192;

#[test]
fn what_a_server_says_of_its_context_bounds_the_prompts_of_the_next_task() {
    let told = [criterion("The last line is told.")];
    let steps = [subtask(1, "Read the log", &["read_file"], &["log.txt"], &told)];
    let acts = vec![tool("read_file", &json!({"path": "log.txt"})), finish("completed", "line 239")];
    let scenario = Scenario::new(plan(&told, &steps)).act("Read the log", acts);
    let server = ModelServer::with_context(CONTEXT, move |seen| scenario.reply(seen));
    let home = Home::started(&server.base_url());
    let log: String =
        (0..240).map(|n| format!("line {n} of the log is about nothing in particular\n")).collect();
    home.file("log.txt", &log);
    let first = home.run("What is the last line of log.txt?", &[]);
    check_end("first", &first, &ACCEPT);
    let kept = home.data().join("model-servers.json");
    wait_until("what the server says is kept", || {
        std::fs::read_to_string(&kept).is_ok_and(|text| text.contains(&CONTEXT.to_string()))
    });
    server.forget();
    let second = home.run("What is the last line of log.txt?", &[]);
    check_end("second", &second, &ACCEPT);
    let requests = server.requests();
    for seen in &requests {
        let chars = seen.message("system").chars().count() + seen.message("user").chars().count();
        assert!(chars <= 19_000, "{} has {chars} characters", seen.role);
    }
    let done =
        requests.iter().map(|seen| seen.section("Done so far")).find(|done| done.contains("read_file"));
    let done = done.expect("the executor is shown its call");
    assert!(done.chars().count() < 6_000 && done.contains("characters omitted"), "{done}");
    assert!(done.contains("line 0 of") && done.contains("line 239 of"), "{done}");
    for run in [&first, &second] {
        let replayed = home.artoo(&["replay", run.id()]);
        assert_eq!(replayed.code, Some(0), "{replayed:?}");
    }
}
