use artoo_types::chat::{ChatReply, ChatRequest, ModelFailureKind, ModelOutcome, NativeToolCall, Tier};
use artoo_types::criteria::FailureClass;
use artoo_types::envelope::Role;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::lesson::AttemptEnd;
use artoo_types::outcome::{CorrectionSignal, ExecutionStatus};
use artoo_types::plan::{Blocks, SubTask};
use artoo_types::reply::SchemaName;
use artoo_types::setting::TaskSetting;
use artoo_types::{EvidenceId, Timestamp};
use serde_json::{Value, json};

use super::{AttemptOutput, AttemptReport, Effect, Executor, Input, call_line};
use crate::prompt::tests::setting;
use crate::testing::{receipt, says, section, silence, subtask, subtask_id, text, user_text};

mod prompts;
mod turns;

/// An executor that has asked for its first action.
fn asked(setting: &TaskSetting, subtask: SubTask) -> (Executor, ChatRequest) {
    let mut executor = Executor::new(setting, "/w", "how many notes are there?");
    let request = question(step_on(&mut executor, Input::Assigned(subtask)));
    (executor, request)
}

fn executor() -> Executor {
    asked(&setting(true), subtask(1, 1)).0
}

fn step_on(executor: &mut Executor, input: Input) -> Effect {
    let mut effects = executor.step(Timestamp(0), input);
    assert_eq!(effects.len(), 1, "every input has one consequence");
    effects.remove(0)
}

fn question(effect: Effect) -> ChatRequest {
    let Effect::AskModel(request) = effect else { panic!("no question: {effect:?}") };
    request
}

fn report(effect: Effect) -> AttemptReport {
    let Effect::Report(report) = effect else { panic!("no report: {effect:?}") };
    report
}

fn call(tool: &str, arguments: &Value) -> Input {
    Input::Model(says(&json!({"action": "tool", "tool": tool, "arguments": arguments})))
}

fn finish(status: &str, output: &Value) -> Input {
    Input::Model(says(&json!({"action": "finish", "status": status, "output": output})))
}

fn ran(n: u64, output: &str) -> Input {
    Input::Tool(receipt(n, CallEnd::Ran, Some(0), output))
}

fn corrected(prior_calls: Vec<String>) -> Input {
    Input::Corrected(CorrectionSignal {
        subtask_id: subtask_id(1),
        attempt: 2,
        what_was_wrong: "nothing was found".to_owned(),
        what_to_do: "search by content".to_owned(),
        failure_class: Some(FailureClass::Logical),
        prior_calls,
    })
}

/// Makes the call and expects it to run with these arguments.
fn runs(executor: &mut Executor, input: Input, arguments: &str) {
    let effect = step_on(executor, input);
    let Effect::RunTool { arguments: ran, .. } = effect else { panic!("the call did not run: {effect:?}") };
    assert_eq!(ran, arguments);
}

fn done_so_far(request: &ChatRequest) -> &str {
    section(user_text(request), "Done so far").unwrap_or_default()
}

#[test]
fn a_call_runs_and_its_receipt_is_in_the_next_question() {
    let mut executor = executor();
    let effect = step_on(&mut executor, call(" glob ", &json!({"root": "/w"})));
    assert_eq!(
        effect,
        Effect::RunTool { tool: "glob".to_owned(), arguments: "{\"root\":\"/w\"}".to_owned() }
    );
    let request = question(step_on(&mut executor, ran(1, "a.md\nb.md")));
    assert_eq!(
        done_so_far(&request),
        "[receipt r1] glob /w/* exit=0\narguments: {\"pattern\":\"*\"}\n  a.md\n  b.md"
    );
}

#[test]
fn finishing_ends_the_attempt_with_the_executors_own_words() {
    let check = |status: &str, output: Value, expected: (ExecutionStatus, &str)| {
        let report = report(step_on(&mut executor(), finish(status, &output)));
        assert_eq!((report.attempt, report.status, report.infrastructure), (1, expected.0, None));
        assert_eq!(report.output, AttemptOutput::Answer(expected.1.to_owned()));
    };
    check("completed", json!("3 files"), (ExecutionStatus::Completed, "3 files"));
    check("uncertain", json!({"n": 3}), (ExecutionStatus::Uncertain, "{\"n\":3}"));
    check("failed", json!(null), (ExecutionStatus::Failed, ""));
}

