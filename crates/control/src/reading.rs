//! What a round showed: every criterion with what is known about it.
//!
//! Verdicts arrive in many shapes (missing, doubled, without evidence, from kept subtasks). They are read once, here;
//! distance, implausibility, proof and the list of what is unmet are all computed from the same reading.

use artoo_types::control::Unmet;
use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, FailureClass, Verdict};
use artoo_types::outcome::{JudgedTimes, OutcomeStatus, OutcomeSummary, ReplanRequest, SubTaskOutcome};
use serde_json::Value;

/// A finished round as R4b reported it, whether it claims success or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Round {
    /// Every outcome that counts, in sequence order.
    pub outcomes: Vec<SubTaskOutcome>,
    /// Verdicts on the task criteria, where they were judged.
    pub task_verdicts: Vec<CriterionVerdict>,
    /// How often each task criterion was judged and failed, by index.
    pub task_history: Vec<JudgedTimes>,
    /// All task criteria.
    pub task_criteria: Vec<Criterion>,
    /// What there is to deliver; null when there is nothing.
    pub output: Value,
    /// What of that stands in no receipt.
    pub not_in_receipts: Vec<String>,
    /// What failed steps said, told as unverified; empty when there is nothing.
    pub unverified: String,
    /// R4b's own words about the round.
    pub words: String,
}

impl From<ReplanRequest> for Round {
    fn from(request: ReplanRequest) -> Self {
        let output = match request.partial_output.trim() {
            "" => Value::Null,
            _ => Value::String(request.partial_output),
        };
        Self {
            outcomes: request.outcomes,
            task_verdicts: request.task_verdicts,
            task_history: request.task_history,
            task_criteria: request.task_criteria,
            output,
            not_in_receipts: request.not_in_receipts,
            unverified: request.unverified_output,
            words: request.gap_summary,
        }
    }
}

impl From<OutcomeSummary> for Round {
    fn from(summary: OutcomeSummary) -> Self {
        Self {
            outcomes: summary.outcomes,
            task_verdicts: summary.task_verdicts,
            task_history: summary.task_history,
            task_criteria: summary.task_criteria,
            output: summary.merged_output,
            not_in_receipts: summary.not_in_receipts,
            unverified: String::new(),
            words: summary.summary,
        }
    }
}

/// What is known about one criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CriterionStatus {
    /// It is met. If it is verifiable, its verdict cites evidence.
    Passed,
    /// It is not met.
    Failed {
        /// Why, where that could be told.
        class: Option<FailureClass>,
        /// What it adds to the distance, in (0, 1].
        weight: f64,
    },
    /// Nobody evaluated it, or it is verifiable and its pass cites nothing (Law 0).
    Unverified,
}

/// One criterion and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedCriterion {
    /// The criterion's text.
    pub criterion: String,
    /// How it may be met.
    pub mode: CriterionMode,
    /// What is known.
    pub finding: CriterionStatus,
    /// What was seen, in words.
    pub evidence: String,
}

/// Every criterion of a round.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Criteria of the subtasks.
    pub subtasks: Vec<JudgedCriterion>,
    /// Criteria of the task.
    pub task: Vec<JudgedCriterion>,
    /// Whether every outcome matched.
    pub all_matched: bool,
    /// Whether something never ran.
    pub any_not_run: bool,
}

impl Reading {
    /// Reads a round.
    pub fn of(round: &Round) -> Self {
        let weight = |i: usize| task_weight(round.task_history.get(i).copied().unwrap_or_default());
        Self {
            subtasks: round.outcomes.iter().flat_map(judge_outcome).collect(),
            task: judge(&round.task_criteria, &round.task_verdicts, &weight),
            all_matched: round.outcomes.iter().all(SubTaskOutcome::matched),
            any_not_run: round.outcomes.iter().any(|o| o.status == OutcomeStatus::NotRun),
        }
    }

    /// Every criterion, those of the subtasks first.
    pub fn all(&self) -> impl Iterator<Item = &JudgedCriterion> {
        self.subtasks.iter().chain(&self.task)
    }

    /// Everything was evaluated and everything is met: what `accept` claims. A round without criteria claims nothing.
    pub fn complete(&self) -> bool {
        self.all_matched
            && self.all().next().is_some()
            && self.all().all(|j| j.finding == CriterionStatus::Passed)
    }

