//! How fast memories fade: the rates that exist.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// Milliseconds of a day; rates are per day.
pub const DAY_MS: f64 = 86_400_000.0;

/// The decay rate k of a memory, per day. In JSON it is that number, and any other number is refused, so that each
/// (space, entity) has at most this many accumulators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
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

/// A number that is no decay rate.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("k is {0}; a memory fades with k = 0, 0.05, 0.2 or 0.5 per day")]
pub struct UnknownRate(pub f64);

impl Rate {
    /// Every rate, in the order in which accumulators are kept.
    pub const ALL: [Self; 4] = [Self::Timeless, Self::Slow, Self::Medium, Self::Fast];

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
        self as usize
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

impl TryFrom<f64> for Rate {
    type Error = UnknownRate;

    fn try_from(k: f64) -> Result<Self, UnknownRate> {
        Self::ALL.into_iter().find(|rate| rate.per_day() == k).ok_or(UnknownRate(k))
    }
}

impl From<Rate> for f64 {
    fn from(rate: Rate) -> Self {
        rate.per_day()
    }
}

/// Days from `from` to `to`, negative when `to` is earlier. The difference is taken in whole milliseconds first, so
/// that it is exact.
pub fn days(from: Timestamp, to: Timestamp) -> f64 {
    to.0.saturating_sub(from.0) as f64 / DAY_MS
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn a_rate_is_its_number_and_no_other_number_is_one() {
        for (number, rate) in ["0.0", "0.05", "0.2", "0.5"].into_iter().zip(Rate::ALL) {
            assert_eq!(serde_json::to_string(&rate).unwrap(), number);
            assert_eq!(serde_json::from_str::<Rate>(number).unwrap(), rate);
            assert_eq!(Rate::ALL[rate.index()], rate);
        }
        for zero in ["0", "-0.0"] {
            assert_eq!(serde_json::from_str::<Rate>(zero).unwrap(), Rate::Timeless);
        }
        for k in [-0.05, 0.051, 1.0, f64::NAN, f64::INFINITY] {
            let error = Rate::try_from(k).unwrap_err().to_string();
            assert!(error.contains("k = 0, 0.05, 0.2 or 0.5 per day"), "{error}");
        }
        assert!(serde_json::from_str::<Rate>("0.06").unwrap_err().to_string().starts_with("k is 0.06; "));
    }
}
