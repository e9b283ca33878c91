//! Cancellation, deadlines, ceilings, questions.

use artoo_types::chat::{ChatReply, ModelOutcome};
use artoo_types::control::{Ending, Reason};
use artoo_types::machine::{TaskEffect, TaskInput};
use artoo_types::task::StopCause;
use artoo_types::{ConfirmationId, Message, Timestamp};

use super::CHECKED;
use super::world::{Tool, World, reply, resumed, scripted, unreachable};

/// A task that waits for a confirmation, and its id.
fn waiting(interactive: bool) -> (World, Option<ConfirmationId>) {
    let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held);
    world.setting.interactive = interactive;
    world.submit();
    let mut asked = None;
    for envelope in world.envelopes() {
        if let Message::ConfirmationRequest(request) = &envelope.payload {
            asked = Some(request.confirmation_id);
        }
    }
    (world, asked)
}

#[test]
fn cancelling_ends_the_task_once_and_teaches_nothing() {
    let (mut world, _) = waiting(true);
    world.put(TaskInput::Stop { cause: StopCause::Cancelled, detail: "enough".to_owned() });
    let result = world.result();
    assert_eq!((result.directive, result.reason), (Ending::Abandon, Reason::Cancelled));
    assert!(!world.trace().contains(&"megram_write"));
    world.put(TaskInput::Stop { cause: StopCause::Cancelled, detail: "again".to_owned() });
    world.result();
    world.check_stream();
}

#[test]
fn a_cancelled_task_names_what_would_not_go() {
    let mut world = World::new(scripted(CHECKED));
    world.submit();
    let (mut world, _) = waiting(true);
    let output = world
        .machine
        .step(world.now, TaskInput::Stop { cause: StopCause::Cancelled, detail: "enough".to_owned() });
    assert!(output.envelopes.is_empty(), "the end waits for the last child");
    let output =
        world.machine.step(world.now, TaskInput::Stopped { survivors: vec!["sleep (4711)".to_owned()] });
    let Some(Message::FinalResult(result)) = output.envelopes.last().map(|e| &e.payload) else { panic!() };
    assert!(result.summary.contains("sleep (4711)"), "{}", result.summary);
}

#[test]
fn an_approved_action_runs_and_a_denied_one_ends_as_refused() {
    let (mut world, asked) = waiting(true);
    let id = asked.unwrap();
    assert!(world.results().is_empty(), "nothing runs before the answer");
    world.put(TaskInput::Confirmed { confirmation_id: id, approved: true, remember_for_task: false });
    assert_eq!(world.result().directive, Ending::Accept);

    let (mut world, asked) = waiting(true);
    let id = asked.unwrap();
    world.put(TaskInput::Confirmed { confirmation_id: id, approved: false, remember_for_task: false });
    let result = world.result();
    assert_eq!(result.reason, Reason::Refused);
    assert!(!result.unanswered_confirmation && result.summary.contains("[LAW1]"), "{result:?}");
}

#[test]
fn an_answer_counts_once() {
    let (mut world, asked) = waiting(true);
    let id = asked.unwrap();
    world.put(TaskInput::Confirmed { confirmation_id: id, approved: false, remember_for_task: false });
    let before = world.envelopes().len();
    world.put(TaskInput::Confirmed { confirmation_id: id, approved: true, remember_for_task: false });
    assert_eq!(world.envelopes().len(), before);
}

#[test]
fn unattended_actions_are_denied_without_waiting() {
    let (world, asked) = waiting(false);
    assert!(asked.is_some(), "the question is still on record");
    let result = world.result();
    assert_eq!(result.reason, Reason::Refused);
    assert!(result.unanswered_confirmation);
}

#[test]
fn a_question_expires_as_denied_and_its_wait_does_not_count() {
    let (mut world, _) = waiting(true);
    world.now = world.now.plus_ms(artoo_types::limits::QUESTION_EXPIRY_MS);
    world.put(TaskInput::Wake);
    let result = world.result();
    assert_eq!(result.reason, Reason::Refused);
    assert!(result.unanswered_confirmation);
    assert!(result.loss.cost.get() < 0.1, "waiting is not the task's cost: {:?}", result.loss);
}

