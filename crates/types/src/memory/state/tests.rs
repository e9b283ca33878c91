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
