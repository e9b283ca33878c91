//! What is told of an attempt that fell short.

use artoo_types::criteria::{CriterionVerdict, FailureClass};
use artoo_types::evidence::Receipt;
use artoo_types::limits::MODEL_RESULT_CHARS;
use artoo_types::outcome::{AttemptRecord, GapPoint};
use artoo_types::text::{first_chars, head_tail};

/// Attempts with the outputs of their calls as a model saw them.
pub(super) fn told(attempts: &[AttemptRecord]) -> Vec<AttemptRecord> {
    let cut = |receipt: &Receipt| Receipt {
        output: head_tail(&receipt.output, MODEL_RESULT_CHARS),
        ..receipt.clone()
    };
    let told = |attempt: &AttemptRecord| AttemptRecord {
        attempt: attempt.attempt,
        verdicts: attempt.verdicts.clone(),
        receipts: attempt.receipts.iter().map(cut).collect(),
    };
    attempts.iter().map(told).collect()
}

pub(super) fn gap_point(attempt: u32, verdicts: &[CriterionVerdict]) -> GapPoint {
    let unmet: Vec<&CriterionVerdict> = verdicts.iter().filter(|v| !v.passed()).collect();
    GapPoint {
        attempt,
        score: (verdicts.len() - unmet.len()) as f64 / verdicts.len().max(1) as f64,
        unmet_criteria: unmet.iter().map(|v| v.criterion.clone()).collect(),
        unmet_indexes: unmet.iter().map(|v| v.index).collect(),
        failure_class: class_of(verdicts),
    }
}

/// The class of most failures; of as many on both sides, the approach is doubted first.
pub(super) fn class_of(verdicts: &[CriterionVerdict]) -> Option<FailureClass> {
    let count = |class| verdicts.iter().filter(|v| v.failure_class == Some(class)).count();
    match (count(FailureClass::Logical), count(FailureClass::Environmental)) {
        (0, 0) => None,
        (logical, environmental) if logical >= environmental => Some(FailureClass::Logical),
        _ => Some(FailureClass::Environmental),
    }
}

pub(super) fn unmet_words(verdicts: &[CriterionVerdict]) -> String {
    let words: Vec<String> = verdicts
        .iter()
        .filter(|v| !v.passed())
        .map(|v| format!("\"{}\" is not met: {}", v.criterion, v.evidence))
        .collect();
    first_chars(&words.join("; "), 1_000)
}
