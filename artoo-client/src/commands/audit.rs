//! The auditor's report, and the check of its log.

use artoo_protocol::v1::{
    AuditQueryRequest, AuditReport, ToolHealth, VerifyAuditRequest, VerifyAuditResponse, WindowFigures,
};

use crate::commands::Asking;
use crate::exit::{ABANDONED, DONE, Failure};
use crate::render::compact::{LIST_LINES, and_more};
use crate::render::figures::{between, count, duration};
use crate::render::{Line, Tone};

/// `artoo audit`.
///
/// # Errors
/// The daemon's error.
pub async fn report(asking: &mut Asking, include_window: bool) -> Result<u8, Failure> {
    let response = asking.client.audit_query(AuditQueryRequest { include_window }).await;
    let report = asking.answer(response)?.report.unwrap_or_default();
    asking.print(&report, |report, look| lines(report, look.width)).await?;
    Ok(DONE)
}

/// `artoo audit verify`; exit code 1 when something is wrong.
///
/// # Errors
/// The daemon's error.
pub async fn verify(asking: &mut Asking, include_memory: bool, anchors: Vec<String>) -> Result<u8, Failure> {
    let request = VerifyAuditRequest { task_id: String::new(), include_memory, anchors };
    let response = asking.client.verify_audit(request).await;
    let found = asking.answer(response)?;
    asking.print(&found, |found, _| verify_lines(found)).await?;
    Ok(if found.intact && found.findings.is_empty() { DONE } else { ABANDONED })
}

fn lines(report: &AuditReport, width: usize) -> Vec<Line> {
    let window = duration(between(report.window_start.as_ref(), report.window_end.as_ref()));
    let mut lines = vec![
        Line::new()
            .add(Tone::Strong, "audit")
            .foreign(Tone::Dim, &format!(" · {} · window of {window}", report.trigger)),
        Line::plain(format!(
            "  {}, {}   {}",
            count(report.tasks_observed, "task"),
            count(report.total_corrections, "correction"),
            health(report.tool_health.as_ref())
        )),
    ];
    let lists = [
        ("violation", Tone::Bad, &report.boundary_violations),
        ("drift", Tone::Warn, &report.drift_alerts),
        ("anomaly", Tone::Warn, &report.anomalies),
    ];
    for (label, tone, list) in lists {
        for text in list.iter().take(LIST_LINES) {
            lines.push(
                Line::plain("  ").add(tone, format!("{label:<10}")).foreign(Tone::Plain, text).fit(width),
            );
        }
        lines.extend(and_more(list.len(), "            "));
    }
    for trend in report.gap_trends.iter().take(LIST_LINES) {
        let text = format!("{} {}", trend.task_id, trend.trend);
        lines.push(Line::plain("  ").add(Tone::Dim, "trend     ").foreign(Tone::Plain, &text).fit(width));
    }
    lines.extend(and_more(report.gap_trends.len(), "            "));
    if let Some(totals) = &report.totals {
        lines.push(Line::plain("  ").add(
            Tone::Dim,
            format!(
                "in all    {}, {}, {}, {}, {} outside the contract, {}, {} remarkable",
                count(totals.tasks_observed, "task"),
                count(totals.replans, "replan"),
                count(totals.total_corrections, "correction"),
                count(totals.envelopes, "message"),
                totals.boundary_violations,
                count(totals.drift_alerts, "drift"),
                totals.anomalies
            ),
        ));
    }
    lines.extend(report.window.iter().flat_map(window_lines));
    lines.extend(head_lines(report));
    lines
}

/// The head of the log, whole, so that it can be noted down, and where else it is recorded.
fn head_lines(report: &AuditReport) -> Vec<Line> {
    let mut lines = Vec::new();
    if report.unread > 0 {
        let said = format!("  behind    {} with more to read", count(report.unread, "journal"));
        lines.push(Line::new().add(Tone::Warn, said));
    }
    if let Some(head) = report.head.as_ref().filter(|head| head.seq > 0) {
        let hash = format!("{} {}", head.seq, head.hash);
        lines.push(Line::plain("  ").add(Tone::Dim, "head      ").foreign(Tone::Dim, &hash));
        let places = report.anchored_in.join(", ");
        lines.push(Line::plain("  ").add(Tone::Dim, "recorded  ").foreign(Tone::Dim, &places));
        if !report.anchored_in.iter().any(|place| place.starts_with("system log")) {
            let hint =
                "          this machine has no system log that artoo can reach: note the head down elsewhere";
            lines.push(Line::plain("  ").add(Tone::Dim, hint));
        }
    }
    lines
}

fn window_lines(window: &WindowFigures) -> Vec<Line> {
    let mut lines = vec![Line::plain("  ").add(
        Tone::Dim,
        format!("window    {}, {}", count(window.envelopes, "message"), count(window.replans, "replan")),
    )];
    for (label, counts) in [("ended", &window.reasons), ("found", &window.findings)] {
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort();
        let said: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        if !said.is_empty() {
            let label = format!("{label:<10}");
            lines.push(Line::plain("  ").add(Tone::Dim, label).foreign(Tone::Plain, &said.join(", ")));
        }
    }
    for share in &window.roles {
        let said = format!(
            "{} {}: {} of {}, before {} of {}",
            share.role, share.measure, share.bad, share.all, share.bad_before, share.all_before
        );
        lines.push(Line::plain("  ").add(Tone::Dim, "role      ").foreign(Tone::Plain, &said));
    }
    lines
}

fn health(health: Option<&ToolHealth>) -> String {
    let health = health.copied().unwrap_or_default();
    format!(
        "{}, {} environmental and {} logical retries",
        count(health.execution_failures, "failed attempt"),
        health.environmental_retries,
        health.logical_retries
    )
}

fn verify_lines(found: &VerifyAuditResponse) -> Vec<Line> {
    let checked = format!(
        "   {} in {} checked, against {}",
        count(found.lines, "line"),
        count(u64::from(found.segments), "segment"),
        count(found.anchors_checked, "recorded head")
    );
    let mut lines = vec![if found.intact {
        Line::new().add(Tone::Good, "✓ intact").add(Tone::Dim, checked)
    } else {
        Line::new().add(Tone::Bad, "✗ not intact").add(Tone::Dim, checked)
    }];
    lines.extend(found.findings.iter().map(|finding| Line::plain("  ").foreign(Tone::Plain, finding)));
    for anchor in &found.anchors_found {
        let said = format!("{} is line {} of the log, in {}", anchor.hash, anchor.sequence, anchor.segment);
        lines.push(Line::plain("  ").add(Tone::Good, "✓ ").foreign(Tone::Plain, &said));
    }
    if !found.head_hash.is_empty() {
        let head = format!("head {} {}", found.head_sequence, found.head_hash);
        lines.push(Line::plain("  ").foreign(Tone::Dim, &head));
    }
    lines
}

#[cfg(test)]
mod tests;
