//! Sums that keep what rounding would lose.

/// A running sum with Neumaier's compensation (A. Neumaier, 1974): the low-order part that an addition loses is kept
/// beside the sum. Adding a million weights then costs a few units in the last place instead of thousands.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CompensatedSum {
    /// The rounded sum.
    pub rounded: f64,
    /// What rounding lost.
    pub lost: f64,
}

impl CompensatedSum {
    /// Adds one term.
    pub fn add(&mut self, term: f64) {
        let total = self.rounded + term;
        self.lost += if self.rounded.abs() >= term.abs() {
            (self.rounded - total) + term
        } else {
            (term - total) + self.rounded
        };
        self.rounded = total;
    }

    /// Adds another sum, with what it lost.
    pub fn add_sum(&mut self, other: Self) {
        self.add(other.rounded);
        self.add(other.lost);
    }

    /// Multiplies the sum by `factor`.
    pub fn scale(&mut self, factor: f64) {
        self.rounded *= factor;
        self.lost *= factor;
    }

    /// The sum.
    pub fn value(self) -> f64 {
        self.rounded + self.lost
    }

    /// Whether both parts are numbers.
    pub fn is_finite(self) -> bool {
        self.rounded.is_finite() && self.lost.is_finite()
    }
}

impl FromIterator<f64> for CompensatedSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum.add(term);
        }
        sum
    }
}
