//! The auditor's report, and the check of its log.

use std::collections::HashMap;

use artoo_protocol::v1::{
    AuditQueryRequest, AuditReport, ToolHealth, VerifyAuditRequest, VerifyAuditResponse, WindowFigures,
    WindowHealth,
};
use clap::Subcommand;

use crate::commands::findings;
use crate::console::Console;
use crate::exit::{ABANDONED, DONE, Failure};
use crate::ids;
use crate::render::figures::{between, count, duration, plot};
use crate::render::line::{LIST_LINES, and_more};
use crate::render::{Line, Tone};

/// Further commands of the auditor.
#[derive(Debug, Clone, Subcommand)]
pub enum AuditCommand {
    /// Check the chain of the log from end to end, or what concerns one task: its lines and its journal
    Verify {
        /// Only this task; the start of its id is enough
        task: Option<String>,
        /// The same
        #[arg(long = "task", value_name = "ID", conflicts_with = "task")]
        named_task: Option<String>,
        /// Also compare the memory's running sums with its records
        #[arg(long)]
        memory: bool,
        /// A head hash that you noted down from a report or the system log: the log must hold it
        #[arg(long = "anchor", value_name = "HASH")]
        anchors: Vec<String>,
    },
    /// What the auditor found: what nobody has acknowledged first
    List {
        /// Only what nobody has acknowledged
        #[arg(long)]
        open: bool,
        /// How many
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// One finding: what, where, and what to do about it
    Show {
        /// The finding; the start of its id is enough
        id: String,
    },
    /// Say that you have seen findings: they are no longer open
    Ack {
        /// The findings; the start of each id is enough
        #[arg(required_unless_present = "all")]
        ids: Vec<String>,
        /// All that are open
        #[arg(long, conflicts_with = "ids")]
        all: bool,
    },
    /// The reports that were made, newest first
    Reports {
        /// How many
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
}

/// A further command of the auditor.
pub async fn run(console: &mut Console, command: AuditCommand) -> Result<u8, Failure> {
    match command {
        AuditCommand::Verify { task, named_task, memory, anchors } => {
            verify(console, task.or(named_task), memory, anchors).await
        }
        AuditCommand::List { open, limit } => findings::list(console, limit, open).await,
        AuditCommand::Show { id } => findings::show(console, id).await,
        AuditCommand::Ack { ids, all } => findings::acknowledge(console, ids, all).await,
        AuditCommand::Reports { limit } => findings::reports(console, limit).await,
    }
}

/// `artoo audit`.
pub async fn report(console: &mut Console, include_window: bool) -> Result<u8, Failure> {
    let report = console
        .daemon
        .answer(console.client.audit_query(AuditQueryRequest { include_window }).await)?
        .report
        .unwrap_or_default();
    console.print(&report, |report, look| lines(report, look.width)).await?;
    Ok(DONE)
}

/// `artoo audit verify`; exit code 1 when something is wrong.
pub async fn verify(
    console: &mut Console,
    task: Option<String>,
    include_memory: bool,
    anchors: Vec<String>,
) -> Result<u8, Failure> {
    let task_id = match task {
        Some(task) => ids::task(console, &task).await?,
        None => String::new(),
    };
    let request = VerifyAuditRequest { task_id, include_memory, anchors };
    let found = console.daemon.answer(console.client.verify_audit(request).await)?;
    console.print(&found, |found, _| verify_lines(found)).await?;
    Ok(if found.intact && found.findings.is_empty() { DONE } else { ABANDONED })
}

fn lines(report: &AuditReport, width: usize) -> Vec<Line> {
    let window = duration(between(report.window_start.as_ref(), report.window_end.as_ref()));
    let mut lines = vec![
        Line::new()
            .add(Tone::Strong, "audit")
            .foreign(Tone::Dim, &format!(" · {} · window of {window}", report.trigger)),
    ];
    let seen = format!(
        "{}, {}, {}",
        count(report.tasks_observed, "task"),
        count(report.total_corrections, "correction"),
        health(report.tool_health.as_ref())
    );
    lines.extend(wrapped("", &seen, width));
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
    lines.extend(report.health.iter().flat_map(|health| health_lines(health, width)));
    if report.open_findings > 0 {
        let said = format!("  open      {}: artoo audit list", count(report.open_findings, "finding"));
        lines.push(Line::new().add(Tone::Warn, said));
    }
    if let Some(totals) = &report.totals {
        let said = format!(
            "{}, {}, {}, {}, {} outside the contract, {}, {} remarkable",
            count(totals.tasks_observed, "task"),
            count(totals.replans, "replan"),
            count(totals.total_corrections, "correction"),
            count(totals.envelopes, "message"),
            totals.boundary_violations,
            count(totals.drift_alerts, "drift"),
            totals.anomalies
        );
        lines.extend(wrapped("in all", &said, width));
    }
    lines.extend(report.window.iter().flat_map(|window| window_lines(window, width)));
    lines.extend(head_lines(report, width));
    lines
}

/// A label and what it is about, in lines of this width; no word is broken.
fn wrapped(label: &str, text: &str, width: usize) -> Vec<Line> {
    let head = if label.is_empty() { String::new() } else { format!("{label:<10}") };
    Line::plain("  ").add(Tone::Dim, head).hanging(Tone::Plain, text, width, LIST_LINES)
}

/// The head of the log, whole, so that it can be noted down, and where else it is recorded.
fn head_lines(report: &AuditReport, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if report.unread > 0 {
        let said = format!("  behind    {} with more to read", count(report.unread, "journal"));
        lines.push(Line::new().add(Tone::Warn, said));
    }
    if let Some(head) = report.head.as_ref().filter(|head| head.seq > 0) {
        let hash = format!("{} {}", head.seq, head.hash);
        lines.push(Line::plain("  ").add(Tone::Dim, "head      ").foreign(Tone::Dim, &hash));
        let places = report.anchored_in.join(", ");
        lines.extend(wrapped("recorded", &places, width));
        if !report.anchored_in.iter().any(|place| place.starts_with("system log")) {
            let hint = "this machine has no system log that artoo can reach: note the head down elsewhere";
            lines.extend(Line::plain("            ").hanging(Tone::Dim, hint, width, LIST_LINES));
        }
    }
    lines
}

/// How the tasks of the window fared: ends, D round by round, and what an acceptance took.
fn health_lines(health: &WindowHealth, width: usize) -> Vec<Line> {
    let mut lines = counted("ended", &health.reasons, width);
    if !health.distances.is_empty() {
        let rounds: Vec<String> = health.distances.iter().map(|round| format!("{:.2}", round.mean)).collect();
        let said = format!(
            "mean D {} by round {}",
            rounds.join(" → "),
            plot(health.distances.iter().map(|r| r.mean))
        );
        lines.extend(wrapped("rounds", &said, width));
    }
    if health.accepts > 0 {
        let said =
            format!("{}, {:.1} replans each", count(health.accepts, "acceptance"), health.replans_per_accept);
        lines.push(Line::plain("  ").add(Tone::Dim, "accepted  ").add(Tone::Plain, said));
    }
    lines
}

/// Counts by word, on a line of its own; none where there are none.
fn counted(label: &str, counts: &HashMap<String, u64>, width: usize) -> Vec<Line> {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort();
    if counts.is_empty() {
        return Vec::new();
    }
    let said: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    wrapped(label, &said.join(", "), width)
}

fn window_lines(window: &WindowFigures, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::plain("  ").add(
        Tone::Dim,
        format!("window    {}, {}", count(window.envelopes, "message"), count(window.replans, "replan")),
    )];
    lines.extend(counted("found", &window.findings, width));
    for share in &window.roles {
        let said = format!(
            "{} {}: {} of {}, before {} of {}",
            share.role, share.measure, share.bad, share.all, share.bad_before, share.all_before
        );
        lines.extend(wrapped("role", &said, width));
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
mod tests {
    use std::collections::HashMap;

    use artoo_protocol::v1::{
        AnchorFound, AuditHead, AuditReport, AuditTotals, RoleShare, VerifyAuditResponse, WindowFigures,
    };

    use super::{lines, verify_lines};
    use crate::render::Line;

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| format!("{}\n", line.text(false))).collect()
    }

    fn report() -> AuditReport {
        AuditReport {
            trigger: "on-demand".to_owned(),
            head: Some(AuditHead { seq: 7, hash: "ab".repeat(32) }),
            anchored_in: vec!["audit/anchors.jsonl".to_owned(), "system log (/dev/log)".to_owned()],
            ..AuditReport::default()
        }
    }

    #[test]
    fn a_report_shows_the_whole_head_however_narrow_the_screen_is() {
        let shown = text(&lines(&report(), 40));
        assert!(shown.contains(&format!("head      7 {}\n", "ab".repeat(32))), "{shown}");
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("recorded audit/anchors.jsonl, system log (/dev/log)"), "{shown}");
        assert!(!shown.contains("note the head down") && !shown.contains("behind"), "{shown}");
    }

