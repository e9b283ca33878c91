//! What travels inside as what travels on the wire. Nothing is decided or shortened here.
//!
//! Every match over our own enums is exhaustive, so a new message cannot be forgotten; words are the ones that the
//! journals use, because they are made by the same serialisation.

use artoo_protocol::v1;
use artoo_protocol::v1::event::Payload;
use artoo_types::{Envelope, Message, Timestamp};
use serde::Serialize;

mod control;
mod memory;
mod model;
mod operator;
mod outcome;
mod plan;
mod task;
mod tool;

pub use control::{final_result, loss};
pub use memory::{cluster, falling, in_danger, megram, relation, via};
pub use operator::{audit_finding, audit_head, audit_report, mcp_change, undo_item};
pub use task::{submitted, task, task_state, unreadable_task};

/// An envelope as the event of the stream.
pub fn event(envelope: &Envelope) -> v1::Event {
    v1::Event {
        sequence: envelope.sequence,
        task_id: envelope.task_id.map(|id| id.to_string()).unwrap_or_default(),
        time: Some(timestamp(envelope.time)),
        from: envelope.from.as_str().to_owned(),
        to: envelope.to.as_str().to_owned(),
        round: envelope.round,
        event_id: envelope.id.to_string(),
        refused: envelope.refused,
        payload: Some(payload(&envelope.payload)),
    }
}

/// A message as the payload of an event.
pub fn payload(message: &Message) -> Payload {
    match message {
        Message::TaskSubmitted(m) => Payload::TaskSubmitted(task::task_submitted(m)),
        Message::ClarificationRequest(m) => Payload::ClarificationRequest(task::clarification_request(m)),
        Message::ClarificationAnswer(m) => Payload::ClarificationAnswer(task::clarification_answer(m)),
        Message::TaskSpec(m) => Payload::TaskSpec(task::task_spec(m)),
        Message::MemoryQuery(m) => Payload::MemoryQuery(memory::memory_query(m)),
        Message::MemoryReply(m) => Payload::MemoryReply(memory::memory_reply(m)),
        Message::PlanDraftRejected(m) => Payload::PlanDraftRejected(plan::plan_draft_rejected(m)),
        Message::DispatchManifest(m) => Payload::DispatchManifest(plan::dispatch_manifest(m)),
        Message::SubTask(m) => Payload::SubTask(plan::sub_task(m)),
        Message::ExecutionResult(m) => Payload::ExecutionResult(outcome::execution_result(m)),
        Message::CorrectionSignal(m) => Payload::CorrectionSignal(outcome::correction_signal(m)),
        Message::SubTaskOutcome(m) => Payload::SubTaskOutcome(outcome::sub_task_outcome(m)),
        Message::ReplanRequest(m) => Payload::ReplanRequest(outcome::replan_request(m)),
        Message::OutcomeSummary(m) => Payload::OutcomeSummary(outcome::outcome_summary(m)),
        Message::PlanDirective(m) => Payload::PlanDirective(control::plan_directive(m)),
        Message::FarewellRequest(m) => Payload::FarewellRequest(control::farewell_request(m)),
        Message::Farewell(m) => Payload::Farewell(control::farewell(m)),
        Message::FinalResult(m) => Payload::FinalResult(final_result(m)),
        Message::MegramWrite(m) => Payload::MegramWrite(v1::MegramWrite { megram: Some(megram(&m.megram)) }),
        Message::ConfirmationRequest(m) => Payload::ConfirmationRequest(task::confirmation_request(m)),
        Message::ConfirmationResolved(m) => Payload::ConfirmationResolved(task::confirmation_resolved(m)),
        Message::ToolCallStarted(m) => Payload::ToolCallStarted(tool::tool_call_started(m)),
        Message::ToolCallFinished(m) => Payload::ToolCallFinished(tool::tool_call_finished(m)),
        Message::ModelCallStarted(m) => Payload::ModelCallStarted(model::model_call_started(m)),
        Message::ModelCallFinished(m) => Payload::ModelCallFinished(model::model_call_finished(m)),
        Message::TaskCancelled(m) => Payload::TaskCancelled(task::task_cancelled(m)),
        Message::AuditQuery(m) => Payload::AuditQuery(v1::AuditQuery { include_window: m.include_window }),
        Message::AuditReport(m) => Payload::AuditReport(audit_report(m)),
        Message::AuditFindings(m) => Payload::AuditFindings(operator::audit_findings(m)),
        Message::FindingAck(m) => Payload::FindingAck(operator::finding_ack(m)),
        Message::TaskUndo(m) => Payload::TaskUndo(operator::task_undo(m)),
        Message::TaskUndone(m) => Payload::TaskUndone(operator::task_undone(m)),
        Message::McpChange(m) => Payload::McpChange(mcp_change(m)),
        Message::MemoryChange(m) => Payload::MemoryChange(memory::memory_change(m)),
        Message::Lagged(m) => Payload::Lagged(v1::Lagged { from: m.from, to: m.to }),
    }
}

/// A time as the protocol has it; our milliseconds are exact in it.
pub fn timestamp(time: Timestamp) -> prost_types::Timestamp {
    let nanos = i32::try_from(time.0.rem_euclid(1_000)).unwrap_or_default() * 1_000_000;
    prost_types::Timestamp { seconds: time.0.div_euclid(1_000), nanos }
}

/// The word of an enum's variant, exactly as journals hold it.
fn word(variant: impl Serialize) -> String {
    let value = serde_json::to_value(variant).ok();
    let word = value.as_ref().and_then(serde_json::Value::as_str);
    word.expect("the enums that are words on the wire have unit variants alone").to_owned()
}

/// The words of several variants.
fn words<T: Serialize>(variants: &[T]) -> Vec<String> {
    variants.iter().map(word).collect()
}

/// Ids and other values in their text form.
fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// An index or a bounded count; all of ours are far below the limit.
fn index(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
