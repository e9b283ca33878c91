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
mod tests;
