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
mod tests {
    use artoo_types::Timestamp;
    use artoo_types::rate::Rate;
    use proptest::prelude::*;

    use super::{FORGET_BELOW, FallTime, expires_at, falls_below};
    use crate::accumulator::{Cluster, Event};
    use crate::fixture::{DAY, START, any_event, event};

    fn alone(state: &str) -> Cluster {
        [event(1, state, START)].into_iter().collect()
    }

    fn days_until(fall: FallTime) -> f64 {
        match fall {
            FallTime::Already => 0.0,
            FallTime::At(at) => at.since_ms(START) as f64 / DAY as f64,
            FallTime::Never => f64::INFINITY,
        }
    }

    #[test]
    fn single_events_of_the_matrix_live_as_long_as_derived() {
        let cases = [
            ("abandon", 12.8, 45.0),
            ("accept", 11.8, 43.9),
            ("change_approach", 10.6, 42.8),
            ("success", 9.4, 41.6),
            ("break_symmetry", 8.1, 40.3),
            ("change_path", 0.0, 5.5),
            ("refine", 0.0, 0.0),
        ];
        for (state, counts, lives) in cases {
            let cluster = alone(state);
            let until = |level| days_until(falls_below(&cluster, level, START));
            assert!((until(0.5) - counts).abs() < 0.06, "{state} counts for {}", until(0.5));
            assert!((until(FORGET_BELOW) - lives).abs() < 0.06, "{state} lives for {}", until(FORGET_BELOW));
        }
    }

    #[test]
    fn a_small_event_stays_for_its_residency() {
        let at = expires_at(&alone("refine")).expect("it fades");
        assert_eq!(at.since_ms(START), Rate::Fast.residency_ms().expect("it fades"));
    }

    #[test]
    fn what_is_timeless_never_expires() {
        let timeless = Event { rate: Rate::Timeless, f: 0.05, ..event(2, "accept", START) };
        let cluster: Cluster = [event(1, "accept", START), timeless].into_iter().collect();
        assert_eq!(expires_at(&cluster), None);
        assert_eq!(falls_below(&cluster, 0.05, START), FallTime::Never);
        assert!(matches!(falls_below(&cluster, 0.1, START), FallTime::At(_)));
    }

    #[test]
    fn an_empty_cluster_has_no_expiry() {
        assert_eq!(expires_at(&Cluster::default()), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn attention_crosses_the_bound_at_the_expiry_and_not_before(events in prop::collection::vec(any_event(), 1..40)) {
            let fading: Vec<Event> = events.into_iter().filter(|event| event.rate != Rate::Timeless).collect();
            let cluster: Cluster = fading.iter().copied().collect();
            prop_assume!(!cluster.is_empty());
            let at = expires_at(&cluster).expect("all of it fades");
            prop_assert!(cluster.potentials(at.plus_ms(1)).attention < FORGET_BELOW);
            let resident = fading.iter().filter_map(|event| Some(event.at.plus_ms(event.rate.residency_ms()?))).max();
            prop_assert!(Some(at) >= resident);
            if Some(at) > resident {
                let before = cluster.potentials(Timestamp(at.0 - 2)).attention;
                prop_assert!(before >= FORGET_BELOW * (1.0 - 1e-12), "{before} two milliseconds before");
            }
        }

        #[test]
        fn writing_more_only_moves_the_expiry_later(events in prop::collection::vec(any_event(), 1..20), more in any_event()) {
            let mut cluster: Cluster = events.into_iter().collect();
            let first = expires_at(&cluster);
            cluster.add(&more);
            let then = expires_at(&cluster);
            // One millisecond: both times are rounded up from sums that differ in the last place.
            let later = match (first, then) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(first), Some(then)) => then.plus_ms(1) >= first,
            };
            prop_assert!(later, "{then:?} is before {first:?}");
        }
    }
}
