//! Identifiers and time as values.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One accepted request. A UUIDv7 made by the daemon when it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub Uuid);

impl TaskId {
    /// An identifier that depends on the task and an ordinal alone, so that folding the same inputs again makes the
    /// same ids (UUID version 5, RFC 9562).
    pub fn derive(self, what: &str, ordinal: u64) -> Uuid {
        Uuid::new_v5(&self.0, format!("{what}:{ordinal}").as_bytes())
    }

    /// The id of the task's envelope with this sequence.
    pub fn envelope_id(self, sequence: u64) -> Uuid {
        self.derive("envelope", sequence)
    }
}

impl std::fmt::Display for TaskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One planned step. Made by the runtime, never by a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SubtaskId(pub Uuid);

impl std::fmt::Display for SubtaskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One question to the person that guards one action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConfirmationId(pub Uuid);

impl std::fmt::Display for ConfirmationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The ordinal of one effect within its task, from 1. A completion names the effect that it completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EffectId(pub u64);

/// A short name for one piece of evidence within a task: `r3` a receipt, `c4` a check, `a5` an answer.
/// Short, because models have to copy it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EvidenceId(pub String);

impl EvidenceId {
    /// The receipt of the tool effect with this ordinal.
    pub fn receipt(effect: EffectId) -> Self {
        Self(format!("r{}", effect.0))
    }

    /// Orders receipts as their calls were asked for; anything else comes first.
    pub fn call_order(&self) -> u64 {
        self.0.strip_prefix('r').and_then(|ordinal| ordinal.parse().ok()).unwrap_or(0)
    }

    /// The `index`-th check of the check effect with this ordinal.
    pub fn check(effect: EffectId, index: usize) -> Self {
        Self(format!("c{}.{index}", effect.0))
    }

    /// Whether this is what a check saw.
    pub fn is_check(&self) -> bool {
        self.0.starts_with('c')
    }

    /// The answer that an executor gave in its `attempt`, as evidence number `ordinal` of the task.
    pub fn answer(ordinal: u64) -> Self {
        Self(format!("a{ordinal}"))
    }
}

impl std::fmt::Display for EvidenceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Milliseconds since the Unix epoch, UTC. Always an input: nothing below the shells reads a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This time plus `ms` milliseconds; saturates.
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)))
    }

    /// Milliseconds from `earlier` to this time; 0 when the clock stepped back.
    pub fn since_ms(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// To the second, in UTC: `2026-11-22 23:05:09 UTC`.
impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.div_euclid(1_000);
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Years that begin in March: then the leap day is the last of its year (Howard Hinnant, "chrono-compatible
        // low-level date algorithms"). 719,468 days lie between 0000-03-01 and 1970-01-01; an era has 400 years.
        let shifted = days + 719_468;
        let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{:02} UTC", second % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn moments_are_told_in_utc() {
        for (at, told) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_399_999, "2000-02-28 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_709_251_199_000, "2024-02-29 23:59:59 UTC"),
            (1_795_363_269_801, "2026-11-22 16:01:09 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(Timestamp(at).to_string(), told);
        }
    }
}
