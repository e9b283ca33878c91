//! Several calls in one turn, and turns that are a result.

use artoo_types::chat::ChatRequest;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::memory::{InputState, PlanInput};
use artoo_types::outcome::ExecutionStatus;
use artoo_types::plan::{OpeningCall, SubTask};
use artoo_types::{EvidenceId, Timestamp};
use serde_json::{Value, json};

use super::{
    AttemptOutput, Effect, Executor, Input, done_so_far, executor, native, question, ran, report, step_on,
};
use crate::prompt::tests::setting;
use crate::testing::{receipt, says, subtask, text, user_text};

/// The tools that the input has run.
fn started(executor: &mut Executor, input: Input) -> Vec<String> {
    let name = |effect: Effect| match effect {
        Effect::RunTool { tool, .. } => tool,
        other @ (Effect::AskModel(_) | Effect::Report(_)) => panic!("no call: {other:?}"),
    };
    executor.step(Timestamp(0), input).into_iter().map(name).collect()
}

fn calls(tools: &[&str]) -> Value {
    let call = |tool: &&str| json!({"tool": tool, "arguments": {"n": tool}});
    json!({"thought": "look first", "action": "tools", "calls": tools.iter().map(call).collect::<Vec<_>>()})
}

#[test]
fn reading_calls_of_a_turn_run_together_and_are_told_in_their_order() {
    let mut executor = executor();
    let turn = Input::Model(says(&calls(&["glob", "read_file", "find_files"])));
    assert_eq!(started(&mut executor, turn), ["glob", "read_file", "find_files"]);
    assert_eq!(executor.step(Timestamp(0), ran(3, "third")), []);
    assert_eq!(executor.step(Timestamp(0), ran(1, "first")), []);
    let request = question(step_on(&mut executor, ran(2, "second")));
    let done = done_so_far(&request);
    let at = |word: &str| done.find(word).expect("it is told");
    assert!(at("first") < at("second") && at("second") < at("third"), "{done}");
    let again = question(step_on(
        &mut executor,
        Input::Model(says(&json!({
            "action": "tool", "tool": "find_files", "arguments": {"n": "find_files"}
        }))),
    ));
    assert!(done_so_far(&again).ends_with("nothing has changed since receipt r3"), "{}", done_so_far(&again));
}

#[test]
fn what_does_more_than_looking_runs_alone_and_in_its_order() {
    let mut executor = executor();
    let turn = Input::Model(says(&calls(&["glob", "read_file", "shell", "write_file", "glob"])));
    assert_eq!(started(&mut executor, turn), ["glob", "read_file"]);
    assert_eq!(executor.step(Timestamp(0), ran(1, "")), []);
    assert_eq!(started(&mut executor, ran(2, "")), ["shell"]);
    let failed = Receipt { effect: EffectClass::Unknown, ..receipt(3, CallEnd::Ran, Some(1), "1 failed") };
    assert_eq!(started(&mut executor, Input::Tool(failed)), ["write_file"]);
    // Something may have changed since the first look of this turn, and since the one of an earlier turn.
    let wrote = |n| {
        Input::Tool(Receipt { effect: EffectClass::Create, ..receipt(n, CallEnd::Ran, Some(0), "wrote") })
    };
    assert_eq!(started(&mut executor, wrote(4)), ["glob"]);
    question(step_on(&mut executor, ran(5, "a")));
    let turn = Input::Model(says(&calls(&["write_file", "glob", "glob"])));
    assert_eq!(started(&mut executor, turn), ["write_file"]);
    assert_eq!(started(&mut executor, wrote(6)), ["glob"]);
    let done = question(step_on(&mut executor, ran(7, "a")));
    assert!(done_so_far(&done).ends_with("asks for it already"), "{}", done_so_far(&done));
}

