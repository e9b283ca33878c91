//! What a call would change, whether that can be taken back, and what an undo did.

use serde::{Deserialize, Serialize};

use crate::TaskId;

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// Nothing, or nothing that is a path.
    Absent,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, a socket, a pipe, or what cannot be looked at.
    Other,
}

impl TargetKind {
    /// The word that journals and people use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::File => "file",
            Self::Folder => "folder",
            Self::Link => "link",
            Self::Other => "other",
        }
    }
}

/// One target of a call as it was when a person was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetState {
    /// The same path with the symbolic links of its folder resolved, and escaped for display.
    pub real: String,
    /// Where the last link leads, when it is one; else as `real`.
    pub leads_to: String,
    /// What is there.
    pub kind: TargetKind,
    /// Bytes of the file, or of all files in the folder as far as they were counted.
    pub bytes: u64,
    /// Files in the folder as far as they were counted; 1 for a file.
    pub files: u64,
    /// SHA-256 of a small file's content, 64 hex digits; empty where it was not read.
    pub sha256: String,
}

/// Whether what a call does can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Undoing {
    /// What it changes is kept in the trash first.
    Trash {
        /// Bytes that are kept; 0 when it only makes something new.
        bytes: u64,
    },
    /// It cannot be taken back.
    No {
        /// Why, in words.
        why: String,
    },
}

impl Default for Undoing {
    /// What is said of a call of which nothing is known.
    fn default() -> Self {
        Self::No { why: "it is not known what it changes".to_owned() }
    }
}

impl Undoing {
    /// Whether it can be undone.
    pub fn is_possible(&self) -> bool {
        match self {
            Self::Trash { .. } => true,
            Self::No { .. } => false,
        }
    }
}

/// The operator takes back what a task did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskUndo {
    /// The task.
    pub undone_task_id: TaskId,
    /// Also what was changed by somebody else since.
    pub force: bool,
}

/// What became of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndoOutcome {
    /// It can be restored, or removed again; nothing was done yet.
    Possible,
    /// It is back as it was.
    Restored,
    /// What the task had made is gone; it lies in the trash.
    Removed,
    /// It was as before the task already.
    Unchanged,
    /// It was left alone, for the reason that is told.
    Skipped,
    /// The system did not let it happen.
    Failed,
}

impl UndoOutcome {
    /// The word that journals and people use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Restored => "restored",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// One path, or one call, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoItem {
    /// The path, escaped for display; the action where the call as a whole cannot be undone.
    pub path: String,
    /// What became of it.
    pub outcome: UndoOutcome,
    /// Bytes that were restored, or can be.
    pub bytes: u64,
    /// Files that were restored, or can be.
    pub files: u64,
    /// Why it was left alone; empty otherwise.
    pub why: String,
}

/// The runtime tells the operator what an undo did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskUndone {
    /// The task.
    pub undone_task_id: TaskId,
    /// What became of each path; the first ones where there are very many.
    pub items: Vec<UndoItem>,
}
