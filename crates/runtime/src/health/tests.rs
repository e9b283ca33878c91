use std::path::Path;

use artoo_types::TaskId;
use uuid::Uuid;

use super::{Concern, Health, MIB, Room};
use crate::auditor::AuditorBell;

fn health(min_free: u64) -> Health {
    Health::new(Path::new("/"), min_free, AuditorBell::default())
}

#[test]
fn too_little_room_is_said_with_what_to_do() {
    let check = |min_free: u64, bytes: u64, files: Option<u64>, expected: Option<&str>| {
        let said = health(min_free).inner.judge(Room { bytes, files });
        match expected {
            None => assert_eq!(said, None),
            Some(part) => assert!(said.as_deref().is_some_and(|s| s.contains(part)), "{said:?}"),
        }
    };
    check(100 * MIB, 100 * MIB, None, None);
    check(100 * MIB, 100 * MIB - 1, None, Some("only 99 MiB are free on the disk of /"));
    check(100 * MIB, 100 * MIB - 1, None, Some("lower storage.min_free_mib"));
    check(MIB, u64::MAX, Some(1_000), None);
    check(MIB, u64::MAX, Some(999), Some("only 999 more files fit"));
    check(0, 0, Some(0), None);
}

#[test]
fn a_shortage_stands_until_it_is_over() {
    let starved = health(u64::MAX);
    assert!(starved.shortage().is_some());
    assert_eq!(starved.warnings().len(), 1);
    let fine = health(0);
    fine.found_full();
    assert!(fine.warnings()[0].contains("is full"));
    fine.clear(&Concern::DiskFull);
    assert_eq!(fine.warnings(), Vec::<String>::new());
}

#[test]
fn many_warnings_are_counted() {
    let health = health(0);
    for n in 0..25 {
        health.raise(Concern::Journal(TaskId(Uuid::from_u128(n))), format!("task {n} cannot be read"));
    }
    health.clear(&Concern::Journal(TaskId(Uuid::from_u128(0))));
    let warnings = health.warnings();
    assert_eq!(warnings.len(), 21);
    assert!(warnings[20].starts_with("and 4 more"), "{}", warnings[20]);
}
