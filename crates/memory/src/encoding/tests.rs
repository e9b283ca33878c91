use artoo_types::Timestamp;
use artoo_types::memory::{Megram, state};
use proptest::prelude::*;
use uuid::Uuid;

use super::VERSION;
use crate::fixture::{START, any_event, megram, rule};
use crate::record::{ClusterRecord, IndexTimes};

/// A record with experience, a hypothesis, and a rule of each sign.
fn full() -> ClusterRecord {
    let rules = [rule(91, 0.9, 1.0), rule(92, 0.9, -1.0)];
    let mut record = ClusterRecord::born(Timestamp(START.0 - 1), &rules);
    record.take(&megram(1, "accept", START.plus_ms(1)));
    record.take(&Megram {
        state: state::HYPOTHESIS.to_owned(),
        sigma: 0.0,
        f: 0.3,
        ..megram(2, "change_path", START)
    });
    record.filed = IndexTimes { due: Some(START), ripe: None };
    record
}

proptest! {
    #[test]
    fn a_record_survives_the_round_trip(
        events in prop::collection::vec((any_event(), any::<bool>()), 0..30),
        since in any::<i32>(),
        rules in prop::collection::vec((any::<u128>(), any::<bool>()), 0..4),
        filed in any::<(Option<i32>, Option<i32>)>(),
    ) {
        let rules: Vec<Megram> = rules
            .iter()
            .map(|(id, good)| rule(*id, 0.9, if *good { 1.0 } else { -1.0 }))
            .collect();
        let mut record = ClusterRecord::born(Timestamp(i64::from(since)), &rules);
        for (event, evidence) in events {
            let state = if evidence { "accept" } else { state::HYPOTHESIS };
            let one = megram(event.id.as_u128(), "accept", event.at);
            record.take(&Megram {
                state: state.to_owned(), f: event.f, sigma: event.sigma, k: event.rate, ..one
            });
        }
        let time = |at: Option<i32>| at.map(|at| Timestamp(i64::from(at)));
        record.filed = IndexTimes { due: time(filed.0), ripe: time(filed.1) };
        prop_assert_eq!(ClusterRecord::decode(&record.encode()), Ok(record));
    }

    #[test]
    fn damaged_records_are_refused_or_stay_readable(at in any::<prop::sample::Index>(), flip in 1_u8..=255) {
        let mut bytes = full().encode();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(record) = ClusterRecord::decode(&bytes) {
            prop_assert_eq!(record.encode(), bytes);
        }
    }
}

#[test]
fn every_cut_and_every_other_version_is_refused() {
    let bytes = full().encode();
    assert_eq!(ClusterRecord::decode(&bytes), Ok(full()));
    for length in 0..bytes.len() {
        assert!(ClusterRecord::decode(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    assert!(ClusterRecord::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
    let mut newer = bytes.clone();
    newer[0] = VERSION + 1;
    assert!(ClusterRecord::decode(&newer).is_err());
    let mut unknown_rate = bytes;
    unknown_rate[18..26].copy_from_slice(&0.06_f64.to_bits().to_le_bytes());
    assert!(ClusterRecord::decode(&unknown_rate).is_err());
}

#[test]
fn a_number_of_rules_that_is_not_there_costs_nothing() {
    let record = ClusterRecord::born(START, [&rule(u128::MAX, 0.9, 1.0)]);
    let bytes = record.encode();
    let id = Uuid::from_u128(u128::MAX);
    let at = bytes.windows(16).position(|window| window == id.as_bytes()).expect("the rule is in it");
    let mut many = bytes;
    many[at - 4..at].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(ClusterRecord::decode(&many).is_err());
}
