//! What travels to and from the memory, R5.

mod change;
mod inputs;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::rate::Rate;
use crate::tag::Tag;
use crate::{TaskId, Timestamp};

pub mod plans;
pub mod state;

pub use change::{ChangeKind, MAX_CHANGE_IDS, MemoryChange};
pub use inputs::{FailedPlan, InputState, MAX_INPUTS, PlanInput, RememberedFailure, WorldState};

/// Level of the pyramid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Level {
    /// Megram: a raw event.
    M,
    /// Knowledge: task-scoped cache.
    K,
    /// Common sense: timeless rules until trust bankruptcy.
    C,
    /// Thinking: the laws; changed by the operator alone.
    T,
}

/// One atomic memory: ⟨id, level, created_at, last_recalled_at, space, entity, content, state, f, σ, k⟩ and where it
/// came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Megram {
    /// Derived from task, round, state and tag, so that writing it twice changes nothing.
    pub id: Uuid,
    /// Level.
    pub level: Level,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_recalled_at: Option<Timestamp>,
    /// Space and entity.
    #[serde(flatten)]
    pub tag: Tag,
    /// What was learned, in words.
    pub content: String,
    /// How it came about, for example `change_path`; the words are in [`state::STATES`].
    pub state: String,
    /// Magnitude f in [0, 1].
    pub f: f64,
    /// Valence σ in [−1, 1].
    pub sigma: f64,
    /// How fast it fades.
    pub k: Rate,
    /// Which agent wrote it.
    #[serde(default)]
    pub agent_id: String,
    /// The task that taught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// Memories that it was distilled from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<Uuid>,
    /// It stems from a task that had seen untrusted input.
    #[serde(default)]
    pub tainted: bool,
    /// The request that taught it, as R1 restated it, for a tag of an intent: the tag holds its first words alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// What failed, and in which state of the world.
    #[serde(flatten)]
    pub failed: RememberedFailure,
}

/// What potentials advise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryAction {
    /// SHOULD PREFER this approach.
    Exploit,
    /// MUST NOT use this approach.
    Avoid,
    /// Proceed with care.
    Caution,
    /// Too little history.
    #[default]
    Ignore,
}

/// The two channels of one (space, entity).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Potentials {
    /// M_attention: unsigned energy.
    pub attention: f64,
    /// M_decision: signed preference.
    pub decision: f64,
    /// What they advise.
    pub action: MemoryAction,
}

/// A timeless rule on level C or T.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SopRecord {
    /// The megram.
    pub id: Uuid,
    /// The rule.
    pub content: String,
    /// σ > 0: best practice. σ ≤ 0: MUST NOT.
    pub sigma: f64,
    /// Level C or T.
    pub level: Level,
    /// Newer experience contradicts this rule of level C: it is told, and binds nothing. Never set on level T.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overwritten: bool,
}

/// A hypothesis: a rule of another task that might hold here, and that nobody has tried. It is no evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The megram. An outcome that names it among its parents settles it.
    pub id: Uuid,
    /// What might help, in words.
    pub content: String,
    /// The rules that it stems from.
    pub from: Vec<Uuid>,
}

/// How one request relates to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relatedness {
    /// The same words, case and punctuation aside.
    Same,
    /// The same task in other words.
    Alias,
    /// Alike, but perhaps another task: what is known about it is a hint, never a rule.
    Hint,
    /// Another task, however alike.
    None,
}

/// R2 to R5: what is known about these tags?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryQuery {
    /// Exact tags to read. The intent's own tag comes first.
    pub tags: Vec<Tag>,
    /// Also list up to this many live clusters whose space begins with `tool:`, by attention.
    pub tool_clusters: usize,
    /// The request, as R1 restated it: what is known about requests like it is read as well. Empty: exact tags alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub intent: String,
}

/// What is known about one tag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEntry {
    /// The tag.
    pub tag: Tag,
    /// Its potentials over levels M and K.
    pub potentials: Potentials,
    /// Its rules on level C and T.
    pub sops: Vec<SopRecord>,
    /// The memories that weigh most, newest first among equals, at most three.
    pub top: Vec<Megram>,
    /// Why it was recalled, when its tag is not of this very request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// Hypotheses of the tag that no outcome has settled. None of them is in `top`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<Proposal>,
}

impl MemoryEntry {
    /// Whether it is about another task that only looks alike: then it may warn, and forbids nothing.
    pub fn is_hint(&self) -> bool {
        self.via.as_ref().is_some_and(|via| match via.relation {
            Relatedness::Same | Relatedness::Alias => false,
            Relatedness::Hint | Relatedness::None => true,
        })
    }
}

/// How a remembered request relates to the one that is planned. It stands in the reply, and so in the journal: the plan
/// depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Via {
    /// The remembered request.
    pub request: String,
    /// How they relate.
    pub relation: Relatedness,
    /// Between 0 and 1.
    pub similarity: f64,
    /// What decided, in words.
    pub why: String,
}

/// R5 to R2.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MemoryReply {
    /// Entries that are not empty.
    pub entries: Vec<MemoryEntry>,
    /// Set when the memory could not be read; planning goes on without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// What is now at the paths that the entries say something failed with, where it was looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub present: Vec<PlanInput>,
}

/// R7 to R5: remember this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MegramWrite {
    /// What to remember.
    pub megram: Megram,
}
