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
