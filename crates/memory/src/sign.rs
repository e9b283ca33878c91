//! Whether a rule is for or against something.

/// The sign of a rule or of M_decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// A best practice.
    For,
    /// A constraint: MUST NOT.
    Against,
}

impl Sign {
    /// Both.
    pub const ALL: [Self; 2] = [Self::For, Self::Against];

    /// The sign of a valence; 0 counts as for.
    pub fn of(sigma: f64) -> Self {
        if sigma < 0.0 { Self::Against } else { Self::For }
    }

    /// 1 or −1.
    pub fn value(self) -> f64 {
        match self {
            Self::For => 1.0,
            Self::Against => -1.0,
        }
    }
}
