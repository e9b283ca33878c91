//! What later steps undid: what a step's checks saw in a file is looked at again where a later step wrote over that file.

use artoo_request::{Action, RequestReading};
use artoo_types::SubtaskId;
use artoo_types::criteria::Check;
use artoo_types::evidence::{ChangeKind, CheckEvidence, Receipt};
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};

use crate::located::located;
use crate::verdicts;

/// A check of a step that is asked again: the step, the place of its criterion, and the check.
pub(super) type AskedAgain = (SubtaskId, usize, Check);

/// The checks of steps about the contents of files that a later step changed. A request that orders a change may well want
/// that, so that nothing is asked again then. `ordered`: the steps as they ran.
pub(super) fn asked_again(ordered: &[&SubTaskOutcome], request: &RequestReading) -> Vec<AskedAgain> {
    let changes = |action| matches!(action, Action::Change | Action::Delete | Action::Move);
    if request.asked().any(|clause| changes(clause.action)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, outcome) in ordered.iter().enumerate().filter(|(_, outcome)| outcome.matched()) {
        let later = ordered[at + 1..].iter().filter(|one| one.subtask.sequence > outcome.subtask.sequence);
        let receipts: Vec<&Receipt> = later.flat_map(|one| one.all_receipts()).collect();
        let own: Vec<&Receipt> = outcome.all_receipts().collect();
        for (index, criterion) in outcome.subtask.success_criteria.iter().enumerate() {
            let Some(check) = located(criterion, &own).filter(is_of_contents) else { continue };
            if check.path().is_some_and(|path| receipts.iter().any(|receipt| wrote_over(receipt, path))) {
                found.push((outcome.subtask_id, index, check));
            }
        }
    }
    found
}

fn is_of_contents(check: &Check) -> bool {
    matches!(check, Check::FileContains { .. } | Check::FileJson { .. })
}

/// Whether a call changed a file of this name that was there.
fn wrote_over(receipt: &Receipt, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_it = |changed: &str| {
        if path.starts_with('/') { changed == path } else { changed.rsplit('/').next() == Some(name) }
    };
    receipt.act.changes.iter().any(|change| change.kind == ChangeKind::Changed && is_it(&change.path))
}

/// A step whose check does not hold any more has failed, whatever it was when it ended.
pub(super) fn fail(outcome: &mut SubTaskOutcome, index: usize, evidence: CheckEvidence) {
    let Some(criterion) = outcome.subtask.success_criteria.get(index) else { return };
    let verdict = verdicts::from_check(criterion, &CheckEvidence { criterion: index, ..evidence });
    if verdict.passed() {
        return;
    }
    outcome.failure_reason =
        Some(format!("a later step undid it: \"{}\" no longer holds", verdict.criterion));
    outcome.status = OutcomeStatus::Failed;
    outcome.criteria_verdicts.retain(|known| known.index != index);
    outcome.criteria_verdicts.push(verdict);
    outcome.criteria_verdicts.sort_by_key(|known| known.index);
}
