//! What the next report will say: the figures since the last one.

use std::collections::BTreeMap;

use artoo_types::control::{Ending, FinalResult, Reason};
use artoo_types::finding::{AuditFinding, FindingCategory};
use artoo_types::operator::{GapTrend, RoundDistance, ToolHealth, WindowHealth};
use artoo_types::{TaskId, Timestamp};
use serde::{Deserialize, Serialize};

/// Rounds that are told apart: the most directives that the settings allow, and the first plan.
const MAX_ROUNDS: usize = 21;
/// Longest list in a report. What is found beyond it is counted, and is in the log.
const MAX_LINES: usize = 200;

/// The figures of one report period.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ReportWindow {
    /// Its start; none before the first message.
    pub(crate) start: Option<Timestamp>,
    pub(crate) tasks_observed: u64,
    pub(crate) corrections: u64,
    pub(crate) tool_health: ToolHealth,
    pub(crate) envelopes: u64,
    pub(crate) replans: u64,
    /// Ends by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
    /// Findings by kind.
    pub(crate) findings: BTreeMap<String, u64>,
    rounds: RoundFigures,
    gap_trends: Vec<GapTrend>,
    boundary_violations: BoundedLines,
    drift_alerts: BoundedLines,
    anomalies: BoundedLines,
}

/// How the rounds of the tasks that ended went.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct RoundFigures {
    /// Sum of D and number of tasks, by round; a task has at most as many rounds as the settings allow directives, and one.
    distances: Vec<(f64, u64)>,
    accepts: u64,
    /// Directives of the tasks that were accepted.
    accepted_replans: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct BoundedLines {
    lines: Vec<String>,
    more: u64,
}

impl ReportWindow {
    /// An empty window.
    pub(crate) fn starting_at(now: Timestamp) -> Self {
        Self { start: Some(now), ..Self::default() }
    }

    pub(crate) fn note(&mut self, finding: &AuditFinding) {
        let lines = match finding.kind.category() {
            FindingCategory::Boundary => &mut self.boundary_violations,
            FindingCategory::Drift => &mut self.drift_alerts,
            FindingCategory::Anomaly => &mut self.anomalies,
        };
        lines.push(finding.line());
        *self.findings.entry(finding.kind.as_str().to_owned()).or_default() += 1;
    }

    /// Sets the trend of a task; the latest one counts.
    pub(crate) fn trend(&mut self, task_id: TaskId, trend: &str) {
        let task_id = task_id.to_string();
        self.gap_trends.retain(|t| t.task_id != task_id);
        if self.gap_trends.len() == MAX_LINES {
            self.gap_trends.remove(0);
        }
        self.gap_trends.push(GapTrend { task_id, trend: trend.to_owned() });
    }

    /// Takes in how the rounds of a task went that ended.
    pub(crate) fn ended(&mut self, result: &FinalResult) {
        self.tasks_observed += 1;
        *self.reasons.entry(result.reason.as_str().to_owned()).or_default() += 1;
        let rounds = &mut self.rounds;
        if result.directive == Ending::Accept && result.reason != Reason::Answered {
            rounds.accepts += 1;
            rounds.accepted_replans += u64::from(result.replans);
        }
        for (round, point) in result.trajectory.iter().enumerate().take(MAX_ROUNDS) {
            if rounds.distances.len() <= round {
                rounds.distances.push((0.0, 0));
            }
            let (sum, tasks) = &mut rounds.distances[round];
            (*sum, *tasks) = (*sum + point.loss.distance.get(), *tasks + 1);
        }
    }

    /// How the tasks that ended fared.
    pub(crate) fn health(&self) -> WindowHealth {
        let rounds = &self.rounds;
        #[allow(clippy::cast_precision_loss, reason = "no window has 2^53 tasks")]
        let share = |sum: f64, all: u64| if all == 0 { 0.0 } else { sum / all as f64 };
        let mean = |(round, (sum, tasks)): (usize, &(f64, u64))| RoundDistance {
            round: u32::try_from(round).unwrap_or(u32::MAX),
            mean: share(*sum, *tasks),
            tasks: *tasks,
        };
        #[allow(clippy::cast_precision_loss, reason = "no window has 2^53 directives")]
        let replans = rounds.accepted_replans as f64;
        WindowHealth {
            reasons: self.reasons.clone(),
            distances: rounds.distances.iter().enumerate().map(mean).collect(),
            accepts: rounds.accepts,
            replans_per_accept: share(replans, rounds.accepts),
        }
    }

    pub(crate) fn into_lists(self) -> (Vec<GapTrend>, Vec<String>, Vec<String>, Vec<String>) {
        (
            self.gap_trends,
            self.boundary_violations.finish(),
            self.drift_alerts.finish(),
            self.anomalies.finish(),
        )
    }
}

impl BoundedLines {
    fn push(&mut self, line: String) {
        if self.lines.len() < MAX_LINES {
            self.lines.push(line);
        } else {
            self.more += 1;
        }
    }

    fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.lines.push(format!("and {} more; see the audit log", self.more));
        }
        self.lines
    }
}
