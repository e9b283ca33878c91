//! What a model server may do wrong, at each role: the task ends as it should, once, and the client tells.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::checks::{ACCEPT, End, abandon, check_end};
use crate::rows::check_rows;
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Reply, dead_base_url};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};

/// Every role that asks a model.
const ROLES: [&str; 5] = ["R1", "R2", "R3", "R4a", "R4b"];

/// A task of one step in which every role asks a model exactly once: "again" wants a reader, and R4a leaves the task to R4b. A replan words the step in another way.
fn five_calls() -> Scenario {
    let intents = ["List the files", "Find the files", "Look for the files", "Name the files"];
    let plans = intents.map(|intent| {
        let steps = [subtask(1, intent, &["glob"], &[], &[criterion("The files are listed.")])];
        plan(&[criterion("The answer names the files.")], &steps)
    });
    let glob = last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}));
    let [first, others @ ..] = plans;
    let scenario = others.into_iter().fold(Scenario::new(first).task_apart(), Scenario::then_plan);
    intents.iter().fold(scenario, |scenario, intent| scenario.act(intent, vec![glob.clone()]))
}

/// The content of a reply that went well.
fn content(reply: &Reply) -> String {
    let Reply::Sse(content) = reply else { panic!("the scenario answers with a stream, not {reply:?}") };
    content.clone()
}

/// A fault: what becomes of the reply that the role should have got.
type Fault = fn(&str) -> Reply;

/// One fault at one role, how often, and how the task then ends.
struct Row {
    name: String,
    role: &'static str,
    fault: Fault,
    times: usize,
    options: &'static [&'static str],
    end: End,
    /// Model calls, where the number is the point.
    calls: Option<usize>,
}

const ALWAYS: usize = usize::MAX;

/// The same fault at each of these roles.
fn rows(
    name: &str,
    roles: &[&'static str],
    fault: Fault,
    times: usize,
    end: End,
    calls: Option<usize>,
) -> Vec<Row> {
    let row = |role: &&'static str| Row {
        name: format!("{name} at {role}"),
        role,
        fault,
        times,
        options: &[],
        end,
        calls,
    };
    roles.iter().map(row).collect()
}

fn check(row: &Row) {
    let scenario = five_calls();
    let (role, fault, times, spoiled) = (row.role, row.fault, row.times, AtomicUsize::new(0));
    let server = ModelServer::start(move |seen| {
        let reply = scenario.reply(seen);
        let spoil = seen.role == role && spoiled.fetch_add(1, Ordering::SeqCst) < times;
        if spoil { fault(&content(&reply)) } else { reply }
    });
    let mut home = Home::with_model(&server.base_url());
    // Three replans: after them the scenario has no other plan.
    home.configure("[control]\nmodel_wait_ms = 0\nmax_replans = 3\n", 0o600);
    home.start();
    home.file("a.txt", "one\n");
    let run = home.run("List my text files again", row.options);
    check_end(&row.name, &run, &row.end);
    if let Some(calls) = row.calls {
        let roles: Vec<String> = server.requests().into_iter().map(|seen| seen.role).collect();
        assert_eq!(roles.len(), calls, "{}: {roles:?}", row.name);
    }
}

#[test]
fn odd_replies_that_hold_an_answer_are_understood_without_another_call() {
    let tolerated = |name: &str, fault: Fault| rows(name, &ROLES, fault, ALWAYS, ACCEPT, Some(5));
    let think: Fault = |c| Reply::Sse(format!("<think>{{\"action\": \"finish\"}} hm</think>\n{c}"));
    let prose: Fault = |c| Reply::Sse(format!("Sure! Here it is:\n```json\n{c}\n```\nAnything else?"));
    let reasoned: Fault =
        |c| Reply::Reasoned { reasoning: "Let me see. {}".to_owned(), content: c.to_owned() };
    let twice: Fault = |c| Reply::Sse(format!("{c}\n{c}"));
    let mut all = tolerated("think block", think);
    all.extend(tolerated("prose around the object", prose));
    all.extend(tolerated("reasoning beside the content", reasoned));
    all.extend(tolerated("the same object twice", twice));
    check_rows(all, check);
}

#[test]
fn a_fault_that_passes_costs_one_more_call() {
    let passing = |name: &str, fault: Fault| rows(name, &ROLES, fault, 1, ACCEPT, Some(6));
    let mut all = passing("429", |_| Reply::retry_after(429, "0"));
    all.extend(passing("500", |_| Reply::status(500, "{\"error\": {\"message\": \"overloaded\"}}")));
    all.extend(passing("closed without a reply", |_| Reply::Raw(Vec::new())));
    all.extend(passing("cut before the content", |c| Reply::Cut { content: c.to_owned(), after: 0 }));
    all.extend(passing("a page instead of a reply", |_| Reply::Junk(b"<html>Bad gateway</html>".to_vec())));
    check_rows(all, check);
}

