//! Evidence: what a verdict may cite.

use serde::{Deserialize, Serialize};

use crate::criteria::{FailureClass, Verdict};
use crate::memory::PlanInput;
use crate::taint::Taint;
use crate::{EvidenceId, Timestamp};

/// The output of a search that found nothing. Checks that count lines count none in it.
pub const NO_MATCH: &str = "(no match)";

/// What a tool effect does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Changes nothing.
    Read,
    /// Makes something new.
    Create,
    /// Replaces something.
    Overwrite,
    /// Removes something.
    Delete,
    /// Leaves the machine.
    Send,
    /// Changes the machine itself.
    System,
    /// Could not be told.
    Unknown,
}

impl EffectClass {
    /// The word that journals and people use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Create => "create",
            Self::Overwrite => "overwrite",
            Self::Delete => "delete",
            Self::Send => "send",
            Self::System => "system",
            Self::Unknown => "unknown",
        }
    }
}

/// How one tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// It ran and reported its exit status.
    Ran,
    /// It did not run, or broke down.
    Error,
    /// Its deadline passed and it was stopped.
    Timeout,
    /// The task was cancelled while it ran.
    Cancelled,
    /// A person said no, or nobody could be asked.
    Denied,
    /// Code refused it: blocked, unknown or malformed.
    Refused,
    /// It was under way when the daemon went down, and nobody said that it may run again. It may have happened.
    Interrupted,
}

impl CallEnd {
    /// Whether it ended because a person did not allow it, the first time or again.
    pub fn was_not_allowed(self) -> bool {
        matches!(self, Self::Denied | Self::Interrupted)
    }
}

/// What happened to a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It was not there before.
    Made,
    /// It was there, and is another now.
    Changed,
    /// It is no longer there.
    Deleted,
}

impl ChangeKind {
    /// The word that journals and people use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }
}

/// A file or folder that is another after a call than before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Absolute lexical path.
    pub path: String,
    /// What happened to it.
    pub kind: ChangeKind,
    /// SHA-256 of what it held before, in hex. Absent for what was not there, for a folder, and for what is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// SHA-256 of what it holds now, in hex; absent as `before` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Its mode, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<ModeChange>,
}

impl FileChange {
    /// Whether `last`, a later change of the same path, left there what was there before this one, as far as digests tell.
    pub fn is_undone_by(&self, last: &Self) -> bool {
        match (self.kind, last.kind) {
            (ChangeKind::Made, ChangeKind::Deleted) => true,
            (ChangeKind::Made, _) | (_, ChangeKind::Deleted) => false,
            (ChangeKind::Changed | ChangeKind::Deleted, ChangeKind::Made | ChangeKind::Changed) => {
                !std::ptr::eq(self, last) && self.before.is_some() && self.before == last.after
            }
        }
    }
}

/// The mode of a file before a call and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeChange {
    /// Before, as numbers of nine bits and three above them.
    pub before: u32,
    /// After, in the same form.
    pub after: u32,
}

impl std::fmt::Display for ModeChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "mode {:04o} -> {:04o}", self.before, self.after)
    }
}

/// What a call did to files, as the runtime saw it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallAct {
    /// What is another than before, at most `limits::MAX_CHANGES`, folders before what lies in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FileChange>,
    /// How many more changes there are, and folders that were not looked into.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changes_omitted: u64,
    /// How many of those are such folders.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub folders_unseen: u64,
    /// What was written: the text of a new file, the difference that an edit made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// What it looked at, as it was before, at most `memory::MAX_INPUTS`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<PlanInput>,
    /// Whether it could make nothing but what it was given beforehand, so that nobody else made what it made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_exact: bool,
    /// The picture that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ShownImage>,
}

/// A picture that a call shows, stored whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownImage {
    /// Name of the artifact that holds it.
    pub handle: String,
    /// What it is, such as `image/png`.
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
}

