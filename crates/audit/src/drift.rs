//! Role drift: a role that does worse than its own history.

use std::collections::BTreeMap;

use artoo_types::MessageVisitor;
use artoo_types::chat::{ModelCallFinished, ModelCallStarted};
use artoo_types::envelope::Role;
use artoo_types::operator::RoleShare;
use artoo_types::outcome::{
    CorrectionSignal, ExecutionResult, ExecutionStatus, OutcomeStatus, OutcomeSummary, ReplanRequest,
    SubTaskOutcome,
};
use artoo_types::plan::{DispatchManifest, NoPlan, PlanDraftRejected};
use serde::{Deserialize, Serialize};

/// Smallest recent sample that is judged. With 20 the standard deviation of a share is at most 0.11, below
/// [`LEAST_RISE`]. Smaller windows are joined until they have as many.
const LEAST_RECENT: u64 = 20;
/// Smallest history that a sample is compared with.
const LEAST_HISTORY: u64 = 50;
/// A rise below this is not worth a person's attention, however certain it is.
const LEAST_RISE: f64 = 0.15;
/// A rise counts when it is this many standard deviations of the recent sample above the history: for a share of a
/// normal sample a false alarm in about 740 reports.
const SIGMAS: f64 = 3.0;

/// What is counted for a role. Each is a share: bad ones among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Measure {
    /// R3: failed verdicts among the verdicts on its subtasks.
    FailedVerdicts,
    /// R3: attempts that it gave up.
    FailedAttempts,
    /// R3: attempts that had to be corrected.
    Corrections,
    /// R2: drafts that the validator sent back.
    RejectedDrafts,
    /// R4b: rounds that fell short.
    Replans,
    /// Model replies that had to be repaired in form.
    Repairs,
    /// Model calls that came to nothing.
    ModelFailures,
}

