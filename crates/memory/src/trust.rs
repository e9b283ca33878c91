//! Trust Bankruptcy: when a timeless rule falls, and what it becomes.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use uuid::Uuid;

/// Whether the rule with magnitude `f` and valence `sigma` falls before the evidence `decision` = M_decision of its own
/// (space, entity), which sums levels M and K only: `f + sgn(σ)·M_dec < 0`.
///
/// A constraint (σ < 0) is born from M_dec ≤ −3, so "M_dec < 0" would end it at once. Measuring against the rule's own
/// sign, with its magnitude as hysteresis, lets only contrary evidence end it.
pub fn bankrupt(f: f64, sigma: f64, decision: f64) -> bool {
    let sign = if sigma < 0.0 { -1.0 } else { 1.0 };
    f + sign * decision < 0.0
}

/// What a fallen rule becomes: knowledge (level K) that fades from `now` on, with the rule as its parent. Its id
/// derives from the rule's, so that demoting twice makes one record. The rule itself is to be replaced by a tombstone
/// in the same batch.
pub fn demoted(rule: &Megram, now: Timestamp) -> Megram {
    Megram {
        id: Uuid::new_v5(&rule.id, b"demoted"),
        level: Level::K,
        created_at: now,
        last_recalled_at: None,
        k: Rate::Slow,
        parents: vec![rule.id],
        ..rule.clone()
    }
}
