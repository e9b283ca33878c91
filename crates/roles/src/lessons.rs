//! What the verdicts of a judge teach, once code has looked at the calls that they are about.

use artoo_types::EvidenceId;
use artoo_types::criteria::CriterionVerdict;
use artoo_types::evidence::Receipt;
use artoo_types::lesson::{CallResult, Shortfall, lesson};

/// Sets the class of each failing verdict of a judge. `receipts` are the calls that it may be about, in order.
pub(crate) fn classify(verdicts: &mut [CriterionVerdict], receipts: &[&Receipt]) {
    let last = last_call(receipts);
    let call = |id: &EvidenceId| receipts.iter().find(|r| r.id == *id).map(|r| CallResult::from(*r));
    for verdict in verdicts.iter_mut().filter(|v| !v.passed()) {
        let cited = verdict.cites.as_ref().and_then(call);
        verdict.failure_class = lesson(Shortfall::Judged { said: verdict.failure_class, cited, last });
    }
}

/// What the last of these calls shows.
pub(crate) fn last_call(receipts: &[&Receipt]) -> Option<CallResult> {
    receipts.last().map(|receipt| CallResult::from(*receipt))
}
