//! What the auditor reports.

use artoo_protocol::v1;
use artoo_types::operator::{AuditReport, AuditTotals, GapTrend, ToolHealth};

use super::{timestamp, word};

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
        reasons: m.reasons.iter().map(|(reason, count)| (reason.clone(), *count)).collect(),
        boundary_violations: m.boundary_violations,
        anomalies: m.anomalies,
        tool_health: Some(tool_health(&m.tool_health)),
    }
}
