//! A model that is busy or gone is waited for, beside the task's own time and at nobody's cost.

use std::cell::RefCell;
use std::rc::Rc;

use artoo_types::chat::{ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome};
use artoo_types::control::{Ending, Reason};
use artoo_types::envelope::Role;
use artoo_types::limits::MODEL_RETRY_MS;
use artoo_types::machine::TaskInput;
use artoo_types::{Message, Timestamp};

use super::CHECKED;
use super::world::{World, scripted};
use crate::view::{TaskState, TaskView};

fn silence(kind: ModelFailureKind, retry_after_ms: Option<u64>) -> ModelOutcome {
    let message = "the server loads its model".to_owned();
    ModelOutcome::Failure(ModelFailure { kind, message, attempts: 4, elapsed_ms: 1, retry_after_ms })
}

/// The script, except that this role meets so many failures of this kind first.
fn failing(
    role: Role,
    times: usize,
    kind: ModelFailureKind,
    retry_after_ms: Option<u64>,
) -> impl FnMut(&ChatRequest) -> ModelOutcome + 'static {
    let (mut script, left) = (scripted(CHECKED), Rc::new(RefCell::new(times)));
    move |request| {
        let mut left = left.borrow_mut();
        if request.role != role || *left == 0 {
            return script(request);
        }
        *left -= 1;
        silence(kind, retry_after_ms)
    }
}

/// Lets the time pass up to the next wake-up that is not yet over.
fn wake(world: &mut World) {
    let now = world.now;
    let next = world.wakes.iter().copied().filter(|at| *at > now).min().expect("something is waited for");
    world.now = next;
    world.put(TaskInput::Wake);
}

fn state(world: &World) -> TaskState {
    let mut view = TaskView::new(world.machine.task_id);
    world.envelopes().into_iter().for_each(|envelope| view.observe(envelope));
    view.state
}

fn waits(world: &World) -> Vec<u64> {
    let finished = world.envelopes().into_iter().filter_map(|envelope| match &envelope.payload {
        Message::ModelCallFinished(call) => call.retry_in_ms,
        _ => None,
    });
    finished.collect()
}

#[test]
fn a_busy_model_is_asked_again_and_the_task_ends_as_if_nothing_had_been() {
    for role in [Role::Perceiver, Role::Planner, Role::Executor] {
        let mut world = World::new(failing(role, 3, ModelFailureKind::Busy, None));
        world.submit();
        assert_eq!(state(&world), TaskState::WaitingForModel, "{role:?}");
        for _ in 0..3 {
            assert!(world.results().is_empty(), "{role:?}");
            wake(&mut world);
        }
        let result = world.result();
        assert_eq!((result.directive, result.reason), (Ending::Accept, Reason::CriteriaMet), "{role:?}");
        assert_eq!(waits(&world), [1, 2, 4].map(|n| n * MODEL_RETRY_MS), "{role:?}");
        assert_eq!(state(&world), TaskState::Finished);
        assert!(!world.trace().contains(&"replan_request"), "nobody's plan was wrong: {:?}", world.trace());
        world.check_stream();
    }
}

#[test]
fn the_wait_that_a_server_asks_for_is_kept() {
    let mut world = World::new(failing(Role::Executor, 1, ModelFailureKind::Busy, Some(34_000)));
    world.submit();
    let asked = world.now;
    wake(&mut world);
    assert_eq!(waits(&world), [34_000]);
    assert!(world.now.since_ms(asked) >= 33_000);
    assert_eq!(world.result().directive, Ending::Accept);
}

#[test]
fn a_wait_moves_the_deadline_and_counts_as_no_time_of_the_task() {
    let mut world = World::new(failing(Role::Executor, 1, ModelFailureKind::Busy, Some(400_000)));
    world.setting.deadline_ms = 60_000;
    world.setting.control.time_budget_ms = 30_000;
    world.submit();
    // The deadline as it stood passes while the task waits.
    world.now = world.now.plus_ms(100_000);
    world.put(TaskInput::Wake);
    assert!(world.results().is_empty());
    wake(&mut world);
    let result = world.result();
    assert_eq!(result.directive, Ending::Accept);
    assert!(result.loss.cost.get() < 0.1, "{:?}", result.loss);
}

