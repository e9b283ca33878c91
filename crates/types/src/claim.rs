//! What a text may claim to have been done to the world.

use serde::{Deserialize, Serialize};

/// An effect that words claim, and that only a receipt can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimedEffect {
    /// Something new is there.
    Made,
    /// Something is other than before.
    Changed,
    /// Something is gone.
    Deleted,
    /// Something is in another place or has another name.
    Moved,
    /// Something left the machine.
    Sent,
}

impl ClaimedEffect {
    /// The participle that people read.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Moved => "moved",
            Self::Sent => "sent",
        }
    }
}
