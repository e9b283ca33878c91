//! The controller's decisions, read off the envelopes that say them.

use artoo_types::control::{Loss, MacroState, Reason};
use artoo_types::{Envelope, Message};

use super::DecisionPair;

/// What the controller decided, and the figures that it decided on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControllerDecision {
    /// The round that ended; 0 is the first plan.
    pub round: u32,
    /// D, P, Ω and L.
    pub loss: Loss,
    /// ∇L, literal.
    pub grad_l: f64,
    /// ∇Q of the quality part.
    pub grad_q: f64,
    /// The directive, or how the task ends.
    pub directive: MacroState,
    /// Why the task ends; none for a directive.
    pub reason: Option<Reason>,
}

impl ControllerDecision {
    /// The decision that this envelope carries, if it carries one.
    pub fn of(envelope: &Envelope) -> Option<Self> {
        let round = envelope.round;
        if let Message::PlanDirective(m) = &envelope.payload {
            let (grad_l, grad_q) = (m.grad_l, m.grad_q);
            return Some(Self {
                round,
                loss: m.loss,
                grad_l,
                grad_q,
                directive: m.directive.into(),
                reason: None,
            });
        }
        if let Message::FarewellRequest(m) = &envelope.payload {
            let (grad_l, grad_q, reason) = (m.grad_l, m.grad_q, Some(m.reason));
            return Some(Self {
                round,
                loss: m.loss,
                grad_l,
                grad_q,
                directive: MacroState::Abandon,
                reason,
            });
        }
        let Message::FinalResult(m) = &envelope.payload else { return None };
        let (grad_l, grad_q, reason) = (m.grad_l, m.grad_q, Some(m.reason));
        Some(Self { round, loss: m.loss, grad_l, grad_q, directive: m.directive.into(), reason })
    }

    /// Whether both decide the same, whatever their figures are.
    pub fn is_same_decision(&self, other: &Self) -> bool {
        (self.round, self.directive, self.reason) == (other.round, other.directive, other.reason)
    }

    /// The decision in a word or two: `change_path`, `abandon (diverging)`.
    pub fn words(&self) -> String {
        match self.reason {
            Some(reason) => format!("{} ({})", self.directive.as_str(), reason.as_str()),
            None => self.directive.as_str().to_owned(),
        }
    }
}

/// Whether the decision was known before: the result of a task whose end was decided when its last words were asked for.
pub(super) fn is_told_again(told: &DecisionPair, before: Option<&DecisionPair>) -> bool {
    let is_end = |d: &ControllerDecision| d.reason.is_some();
    before.is_some_and(|before| told == before && before.recorded.as_ref().is_some_and(is_end))
}

/// The decisions of one step, side by side.
pub(super) fn pairs(recorded: &[Envelope], folded: &[Envelope]) -> Vec<DecisionPair> {
    let mut recorded = recorded.iter().filter_map(ControllerDecision::of);
    let mut folded = folded.iter().filter_map(ControllerDecision::of);
    let next = || {
        let pair = DecisionPair { recorded: recorded.next(), folded: folded.next() };
        (pair.recorded.is_some() || pair.folded.is_some()).then_some(pair)
    };
    std::iter::from_fn(next).collect()
}
