//! Whether the verdicts that a task is accepted on stand on recorded evidence (Law 0).

use std::collections::BTreeSet;

use artoo_types::EvidenceId;
use artoo_types::criteria::CriterionVerdict;
use artoo_types::outcome::SubTaskOutcome;
use serde::{Deserialize, Serialize};

/// What the last summary put to the controller rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Support {
    verdicts: u64,
    /// Passes that cite nothing.
    uncited: u64,
    /// Receipts that are cited but were never recorded, at most [`MAX_UNKNOWN`] of them.
    unknown: BTreeSet<EvidenceId>,
}

/// One unknown receipt is proof enough; a few more help the operator.
const MAX_UNKNOWN: usize = 8;

impl Support {
    /// Weighs the verdicts of a summary against the receipts that the task recorded.
    pub(crate) fn of(
        outcomes: &[SubTaskOutcome],
        task_verdicts: &[CriterionVerdict],
        receipts: &BTreeSet<EvidenceId>,
    ) -> Self {
        let mut support = Self::default();
        for verdict in outcomes.iter().flat_map(|o| &o.criteria_verdicts).chain(task_verdicts) {
            support.verdicts += 1;
            match &verdict.cites {
                None => support.uncited += u64::from(verdict.passed()),
                Some(id) if is_receipt(id) && !receipts.contains(id) => {
                    if support.unknown.len() < MAX_UNKNOWN {
                        support.unknown.insert(id.clone());
                    }
                }
                Some(_) => {}
            }
        }
        support
    }

    /// What is wrong with accepting on this, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.verdicts == 0 {
            return Some("accepted without a single verdict".to_owned());
        }
        if !self.unknown.is_empty() {
            let ids: Vec<&str> = self.unknown.iter().map(|id| id.0.as_str()).collect();
            return Some(format!("accepted on receipts that no tool call made: {}", ids.join(", ")));
        }
        (self.uncited > 0).then(|| {
            format!("accepted although {} of {} verdicts cite no evidence", self.uncited, self.verdicts)
        })
    }
}

/// Receipts are `r<number>`; checks, answers and subtasks are named otherwise.
fn is_receipt(id: &EvidenceId) -> bool {
    id.0.strip_prefix('r').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
