//! What the auditor found, its acknowledgement, and the reports that were made.

use artoo_protocol::v1::{
    AckFindingRequest, AckFindingResponse, GetFindingRequest, ListFindingsRequest, ListFindingsResponse,
    ListReportsRequest, ListReportsResponse, ListedFinding,
};

use crate::answers::token;
use crate::commands::age;
use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::render::figures::{count, short_id};
use crate::render::{Line, Tone};

/// Columns of an id and the space behind it.
const ID: usize = 13;
/// Lines that the words of one finding take in a list.
const DETAIL_LINES: usize = 2;
/// Lines that they take where one finding is shown.
const ALL_LINES: usize = 40;

/// `artoo audit list`.
pub async fn list(console: &mut Console, limit: u32, open_only: bool) -> Result<u8, Failure> {
    let request =
        ListFindingsRequest { page_size: limit.clamp(1, 200), page_token: String::new(), open_only };
    let findings = console.daemon.answer(console.client.list_findings(request).await)?;
    console.print(&findings, |findings, look| lines(findings, look.width)).await?;
    Ok(DONE)
}

/// `artoo audit show ID`.
pub async fn show(console: &mut Console, finding_id: String) -> Result<u8, Failure> {
    let answer = console.client.get_finding(GetFindingRequest { finding_id }).await;
    let found = console.daemon.answer(answer)?.finding.unwrap_or_default();
    console.print(&found, |found, look| all_lines(found, look.width)).await?;
    Ok(DONE)
}

/// `artoo audit ack ID...`, or all that are open.
pub async fn acknowledge(
    console: &mut Console,
    mut finding_ids: Vec<String>,
    all: bool,
) -> Result<u8, Failure> {
    if all {
        finding_ids = open_ids(console).await?;
    }
    let answered = if finding_ids.is_empty() {
        AckFindingResponse::default()
    } else {
        let request = AckFindingRequest { finding_ids, token: token(&console.daemon.paths)? };
        let answer = console.client.ack_finding(request).await;
        console.daemon.answer(answer)?
    };
    console.print(&answered, |answered, look| acknowledged_lines(answered, look.width)).await?;
    Ok(DONE)
}

/// `artoo audit reports`.
pub async fn reports(console: &mut Console, limit: u32) -> Result<u8, Failure> {
    let request = ListReportsRequest { page_size: limit.clamp(1, 200), page_token: String::new() };
    let reports = console.daemon.answer(console.client.list_reports(request).await)?;
    console.print(&reports, |reports, look| report_lines(reports, look.width)).await?;
    Ok(DONE)
}

/// What a conversation says of a new finding.
pub fn news(id: &str, kind: &str, detail: &str, width: usize) -> Line {
    Line::plain("  ")
        .add(Tone::Warn, "! the auditor found ")
        .foreign(Tone::Warn, kind)
        .foreign(Tone::Plain, &format!("  {detail}"))
        .fit(width.saturating_sub(id.len() + 20))
        .foreign(Tone::Dim, &format!("  artoo audit show {id}"))
}

async fn open_ids(console: &mut Console) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListFindingsRequest { page_size: 200, page_token, open_only: true };
        let page = console.daemon.answer(console.client.list_findings(request).await)?;
        ids.extend(page.findings.into_iter().filter_map(|listed| Some(listed.finding?.id)));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok(ids);
        }
    }
}

fn lines(found: &ListFindingsResponse, width: usize) -> Vec<Line> {
    if found.findings.is_empty() {
        return vec![Line::new().add(Tone::Dim, "the auditor found nothing")];
    }
    let mut lines: Vec<Line> = found.findings.iter().flat_map(|listed| row(listed, width)).collect();
    if found.beyond > 0 {
        let said = format!("and {} older, in the audit log alone", found.beyond);
        lines.push(Line::plain("  ").add(Tone::Dim, said));
    }
    let more = if found.next_page_token.is_empty() { "" } else { "; more: artoo audit list --limit 200" };
    let open = if found.open == 0 {
        format!("none is open{more}")
    } else {
        format!("{} open · artoo audit show ID · artoo audit ack ID{more}", found.open)
    };
    lines.push(Line::new().add(Tone::Dim, open).fit(width));
    lines
}

