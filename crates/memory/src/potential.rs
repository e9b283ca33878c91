//! What the two channels advise.

use artoo_types::memory::{MemoryAction, Potentials};

/// Attention from which history counts; below it the advice is to ignore it.
pub const ATTENTION_FLOOR: f64 = 0.5;

/// Decision beyond ±this is a preference; within it the history is ambivalent.
pub const DECISION_BAND: f64 = 0.2;

/// The action for M_attention and M_decision, by the table of the four actions: below [`ATTENTION_FLOOR`] ignore;
/// else above +[`DECISION_BAND`] exploit, below −[`DECISION_BAND`] avoid, and caution in between, bounds included.
pub fn action(attention: f64, decision: f64) -> MemoryAction {
    if attention < ATTENTION_FLOOR {
        MemoryAction::Ignore
    } else if decision > DECISION_BAND {
        MemoryAction::Exploit
    } else if decision < -DECISION_BAND {
        MemoryAction::Avoid
    } else {
        MemoryAction::Caution
    }
}

/// Both channels with the action that they advise.
pub fn potentials(attention: f64, decision: f64) -> Potentials {
    Potentials { attention, decision, action: action(attention, decision) }
}
