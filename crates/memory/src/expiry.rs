//! When a cluster is forgotten, computed ahead, so that nobody has to look at clusters that are not due.

use artoo_types::Timestamp;
use artoo_types::rate::{DAY_MS, Rate};

use crate::accumulator::{Bucket, Cluster};

/// M_attention below which a cluster (space, entity) is forgotten.
pub const FORGET_BELOW: f64 = 0.1;

/// Steps of Newton's method. On 200,000 random mixes of rates none needed more than 8; the rest is margin.
const MAX_STEPS: usize = 64;

/// When M_attention of a cluster reaches a level, if nothing more is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FallTime {
    /// It already lies below.
    Already,
    /// At this time.
    At(Timestamp),
    /// Never: timeless memories alone hold it up.
    Never,
}

/// When M_attention of `cluster`, seen from `now`, falls below `level` (> 0).
pub fn falls_below(cluster: &Cluster, level: f64, now: Timestamp) -> FallTime {
    let mut timeless = 0.0;
    let mut fading = Vec::with_capacity(Rate::ALL.len());
    for bucket in cluster.buckets().iter().filter(|bucket| bucket.count() > 0) {
        let attention = bucket.query(now).0;
        match bucket.rate() {
            Rate::Timeless => timeless += attention,
            Rate::Slow | Rate::Medium | Rate::Fast => fading.push((bucket.rate().per_day(), attention)),
        }
    }
    match crossing_days(&fading, level - timeless) {
        None => FallTime::Never,
        Some(days) if days <= 0.0 => FallTime::Already,
        Some(days) => FallTime::At(now.plus_ms((days * DAY_MS).ceil() as u64)),
    }
}

/// T': when the cluster may be forgotten, if nothing more is written; `None` is never. It is the later of the time at
/// which M_attention falls below [`FORGET_BELOW`] and the end of the minimum residency, created_at + ln 2 / k, of each
/// event. The residency keeps a small event (`refine`, f = 0.10) from dying at once, and many equal ones from dying in
/// one moment; it is never over for a timeless event. Writing more only moves T' later.
pub fn expires_at(cluster: &Cluster) -> Option<Timestamp> {
    let newest = cluster.buckets().iter().filter_map(Bucket::newest).max()?;
    let mut resident_until = newest;
    for bucket in cluster.buckets() {
        if let Some(newest) = bucket.newest() {
            resident_until = resident_until.max(newest.plus_ms(bucket.rate().residency_ms()?));
        }
    }
    match falls_below(cluster, FORGET_BELOW, newest) {
        FallTime::Never => None,
        FallTime::Already => Some(resident_until),
        FallTime::At(at) => Some(at.max(resident_until)),
    }
}

/// Days until Σ M_k·e^(−k·days) = `level` for the (k, M_k) in `fading`, all k > 0; 0 when it already is below, `None`
/// when `level` ≤ 0, which is never reached.
///
/// Newton's method on g(Δ) = ln Σ M_k e^(−kΔ) − ln level, which is convex and falling: from Δ = 0 it climbs to the root
/// without passing it. With one rate g is a line, and the first step is the closed form ln(M/level)/k.
fn crossing_days(fading: &[(f64, f64)], level: f64) -> Option<f64> {
    if level <= 0.0 {
        return None;
    }
    let mut days = 0.0;
    for _ in 0..MAX_STEPS {
        let (mut energy, mut slope) = (0.0, 0.0);
        for (k, attention) in fading {
            let faded = attention * (-k * days).exp();
            energy += faded;
            slope += k * faded;
        }
        if energy <= level {
            break;
        }
        let step = (energy / level).ln() * energy / slope;
        days += step;
        if step <= 1e-15 * days {
            break;
        }
    }
    Some(days)
}

#[cfg(test)]
mod tests;
