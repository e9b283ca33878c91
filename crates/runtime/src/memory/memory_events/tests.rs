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
    let swept =
        |number: usize| ForgottenCluster { tag: Tag::tool("glob", Some(&format!("/{number}"))), count: 2 };
    let fallen = Demotion { rule: Uuid::from_u128(1), into: Uuid::from_u128(2), tag: Tag::user() };
    let report = TickReport {
        forgotten: (0..100).map(swept).collect(),
        demoted: vec![fallen],
        ..TickReport::default()
    };
    check(&report, &[(ChangeKind::Faded, MAX_TAGS, 200), (ChangeKind::Demoted, 1, 1)]);
    assert_eq!(changes(&report)[1].ids, [Uuid::from_u128(1)]);
}
