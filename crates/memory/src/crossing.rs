//! When a sum of fading parts comes up to a level: not by growing, but because what holds it down fades faster.

use crate::accumulator::Cluster;

/// Shortest step of the search, in days: one minute. An answer is at most this much too late.
const STEP_DAYS: f64 = 1.0 / 1_440.0;

/// Most steps. A search that is not over then answers with the time that it came to, which is too early and never too
/// late: who looks then searches on from there.
const MAX_STEPS: usize = 4_096;

/// Days until `sign`·M_decision of parts (k, D_k) comes up to `level` (> 0): 0 when it is there, `None` when it never is.
///
/// The sum cannot rise faster than Σ k·|D_k|·e^(−kΔ), which only falls, so a step of what is missing divided by that never
/// passes the first crossing; shorter steps than a minute are made a minute.
pub fn comes_up_to(parts: &[(f64, f64)], sign: f64, level: f64) -> Option<f64> {
    let mut days = 0.0;
    for _ in 0..MAX_STEPS {
        let (mut value, mut most, mut slope) = (0.0, 0.0, 0.0);
        for (k, part) in parts {
            let faded = sign * part * (-k * days).exp();
            value += faded;
            most += faded.max(0.0);
            slope += k * faded.abs();
        }
        if value >= level {
            return Some(days);
        }
        // What pushes up only fades, so below the level it stays there.
        if most < level || slope == 0.0 {
            return None;
        }
        days += ((level - value) / slope).max(STEP_DAYS);
    }
    Some(days)
}

/// M_decision of a cluster at `now` as (k, D_k), one part for each rate in use.
pub fn decision_parts(cluster: &Cluster, now: artoo_types::Timestamp) -> Vec<(f64, f64)> {
    let used = cluster.buckets().iter().filter(|bucket| bucket.count() > 0);
    used.map(|bucket| (bucket.rate().per_day(), bucket.query(now).1)).collect()
}

#[cfg(test)]
mod tests {
    use super::comes_up_to;

    /// Days until the parts (k, D_k) come up to 3.
    fn check(parts: &[(f64, f64)]) -> Option<f64> {
        comes_up_to(parts, 1.0, 3.0)
    }

    #[test]
    fn what_only_fades_never_comes_up() {
        assert_eq!(check(&[]), None);
        assert_eq!(check(&[(0.05, 2.999)]), None);
        assert_eq!(check(&[(0.0, 2.999), (0.5, -1.0)]), None);
        assert_eq!(check(&[(0.05, -9.0), (0.5, 2.0)]), None);
    }

    #[test]
    fn what_is_there_is_there_now() {
        assert_eq!(check(&[(0.05, 3.0)]), Some(0.0));
        assert_eq!(comes_up_to(&[(0.05, -3.0)], -1.0, 3.0), Some(0.0));
    }

    #[test]
    fn the_crossing_is_found_to_the_minute() {
        // 5 − 4·e^(−t/2) = 3 at t = 2·ln 2.
        let days = check(&[(0.0, 5.0), (0.5, -4.0)]).expect("the failures fade away");
        let exact = 2.0 * std::f64::consts::LN_2;
        assert!((0.0..=1.0 / 1_440.0).contains(&(days - exact)), "{days} is not {exact}");
        let mirrored = comes_up_to(&[(0.0, -5.0), (0.5, 4.0)], -1.0, 3.0);
        assert_eq!(mirrored, Some(days));
    }

    #[test]
    fn a_peak_that_stays_below_is_none() {
        // 4·e^(−t/20) − 4·e^(−t/2) rises to about 2.8 and falls again.
        assert_eq!(check(&[(0.05, 4.0), (0.5, -4.0)]), None);
        assert!(check(&[(0.05, 4.6), (0.5, -4.6)]).is_some());
    }

    #[test]
    fn a_search_without_end_says_when_to_search_on() {
        // It comes up to the level after ever, and the search ends all the same.
        let days = check(&[(0.0, 3.0), (0.05, -1.0)]);
        assert!(days.is_none_or(|days| days > 300.0), "{days:?}");
    }
}
