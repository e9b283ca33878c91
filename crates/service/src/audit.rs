//! The auditor's report, the check of the audit log, and of the memory's sums when that is wanted.

use std::io::{self, ErrorKind};

use artoo_protocol::v1;
use artoo_store::MemoryReader;
use artoo_types::TaskId;
use tonic::Status;

use super::service::{Calls, blocking};
use super::{convert, errors, fields};
use artoo_runtime::auditor::verify::{
    KnownHeads, LEAST_DIGITS, LogVerification, MAX_FINDINGS, verify, verify_task,
};
use artoo_runtime::auditor::verify_task::AuditedTask;

/// Noted hashes that one request may name. A person has a few.
const MAX_NOTED: usize = 1_000;

/// The auditor's report.
pub(super) async fn audit_query(
    calls: &Calls,
    request: v1::AuditQueryRequest,
) -> Result<v1::AuditQueryResponse, Status> {
    let Some(report) = calls.parts.auditor.report(request.include_window).await else {
        return Err(errors::too_late(
            "the auditor did not report within 3 s; ask again, and if it stays silent look at debug.log in the data \
             folder",
        ));
    };
    Ok(v1::AuditQueryResponse { report: Some(convert::audit_report(&report)) })
}

/// What the check of the whole log finds.
pub(super) async fn verify_audit(
    calls: &Calls,
    request: v1::VerifyAuditRequest,
) -> Result<v1::VerifyAuditResponse, Status> {
    let task_id = match request.task_id.as_str() {
        "" => None,
        named => Some(fields::task_id(named)?),
    };
    let noted = noted(&request.anchors)?;
    // The auditor's own word on its last line is an anchor as well. Without it the check is made all the same.
    let live = calls.parts.auditor.head().await;
    let known = KnownHeads { live, noted };
    let places = calls.parts.places.clone();
    let task = task_id.map(|task_id| audited(calls, task_id)).transpose()?;
    let memory = request.include_memory.then(|| calls.parts.memory()).transpose()?;
    blocking(move || {
        let (folder, system_journal) = (places.data.join("audit"), places.system_journal());
        let checked = match &task {
            Some(task) => verify_task(&folder, &system_journal, &known, task),
            None => verify(&folder, &system_journal, &known),
        };
        let checked = checked.map_err(|error| unreadable(&error))?;
        let more = memory.as_ref().map(of_memory).transpose()?.unwrap_or_default();
        Ok(response(checked, more))
    })
    .await
}

/// The task whose records are to be checked.
fn audited(calls: &Calls, task_id: TaskId) -> Result<AuditedTask, Status> {
    let (journal, stage) = calls.parts.tasks.journal_of(task_id).map_err(|error| errors::of_task(&error))?;
    Ok(AuditedTask { task_id, journal, stage, is_read: calls.parts.auditor.has_read(task_id) })
}

fn unreadable(error: &io::Error) -> Status {
    if error.kind() == ErrorKind::InvalidInput {
        errors::not_now("TASK_DELETED", "", &error.to_string())
    } else {
        errors::broken("AUDIT_UNREADABLE", &error.to_string())
    }
}

/// The hashes that a person noted down, as the log spells them.
fn noted(anchors: &[String]) -> Result<Vec<String>, Status> {
    if anchors.len() > MAX_NOTED {
        return Err(errors::invalid("anchors", &format!("name at most {MAX_NOTED} hashes at once")));
    }
    let is_hash = |hash: &str| {
        (LEAST_DIGITS..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut noted = Vec::new();
    for anchor in anchors {
        let hash = anchor.trim().to_ascii_lowercase();
        if !is_hash(&hash) {
            let problem = format!("{LEAST_DIGITS} to 64 hex digits make a hash, as `artoo audit` shows it");
            return Err(errors::invalid("anchors", &problem));
        }
        noted.push(hash);
    }
    Ok(noted)
}

fn of_memory(memory: &MemoryReader) -> Result<Vec<String>, Status> {
    let found = memory.verify().map_err(|e| errors::broken("MEMORY_UNREADABLE", &e.to_string()))?;
    Ok(found.findings.iter().map(|finding| format!("memory: {finding}")).collect())
}

fn response(checked: LogVerification, more: Vec<String>) -> v1::VerifyAuditResponse {
    let mut findings = checked.findings;
    findings.extend(more);
    findings.truncate(MAX_FINDINGS);
    let found = checked.found.into_iter().map(|found| v1::AnchorFound {
        hash: found.head.hash,
        sequence: found.head.seq,
        segment: found.segment,
    });
    v1::VerifyAuditResponse {
        intact: findings.is_empty(),
        findings,
        lines: checked.lines,
        head_hash: checked.head.hash,
        head_sequence: checked.head.seq,
        segments: checked.segments,
        anchors_checked: checked.anchors,
        anchors_found: found.collect(),
    }
}