#[test]
fn the_deadline_ends_the_task() {
    // The model never answers, because its request is dropped.
    let mut world = World::new(scripted(CHECKED));
    let submitted = world.machine.step(world.now, submission(&world));
    assert!(!submitted.effects.is_empty());
    let before = world.machine.step(world.now.plus_ms(599_000), TaskInput::Wake);
    assert!(before.envelopes.is_empty());
    world.now = world.now.plus_ms(600_001);
    world.put(TaskInput::Wake);
    assert_eq!(world.result().reason, Reason::Deadline);
}

fn submission(world: &World) -> TaskInput {
    TaskInput::Submitted {
        submitted: artoo_types::task::TaskSubmitted {
            input: "x".to_owned(),
            session_id: String::new(),
            request_id: String::new(),
            working_directory: "/w".to_owned(),
            options: artoo_types::task::TaskOptions::default(),
        },
        setting: Box::new(world.setting.clone()),
    }
}

#[test]
fn the_token_ceiling_ends_the_task() {
    let mut world = World::new(scripted(CHECKED));
    world.setting.max_tokens = Some(20);
    world.submit();
    assert_eq!(world.result().reason, Reason::BudgetExhausted);
}

#[test]
fn tokens_that_no_server_reports_count_as_they_are_estimated() {
    use artoo_types::chat::{ModelOutcome, Usage};
    let mut script = scripted(CHECKED);
    let mut world = World::new(move |request| match script(request) {
        ModelOutcome::Reply(mut reply) => {
            reply.usage = Usage { estimated: Some(400), ..Usage::default() };
            ModelOutcome::Reply(reply)
        }
        failure @ ModelOutcome::Failure(_) => failure,
    });
    world.setting.max_tokens = Some(700);
    world.submit();
    let result = world.result();
    assert_eq!((result.usage.model_calls(), result.usage.estimated_tokens), (2, 800), "{result:?}");
    assert_eq!(result.reason, Reason::BudgetExhausted);
    assert!(result.summary.contains("estimated"), "{}", result.summary);
}

#[test]
fn what_a_task_may_cost_ends_it_before_the_next_call() {
    use artoo_types::chat::ModelOutcome;
    let mut script = scripted(CHECKED);
    let mut world = World::new(move |request| match script(request) {
        ModelOutcome::Reply(mut reply) => {
            reply.usage.cost_nanousd = Some(20_000_000);
            ModelOutcome::Reply(reply)
        }
        failure @ ModelOutcome::Failure(_) => failure,
    });
    world.setting.control.max_cost = 0.035;
    world.submit();
    let result = world.result();
    assert_eq!((result.reason, result.usage.cost_nanousd), (Reason::CostExhausted, Some(40_000_000)));
    assert_eq!(result.usage.model_calls(), 2);
    assert!(result.summary.contains("0.035 USD"), "{}", result.summary);
    assert!(result.next_moves[0].contains("control.max_cost"), "{:?}", result.next_moves);
    assert!(!world.trace().contains(&"megram_write"), "money says nothing about a plan: {:?}", world.trace());
    world.check_stream();
}

#[test]
fn a_model_that_cannot_be_reached_ends_the_task_as_such() {
    let mut world = World::new(|_| unreachable());
    world.submit();
    let result = world.result();
    assert_eq!(result.reason, Reason::ModelUnavailable);
    assert!(!world.trace().contains(&"megram_write"));
}