#[test]
fn a_tool_that_is_not_offered_is_refused_by_code() {
    let blocked = |classes: &[&str]| {
        let classes = classes.iter().map(|c| (*c).to_owned()).collect();
        SubTask { blocked: Blocks { classes, ..Blocks::default() }, ..subtask(1, 1) }
    };
    let check = |subtask: SubTask, tool: &str, refused: bool| {
        let (mut executor, request) = asked(&setting(true), subtask);
        let tools = section(user_text(&request), "Tools").expect("tools are listed");
        assert_eq!(tools.lines().any(|line| line.starts_with(&format!("{tool} "))), !refused, "{tools}");
        let effect = step_on(&mut executor, call(tool, &json!({})));
        if refused {
            let request = question(effect);
            let done = done_so_far(&request);
            assert!(done.starts_with(&format!("[refused] {tool}: not offered here; use one of ")), "{done}");
        } else {
            assert!(matches!(effect, Effect::RunTool { .. }), "{effect:?}");
        }
    };
    check(subtask(1, 1), "glob", false);
    check(subtask(1, 1), "mdfind", true);
    check(blocked(&["glob"]), "glob", true);
    check(blocked(&["glob"]), "shell", false);
    check(blocked(&["shell:find"]), "shell", false);
    check(blocked(&["shell"]), "shell", true);
}

#[test]
fn the_second_identical_call_is_answered_and_not_run() {
    let mut executor = executor();
    let first = json!({"root": "/w", "options": {"deep": true, "names": ["b", "a"]}});
    let again = json!({"options": {"names": ["b", "a"], "deep": true}, "root": "/w"});
    let other = json!({"options": {"names": ["a", "b"], "deep": true}, "root": "/w"});
    let spelled = "{\"options\":{\"deep\":true,\"names\":[\"b\",\"a\"]},\"root\":\"/w\"}";
    runs(&mut executor, call("glob", &first), spelled);
    step_on(&mut executor, ran(1, "a"));
    let request = question(step_on(&mut executor, call("glob", &again)));
    let answer = "[not run again] glob: nothing has changed since receipt r1";
    assert!(done_so_far(&request).ends_with(answer), "{}", done_so_far(&request));
    assert!(matches!(step_on(&mut executor, call("glob", &other)), Effect::RunTool { .. }));
    step_on(&mut executor, ran(2, "b"));
    assert!(matches!(step_on(&mut executor, call("find_files", &first)), Effect::RunTool { .. }));
}

#[test]
fn a_look_is_repeated_when_it_failed_or_something_changed_since() {
    let changed = |n| Receipt { effect: EffectClass::Overwrite, ..receipt(n, CallEnd::Ran, Some(0), "") };
    let check = |between: Option<Receipt>, first: CallEnd, runs_again: bool| {
        let mut executor = executor();
        step_on(&mut executor, call("glob", &json!({})));
        step_on(&mut executor, Input::Tool(receipt(1, first, (first == CallEnd::Ran).then_some(1), "")));
        if let Some(between) = between {
            step_on(&mut executor, call("write_file", &json!({})));
            step_on(&mut executor, Input::Tool(between));
        }
        let effect = step_on(&mut executor, call("glob", &json!({})));
        assert_eq!(matches!(effect, Effect::RunTool { .. }), runs_again, "{effect:?}");
    };
    check(None, CallEnd::Ran, false);
    check(Some(receipt(2, CallEnd::Ran, Some(0), "")), CallEnd::Ran, false);
    check(Some(changed(2)), CallEnd::Ran, true);
    check(None, CallEnd::Timeout, true);
    check(None, CallEnd::Error, true);
}

#[test]
fn what_changes_something_may_be_done_as_often_as_is_wanted() {
    let mut executor = executor();
    for n in 1..=5 {
        runs(&mut executor, call("shell", &json!({"command": "make test"})), "{\"command\":\"make test\"}");
        let tested =
            Receipt { effect: EffectClass::Unknown, ..receipt(n, CallEnd::Ran, Some(1), "1 failed") };
        question(step_on(&mut executor, Input::Tool(tested)));
    }
}

#[test]
fn refused_twice_in_a_row_ends_the_attempt() {
    let mut executor = executor();
    step_on(&mut executor, call("mdfind", &json!({"a": 1})));
    let report = report(step_on(&mut executor, call("mdfind", &json!({"a": 2}))));
    assert_eq!((report.status, report.infrastructure), (ExecutionStatus::Failed, None));
    assert!(
        matches!(&report.output, AttemptOutput::Answer(why) if why.contains("refused twice")),
        "{:?}",
        report.output
    );
}