#[test]
fn the_budget_ends_the_wait_with_the_reason_and_without_a_lesson() {
    for (asked, budget, words) in [
        (None, 40_000, "for it, and waits 40 s at most"),
        (Some(3_600_000), 600_000, "it asks to wait 3600 s more"),
        (None, 0, "waited 0 s for it"),
    ] {
        let mut world = World::new(failing(Role::Executor, usize::MAX, ModelFailureKind::Busy, asked));
        world.setting.control.model_wait_ms = budget;
        world.submit();
        while world.results().is_empty() {
            wake(&mut world);
        }
        let result = world.result();
        assert_eq!((result.directive, result.reason), (Ending::Abandon, Reason::ModelUnavailable), "{words}");
        let stop = world.envelopes().into_iter().find_map(|envelope| match &envelope.payload {
            Message::TaskCancelled(stop) => Some(stop.detail.clone()),
            _ => None,
        });
        assert!(stop.as_ref().is_some_and(|detail| detail.contains(words)), "{words}: {stop:?}");
        assert!(!world.trace().contains(&"megram_write"), "{:?}", world.trace());
        world.check_stream();
    }
}

#[test]
fn a_model_that_was_never_there_is_not_waited_for_and_one_that_went_is() {
    let mut never = World::new(failing(Role::Perceiver, usize::MAX, ModelFailureKind::Lost, None));
    never.submit();
    assert_eq!(never.result().reason, Reason::ModelUnavailable);
    let mut other = World::new(failing(Role::Executor, usize::MAX, ModelFailureKind::Lost, None));
    other.submit();
    assert_eq!(
        other.result().reason,
        Reason::ModelUnavailable,
        "that the brain answers says nothing of the tool tier"
    );
    let mut gone = World::new(failing(Role::Planner, 2, ModelFailureKind::Lost, None));
    gone.submit();
    assert_eq!(state(&gone), TaskState::WaitingForModel);
    wake(&mut gone);
    wake(&mut gone);
    assert_eq!(gone.result().directive, Ending::Accept);
}

#[test]
fn a_restart_asks_at_once_and_the_pause_is_no_wait() {
    let mut world = World::new(failing(Role::Executor, 2, ModelFailureKind::Busy, Some(500_000)));
    world.submit();
    world.restart();
    let resumed = super::world::resumed();
    world.put(resumed);
    // The second wait would be beyond the budget if the pause of an hour, or the first wait, counted as waited.
    assert_eq!((waits(&world), world.results().len()), (vec![500_000, 500_000], 0));
    wake(&mut world);
    assert_eq!(world.result().directive, Ending::Accept);
    world.check_stream();
}

#[test]
fn a_cancelled_task_waits_no_more() {
    let mut world = World::new(failing(Role::Executor, 1, ModelFailureKind::Busy, None));
    world.submit();
    let calls = world.envelopes().len();
    world
        .put(TaskInput::Stop { cause: artoo_types::task::StopCause::Cancelled, detail: "enough".to_owned() });
    assert_eq!(world.result().reason, Reason::Cancelled);
    world.now = Timestamp(world.now.0 + 3_600_000);
    world.put(TaskInput::Wake);
    assert!(world.envelopes().len() > calls && world.results().len() == 1);
}

/// Fails where the wait for a busy model is no time of a task whose person said how long it may take.
#[test]
fn how_long_a_person_allows_bounds_the_wait_for_the_model() {
    let mut world = World::new(failing(Role::Planner, usize::MAX, ModelFailureKind::Busy, Some(25_000)));
    world.options.deadline_ms = Some(60_000);
    world.setting.deadline_ms = 60_000;
    world.setting.control.model_wait_ms = 600_000;
    let begun = world.now;
    world.submit();
    while world.results().is_empty() {
        wake(&mut world);
        assert!(world.now.since_ms(begun) < 61_000, "{} ms", world.now.since_ms(begun));
    }
    let result = world.result();
    assert_eq!(result.reason, Reason::Deadline);
    assert!(result.summary.contains("60 s passed while the model was waited for"), "{}", result.summary);
}