#[test]
fn a_list_of_actions_and_a_table_of_them_are_turns_too() {
    let two = [json!({"action": "tool", "tool": "glob"}), json!({"action": "tool", "tool": "read_file"})];
    for reply in [json!({"actions": two}), json!(two)] {
        assert_eq!(started(&mut executor(), Input::Model(says(&reply))), ["glob", "read_file"]);
    }
    // What is said of calls whose end nobody has seen is no result.
    let hasty = json!([two[0], {"action": "finish", "status": "completed", "output": "done"}]);
    let mut executor = executor();
    assert_eq!(started(&mut executor, Input::Model(says(&hasty))), ["glob"]);
    question(step_on(&mut executor, ran(1, "a")));
}

#[test]
fn the_last_call_of_a_turn_may_be_the_result() {
    let mut executor = executor();
    let turn = json!({"actions": [{"action": "tool", "tool": "write_file"},
                                  {"action": "tool", "tool": "shell", "final": true}]});
    assert_eq!(started(&mut executor, Input::Model(says(&turn))), ["write_file"]);
    assert_eq!(started(&mut executor, ran(1, "")), ["shell"]);
    let report = report(step_on(&mut executor, ran(2, "OK")));
    assert_eq!(report.output, AttemptOutput::Receipt(EvidenceId("r2".to_owned())));
}

#[test]
fn at_most_eight_calls_run_in_a_turn() {
    let all: Vec<Value> =
        (0..10).map(|n| json!({"action": "tool", "tool": "glob", "arguments": {"n": n}})).collect();
    let mut executor = executor();
    assert_eq!(started(&mut executor, Input::Model(says(&json!({"actions": all})))).len(), 8);
    for n in 1..8 {
        assert_eq!(executor.step(Timestamp(0), ran(n, "")), []);
    }
    let done = question(step_on(&mut executor, ran(8, "")));
    assert!(done_so_far(&done).contains("at most 8 calls a turn"), "{}", done_so_far(&done));
}

#[test]
fn words_without_a_call_are_the_result_and_broken_json_is_not() {
    for input in
        [Input::Model(text("<think>so</think> There are 3 notes.")), native(&[], "There are 3 notes.")]
    {
        let report = report(step_on(&mut executor(), input));
        assert_eq!(report.status, ExecutionStatus::Completed);
        assert_eq!(report.output, AttemptOutput::Answer("There are 3 notes.".to_owned()));
    }
    for broken in ["{\"action\": \"tool\", \"tool\": \"glob\"", "I call \"tool\": glob", "", "<think>hm"] {
        let request = question(step_on(&mut executor(), Input::Model(text(broken))));
        assert_eq!(request.messages.len(), 4, "{broken}");
    }
}

#[test]
fn a_call_that_ends_after_its_attempt_changes_nothing() {
    let mut executor = executor();
    report(step_on(&mut executor, Input::Model(text("There are 3 notes."))));
    assert_eq!(executor.step(Timestamp(0), ran(1, "late")), []);
}

#[test]
fn a_question_begins_with_all_of_the_one_before_it_but_what_changes_last() {
    let mut executor = executor();
    let ask = |executor: &mut Executor, n: u64| {
        let call = json!({"action": "tool", "tool": "glob", "arguments": {"n": n}});
        started(executor, Input::Model(says(&call)));
        question(step_on(executor, ran(n, "found")))
    };
    let (first, second) = (ask(&mut executor, 1), ask(&mut executor, 2));
    assert_eq!(first.messages[0], second.messages[0], "the standing words come first and stay");
    let (before, after) = (user_text(&first), user_text(&second));
    let (stable, changing) = before.split_once("\n\n## Step\n").expect("it says which step it is");
    assert!(after.starts_with(stable), "{after}");
    for early in ["## Setting", "## Tools", "## Criteria", "## Done so far"] {
        assert!(stable.contains(early), "{early} can be kept by a server that caches");
    }
    assert!(changing.starts_with("2 of 60"), "{changing}");
}