    /// Nothing is left to prove: everything ran, and every verifiable criterion was evaluated and passed. Without this
    /// a small distance is no success (Law 0 outranks cost).
    pub fn proven(&self) -> bool {
        let proven =
            |j: &JudgedCriterion| j.mode == CriterionMode::Plausible || j.finding == CriterionStatus::Passed;
        !self.any_not_run && self.all().all(proven)
    }

    /// Classes of the failed criteria; `None` for one that could not be classified.
    pub fn failures(&self) -> impl Iterator<Item = Option<FailureClass>> {
        self.all().filter_map(|j| match j.finding {
            CriterionStatus::Failed { class, .. } => Some(class),
            CriterionStatus::Passed | CriterionStatus::Unverified => None,
        })
    }

    /// Every criterion once, as a person is told: a criterion of a step and of the task in the same words is one. It is open
    /// where one of them failed, or where none was evaluated.
    pub fn told(&self) -> ToldCriteria {
        let mut told = ToldCriteria { unmet: unmet_once(self.unmet()), met: Vec::new() };
        for met in self.all().filter(|j| j.finding == CriterionStatus::Passed).map(|j| j.criterion.trim()) {
            told.unmet.retain(|open| open.evaluated || open.criterion.trim() != met);
            let is_told = told.met.iter().any(|known| known.trim() == met);
            if !is_told && told.unmet.iter().all(|open| open.criterion.trim() != met) {
                told.met.push(met.to_owned());
            }
        }
        told
    }

    /// Every criterion that is not met or not verified; the failed ones first.
    pub fn unmet(&self) -> Vec<Unmet> {
        let (failed, open): (Vec<_>, Vec<_>) = self
            .all()
            .filter(|j| j.finding != CriterionStatus::Passed)
            .map(|j| Unmet {
                criterion: j.criterion.clone(),
                evidence: j.evidence.clone(),
                evaluated: j.finding != CriterionStatus::Unverified,
            })
            .partition(|u| u.evaluated);
        failed.into_iter().chain(open).collect()
    }
}

/// The criteria of a round as a person is told of them, each once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToldCriteria {
    /// Those that are met.
    pub met: Vec<String>,
    /// Those that are not met or not verified; the failed ones first.
    pub unmet: Vec<Unmet>,
}

/// Each criterion once: the first that is told of it.
pub fn unmet_once(unmet: Vec<Unmet>) -> Vec<Unmet> {
    let mut once: Vec<Unmet> = Vec::new();
    for open in unmet {
        if once.iter().all(|known| known.criterion.trim() != open.criterion.trim()) {
            once.push(open);
        }
    }
    once
}

/// The class of an outcome's failures where its verdicts do not say: what the last attempt was classified as.
pub fn outcome_class(outcome: &SubTaskOutcome) -> Option<FailureClass> {
    outcome.gap_trajectory.last().and_then(|point| point.failure_class)
}

/// Whether a failed outcome has no verdict that says what failed.
pub fn failed_unjudged(outcome: &SubTaskOutcome) -> bool {
    outcome.status == OutcomeStatus::Failed && outcome.criteria_verdicts.iter().all(CriterionVerdict::passed)
}

fn judge_outcome(outcome: &SubTaskOutcome) -> Vec<JudgedCriterion> {
    let criteria = &outcome.subtask.success_criteria;
    let weight = |i: usize| attempts_weight(outcome, i);
    if outcome.status == OutcomeStatus::NotRun {
        return criteria
            .iter()
            .map(|c| judged(c, CriterionStatus::Unverified, "the step never ran"))
            .collect();
    }
    if failed_unjudged(outcome) {
        let class = outcome_class(outcome);
        let seen = outcome.failure_reason.as_deref().unwrap_or("the step failed before it could be judged");
        let fail = |(i, c): (usize, &Criterion)| {
            judged(c, CriterionStatus::Failed { class, weight: weigh(c.mode, weight(i)) }, seen)
        };
        return criteria.iter().enumerate().map(fail).collect();
    }
    judge(criteria, &outcome.criteria_verdicts, &weight)
}

