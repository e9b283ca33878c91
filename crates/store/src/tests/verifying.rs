use artoo_memory::accumulator::Event;
use artoo_memory::key::Key;
use artoo_memory::record::{ClusterRecord, EvidenceWindow, IndexTimes};
use artoo_memory::sign::Sign;
use artoo_types::Timestamp;
use artoo_types::memory::Level;

use super::{START, Store, megram, rule, tool_tag};
use crate::MemoryFault;
use crate::disk::Batch;

/// What verifying finds after `damage` was done to a store of two memories and one rule. Rebuilding has to mend it.
fn check(damage: impl FnOnce(&mut Batch<'_>, &ClusterRecord)) -> Vec<MemoryFault> {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.write(&megram(1, &tag));
    store.write(&megram(2, &tag));
    store.remember(&rule(3, &tag, 1.0));
    store.verified();
    let disk = &store.open().disk;
    let record = disk.view().cluster(&tag).expect("it reads");
    let mut batch = disk.batch();
    damage(&mut batch, &record);
    batch.commit(false).expect("the damage can be done");
    let report = store.reader.verify().expect("it verifies");
    assert_eq!(report.total_findings, report.findings.len() as u64);
    store.maintenance.rebuild().expect("it rebuilds");
    store.verified();
    report.findings
}

#[test]
fn wrong_sums_are_found() {
    let tag = tool_tag("/tmp");
    let heavier = check(|batch, record| {
        let mut wrong = record.clone();
        wrong.cluster.merge(&record.cluster);
        batch.put(&Key::Cluster(tag.clone()), &wrong.encode());
    });
    assert!(
        matches!(&heavier[0], MemoryFault::WrongSums { stored: (4, _), found: (2, _), .. }),
        "{heavier:?}"
    );
    assert_eq!(heavier[1..], [MemoryFault::WrongHeaviest { tag: tag.clone() }]);
    let missing = check(|batch, _| batch.delete(&Key::Cluster(tag.clone())));
    assert!(missing.iter().any(|finding| matches!(finding, MemoryFault::WrongSums { stored: (0, _), .. })));
    let unreadable = check(|batch, _| batch.put(&Key::Cluster(tag.clone()), b"nonsense"));
    assert!(
        unreadable.iter().any(|finding| matches!(finding, MemoryFault::Damaged { .. })),
        "{unreadable:?}"
    );
}

#[test]
fn missing_indexes_are_found() {
    let tag = tool_tag("/tmp");
    let id = megram(1, &tag).id;
    let of_rule = rule(3, &tag, 1.0).id;
    for key in [Key::Tagged(tag.clone(), id), Key::Level(Level::M, id), Key::Rule(tag.clone(), of_rule)] {
        let findings = check(|batch, _| batch.delete(&key));
        assert!(findings.iter().any(|finding| matches!(finding, MemoryFault::NotIndexed { .. })), "{key:?}");
    }
}

#[test]
fn leftovers_are_found() {
    let (tag, other) = (tool_tag("/tmp"), tool_tag("/gone"));
    let id = megram(9, &tag).id;
    let keys = [
        Key::Tagged(tag.clone(), id),
        Key::Level(Level::K, megram(1, &tag).id),
        Key::Rule(tag.clone(), megram(1, &tag).id),
        Key::Due(Timestamp(5), tag.clone()),
        Key::Due(Timestamp(5), other.clone()),
        Key::Ripe(other.clone()),
        Key::Since(other),
    ];
    for key in keys {
        let findings = check(|batch, _| batch.put(&key, &[]));
        assert!(matches!(&findings[..], [MemoryFault::Stray { .. }]), "{key:?}: {findings:?}");
    }
}

#[test]
fn a_cluster_that_would_never_be_forgotten_is_found() {
    let tag = tool_tag("/tmp");
    let unfiled = check(|batch, record| {
        let filed = IndexTimes { due: None, ..record.filed };
        batch.set_cluster(&tag, &ClusterRecord { filed, ..record.clone() }, record.filed);
    });
    assert_eq!(unfiled, [MemoryFault::FiledLate { tag: tag.clone() }]);
    let late = check(|batch, record| {
        let filed = IndexTimes { due: Some(Timestamp(i64::MAX - 1)), ..record.filed };
        batch.set_cluster(&tag, &ClusterRecord { filed, ..record.clone() }, record.filed);
    });
    assert_eq!(late, [MemoryFault::FiledLate { tag: tag.clone() }]);
}

#[test]
fn wrong_sums_of_evidence_are_found() {
    let tag = tool_tag("/tmp");
    let wrong = |change: &dyn Fn(&mut ClusterRecord)| {
        let findings = check(|batch, record| {
            let mut wrong = record.clone();
            change(&mut wrong);
            batch.set_cluster(&tag, &wrong, record.filed);
        });
        assert_eq!(findings, [MemoryFault::WrongEvidence { tag: tag.clone() }]);
    };
    let more = Event::of(&megram(5, &tag)).expect("it is on level M");
    wrong(&|record| record.fresh = EvidenceWindow::since(Timestamp(0)));
    wrong(&|record| record.fresh.sums.add_unnamed(&more));
    wrong(&|record| record.rules.clear());
    wrong(&|record| record.rules[0].sign = Sign::Against);
    wrong(&|record| record.rules[0].newer.sums.add_unnamed(&more));
}

#[test]
fn evidence_that_would_ripen_unseen_is_found() {
    let tag = tool_tag("/ripe");
    let late = [None, Some(Timestamp(i64::MAX - 1))];
    for ripe in late {
        let mut store = Store::new();
        (1..=6).for_each(|number| store.write(&megram(number, &tag)));
        store.verified();
        let disk = &store.open().disk;
        let record = disk.view().cluster(&tag).expect("it reads");
        let filed = IndexTimes { ripe, ..record.filed };
        let mut batch = disk.batch();
        batch.set_cluster(&tag, &ClusterRecord { filed, ..record.clone() }, record.filed);
        batch.commit(false).expect("the damage can be done");
        let found = store.reader.verify().expect("it verifies").findings;
        assert_eq!(found, [MemoryFault::RipeLate { tag: tag.clone() }], "{ripe:?}");
        assert_eq!(store.maintenance.candidates(START, 9).expect("it looks"), []);
        store.maintenance.rebuild().expect("it rebuilds");
        store.verified();
        assert_eq!(store.maintenance.candidates(START, 9).expect("it looks").len(), 1);
    }
}

#[test]
fn a_damaged_memory_is_found() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.write(&megram(1, &tag));
    let mut batch = store.open().disk.batch();
    batch.put(&Key::Megram(megram(1, &tag).id), b"{");
    batch.commit(false).expect("the damage can be done");
    let report = store.reader.verify().expect("damage is a finding, not an error");
    assert!(matches!(&report.findings[0], MemoryFault::Damaged { .. }), "{report:?}");
    let reply = store.reader.answer(
        START,
        &artoo_types::memory::MemoryQuery { tags: vec![tag], tool_clusters: 0, intent: String::new() },
    );
    assert!(reply.unavailable.is_some_and(|why| why.contains("artoo memory verify")));
}