#[test]
fn a_refusal_between_other_calls_or_attempts_is_no_loop() {
    let mut executor = executor();
    question(step_on(&mut executor, call("mdfind", &json!({}))));
    question(step_on(&mut executor, call("spotlight", &json!({}))));
    question(step_on(&mut executor, call("mdfind", &json!({}))));
    runs(&mut executor, call("glob", &Value::Null), "{}");
    question(step_on(&mut executor, ran(1, "")));
    question(step_on(&mut executor, call("mdfind", &json!({}))));
    report(step_on(&mut executor, finish("uncertain", &json!(""))));
    question(step_on(&mut executor, corrected(Vec::new())));
    question(step_on(&mut executor, call("mdfind", &json!({}))));
}

#[test]
fn sixty_calls_are_the_end_of_an_attempt() {
    let all = |executor: &mut Executor, from: u64| {
        for n in from..from + 60 {
            runs(executor, call("glob", &json!({"n": n})), &format!("{{\"n\":{n}}}"));
            question(step_on(executor, ran(n, "x")));
        }
    };
    let mut over = executor();
    all(&mut over, 1);
    let one_more = report(step_on(&mut over, call("glob", &json!({"n": 61}))));
    assert_eq!(one_more.status, ExecutionStatus::Failed);
    assert_eq!(one_more.output, AttemptOutput::Answer("no result after 60 tool calls".to_owned()));
    let mut within = executor();
    all(&mut within, 1);
    assert_eq!(
        report(step_on(&mut within, finish("completed", &json!("x")))).status,
        ExecutionStatus::Completed
    );
    question(step_on(&mut within, corrected(Vec::new())));
    all(&mut within, 61);
}

#[test]
fn the_question_says_which_step_it_is_and_a_refused_call_is_none() {
    let mut executor = executor();
    let step = |request: &ChatRequest| section(user_text(request), "Step").unwrap_or_default().to_owned();
    let refused = question(step_on(&mut executor, call("no_tool", &json!({}))));
    assert_eq!(step(&refused), "1 of 60");
    step_on(&mut executor, call("glob", &json!({})));
    assert_eq!(step(&question(step_on(&mut executor, ran(1, "x")))), "2 of 60");
}

#[test]
fn refused_calls_have_an_end_of_their_own() {
    let mut executor = executor();
    for n in 1..=12 {
        question(step_on(&mut executor, call(&format!("no_tool_{n}"), &json!({}))));
    }
    let report = report(step_on(&mut executor, call("no_tool_13", &json!({}))));
    assert!(matches!(&report.output, AttemptOutput::Answer(why) if why.starts_with("more than 12 calls")));
}

#[test]
fn a_final_call_ends_the_attempt_only_when_it_succeeded() {
    let mut setting = setting(true);
    setting.models.language_model = true;
    let check = |is_final: bool, receipt: Receipt, ends: bool| {
        let mut executor = asked(&setting, subtask(1, 1)).0;
        let action = json!({"action": "tool", "tool": "glob", "arguments": {}, "final": is_final});
        step_on(&mut executor, Input::Model(says(&action)));
        let effect = step_on(&mut executor, Input::Tool(receipt));
        if ends {
            let report = report(effect);
            assert_eq!((report.status, report.infrastructure), (ExecutionStatus::Completed, None));
            assert_eq!(report.output, AttemptOutput::Receipt(EvidenceId("r1".to_owned())));
        } else {
            question(effect);
        }
    };
    check(true, receipt(1, CallEnd::Ran, Some(0), "a"), true);
    check(true, receipt(1, CallEnd::Ran, Some(0), ""), true);
    check(true, receipt(1, CallEnd::Ran, Some(1), "a"), false);
    // The line ended well, and a part of it did not run.
    let broken = "0 bytes wasted\n/bin/sh: 1: Syntax error: Unterminated quoted string";
    check(true, receipt(1, CallEnd::Ran, Some(0), broken), false);
    check(true, receipt(1, CallEnd::Timeout, None, ""), false);
    check(true, receipt(1, CallEnd::Refused, None, ""), false);
    check(false, receipt(1, CallEnd::Ran, Some(0), "a"), false);
}

