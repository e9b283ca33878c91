//! The last question of a task that is given up: when it is asked, and that there is one end whatever becomes of it.

use artoo_types::control::{FinalResult, Reason};
use artoo_types::envelope::Role;
use artoo_types::farewell::{Farewell, FarewellRequest, FoundLine};
use artoo_types::outcome::{Denial, OutcomeStatus};
use artoo_types::plan::NoPlan;
use artoo_types::setting::ControlParams;
use artoo_types::task::StopCause;
use artoo_types::usage::{RoleUsage, TaskUsage};
use artoo_types::{EvidenceId, Timestamp};

use super::super::{Effect, Input, Solver, Spending};
use super::{bad_of_four, blocked_at, fell_short, finish, no_plan, stop};
use crate::testing::*;

fn no_replans() -> ControlParams {
    ControlParams { max_replans: 0, ..by_the_table() }
}

fn step(solver: &mut Solver, now: i64, input: Input) -> Vec<Effect> {
    solver.step(Timestamp(now), Spending::default(), input)
}

fn asked(effects: &[Effect]) -> Option<&FarewellRequest> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskFarewell(request) => Some(request),
        Effect::Direct(_) | Effect::Remember(_) | Effect::Finish(_) => None,
    })
}

/// A controller that waits for last words.
fn parting() -> Solver {
    let mut solver = solver_with(no_replans());
    let effects = step(&mut solver, 1_000, blocked_at("/x"));
    assert!(asked(&effects).is_some() && effects.len() == 1, "{effects:?}");
    assert!(!solver.finished());
    solver
}

fn words() -> Input {
    Input::Farewell(Farewell {
        found: vec![FoundLine { text: "There are two.".to_owned(), cites: EvidenceId("r1".to_owned()) }],
        next_moves: vec!["Name the file.".to_owned()],
        ..Farewell::silent(task_id(), None)
    })
}

/// The result of this one input, after which nothing comes.
fn ends_with(solver: &mut Solver, input: Input) -> (FinalResult, usize) {
    let effects = step(solver, 2_000, input);
    let result = finish(&effects).clone();
    assert!(solver.finished());
    for late in [words(), stop(StopCause::Cancelled), blocked_at("/y")] {
        assert!(step(solver, 3_000, late).is_empty(), "one result");
    }
    (result, effects.len() - 1)
}

#[test]
fn last_words_complete_the_result() {
    let (result, memories) = ends_with(&mut parting(), words());
    assert_eq!((result.reason, memories), (Reason::ReplansExhausted, 1));
    assert!(result.summary.starts_with("Stopped: 0 of 0 replans were not enough."), "{}", result.summary);
    assert!(result.summary.ends_with("There are two. [r1]"), "{}", result.summary);
    let show = format!("Look at the evidence: artoo show {}", task_id());
    assert_eq!(result.next_moves, ["Name the file.".to_owned(), show]);
}

#[test]
fn how_to_allow_what_was_refused_is_told_whoever_says_the_rest() {
    let denied = |ran: bool| {
        let verdicts = vec![fail(0, Verifiable, None)];
        let looked = if ran { vec![call("r1", "read_file", "/x", 0)] } else { Vec::new() };
        let mut step = outcome("sum", OutcomeStatus::Failed, verdicts, looked);
        step.denied = Some(Denial::Refused);
        fell_short(vec![step])
    };
    let mut solver = solver();
    assert!(asked(&step(&mut solver, 1_000, denied(true))).is_some());
    let (result, _) = ends_with(&mut solver, words());
    assert_eq!((result.reason, result.next_moves.len()), (Reason::Refused, 3), "{:?}", result.next_moves);
    assert!(result.next_moves[0].contains("confirm the action") && result.next_moves[1] == "Name the file.");
    // Where nothing ran but what was refused there is nothing to say.
    assert!(asked(&step(&mut crate::testing::solver(), 1_000, denied(false))).is_none());
}

#[test]
fn without_last_words_the_words_of_code_stand() {
    let silent = Input::Farewell(Farewell::silent(task_id(), Some("it says nothing".to_owned())));
    let (template, memories) = ends_with(&mut parting(), silent);
    assert_eq!((template.reason, memories), (Reason::ReplansExhausted, 1));
    assert!(template.next_moves.len() > 1 && !template.summary.contains("[r1]"), "{template:?}");
    for cause in
        [StopCause::Deadline, StopCause::TokenCeiling, StopCause::CostCeiling, StopCause::ModelUnavailable]
    {
        let (stopped, memories) = ends_with(&mut parting(), stop(cause));
        assert_eq!((&stopped, memories), (&template, 1), "the end was decided before: {cause:?}");
    }
}

#[test]
fn who_cancels_meanwhile_has_cancelled() {
    let (result, memories) = ends_with(&mut parting(), stop(StopCause::Cancelled));
    assert_eq!((result.reason, memories), (Reason::Cancelled, 0), "a cancelled task teaches nothing");
}

#[test]
fn what_comes_late_changes_nothing() {
    let mut solver = parting();
    for late in [blocked_at("/y"), no_plan(NoPlan::ModelUnavailable), Input::Spec(spec())] {
        assert!(step(&mut solver, 1_500, late).is_empty());
    }
    assert_eq!(ends_with(&mut solver, words()).0.reason, Reason::ReplansExhausted);
}

#[test]
fn nobody_asks_where_nothing_can_be_said() {
    let silent_end = |effects: Vec<Effect>, reason| {
        assert!(asked(&effects).is_none(), "{effects:?}");
        assert_eq!(finish(&effects).reason, reason);
    };
    // Nothing ran.
    silent_end(step(&mut solver_with(no_replans()), 1, fell_short(bad_of_four(1))), Reason::ReplansExhausted);
    silent_end(step(&mut solver_with(no_replans()), 1, no_plan(NoPlan::CannotPlan)), Reason::CannotPlan);
    // The time until the hard deadline, which is 600 s here, is too short.
    let late = step(&mut solver_with(no_replans()), 596_000, blocked_at("/x"));
    silent_end(late, Reason::ReplansExhausted);
    // The tokens are gone.
    let mut setting = setting(no_replans());
    setting.max_tokens = Some(1_000);
    let mut poor = Solver::new(task_id(), &setting, "/home/u/wd", Timestamp(0));
    let mut usage = TaskUsage::default();
    usage.roles.insert(Role::Planner, RoleUsage { prompt_tokens: 1_000, ..RoleUsage::default() });
    let spent = Spending { usage, ..Spending::default() };
    assert!(asked(&poor.step(Timestamp(1), spent, blocked_at("/x"))).is_none());
    assert!(poor.finished());
    // No model answers, or somebody stops it.
    let tried = || {
        let mut solver = solver();
        step(&mut solver, 1, blocked_at("/x"));
        solver
    };
    silent_end(step(&mut tried(), 2, no_plan(NoPlan::ModelUnavailable)), Reason::ModelUnavailable);
    for (cause, reason) in [
        (StopCause::Cancelled, Reason::Cancelled),
        (StopCause::Deadline, Reason::Deadline),
        (StopCause::TokenCeiling, Reason::BudgetExhausted),
        (StopCause::ModelUnavailable, Reason::ModelUnavailable),
        (StopCause::Interrupted, Reason::Interrupted),
    ] {
        silent_end(step(&mut tried(), 2, stop(cause)), reason);
    }
    // After that, the same controller would have been asked.
    assert!(asked(&step(&mut tried(), 2, no_plan(NoPlan::CannotPlan))).is_some());
}
