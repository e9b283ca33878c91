//! The deferred credit of `break_symmetry`, and where memories come from.

use artoo_types::Timestamp;
use artoo_types::control::Directive;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::task::StopCause;

use super::super::{Effect, Input, Spending};
use super::{blocked_at, direct, fell_short, remembered, stop};
use crate::testing::*;
use artoo_types::taint::Taint;

/// A round that broke symmetry, then a round that uses `/x` again and `/new` for the first time.
fn after_symmetry_break(second: Input) -> Vec<Effect> {
    let mut solver = solver();
    let first = vec![failed("sum", Some(Logical), call("r1", "glob", "/x", 0))];
    assert_eq!(direct(&at(&mut solver, 1, fell_short(first))).directive, Directive::BreakSymmetry);
    at(&mut solver, 2, second)
}

fn second_round(new_passes: bool) -> Vec<SubTaskOutcome> {
    let (old, new) = (call("r2", "glob", "/x", 0), call("r3", "search", "/new", 0));
    let verdict = citing(fail(1, Verifiable, Some(Logical)), "r2");
    let first = if new_passes { pass(0, Verifiable) } else { fail(0, Verifiable, Some(Logical)) };
    vec![outcome("sum", OutcomeStatus::Failed, vec![first, verdict], vec![old, new])]
}

#[test]
fn praise_for_breaking_symmetry_waits_for_the_distance_to_fall() {
    let fell = after_symmetry_break(fell_short(second_round(true)));
    remembered(&fell, &[("break_symmetry", "path:/new"), ("change_approach", "path:/x")]);
    let did_not = after_symmetry_break(fell_short(second_round(false)));
    remembered(&did_not, &[]);
    remembered(&after_symmetry_break(stop(StopCause::Cancelled)), &[]);

    let mut well = matched("sum", 1);
    well.receipts = vec![call("r2", "glob", "/x", 0), call("r3", "search", "/new", 0)];
    let accepted = after_symmetry_break(Input::Summary(summary(vec![well], vec![])));
    remembered(&accepted, &[("break_symmetry", "path:/new"), ("accept", "env:local")]);
}

#[test]
fn praise_is_also_due_when_the_task_ends_well_at_the_same_distance() {
    let one_of_four = |last, receipt| {
        let verdicts = vec![pass(0, Verifiable), pass(1, Verifiable), pass(2, Verifiable), last];
        fell_short(vec![outcome("sum", OutcomeStatus::Failed, verdicts, vec![receipt])])
    };
    let mut solver = solver();
    let wrong = fail(3, Verifiable, Some(Logical));
    direct(&at(&mut solver, 1, one_of_four(wrong, call("r9", "glob", "/x", 0))));
    // The call that the verdict cites is to blame; the new one is not.
    let tolerable = citing(fail(3, Plausible, None), "r9");
    let mut second = one_of_four(tolerable, call("r9", "glob", "/x", 0));
    if let Input::Replan(request) = &mut second {
        request.outcomes[0].receipts.push(call("r3", "search", "/new", 0));
    }
    let effects = at(&mut solver, 2, second);
    remembered(&effects, &[("break_symmetry", "path:/new"), ("success", "env:local")]);
}

#[test]
fn a_new_call_that_failed_is_not_praised_for_the_fall() {
    let verdicts = vec![pass(0, Verifiable), citing(fail(1, Verifiable, Some(Logical)), "r3")];
    let outcomes =
        vec![outcome("sum", OutcomeStatus::Failed, verdicts, vec![call("r3", "search", "/new", 0)])];
    let effects = after_symmetry_break(fell_short(outcomes));
    remembered(&effects, &[("change_approach", "path:/new")]);
}

#[test]
fn memories_of_a_task_that_saw_untrusted_input_say_so() {
    for tainted in [true, false] {
        let spent = Spending { taint: Taint { untrusted: tainted, ..Taint::NONE }, ..Spending::default() };
        let effects = solver().step(Timestamp(7), spent, blocked_at("/x"));
        let Some(Effect::Remember(write)) = effects.first() else { panic!("a dead end is remembered") };
        assert_eq!((write.megram.tainted, write.megram.created_at), (tainted, Timestamp(7)));
    }
}
