//! What the belief makes of a round, in the controller.

use artoo_types::belief::StepAxis;
use artoo_types::control::Reason;
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::outcome::{GapPoint, SubTaskOutcome};
use artoo_types::plan::BlockedTarget;
use artoo_types::setting::{BELIEF_TABLES, ControlParams, Law, Steering};

use super::super::{Effect, Solver};
use super::{direct, fell_short};
use crate::testing::*;

/// A controller that goes by the belief, to which a success is worth this many calls.
fn believer(worth: f64) -> Solver {
    solver_with(ControlParams {
        steering: Steering { law: Law::Belief, worth, ..Steering::default() },
        ..by_the_table()
    })
}

#[test]
fn by_the_belief_each_failed_step_has_its_word_beside_the_cell() {
    let mut believer = believer(60.0);
    let outcomes = vec![
        failed("now", Some(Logical), call("r1", "shell:awk", "/x", 0)),
        matched("before", 1),
        not_run("later"),
    ];
    let effects = at(&mut believer, 1, fell_short(outcomes.clone()));
    let directive = direct(&effects);
    let told: Vec<_> = directive.grounds.steps.iter().map(|step| step.subtask).collect();
    assert_eq!(told, [outcomes[0].subtask_id]);
    let by_the_table = at(&mut solver(), 1, fell_short(outcomes));
    assert!(direct(&by_the_table).grounds.steps.is_empty());
}

#[test]
fn a_round_that_is_not_worth_what_it_costs_is_not_run() {
    let round = || vec![failed("now", Some(Logical), call("r1", "shell:awk", "/x", 0))];
    assert_eq!(direct(&at(&mut believer(60.0), 1, fell_short(round()))).replan, 1);
    let effects = at(&mut believer(0.0), 1, fell_short(round()));
    let result = match effects.last() {
        Some(Effect::AskFarewell(request)) => request.reason,
        Some(Effect::Finish(result)) => result.reason,
        other => panic!("expected an end, not {other:?}"),
    };
    assert_eq!(result, Reason::NotWorthIt);
}

#[test]
fn by_the_belief_a_spent_budget_presses_and_ends_nothing() {
    let late = 290_000;
    let round = || fell_short(vec![failed("now", Some(Logical), call("r1", "shell:awk", "/x", 0))]);
    let mut solver = believer(1_000.0);
    for n in 0..3 {
        assert_eq!(direct(&at(&mut solver, late, round())).replan, n + 1);
    }
    assert!(solver.history.trajectory.iter().any(|point| point.loss.cost.get() > 0.7));
}

/// A read that found nothing, of a file that only the planner thought of.
fn absent(intent: &str, path: &str) -> SubTaskOutcome {
    let read = Receipt { effect: EffectClass::Read, ..call("r1", "read_file", path, 1) };
    let mut absent = failed(intent, Some(Environmental), read);
    absent.gap_trajectory = vec![GapPoint { failure_class: Some(Environmental), ..gap(1, &[0]) }];
    absent
}

#[test]
fn where_another_input_is_advised_the_call_that_failed_is_not_made_again() {
    let blocked = |tables: u32| {
        let control = believer(60.0).params;
        let mut solver =
            solver_with(ControlParams { steering: Steering { tables, ..control.steering }, ..control });
        let effects = at(&mut solver, 1, fell_short(vec![absent("read", "/guess/old.txt")]));
        let directive = direct(&effects).clone();
        let told = directive.grounds.steps[0].clone();
        assert_eq!((told.axis, told.enforced), (StepAxis::Target, false), "{told:?}");
        directive.blocked_targets
    };
    let pair = BlockedTarget { class: "read_file".into(), target: "/guess/old.txt".into() };
    assert_eq!(blocked(BELIEF_TABLES), [pair]);
    assert_eq!(blocked(2), [], "a task of an earlier build goes on as it began");
}
