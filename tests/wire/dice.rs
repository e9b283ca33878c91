//! Numbers that look random and are the same in every run with the same seed.

/// A generator after Steele, Lea and Flood (SplitMix64, OOPSLA 2014).
pub(crate) struct Dice(u64);

impl Dice {
    /// The seed: `ARTOO_TEST_SEED`, else 1.
    pub(crate) fn seed() -> u64 {
        std::env::var("ARTOO_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
    }

    /// The generator number `stream` of a run.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ stream);
        dice.next();
        dice
    }

    /// A number below `sides`, which is not 0.
    pub(crate) fn below(&mut self, sides: u64) -> u64 {
        self.next() % sides
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// How often a heavy test does its work: what the variable says, else `usual`.
pub(crate) fn times(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