#[test]
fn a_denied_call_is_told_and_another_way_may_be_taken() {
    for is_final in [true, false] {
        let mut executor = executor();
        let action = json!({"action": "tool", "tool": "shell", "arguments": {}, "final": is_final});
        step_on(&mut executor, Input::Model(says(&action)));
        let denied = receipt(1, CallEnd::Denied, None, "a person said no");
        let request = question(step_on(&mut executor, Input::Tool(denied)));
        assert!(
            done_so_far(&request)
                .contains("exit=none (denied)\narguments: {\"pattern\":\"*\"}\n  a person said no")
        );
        runs(&mut executor, call("glob", &json!({})), "{}");
        question(step_on(&mut executor, ran(2, "a")));
        let report = report(step_on(&mut executor, finish("completed", &json!("a"))));
        assert_eq!(report.status, ExecutionStatus::Completed);
    }
}

#[test]
fn a_reply_of_the_wrong_form_is_repaired_once() {
    let mut executor = executor();
    let unfinished = json!({"action": "finish", "output": "x"});
    let request = question(step_on(&mut executor, Input::Model(says(&unfinished))));
    assert_eq!(request.messages.len(), 4);
    assert!(
        request.messages[3].content.contains("missing field `status`"),
        "{}",
        request.messages[3].content
    );
    let report = report(step_on(&mut executor, Input::Model(text("I cannot"))));
    assert_eq!(report.status, ExecutionStatus::Failed);
    assert!(
        report.infrastructure.is_some_and(|why| why.contains("required form")),
        "it is nobody's approach"
    );
}

#[test]
fn a_lost_model_call_is_not_the_executors_fault() {
    let report = report(step_on(&mut executor(), Input::Model(silence(ModelFailureKind::Deadline))));
    assert_eq!(
        (report.status, report.infrastructure.as_deref()),
        (ExecutionStatus::Failed, Some("no answer"))
    );
}

/// An executor whose last call may begin before this moment.
fn until(ms: i64) -> Executor {
    let mut executor = executor();
    executor.set_last_call(Timestamp(ms));
    executor
}

#[test]
fn no_call_begins_when_the_time_is_over_and_what_was_found_may_still_be_told() {
    let two = json!({"action": "tools", "calls": [{"tool": "shell"}, {"tool": "write_file"}]});
    let ended = |executor: &mut Executor, now: i64| {
        executor.step(Timestamp(0), Input::Model(says(&two)));
        executor.step(Timestamp(now), ran(1, "x")).remove(0)
    };
    assert!(
        matches!(ended(&mut until(1_000), 999), Effect::RunTool { .. }),
        "there is time for the second call"
    );
    let late = |input: Input| {
        let mut executor = until(1_000);
        let request = question(ended(&mut executor, 1_000));
        assert!(done_so_far(&request).ends_with("[not run] write_file: no time is left"));
        let step = section(user_text(&request), "Step").unwrap_or_default();
        assert_eq!(step, "3 of 60; no time is left for a call: finish with what there is");
        report(executor.step(Timestamp(1_001), input).remove(0))
    };
    assert_eq!(late(finish("completed", &json!("x"))).status, ExecutionStatus::Completed);
    let over = late(call("glob", &json!({})));
    assert_eq!((over.status, over.end), (ExecutionStatus::Failed, Some(AttemptEnd::Limit)));
    assert!(
        over.infrastructure.is_some_and(|why| why.contains("time of the task")),
        "it is nobody's approach"
    );
}

#[test]
fn the_last_call_may_end_late_and_be_the_result() {
    let mut executor = until(1_000);
    let action = json!({"action": "tool", "tool": "glob", "arguments": {}, "final": true});
    executor.step(Timestamp(999), Input::Model(says(&action)));
    let report = report(executor.step(Timestamp(5_000), ran(1, "a")).remove(0));
    assert_eq!(report.output, AttemptOutput::Receipt(EvidenceId("r1".to_owned())));
}

#[test]
fn the_question_says_what_time_is_left_and_how_long_a_call_may_take() {
    let check = |left_ms: i64, expected: &str| {
        let mut executor = Executor::new(&setting(true), "/w", "count");
        executor.set_last_call(Timestamp(7_000 + left_ms));
        let request = question(executor.step(Timestamp(7_000), Input::Assigned(subtask(1, 1))).remove(0));
        assert_eq!(section(user_text(&request), "Step"), Some(expected));
    };
    check(599_999, "1 of 60, 9 min left; timeout_ms at most 540000");
    check(120_000, "1 of 60, 2 min left; timeout_ms at most 120000");
    check(119_999, "1 of 60, 110 s left; timeout_ms at most 110000");
    check(12_000, "1 of 60, 10 s left; timeout_ms at most 30000");
    check(9_999, "1 of 60, less than 10 s left; timeout_ms at most 30000");
    check(0, "1 of 60; no time is left for a call: finish with what there is");
}