/// Joins criteria and verdicts by index. A doubled verdict counts as a fail if either one is; a verdict beyond the list
/// is judged on its own words, so that nothing that was said is lost.
fn judge(
    criteria: &[Criterion],
    verdicts: &[CriterionVerdict],
    weight: &dyn Fn(usize) -> f64,
) -> Vec<JudgedCriterion> {
    let finding = |mode, verdict: &CriterionVerdict| match verdict.verdict {
        Verdict::Fail => CriterionStatus::Failed {
            class: verdict.failure_class,
            weight: weigh(mode, weight(verdict.index)),
        },
        Verdict::Pass if mode == CriterionMode::Plausible || verdict.cites.is_some() => {
            CriterionStatus::Passed
        }
        Verdict::Pass => CriterionStatus::Unverified,
    };
    let listed = criteria.iter().enumerate().map(|(i, criterion)| {
        let own = || verdicts.iter().filter(move |v| v.index == i);
        match own().find(|v| !v.passed()).or_else(|| own().next()) {
            Some(verdict) => judged(criterion, finding(criterion.mode, verdict), &verdict.evidence),
            None => judged(criterion, CriterionStatus::Unverified, "it was not evaluated"),
        }
    });
    let beyond = verdicts.iter().filter(|v| v.index >= criteria.len()).map(|v| JudgedCriterion {
        criterion: v.criterion.clone(),
        mode: v.mode,
        finding: finding(v.mode, v),
        evidence: v.evidence.clone(),
    });
    listed.chain(beyond).collect()
}

fn judged(criterion: &Criterion, finding: CriterionStatus, evidence: &str) -> JudgedCriterion {
    JudgedCriterion {
        criterion: criterion.text.clone(),
        mode: criterion.mode,
        finding,
        evidence: evidence.to_owned(),
    }
}

fn weigh(mode: CriterionMode, share: f64) -> f64 {
    match mode {
        CriterionMode::Verifiable => 1.0,
        CriterionMode::Plausible => share,
    }
}

/// k/N over the attempts of this round. The last attempt failed by definition, so k ≥ 1.
fn attempts_weight(outcome: &SubTaskOutcome, index: usize) -> f64 {
    let earlier = outcome.gap_trajectory.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let failed = earlier.iter().filter(|point| point.unmet_indexes.contains(&index)).count();
    (failed + 1) as f64 / (earlier.len() + 1) as f64
}

/// k/N over the rounds in which the task criterion was judged, this one included.
fn task_weight(times: JudgedTimes) -> f64 {
    let judged = times.judged.max(1);
    f64::from(times.failed.clamp(1, judged)) / f64::from(judged)
}

#[cfg(test)]
mod tests {
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
        assert_eq!(
            reading.subtasks[0].finding,
            CriterionStatus::Failed { class: Some(Logical), weight: 1.0 }
        );
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
        check(unjudged("a", 2), None);

        let mut classified = unjudged("a", 2);
        classified.gap_trajectory[0].failure_class = Some(Logical);
        check(classified, Some(Logical));

        let mut denied = unjudged("a", 2);
        denied.denied = Some(Denial::Refused);
        check(denied, None);

        // Failed, though every verdict passes: nothing says what failed, so everything counts as failed.
        let mut contradictory = matched("a", 2);
        contradictory.status = OutcomeStatus::Failed;
        check(contradictory, None);
    }

    #[test]
    fn a_denied_subtask_has_the_class_that_its_verdict_gives_and_no_other() {
        let mut outcome = failed("a", None, call("r1", "shell:rm", "/x", 0));
        outcome.denied = Some(Denial::Refused);
        let reading = read(replan(vec![outcome.clone()]));
        assert_eq!(reading.failures().collect::<Vec<_>>(), [None]);
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

    /// Fails where one criterion of a step and of the task counts twice, or one that failed somewhere as met.
    #[test]
    fn a_criterion_of_a_step_and_of_the_task_in_the_same_words_is_told_once() {
        let of_step = |verdict: super::CriterionVerdict| {
            let mut step = matched("a", 0);
            step.subtask.success_criteria = vec![criterion("criterion 0", Verifiable)];
            step.criteria_verdicts = vec![verdict];
            step
        };
        let told = |step: super::CriterionVerdict, task: Vec<super::CriterionVerdict>| {
            let mut request = replan_with(vec![of_step(step)], task);
            request.task_criteria = vec![criterion("criterion 0", Verifiable)];
            let told = read(request).told();
            (told.met.len(), told.unmet.iter().map(|open| open.evaluated).collect::<Vec<_>>())
        };
        let passed = || citing(pass(0, Verifiable), "r1");
        assert_eq!(told(passed(), vec![]), (1, vec![]), "the step met it, nobody asked again");
        assert_eq!(told(passed(), vec![passed()]), (1, vec![]));
        assert_eq!(told(fail(0, Verifiable, None), vec![]), (0, vec![true]));
        assert_eq!(told(passed(), vec![fail(0, Verifiable, None)]), (0, vec![true]));
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
}
