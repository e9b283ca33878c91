//! How fast memories fade: the known rates, and days as a number.

use artoo_types::Timestamp;

/// Milliseconds of a day; rates are per day.
pub const DAY_MS: f64 = 86_400_000.0;

/// The decay rates that exist. A memory with any other rate is refused, so that each (space, entity) has at most this
/// many accumulators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rate {
    /// k = 0: never fades.
    Timeless,
    /// k = 0.05 per day: halves in about 14 days.
    Slow,
    /// k = 0.2 per day: halves in about 3.5 days.
    Medium,
    /// k = 0.5 per day: halves in about 1.4 days.
    Fast,
}

impl Rate {
    /// Every rate, in the order in which accumulators are kept.
    pub const ALL: [Self; 4] = [Self::Timeless, Self::Slow, Self::Medium, Self::Fast];

    /// The known rate with exactly this k, if there is one.
    pub fn of(k: f64) -> Option<Self> {
        Self::ALL.into_iter().find(|rate| rate.per_day() == k)
    }

    /// k, per day.
    pub fn per_day(self) -> f64 {
        match self {
            Self::Timeless => 0.0,
            Self::Slow => 0.05,
            Self::Medium => 0.2,
            Self::Fast => 0.5,
        }
    }

    /// Its place in [`Rate::ALL`].
    pub fn index(self) -> usize {
        match self {
            Self::Timeless => 0,
            Self::Slow => 1,
            Self::Medium => 2,
            Self::Fast => 3,
        }
    }

    /// ln 2 / k in milliseconds, rounded up: how long a memory of this rate stays at the least. `None`: for ever.
    pub fn residency_ms(self) -> Option<u64> {
        match self {
            Self::Timeless => None,
            Self::Slow | Self::Medium | Self::Fast => {
                Some((std::f64::consts::LN_2 / self.per_day() * DAY_MS).ceil() as u64)
            }
        }
    }

    /// What is left of a weight of 1 after `days`: e^(−k·days).
    pub fn fade(self, days: f64) -> f64 {
        (-self.per_day() * days).exp()
    }
}

/// Days from `from` to `to`, negative when `to` is earlier. The difference is taken in whole milliseconds first, so
/// that it is exact.
pub fn days(from: Timestamp, to: Timestamp) -> f64 {
    to.0.saturating_sub(from.0) as f64 / DAY_MS
}