#[test]
fn a_correction_goes_on_from_what_was_done() {
    let mut executor = executor();
    runs(&mut executor, call("glob", &json!({})), "{}");
    step_on(&mut executor, ran(1, "a"));
    report(step_on(&mut executor, finish("completed", &json!("a"))));
    let request = question(step_on(&mut executor, corrected(vec!["glob: {} → a".to_owned()])));
    assert_eq!(
        done_so_far(&request),
        "[receipt r1] glob /w/* exit=0\narguments: {\"pattern\":\"*\"}\n  a\n[your answer]\n  a\n[another attempt]"
    );
    assert_eq!(
        section(user_text(&request), "Correction"),
        Some("attempt: 2\nwhat_was_wrong: nothing was found\nwhat_to_do: search by content")
    );
    runs(&mut executor, call("glob", &json!({})), "{}");
    step_on(&mut executor, ran(2, "b"));
    assert_eq!(report(step_on(&mut executor, finish("completed", &json!("a")))).attempt, 2);
}

fn native(calls: &[(&str, &str)], content: &str) -> Input {
    let tool_calls = calls
        .iter()
        .map(|(name, arguments)| NativeToolCall {
            name: (*name).to_owned(),
            arguments: (*arguments).to_owned(),
        })
        .collect();
    Input::Model(ModelOutcome::Reply(ChatReply {
        content: content.to_owned(),
        tool_calls,
        ..ChatReply::default()
    }))
}

#[test]
fn tools_can_be_called_natively() {
    let mut setting = setting(true);
    setting.native_tool_calls = true;
    let blocks = Blocks { classes: vec!["glob".to_owned()], ..Blocks::default() };
    let (mut executor, request) = asked(&setting, SubTask { blocked: blocks, ..subtask(1, 1) });
    assert_eq!(request.schema, SchemaName::ExecutionResult);
    let offered: Vec<&str> = request.native_tools.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(offered, ["read_file", "write_file", "find_files", "shell"]);
    assert_eq!(section(user_text(&request), "Tools"), None, "they are not told twice");
    let two = [("read_file", "{\"path\":\"/w\",\"limit\":1}"), ("shell", "{}")];
    runs(&mut executor, native(&two, "let me look"), "{\"limit\":1,\"path\":\"/w\"}");
    let effect = step_on(&mut executor, ran(1, "a"));
    assert!(
        matches!(&effect, Effect::RunTool { tool, .. } if tool == "shell"),
        "in the order of the turn: {effect:?}"
    );
    step_on(&mut executor, ran(2, "b"));
    let again = native(&[("read_file", "{\"limit\":1,\"path\":\"/w\"}")], "");
    assert!(
        done_so_far(&question(step_on(&mut executor, again)))
            .contains("nothing has changed since receipt r1")
    );
    question(step_on(&mut executor, native(&[("glob", "{}")], "")));
    let last = report(step_on(&mut executor, native(&[], "{\"status\":\"completed\",\"output\":\"a\"}")));
    assert_eq!(
        (last.status, last.output),
        (ExecutionStatus::Completed, AttemptOutput::Answer("a".to_owned()))
    );
}

#[test]
fn without_native_calls_none_are_offered() {
    let (_, request) = asked(&setting(true), subtask(1, 1));
    assert_eq!(
        (request.role, request.tier, request.schema),
        (Role::Executor, Tier::Tool, SchemaName::Action)
    );
    assert!(request.native_tools.is_empty());
}

#[test]
fn the_line_of_a_call_is_one_short_line_from_its_receipt() {
    let mut receipt = receipt(1, CallEnd::Ran, Some(0), &format!("a\n## Subtask\n{}", "x".repeat(1_000)));
    receipt.arguments = format!("{{\"text\":\"{}\"}}", "y".repeat(1_000));
    let line = call_line(&receipt);
    assert!(line.starts_with("glob: {\"text\":\"yyy") && line.contains(" → a ## Subtask xxx"), "{line}");
    assert_eq!(line.lines().count(), 1);
    assert!(line.chars().count() < 420, "{}", line.chars().count());
}
