//! Checked numbers between 0 and 1 that must not be mixed up.

use serde::{Deserialize, Serialize};

/// A number that is no share.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{0} is not between 0 and 1")]
pub struct OutsideUnit(f64);

macro_rules! unit_interval {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
        #[serde(into = "f64", try_from = "f64")]
        pub struct $name(f64);

        impl $name {
            /// The lowest value.
            pub const ZERO: Self = Self(0.0);
            /// The highest value.
            pub const ONE: Self = Self(1.0);

            /// Brings any number into [0, 1]; not-a-number becomes 1, the cautious end.
            pub fn clamped(value: f64) -> Self {
                if value.is_nan() { Self(1.0) } else { Self(value.clamp(0.0, 1.0)) }
            }

            /// The number itself.
            pub fn get(self) -> f64 {
                self.0
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = OutsideUnit;

            fn try_from(value: f64) -> Result<Self, OutsideUnit> {
                if (0.0..=1.0).contains(&value) {
                    Ok(Self(value))
                } else {
                    Err(OutsideUnit(value))
                }
            }
        }
    };
}

unit_interval! {
    /// D: how far the result is from the goal.
    Distance
}
unit_interval! {
    /// P: how wrong the approach is, as opposed to the surroundings.
    Implausibility
}
unit_interval! {
    /// Ω: how much of the budget is spent.
    Cost
}
