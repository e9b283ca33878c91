use artoo_types::control::{Directive, MacroState, RoundFailure, Urgency};
use artoo_types::memory::{InputState, PlanInput};
use artoo_types::outcome::{Denial, SubTaskOutcome};
use artoo_types::plan::{BlockedTarget, BlockedTool};

use super::{MeasuredRound, accumulate, blocked_tools, build, failure_class, for_subtask, vetoed};
use crate::blame::{DeadEnds, failing_calls};
use crate::history::History;
use crate::loss::{Gradient, distance, implausibility, loss};
use crate::reading::{Reading, Round};
use crate::testing::*;
use artoo_types::control::PlanDirective;
use artoo_types::setting::ControlParams;
use artoo_types::unit::Cost;

fn built(
    directive: Directive,
    urgency: Urgency,
    outcomes: Vec<SubTaskOutcome>,
    history: &History,
) -> PlanDirective {
    let round = Round::from(replan(outcomes));
    let reading = Reading::of(&round);
    let loss =
        loss(&ControlParams::default(), distance(&reading), implausibility(&reading), Cost::clamped(0.25));
    let gradient = Gradient { literal: 0.2, quality: 0.15 };
    let calls = failing_calls(&round.outcomes);
    let finished = MeasuredRound { round: &round, reading: &reading, calls: &calls, loss, gradient, urgency };
    build(task_id(), 3, directive, finished, Vec::new(), history)
}

#[test]
fn a_directive_carries_figures_failures_and_what_is_established() {
    let mut history = History::new();
    history.calls.tried = vec!["glob".into()];
    let outcomes =
        vec![matched("find", 1), failed("sum", Some(Environmental), call("r2", "read_file", "/x", 1))];
    let directive = built(Directive::ChangePath, Urgency::Steady, outcomes, &history);
    assert_eq!((directive.replan, directive.max_replans), (1, 3));
    assert_eq!(directive.prev_directive, MacroState::Init);
    assert_eq!(directive.failure_class, RoundFailure::Environmental);
    assert_eq!(directive.failed_criterion, "criterion 0");
    assert_eq!(directive.budget_pressure, 0.25);
    assert_eq!((directive.grad_l, directive.grad_q), (0.2, 0.15));
    assert_eq!(directive.established.len(), 1);
    assert!(directive.tried_classes.is_empty());
    assert!(
        directive.grounds.rationale.contains("first round") && directive.grounds.rationale.contains("D 0.50")
    );
}

/// Fails where the planner is shown as established what the whole was rejected for.
#[test]
fn a_step_that_the_whole_was_rejected_for_is_vetoed() {
    let of = |cites: &str, outcomes: Vec<SubTaskOutcome>| {
        let mut verdict = fail(0, Verifiable, None);
        verdict.cites = Some(artoo_types::EvidenceId(cites.to_owned()));
        let round = Round::from(replan_with(outcomes, vec![verdict]));
        vetoed(&round).into_iter().map(|veto| veto.why).collect::<Vec<_>>()
    };
    let step = |intent: &str, id: &str| {
        let mut step = matched(intent, 1);
        step.receipts = vec![call(id, "glob", "/x", 0)];
        step
    };
    let why = ["\"criterion 0\" is not met: not seen"];
    assert_eq!(of("r2", vec![step("a", "r1"), step("b", "r2")]), why);
    assert_eq!(of("r9", vec![step("a", "r1"), step("b", "r2")]), [""; 0]);
    assert_eq!(of("r9", vec![step("a", "r1")]), why, "there is no other");
    assert_eq!(of("r2", vec![failed("a", None, call("r2", "glob", "/x", 0)), step("b", "r1")]), [""; 0]);
}

#[test]
fn break_symmetry_names_the_classes_that_were_tried() {
    let mut history = History::new();
    history.calls.tried = vec!["glob".into(), "shell:find".into()];
    let outcomes = vec![failed("a", Some(Logical), call("r1", "glob", "/x", 0))];
    let directive = built(Directive::BreakSymmetry, Urgency::Steady, outcomes, &history);
    assert_eq!(directive.tried_classes, ["glob", "shell:find"]);
}

#[test]
fn worsening_sets_both_rounds_side_by_side() {
    let mut history = History::new();
    let outcomes = || vec![failed("a", Some(Logical), call("r1", "glob", "/x", 0))];
    history.unmet = Reading::of(&replan(outcomes()).into()).unmet();
    history.trajectory.push(artoo_types::control::TrajectoryPoint {
        loss: Default::default(),
        directive: MacroState::Refine,
        grad_l: 0.0,
        grad_q: 0.0,
    });
    let directive = built(Directive::ChangeApproach, Urgency::Worsening, outcomes(), &history);
    let evidence: Vec<_> = directive.unmet.iter().map(|u| u.evidence.as_str()).collect();
    assert_eq!(evidence, ["rounds 0 and 1: not seen"], "the same reason once");
    history.unmet[0].evidence = "not there".to_owned();
    let directive = built(Directive::ChangeApproach, Urgency::Worsening, outcomes(), &history);
    let evidence: Vec<_> = directive.unmet.iter().map(|u| u.evidence.as_str()).collect();
    assert_eq!(evidence, ["round 0: not there", "round 1: not seen"]);
    assert!(directive.grounds.rationale.contains("differ from both"));
}

