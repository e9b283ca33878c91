//! Time that never runs backwards.
//!
//! Potentials are sums of e^(−k·Δt) with Δt ≥ 0. Cutting a negative Δt off at 0 would not split into accumulators, so
//! the clock itself must not go back: every reader and writer uses the effective time, the later of the wall clock and
//! the latest time that was ever written.

use artoo_types::Timestamp;

/// How far the wall clock may lie behind the latest written time before forgetting waits, in milliseconds. One hour:
/// network time corrections are far below it.
pub const STEP_BACK_MS: u64 = 3_600_000;

/// The latest time that memory has acted at. It is stored, and it only grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HighWater(pub Timestamp);

impl HighWater {
    /// The effective time T_eff = max(wall, high water).
    pub fn effective(self, wall: Timestamp) -> Timestamp {
        wall.max(self.0)
    }

    /// The high water after acting at `wall`.
    pub fn advanced(self, wall: Timestamp) -> Self {
        Self(self.effective(wall))
    }

    /// By how many milliseconds the wall clock stepped back, when that is more than [`STEP_BACK_MS`]. Forgetting and
    /// demotion wait while it is so. A step forward cannot be told from a machine that slept, and is taken as time.
    pub fn stepped_back_ms(self, wall: Timestamp) -> Option<u64> {
        let behind = self.0.since_ms(wall);
        (behind > STEP_BACK_MS).then_some(behind)
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::Timestamp;

    use super::{HighWater, STEP_BACK_MS};

    #[test]
    fn the_effective_time_never_goes_back() {
        let mut high = HighWater::default();
        let mut last = Timestamp(0);
        for wall in [5, 9, 3, 8, 10, -4] {
            let now = high.effective(Timestamp(wall));
            assert!(now >= last);
            high = high.advanced(Timestamp(wall));
            last = now;
        }
        assert_eq!(high, HighWater(Timestamp(10)));
    }

    #[test]
    fn a_step_back_of_more_than_an_hour_is_noticed() {
        let high = HighWater(Timestamp(10_000_000));
        let behind = |ms: u64| high.stepped_back_ms(Timestamp(10_000_000 - ms as i64));
        assert_eq!(behind(STEP_BACK_MS), None);
        assert_eq!(behind(STEP_BACK_MS + 1), Some(STEP_BACK_MS + 1));
        assert_eq!(high.stepped_back_ms(Timestamp(i64::MAX)), None);
    }
}
