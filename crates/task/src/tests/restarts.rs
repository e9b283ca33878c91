//! The daemon goes down at any point: the task goes on from its journal, and does nothing twice that a person would mind.

use artoo_types::control::{Ending, Reason};
use artoo_types::evidence::CallEnd;
use artoo_types::limits::{MAX_RESTARTS, worst_case_model_calls};
use artoo_types::machine::{TaskEffect, TaskInput};
use artoo_types::{ConfirmationId, Message, Timestamp};
use proptest::prelude::*;

use super::faults::misbehaving;
use super::world::{Tool, World, intent, resumed, scripted};
use super::{CHECKED, PLAIN, REPLANS, THREE};

/// How often a person said yes.
fn approvals(world: &World) -> usize {
    let yes = |m: &Message| matches!(m, Message::ConfirmationResolved(r) if r.approved);
    world.envelopes().into_iter().filter(|e| yes(&e.payload)).count()
}

fn asked(world: &World) -> Vec<(ConfirmationId, Vec<String>)> {
    let mut asked = Vec::new();
    for envelope in world.envelopes() {
        if let Message::ConfirmationRequest(request) = &envelope.payload {
            asked.push((request.confirmation_id, request.why.clone()));
        }
    }
    asked
}

fn confirm(world: &mut World, id: ConfirmationId, approved: bool) {
    world.put(TaskInput::Confirmed { confirmation_id: id, approved, remember_for_task: true });
}

/// An attended task whose one call was approved and announced; then the daemon went down. Its second question is open.
pub(super) fn interrupted() -> World {
    let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held);
    world.submit();
    let id = asked(&world)[0].0;
    world.approving = false;
    let steps = world.records.len();
    confirm(&mut world, id, true);
    // Of what followed the yes, only the announcement reached the disk.
    let announced = |i: &TaskInput| matches!(i, TaskInput::ToolStarting { .. });
    let at = world.records.iter().position(|r| announced(&r.input)).expect("the call is announced");
    assert!(at > steps);
    world.records.truncate(at + 1);
    world.restart();
    world.put(TaskInput::Wake);
    world
}

#[test]
fn a_task_ends_the_same_wherever_the_daemon_goes_down_once() {
    for plan in [PLAIN, CHECKED, THREE] {
        let mut whole = World::new(scripted(plan));
        whole.submit();
        for at in 0..whole.records.len() {
            let mut left = at;
            let mut world = World::new(scripted(plan)).crashing(move || {
                left = left.wrapping_sub(1);
                left == 0
            });
            world.submit();
            world.check_stream();
            assert_eq!(world.trace(), whole.trace(), "crash before step {at}");
            let (result, expected) = (world.result(), whole.result());
            assert_eq!((result.directive, &result.output), (expected.directive, &expected.output));
            assert!(result.loss.cost.get() < 0.01, "an hour without a daemon is not the task's cost");
        }
    }
}

#[test]
fn what_may_have_happened_is_asked_about_and_runs_again_only_with_a_yes() {
    let mut world = interrupted();
    let questions = asked(&world);
    assert_eq!(questions.len(), 2, "{questions:?}");
    assert_ne!(questions[0].0, questions[1].0, "an answer to the first question is void");
    confirm(&mut world, questions[0].0, true);
    assert_eq!(world.acted, 1);
    confirm(&mut world, questions[1].0, true);
    assert_eq!((world.result().directive, world.acted), (Ending::Accept, 2));
    // Roles and people can tell that its effect may be there twice.
    let told = "interrupted: it began at 1970-01-01 00:16:40 UTC and the daemon went down";
    assert_eq!(notes(&world).len(), 1);
    assert!(notes(&world)[0].starts_with(told) && notes(&world)[0].ends_with("run again on your yes"));
    let shown = |m: &Message| matches!(m, Message::ToolCallFinished(m) if m.output.contains(told));
    assert_eq!(world.envelopes().into_iter().filter(|e| shown(&e.payload)).count(), 1);
}

/// What the receipts say that reach the judges, beside their outputs.
fn notes(world: &World) -> Vec<String> {
    let mut notes = Vec::new();
    for envelope in world.envelopes() {
        if let Message::ExecutionResult(result) = &envelope.payload {
            notes.extend(result.receipts.iter().filter_map(|receipt| receipt.note.clone()));
        }
    }
    notes
}

