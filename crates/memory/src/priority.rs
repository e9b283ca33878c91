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
mod tests {
    use artoo_types::memory::Level;

    use super::overwritten;
    use crate::potential::potentials;

    /// Whether newer evidence with these sums contradicts a rule on level C.
    fn check(sigma: f64, attention: f64, decision: f64) -> bool {
        overwritten(Level::C, sigma, potentials(attention, decision))
    }

    #[test]
    fn contradiction_is_exact_at_its_bounds() {
        let tiny = f64::EPSILON;
        for sigma in [1.0, -1.0] {
            assert!(!check(sigma, 0.5, sigma * -0.2), "ambivalence is no contradiction");
            assert!(check(sigma, 0.5, sigma * -(0.2 + tiny)));
            assert!(!check(sigma, 0.5 - tiny, sigma * -0.4), "too little to count");
            assert!(check(sigma, 5.0, sigma * -5.0));
            assert!(!check(sigma, 5.0, sigma * 5.0), "it agrees");
            assert!(!check(sigma, 0.0, 0.0), "nothing is newer");
        }
    }

    #[test]
    fn a_law_gives_way_to_nothing() {
        for level in [Level::T, Level::M, Level::K] {
            assert!(!overwritten(level, 1.0, potentials(9.0, -9.0)), "{level:?}");
        }
    }
}
