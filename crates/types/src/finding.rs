//! What the auditor finds, and how the operator says that it was seen.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{TaskId, Timestamp};

/// Names one finding: `f` and ten hex digits. They follow from what was found and where, so that the same journals give
/// the same ids, and a finding that is made again after a restart is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FindingId(pub String);

/// Hex digits of an id: with 1,000 findings in view two share one with a chance of one in two millions.
const ID_DIGITS: usize = 10;

impl FindingId {
    /// The id of a finding. `place` tells it from others of its kind: task, sequence and words, or the time where no
    /// message gave it away (UUID version 5, RFC 9562).
    fn of(kind: FindingKind, place: &str) -> Self {
        let digest = Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{} {place}", kind.as_str()).as_bytes());
        let mut digits = digest.simple().to_string();
        digits.truncate(ID_DIGITS);
        Self(format!("f{digits}"))
    }

    /// Whether there is none, as in logs of earlier builds.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for FindingId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Something that the operator should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFinding {
    /// Its name.
    #[serde(default, skip_serializing_if = "FindingId::is_empty")]
    pub id: FindingId,
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
    /// The message that gave it away, in a line; empty when it was no message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl AuditFinding {
    /// The same finding under the name that follows from it.
    #[must_use]
    pub fn named(self) -> Self {
        let task = self.task_id.map(|id| id.to_string()).unwrap_or_default();
        let place = match self.sequence {
            0 => format!("{task} at {} {}", self.time.0, self.detail),
            sequence => format!("{task} {sequence} {}", self.detail),
        };
        Self { id: FindingId::of(self.kind, &place), ..self }
    }

    /// The finding as a line of a report.
    pub fn line(&self) -> String {
        match self.task_id {
            Some(task) => format!("{}: task {task}: {}", self.kind.as_str(), self.detail),
            None => format!("{}: {}", self.kind.as_str(), self.detail),
        }
    }
}

/// The auditor tells the operator what it found since it last did. Each finding is told once, and stays open until it is
/// acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFindings {
    /// What was found, in this order.
    pub findings: Vec<AuditFinding>,
}

/// The operator has seen these findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingAck {
    /// Their names.
    pub findings: Vec<FindingId>,
}

/// The list of the report that a finding belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingCategory {
    /// `boundary_violations`.
    Boundary,
    /// `drift_alerts`.
    Drift,
    /// `anomalies`.
    Anomaly,
}

/// What is known of a kind of finding.
struct FindingRow {
    word: &'static str,
    category: FindingCategory,
    /// What a person can do, in a sentence or two.
    advice: &'static str,
}

const fn anomaly(word: &'static str, advice: &'static str) -> FindingRow {
    FindingRow { word, category: FindingCategory::Anomaly, advice }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident => $row:expr;)*) => {
        /// What the auditor can find.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum FindingKind {
            $($(#[$doc])* $name,)*
        }

        impl FindingKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            fn row(self) -> &'static FindingRow {
                match self {
                    $(Self::$name => const { &$row },)*
                }
            }
        }
    };
}

/// What to do about an end that the evidence does not carry.
const LOOK_AT_THE_RESULT: &str =
    "Look at the result yourself before you rely on it (`artoo show ID -v`), and at what the verdicts cite.";
/// What to do about what only a bug of artoo can bring about.
const OUR_BUG: &str =
    "This is a bug of artoo, or somebody wrote into its journals: check them with `artoo audit verify`.";