#[test]
fn a_reply_of_the_wrong_form_is_repaired_once() {
    let repaired =
        |name: &str, roles: &[&'static str], fault: Fault| rows(name, roles, fault, 1, ACCEPT, Some(6));
    let different: Fault = |c| Reply::Sse(format!("{c}\n{}", c.replace("glob", "read_file")));
    let maybe: Fault = |c| Reply::Sse(c.replace("\"pass\"", "\"maybe\""));
    let mut all = repaired("missing fields", &ROLES, |_| Reply::Sse("{}".to_owned()));
    let refusal: Fault = |_| Reply::Sse("I cannot help with that.".to_owned());
    all.extend(repaired("a refusal in words", &["R1", "R2", "R4a", "R4b"], refusal));
    // To the executor words are an end, which is judged and corrected.
    all.extend(rows("a refusal in words", &["R3"], refusal, 1, ACCEPT, Some(7)));
    all.extend(repaired("two different objects", &["R2", "R3"], different));
    all.extend(repaired("unknown verdict", &["R4a", "R4b"], maybe));
    check_rows(all, check);
}

#[test]
fn a_reply_that_breaks_off_is_not_trusted() {
    let cut: Fault = |c| Reply::Cut { content: c.to_owned(), after: 400 };
    // A lost reply is asked for once more, whoever lost it.
    check_rows(rows("cut", &ROLES, cut, 1, ACCEPT, Some(6)), check);
}

#[test]
fn a_model_that_hangs_is_left_at_the_deadline() {
    let mut all = rows("hang", &ROLES, |_| Reply::Hang, ALWAYS, abandon("deadline", 1), None);
    all.iter_mut().for_each(|row| row.options = &["--deadline", "1s"]);
    check_rows(all, check);
}

#[test]
fn a_model_that_never_finds_the_form_ends_the_task() {
    let words: Fault = |_| Reply::Sse("I cannot help with that.".to_owned());
    let empty: Fault = |_| Reply::Sse("{}".to_owned());
    let mut all = rows("words", &["R1"], words, ALWAYS, ACCEPT, Some(6));
    all.extend(rows("words", &["R2"], words, ALWAYS, abandon("model_unavailable", 1), Some(3)));
    all.extend(rows("words", &["R3", "R4a", "R4b"], words, ALWAYS, abandon("replans_exhausted", 1), None));
    all.extend(rows("no fields", &["R1"], empty, ALWAYS, ACCEPT, Some(6)));
    all.extend(rows("no fields", &["R2"], empty, ALWAYS, abandon("cannot_plan", 1), Some(4)));
    all.extend(rows(
        "no fields",
        &["R3", "R4a", "R4b"],
        empty,
        ALWAYS,
        abandon("replans_exhausted", 1),
        None,
    ));
    check_rows(all, check);
}

#[test]
fn a_server_that_keeps_failing_the_first_roles() {
    let busy: Fault = |_| Reply::retry_after(429, "0");
    let mut all = rows("429 for ever", &["R1"], busy, ALWAYS, abandon("model_unavailable", 1), Some(4));
    all.extend(rows("429 for ever", &["R2"], busy, ALWAYS, abandon("model_unavailable", 1), Some(5)));
    check_rows(all, check);
}

#[test]
fn a_refusal_that_waiting_does_not_cure_is_not_tried_again() {
    let gone = abandon("model_unavailable", 1);
    let key: Fault =
        |_| Reply::status(401, "{\"error\": {\"message\": \"bad key\", \"code\": \"invalid_api_key\"}}");
    let quota: Fault =
        |_| Reply::status(429, "{\"error\": {\"message\": \"pay\", \"code\": \"insufficient_quota\"}}");
    let mut all = rows("401", &["R2"], key, ALWAYS, gone, Some(2));
    all.extend(rows("exhausted quota", &["R2"], quota, ALWAYS, gone, Some(2)));
    all.extend(rows("no such model", &["R2"], |_| Reply::status(404, ""), ALWAYS, gone, Some(2)));
    check_rows(all, check);
}

#[test]
fn a_server_that_keeps_failing_a_later_role_is_named_as_the_reason() {
    let later = &["R3", "R4a", "R4b"];
    let gone = abandon("model_unavailable", 1);
    check_rows(rows("429 for ever", later, |_| Reply::retry_after(429, "0"), ALWAYS, gone, None), check);
}

#[test]
fn a_model_that_is_busy_is_waited_for_and_the_person_sees_it() {
    let (scenario, asked) = (five_calls(), AtomicUsize::new(0));
    let loading =
        "{\"error\": {\"code\": 503, \"message\": \"Loading model\", \"type\": \"unavailable_error\"}}";
    let server = ModelServer::start(move |seen| {
        let is_first = seen.role == "R3" && asked.fetch_add(1, Ordering::SeqCst) < 4;
        if is_first { Reply::status(503, loading) } else { scenario.reply(seen) }
    });
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let run = home.run("List my text files again", &[]);
    check_end("busy", &run, &ACCEPT);
    let waits: Vec<u64> =
        run.of_type("model_call_finished").iter().filter_map(|call| call["retry_in_ms"].as_u64()).collect();
    assert_eq!(waits, [artoo_types::limits::MODEL_RETRY_MS], "{}", run.outline());
    assert!(
        run.of_type("replan_request").is_empty() && run.of_type("megram_write").is_empty(),
        "{}",
        run.outline()
    );
}

#[test]
fn a_tool_model_that_nobody_serves_is_named_as_the_reason() {
    let scenario = five_calls();
    let server = ModelServer::start(scenario.script());
    let mut home = Home::with_model(&server.base_url()).variable("TOOL_BASE_URL", &dead_base_url());
    home.start();
    let run = home.run("List my text files again", &[]);
    check_end("no server for the tool tier", &run, &abandon("model_unavailable", 1));
    assert!(run.of_type("megram_write").is_empty(), "it teaches nothing: {}", run.outline());
}
