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
