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
mod tests {
    use std::time::Duration;

    use super::*;

    /// Which of these segments go, each a size in MiB and an age in days, with bounds of 10 MiB and 30 days. They are numbered
    /// from 1, and the last one is the live one.
    fn check(segments: &[(u64, u64)], expected: &[(u32, &str)]) {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 * DAY_SECONDS);
        let old = |(number, (mib, days)): (u32, &(u64, u64))| {
            let written = now - Duration::from_secs(days * DAY_SECONDS);
            OldSegment { number, bytes: mib * MIB, written }
        };
        let segments: Vec<OldSegment> = (1..).zip(segments).map(old).collect();
        let beyond = excess(&segments, &AuditLimits::keeping(10 * MIB, 30), now);
        let beyond: Vec<(u32, &str)> = beyond.iter().map(|(number, why)| (*number, why.as_str())).collect();
        assert_eq!(beyond, expected, "of {segments:?}");
    }

    const AGE: &str = "it is older than 30 days";
    const SIZE: &str = "the log is larger than 10 MiB";

    #[test]
    fn a_segment_goes_at_its_age() {
        check(&[(1, 29), (1, 0)], &[]);
        check(&[(1, 30), (1, 0)], &[(1, AGE)]);
        check(&[(1, 32), (1, 31), (1, 29), (1, 0)], &[(1, AGE), (2, AGE)]);
    }

    #[test]
    fn the_oldest_go_until_the_rest_is_within_the_size() {
        check(&[(5, 2), (4, 1), (1, 0)], &[]);
        check(&[(5, 2), (4, 1), (2, 0)], &[(1, SIZE)]);
        check(&[(1, 3), (1, 2), (9, 1), (2, 0)], &[(1, SIZE), (2, SIZE), (3, SIZE)]);
        check(&[(1, 3), (1, 2), (8, 1), (2, 0)], &[(1, SIZE), (2, SIZE)]);
    }

    #[test]
    fn what_goes_by_its_age_counts_no_more_for_the_size() {
        check(&[(9, 40), (5, 2), (5, 0)], &[(1, AGE)]);
        check(&[(9, 40), (5, 2), (6, 0)], &[(1, AGE), (2, SIZE)]);
    }

    #[test]
    fn the_live_segment_stays_whatever_its_age_and_size() {
        check(&[], &[]);
        check(&[(50, 400)], &[]);
        check(&[(1, 1), (50, 400)], &[(1, SIZE)]);
    }

    /// Else the rest of the chain would have a hole.
    #[test]
    fn nothing_goes_before_what_is_older() {
        check(&[(1, 5), (1, 40), (1, 0)], &[]);
    }

    #[test]
    fn a_segment_from_the_future_has_no_age() {
        let now = SystemTime::UNIX_EPOCH;
        let old =
            |number| OldSegment { number, bytes: MIB, written: now + Duration::from_secs(400 * DAY_SECONDS) };
        assert_eq!(excess(&[old(1), old(2)], &AuditLimits::keeping(10 * MIB, 30), now), []);
    }
}