#[test]
fn a_subtask_whose_calls_ran_gets_refine_where_others_change_their_path() {
    let outcomes = vec![
        failed("ran", Some(Environmental), call("r1", "glob", "/x", 0)),
        failed("broke", Some(Environmental), call("r2", "read_file", "/y", 1)),
    ];
    let calls = failing_calls(&outcomes);
    let get = |directive, i: usize| for_subtask(directive, outcomes[i].subtask_id, &calls);
    assert_eq!(get(Directive::ChangePath, 0), Directive::Refine);
    assert_eq!(get(Directive::ChangePath, 1), Directive::ChangePath);
    assert_eq!(get(Directive::ChangeApproach, 0), Directive::ChangeApproach);
    let directive = built(Directive::ChangePath, Urgency::Steady, outcomes.clone(), &History::new());
    assert_eq!(directive.directive, Directive::ChangePath);
    assert!(
        directive.grounds.rationale.contains("\"ran\" ran")
            && !directive.grounds.rationale.contains("\"broke\" ran")
    );
}

#[test]
fn a_denied_step_is_to_be_done_without() {
    let outcomes =
        vec![denied("delete it", Denial::Refused), failed("sum", Some(Logical), call("r1", "glob", "/x", 0))];
    let directive = built(Directive::BreakSymmetry, Urgency::Steady, outcomes, &History::new());
    assert!(directive.grounds.rationale.contains("\"delete it\" needed an action that was denied"));
}

#[test]
fn each_directive_blocks_what_it_may() {
    let block =
        |class: &str, intent: &str| BlockedTool { class: class.into(), intent: intent.into(), subtask: None };
    let rounds = [block("shell:awk", "now"), block("shell:find", "before")];
    let tools = ["glob", "shell"].map(str::to_owned);
    let blocked = |directive| blocked_tools(directive, &rounds[..1], &rounds, &tools);
    assert!(blocked(Directive::Refine).is_empty() && blocked(Directive::ChangePath).is_empty());
    assert_eq!(blocked(Directive::ChangeApproach), rounds[..1]);
    assert_eq!(blocked(Directive::BreakSymmetry), rounds);
}

#[test]
fn targets_accumulate_under_environmental_directives_alone_and_in_one_list_each() {
    let target = |t: &str| BlockedTarget { class: "read_file".into(), target: t.into() };
    let ends = |blocked: &[&str], before: &[&str]| DeadEnds {
        blocked: blocked.iter().map(|t| target(t)).collect(),
        failed_before: before.iter().map(|t| target(t)).collect(),
    };
    let mut history = History::new();
    accumulate(&mut history, Directive::ChangeApproach, ends(&["/a"], &["/b"]));
    accumulate(&mut history, Directive::BreakSymmetry, ends(&["/a"], &["/b"]));
    assert!(history.calls.blocked.is_empty() && history.calls.failed_before.is_empty());
    accumulate(&mut history, Directive::ChangePath, ends(&["/a"], &["/b"]));
    accumulate(&mut history, Directive::Refine, ends(&["/b", "/c", "/a"], &["/a", "/d"]));
    assert_eq!(history.calls.blocked, [target("/a"), target("/c")]);
    assert_eq!(history.calls.failed_before, [target("/b"), target("/d")]);
}

#[test]
fn the_class_of_a_round_is_mixed_when_both_and_neither_when_nobody_is_to_blame() {
    let check = |classes: &[Option<_>], expected| {
        let failures = classes.iter().map(|c| failed("a", *c, call("r1", "glob", "", 0))).collect();
        assert_eq!(failure_class(&Reading::of(&replan(failures).into())), expected);
    };
    check(&[Some(Logical), None], RoundFailure::Logical);
    check(&[Some(Environmental)], RoundFailure::Environmental);
    check(&[Some(Environmental), Some(Logical)], RoundFailure::Mixed);
    check(&[None], RoundFailure::Neither);
}

/// Fails where a person is told that a file is ruled out which does not exist.
#[test]
fn what_is_not_there_is_not_ruled_out() {
    let missing = PlanInput { path: "/w/none.csv".into(), state: InputState::Absent };
    let mut receipt = call("r1", "read_file", "/w/none.csv", 1);
    receipt.act.inputs = vec![missing];
    let outcomes = vec![
        failed("a", Some(Environmental), receipt),
        failed("b", Some(Environmental), call("r2", "read_file", "/w/broken.csv", 1)),
    ];
    let mut history = History::new();
    history.note_calls(&outcomes, &failing_calls(&outcomes), Vec::new());
    assert_eq!(history.calls.ruled_out, ["/w/broken.csv"]);
}
