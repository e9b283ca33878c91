//! Reports that were made: they stand in the system journal, as long as that keeps them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use artoo_journal::{Follower, JournalError};
use artoo_types::operator::AuditReport;
use artoo_types::{Envelope, Message};

/// The reports in the journal at `path` that come before the envelope `before`, newest first, at most `limit`, each with
/// the sequence of its envelope. Lines that are no envelopes are passed over: the auditor tells of them.
///
/// # Errors
/// When the journal cannot be read.
pub(super) fn read(path: &Path, before: Option<u64>, limit: usize) -> io::Result<Vec<(u64, AuditReport)>> {
    let mut last = VecDeque::new();
    visit(path, |sequence, report| {
        if before.is_none_or(|before| sequence < before) {
            if last.len() == limit {
                last.pop_front();
            }
            last.push_back((sequence, report));
        }
    })?;
    Ok(last.into_iter().rev().collect())
}

/// Calls `see` for each report in the journal, oldest first; for none where there is no journal.
pub(super) fn visit(path: &Path, mut see: impl FnMut(u64, AuditReport)) -> io::Result<()> {
    if let Err(error) = File::open(path) {
        return if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) };
    }
    let broken = |error: JournalError| io::Error::other(error.to_string());
    let mut envelopes: Follower<Envelope> = Follower::open(path, 0).map_err(broken)?;
    loop {
        match envelopes.next_record() {
            Ok(Some(envelope)) => {
                if let Message::AuditReport(report) = envelope.payload {
                    see(envelope.sequence, report);
                }
            }
            Ok(None) => return Ok(()),
            Err(JournalError::BadLine(_)) => {}
            Err(error) => return Err(broken(error)),
        }
    }
}