/// One finding: what it is and where, and below it its words.
fn row(listed: &ListedFinding, width: usize) -> Vec<Line> {
    let finding = listed.finding.clone().unwrap_or_default();
    let (tone, mark) = if listed.acknowledged_at.is_none() { (Tone::Warn, "! ") } else { (Tone::Dim, "  ") };
    let task = short_id(&finding.task_id);
    let mut head = Line::new()
        .add(tone, mark)
        .foreign(Tone::Accent, &finding.id)
        .to_column(ID + 2)
        .foreign(tone, &finding.kind)
        .add(Tone::Dim, format!("  {}", age(finding.time.as_ref())));
    if !task.is_empty() {
        head = head.foreign(Tone::Dim, &format!("  task {task}"));
    }
    if let Some(seen) = &listed.acknowledged_at {
        head = head.add(Tone::Dim, format!("  seen {}", age(Some(seen))));
    }
    let below = Line::plain("    ").hanging(tone_of_words(listed), &finding.detail, width, DETAIL_LINES);
    std::iter::once(head.fit(width)).chain(below).collect()
}

fn tone_of_words(listed: &ListedFinding) -> Tone {
    if listed.acknowledged_at.is_none() { Tone::Plain } else { Tone::Dim }
}

fn all_lines(listed: &ListedFinding, width: usize) -> Vec<Line> {
    let finding = listed.finding.clone().unwrap_or_default();
    let state = match &listed.acknowledged_at {
        Some(seen) => format!("seen {}", age(Some(seen))),
        None => "open".to_owned(),
    };
    let mut lines = vec![
        Line::new()
            .foreign(Tone::Accent, &finding.id)
            .foreign(Tone::Strong, &format!("  {}", finding.kind))
            .add(Tone::Dim, format!("  {} · {state}", age(finding.time.as_ref())))
            .fit(width),
    ];
    let place = match (finding.task_id.as_str(), finding.sequence) {
        ("", 0) => String::new(),
        ("", sequence) => format!("message {sequence} outside of tasks"),
        (task, 0) => format!("task {task}"),
        (task, sequence) => format!("task {task}, message {sequence}"),
    };
    let rows = [
        ("what", &finding.detail),
        ("where", &place),
        ("message", &finding.message),
        ("to do", &listed.advice),
    ];
    for (label, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        let head = Line::plain("  ").add(Tone::Dim, format!("{label:<9}"));
        lines.extend(head.hanging(Tone::Plain, text, width, ALL_LINES));
    }
    let id = finding.id.as_str();
    if listed.acknowledged_at.is_none() {
        let hint = format!("  when you have seen it: artoo audit ack {id}");
        lines.push(Line::new().foreign(Tone::Dim, &hint).fit(width));
    }
    lines
}

fn acknowledged_lines(answered: &AckFindingResponse, width: usize) -> Vec<Line> {
    let seen = count(answered.findings.len() as u64, "finding");
    let left = if answered.open == 0 { "none is open".to_owned() } else { format!("{} open", answered.open) };
    let mut lines = vec![
        Line::new().add(Tone::Good, format!("✓ {seen} seen")).add(Tone::Dim, format!(" · {left}")).fit(width),
    ];
    for listed in &answered.findings {
        let finding = listed.finding.clone().unwrap_or_default();
        let line = Line::plain("  ").foreign(Tone::Dim, &finding.id).add(Tone::Dim, "  ");
        lines.push(line.foreign(Tone::Dim, &finding.kind).fit(width));
    }
    lines
}