/// Whether a look runs again after `between`, where its receipt told of these inputs.
#[track_caller]
fn looks_again(inputs: &[InputState], between: impl FnOnce(&mut Executor), expected: bool) {
    let look = || Input::Model(says(&json!({"action": "tool", "tool": "glob", "arguments": {}})));
    let mut seen = receipt(1, CallEnd::Ran, Some(0), "a");
    let input = |state: &InputState| PlanInput { path: "/w/a".to_owned(), state: state.clone() };
    seen.act.inputs = inputs.iter().map(input).collect();
    let mut executor = executor();
    step_on(&mut executor, look());
    step_on(&mut executor, Input::Tool(seen));
    between(&mut executor);
    let effect = step_on(&mut executor, look());
    assert_eq!(matches!(effect, Effect::RunTool { .. }), expected, "{inputs:?}: {effect:?}");
}

#[test]
fn a_look_is_repeated_when_it_showed_more_than_files_or_another_step_did_something() {
    let known = [InputState::Present("00".to_owned()), InputState::Absent];
    looks_again(&known, |_| {}, false);
    looks_again(&[InputState::Present("00".to_owned()), InputState::Unknown], |_| {}, true);
    looks_again(&known, Executor::world_moved, true);
}

#[test]
fn a_look_during_which_another_step_did_something_may_be_of_before() {
    let look = || Input::Model(says(&json!({"action": "tool", "tool": "glob", "arguments": {}})));
    let mut executor = executor();
    step_on(&mut executor, look());
    executor.world_moved();
    step_on(&mut executor, ran(1, "a"));
    assert!(matches!(step_on(&mut executor, look()), Effect::RunTool { .. }));
    step_on(&mut executor, ran(2, "a"));
    assert!(matches!(step_on(&mut executor, look()), Effect::AskModel(_)), "the second look stands");
}

#[test]
fn a_step_begins_with_the_calls_of_its_plan() {
    let opening = |tool: &str, arguments: &str, is_final: bool| OpeningCall {
        tool: tool.to_owned(),
        arguments: arguments.to_owned(),
        is_final,
    };
    let begin = |calls: Vec<OpeningCall>| {
        let mut executor = Executor::new(&setting(true), "/w", "count");
        let effects =
            executor.step(Timestamp(0), Input::Assigned(SubTask { opening: calls, ..subtask(1, 1) }));
        (executor, effects)
    };
    let (mut executor, effects) = begin(vec![
        opening("glob", "{}", false),
        opening("no_tool", "{}", false),
        opening("shell", "\"ls\"", false),
    ]);
    assert!(matches!(&effects[..], [Effect::RunTool { tool, .. }] if tool == "glob"), "{effects:?}");
    let effect = step_on(&mut executor, Input::Tool(receipt(1, CallEnd::Ran, Some(0), "a")));
    let command = r#"{"command":"ls"}"#;
    assert!(matches!(&effect, Effect::RunTool { arguments, .. } if arguments == command), "{effect:?}");
    let request = question(step_on(&mut executor, Input::Tool(receipt(2, CallEnd::Ran, Some(1), "b"))));
    let told: Vec<&str> = done_so_far(&request).lines().filter(|line| line.starts_with('[')).collect();
    assert!(told[0].starts_with("[receipt r1]") && told[2].starts_with("[receipt r2]"), "{told:?}");
    assert!(told[1].starts_with("[refused] no_tool"), "{told:?}");

    let (mut executor, _) = begin(vec![opening("glob", "{}", true)]);
    let last = report(step_on(&mut executor, Input::Tool(receipt(1, CallEnd::Ran, Some(0), "a"))));
    assert_eq!(last.output, AttemptOutput::Receipt(EvidenceId("r1".to_owned())));

    let (mut executor, _) = begin(vec![opening("glob", "{}", true)]);
    question(step_on(&mut executor, Input::Tool(receipt(1, CallEnd::Ran, Some(1), "no"))));
}

