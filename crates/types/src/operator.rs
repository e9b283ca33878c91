//! Messages between the operator and the auditor, and the mark of a gap in a live stream.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The operator asks for a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditQuery {
    /// Whether the report says more of its window: counts by kind, and how each role fares against its history.
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
    /// Roles that drifted from their own history.
    #[serde(default)]
    pub drift_alerts: u64,
    /// Tools.
    pub tool_health: ToolHealth,
}

/// A line's place in the audit log: what an anchor records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHead {
    /// Its ordinal, from 1, over all segments; 0 before the first line.
    pub seq: u64,
    /// Its hash, 64 hex digits.
    pub hash: String,
}

impl AuditHead {
    /// What the first line of a log names as the hash of the line before it.
    pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
}

impl Default for AuditHead {
    fn default() -> Self {
        Self { seq: 0, hash: Self::GENESIS.to_owned() }
    }
}

/// How one role fares in one respect: the recent share of bad ones, and the share before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleShare {
    /// The role, as on the wire.
    pub role: String,
    /// In what respect, in words: "failed verdicts".
    pub measure: String,
    /// Bad ones since the last comparison.
    pub bad: u64,
    /// All since the last comparison.
    pub all: u64,
    /// Bad ones before.
    pub bad_before: u64,
    /// All before.
    pub all_before: u64,
}

/// More of a window than a report says unasked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WindowFigures {
    /// Envelopes.
    pub envelopes: u64,
    /// Directives.
    pub replans: u64,
    /// Ends by reason.
    pub reasons: BTreeMap<String, u64>,
    /// What was found, by kind.
    pub findings: BTreeMap<String, u64>,
    /// Each role against its own history.
    pub roles: Vec<RoleShare>,
}

/// The mean distance after one round, over the tasks that came so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RoundDistance {
    /// The round; 0 is the first plan.
    pub round: u32,
    /// Mean of D.
    pub mean: f64,
    /// Tasks that had this round.
    pub tasks: u64,
}

/// How the tasks fared that ended in a window.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WindowHealth {
    /// Ends by reason.
    pub reasons: BTreeMap<String, u64>,
    /// D by round.
    pub distances: Vec<RoundDistance>,
    /// Tasks that were accepted after work.
    pub accepts: u64,
    /// Directives an accepted task took in the mean; 0 where none was accepted.
    pub replans_per_accept: f64,
}

impl WindowHealth {
    /// Whether no task ended.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How things stand when a report is made.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportStanding {
    /// Journals that have grown and were not read to their end yet: above 0 the figures are behind.
    pub unread: u64,
    /// How the tasks of the window fared.
    #[serde(skip_serializing_if = "WindowHealth::is_empty")]
    pub health: WindowHealth,
    /// Findings that nobody has acknowledged, of every window.
    #[serde(skip_serializing_if = "is_zero")]
    pub open_findings: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The auditor reports to the operator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The last line of the audit log before this report. Noted down elsewhere, it shows every later change before it.
    #[serde(default)]
    pub head: AuditHead,
    /// Where the heads of reports are recorded besides the log and the reports themselves.
    #[serde(default)]
    pub anchored_in: Vec<String>,
    /// How things stand.
    #[serde(flatten)]
    pub standing: ReportStanding,
    /// More of the window, when it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowFigures>,
}

/// What became of the tools of an MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum McpStep {
    /// They were seen for the first time, and what the server says of them was pinned.
    FirstSeen,
    /// The server describes some in another way, or has new ones: those are not offered.
    Held,
    /// The operator agreed to what the server says now.
    Approved,
}

/// What a server offers is not what it was, or the operator agreed to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpChange {
    /// The server's name in the configuration.
    pub server: String,
    /// What became of its tools.
    pub step: McpStep,
    /// The tools that it is about, by their own names, each with what is different: `read: changed`.
    pub tools: Vec<String>,
}

/// A live stream dropped events for a slow reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lagged {
    /// First missing ordinal of the live stream.
    pub from: u64,
    /// Last missing ordinal.
    pub to: u64,
}
