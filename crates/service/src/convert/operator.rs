//! What the auditor reports.

use std::collections::{BTreeMap, HashMap};

use artoo_protocol::v1;
use artoo_types::finding::{AuditFinding, AuditFindings, FindingAck};
use artoo_types::operator::{
    AuditHead, AuditReport, AuditTotals, GapTrend, McpChange, RoleShare, RoundDistance, ToolHealth,
    WindowFigures, WindowHealth,
};
use artoo_types::undo::{TaskUndo, TaskUndone, UndoItem};

use super::{texts, timestamp, word};

/// A report of the auditor.
pub fn audit_report(m: &AuditReport) -> v1::AuditReport {
    v1::AuditReport {
        trigger: word(m.trigger),
        window_start: Some(timestamp(m.window_start)),
        window_end: Some(timestamp(m.window_end)),
        tasks_observed: m.tasks_observed,
        total_corrections: m.total_corrections,
        gap_trends: m.gap_trends.iter().map(gap_trend).collect(),
        boundary_violations: m.boundary_violations.clone(),
        drift_alerts: m.drift_alerts.clone(),
        anomalies: m.anomalies.clone(),
        tool_health: Some(tool_health(&m.tool_health)),
        totals: Some(audit_totals(&m.totals)),
        head: Some(audit_head(&m.head)),
        anchored_in: m.anchored_in.clone(),
        unread: m.standing.unread,
        window: m.window.as_ref().map(window_figures),
        health: Some(window_health(&m.standing.health)),
        open_findings: m.standing.open_findings,
    }
}

/// A line's place in the audit log.
pub fn audit_head(m: &AuditHead) -> v1::AuditHead {
    v1::AuditHead { seq: m.seq, hash: m.hash.clone() }
}

pub(super) fn task_undo(m: &TaskUndo) -> v1::TaskUndo {
    v1::TaskUndo { undone_task_id: m.undone_task_id.to_string(), force: m.force }
}

pub(super) fn task_undone(m: &TaskUndone) -> v1::TaskUndone {
    let items = m.items.iter().map(undo_item).collect();
    v1::TaskUndone { undone_task_id: m.undone_task_id.to_string(), items }
}

/// What became of one path in an undo.
pub fn undo_item(m: &UndoItem) -> v1::UndoItem {
    v1::UndoItem {
        path: m.path.clone(),
        outcome: word(m.outcome),
        bytes: m.bytes,
        files: m.files,
        why: m.why.clone(),
    }
}

/// What became of the tools of an MCP server.
pub fn mcp_change(m: &McpChange) -> v1::McpChange {
    v1::McpChange { server: m.server.clone(), step: word(m.step), tools: m.tools.clone() }
}

/// Something that the auditor found.
pub fn audit_finding(m: &AuditFinding) -> v1::AuditFinding {
    v1::AuditFinding {
        id: m.id.to_string(),
        time: Some(timestamp(m.time)),
        task_id: m.task_id.map(|id| id.to_string()).unwrap_or_default(),
        sequence: m.sequence,
        kind: m.kind.as_str().to_owned(),
        detail: m.detail.clone(),
        message: m.message.clone(),
    }
}

pub(super) fn audit_findings(m: &AuditFindings) -> v1::AuditFindings {
    v1::AuditFindings { findings: m.findings.iter().map(audit_finding).collect() }
}

pub(super) fn finding_ack(m: &FindingAck) -> v1::FindingAck {
    v1::FindingAck { findings: texts(&m.findings) }
}

fn window_health(m: &WindowHealth) -> v1::WindowHealth {
    let round = |m: &RoundDistance| v1::RoundDistance { round: m.round, mean: m.mean, tasks: m.tasks };
    v1::WindowHealth {
        reasons: counts(&m.reasons),
        distances: m.distances.iter().map(round).collect(),
        accepts: m.accepts,
        replans_per_accept: m.replans_per_accept,
    }
}

fn gap_trend(m: &GapTrend) -> v1::GapTrend {
    v1::GapTrend { task_id: m.task_id.clone(), trend: m.trend.clone() }
}

fn tool_health(m: &ToolHealth) -> v1::ToolHealth {
    v1::ToolHealth {
        execution_failures: m.execution_failures,
        environmental_retries: m.environmental_retries,
        logical_retries: m.logical_retries,
    }
}

fn audit_totals(m: &AuditTotals) -> v1::AuditTotals {
    v1::AuditTotals {
        tasks_observed: m.tasks_observed,
        total_corrections: m.total_corrections,
        replans: m.replans,
        envelopes: m.envelopes,
        reasons: counts(&m.reasons),
        boundary_violations: m.boundary_violations,
        anomalies: m.anomalies,
        tool_health: Some(tool_health(&m.tool_health)),
        drift_alerts: m.drift_alerts,
    }
}

fn window_figures(m: &WindowFigures) -> v1::WindowFigures {
    v1::WindowFigures {
        envelopes: m.envelopes,
        replans: m.replans,
        reasons: counts(&m.reasons),
        findings: counts(&m.findings),
        roles: m.roles.iter().map(role_share).collect(),
    }
}

fn role_share(m: &RoleShare) -> v1::RoleShare {
    v1::RoleShare {
        role: m.role.clone(),
        measure: m.measure.clone(),
        bad: m.bad,
        all: m.all,
        bad_before: m.bad_before,
        all_before: m.all_before,
    }
}

fn counts(m: &BTreeMap<String, u64>) -> HashMap<String, u64> {
    m.iter().map(|(what, count)| (what.clone(), *count)).collect()
}
