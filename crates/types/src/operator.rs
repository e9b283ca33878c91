//! Messages between the operator and the auditor, and the mark of a gap in a live stream.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The operator asks for a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditQuery {
    /// Whether the current window's own figures are wanted too.
    pub include_window: bool,
}

/// What made the auditor report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// Every five minutes.
    Periodic,
    /// The operator asked.
    OnDemand,
}

/// Where a task's loss went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GapTrend {
    /// The task.
    pub task_id: String,
    /// improving, steady or worsening.
    pub trend: String,
}

/// How the tools fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToolHealth {
    /// Execution results with status failed.
    pub execution_failures: u64,
    /// Corrections whose failure was environmental.
    pub environmental_retries: u64,
    /// Corrections whose failure was logical.
    pub logical_retries: u64,
}

/// Sums since the data folder was made; a window's reset does not touch them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AuditTotals {
    /// Tasks seen to end.
    pub tasks_observed: u64,
    /// Corrections.
    pub total_corrections: u64,
    /// Directives.
    pub replans: u64,
    /// Envelopes.
    pub envelopes: u64,
    /// Ends by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Boundary violations.
    pub boundary_violations: u64,
    /// Anomalies.
    pub anomalies: u64,
    /// Tools.
    pub tool_health: ToolHealth,
}

/// The auditor reports to the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditReport {
    /// What made it.
    pub trigger: Trigger,
    /// Start of the window.
    pub window_start: Timestamp,
    /// End of the window.
    pub window_end: Timestamp,
    /// Tasks seen to end in the window.
    pub tasks_observed: u64,
    /// Corrections in the window.
    pub total_corrections: u64,
    /// Where each task's loss went.
    pub gap_trends: Vec<GapTrend>,
    /// Messages outside the contract.
    pub boundary_violations: Vec<String>,
    /// Roles that drifted from their own history.
    pub drift_alerts: Vec<String>,
    /// Everything else that should not happen.
    pub anomalies: Vec<String>,
    /// How the tools fared in the window.
    pub tool_health: ToolHealth,
    /// Sums over all windows.
    pub totals: AuditTotals,
}

/// A live stream dropped events for a slow reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lagged {
    /// First missing ordinal of the live stream.
    pub from: u64,
    /// Last missing ordinal.
    pub to: u64,
}
