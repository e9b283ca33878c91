//! What the controller of one task said so far, and what is wrong with its course.

use artoo_types::control::{Directive, PlanDirective, Urgency};
use artoo_types::finding::FindingKind;
use artoo_types::plan::{BlockedTarget, BlockedTool};
use serde::{Deserialize, Serialize};

use crate::event::Findings;

/// D has to change by this much to count as a trend: ε of the design, below which a change is a plateau.
const TREND_STEP: f64 = 0.1;
/// Rounds in a row without a fall of D after which a further directive is remarkable.
const FLAT_ROUNDS: u32 = 2;

/// What the controller said so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ControlHistory {
    pub(crate) blocked_tools: Vec<BlockedTool>,
    pub(crate) blocked_targets: Vec<BlockedTarget>,
    last_directive: Option<(Directive, f64)>,
    first_distance: Option<f64>,
    worsening_rounds: u32,
    /// Rounds in a row in which D did not fall.
    flat_rounds: u32,
}

impl ControlHistory {
    /// Where D went since the first round: improving, steady or worsening. `distance` is the latest D.
    pub(crate) fn trend(&mut self, distance: f64) -> &'static str {
        let change = distance - *self.first_distance.get_or_insert(distance);
        if change <= -TREND_STEP {
            "improving"
        } else if change >= TREND_STEP {
            "worsening"
        } else {
            "steady"
        }
    }

    /// Takes in a directive.
    pub(crate) fn direct(&mut self, directive: &PlanDirective, found: &mut Findings) {
        let distance = directive.loss.distance.get();
        if let Some((before, was)) = self.last_directive {
            self.compare(directive.directive, distance, (before, was), found);
        }
        self.worsening_rounds = match directive.urgency {
            Urgency::Worsening => self.worsening_rounds + 1,
            Urgency::Improving | Urgency::Steady => 0,
        };
        if self.worsening_rounds >= 2 {
            let rounds = self.worsening_rounds;
            found.push((
                FindingKind::ConvergenceFailure,
                format!("{rounds} worsening rounds in a row and the task goes on"),
            ));
        }
        self.last_directive = Some((directive.directive, distance));
        self.blocked_tools.clone_from(&directive.blocked_tools);
        self.blocked_targets.clone_from(&directive.blocked_targets);
    }

    fn compare(
        &mut self,
        directive: Directive,
        distance: f64,
        (before, was): (Directive, f64),
        found: &mut Findings,
    ) {
        let again = [before, directive] == [Directive::BreakSymmetry; 2];
        if again && distance >= was {
            found.push((
                FindingKind::GgsThrashing,
                format!("break_symmetry again although D went from {was:.2} to {distance:.2}"),
            ));
        }
        self.flat_rounds = if distance < was { 0 } else { self.flat_rounds + 1 };
        // A longer plateau is the same one.
        if self.flat_rounds == FLAT_ROUNDS {
            found.push((
                FindingKind::Plateau,
                format!("D is {distance:.2} and did not fall in {FLAT_ROUNDS} rounds, and the task is planned anew"),
            ));
        }
    }
}
