//! The accumulators of one (space, entity) as bytes: a fixed, versioned, little-endian structure.
//!
//! ```text
//! u8 version = 1 | i64 due, i64::MAX = none | u8 number of buckets, then for each:
//!   u64 bits of k | u64 count | i64 landmark | i64 newest | f64 x4 attention, decision (rounded, lost)
//!   u8 number of heaviest, then for each: 16 bytes id | i64 at | f64 f | f64 sigma
//! ```

use artoo_types::Timestamp;
use uuid::Uuid;

use crate::accumulator::{Bucket, Cluster, Event, HEAVIEST};
use crate::decay::Rate;
use crate::sum::Sum;

/// The version that this code writes, and the only one that it reads: the accumulators can be rebuilt.
pub const VERSION: u8 = 1;

/// A cluster as it is stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusterRecord {
    /// The sums.
    pub cluster: Cluster,
    /// Under which time the expiry index holds it; `None`: it is not in the index, since it never expires.
    pub due: Option<Timestamp>,
}

/// Bytes that are not a cluster record of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an accumulator record of version {VERSION}: {0}; rebuild the derived records")]
pub struct NotARecord(&'static str);

impl ClusterRecord {
    /// The record as bytes; empty buckets are left out.
    pub fn encode(&self) -> Vec<u8> {
        let buckets: Vec<&Bucket> = self.cluster.buckets.iter().filter(|bucket| bucket.count > 0).collect();
        let mut out = vec![VERSION];
        out.extend(self.due.map_or(i64::MAX, |due| due.0).to_le_bytes());
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
        let due = Some(input.i64()?).filter(|due| *due != i64::MAX).map(Timestamp);
        let mut cluster = Cluster::default();
        let buckets = input.byte()?;
        for _ in 0..buckets {
            let bucket = input.bucket()?;
            let place = &mut cluster.buckets[bucket.rate.index()];
            if place.count > 0 {
                return Err(NotARecord("the same rate twice"));
            }
            *place = bucket;
        }
        if !input.0.is_empty() {
            return Err(NotARecord("bytes left over"));
        }
        Ok(Self { cluster, due })
    }
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

    fn sum(&mut self) -> Result<Sum, NotARecord> {
        let sum = Sum { rounded: self.f64()?, lost: self.f64()? };
        if sum.is_finite() { Ok(sum) } else { Err(NotARecord("a sum that is not a number")) }
    }

    fn bucket(&mut self) -> Result<Bucket, NotARecord> {
        let rate = Rate::of(f64::from_bits(self.u64()?)).ok_or(NotARecord("an unknown decay rate"))?;
        let mut bucket = Bucket {
            count: self.u64()?,
            landmark: Timestamp(self.i64()?),
            newest: Timestamp(self.i64()?),
            attention: self.sum()?,
            decision: self.sum()?,
            ..Bucket::new(rate)
        };
        let heaviest = usize::from(self.byte()?);
        if bucket.count == 0 || heaviest > HEAVIEST || heaviest == 0 {
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
mod tests;
