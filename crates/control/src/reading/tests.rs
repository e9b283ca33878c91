use artoo_types::outcome::{Denial, OutcomeStatus};

use super::{CriterionStatus, Reading, Round};
use crate::testing::*;

fn read(round: impl Into<Round>) -> Reading {
    Reading::of(&round.into())
}

#[test]
fn a_verifiable_pass_without_evidence_is_not_verified() {
    let mut uncited = pass(0, Verifiable);
    uncited.cites = None;
    let reading = read(replan(vec![outcome("a", OutcomeStatus::Matched, vec![uncited], vec![])]));
    assert_eq!(reading.subtasks[0].finding, CriterionStatus::Unverified);
    assert!(!reading.complete() && !reading.proven());

    let mut plausible = pass(0, Plausible);
    plausible.cites = None;
    let reading = read(replan(vec![outcome("a", OutcomeStatus::Matched, vec![plausible], vec![])]));
    assert!(reading.complete());
}

#[test]
fn a_missing_verdict_is_not_verified_and_a_doubled_one_is_as_bad_as_the_worse() {
    let mut short = matched("a", 2);
    short.criteria_verdicts.pop();
    let reading = read(replan(vec![short]));
    assert_eq!(reading.subtasks[1].finding, CriterionStatus::Unverified);
    assert!(!reading.complete() && !reading.proven());

    let mut doubled = matched("a", 1);
    doubled.criteria_verdicts.push(fail(0, Verifiable, Some(Logical)));
    let reading = read(replan(vec![doubled]));
    assert_eq!(reading.subtasks.len(), 1);
    assert_eq!(reading.subtasks[0].finding, CriterionStatus::Failed { class: Some(Logical), weight: 1.0 });
}

#[test]
fn the_mode_is_the_plans_and_verdicts_beyond_the_list_still_count() {
    let mut softened = matched("a", 1);
    softened.criteria_verdicts = vec![fail(0, Plausible, None), fail(7, Verifiable, Some(Environmental))];
    let reading = read(replan(vec![softened]));
    assert_eq!(reading.subtasks[0].mode, Verifiable);
    assert_eq!(reading.subtasks[0].finding, CriterionStatus::Failed { class: None, weight: 1.0 });
    assert_eq!(
        reading.subtasks[1].finding,
        CriterionStatus::Failed { class: Some(Environmental), weight: 1.0 }
    );
}

#[test]
fn a_failure_without_verdicts_fails_every_criterion_with_the_class_that_is_known() {
    let check = |outcome, class| {
        let reading = read(replan(vec![outcome]));
        let findings: Vec<_> = reading.subtasks.iter().map(|j| j.finding).collect();
        assert_eq!(findings, [CriterionStatus::Failed { class, weight: 1.0 }; 2]);
    };
    check(unjudged("a", 2), Some(Environmental));

    let mut classified = unjudged("a", 2);
    classified.gap_trajectory[0].failure_class = Some(Logical);
    check(classified, Some(Logical));

    let mut silent = unjudged("a", 2);
    silent.failure_reason = None;
    check(silent.clone(), None);
    silent.denied = Some(Denial::Refused);
    check(silent, Some(Environmental));

    // Failed, though every verdict passes: nothing says what failed, so everything counts as failed.
    let mut contradictory = matched("a", 2);
    contradictory.status = OutcomeStatus::Failed;
    check(contradictory, None);
}

#[test]
fn a_denied_subtask_fails_environmentally_unless_its_verdict_says_otherwise() {
    let mut outcome = failed("a", None, call("r1", "shell:rm", "/x", 0));
    outcome.denied = Some(Denial::Refused);
    let reading = read(replan(vec![outcome.clone()]));
    assert_eq!(reading.failures().collect::<Vec<_>>(), [Some(Environmental)]);
    outcome.criteria_verdicts[0].failure_class = Some(Logical);
    assert_eq!(read(replan(vec![outcome])).failures().collect::<Vec<_>>(), [Some(Logical)]);
}

#[test]
fn what_never_ran_is_listed_and_proves_nothing() {
    let reading = read(replan(vec![matched("a", 1), not_run("b")]));
    assert!(!reading.proven() && !reading.complete());
    let unmet = reading.unmet();
    assert_eq!(unmet.len(), 1);
    assert!(!unmet[0].evaluated);

    // A step without a verifiable criterion proves nothing either as long as it never ran.
    let mut soft = not_run("b");
    soft.subtask.success_criteria = vec![criterion("reads well", Plausible)];
    assert!(!read(replan(vec![matched("a", 1), soft])).proven());
}

#[test]
fn unmet_lists_failed_criteria_before_unverified_ones_of_steps_and_task() {
    let mut request = replan_with(vec![failed("a", None, call("r1", "glob", "", 0))], vec![]);
    request.task_criteria = vec![criterion("report exists", Verifiable)];
    let unmet: Vec<_> = read(request).unmet().into_iter().map(|u| (u.criterion, u.evaluated)).collect();
    assert_eq!(unmet, [("criterion 0".to_owned(), true), ("report exists".to_owned(), false)]);
}

#[test]
fn a_round_without_criteria_claims_nothing() {
    assert!(!read(replan(vec![])).complete());
}

#[test]
fn plausible_gaps_leave_nothing_to_prove_but_are_not_complete() {
    let verdicts = vec![pass(0, Verifiable), fail(1, Plausible, Some(Logical))];
    let reading = read(replan(vec![outcome("a", OutcomeStatus::Failed, verdicts, vec![])]));
    assert!(reading.proven() && !reading.complete());
}
