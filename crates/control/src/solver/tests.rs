use artoo_types::control::{
    Directive, Ending, FinalResult, MacroState, PlanDirective, Reason, RoundFailure, Urgency,
};
use artoo_types::envelope::Role;
use artoo_types::outcome::{Denial, OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{DispatchManifest, NoPlan, PlanDraftRejected, UncoveredPart};
use artoo_types::setting::{ControlParams, GradientKind, Law, Steering};
use artoo_types::taint::Taint;
use artoo_types::task::{StopCause, TaskCancelled};
use artoo_types::usage::{RoleUsage, TaskUsage};
use artoo_types::{Timestamp, unit::Cost};
use serde_json::Value;

use super::{Effect, Input, Solver, Spending};
use crate::testing::*;

mod believing;
mod laws;
mod parting;
mod praise;
mod second;

/// The directive of a step that must have one.
fn direct(effects: &[Effect]) -> &PlanDirective {
    match effects.last() {
        Some(Effect::Direct(directive)) => directive,
        other => panic!("expected a directive, not {other:?}"),
    }
}

/// The result of a step that must have one.
fn finish(effects: &[Effect]) -> &FinalResult {
    match effects.last() {
        Some(Effect::Finish(result)) => result,
        other => panic!("expected a result, not {other:?}"),
    }
}

/// States and entities of what is remembered.
fn memories(effects: &[Effect]) -> Vec<(String, String)> {
    let memory = |effect: &Effect| match effect {
        Effect::Remember(write) => Some((write.megram.state.clone(), write.megram.tag.entity.clone())),
        Effect::Direct(_) | Effect::AskFarewell(_) | Effect::Finish(_) => None,
    };
    effects.iter().filter_map(memory).collect()
}

fn remembered(effects: &[Effect], expected: &[(&str, &str)]) {
    let memories = memories(effects);
    let memories: Vec<_> = memories.iter().map(|(s, e)| (s.as_str(), e.as_str())).collect();
    assert_eq!(memories, expected);
}

fn fell_short(outcomes: Vec<SubTaskOutcome>) -> Input {
    Input::Replan(replan(outcomes))
}

/// A round that failed environmentally at `target`.
fn blocked_at(target: &str) -> Input {
    fell_short(vec![failed("sum", Some(Environmental), call("r1", "read_file", target, 1))])
}

/// A round of one subtask of which `bad` of four criteria failed environmentally.
fn bad_of_four(bad: usize) -> Vec<SubTaskOutcome> {
    let verdict = |i| if i < bad { fail(i, Verifiable, Some(Environmental)) } else { pass(i, Verifiable) };
    vec![outcome("sum", OutcomeStatus::Failed, (0..4).map(verdict).collect(), vec![])]
}

fn stop(cause: StopCause) -> Input {
    Input::Stop(TaskCancelled { cause, detail: "said so".into() })
}

fn no_plan(outcome: NoPlan) -> Input {
    let reasons = vec!["no criteria".into()];
    Input::NoPlan(PlanDraftRejected {
        task_id: task_id(),
        attempt: 1,
        outcome,
        reasons,
        decline: None,
        uncovered: Vec::new(),
        memories: Vec::new(),
    })
}

#[test]
fn everything_met_is_accepted_and_remembered_and_then_nothing_comes() {
    let mut solver = solver();
    let effects =
        at(&mut solver, 9, Input::Summary(summary(vec![matched("sum", 2)], vec![pass(0, Verifiable)])));
    remembered(&effects, &[("accept", "env:local")]);
    let result = finish(&effects);
    assert_eq!((result.directive, result.reason), (Ending::Accept, Reason::CriteriaMet));
    assert_eq!(result.output, Value::String("the answer".into()));
    assert_eq!(result.marks.not_in_receipts, ["1250.00"]);
    assert!(result.unmet.is_empty() && !result.marks.partial && solver.finished());
    assert_eq!(result.trajectory.len(), 1);
    for input in
        [stop(StopCause::Cancelled), blocked_at("/x"), Input::Spec(spec()), no_plan(NoPlan::Declined)]
    {
        assert!(at(&mut solver, 10, input).is_empty());
    }
}

#[test]
fn accept_comes_before_every_budget() {
    let mut solver = solver();
    let effects = at(&mut solver, 90_000_000, Input::Summary(summary(vec![matched("sum", 1)], vec![])));
    assert_eq!(finish(&effects).reason, Reason::CriteriaMet);
}

#[test]
fn a_claim_without_evidence_is_not_believed() {
    let mut claim = summary(vec![matched("sum", 1)], vec![pass(0, Verifiable)]);
    claim.task_verdicts[0].cites = None;
    let effects = at(&mut solver(), 9, Input::Summary(claim));
    let directive = direct(&effects);
    assert_eq!(directive.directive, Directive::ChangePath);
    assert_eq!(directive.loss.distance.get(), 0.0);
    assert!(directive.grounds.rationale.contains("without proof"));

    let mut silent = summary(vec![matched("sum", 1)], vec![pass(0, Verifiable)]);
    silent.task_verdicts.clear();
    direct(&at(&mut solver(), 9, Input::Summary(silent)));
    let mut unmatched = summary(vec![matched("sum", 1)], vec![]);
    unmatched.outcomes.push(not_run("rest"));
    direct(&at(&mut solver(), 9, Input::Summary(unmatched)));
}

#[test]
fn a_small_plausible_gap_is_success_and_is_named() {
    let verdicts =
        vec![pass(0, Verifiable), pass(1, Verifiable), pass(2, Verifiable), fail(3, Plausible, None)];
    let outcomes = vec![outcome("sum", OutcomeStatus::Failed, verdicts, vec![])];
    let effects = at(&mut solver(), 9, fell_short(outcomes));
    remembered(&effects, &[("success", "env:local")]);
    let result = finish(&effects);
    assert_eq!((result.directive, result.reason), (Ending::Success, Reason::WithinTolerance));
    assert_eq!(result.unmet.len(), 1);
    assert_eq!(result.output, Value::String("some lines".into()));
    assert!(!result.marks.partial && result.summary.contains("criterion 3"));
}

#[test]
fn what_no_plan_covers_is_not_accepted_and_teaches_nothing() {
    let left_out = [UncoveredPart::Action("send a mail to bob".into()), UncoveredPart::File("b.txt".into())];
    for ends in [
        Input::Summary(summary(vec![matched("sum", 2)], vec![pass(0, Verifiable)])),
        fell_short(vec![outcome(
            "sum",
            OutcomeStatus::Failed,
            [pass(0, Verifiable), pass(1, Verifiable), pass(2, Verifiable), fail(3, Plausible, None)].into(),
            vec![],
        )]),
    ] {
        let mut solver = solver();
        let plan = DispatchManifest { uncovered: left_out.to_vec(), ..manifest(0, &[]) };
        assert!(at(&mut solver, 1, Input::Manifest(plan)).is_empty());
        let effects = at(&mut solver, 9, ends);
        remembered(&effects, &[]);
        let result = finish(&effects);
        assert_eq!((result.directive, result.reason), (Ending::Abandon, Reason::CannotPlan));
        assert!(result.marks.partial && !result.output.is_null(), "what was done is delivered");
        let unmet: Vec<&str> = result.unmet.iter().map(|u| u.criterion.as_str()).collect();
        assert!(unmet.ends_with(&["send a mail to bob", "b.txt"]), "{unmet:?}");
        assert!(result.summary.contains("Not done") && result.summary.contains("send a mail to bob"));
        assert!(
            !result.summary.contains("All is well"),
            "no model's words about a whole: {}",
            result.summary
        );
    }
}

#[test]
fn what_the_last_draft_left_out_is_unmet_when_there_is_no_plan() {
    let mut solver = solver();
    let Input::NoPlan(mut rejected) = no_plan(NoPlan::CannotPlan) else { panic!() };
    rejected.uncovered = vec![UncoveredPart::Action("delete the logs".into())];
    let result = finish(&at(&mut solver, 9, Input::NoPlan(rejected))).clone();
    assert_eq!(result.reason, Reason::CannotPlan);
    assert_eq!(result.unmet.iter().map(|u| u.criterion.as_str()).collect::<Vec<_>>(), ["delete the logs"]);
}

#[test]
fn a_small_verifiable_gap_is_not_success() {
    let effects = at(&mut solver(), 9, fell_short(bad_of_four(1)));
    assert_eq!(direct(&effects).loss.distance.get(), 0.25);
}

#[test]
fn an_answer_without_tools_ends_the_task_and_teaches_nothing() {
    let mut solver = Solver::new(task_id(), &setting(by_the_table()), "/home/u/wd", Timestamp(0));
    let mut spec = spec();
    spec.direct_answer = Some("I am artoo.".into());
    let effects = at(&mut solver, 5, Input::Spec(spec));
    assert_eq!(effects.len(), 1);
    let result = finish(&effects);
    assert_eq!((result.directive, result.reason), (Ending::Accept, Reason::Answered));
    assert_eq!((result.output.as_str(), result.summary.as_str()), (Some("I am artoo."), "I am artoo."));
    assert_eq!(result.prev_directive, MacroState::Init);
}

#[test]
fn the_first_round_has_no_gradient_and_blocks_accumulate() {
    let mut solver = solver();
    let first = at(&mut solver, 10, blocked_at("/guess/1"));
    remembered(&first, &[("change_path", "path:/guess/1")]);
    let first = direct(&first);
    assert_eq!((first.grad_l, first.grad_q, first.replan), (0.0, 0.0, 1));
    assert_eq!((first.prev_directive, first.urgency), (MacroState::Init, Urgency::Steady));
    let second = at(&mut solver, 20, blocked_at("/guess/2"));
    let second = direct(&second);
    assert_eq!(second.prev_directive, MacroState::ChangePath);
    let targets: Vec<_> = second.blocked_targets.iter().map(|b| b.target.as_str()).collect();
    assert_eq!(targets, ["/guess/1", "/guess/2"]);
    let named = at(&mut solver, 30, blocked_at("/home/u/wd/budget.csv"));
    assert_eq!(direct(&named).blocked_targets.len(), 2);
    assert_eq!(direct(&named).failed_before[0].target, "/home/u/wd/budget.csv");
}

#[test]
fn symmetry_breaks_with_the_classes_of_all_rounds_and_approach_changes_with_this_rounds() {
    let logical = |class: &str| fell_short(vec![failed("sum", Some(Logical), call("r1", class, "/x", 0))]);
    let mut solver = solver();
    let first = at(&mut solver, 10, logical("shell:perl"));
    assert_eq!(direct(&first).directive, Directive::BreakSymmetry);
    remembered(&first, &[]);
    let second = at(&mut solver, 20, logical("shell:python3"));
    let classes: Vec<_> = direct(&second).blocked_tools.iter().map(|b| b.class.as_str()).collect();
    assert_eq!(classes, ["shell:python3", "shell:perl"]);
    assert_eq!(direct(&second).tried_classes, ["shell:perl", "shell:python3"]);

    // Half of it passes now: signal.
    let verdicts = vec![pass(0, Verifiable), citing(fail(1, Verifiable, Some(Logical)), "r1")];
    let half = outcome("sum", OutcomeStatus::Failed, verdicts, vec![call("r1", "shell:awk", "/x", 0)]);
    let third = at(&mut solver, 30, fell_short(vec![half]));
    let directive = direct(&third);
    assert_eq!((directive.directive, directive.urgency), (Directive::ChangeApproach, Urgency::Improving));
    let classes: Vec<_> = directive.blocked_tools.iter().map(|b| b.class.as_str()).collect();
    assert_eq!(classes, ["shell:awk"]);
}

#[test]
fn two_worsening_rounds_end_the_task_unless_something_newly_matched() {
    let run = |third: Vec<SubTaskOutcome>| {
        let mut solver = solver();
        direct(&at(&mut solver, 10, fell_short(bad_of_four(1))));
        let second = at(&mut solver, 20, fell_short(bad_of_four(2)));
        assert_eq!(direct(&second).urgency, Urgency::Worsening);
        at(&mut solver, 30, fell_short(third))
    };
    let worse = run(bad_of_four(4));
    assert_eq!(finish(&worse).reason, Reason::Diverging);
    remembered(&worse, &[("abandon", "env:local")]);

    let mut progress = bad_of_four(4);
    progress.push(matched("list", 1));
    let progress = run(progress);
    assert!(direct(&progress).grad_q > 0.1);
    assert_eq!(direct(&progress).urgency, Urgency::Steady);
    // A steady round in between starts the count again.
    direct(&run(bad_of_four(2)));
}

#[test]
fn what_matched_before_is_not_new() {
    let mut solver = solver();
    let with_match = |bad| {
        let mut outcomes = bad_of_four(bad);
        outcomes.push(matched("LIST  it", 1));
        fell_short(outcomes)
    };
    direct(&at(&mut solver, 10, with_match(1)));
    direct(&at(&mut solver, 20, with_match(2)));
    assert_eq!(finish(&at(&mut solver, 30, with_match(4))).reason, Reason::Diverging);
}

#[test]
fn passing_time_diverges_only_under_the_full_gradient() {
    let run = |gradient| {
        let mut solver = solver_with(ControlParams {
            steering: Steering { gradient, law: Law::Table, ..Steering::default() },
            ..by_the_table()
        });
        let mut last = Vec::new();
        for round in 1..4 {
            last = at(&mut solver, round * 80_000, fell_short(bad_of_four(2)));
        }
        last
    };
    assert_eq!(direct(&run(GradientKind::Quality)).grad_q, 0.0);
    assert_eq!(finish(&run(GradientKind::Full)).reason, Reason::Diverging);
}

#[test]
fn replans_and_time_run_out() {
    let mut solver = solver();
    for i in 1..=3 {
        assert_eq!(direct(&at(&mut solver, i, blocked_at("/x"))).replan, u32::try_from(i).unwrap_or(0));
    }
    let effects = at(&mut solver, 4, blocked_at("/x"));
    let result = finish(&effects);
    assert_eq!((result.reason, result.replans), (Reason::ReplansExhausted, 3));
    assert_eq!(result.prev_directive, MacroState::ChangePath);
    assert!(result.marks.partial && result.trajectory.len() == 4);

    let mut none = solver_with(ControlParams { max_replans: 0, ..by_the_table() });
    assert_eq!(finish(&at(&mut none, 4, blocked_at("/x"))).reason, Reason::ReplansExhausted);

    let mut slow = self::solver();
    direct(&at(&mut slow, 1, blocked_at("/x")));
    direct(&at(&mut slow, 2, blocked_at("/x")));
    let effects = at(&mut slow, 300_000, blocked_at("/x"));
    assert_eq!(finish(&effects).reason, Reason::BudgetExhausted);
    remembered(&effects, &[("abandon", "env:local")]);
}

#[test]
fn waits_for_a_person_cost_nothing_and_tokens_do() {
    let cost = |waited_ms, tokens, max_tokens| {
        let mut setting = setting(by_the_table());
        setting.max_tokens = max_tokens;
        let mut solver = Solver::new(task_id(), &setting, "/home/u/wd", Timestamp(1_000));
        let mut usage = TaskUsage::default();
        usage.roles.insert(Role::Planner, RoleUsage { prompt_tokens: tokens, ..RoleUsage::default() });
        let spent = Spending { waited_ms, usage, taint: Taint::NONE };
        direct(&solver.step(Timestamp(151_000), spent, blocked_at("/x"))).loss.cost
    };
    assert_eq!(cost(0, 0, None), Cost::clamped(0.2));
    assert_eq!(cost(75_000, 0, None), Cost::clamped(0.1));
    assert_eq!(cost(900_000, 0, None), Cost::ZERO);
    assert_eq!(cost(0, 750, Some(1_000)), Cost::clamped(0.4 * 0.75));
}

#[test]
fn a_stop_says_its_cause_and_delivers_what_matched() {
    let cases = [
        (StopCause::Cancelled, Reason::Cancelled, false),
        (StopCause::Deadline, Reason::Deadline, false),
        (StopCause::TokenCeiling, Reason::BudgetExhausted, true),
        (StopCause::CostCeiling, Reason::CostExhausted, false),
        (StopCause::Interrupted, Reason::Interrupted, false),
        (StopCause::Internal, Reason::Internal, false),
    ];
    for (cause, reason, teaches) in cases {
        let mut solver = solver();
        at(&mut solver, 1, blocked_at("/x"));
        at(&mut solver, 2, Input::Manifest(manifest(1, &bad_of_four(1))));
        let effects = at(&mut solver, 3, stop(cause));
        assert_eq!(memories(&effects).len(), usize::from(teaches), "{cause:?}");
        let result = finish(&effects);
        assert_eq!((result.directive, result.reason), (Ending::Abandon, reason));
        assert_eq!(result.output, Value::String("some lines".into()));
        assert_eq!(result.loss.distance.get(), 1.0);
        assert_eq!(result.marks.not_in_receipts, ["77"], "what is said beside the output goes with it");
        assert!(result.marks.partial && result.summary.contains("said so"));
        // One task criterion and four of the running plan.
        assert_eq!(result.unmet.len(), 5);
        assert!(result.unmet.iter().all(|u| !u.evaluated));
    }
}

#[test]
fn a_stop_counts_and_lists_what_the_running_plan_has_done() {
    let mut solver = solver();
    let done = matched("find", 1);
    let plan = [done.clone(), failed("sum", None, call("r2", "shell:awk", "/x", 0))];
    at(&mut solver, 1, Input::Manifest(manifest(0, &plan)));
    at(&mut solver, 2, Input::Outcome(done));
    let effects = at(&mut solver, 3, stop(StopCause::Deadline));
    let result = finish(&effects);
    assert_eq!(result.tried, ["glob"]);
    // One of the step that ended; the other step and the task are open.
    assert!(result.summary.contains("1 of 3 criteria met"), "{}", result.summary);
    assert_eq!(result.unmet.len(), 2);
}

#[test]
fn what_nobody_is_to_blame_for_blocks_nothing_and_teaches_nothing() {
    let mut solver = solver();
    let limit = || fell_short(vec![unjudged("sum", 1)]);
    for round in 1..=3 {
        let effects = at(&mut solver, round, limit());
        let directive = direct(&effects);
        assert_eq!(directive.failure_class, RoundFailure::Neither);
        assert!(directive.blocked_tools.is_empty() && directive.blocked_targets.is_empty());
        assert!(
            !directive.grounds.rationale.contains("approach is wrong"),
            "{}",
            directive.grounds.rationale
        );
        remembered(&effects, &[]);
    }
    let end = at(&mut solver, 4, limit());
    assert_eq!(finish(&end).reason, Reason::ReplansExhausted);
    remembered(&end, &[]);
}

#[test]
fn a_stop_between_plans_lists_what_the_last_round_left_open() {
    let mut solver = solver();
    at(&mut solver, 1, Input::Manifest(manifest(0, &bad_of_four(4))));
    at(&mut solver, 2, fell_short(bad_of_four(2)));
    let effects = at(&mut solver, 3, stop(StopCause::Cancelled));
    let unmet = &finish(&effects).unmet;
    assert_eq!(unmet.len(), 2);
    assert!(unmet.iter().all(|u| u.evaluated));
}

#[test]
fn a_stop_before_the_first_round_is_far_from_the_goal() {
    let mut solver = Solver::new(task_id(), &setting(by_the_table()), "/home/u/wd", Timestamp(0));
    let effects = at(&mut solver, 75_000, stop(StopCause::TokenCeiling));
    remembered(&effects, &[]);
    let result = finish(&effects);
    assert_eq!((result.loss.distance.get(), result.loss.cost.get()), (1.0, 0.1));
    assert!(!result.marks.partial && result.output.is_null() && result.trajectory.is_empty());
    assert!(!result.next_moves.is_empty());
}

#[test]
fn the_end_of_planning_ends_the_task_but_a_draft_sent_back_does_not() {
    assert!(at(&mut solver(), 1, no_plan(NoPlan::SentBack)).is_empty());
    let cases = [
        (NoPlan::CannotPlan, Reason::CannotPlan, true),
        (NoPlan::Declined, Reason::Declined, false),
        (NoPlan::CannotBeDone, Reason::CannotBeDone, false),
        (NoPlan::ModelUnavailable, Reason::ModelUnavailable, false),
    ];
    for (outcome, reason, teaches) in cases {
        let effects = at(&mut solver(), 1, no_plan(outcome));
        assert_eq!(memories(&effects).len(), usize::from(teaches), "{outcome:?}");
        assert_eq!((finish(&effects).directive, finish(&effects).reason), (Ending::Abandon, reason));
    }
}

#[test]
fn only_denials_left_is_a_refusal_and_anything_else_is_another_try() {
    let refused = |outcomes| {
        let effects = at(&mut solver(), 1, fell_short(outcomes));
        remembered(&effects, &[]);
        let result = finish(&effects).clone();
        assert_eq!((result.directive, result.reason), (Ending::Abandon, Reason::Refused));
        assert!(result.summary.starts_with("[LAW1]") && result.summary.contains("delete it"));
        result.unanswered_confirmation
    };
    let matched_too = vec![matched("list", 1), denied("delete it", Denial::Refused), not_run("report")];
    assert!(!refused(matched_too));
    assert!(refused(vec![denied("delete it", Denial::Refused), denied("and this", Denial::Unanswered)]));

    let mixed = vec![denied("delete it", Denial::Unanswered), unjudged("sum", 1)];
    direct(&at(&mut solver(), 1, fell_short(mixed.clone())));
    let mut last = solver_with(ControlParams { max_replans: 0, ..by_the_table() });
    let effects = at(&mut last, 1, fell_short(mixed));
    assert_eq!(finish(&effects).reason, Reason::ReplansExhausted);
    assert!(!finish(&effects).unanswered_confirmation);
}

#[test]
fn a_class_block_follows_the_step_that_failed_and_ends_when_it_matched() {
    let wrong = |intent: &str, class: &str| failed(intent, Some(Logical), call("r1", class, "/x", 0));
    let next = |replaced: &SubTaskOutcome, intent: &str, class: &str| {
        let mut next = wrong(intent, class);
        next.subtask.replaces = Some(replaced.subtask_id);
        next
    };
    let mut solver = solver();
    let mut blocks = |now, outcomes: &[SubTaskOutcome]| -> Vec<(String, String)> {
        at(&mut solver, now, Input::Manifest(manifest(0, outcomes)));
        let effects = at(&mut solver, now, fell_short(outcomes.to_vec()));
        let directive = direct(&effects);
        let blocks = directive.blocked_tools.iter();
        let known = |id| outcomes.iter().any(|o| Some(o.subtask_id) == id && !o.matched());
        assert!(directive.blocked_tools.iter().all(|b| known(b.subtask)), "a failed step of the last plan");
        blocks.map(|b| (b.class.clone(), b.intent.clone())).collect()
    };
    let pair = |class: &str, intent: &str| (class.to_owned(), intent.to_owned());
    let (alpha, bravo) = (wrong("alpha", "shell:awk"), wrong("bravo", "shell:sed"));
    let first = blocks(1, &[alpha.clone(), bravo.clone()]);
    assert_eq!(first, [pair("shell:awk", "alpha"), pair("shell:sed", "bravo")]);
    // Bravo goes by another name now, and nothing takes the place of alpha, as if it had matched.
    let charlie = next(&bravo, "charlie", "shell:cut");
    assert_eq!(blocks(2, &[charlie]), [pair("shell:cut", "charlie"), pair("shell:sed", "charlie")]);
}
