//! How a task ended, as far as memories are concerned.
//!
//! Only what code saw is praised. What a model judged on words alone, and what an executor merely said, teaches nothing in
//! favour of a plan.

use artoo_types::control::Ending;
use artoo_types::criteria::{CriterionMode, CriterionVerdict};
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::outcome::SubTaskOutcome;

/// How a task ended, as far as memories are concerned.
#[derive(Debug, Clone, Copy)]
pub struct TaskEnd<'a> {
    /// How.
    pub ending: Ending,
    /// Whether its failure, if it failed, was the approach's own: P of the last round above ρ.
    pub logical: bool,
    /// Whether code saw that something was reached; without that nothing is praised.
    pub confirmed: bool,
    /// Of the last round; none when the task ended between rounds.
    pub outcomes: &'a [SubTaskOutcome],
    /// What the task taught, in words.
    pub lesson: &'a str,
}

/// Whether a verifiable criterion of the round is met by what code saw: its pass cites a check, or a call that changed
/// something.
pub fn is_confirmed(outcomes: &[SubTaskOutcome], task_verdicts: &[CriterionVerdict]) -> bool {
    let of_steps = outcomes.iter().flat_map(|outcome| &outcome.criteria_verdicts);
    of_steps.chain(task_verdicts).any(|verdict| is_seen(verdict, outcomes))
}

fn is_seen(verdict: &CriterionVerdict, outcomes: &[SubTaskOutcome]) -> bool {
    let is_proof = verdict.passed() && verdict.mode == CriterionMode::Verifiable;
    let Some(cited) = verdict.cites.as_ref().filter(|_| is_proof) else { return false };
    let mut receipts = outcomes.iter().flat_map(|outcome| &outcome.receipts);
    cited.is_check() || receipts.any(|receipt| receipt.id == *cited && has_effect(receipt))
}

fn has_effect(receipt: &Receipt) -> bool {
    receipt.succeeded() && (receipt.effect != EffectClass::Read || !receipt.act.changes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn check(verdict: CriterionVerdict, receipt: Receipt, confirmed: bool) {
        let mut outcome = matched("a", 0);
        outcome.criteria_verdicts = vec![verdict];
        outcome.receipts = vec![receipt];
        assert_eq!(is_confirmed(&[outcome], &[]), confirmed);
    }

    #[test]
    fn a_check_or_a_call_with_an_effect_confirms_and_words_do_not() {
        let read = || call("r1", "glob", "/x", 0);
        let write = || Receipt { effect: EffectClass::Create, ..call("r1", "write_file", "/x", 0) };
        check(citing(pass(0, Verifiable), "c1.0"), read(), true);
        check(citing(pass(0, Verifiable), "r1"), write(), true);
        check(citing(pass(0, Verifiable), "r1"), read(), false);
        check(citing(pass(0, Verifiable), "a3"), write(), false);
        check(citing(pass(0, Plausible), "c1.0"), read(), false);
        check(citing(fail(0, Verifiable, None), "c1.0"), read(), false);
        check(citing(pass(0, Verifiable), "r1"), Receipt { exit: Some(1), ..write() }, false);
    }

    #[test]
    fn a_criterion_of_the_task_confirms_as_one_of_a_step_does() {
        assert!(is_confirmed(&[], &[citing(pass(0, Verifiable), "c7.0")]));
        assert!(!is_confirmed(&[], &[citing(pass(0, Verifiable), "a7")]));
    }
}
