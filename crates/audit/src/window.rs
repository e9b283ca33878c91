//! What the next report will say: the figures since the last one.

use std::collections::BTreeMap;

use artoo_types::operator::{GapTrend, ToolHealth};
use artoo_types::{TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::event::{AuditFinding, Category};

/// Longest list in a report. What is found beyond it is counted, and is in the log.
const MAX_LINES: usize = 200;

/// The figures of one report period.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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
    gap_trends: Vec<GapTrend>,
    boundary_violations: BoundedLines,
    drift_alerts: BoundedLines,
    anomalies: BoundedLines,
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
            Category::Boundary => &mut self.boundary_violations,
            Category::Drift => &mut self.drift_alerts,
            Category::Anomaly => &mut self.anomalies,
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
