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
mod tests;