impl Measure {
    fn words(self) -> &'static str {
        match self {
            Self::FailedVerdicts => "failed verdicts",
            Self::FailedAttempts => "failed attempts",
            Self::Corrections => "corrected attempts",
            Self::RejectedDrafts => "rejected drafts",
            Self::Replans => "rounds that fell short",
            Self::Repairs => "replies repaired in form",
            Self::ModelFailures => "failed model calls",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Share {
    bad: u64,
    all: u64,
}

impl Share {
    #[allow(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
    fn value(self) -> f64 {
        if self.all == 0 { 0.0 } else { self.bad as f64 / self.all as f64 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Series {
    recent: Share,
    history: Share,
}

/// The counts of all roles: recent ones and all before them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Drift {
    roles: BTreeMap<Role, BTreeMap<Measure, Series>>,
}

impl Drift {
    /// Compares the recent counts with the history, one line for each role that drifted, and makes them part of it.
    /// Samples that are too small to judge go on growing.
    pub(crate) fn judge(&mut self) -> Vec<String> {
        let mut alerts = Vec::new();
        for (role, measures) in &mut self.roles {
            for (measure, series) in measures {
                if series.recent.all < LEAST_RECENT {
                    continue;
                }
                if series.has_risen() {
                    alerts.push(format!(
                        "{} {}: {} of {} {}, against {:.0} % before",
                        role.as_str(),
                        role.title(),
                        series.recent.bad,
                        series.recent.all,
                        measure.words(),
                        100.0 * series.history.value()
                    ));
                }
                series.history.bad += series.recent.bad;
                series.history.all += series.recent.all;
                series.recent = Share::default();
            }
        }
        alerts
    }

    /// Every role against its own history, before [`Drift::judge`] makes the recent counts part of it.
    pub(crate) fn shares(&self) -> Vec<RoleShare> {
        let of_role = |(role, measures): (&Role, &BTreeMap<Measure, Series>)| {
            let role = role.as_str();
            let share = |(measure, series): (&Measure, &Series)| RoleShare {
                role: role.to_owned(),
                measure: measure.words().to_owned(),
                bad: series.recent.bad,
                all: series.recent.all,
                bad_before: series.history.bad,
                all_before: series.history.all,
            };
            measures.iter().map(share).collect::<Vec<_>>()
        };
        self.roles.iter().flat_map(of_role).collect()
    }

    fn count(&mut self, role: Role, measure: Measure, bad: bool) {
        let recent = &mut self.series(role, measure).recent;
        recent.all += 1;
        recent.bad += u64::from(bad);
    }

    fn series(&mut self, role: Role, measure: Measure) -> &mut Series {
        self.roles.entry(role).or_default().entry(measure).or_default()
    }
}

impl Series {
    #[allow(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
    fn has_risen(self) -> bool {
        if self.history.all < LEAST_HISTORY {
            return false;
        }
        let before = self.history.value();
        let deviation = (before * (1.0 - before) / self.recent.all as f64).sqrt();
        self.recent.value() - before > LEAST_RISE.max(SIGMAS * deviation)
    }
}

impl MessageVisitor for Drift {
    fn sub_task_outcome(&mut self, m: &SubTaskOutcome) {
        if m.status != OutcomeStatus::NotRun {
            for verdict in &m.criteria_verdicts {
                self.count(Role::Executor, Measure::FailedVerdicts, !verdict.passed());
            }
        }
    }

    fn execution_result(&mut self, m: &ExecutionResult) {
        self.count(Role::Executor, Measure::FailedAttempts, m.status == ExecutionStatus::Failed);
        self.count(Role::Executor, Measure::Corrections, false);
    }

    fn correction_signal(&mut self, _: &CorrectionSignal) {
        // The attempt itself was counted when its result came; it turned out to need a correction.
        self.series(Role::Executor, Measure::Corrections).recent.bad += 1;
    }

    fn dispatch_manifest(&mut self, _: &DispatchManifest) {
        self.count(Role::Planner, Measure::RejectedDrafts, false);
    }

    fn plan_draft_rejected(&mut self, m: &PlanDraftRejected) {
        if m.outcome == NoPlan::SentBack {
            self.count(Role::Planner, Measure::RejectedDrafts, true);
        }
    }

    fn replan_request(&mut self, _: &ReplanRequest) {
        self.count(Role::MetaValidator, Measure::Replans, true);
    }

    fn outcome_summary(&mut self, _: &OutcomeSummary) {
        self.count(Role::MetaValidator, Measure::Replans, false);
    }

    fn model_call_started(&mut self, m: &ModelCallStarted) {
        self.count(m.role, Measure::Repairs, m.repair);
    }

    fn model_call_finished(&mut self, m: &ModelCallFinished) {
        self.count(m.role, Measure::ModelFailures, m.failure.is_some());
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::outcome::ExecutionStatus;

    use super::Drift;
    use crate::testing::{envelope, result};

    /// Counts `all` attempts of the executor, `bad` of them given up, and judges.
    fn report(drift: &mut Drift, bad: u64, all: u64) -> usize {
        for n in 0..all {
            let status = if n < bad { ExecutionStatus::Failed } else { ExecutionStatus::Completed };
            envelope(1, result(1, status, Vec::new())).payload.visit(drift);
        }
        drift.judge().len()
    }

    #[test]
    fn a_role_is_compared_with_its_own_history() {
        let mut drift = Drift::default();
        assert_eq!(report(&mut drift, 45, 50), 0, "there is no history yet");
        assert_eq!(report(&mut drift, 18, 20), 0, "as bad as ever");
        let mut drift = Drift::default();
        report(&mut drift, 5, 100);
        assert_eq!(report(&mut drift, 5, 20), 1, "a quarter instead of a twentieth");
    }

    #[test]
    fn small_samples_grow_until_they_can_be_judged() {
        let mut drift = Drift::default();
        report(&mut drift, 0, 100);
        assert_eq!(report(&mut drift, 10, 10), 0);
        assert_eq!(report(&mut drift, 9, 9), 0);
        assert_eq!(report(&mut drift, 1, 1), 1);
        assert_eq!(report(&mut drift, 0, 0), 0, "it is reported once");
    }

    #[test]
    fn small_rises_and_improvements_are_no_drift() {
        let mut drift = Drift::default();
        report(&mut drift, 10, 100);
        assert_eq!(report(&mut drift, 4, 20), 0);
        assert_eq!(report(&mut drift, 0, 20), 0);
    }

    #[test]
    fn the_alert_says_who_and_how_much() {
        let mut drift = Drift::default();
        report(&mut drift, 0, 100);
        for _ in 0..20 {
            envelope(1, result(1, ExecutionStatus::Failed, Vec::new())).payload.visit(&mut drift);
        }
        assert_eq!(drift.judge(), ["R3 Executor: 20 of 20 failed attempts, against 0 % before"]);
    }
}