kinds! {
    /// A role sent what the contract does not let it send.
    BoundaryViolation => FindingRow { word: "boundary_violation", category: FindingCategory::Boundary, advice: OUR_BUG };
    /// Envelopes of a task are missing, or came twice.
    SequenceGap => anomaly("sequence_gap", OUR_BUG);
    /// A subtask id was planned or dispatched twice.
    DuplicateSubtask => anomaly("duplicate_subtask", OUR_BUG);
    /// A subtask ended although no executor reported a result.
    OutcomeWithoutResult => anomaly("outcome_without_result", OUR_BUG);
    /// A plan uses a tool class or target that the directive before it blocked, or a call with a blocked one ran.
    BlockedUse => anomaly("blocked_use", "The plan repeated what was ruled out: see `artoo show ID -v`.");
    /// A task ended although nothing was put to the controller, or it ended twice, or it went on after its end.
    UndecidedEnd => anomaly("undecided_end", OUR_BUG);
    /// A task was accepted on verdicts that cite no evidence, or evidence that nobody recorded (Law 0).
    UnprovenAccept => anomaly("unproven_accept", LOOK_AT_THE_RESULT);
    /// `break_symmetry` again, although D did not fall after the one before.
    GgsThrashing => anomaly("ggs_thrashing", "The planner finds no other way: give the task a hint, or a stronger model.");
    /// The distance does not shrink and the task goes on (Law 2).
    ConvergenceFailure => anomaly("convergence_failure", "Corrections change nothing: a criterion may be impossible, see `artoo show ID -v`.");
    /// Many more corrections than subtasks in one round.
    CorrectionStorm => anomaly("correction_storm", "The executor misses its criteria again and again: a stronger tool model may help (`artoo model`).");
    /// A role does worse than its own history.
    RoleDrift => FindingRow { word: "role_drift", category: FindingCategory::Drift, advice: "Something changed for this role: its model, its server, or the kind of requests. Compare with `artoo audit --window`." };
    /// The clock was set, or stepped within a task.
    ClockJump => anomaly("clock_jump", "Times in the journals around it are not comparable. If the machine slept, all is well.");
    /// A stream dropped events for a slow reader.
    Drops => anomaly("drops", "Nothing is lost: the journals hold the events, `artoo events ID` shows them.");
    /// The disk is nearly full.
    DiskPressure => anomaly("disk_pressure", "Make room on the disk of the data folder.");
    /// A log or journal is not what was written.
    LogDamage => anomaly("log_damage", "`artoo audit verify` names the first bad line. Compare with a copy of the data folder.");
    /// More tasks run than the auditor can keep in view; it forgot the one that was quiet longest.
    Overload => anomaly("overload", "Journals without an end pile up: `artoo tasks` shows what never ended.");
    /// Directives go on although D did not fall in two rounds.
    Plateau => anomaly("plateau", "Replanning changes nothing: give the task a hint, or see what it lacks with `artoo show ID -v`.");
    /// A decision was asked for although an outcome of a planned subtask is missing.
    IncompleteFanIn => anomaly("incomplete_fan_in", OUR_BUG);
    /// A task was accepted on a check that held before it began, and nothing in it changed what the check is about.
    StaleAccept => anomaly("stale_accept", LOOK_AT_THE_RESULT);
    /// A task was accepted on a receipt that does not bear on the criterion that cites it.
    IrrelevantAccept => anomaly("irrelevant_accept", LOOK_AT_THE_RESULT);
}

impl FindingKind {
    /// The list of the report that it belongs to.
    pub fn category(self) -> FindingCategory {
        self.row().category
    }

    /// The word that logs and reports use.
    pub fn as_str(self) -> &'static str {
        self.row().word
    }

    /// What a person can do about it.
    pub fn advice(self) -> &'static str {
        self.row().advice
    }
}

#[cfg(test)]
mod tests {
    use super::{AuditFinding, FindingId, FindingKind};
    use crate::Timestamp;

    fn finding(sequence: u64, time: i64) -> AuditFinding {
        AuditFinding {
            id: FindingId::default(),
            time: Timestamp(time),
            task_id: None,
            sequence,
            kind: FindingKind::Drops,
            detail: "three".to_owned(),
            message: String::new(),
        }
    }

    #[test]
    fn the_word_of_a_kind_is_the_one_of_its_json() {
        for kind in FindingKind::ALL {
            assert_eq!(serde_json::to_value(kind).expect("JSON"), kind.as_str());
            assert!(kind.advice().ends_with('.'), "{kind:?}");
        }
    }

    #[test]
    fn an_id_follows_from_the_place_and_from_the_time_only_where_there_is_no_place() {
        let id = |sequence, time| finding(sequence, time).named().id;
        assert_eq!(id(7, 1), id(7, 2), "found again after a restart");
        assert_ne!(id(7, 1), id(8, 1));
        assert_ne!(id(0, 1), id(0, 2), "two incidents");
        assert_eq!(id(7, 1).0.len(), 11, "{}", id(7, 1));
    }

    #[test]
    fn a_finding_of_an_earlier_build_can_be_read() {
        let old = r#"{"time":5,"task_id":null,"sequence":3,"kind":"clock_jump","detail":"d"}"#;
        let read: AuditFinding = serde_json::from_str(old).expect("it can be read");
        assert!(read.id.is_empty() && read.message.is_empty());
        assert_eq!(serde_json::to_string(&read).expect("JSON"), old);
    }
}
