//! What the auditor found, and the reports that it made.

use artoo_protocol::v1;
use artoo_runtime::auditor::{AcknowledgedFinding, FindingShelf, FindingUnknown};
use artoo_types::Timestamp;
use artoo_types::finding::{AuditFinding, FindingId};
use tonic::Status;

use super::service::{Calls, blocking};
use super::{convert, errors, page};

/// Findings that one request may close: as many as can be open.
const MAX_ACKNOWLEDGED: usize = 512;
/// The lists, as page tokens name them.
const REPORTS: &str = "reports";

/// One page of findings, open ones first.
pub(super) async fn list_findings(
    calls: &Calls,
    request: v1::ListFindingsRequest,
) -> Result<v1::ListFindingsResponse, Status> {
    let question = format!("findings {}", request.open_only);
    let after = page::cursor(&question, &request.page_token)?;
    let shelf = shelf(calls).await?;
    let acknowledged = shelf.acknowledged().filter(|_| !request.open_only).map(closed);
    let all: Vec<v1::ListedFinding> =
        shelf.open().map(|found| listed(found, None)).chain(acknowledged).collect();
    // A finding that was acknowledged meanwhile has moved: the page goes on with what comes after it now.
    let start = match after {
        Some(after) => all.iter().position(|l| id(l) == after).ok_or_else(page::foreign)? + 1,
        None => 0,
    };
    let size = page::size(request.page_size);
    let findings: Vec<v1::ListedFinding> = all[start..].iter().take(size).cloned().collect();
    let more = start + findings.len() < all.len();
    let last = findings.last().filter(|_| more).map(id);
    Ok(v1::ListFindingsResponse {
        findings,
        next_page_token: last.map(|last| page::token(&question, &last)).unwrap_or_default(),
        open: shelf.open().count() as u64,
        beyond: shelf.dropped(),
    })
}

/// One finding.
pub(super) async fn get_finding(
    calls: &Calls,
    request: v1::GetFindingRequest,
) -> Result<v1::GetFindingResponse, Status> {
    let shelf = shelf(calls).await?;
    let (finding, at) = shelf.find(&request.finding_id).map_err(|why| unknown(&why))?;
    Ok(v1::GetFindingResponse { finding: Some(listed(finding, at)) })
}

/// Closes findings: the wish is on the disk before it is answered.
pub(super) async fn ack_finding(
    calls: &Calls,
    request: v1::AckFindingRequest,
) -> Result<v1::AckFindingResponse, Status> {
    if request.finding_ids.is_empty() || request.finding_ids.len() > MAX_ACKNOWLEDGED {
        return Err(errors::invalid("finding_ids", &format!("name 1 to {MAX_ACKNOWLEDGED} findings")));
    }
    let before = shelf(calls).await?;
    let mut meant: Vec<FindingId> = Vec::new();
    let mut open = Vec::new();
    for start in &request.finding_ids {
        let (finding, at) = before.find(start).map_err(|why| unknown(&why))?;
        meant.push(finding.id.clone());
        if at.is_none() && !open.contains(&finding.id) {
            open.push(finding.id.clone());
        }
    }
    if !open.is_empty() {
        let journaled = calls.parts.auditor.acknowledge(open).await;
        journaled.map_err(|error| errors::broken("NOT_JOURNALED", &error.to_string()))?;
    }
    let after = shelf(calls).await?;
    let as_they_are = meant.iter().filter_map(|id| after.find(&id.0).ok());
    Ok(v1::AckFindingResponse {
        findings: as_they_are.map(|(finding, at)| listed(finding, at)).collect(),
        open: after.open().count() as u64,
    })
}

/// One page of the reports that were made.
pub(super) async fn list_reports(
    calls: &Calls,
    request: v1::ListReportsRequest,
) -> Result<v1::ListReportsResponse, Status> {
    let before = page::cursor(REPORTS, &request.page_token)?;
    let before = before.map(|before| before.parse().map_err(|_| page::foreign())).transpose()?;
    let size = page::size(request.page_size);
    let auditor = calls.parts.auditor.clone();
    blocking(move || {
        let mut found = auditor
            .reports(before, size + 1)
            .map_err(|error| errors::broken("AUDIT_UNREADABLE", &error.to_string()))?;
        let more = found.len() > size;
        found.truncate(size);
        let last = found.last().filter(|_| more).map(|(sequence, _)| sequence.to_string());
        let reports = found.iter().map(|(sequence, report)| v1::ListedReport {
            sequence: *sequence,
            report: Some(convert::audit_report(report)),
        });
        Ok(v1::ListReportsResponse {
            reports: reports.collect(),
            next_page_token: last.map(|last| page::token(REPORTS, &last)).unwrap_or_default(),
        })
    })
    .await
}

async fn shelf(calls: &Calls) -> Result<FindingShelf, Status> {
    calls.parts.auditor.findings().await.ok_or_else(|| {
        errors::too_late(
            "the auditor did not answer within 3 s; ask again, and if it stays silent look at debug.log",
        )
    })
}

fn unknown(why: &FindingUnknown) -> Status {
    let message = why.to_string();
    match why {
        FindingUnknown::NoSuch(id) => errors::not_found("finding", id, &message),
        FindingUnknown::Ambiguous(_) => errors::invalid("finding_id", &message),
    }
}

fn listed(finding: &AuditFinding, at: Option<Timestamp>) -> v1::ListedFinding {
    v1::ListedFinding {
        finding: Some(convert::audit_finding(finding)),
        acknowledged_at: at.map(convert::timestamp),
        advice: finding.kind.advice().to_owned(),
    }
}

fn closed(known: &AcknowledgedFinding) -> v1::ListedFinding {
    listed(&known.finding, Some(known.at))
}

fn id(listed: &v1::ListedFinding) -> String {
    listed.finding.as_ref().map(|finding| finding.id.clone()).unwrap_or_default()
}
