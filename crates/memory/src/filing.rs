//! Under which times the indexes hold a cluster: when to look whether it is to be forgotten, and whether it has become ripe.

use artoo_types::Timestamp;

use crate::consolidation::ripe_at;
use crate::expiry::expires_at;
use crate::record::{ClusterRecord, IndexTimes};

/// Files a record whose sums were made from scratch.
pub fn file(record: &mut ClusterRecord, now: Timestamp) {
    record.filed = IndexTimes { due: expires_at(&record.all()), ripe: ripe_at(record, now) };
}

/// Files a record after [`ClusterRecord::take`]; `newborn` when it was empty before. More experience only moves the expiry
/// on, so the place of an older cluster may stay behind until it comes up.
pub fn refile(record: &mut ClusterRecord, now: Timestamp, newborn: bool) {
    if newborn {
        record.filed.due = expires_at(&record.all());
    }
    record.filed.ripe = ripe_at(record, now);
}