/// When a call ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTime {
    /// When the call started.
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// The runtime's own record of one tool call. It enters a task only as the completion of a tool effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// `r<ordinal>`.
    pub id: EvidenceId,
    /// The tool's name.
    pub tool: String,
    /// What blocking works on: the tool's name, or `shell:<program>` for each program of a shell call.
    pub classes: Vec<String>,
    /// The class that gets the blame if the call failed: the first program that is not a filter, else the tool.
    pub blame: String,
    /// The normalised input, see `artoo_types::target`.
    pub target: String,
    /// The arguments as JSON text, as they were run.
    pub arguments: String,
    /// What the call does to the world.
    pub effect: EffectClass,
    /// How it ended.
    pub end: CallEnd,
    /// Exit status; 0 when the tool did its work, absent when it did not run.
    pub exit: Option<i64>,
    /// The output, head and tail of at most `limits::MESSAGE_OUTPUT_CHARS` characters.
    pub output: String,
    /// Bytes of the full output.
    pub output_bytes: u64,
    /// SHA-256 of the full output, in hex.
    pub digest: String,
    /// Name of the artifact that holds the full output when `output` is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// When it ran.
    #[serde(flatten)]
    pub time: CallTime,
    /// A remark of the runtime, for example that a command was answered from an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the call brought into the task.
    #[serde(default, skip_serializing_if = "Taint::is_none")]
    pub taint: Taint,
    /// What it did to files.
    #[serde(flatten)]
    pub act: CallAct,
}

impl Receipt {
    /// A call of a reading tool that ran well, changed nothing and said nothing: what other receipts are told apart from.
    pub fn quiet(id: EvidenceId, tool: &str) -> Self {
        Self {
            id,
            tool: tool.to_owned(),
            classes: vec![tool.to_owned()],
            blame: tool.to_owned(),
            target: String::new(),
            arguments: "{}".to_owned(),
            effect: EffectClass::Read,
            end: CallEnd::Ran,
            exit: Some(0),
            output: String::new(),
            output_bytes: 0,
            digest: String::new(),
            handle: None,
            time: CallTime { started_at: Timestamp(0), elapsed_ms: 1 },
            note: None,
            taint: Taint::NONE,
            act: CallAct::default(),
        }
    }

    /// Whether the call made, changed or deleted `path`, an absolute lexical path: that file itself, something below that
    /// folder, or a folder above it that came or went as a whole.
    pub fn changed(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.act.changes.iter().any(|change| {
            let is_whole = change.kind != ChangeKind::Changed;
            change.path == path
                || lies_below(&change.path, path)
                || (is_whole && lies_below(path, &change.path))
        })
    }

    /// Whether the call itself worked: it ran and its status is 0.
    pub fn succeeded(&self) -> bool {
        self.end == CallEnd::Ran && self.exit == Some(0)
    }

    /// Whether the call itself failed: it did not run, broke down or timed out.
    pub fn call_failed(&self) -> bool {
        !self.succeeded()
    }
}

/// Whether a path lies below a folder, both absolute, lexical and without a slash at the end.
fn lies_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What the evaluation of one check saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckEvidence {
    /// `c<ordinal>.<index>`.
    pub id: EvidenceId,
    /// Index of the criterion that carries the check.
    pub criterion: usize,
    /// Whether the predicate holds.
    pub verdict: Verdict,
    /// For a fail: what it teaches, see the function `lesson`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_class: Option<FailureClass>,
    /// What was measured, in words with numbers.
    pub saw: String,
    /// For a check about the world: the absolute lexical paths that were looked at, at most `limits::MAX_CHANGES`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    /// For a check about the world: what it gave before the task did anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<BeforeState>,
}

/// What a check about the world gave before the task did anything, and what the task has done to its subject since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeforeState {
    /// The evidence of that evaluation.
    pub id: EvidenceId,
    /// Whether the predicate held; absent when it could not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What was measured, in words with numbers.
    pub saw: String,
    /// The last receipt of the task that changed what the check is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<EvidenceId>,
    /// Whether all that the task changed of it is again what it was when the task began, as far as digests tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub put_back: bool,
    /// Whether all that the task changed of it was moved: nothing came or went, and no content is another, as far as digests
    /// tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moved_only: bool,
    /// The last receipt that put something into the folder that the check is about, or deleted a file of this name in another
    /// place: what was to come about came about, and a folder that is to stay as it is stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_below: Option<EvidenceId>,
}

#[cfg(test)]
mod tests;
