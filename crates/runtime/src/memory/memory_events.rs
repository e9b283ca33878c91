//! What R5 did to its own records, told to the operator.

use artoo_store::TickReport;
use artoo_types::envelope::Role;
use artoo_types::memory::{ChangeKind, Level, MAX_CHANGE_IDS, MemoryChange};

use crate::system::SystemBus;

/// Most tags that one change names. The count tells of the rest.
const MAX_TAGS: usize = 64;

/// Tells what the way down did. A report without a deed says nothing.
pub(super) fn tell(system: &SystemBus, report: &TickReport) {
    for change in changes(report) {
        if let Err(error) = system.publish(Role::Memory, Role::Operator, change.into()) {
            tracing::warn!(%error, "what the memory did by itself was not told");
        }
    }
}

fn changes(report: &TickReport) -> Vec<MemoryChange> {
    let mut changes = Vec::new();
    if !report.forgotten.is_empty() {
        changes.push(MemoryChange {
            tags: report.forgotten.iter().map(|swept| swept.tag.clone()).take(MAX_TAGS).collect(),
            count: report.forgotten.iter().map(|swept| swept.count).sum(),
            ..MemoryChange::of(ChangeKind::Faded, "attention below 0.1")
        });
    }
    for demoted in report.demoted.chunks(MAX_CHANGE_IDS.min(MAX_TAGS)) {
        changes.push(MemoryChange {
            tags: demoted.iter().map(|demotion| demotion.tag.clone()).collect(),
            ids: demoted.iter().map(|demotion| demotion.rule).collect(),
            count: demoted.len() as u64,
            level: Some(Level::C),
            ..MemoryChange::of(ChangeKind::Demoted, "experience speaks against it")
        });
    }
    changes
}

#[cfg(test)]
mod tests;