#[test]
fn a_call_that_ran_once_says_nothing_of_a_second_time() {
    let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held);
    world.submit();
    let id = asked(&world)[0].0;
    confirm(&mut world, id, true);
    assert_eq!((world.acted, notes(&world).len()), (1, 0));
}

#[test]
fn a_no_leaves_it_as_it_is_and_says_so() {
    let mut world = interrupted();
    let second = asked(&world)[1].0;
    confirm(&mut world, second, false);
    let result = world.result();
    assert_eq!((result.reason, world.acted), (Reason::Refused, 1));
    let mut ends = Vec::new();
    for envelope in world.envelopes() {
        if let Message::ToolCallFinished(m) = &envelope.payload {
            ends.push((m.end, m.output.clone()));
        }
    }
    assert_eq!(ends[0].0, CallEnd::Interrupted);
    assert!(ends[0].1.contains("may have happened"), "{ends:?}");
}

/// A person allows a call for the whole task; the same comes again in the next attempt.
pub(super) fn wanted_again() -> World {
    let mut failures = 1;
    let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held).checks(move |_| {
        failures -= 1;
        if failures >= 0 {
            artoo_types::criteria::Verdict::Fail
        } else {
            artoo_types::criteria::Verdict::Pass
        }
    });
    world.submit();
    let first = asked(&world)[0].0;
    confirm(&mut world, first, true);
    world
}

#[test]
fn what_was_done_is_not_done_again_unasked() {
    let mut world = wanted_again();
    let questions = asked(&world);
    assert_eq!((questions.len(), world.acted), (2, 1), "{questions:?}");
    assert!(questions[1].1.iter().any(|why| why.contains("done before")), "{questions:?}");
    confirm(&mut world, questions[1].0, true);
    assert_eq!((world.result().directive, world.acted), (Ending::Accept, 2));
}

#[test]
fn a_task_that_never_gets_further_is_given_up() {
    let mut world = World::new(scripted(PLAIN));
    world.submit();
    world.records.truncate(1);
    for _ in 0..=MAX_RESTARTS {
        world.restart();
        let output = world.machine.step(world.now, resumed());
        let stops = output.effects.contains(&TaskEffect::StopAll);
        let record = artoo_types::machine::StepRecord {
            seq: world.records.len() as u64 + 1,
            at: world.now,
            input: resumed(),
            envelopes: output.envelopes,
            effects: output.effects,
        };
        world.records.push(record);
        if stops {
            world.put(TaskInput::Stopped { survivors: Vec::new() });
        }
    }
    assert_eq!(world.result().reason, Reason::Interrupted);
}

#[test]
fn a_late_announcement_does_no_harm() {
    let mut world = World::new(scripted(CHECKED));
    world.submit();
    let before = world.envelopes().len();
    let call = artoo_types::tool::ToolCall {
        effect_id: artoo_types::EffectId(1),
        subtask_id: artoo_types::SubtaskId(uuid::Uuid::nil()),
        tool: "shell".to_owned(),
        arguments: "{}".to_owned(),
        working_directory: "/w".to_owned(),
        blocked: Default::default(),
        deadline_ms: 1,
        taint: Default::default(),
        word: Default::default(),
        by_judge: false,
        shows_images: false,
    };
    world.put(TaskInput::ToolStarting { effect_id: call.effect_id, intent: intent(&call) });
    world.now = Timestamp(0);
    world.put(resumed());
    assert_eq!(world.envelopes().len(), before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_crash_loses_the_end_or_repeats_an_action(
        noise in prop::collection::vec(any::<u8>(), 1..60),
        crashes in prop::collection::vec(any::<u8>(), 10..40),
    ) {
        let mut dice = crashes.into_iter().cycle().take(1_000);
        let mut world = misbehaving(noise).crashing(move || dice.next().is_some_and(|d| d > 225));
        world.approving = true;
        world.submit();
        let result = world.result();
        world.check_stream();
        // Each time that it may have happened, a person had said yes to it.
        prop_assert!(world.acted <= approvals(&world), "{} > {}", world.acted, approvals(&world));
        prop_assert!(result.replans <= REPLANS);
        prop_assert!(result.usage.model_calls() <= worst_case_model_calls(REPLANS, 2));
        if result.directive == Ending::Accept {
            prop_assert!(result.unmet.is_empty(), "accepted with unmet criteria: {:?}", result.unmet);
        }
    }
}
