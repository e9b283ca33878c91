//! What the audit log holds: one event a message, one more a finding.

use artoo_types::envelope::Role;
use artoo_types::finding::{AuditFinding, FindingKind};
use artoo_types::operator::AuditHead;
use artoo_types::{MessageKind, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

/// One line of the audit log, before it is chained (see [`crate::chain`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AuditEvent {
    /// A message was seen.
    Message(ObservedMessage),
    /// Something is not as it should be.
    Finding(AuditFinding),
    /// An old segment of the log was deleted, because the log outgrew its bounds.
    Deletion(Deletion),
}

/// The record of a deleted segment: without it a log whose beginning is missing is not whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deletion {
    /// When it was deleted.
    pub time: Timestamp,
    /// File name of the segment.
    pub segment: String,
    /// Its last line; what is kept begins after it.
    pub last: AuditHead,
    /// Which bound it was beyond, in words.
    pub why: String,
}

/// A message as the auditor saw it: who to whom, and what it was in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedMessage {
    /// When it was published.
    pub time: Timestamp,
    /// The task; none for what belongs to no task.
    pub task_id: Option<TaskId>,
    /// Its sequence within the task, or within the daemon.
    pub sequence: u64,
    /// The round.
    pub round: u32,
    /// Who sent it.
    pub from: Role,
    /// Whom it was for.
    pub to: Role,
    /// What it was.
    pub kind: MessageKind,
    /// It was delivered to nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// What it said, in a line of at most 200 characters.
    pub summary: String,
}

/// What was found, before it has a time and a task.
pub(crate) type Findings = Vec<(FindingKind, String)>;