fn report_lines(reports: &ListReportsResponse, width: usize) -> Vec<Line> {
    if reports.reports.is_empty() {
        return vec![Line::new().add(Tone::Dim, "no reports yet; `artoo audit` makes one")];
    }
    let line = |listed: &artoo_protocol::v1::ListedReport| {
        let report = listed.report.clone().unwrap_or_default();
        let found = report.boundary_violations.len() + report.drift_alerts.len() + report.anomalies.len();
        Line::plain("  ")
            .foreign(Tone::Accent, &format!("{:<10}", report.trigger))
            .add(Tone::Dim, format!("{:<12}", age(report.window_end.as_ref())))
            .add(
                if found > 0 { Tone::Warn } else { Tone::Plain },
                format!(
                    "{}, {}, {}",
                    count(report.tasks_observed, "task"),
                    count(report.total_corrections, "correction"),
                    count(found as u64, "finding")
                ),
            )
            .fit(width)
    };
    reports.reports.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{AckFindingResponse, AuditFinding, ListFindingsResponse, ListedFinding};

    use super::{acknowledged_lines, all_lines, lines, news};
    use crate::render::Line;

    const TASK: &str = "0197b2c4-1a2b-7000-8000-000000000001";

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| format!("{}\n", line.text(false))).collect()
    }

    fn finding() -> ListedFinding {
        let finding = AuditFinding {
            id: "f0123456789".to_owned(),
            task_id: TASK.to_owned(),
            sequence: 41,
            kind: "stale_accept".to_owned(),
            detail: "\"the report is there\": report.md was so before, and no call of the task changed it"
                .to_owned(),
            message: "final_result R7 → user: Accept (criteria_met)".to_owned(),
            ..AuditFinding::default()
        };
        ListedFinding { finding: Some(finding), acknowledged_at: None, advice: "Look at it.".to_owned() }
    }

    #[test]
    fn a_list_has_what_is_open_and_says_how_to_go_on_in_eighty_columns() {
        let closed = ListedFinding { acknowledged_at: Some(Default::default()), ..finding() };
        let found = ListFindingsResponse {
            findings: vec![finding(), closed],
            open: 1,
            beyond: 3,
            ..Default::default()
        };
        let shown = lines(&found, 80);
        assert!(shown.iter().all(|line| line.columns() <= 80), "{}", text(&shown));
        let shown = text(&shown);
        assert!(shown.starts_with("! f0123456789  stale_accept  –  task 0197b2c4-1a2b\n"), "{shown}");
        assert!(shown.contains("    \"the report is there\": report.md was so before"), "{shown}");
        assert!(shown.contains("  f0123456789  stale_accept  –  task 0197b2c4-1a2b  seen "), "{shown}");
        assert!(shown.contains("and 3 older, in the audit log alone"), "{shown}");
        assert!(shown.ends_with("1 open · artoo audit show ID · artoo audit ack ID\n"), "{shown}");
        assert_eq!(text(&lines(&ListFindingsResponse::default(), 80)), "the auditor found nothing\n");
    }

    #[test]
    fn one_finding_shows_what_where_by_which_message_and_what_to_do() {
        let shown = text(&all_lines(&finding(), 200));
        for part in [
            "f0123456789  stale_accept  – · open\n",
            "what     \"the report is there\"",
            "where    task 0197b2c4-1a2b-7000-8000-000000000001, message 41\n",
            "message  final_result R7 → user: Accept (criteria_met)\n",
            "to do    Look at it.\n",
            "when you have seen it: artoo audit ack f0123456789\n",
        ] {
            assert!(shown.contains(part), "{part:?} in {shown}");
        }
    }

    #[test]
    fn news_fits_one_line_and_keeps_its_command() {
        let line = news("f0123456789", "plateau", &"words ".repeat(40), 80);
        assert!(line.columns() <= 80, "{}", line.text(false));
        assert!(line.text(false).ends_with("  artoo audit show f0123456789"), "{}", line.text(false));
    }

    #[test]
    fn an_acknowledgement_says_what_is_left() {
        let answered = AckFindingResponse { findings: vec![finding()], open: 0 };
        assert_eq!(
            text(&acknowledged_lines(&answered, 80)),
            "✓ 1 finding seen · none is open\n  f0123456789  stale_accept\n"
        );
    }
}
