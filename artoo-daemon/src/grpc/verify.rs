//! Checks the audit log from its oldest segment to its newest line, and the memory's sums when that is wanted.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use artoo_audit::chain::Verifier;
use artoo_protocol::v1;
use artoo_store::MemoryReader;
use tonic::Status;

use super::errors;

/// Findings that are told; a log that was rewritten has one for each of its lines.
const MAX_FINDINGS: usize = 100;

/// What the check of all segments in `folder` finds. It reads them from the disk, whatever the auditor remembers.
pub(super) fn audit(folder: &Path, memory: Option<&MemoryReader>) -> Result<v1::VerifyAuditResponse, Status> {
    let mut findings = Vec::new();
    let mut verifier = Verifier::new();
    let mut lines = 0;
    for path in segments(folder)? {
        verifier.next_segment();
        lines += segment(&path, &mut verifier, &mut findings)?;
    }
    let head_hash = match verifier.finish() {
        Ok(head) => head.hash,
        Err(cut) => {
            findings.push(cut.to_string());
            String::new()
        }
    };
    if let Some(memory) = memory {
        let found = memory.verify().map_err(|e| errors::broken("MEMORY_UNREADABLE", &e.to_string()))?;
        findings.extend(found.findings.iter().map(|finding| format!("memory: {finding}")));
    }
    findings.truncate(MAX_FINDINGS);
    Ok(v1::VerifyAuditResponse { intact: findings.is_empty(), findings, lines, head_hash })
}

/// Checks one segment and gives its number of lines. After its first bad line the rest proves nothing.
fn segment(path: &Path, verifier: &mut Verifier, findings: &mut Vec<String>) -> Result<u64, Status> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let unreadable =
        |e: std::io::Error| errors::broken("AUDIT_UNREADABLE", &format!("{}: {e}", path.display()));
    let mut count = 0;
    let mut sound = true;
    for line in BufReader::new(File::open(path).map_err(unreadable)?).lines() {
        let line = line.map_err(unreadable)?;
        count += 1;
        if sound && let Err(bad) = verifier.check(&line) {
            findings.push(format!("{name}: {bad}"));
            sound = false;
        }
    }
    Ok(count)
}

fn segments(folder: &Path) -> Result<Vec<PathBuf>, Status> {
    let unreadable =
        |e: std::io::Error| errors::broken("AUDIT_UNREADABLE", &format!("{}: {e}", folder.display()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("audit-") && name.ends_with(".jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
