use artoo_types::outcome::{JudgedTimes, OutcomeStatus};
use artoo_types::setting::{ControlParams, GradientKind};
use artoo_types::unit::{Cost, Distance, Implausibility};

use super::{Expense, Gradient, cost, distance, implausibility, loss, quality, total};
use crate::reading::{Reading, Round};
use crate::testing::*;

fn read(round: impl Into<Round>) -> Reading {
    Reading::of(&round.into())
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn distance_is_the_worse_of_subtasks_and_task() {
    let subtasks = || vec![matched("a", 3), failed("b", Some(Logical), call("r2", "glob", "", 0))];
    close(distance(&read(replan(subtasks()))).get(), 0.25);
    let task = vec![pass(0, Verifiable), fail(1, Verifiable, Some(Logical))];
    close(distance(&read(replan_with(subtasks(), task))).get(), 0.5);
    let task = vec![pass(0, Verifiable)];
    close(distance(&read(replan_with(subtasks(), task))).get(), 0.25);
}

#[test]
fn a_failed_plausible_criterion_counts_its_share_of_failed_attempts() {
    let verdicts = vec![pass(0, Verifiable), fail(1, Plausible, None)];
    let mut outcome = outcome("a", OutcomeStatus::Failed, verdicts, vec![]);
    outcome.gap_trajectory = vec![gap(1, &[0]), gap(2, &[0, 1]), gap(3, &[1])];
    close(distance(&read(replan(vec![outcome.clone()]))).get(), 2.0 / 3.0 / 2.0);
    outcome.gap_trajectory.clear();
    close(distance(&read(replan(vec![outcome]))).get(), 0.5);
}

#[test]
fn a_failed_plausible_task_criterion_counts_its_share_of_judged_rounds() {
    let mut request = replan_with(vec![matched("a", 1)], vec![fail(0, Plausible, None)]);
    let mut check = |judged, failed, expected| {
        request.task_history = vec![JudgedTimes { judged, failed }];
        close(distance(&read(request.clone())).get(), expected);
    };
    check(4, 1, 0.25);
    check(0, 0, 1.0);
    check(2, 9, 1.0);
}

#[test]
fn what_never_ran_does_not_count_and_nothing_evaluated_is_far() {
    close(distance(&read(replan(vec![matched("a", 1), not_run("b")]))).get(), 0.0);
    close(distance(&read(replan(vec![not_run("b")]))).get(), 1.0);
    close(distance(&read(replan(vec![]))).get(), 1.0);
    close(distance(&read(replan(vec![matched("a", 2), unjudged("b", 6)]))).get(), 0.75);
}

#[test]
fn implausibility_is_the_logical_share_of_what_was_classified() {
    let check = |classes: &[Option<_>], expected| {
        let verdicts = classes.iter().enumerate().map(|(i, c)| fail(i, Verifiable, *c)).collect();
        let reading = read(replan(vec![outcome("a", OutcomeStatus::Failed, verdicts, vec![])]));
        close(implausibility(&reading).get(), expected);
    };
    check(&[Some(Logical), Some(Logical), Some(Environmental), None], 2.0 / 3.0);
    check(&[Some(Environmental), None], 0.0);
    check(&[Some(Logical), None, None], 1.0);
    check(&[None, None], 0.5);
    close(implausibility(&read(replan(vec![matched("a", 1)]))).get(), 0.0);
    let task = vec![fail(0, Verifiable, Some(Logical))];
    let reading = read(replan_with(vec![failed("a", Some(Environmental), call("r1", "glob", "", 1))], task));
    close(implausibility(&reading).get(), 0.5);
}

#[test]
fn cost_adds_two_clamped_terms() {
    let params = by_the_table();
    let check = |directives, elapsed_ms, expected| {
        close(cost(&params, None, Expense { directives, elapsed_ms, tokens: 9 }).get(), expected);
    };
    check(0, 0, 0.0);
    check(1, 150_000, 0.4);
    check(3, 0, 0.6);
    check(3, 900_000, 1.0);
    check(9, 0, 0.6);
    let none = ControlParams { max_replans: 0, ..params };
    close(cost(&none, None, Expense { directives: 5, elapsed_ms: 75_000, tokens: 0 }).get(), 0.1);
}

#[test]
fn tokens_cost_what_time_costs_whichever_is_more() {
    let params = by_the_table();
    let check = |tokens, most, expected| {
        close(cost(&params, most, Expense { directives: 0, elapsed_ms: 75_000, tokens }).get(), expected);
    };
    check(900, Some(1_000), 0.36);
    check(100, Some(1_000), 0.1);
    check(5_000, Some(1_000), 0.4);
    check(5_000, None, 0.1);
    check(0, Some(0), 0.4);
    let timeless = ControlParams { time_budget_ms: 0, ..params };
    close(cost(&timeless, None, Expense::default()).get(), 0.4);
}

#[test]
fn loss_weighs_the_process_less_as_the_budget_shrinks() {
    let params = by_the_table();
    let figures = |d, p, c| (Distance::clamped(d), Implausibility::clamped(p), Cost::clamped(c));
    let (d, p, c) = figures(0.5, 1.0, 0.25);
    close(total(&params, d, p, c), 0.3 + 0.3 * 0.75 + 0.1);
    close(quality(&params, &loss(&params, d, p, c)), 0.6);
    let (d, p, c) = figures(0.5, 1.0, 1.0);
    close(total(&params, d, p, c), 0.7);
}

#[test]
fn the_first_round_has_no_gradient_and_time_moves_only_the_literal_one() {
    let params = by_the_table();
    let at = |c| loss(&params, Distance::ONE, Implausibility::ZERO, Cost::clamped(c));
    assert_eq!(Gradient::between(&params, None, &at(0.3)), Gradient::default());
    let gradient = Gradient::between(&params, Some(&at(0.1)), &at(0.6));
    close(gradient.literal, 0.2);
    close(gradient.quality, 0.0);
    close(gradient.deciding(GradientKind::Quality), 0.0);
    close(gradient.deciding(GradientKind::Full), 0.2);
}
