//! Old segments are deleted once the log outgrows its bounds, and the log says so: the record of a deletion names the
//! last line that is gone, so that a check of the rest knows why it begins where it begins.

use std::io;
use std::time::SystemTime;

use artoo_audit::{AuditEvent, Deletion};
use artoo_types::Timestamp;

use super::log::AuditLog;
use super::{AuditLimits, segment};

const DAY_SECONDS: u64 = 86_400;
const MIB: u64 = 1024 * 1024;

/// A segment that may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OldSegment {
    number: u32,
    bytes: u64,
    /// When it was last written.
    written: SystemTime,
}

impl AuditLog {
    /// Deletes the oldest segments as long as the log is beyond a bound. The live one stays. The record of each deletion
    /// is on the disk before the segment goes.
    pub(super) fn retire(&mut self, now: Timestamp) -> io::Result<()> {
        let mut old = Vec::new();
        for (number, metadata) in self.sizes()? {
            old.push(OldSegment { number, bytes: metadata.len(), written: metadata.modified()? });
        }
        for (number, why) in excess(&old, &self.limits, SystemTime::now()) {
            let rest: Vec<u32> = old.iter().map(|o| o.number).filter(|other| *other > number).collect();
            // Without a line after it nothing would be left to prove; the next turn will find one.
            let Some(last) = segment::before(&self.places.segments, &rest)? else { return Ok(()) };
            let first = last.seq.saturating_add(1);
            let name = segment::name(number);
            tracing::info!(segment = %name, %why, "an old segment of the audit log is deleted");
            self.note(&AuditEvent::Deletion(Deletion { time: now, segment: name, last, why }));
            self.save(now)?;
            self.storage.remove(&segment::path(&self.places.segments, number))?;
            self.anchors.prune(first, self.storage.as_mut())?;
        }
        Ok(())
    }
}

/// Which segments are beyond a bound, oldest first, each with the bound in words. The last one is the live one.
fn excess(segments: &[OldSegment], limits: &AuditLimits, now: SystemTime) -> Vec<(u32, String)> {
    let mut bytes: u64 = segments.iter().map(|segment| segment.bytes).sum();
    let mut beyond = Vec::new();
    for segment in segments.iter().take(segments.len().saturating_sub(1)) {
        let age = now.duration_since(segment.written).unwrap_or_default();
        let why = if age.as_secs() / DAY_SECONDS >= u64::from(limits.keep_days) {
            format!("it is older than {} days", limits.keep_days)
        } else if bytes > limits.keep_bytes {
            format!("the log is larger than {} MiB", limits.keep_bytes / MIB)
        } else {
            break;
        };
        bytes -= segment.bytes;
        beyond.push((segment.number, why));
    }
    beyond
}

#[cfg(test)]
mod tests;
