//! What changes in the memory besides the experience that R7 writes: the operator's wishes, and what R5 does to its own
//! records.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Level;
use crate::tag::Tag;

/// Most memories that one change names: its envelope stays below 64 KiB. What concerns more is told in several changes.
pub const MAX_CHANGE_IDS: usize = 1_000;

/// What becomes of memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Something was written down, in the words of a `MegramWrite` or of the memory itself.
    Remembered,
    /// Deleted, and kept away for good.
    Forgotten,
    /// Taken in from a file; each memory is a `MegramWrite` before it.
    Imported,
    /// Two requests are different tasks from now on, however alike.
    Separated,
    /// Two requests that were separated relate by their words again.
    Rejoined,
    /// Evidence became a rule, or what several tasks of a folder share became knowledge.
    Distilled,
    /// A rule lost its trust and is knowledge again, or what tasks of a folder shared is no longer so.
    Demoted,
    /// What nobody needed any more is gone.
    Faded,
    /// A rule was proposed for another task, untested.
    Proposed,
    /// An outcome confirmed or refuted a proposal.
    Settled,
    /// Indexes and sums were made anew from the memories themselves.
    Rebuilt,
}

impl ChangeKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Remembered,
        Self::Forgotten,
        Self::Imported,
        Self::Separated,
        Self::Rejoined,
        Self::Distilled,
        Self::Demoted,
        Self::Faded,
        Self::Proposed,
        Self::Settled,
        Self::Rebuilt,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Remembered => "remembered",
            Self::Forgotten => "forgotten",
            Self::Imported => "imported",
            Self::Separated => "separated",
            Self::Rejoined => "rejoined",
            Self::Distilled => "distilled",
            Self::Demoted => "demoted",
            Self::Faded => "faded",
            Self::Proposed => "proposed",
            Self::Settled => "settled",
            Self::Rebuilt => "rebuilt",
        }
    }
}

/// From the operator to R5 it is a wish, journaled before it is carried out; from R5 to the operator it says what R5 did.
/// It names memories and never repeats what one of them says, so that what is forgotten does not live on in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryChange {
    /// What becomes of them.
    pub kind: ChangeKind,
    /// Where they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// Which memories, at most [`MAX_CHANGE_IDS`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<Uuid>,
    /// The two requests of a separation; empty for everything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<String>,
    /// How many memories.
    pub count: u64,
    /// Their level, where they have one in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl MemoryChange {
    /// A change that says nothing but what it is and why.
    pub fn of(kind: ChangeKind, why: &str) -> Self {
        let (tags, ids, requests) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind, tags, ids, requests, count: 0, level: None, why: why.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeKind, MemoryChange};

    #[test]
    fn every_kind_is_the_word_that_journals_hold() {
        for kind in ChangeKind::ALL {
            let change = MemoryChange::of(kind, "because");
            let json = serde_json::to_value(&change).expect("it has a JSON form");
            assert_eq!(json, serde_json::json!({"kind": kind.as_str(), "count": 0, "why": "because"}));
            assert_eq!(serde_json::from_value::<MemoryChange>(json).expect("it reads itself"), change);
        }
    }
}
