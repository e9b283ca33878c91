//! The decision table: 3 trends × near or far × sound or wrong approach × budget left or spent, 24 cells.

use artoo_types::control::{Directive, Ending, Reason, Urgency};
use artoo_types::setting::ControlParams;
use artoo_types::unit::{Cost, Distance, Implausibility};

/// What the controller decides at the end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Plan again, and differ like this.
    Replan(Directive),
    /// End the task.
    Finish(Ending, Reason),
}

/// What the table reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Situation {
    /// The deciding gradient ∇.
    pub gradient: f64,
    /// D.
    pub distance: Distance,
    /// Whether nothing verifiable is left to prove; if not, D is read as just above δ.
    pub proven: bool,
    /// P.
    pub implausibility: Implausibility,
    /// Ω.
    pub cost: Cost,
}

/// Where ∇ lies against ±ε. |∇| = ε is signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    /// ∇ ≤ −ε.
    Falling,
    /// |∇| < ε.
    Flat,
    /// ∇ ≥ ε.
    Rising,
}

/// One cell of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Where ∇ lies.
    pub trend: Trend,
    /// D > δ, or not proven. D = δ is near.
    pub far: bool,
    /// P > ρ. P = ρ is environmental.
    pub wrong: bool,
    /// Ω ≥ θ. Ω = θ is spent.
    pub spent: bool,
}

impl Cell {
    /// The cell of a situation.
    pub fn of(params: &ControlParams, s: &Situation) -> Self {
        let trend = if below(s.gradient.abs(), params.epsilon) {
            Trend::Flat
        } else if s.gradient < 0.0 {
            Trend::Falling
        } else {
            Trend::Rising
        };
        Self {
            trend,
            far: !s.proven || above(s.distance.get(), params.delta),
            wrong: above(s.implausibility.get(), params.rho),
            spent: !below(s.cost.get(), params.theta),
        }
    }

    /// What the table says.
    pub fn decision(self) -> Decision {
        TABLE[self.index()].1
    }

    /// The row, counted from 0, in the order in which the design numbers the cells.
    pub fn index(self) -> usize {
        let trend = match self.trend {
            Trend::Falling => 0,
            Trend::Flat => 8,
            Trend::Rising => 16,
        };
        trend + 4 * usize::from(self.far) + 2 * usize::from(self.spent) + usize::from(self.wrong)
    }
}

const fn cell(trend: Trend, far: bool, wrong: bool, spent: bool) -> Cell {
    Cell { trend, far, wrong, spent }
}

const ABANDON: Decision = Decision::Finish(Ending::Abandon, Reason::BudgetExhausted);
const SUCCESS: Decision = Decision::Finish(Ending::Success, Reason::WithinTolerance);
const REFINE: Decision = Decision::Replan(Directive::Refine);
const CHANGE_PATH: Decision = Decision::Replan(Directive::ChangePath);
const CHANGE_APPROACH: Decision = Decision::Replan(Directive::ChangeApproach);
const BREAK_SYMMETRY: Decision = Decision::Replan(Directive::BreakSymmetry);

/// The full enumeration of version 0.8: trend, D > δ, P > ρ, Ω ≥ θ.
pub const TABLE: [(Cell, Decision); 24] = [
    (cell(Trend::Falling, false, false, false), SUCCESS),
    (cell(Trend::Falling, false, true, false), SUCCESS),
    (cell(Trend::Falling, false, false, true), ABANDON),
    (cell(Trend::Falling, false, true, true), ABANDON),
    (cell(Trend::Falling, true, false, false), REFINE),
    // Falling loss on a wrong approach is suspicious: it may be gaming the criteria. The trend is not trusted.
    (cell(Trend::Falling, true, true, false), CHANGE_APPROACH),
    (cell(Trend::Falling, true, false, true), ABANDON),
    (cell(Trend::Falling, true, true, true), ABANDON),
    (cell(Trend::Flat, false, false, false), SUCCESS),
    (cell(Trend::Flat, false, true, false), SUCCESS),
    (cell(Trend::Flat, false, false, true), ABANDON),
    (cell(Trend::Flat, false, true, true), ABANDON),
    (cell(Trend::Flat, true, false, false), CHANGE_PATH),
    (cell(Trend::Flat, true, true, false), BREAK_SYMMETRY),
    (cell(Trend::Flat, true, false, true), ABANDON),
    (cell(Trend::Flat, true, true, true), ABANDON),
    (cell(Trend::Rising, false, false, false), SUCCESS),
    (cell(Trend::Rising, false, true, false), SUCCESS),
    (cell(Trend::Rising, false, false, true), ABANDON),
    (cell(Trend::Rising, false, true, true), ABANDON),
    (cell(Trend::Rising, true, false, false), REFINE),
    (cell(Trend::Rising, true, true, false), CHANGE_APPROACH),
    (cell(Trend::Rising, true, false, true), ABANDON),
    (cell(Trend::Rising, true, true, true), ABANDON),
];

/// Worsening rounds in a row after which Law 2 ends a task.
pub const LAW2_ROUNDS: u32 = 2;

/// What the table does not know and yet decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Everything was evaluated and everything is met.
    pub complete: bool,
    /// Something failed, and all that failed was denied by a person.
    pub denied_only: bool,
    /// Worsening rounds in a row, this one included.
    pub worsening: u32,
    /// Directives that may still be issued.
    pub directives_left: u32,
}

/// The decision of a round. Accept comes before the table and every budget; denials explain an end better than a budget
/// does; Law 2 and the count of replans bind only where the table wants another plan.
pub fn decide(cell: Cell, bounds: Bounds) -> Decision {
    if bounds.complete {
        return Decision::Finish(Ending::Accept, Reason::CriteriaMet);
    }
    match cell.decision() {
        success @ Decision::Finish(Ending::Success | Ending::Accept, _) => success,
        _ if bounds.denied_only => Decision::Finish(Ending::Abandon, Reason::Refused),
        abandon @ Decision::Finish(Ending::Abandon, _) => abandon,
        Decision::Replan(_) if bounds.worsening >= LAW2_ROUNDS => {
            Decision::Finish(Ending::Abandon, Reason::Diverging)
        }
        Decision::Replan(_) if bounds.directives_left == 0 => {
            Decision::Finish(Ending::Abandon, Reason::ReplansExhausted)
        }
        replan @ Decision::Replan(_) => replan,
    }
}

/// The sign of the deciding gradient beyond ±ε. A round in which a subtask newly matched is never worsening.
pub fn urgency(params: &ControlParams, gradient: f64, newly_matched: bool) -> Urgency {
    if above(gradient, params.epsilon) && !newly_matched {
        Urgency::Worsening
    } else if above(-gradient, params.epsilon) {
        Urgency::Improving
    } else {
        Urgency::Steady
    }
}

/// Figures closer than this are equal. The formulas are sums of a few products of numbers around 1, whose rounding
/// error stays below 1e-14; without it 0.3 − 0.2 would be less than 0.1 and the rules for equality would be chance.
pub const TOLERANCE: f64 = 1e-12;

/// `value > bound`, beyond rounding.
pub fn above(value: f64, bound: f64) -> bool {
    value > bound + TOLERANCE
}

/// `value < bound`, beyond rounding.
pub fn below(value: f64, bound: f64) -> bool {
    value < bound - TOLERANCE
}

#[cfg(test)]
mod tests;
