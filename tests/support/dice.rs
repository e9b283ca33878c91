//! Choices that a seed repeats.

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub struct Dice(u64);

impl Dice {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of many rows of choices that a seed makes, by its number.
    pub fn stream(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        dice.below(1);
        dice
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// A number from the environment.
pub fn setting(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => otherwise,
    }
}
