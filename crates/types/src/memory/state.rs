//! How a memory came about, as the word in its `state`.

/// The task failed for good under these plans.
pub const ABANDON: &str = "abandon";
/// All criteria were met.
pub const ACCEPT: &str = "accept";
/// An approach failed for logical reasons.
pub const CHANGE_APPROACH: &str = "change_approach";
/// The result was within tolerance.
pub const SUCCESS: &str = "success";
/// Something new helped after everything else was stuck.
pub const BREAK_SYMMETRY: &str = "break_symmetry";
/// A dead end that says nothing against the tool.
pub const CHANGE_PATH: &str = "change_path";
/// The right way with wrong parameters.
pub const REFINE: &str = "refine";
/// A rule of another task that might hold here; nobody has tried it.
pub const HYPOTHESIS: &str = "hypothesis";
/// A hypothesis was tried, and the task succeeded.
pub const HYPOTHESIS_CONFIRMED: &str = "hypothesis_confirmed";
/// A hypothesis was tried, and the task failed.
pub const HYPOTHESIS_REFUTED: &str = "hypothesis_refuted";
/// An outcome contradicted a rule that newer experience contradicted already.
pub const DISSONANCE: &str = "dissonance";
/// A rule in force was given, and was not enough.
pub const NEGATIVE_FEEDBACK: &str = "negative_feedback";
/// What a model concluded from a task that went wrong on the way.
pub const REFLECTION: &str = "reflection";
/// What the person said is to be remembered.
pub const DECLARED: &str = "declared";
/// A rule that was distilled from evidence.
pub const DISTILLED: &str = "distilled";
/// A command did its work for an accepted task of a folder, or failed where another one then did.
pub const PRACTICE: &str = "practice";
/// What several tasks of a folder share.
pub const SHARED: &str = "shared";
/// An action was not allowed: a fact about the setting, which speaks against no plan.
pub const DENIED: &str = "denied";

/// A law, or what artoo is: written when the memory was first opened, or accepted by the operator.
pub const LAW: &str = "law";
/// The operator does not want this rule to become a law.
pub const NO_LAW: &str = "no_law";

/// One row of the table of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryState {
    /// The word in [`super::Megram::state`].
    pub name: &'static str,
    /// Whether something happened: only then it can become part of a rule. What somebody said, thought or derived is
    /// heard, and proves nothing.
    pub is_evidence: bool,
    /// What it means, in words.
    pub meaning: &'static str,
}

const fn outcome(name: &'static str, meaning: &'static str) -> MemoryState {
    MemoryState { name, is_evidence: true, meaning }
}

const fn saying(name: &'static str, meaning: &'static str) -> MemoryState {
    MemoryState { name, is_evidence: false, meaning }
}

/// Every state that artoo writes.
pub const STATES: [MemoryState; 20] = [
    outcome(ABANDON, "these plans failed for good"),
    outcome(ACCEPT, "all criteria were met"),
    outcome(CHANGE_APPROACH, "this approach failed for logical reasons"),
    outcome(SUCCESS, "the result was within tolerance"),
    outcome(BREAK_SYMMETRY, "this helped after everything else was stuck"),
    outcome(CHANGE_PATH, "a dead end; the tool is unharmed"),
    outcome(REFINE, "the right way with wrong parameters"),
    saying(HYPOTHESIS, "a rule of another task, not tried here"),
    outcome(HYPOTHESIS_CONFIRMED, "a hypothesis was tried, and the task succeeded"),
    outcome(HYPOTHESIS_REFUTED, "a hypothesis was tried, and the task failed"),
    outcome(DISSONANCE, "an outdated rule was contradicted again"),
    outcome(NEGATIVE_FEEDBACK, "a rule in force was not enough"),
    saying(REFLECTION, "a model's conclusion from a task that went wrong on the way"),
    saying(DECLARED, "the person said so"),
    saying(DISTILLED, "a rule distilled from evidence"),
    saying(PRACTICE, "a command did the work of a task in this folder, or another one had to"),
    saying(SHARED, "what several tasks of a folder share"),
    saying(DENIED, "an action was not allowed here; it says nothing of the plan"),
    saying(LAW, "a law, above every rule"),
    saying(NO_LAW, "the operator does not want this rule to become a law"),
];

/// Whether a memory of this state is evidence: only then it counts towards a rule. A state that is not in the table
/// came from elsewhere, and nobody here saw what it says.
pub fn is_evidence(name: &str) -> bool {
    STATES.iter().any(|state| state.name == name && state.is_evidence)
}

/// Whether a memory of this state that speaks for something tells of a success. The right way with wrong parameters has not
/// reached what was asked: however often that is remembered, it is no praise.
pub fn tells_of_success(name: &str) -> bool {
    name != REFINE
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{DECLARED, DISTILLED, HYPOTHESIS, REFLECTION, STATES, is_evidence};
    use crate::control::{Directive, Ending, MacroState};

    #[test]
    fn every_state_has_one_row() {
        let names: BTreeSet<&str> = STATES.iter().map(|state| state.name).collect();
        assert_eq!(names.len(), STATES.len());
        assert!(STATES.iter().all(|state| !state.meaning.is_empty()));
    }

    #[test]
    fn every_decision_of_the_controller_is_evidence() {
        let directives =
            [Directive::Refine, Directive::ChangePath, Directive::ChangeApproach, Directive::BreakSymmetry];
        let endings = [Ending::Accept, Ending::Success, Ending::Abandon];
        let decisions = directives.map(MacroState::from).into_iter().chain(endings.map(MacroState::from));
        for decision in decisions {
            assert!(is_evidence(decision.as_str()), "{}", decision.as_str());
        }
    }

    #[test]
    fn what_was_only_said_is_no_evidence() {
        for state in [HYPOTHESIS, REFLECTION, DECLARED, DISTILLED, "", "Accept", "something else"] {
            assert!(!is_evidence(state), "{state}");
        }
    }
}
