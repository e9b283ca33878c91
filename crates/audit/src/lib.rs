//! R6, the Auditor: watches every message from outside both control loops and tells the operator what went wrong.
//!
//! Receives: every envelope, refused ones too, and what the daemon says about disk, clock and log ([`Incident`]).
//! Produces: one [`AuditEvent`] a message, one more a finding, and an `AuditReport` for the operator.
//! May: keep window statistics, totals, and a bounded view of each running task.
//! Does NOT: send to a role, change a message, touch a task, take orders from a role, read a clock or a file.
//!
//! Start with [`Auditor`]; what it can find is
//! [`FindingKind`](artoo_types::finding::FindingKind), what stays open until the operator has seen it [`FindingShelf`]; how its log is made tamper-evident is [`chain`], and how
//! that is checked [`verify`].

mod acceptance;
mod auditor;
pub mod chain;
mod control_watch;
mod deeds;
mod drift;
mod event;
mod shelf;
mod subjects;
mod summary;
mod support;
mod task_watch;
pub mod verify;
mod window;

pub use auditor::{Auditor, Incident, ReportRequest};
pub use event::{AuditEvent, Deletion, ObservedMessage};
pub use shelf::{AcknowledgedFinding, FindingShelf, FindingUnknown};

#[cfg(test)]
mod testing;
