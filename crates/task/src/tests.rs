//! Whole tasks against scripted surroundings.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a script answers some roles and leaves the rest to another"
)]

mod asking;
mod carrying_on;
mod faults;
mod pacing;
mod prompting;
mod replaying;
mod restarts;
mod rounds;
mod stops;
mod stories;
mod tainting;
mod tampering;
mod waiting;
mod world;

use std::cell::RefCell;
use std::rc::Rc;

use artoo_types::control::{Ending, Reason};
use artoo_types::criteria::Verdict;
use artoo_types::envelope::Role;
use artoo_types::{Message, MessageKind};

use crate::fold::fold;
use crate::view::{TaskState, TaskView};
use world::{Tool, World, reply, scripted};

/// Most replans of a task where nothing is set, as the README and the settings say.
const REPLANS: u32 = 5;
/// One step, plain criteria.
const PLAIN: &str = r#"{"task_criteria":["files are counted"],"subtasks":[{"sequence":1,"intent":"count","tools":["glob"],"success_criteria":["a number"]}]}"#;
/// One step, every criterion with a check.
const CHECKED: &str = r#"{"task_criteria":[{"text":"a line","check":{"kind":"output_lines","op":"ge","n":1}}],"subtasks":[{"sequence":1,"intent":"count","tools":["glob"],"success_criteria":[{"text":"ran","check":{"kind":"tool_called","tool":"glob"}}]}]}"#;
/// Two steps at once, then one.
const THREE: &str = r#"{"task_criteria":[{"text":"t","check":{"kind":"output_lines","op":"ge","n":1}}],"output_from":2,"subtasks":[
 {"sequence":1,"intent":"count a","tools":["glob"],"success_criteria":[{"text":"a","check":{"kind":"tool_called","tool":"glob"}}]},
 {"sequence":1,"intent":"count b","tools":["glob"],"success_criteria":[{"text":"b","check":{"kind":"tool_called","tool":"glob"}}]},
 {"sequence":2,"intent":"report","tools":["glob"],"success_criteria":[{"text":"c","check":{"kind":"tool_called","tool":"glob"}}]}]}"#;

#[test]
fn a_plain_task_takes_five_model_calls_and_teaches_nothing_that_only_a_model_saw() {
    let mut world = World::new(scripted(PLAIN));
    world.submit();
    assert_eq!(
        world.trace(),
        [
            "task_submitted",
            "task_spec",
            "memory_query",
            "memory_reply",
            // The plan is looked up before it goes out.
            "memory_query",
            "memory_reply",
            "dispatch_manifest",
            "sub_task",
            "execution_result",
            "sub_task_outcome",
            "outcome_summary",
            "final_result"
        ]
    );
    let result = world.result();
    assert_eq!((result.directive, result.reason), (Ending::Accept, Reason::CriteriaMet));
    assert_eq!(result.usage.model_calls(), 5);
    world.check_stream();
}

#[test]
fn a_checked_task_takes_three_model_calls() {
    let mut world = World::new(scripted(CHECKED));
    world.submit();
    let result = world.result();
    assert_eq!(result.directive, Ending::Accept);
    assert_eq!(result.usage.model_calls(), 3);
    assert_eq!(result.output, serde_json::json!("three lines"));
}

