//! Who may send what to whom. The bus refuses every other combination, and the auditor reports it.

use crate::envelope::{MessageKind, Role};

/// One row of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// What.
    pub kind: MessageKind,
    /// From whom.
    pub from: Role,
    /// To whom.
    pub to: Role,
    /// Who receives the same envelope as well.
    pub copies: &'static [Role],
}

const fn row(kind: MessageKind, from: Role, to: Role) -> Row {
    Row { kind, from, to, copies: &[] }
}

const fn copied(kind: MessageKind, from: Role, to: Role, copies: &'static [Role]) -> Row {
    Row { kind, from, to, copies }
}

/// The contract table.
pub const CONTRACT: &[Row] = &[
    // The person and the perceiver.
    row(MessageKind::TaskSubmitted, Role::User, Role::Perceiver),
    row(MessageKind::ClarificationRequest, Role::Perceiver, Role::User),
    row(MessageKind::ClarificationAnswer, Role::User, Role::Perceiver),
    copied(MessageKind::TaskSpec, Role::Perceiver, Role::Planner, &[Role::Solver, Role::MetaValidator]),
    row(MessageKind::TaskSpec, Role::Perceiver, Role::Solver),
    row(MessageKind::PlanDraftRejected, Role::Perceiver, Role::Solver),
    // Planning.
    row(MessageKind::MemoryQuery, Role::Planner, Role::Memory),
    copied(MessageKind::MemoryReply, Role::Memory, Role::Planner, &[Role::Solver]),
    row(MessageKind::PlanDraftRejected, Role::Planner, Role::Solver),
    copied(
        MessageKind::DispatchManifest,
        Role::Planner,
        Role::Dispatcher,
        &[Role::MetaValidator, Role::Solver],
    ),
    // The fast loop.
    copied(MessageKind::SubTask, Role::Dispatcher, Role::Executor, &[Role::AgentValidator]),
    row(MessageKind::ExecutionResult, Role::Executor, Role::AgentValidator),
    row(MessageKind::CorrectionSignal, Role::AgentValidator, Role::Executor),
    copied(
        MessageKind::SubTaskOutcome,
        Role::AgentValidator,
        Role::MetaValidator,
        &[Role::Dispatcher, Role::Solver],
    ),
    row(MessageKind::SubTaskOutcome, Role::Dispatcher, Role::MetaValidator),
    // The medium loop.
    row(MessageKind::ReplanRequest, Role::MetaValidator, Role::Solver),
    row(MessageKind::OutcomeSummary, Role::MetaValidator, Role::Solver),
    row(MessageKind::PlanDirective, Role::Solver, Role::Planner),
    row(MessageKind::FinalResult, Role::Solver, Role::User),
    row(MessageKind::MegramWrite, Role::Solver, Role::Memory),
    // The lesson of an ended task, found by R5 itself.
    row(MessageKind::MegramWrite, Role::Memory, Role::Memory),
    // Questions about actions, and stops.
    row(MessageKind::ConfirmationRequest, Role::Runtime, Role::User),
    row(MessageKind::ConfirmationResolved, Role::User, Role::Runtime),
    row(MessageKind::TaskCancelled, Role::User, Role::Solver),
    row(MessageKind::TaskCancelled, Role::Runtime, Role::Solver),
    // Effects.
    row(MessageKind::ToolCallStarted, Role::Runtime, Role::Executor),
    row(MessageKind::ToolCallFinished, Role::Runtime, Role::Executor),
    row(MessageKind::ModelCallStarted, Role::Runtime, Role::Perceiver),
    row(MessageKind::ModelCallStarted, Role::Runtime, Role::Planner),
    row(MessageKind::ModelCallStarted, Role::Runtime, Role::Executor),
    row(MessageKind::ModelCallStarted, Role::Runtime, Role::AgentValidator),
    row(MessageKind::ModelCallStarted, Role::Runtime, Role::MetaValidator),
    row(MessageKind::ModelCallStarted, Role::Runtime, Role::Memory),
    row(MessageKind::ModelCallFinished, Role::Runtime, Role::Perceiver),
    row(MessageKind::ModelCallFinished, Role::Runtime, Role::Planner),
    row(MessageKind::ModelCallFinished, Role::Runtime, Role::Executor),
    row(MessageKind::ModelCallFinished, Role::Runtime, Role::AgentValidator),
    row(MessageKind::ModelCallFinished, Role::Runtime, Role::MetaValidator),
    row(MessageKind::ModelCallFinished, Role::Runtime, Role::Memory),
    // The operator, outside every task.
    row(MessageKind::AuditQuery, Role::Operator, Role::Auditor),
    row(MessageKind::AuditReport, Role::Auditor, Role::Operator),
    row(MessageKind::MegramWrite, Role::Operator, Role::Memory),
    row(MessageKind::MemoryQuery, Role::Operator, Role::Memory),
    // A wish of the operator; and what R5 did by itself.
    row(MessageKind::MemoryChange, Role::Operator, Role::Memory),
    row(MessageKind::MemoryChange, Role::Memory, Role::Operator),
    row(MessageKind::TaskUndo, Role::Operator, Role::Runtime),
    row(MessageKind::TaskUndone, Role::Runtime, Role::Operator),
    row(MessageKind::McpChange, Role::Runtime, Role::Operator),
    row(MessageKind::McpChange, Role::Operator, Role::Runtime),
    row(MessageKind::Lagged, Role::Runtime, Role::User),
];

/// The row that allows this message, if there is one.
pub fn allows(kind: MessageKind, from: Role, to: Role) -> Option<&'static Row> {
    CONTRACT.iter().find(|r| r.kind == kind && r.from == from && r.to == to)
}

#[cfg(test)]
mod tests;
