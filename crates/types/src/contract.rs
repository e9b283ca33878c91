//! Who may send what to whom. The bus refuses every other combination, and the auditor reports it.
//!
//! A row has copies, so that one message stays one event: a plan goes to the dispatcher, and R4b and R7 receive the same envelope.
//! Memory calls, corrections and confirmations travel on the bus like everything else; there are no side channels.

use crate::envelope::{MessageKind, Role};

/// One row of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContractRow {
    /// What.
    pub kind: MessageKind,
    /// From whom.
    pub from: Role,
    /// To whom.
    pub to: Role,
    /// Who receives the same envelope as well.
    pub copies: &'static [Role],
}

const fn row(kind: MessageKind, from: Role, to: Role) -> ContractRow {
    ContractRow { kind, from, to, copies: &[] }
}

const fn copied(kind: MessageKind, from: Role, to: Role, copies: &'static [Role]) -> ContractRow {
    ContractRow { kind, from, to, copies }
}

/// The contract table.
pub const CONTRACT: &[ContractRow] = &[
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
        &[Role::MetaValidator, Role::AgentValidator, Role::Solver],
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
    // The last words of a task that is given up.
    row(MessageKind::FarewellRequest, Role::Solver, Role::Planner),
    row(MessageKind::Farewell, Role::Planner, Role::Solver),
    row(MessageKind::FinalResult, Role::Solver, Role::User),
    row(MessageKind::MegramWrite, Role::Solver, Role::Memory),
    // The lesson of an ended task, found by R5 itself.
    row(MessageKind::MegramWrite, Role::Memory, Role::Memory),
    // A question of an executor, which the runtime puts for it.
    row(MessageKind::ClarificationRequest, Role::Runtime, Role::User),
    row(MessageKind::ClarificationAnswer, Role::User, Role::Runtime),
    // Questions about actions, and stops.
    row(MessageKind::ConfirmationRequest, Role::Runtime, Role::User),
    row(MessageKind::ConfirmationResolved, Role::User, Role::Runtime),
    row(MessageKind::TaskCancelled, Role::User, Role::Solver),
    row(MessageKind::TaskCancelled, Role::Runtime, Role::Solver),
    // Effects.
    row(MessageKind::ToolCallStarted, Role::Runtime, Role::Executor),
    row(MessageKind::ToolCallFinished, Role::Runtime, Role::Executor),
    // The judge's own looks.
    row(MessageKind::ToolCallStarted, Role::Runtime, Role::AgentValidator),
    row(MessageKind::ToolCallFinished, Role::Runtime, Role::AgentValidator),
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
    row(MessageKind::AuditFindings, Role::Auditor, Role::Operator),
    row(MessageKind::FindingAck, Role::Operator, Role::Auditor),
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
pub fn allows(kind: MessageKind, from: Role, to: Role) -> Option<&'static ContractRow> {
    CONTRACT.iter().find(|r| r.kind == kind && r.from == from && r.to == to)
}

#[cfg(test)]
mod tests {
    use super::{CONTRACT, allows};
    use crate::envelope::{MessageKind, Role};

    #[test]
    fn every_kind_has_a_sender() {
        for kind in MessageKind::ALL {
            assert!(CONTRACT.iter().any(|r| r.kind == *kind), "nobody may send {}", kind.as_str());
        }
    }

    #[test]
    fn no_row_stands_twice() {
        for (i, a) in CONTRACT.iter().enumerate() {
            for b in &CONTRACT[i + 1..] {
                assert!((a.kind, a.from, a.to) != (b.kind, b.from, b.to), "{a:?} stands twice");
            }
        }
    }

    #[test]
    fn only_the_solver_ends_a_task_and_only_it_the_operator_and_reflection_write_memories() {
        for role in Role::ALL {
            let ends = Role::ALL.iter().any(|to| allows(MessageKind::FinalResult, role, *to).is_some());
            assert_eq!(ends, role == Role::Solver, "{role:?}");
            let remembers = Role::ALL.iter().any(|to| allows(MessageKind::MegramWrite, role, *to).is_some());
            let may = [Role::Solver, Role::Operator, Role::Memory].contains(&role);
            assert_eq!(remembers, may, "{role:?}");
        }
    }

    #[test]
    fn the_auditor_speaks_to_the_operator_alone() {
        for row in CONTRACT.iter().filter(|r| r.from == Role::Auditor) {
            assert_eq!(row.to, Role::Operator);
        }
        for row in CONTRACT.iter().filter(|r| r.to == Role::Auditor) {
            assert_eq!(row.from, Role::Operator);
        }
    }
}