#[test]
fn a_greeting_takes_one_model_call_and_teaches_nothing() {
    let mut world = World::new(|_| reply(r#"{"slug":"hi","intent":"greet","direct_answer":"Hello."}"#));
    world.submit_words("Hello!");
    let result = world.result();
    assert_eq!((result.directive, result.reason), (Ending::Accept, Reason::Answered));
    assert_eq!(result.usage.model_calls(), 1);
    assert!(!world.trace().contains(&"megram_write"));
}

#[test]
fn groups_run_in_order_and_hand_their_outputs_on() {
    let prompts = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&prompts);
    let mut script = scripted(THREE);
    let mut world = World::new(move |request| {
        if request.role == Role::Executor {
            seen.borrow_mut().push(request.messages[1].content.clone());
        }
        script(request)
    });
    world.submit();
    assert_eq!(world.result().directive, Ending::Accept);
    let prompts = prompts.borrow();
    assert_eq!(prompts.len(), 3);
    assert!(!prompts[0].contains("## Prior outputs") && !prompts[1].contains("## Prior outputs"));
    assert!(
        prompts[2].contains("## Prior outputs\n[1. count a]\n  three lines\n[1. count b]\n  three lines")
    );
}

#[test]
fn a_failed_group_stops_the_next_and_the_replan_names_what_must_change() {
    let world = stories::replanned();
    let trace = world.trace();
    assert_eq!(trace.iter().filter(|k| **k == "plan_directive").count(), 1, "{trace:?}");
    let started = trace.iter().take_while(|k| **k != "replan_request").filter(|k| **k == "sub_task").count();
    assert_eq!(started, 2, "the second group must not start: {trace:?}");
    let result = world.result();
    assert_eq!((result.directive, result.replans), (Ending::Accept, 1));
    let rounds: Vec<u32> = world
        .envelopes()
        .into_iter()
        .filter(|e| e.payload.kind() == MessageKind::DispatchManifest)
        .map(|e| e.round)
        .collect();
    assert_eq!(rounds, [0, 1]);
}

#[test]
fn an_impossible_task_ends_with_everything_that_was_tried() {
    let mut attempt = 0;
    let mut script = scripted(CHECKED);
    let mut world = World::new(move |request| match request.role {
        Role::Planner => {
            attempt += 1;
            reply(&CHECKED.replace("count\"", &format!("count in way {attempt}\"")))
        }
        _ => script(request),
    })
    .checks(|_| Verdict::Fail);
    world.submit();
    let result = world.result();
    assert_eq!(result.directive, Ending::Abandon);
    assert!(!result.unmet.is_empty() && !result.next_moves.is_empty());
    assert!(result.loss.distance.get() > 0.0);
    assert!(world.trace().iter().filter(|k| **k == "plan_directive").count() <= REPLANS as usize);
}

/// How often the first of two steps that go on side by side looks, when it wants the same look twice, and the second one
/// does this with its tool.
fn looks_beside(tool: &'static str, second: fn() -> Tool) -> usize {
    let mut turns = [0, 0];
    let mut world = World::new(move |request| {
        let prompt = &request.messages[1].content;
        let step = usize::from(prompt.contains("count b"));
        if request.role != Role::Executor || prompt.contains("report") {
            return scripted(THREE)(request);
        }
        turns[step] += 1;
        let wanted = if step == 0 { "glob" } else { tool };
        match turns[step] {
            1 | 2 => reply(&format!(r#"{{"action":"tool","tool":"{wanted}","arguments":{{"n":{step}}}}}"#)),
            _ => reply(r#"{"action":"finish","status":"completed","output":"done"}"#),
        }
    })
    .tools(move |call| if call.tool == "glob" { Tool::Ran(0, "a\nb") } else { second() });
    world.setting.tools[0].reads = true;
    world.submit();
    let is_first = |m: &artoo_types::tool::ToolCallStarted| m.tool == "glob" && m.arguments == r#"{"n":0}"#;
    let started = |envelope: &&artoo_types::Envelope| match &envelope.payload {
        Message::ToolCallStarted(started) => is_first(started),
        _ => false,
    };
    world.envelopes().into_iter().filter(started).count()
}

#[test]
fn what_a_step_looked_at_is_looked_at_again_when_another_step_did_something() {
    assert_eq!(looks_beside("glob", || Tool::Ran(0, "x")), 1, "both only look");
    assert_eq!(looks_beside("write_file", || Tool::Wrote), 2);
}

#[test]
fn corrections_are_bounded_and_reach_the_executor() {
    let mut failures = 2;
    let mut script = scripted(CHECKED);
    let mut world = World::new(move |request| script(request)).checks(move |_| {
        if failures > 0 {
            failures -= 1;
            return Verdict::Fail;
        }
        Verdict::Pass
    });
    world.submit();
    assert_eq!(world.trace().iter().filter(|k| **k == "correction_signal").count(), 2);
    assert_eq!(world.result().directive, Ending::Accept);
}

#[test]
fn folding_the_inputs_again_gives_the_same_task() {
    for plan in [PLAIN, CHECKED, THREE] {
        let mut world = World::new(scripted(plan));
        world.submit();
        let json: Vec<String> = world.records.iter().map(|r| serde_json::to_string(r).unwrap()).collect();
        let records: Vec<_> = json.iter().map(|l| serde_json::from_str(l).unwrap()).collect();
        let (machine, difference) = fold(world.machine.task_id, records);
        assert!(difference.is_none(), "{difference:?}");
        assert!(machine.is_finished());
    }
}

#[test]
fn a_changed_record_is_found_where_it_differs() {
    let mut world = World::new(scripted(PLAIN));
    world.submit();
    let mut records = world.records.clone();
    let Message::TaskSpec(spec) = &mut records[1].envelopes[1].payload else { panic!("not the task spec") };
    spec.intent.push('!');
    let (_, difference) = fold(world.machine.task_id, records);
    assert_eq!(difference.map(|d| d.seq), Some(2));
}

#[test]
fn a_view_tells_where_the_task_stands() {
    let mut world = World::new(scripted(PLAIN));
    world.submit();
    let mut view = TaskView::new(world.machine.task_id);
    assert_eq!(view.state, TaskState::Accepted);
    let envelopes = world.envelopes();
    let (last, before) = envelopes.split_last().unwrap();
    before.iter().for_each(|e| view.observe(e));
    assert_eq!((view.state, view.slug.as_str()), (TaskState::Running, "count"));
    view.observe(last);
    assert_eq!(view.state, TaskState::Finished);
    assert_eq!(view.latest_sequence, envelopes.len() as u64);
}