    #[test]
    fn no_line_is_wider_than_the_screen_and_no_word_is_broken() {
        let anchored_in = vec!["audit/anchors.jsonl".to_owned()];
        let narrow =
            lines(&AuditReport { totals: Some(AuditTotals::default()), anchored_in, ..report() }, 60);
        let shown = text(&narrow);
        let too_wide = |line: &&str| line.chars().count() > 60 && !line.contains("head");
        assert_eq!(shown.lines().filter(too_wide).collect::<Vec<_>>(), Vec::<&str>::new());
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("0 outside the contract, 0 drifts, 0 remarkable"), "{shown}");
        assert!(
            words.contains("no system log that artoo can reach: note the head down elsewhere"),
            "{shown}"
        );
    }

    #[test]
    fn a_report_says_where_there_is_no_system_log_and_that_it_is_behind() {
        let places = vec!["audit/anchors.jsonl".to_owned()];
        let shown = text(&lines(&AuditReport { anchored_in: places, unread: 3, ..report() }, 100));
        assert!(shown.contains("note the head down elsewhere"), "{shown}");
        assert!(shown.contains("behind    3 journals with more to read"), "{shown}");
    }

    #[test]
    fn a_window_is_shown_when_it_is_there() {
        let share = RoleShare {
            role: "R3".to_owned(),
            measure: "failed verdicts".to_owned(),
            bad: 1,
            all: 20,
            bad_before: 3,
            all_before: 90,
        };
        let window = WindowFigures {
            envelopes: 41,
            replans: 1,
            reasons: HashMap::from([("criteria_met".to_owned(), 2), ("declined".to_owned(), 1)]),
            findings: HashMap::from([("drops".to_owned(), 1)]),
            roles: vec![share],
        };
        let shown = text(&lines(&AuditReport { window: Some(window), ..report() }, 100));
        for part in [
            "window    41 messages, 1 replan\n",
            "found     1 drops\n",
            "role      R3 failed verdicts: 1 of 20, before 3 of 90\n",
        ] {
            assert!(shown.contains(part), "{part:?} in {shown}");
        }
    }

    #[test]
    fn a_check_names_what_it_was_held_against_and_where_noted_hashes_are() {
        let found = VerifyAuditResponse {
            intact: true,
            lines: 12,
            segments: 2,
            anchors_checked: 1,
            anchors_found: vec![AnchorFound {
                hash: "cd".repeat(32),
                sequence: 9,
                segment: "audit-000001.jsonl".to_owned(),
            }],
            ..VerifyAuditResponse::default()
        };
        let shown = text(&verify_lines(&found));
        assert!(
            shown.contains("✓ intact   12 lines in 2 segments checked, against 1 recorded head\n"),
            "{shown}"
        );
        assert!(
            shown.contains(&format!("✓ {} is line 9 of the log, in audit-000001.jsonl", "cd".repeat(32))),
            "{shown}"
        );
        let broken = VerifyAuditResponse { findings: vec!["x: line 3 was changed".to_owned()], ..found };
        let shown = text(&verify_lines(&VerifyAuditResponse { intact: false, ..broken }));
        assert!(shown.starts_with("✗ not intact") && shown.contains("line 3 was changed"), "{shown}");
    }
}
