//! What R5 did to its own records, told to the operator.

use artoo_store::{SharedKnowledge, TickReport};
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
    let (made, dropped): (Vec<&SharedKnowledge>, Vec<_>) = report.shared.iter().partition(|s| s.tasks > 0);
    for (shared, kind, why) in [
        (made, ChangeKind::Distilled, "several tasks of a folder share it"),
        (dropped, ChangeKind::Demoted, "a later task of its folder needed another way"),
    ] {
        for some in shared.chunks(MAX_TAGS) {
            changes.push(MemoryChange {
                tags: some.iter().map(|shared| shared.tag.clone()).collect(),
                ids: some.iter().map(|shared| shared.id).collect(),
                count: some.len() as u64,
                level: Some(Level::K),
                ..MemoryChange::of(kind, why)
            });
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use artoo_store::{Demotion, ForgottenCluster, TickReport};
    use artoo_types::memory::ChangeKind;
    use artoo_types::tag::Tag;
    use uuid::Uuid;

    use super::{MAX_TAGS, changes};

    fn check(report: &TickReport, expected: &[(ChangeKind, usize, u64)]) {
        let told: Vec<_> = changes(report).iter().map(|c| (c.kind, c.tags.len(), c.count)).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn only_deeds_are_told_and_each_with_its_number() {
        check(&TickReport { postponed: 7, ..TickReport::default() }, &[]);
        let swept = |number: usize| ForgottenCluster {
            tag: Tag::tool("glob", Some(&format!("/{number}"))),
            count: 2,
        };
        let fallen = Demotion { rule: Uuid::from_u128(1), into: Uuid::from_u128(2), tag: Tag::user() };
        let report = TickReport {
            forgotten: (0..100).map(swept).collect(),
            demoted: vec![fallen],
            ..TickReport::default()
        };
        check(&report, &[(ChangeKind::Faded, MAX_TAGS, 200), (ChangeKind::Demoted, 1, 1)]);
        assert_eq!(changes(&report)[1].ids, [Uuid::from_u128(1)]);
    }
}
