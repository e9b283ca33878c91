//! Numbers with their credible intervals, from weights on a grid.

/// A number, and where it lies with nine chances of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// The lower end of it.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Whether a number is credible.
    pub fn holds(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }
}

/// The estimate from places and the logs of their weights.
pub(super) fn weighted(places: impl Iterator<Item = (f64, f64)>) -> Estimate {
    let places: Vec<(f64, f64)> = places.collect();
    let top = places.iter().map(|(_, log)| *log).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<(f64, f64)> = places.iter().map(|(at, log)| (*at, (log - top).exp())).collect();
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut falling: Vec<f64> = weights.iter().map(|(_, weight)| *weight).collect();
    falling.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let least = falling.into_iter().find(|weight| {
        sum += weight;
        sum >= 0.9 * total
    });
    // The likeliest places that hold nine chances of ten, so that an end of the grid is not ruled out by being one.
    let credible = || weights.iter().filter(|(_, weight)| least.is_none_or(|least| *weight >= least));
    Estimate {
        value: weights.iter().map(|(at, weight)| at * weight).sum::<f64>() / total,
        low: credible().map(|(at, _)| *at).fold(f64::INFINITY, f64::min),
        high: credible().map(|(at, _)| *at).fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Places of the grid of a share.
const FINE: usize = 1_000;
/// What lies closer than this cannot be told apart on it.
pub(super) const STEP: f64 = 1.0 / FINE as f64;

/// A share of which `for_it` and `against` steps were seen: the Beta distribution with these parameters.
pub(super) fn of_share(for_it: f64, against: f64) -> Estimate {
    let at = |i: usize| (i as f64 + 0.5) / FINE as f64;
    let log = |x: f64| (for_it - 1.0) * x.ln() + (against - 1.0) * (1.0 - x).ln();
    let grid = weighted((0..FINE).map(|i| (at(i), log(at(i)))));
    Estimate { value: for_it / (for_it + against), ..grid }
}
