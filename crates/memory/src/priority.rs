//! Which of two contradicting memories counts: T above all, then C, and fresh experience above an old C rule.

use artoo_types::memory::{Level, Potentials};

use crate::potential::{ATTENTION_FLOOR, DECISION_BAND};
use crate::sign::Sign;

/// Whether a rule with valence `sigma` is contradicted by `newer`, the potentials of the evidence that is newer than the
/// rule: M_att ≥ 0.5, so that it counts at all, and sgn(σ)·M_dec < −0.2, so that it is against the rule beyond
/// ambivalence. Such a rule is told and binds nothing; it falls for good by [`crate::trust::bankrupt`] alone. The laws on
/// level T give way to nothing.
pub fn overwritten(level: Level, sigma: f64, newer: Potentials) -> bool {
    match level {
        Level::C => {
            let along = Sign::of(sigma).value() * newer.decision;
            newer.attention >= ATTENTION_FLOOR && along < -DECISION_BAND
        }
        Level::M | Level::K | Level::T => false,
    }
}

#[cfg(test)]
mod tests;
