use artoo_types::memory::{Megram, state};
use uuid::Uuid;

use super::{ALWAYS, ClusterRecord};
use crate::filing::{file, refile};
use crate::fixture::{DAY, START, megram, rule};

fn at(number: u128, state: &str, days: u64) -> Megram {
    megram(number, state, START.plus_ms(days * DAY))
}

/// Whether a rule for something, made on day 5, is overwritten on day 10 by these memories.
fn check(memories: &[Megram]) -> bool {
    let standing = Megram { created_at: START.plus_ms(5 * DAY), ..rule(99, 0.9, 1.0) };
    let mut record = ClusterRecord::born(ALWAYS, [&standing]);
    memories.iter().for_each(|megram| record.take(megram));
    record.overwrites(standing.id, START.plus_ms(10 * DAY))
}

#[test]
fn only_newer_evidence_overwrites_a_rule() {
    assert!(!check(&[]));
    assert!(!check(&[at(1, "abandon", 4), at(2, "abandon", 5)]), "older than the rule, or of its own moment");
    assert!(check(&[at(1, "abandon", 6)]));
    assert!(!check(&[at(1, "abandon", 6), at(2, "accept", 6)]), "the newer evidence is ambivalent");
    let older: Vec<Megram> = (10..30).map(|number| at(number, "accept", 1)).collect();
    assert!(check(&[older, vec![at(1, "abandon", 6)]].concat()), "what made the rule does not defend it");
}

#[test]
fn a_stranger_cannot_overwrite_a_rule() {
    let tainted = Megram { tainted: true, ..at(1, "abandon", 6) };
    let said = Megram { state: state::REFLECTION.to_owned(), ..at(2, "abandon", 6) };
    assert!(!check(&[tainted, said]));
}

#[test]
fn another_rule_is_not_meant() {
    let record = ClusterRecord::born(ALWAYS, [&rule(99, 0.9, 1.0)]);
    assert!(!record.overwrites(Uuid::from_u128(98), START));
}

#[test]
fn a_record_of_rules_alone_is_empty() {
    assert!(ClusterRecord::born(START, [&rule(99, 0.9, 1.0)]).is_empty());
}

#[test]
fn more_experience_leaves_the_place_in_the_expiry_index_behind() {
    let mut record = ClusterRecord::default();
    record.take(&at(1, "accept", 0));
    refile(&mut record, START, true);
    let first = record.filed.due;
    record.take(&at(2, "accept", 9));
    refile(&mut record, START.plus_ms(9 * DAY), false);
    assert_eq!(record.filed.due, first);
    file(&mut record, START.plus_ms(9 * DAY));
    assert!(record.filed.due > first);
}