#[test]
fn a_planner_that_declines_ends_the_task_as_such() {
    let mut world = World::new(|request| {
        if request.messages[0].content.starts_with("# Role: R1") {
            reply(r#"{"slug":"x","intent":"write a poem"}"#)
        } else {
            reply(
                r#"{"task_criteria":[],"subtasks":[],"decline":{"reason":"no rule fits","nearest":["count files"]}}"#,
            )
        }
    });
    world.submit();
    let result = world.result();
    assert_eq!(result.reason, Reason::Declined);
    assert!(result.summary.contains("no rule fits"), "{}", result.summary);
}

#[test]
fn late_completions_change_nothing() {
    let mut world = World::new(scripted(CHECKED));
    world.submit();
    let records = world.records.clone();
    let before = world.envelopes().len();
    for record in records.into_iter().skip(1) {
        world.put(record.input);
    }
    assert_eq!(world.envelopes().len(), before);
}

#[test]
fn a_task_that_was_being_stopped_when_the_daemon_died_is_ended_by_the_next_one() {
    let (mut world, _) = waiting(true);
    world
        .machine
        .step(world.now, TaskInput::Stop { cause: StopCause::Cancelled, detail: "enough".to_owned() });
    // The wait for the last child was lost with the daemon; its successor asks again.
    world.put(resumed());
    assert_eq!(world.result().reason, Reason::Cancelled);
}

#[test]
fn what_matched_before_a_stop_is_delivered() {
    let mut world = World::new(scripted(super::THREE)).tools(|call| {
        if call.arguments.contains("third") { Tool::Held } else { Tool::Ran(0, "three lines") }
    });
    let mut script = scripted(super::THREE);
    let mut asked = 0;
    world.replace_model(move |request| {
        if request.role == artoo_types::envelope::Role::Executor {
            asked += 1;
            if asked == 3 {
                return reply(
                    r#"{"action":"tool","tool":"shell","arguments":{"command":"third"},"final":true}"#,
                );
            }
        }
        script(request)
    });
    world.submit();
    world.put(TaskInput::Stop { cause: StopCause::Deadline, detail: "late".to_owned() });
    let result = world.result();
    assert!(result.marks.partial && result.output.to_string().contains("three lines"), "{:?}", result.output);
    assert!(result.unmet.iter().all(|u| u.criterion != "a" && u.criterion != "b"), "{:?}", result.unmet);
}

#[test]
fn the_same_denied_action_is_denied_again_in_the_same_words() {
    const AGAIN: &str = r#"{"action":"tool","tool":"shell","arguments":{"command":"rm x"}}"#;
    let mut round = 0;
    let mut world = World::new(move |request| match request.role {
        artoo_types::envelope::Role::Planner => {
            round += 1;
            reply(&super::THREE.replace("count", &format!("count {round}")))
        }
        artoo_types::envelope::Role::Executor => {
            if request.messages[1].content.contains("count 1 a") || round > 1 {
                reply(AGAIN)
            } else {
                reply(r#"{"action":"finish","status":"failed","output":"no"}"#)
            }
        }
        _ => scripted(CHECKED)(request),
    })
    .tools(|_| Tool::Held);
    world.setting.interactive = false;
    world.submit();
    let mut denials = Vec::new();
    for envelope in world.envelopes() {
        if let Message::ConfirmationResolved(resolved) = &envelope.payload {
            denials.push(resolved.denial);
        }
    }
    assert!(denials.len() > 1, "the action must come up twice: {:?}", world.trace());
    assert!(denials.iter().all(|d| *d == Some(artoo_types::outcome::Denial::Unanswered)), "{denials:?}");
}

#[test]
fn an_open_question_wakes_nobody_before_it_expires() {
    let (mut world, _) = waiting(true);
    let before = world.wakes.len();
    world.now = world.now.plus_ms(599_990);
    for _ in 0..5 {
        world.put(TaskInput::Wake);
    }
    assert_eq!(world.wakes.len(), before, "no wake-up is asked for while a person thinks");
}

#[test]
fn a_deadline_that_the_request_names_ends_the_task_before_its_usual_limit() {
    let mut world = World::new(scripted(CHECKED));
    let submitted = world.machine.step(world.now, submission(&world));
    let call = submitted.effects.iter().find_map(|effect| {
        if let TaskEffect::CallModel { effect_id, .. } = effect { Some(*effect_id) } else { None }
    });
    // The world begins 1,000 s after the epoch.
    let deadline = "1970-01-01T00:17:00Z";
    let content = format!(r#"{{"slug":"s","intent":"x","constraints":{{"deadline":"{deadline}"}}}}"#);
    let outcome = ModelOutcome::Reply(ChatReply { content, ..ChatReply::default() });
    let effect_id = call.expect("R1 asks its model");
    let understood = world.machine.step(world.now, TaskInput::ModelFinished { effect_id, outcome });
    let at = Timestamp(1_020_000);
    assert!(understood.effects.contains(&TaskEffect::WakeAt { at }), "{:?}", understood.effects);
    let before = world.machine.step(Timestamp(1_019_999), TaskInput::Wake);
    assert!(before.envelopes.is_empty());
    world.now = at;
    world.put(TaskInput::Wake);
    assert_eq!(world.result().reason, Reason::Deadline);
}
