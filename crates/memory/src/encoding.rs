//! The sums of one (space, entity) as bytes: a fixed, versioned, little-endian structure.
//!
//! ```text
//! u8 version = 3 | i64 due, i64 ripe, i64::MAX = none
//! cluster (experience) | cluster (hypotheses) | i64 since, cluster (fresh evidence)
//! u32 number of rules, then for each: 16 bytes id | u8 sign, 1 = for, 0 = against | i64 since, cluster (newer evidence)
//!
//! cluster: u8 number of buckets, then for each:
//!   u64 bits of k | u64 count | i64 landmark | i64 newest | f64 x4 attention, decision (rounded, lost)
//!   u8 number of heaviest, 0 in the clusters of evidence, then for each: 16 bytes id | i64 at | f64 f | f64 sigma
//! ```

use artoo_types::Timestamp;
use artoo_types::rate::Rate;
use uuid::Uuid;

use crate::accumulator::{Bucket, Cluster, Event, HEAVIEST};
use crate::record::{ClusterRecord, EvidenceWindow, IndexTimes, RuleWindow};
use crate::sign::Sign;
use crate::sum::CompensatedSum;

/// The version that this code writes, and the only one that it reads: the accumulators can be rebuilt.
pub const VERSION: u8 = 3;

/// Bytes that are not a cluster record of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an accumulator record of version {VERSION}: {0}; rebuild the derived records")]
pub struct NotARecord(&'static str);

impl ClusterRecord {
    /// The record as bytes; empty buckets are left out.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        for filed in [self.filed.due, self.filed.ripe] {
            out.extend(filed.map_or(i64::MAX, |at| at.0).to_le_bytes());
        }
        put_cluster(&mut out, &self.cluster);
        put_cluster(&mut out, &self.proposed);
        put_window(&mut out, &self.fresh);
        out.extend((self.rules.len() as u32).to_le_bytes());
        for rule in &self.rules {
            out.extend(rule.rule.as_bytes());
            out.push(match rule.sign {
                Sign::For => 1,
                Sign::Against => 0,
            });
            put_window(&mut out, &rule.newer);
        }
        out
    }

    /// The record that `bytes` hold.
    ///
    /// # Errors
    /// When they are cut, too long, of another version, or hold what no accumulator can hold.
    pub fn decode(bytes: &[u8]) -> Result<Self, NotARecord> {
        let mut input = Input(bytes);
        if input.byte()? != VERSION {
            return Err(NotARecord("another version"));
        }
        let filed = IndexTimes { due: input.filed()?, ripe: input.filed()? };
        let cluster = input.cluster(Named::Yes)?;
        let proposed = input.cluster(Named::Yes)?;
        let fresh = input.window()?;
        let mut rules = Vec::new();
        for _ in 0..u32::from_le_bytes(input.take()?) {
            rules.push(input.rule()?);
        }
        if !input.0.is_empty() {
            return Err(NotARecord("bytes left over"));
        }
        Ok(Self { cluster, proposed, fresh, rules, filed })
    }
}

fn put_window(out: &mut Vec<u8>, window: &EvidenceWindow) {
    out.extend(window.since.0.to_le_bytes());
    put_cluster(out, &window.sums);
}

fn put_cluster(out: &mut Vec<u8>, cluster: &Cluster) {
    let buckets: Vec<&Bucket> = cluster.buckets.iter().filter(|bucket| bucket.count > 0).collect();
    out.push(buckets.len() as u8);
    for bucket in buckets {
        out.extend(bucket.rate.per_day().to_bits().to_le_bytes());
        out.extend(bucket.count.to_le_bytes());
        out.extend(bucket.landmark.0.to_le_bytes());
        out.extend(bucket.newest.0.to_le_bytes());
        for sum in [bucket.attention, bucket.decision] {
            out.extend(sum.rounded.to_le_bytes());
            out.extend(sum.lost.to_le_bytes());
        }
        out.push(bucket.heaviest.len() as u8);
        for event in &bucket.heaviest {
            out.extend(event.id.as_bytes());
            out.extend(event.at.0.to_le_bytes());
            out.extend(event.f.to_le_bytes());
            out.extend(event.sigma.to_le_bytes());
        }
    }
}

/// Whether a cluster names its heaviest events.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Yes,
    No,
}

/// What is left to read.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NotARecord> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(NotARecord("cut short"))?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, NotARecord> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u64(&mut self) -> Result<u64, NotARecord> {
        self.take().map(u64::from_le_bytes)
    }

    fn i64(&mut self) -> Result<i64, NotARecord> {
        self.take().map(i64::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, NotARecord> {
        self.take().map(f64::from_le_bytes)
    }

    fn sum(&mut self) -> Result<CompensatedSum, NotARecord> {
        let sum = CompensatedSum { rounded: self.f64()?, lost: self.f64()? };
        if sum.is_finite() { Ok(sum) } else { Err(NotARecord("a sum that is not a number")) }
    }

    fn filed(&mut self) -> Result<Option<Timestamp>, NotARecord> {
        Ok(Some(self.i64()?).filter(|at| *at != i64::MAX).map(Timestamp))
    }

    fn rule(&mut self) -> Result<RuleWindow, NotARecord> {
        let rule = Uuid::from_bytes(self.take()?);
        let sign = match self.byte()? {
            1 => Sign::For,
            0 => Sign::Against,
            _ => return Err(NotARecord("an unknown sign")),
        };
        Ok(RuleWindow { rule, sign, newer: self.window()? })
    }

    fn window(&mut self) -> Result<EvidenceWindow, NotARecord> {
        Ok(EvidenceWindow { since: Timestamp(self.i64()?), sums: self.cluster(Named::No)? })
    }

    fn cluster(&mut self, named: Named) -> Result<Cluster, NotARecord> {
        let mut cluster = Cluster::default();
        for _ in 0..self.byte()? {
            let bucket = self.bucket(named)?;
            let place = &mut cluster.buckets[bucket.rate.index()];
            if place.count > 0 {
                return Err(NotARecord("the same rate twice"));
            }
            *place = bucket;
        }
        Ok(cluster)
    }

    fn bucket(&mut self, named: Named) -> Result<Bucket, NotARecord> {
        let rate =
            Rate::try_from(f64::from_bits(self.u64()?)).map_err(|_| NotARecord("an unknown decay rate"))?;
        let mut bucket = Bucket {
            count: self.u64()?,
            landmark: Timestamp(self.i64()?),
            newest: Timestamp(self.i64()?),
            attention: self.sum()?,
            decision: self.sum()?,
            ..Bucket::new(rate)
        };
        let heaviest = usize::from(self.byte()?);
        let names_some = match named {
            Named::Yes => (1..=HEAVIEST).contains(&heaviest),
            Named::No => heaviest == 0,
        };
        if bucket.count == 0 || !names_some {
            return Err(NotARecord("impossible counts"));
        }
        for _ in 0..heaviest {
            let id = Uuid::from_bytes(self.take()?);
            let event = Event { id, at: Timestamp(self.i64()?), rate, f: self.f64()?, sigma: self.f64()? };
            if !(event.f.is_finite() && event.sigma.is_finite()) {
                return Err(NotARecord("an event that is not a number"));
            }
            bucket.heaviest.push(event);
        }
        Ok(bucket)
    }
}

#[cfg(test)]
mod tests {
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
}
