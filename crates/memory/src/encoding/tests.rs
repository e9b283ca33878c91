use artoo_types::Timestamp;
use proptest::prelude::*;

use super::{ClusterRecord, VERSION};
use crate::fixture::{START, any_event, event};

proptest! {
    #[test]
    fn a_record_survives_the_round_trip(events in prop::collection::vec(any_event(), 0..30), due in any::<Option<i32>>()) {
        let record = ClusterRecord {
            cluster: events.into_iter().collect(),
            due: due.map(|due| Timestamp(i64::from(due))),
        };
        prop_assert_eq!(ClusterRecord::decode(&record.encode()), Ok(record));
    }

    #[test]
    fn damaged_records_are_refused_or_stay_readable(at in any::<prop::sample::Index>(), flip in 1_u8..=255) {
        let mut bytes = ClusterRecord { cluster: [event(1, "accept", START)].into_iter().collect(), due: None }.encode();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(record) = ClusterRecord::decode(&bytes) {
            prop_assert_eq!(record.encode(), bytes);
        }
    }
}

#[test]
fn every_cut_and_every_other_version_is_refused() {
    let record =
        ClusterRecord { cluster: [event(1, "accept", START)].into_iter().collect(), due: Some(START) };
    let bytes = record.encode();
    for length in 0..bytes.len() {
        assert!(ClusterRecord::decode(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    assert!(ClusterRecord::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
    let mut newer = bytes.clone();
    newer[0] = VERSION + 1;
    assert!(ClusterRecord::decode(&newer).is_err());
    let mut unknown_rate = bytes;
    unknown_rate[10..18].copy_from_slice(&0.06_f64.to_bits().to_le_bytes());
    assert!(ClusterRecord::decode(&unknown_rate).is_err());
}
