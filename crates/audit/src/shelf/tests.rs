use artoo_types::Timestamp;
use artoo_types::finding::{AuditFinding, FindingId, FindingKind};

use super::{FindingShelf, FindingUnknown, MAX_ACKNOWLEDGED, MAX_OPEN};

fn finding(kind: FindingKind, sequence: u64) -> AuditFinding {
    AuditFinding {
        id: FindingId::default(),
        time: Timestamp(5),
        task_id: None,
        sequence,
        kind,
        detail: format!("number {sequence}"),
        message: String::new(),
    }
    .named()
}

#[test]
fn a_finding_stays_open_until_it_is_acknowledged_and_comes_back_never() {
    let mut shelf = FindingShelf::default();
    let found = finding(FindingKind::Drops, 3);
    assert!(shelf.raise(&found) && !shelf.raise(&found));
    shelf.acknowledge(&found.id, Timestamp(9));
    shelf.acknowledge(&found.id, Timestamp(10));
    assert!(!shelf.raise(&found), "what was seen is not raised again");
    assert_eq!(shelf.open().count(), 0);
    let seen: Vec<Timestamp> = shelf.acknowledged().map(|known| known.at).collect();
    assert_eq!(seen, [Timestamp(9)], "the first word counts");
}

#[test]
fn the_start_of_an_id_is_enough_where_it_is_unique() {
    let mut shelf = FindingShelf::default();
    let (first, second) = (finding(FindingKind::Drops, 1), finding(FindingKind::Drops, 2));
    shelf.raise(&first);
    shelf.raise(&second);
    shelf.acknowledge(&second.id, Timestamp(9));
    assert_eq!(shelf.find(&first.id.0[..8]), Ok((&first, None)));
    assert_eq!(shelf.find(&second.id.0), Ok((&second, Some(Timestamp(9)))));
    assert_eq!(shelf.find("f"), Err(FindingUnknown::Ambiguous("f".to_owned())));
    assert_eq!(shelf.find("x"), Err(FindingUnknown::NoSuch("x".to_owned())));
    assert!(shelf.find("").is_err());
}

#[test]
fn a_flood_of_one_kind_hides_no_other_and_is_counted() {
    let mut shelf = FindingShelf::default();
    let rare = finding(FindingKind::UnprovenAccept, 1);
    shelf.raise(&rare);
    for sequence in 0..MAX_OPEN as u64 + 40 {
        shelf.raise(&finding(FindingKind::Drops, sequence));
    }
    assert_eq!(shelf.open().count(), MAX_OPEN);
    assert_eq!(shelf.dropped(), 41);
    assert!(shelf.find(&rare.id.0).is_ok());
    for id in shelf.open().map(|finding| finding.id.clone()).collect::<Vec<_>>() {
        shelf.acknowledge(&id, Timestamp(9));
    }
    assert_eq!(shelf.acknowledged().count(), MAX_ACKNOWLEDGED);
}