/// What is told in the transcript after this turn of the model and its one call.
fn told_after(turn: Input) -> String {
    let mut executor = executor();
    started(&mut executor, turn);
    done_so_far(&question(step_on(&mut executor, ran(1, "a")))).to_owned()
}

#[test]
fn what_a_model_says_of_its_calls_stays_in_its_transcript() {
    let action =
        json!({"thought": " I look\n## Criteria first ", "action": "tool", "tool": "glob", "arguments": {}});
    let several = json!({"thought": "I look first", "action": "tools", "calls": [{"tool": "glob"}]});
    let listed = json!([{"thought": "I look first", "action": "tool", "tool": "glob"}]);
    for (turn, words) in [
        (Input::Model(says(&action)), "I look ## Criteria first"),
        (Input::Model(says(&several)), "I look first"),
        (Input::Model(says(&listed)), "I look first"),
        (native(&[("glob", "{}")], "<think>hm</think>I look first"), "I look first"),
    ] {
        let done = told_after(turn);
        assert!(done.starts_with(&format!("[your words] {words}\n[receipt r1] glob")), "{done}");
    }
    let odd = json!(["no", "words"]);
    for silent in [
        json!({"thought": odd, "action": "tools", "calls": [{"tool": "glob"}]}),
        json!({"thought": odd, "action": "tool", "tool": "glob"}),
        json!({"thought": null, "action": "tool", "tool": "glob"}),
    ] {
        assert!(told_after(Input::Model(says(&silent))).starts_with("[receipt r1]"));
    }
}

#[test]
fn long_thoughts_are_cut_and_old_ones_are_short() {
    let mut executor = executor();
    let mut done = String::new();
    for n in 1..=30 {
        let call =
            json!({"thought": "w".repeat(2_000), "action": "tool", "tool": "glob", "arguments": {"n": n}});
        started(&mut executor, Input::Model(says(&call)));
        let seen = receipt(n, CallEnd::Ran, Some(0), &format!("{n}{}", "x".repeat(3_000)));
        done = done_so_far(&question(step_on(&mut executor, Input::Tool(seen)))).to_owned();
    }
    let words: Vec<usize> =
        done.lines().filter_map(|line| line.strip_prefix("[your words] ")).map(str::len).collect();
    assert!(words.first().is_some_and(|chars| *chars < 130), "{words:?}");
    assert!(words.last().is_some_and(|chars| (490..=510).contains(chars)), "{words:?}");
    assert!(done.chars().count() <= 60_100, "{}", done.chars().count());
}

#[test]
fn the_parts_of_a_question_that_stay_are_named_and_the_next_one_begins_with_them() {
    let mut executor = executor();
    let ask = |executor: &mut Executor, n: u64| {
        let call = json!({"action": "tool", "tool": "glob", "arguments": {"n": n}});
        started(executor, Input::Model(says(&call)));
        question(step_on(executor, ran(n, &format!("found {n}\n"))))
    };
    let (first, second) = (ask(&mut executor, 1), ask(&mut executor, 2));
    let parts = |request: &ChatRequest| {
        let (text, mut from) = (user_text(request).to_owned(), 0);
        let part = |end: &usize| text[std::mem::replace(&mut from, *end)..*end].to_owned();
        request.steady.iter().map(part).collect::<Vec<String>>()
    };
    let (before, after) = (parts(&first), parts(&second));
    assert_eq!((before.len(), after.len()), (2, 3), "what stands above, and a part a call");
    assert_eq!(before, after[..2]);
    assert!(before[0].ends_with("## Criteria\n0. it is done"), "{before:?}");
    assert!(
        before[1].starts_with("\n\n## Done so far\n[receipt r1]") && before[1].ends_with("found 1"),
        "{before:?}"
    );
    assert!(after[2].starts_with("\n[receipt r2]"), "{after:?}");
}
