//! Random draws that depend on what they are for alone, so that every policy meets the same task and the same luck.

/// The draws of one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Luck(u64);

/// One purpose of a draw, with the round, the step and an index within it.
pub type Purpose = (u64, usize, usize, usize);

impl Luck {
    /// The luck of the `task`-th task of a family, under this seed.
    pub fn of(seed: u64, task: u64, family: u64) -> Self {
        let mixed = seed
            .wrapping_mul(1_000_003)
            .wrapping_add(task)
            .wrapping_mul(0x94D0_49BB_1331_11EB)
            .wrapping_add((family + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Self(mixed ^ (mixed >> 31))
    }

    /// A number that names the task.
    pub fn number(self) -> u64 {
        self.0
    }

    /// A uniform draw from [0, 1) for this purpose: a hash of it.
    pub fn draw(self, (purpose, round, step, index): Purpose) -> f64 {
        let key = purpose * 4096 + (round * 256 + step * 32 + index) as u64;
        let mut x = self.0.wrapping_add(key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x = (x ^ (x >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (x >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Whether a draw for this purpose falls below `chance`.
    pub fn happens(self, chance: f64, purpose: Purpose) -> bool {
        self.draw(purpose) < chance
    }

    /// A whole number below `count`.
    pub fn below(self, count: usize, purpose: Purpose) -> usize {
        ((self.draw(purpose) * count as f64) as usize).min(count.saturating_sub(1))
    }
}

/// The place that a draw `at` in [0, 1) picks among those that are allowed, by weight; none when none is allowed.
pub fn pick(weights: &[f64], allowed: impl Fn(usize) -> bool, at: f64) -> Option<usize> {
    let total: f64 = weights.iter().enumerate().filter(|(i, _)| allowed(*i)).map(|(_, w)| w).sum();
    let (mut rest, mut last) = (at * total, None);
    for (i, weight) in weights.iter().enumerate().filter(|(i, _)| allowed(*i)) {
        last = Some(i);
        rest -= weight;
        if rest < 0.0 {
            return last;
        }
    }
    last
}
