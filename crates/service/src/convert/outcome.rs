//! Results on their way up.

use artoo_protocol::json::json_to_value;
use artoo_protocol::v1;
use artoo_types::criteria::CriterionVerdict;
use artoo_types::outcome::{
    CorrectionSignal, ExecutionResult, GapPoint, JudgedTimes, OutcomeSummary, ReplanRequest, SubTaskOutcome,
};

use super::plan::{criterion, sub_task};
use super::tool::receipt;
use super::{index, texts, word};

pub(super) fn execution_result(m: &ExecutionResult) -> v1::ExecutionResult {
    v1::ExecutionResult {
        subtask_id: m.subtask_id.to_string(),
        attempt: m.attempt,
        status: word(m.status),
        output: m.output.clone(),
        answer: m.answer.as_ref().map(ToString::to_string),
        handle: m.handle.clone(),
        tool_calls: m.tool_calls.clone(),
        receipts: m.receipts.iter().map(receipt).collect(),
        infrastructure: m.infrastructure.clone(),
    }
}

pub(super) fn correction_signal(m: &CorrectionSignal) -> v1::CorrectionSignal {
    v1::CorrectionSignal {
        subtask_id: m.subtask_id.to_string(),
        attempt: m.attempt,
        what_was_wrong: m.what_was_wrong.clone(),
        what_to_do: m.what_to_do.clone(),
        failure_class: m.failure_class.map(word).unwrap_or_default(),
        prior_calls: m.prior_calls.clone(),
    }
}

pub(super) fn sub_task_outcome(m: &SubTaskOutcome) -> v1::SubTaskOutcome {
    v1::SubTaskOutcome {
        subtask_id: m.subtask_id.to_string(),
        parent_task_id: m.parent_task_id.to_string(),
        status: word(m.status),
        output: m.output.clone(),
        handle: m.handle.clone(),
        failure_reason: m.failure_reason.clone(),
        gap_trajectory: m.gap_trajectory.iter().map(gap_point).collect(),
        criteria_verdicts: m.criteria_verdicts.iter().map(criterion_verdict).collect(),
        tool_calls: m.tool_calls.clone(),
        receipts: m.receipts.iter().map(receipt).collect(),
        denied: m.denied.map(word),
        subtask: Some(sub_task(&m.subtask)),
    }
}

pub(super) fn replan_request(m: &ReplanRequest) -> v1::ReplanRequest {
    v1::ReplanRequest {
        task_id: m.task_id.to_string(),
        outcomes: m.outcomes.iter().map(sub_task_outcome).collect(),
        failed_outcomes: texts(&m.failed_outcomes),
        task_verdicts: m.task_verdicts.iter().map(criterion_verdict).collect(),
        task_history: m.task_history.iter().map(judged_times).collect(),
        task_criteria: m.task_criteria.iter().map(criterion).collect(),
        gap_summary: m.gap_summary.clone(),
        partial_output: m.partial_output.clone(),
        not_in_receipts: m.not_in_receipts.clone(),
    }
}

pub(super) fn outcome_summary(m: &OutcomeSummary) -> v1::OutcomeSummary {
    v1::OutcomeSummary {
        task_id: m.task_id.to_string(),
        merged_output: Some(json_to_value(&m.merged_output)),
        summary: m.summary.clone(),
        outcomes: m.outcomes.iter().map(sub_task_outcome).collect(),
        task_verdicts: m.task_verdicts.iter().map(criterion_verdict).collect(),
        task_history: m.task_history.iter().map(judged_times).collect(),
        task_criteria: m.task_criteria.iter().map(criterion).collect(),
        not_in_receipts: m.not_in_receipts.clone(),
    }
}

fn gap_point(m: &GapPoint) -> v1::GapPoint {
    v1::GapPoint {
        attempt: m.attempt,
        score: m.score,
        unmet_criteria: m.unmet_criteria.clone(),
        unmet_indexes: m.unmet_indexes.iter().map(|i| index(*i)).collect(),
        failure_class: m.failure_class.map(word),
    }
}

fn criterion_verdict(m: &CriterionVerdict) -> v1::CriterionVerdict {
    v1::CriterionVerdict {
        index: index(m.index),
        criterion: m.criterion.clone(),
        mode: word(m.mode),
        verdict: word(m.verdict),
        failure_class: m.failure_class.map(word),
        cites: m.cites.as_ref().map(ToString::to_string),
        evidence: m.evidence.clone(),
        before: m.before.map(word),
    }
}

fn judged_times(m: &JudgedTimes) -> v1::JudgedTimes {
    v1::JudgedTimes { judged: m.judged, failed: m.failed }
}
