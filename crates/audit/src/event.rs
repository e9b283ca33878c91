//! What the audit log holds: one event a message, one more a finding.

use artoo_types::envelope::Role;
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

/// Something that the operator should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFinding {
    /// When it was found.
    pub time: Timestamp,
    /// The task that it is about, if any.
    pub task_id: Option<TaskId>,
    /// Sequence of the message that gave it away; 0 when it was no message.
    pub sequence: u64,
    /// What it is.
    pub kind: FindingKind,
    /// In words.
    pub detail: String,
}

/// What the auditor can find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A role sent what the contract does not let it send.
    BoundaryViolation,
    /// Envelopes of a task are missing, or came twice.
    SequenceGap,
    /// A subtask id was planned or dispatched twice.
    DuplicateSubtask,
    /// A subtask ended although no executor reported a result.
    OutcomeWithoutResult,
    /// A plan uses a tool class or target that the directive before it blocked, or a call with a blocked one ran.
    BlockedUse,
    /// A task ended although nothing was put to the controller, or it ended twice, or it went on after its end.
    UndecidedEnd,
    /// A task was accepted on verdicts that cite no evidence, or evidence that nobody recorded (Law 0).
    UnprovenAccept,
    /// `break_symmetry` again, although D did not fall after the one before.
    GgsThrashing,
    /// The distance does not shrink and the task goes on (Law 2).
    ConvergenceFailure,
    /// Many more corrections than subtasks in one round.
    CorrectionStorm,
    /// A role does worse than its own history.
    RoleDrift,
    /// The clock was set, or stepped within a task.
    ClockJump,
    /// A stream dropped events for a slow reader.
    Drops,
    /// The disk is nearly full.
    DiskPressure,
    /// A log or journal is not what was written.
    LogDamage,
    /// More tasks run than the auditor can keep in view; it forgot the one that was quiet longest.
    Overload,
}

/// The list of the report that a finding belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// `boundary_violations`.
    Boundary,
    /// `drift_alerts`.
    Drift,
    /// `anomalies`.
    Anomaly,
}

impl FindingKind {
    /// The list of the report that it belongs to.
    pub fn category(self) -> Category {
        match self {
            Self::BoundaryViolation => Category::Boundary,
            Self::RoleDrift => Category::Drift,
            Self::SequenceGap
            | Self::DuplicateSubtask
            | Self::OutcomeWithoutResult
            | Self::BlockedUse
            | Self::UndecidedEnd
            | Self::UnprovenAccept
            | Self::GgsThrashing
            | Self::ConvergenceFailure
            | Self::CorrectionStorm
            | Self::ClockJump
            | Self::Drops
            | Self::DiskPressure
            | Self::LogDamage
            | Self::Overload => Category::Anomaly,
        }
    }

    /// The word that logs and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BoundaryViolation => "boundary_violation",
            Self::SequenceGap => "sequence_gap",
            Self::DuplicateSubtask => "duplicate_subtask",
            Self::OutcomeWithoutResult => "outcome_without_result",
            Self::BlockedUse => "blocked_use",
            Self::UndecidedEnd => "undecided_end",
            Self::UnprovenAccept => "unproven_accept",
            Self::GgsThrashing => "ggs_thrashing",
            Self::ConvergenceFailure => "convergence_failure",
            Self::CorrectionStorm => "correction_storm",
            Self::RoleDrift => "role_drift",
            Self::ClockJump => "clock_jump",
            Self::Drops => "drops",
            Self::DiskPressure => "disk_pressure",
            Self::LogDamage => "log_damage",
            Self::Overload => "overload",
        }
    }
}

impl AuditFinding {
    /// The finding as a line of a report.
    pub fn line(&self) -> String {
        match self.task_id {
            Some(task) => format!("{}: task {task}: {}", self.kind.as_str(), self.detail),
            None => format!("{}: {}", self.kind.as_str(), self.detail),
        }
    }
}
