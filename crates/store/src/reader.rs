//! Reading the memory: everything that a holder of a [`MemoryReader`] can ask.

use std::sync::Arc;

use artoo_memory::key::{self, Key};
use artoo_memory::known::{RelatedRequest, pair};
use artoo_memory::law::LawProposal;
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, MemoryQuery, MemoryReply, Potentials, SopRecord};
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::answer;
use crate::disk::Family;
use crate::error::StoreError;
use crate::explain::{TagExplanation, explain};
use crate::inspect::{self, ListQuery, MemoryPage, MemoryStats};
use crate::open_store::OpenStore;
use crate::outlook::{Outlook, law_proposals, outlook};
use crate::requests::Separation;
use crate::rules::recall_rules;
use crate::verify::{Verification, verify};

/// Reads the memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryReader {
    pub(crate) store: Arc<OpenStore>,
}

impl MemoryReader {
    /// A reader of this store; made by [`crate::open`].
    pub(crate) fn new(store: Arc<OpenStore>) -> Self {
        Self { store }
    }

    /// QueryMK: the potentials of a tag at `now`, summed over levels M and K. One lookup; the cost does not depend on
    /// how many memories there are. A tag that was not made by [`Tag::new`] has no memories.
    ///
    /// # Errors
    /// When the database fails.
    pub fn query_mk(&self, now: Timestamp, tag: &Tag) -> Result<Potentials, StoreError> {
        if key::check_tag(tag).is_err() {
            return Ok(Potentials::default());
        }
        Ok(self.store.disk.view().cluster(tag)?.potentials(self.store.effective(now)))
    }

    /// QueryC: the rules of a tag on levels C and T, and notes that they were recalled at `now`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn query_c(&self, now: Timestamp, tag: &Tag) -> Result<Vec<SopRecord>, StoreError> {
        recall_rules(&self.store, now, tag)
    }

    /// What the planner gets: for each tag in its order the potentials, rules and heaviest memories, and behind the tag of
    /// the request those of the same task in other words; then what is known about requests that look alike, and the
    /// `tool:` clusters with the most attention. At most [`MAX_MEMORY_ENTRIES`] entries, none of them empty. When the
    /// memory cannot be read, the reply says so in `unavailable` and holds what was read until then.
    pub fn answer(&self, now: Timestamp, query: &MemoryQuery) -> MemoryReply {
        let mut entries = Vec::new();
        let failed = answer::collect(&self.store, now, query, &mut entries).err();
        if let Some(error) = &failed {
            tracing::warn!(%error, "the memory could not answer");
        }
        MemoryReply { entries, unavailable: failed.map(|error| error.to_string()), present: Vec::new() }
    }

    /// When the memory last changed; `None` when nothing was ever written.
    pub fn latest(&self) -> Option<Timestamp> {
        Some(self.store.high_water().0).filter(|at| *at != Timestamp::default())
    }

    /// One memory, with the time when it was last recalled.
    ///
    /// # Errors
    /// When the database fails.
    pub fn get(&self, id: Uuid) -> Result<Option<Megram>, StoreError> {
        let megram = self.store.disk.view().megram(id)?;
        megram.map(|megram| self.store.recalls.fill(&self.store.disk, megram)).transpose()
    }

    /// The remembered requests that relate to `request`, closest first, each with its tag.
    ///
    /// # Errors
    /// When the database fails.
    pub fn requests_like(&self, request: &str) -> Result<Vec<RelatedRequest>, StoreError> {
        answer::requests_like(&self.store, request)
    }

    /// Explains the potentials of `tag` at `now` with its `limit` heaviest memories. A cluster of more than 10,000
    /// memories is explained by the three that its accumulators know by name.
    ///
    /// # Errors
    /// When the tag was not made by [`Tag::new`], or the database fails.
    pub fn why(&self, now: Timestamp, tag: &Tag, limit: usize) -> Result<TagExplanation, StoreError> {
        explain(&self.store, now, tag, limit)
    }

    /// The outlook at `now`. Nothing but sums and rules is read, never the memories below them.
    ///
    /// # Errors
    /// When the database fails.
    pub fn outlook(&self, now: Timestamp) -> Result<Outlook, StoreError> {
        outlook(&self.store, now)
    }

    /// Rules that have lasted and may become laws, the one that was borne out most often first. What the operator decided
    /// about is not proposed again.
    ///
    /// # Errors
    /// When the database fails.
    pub fn law_proposals(&self, now: Timestamp) -> Result<Vec<LawProposal>, StoreError> {
        law_proposals(&self.store, now)
    }

    /// Compares every index and accumulator with the memories, as of one moment; writing goes on meanwhile. Findings
    /// under `x|`, `l|`, `c|`, `a|`, `e|`, `p|`, `n|` are mended by [`crate::Maintenance::rebuild`].
    /// What is derived by another version, as in an old copy, is made again on opening and not compared.
    ///
    /// # Errors
    /// When the database fails. Damaged records are findings, not errors.
    pub fn verify(&self) -> Result<Verification, StoreError> {
        verify(&self.store)
    }

    /// One page of memories. The whole store can be exported page by page; a memory that is written meanwhile may be
    /// missing, none comes twice.
    ///
    /// # Errors
    /// When the cursor is not one of this list, or the database fails.
    pub fn list(&self, query: &ListQuery) -> Result<MemoryPage, StoreError> {
        inspect::list(&self.store, query)
    }

    /// The first `most` memories under a tag, rules included, in the order of their ids.
    ///
    /// # Errors
    /// When the database fails.
    pub fn under(&self, tag: &Tag, most: usize) -> Result<Vec<Megram>, StoreError> {
        inspect::under(&self.store, tag, most)
    }

    /// Counts by level, clusters, tombstones, refusals, size. Costs a scan of the level index.
    ///
    /// # Errors
    /// When the database fails.
    pub fn stats(&self) -> Result<MemoryStats, StoreError> {
        inspect::stats(&self.store)
    }

    /// The memories whose id begins with `start`, in its one spelling (lower case, with hyphens); at most `most`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn ids_starting(&self, start: &str, most: usize) -> Result<Vec<Uuid>, StoreError> {
        let view = self.store.disk.view();
        let prefix = [key::MEGRAMS, start.as_bytes()].concat();
        let ids = view.scan(Family::Truth, &prefix, None).take(most).map(|entry| {
            let key = entry?.0;
            let Key::Megram(id) = key else {
                return Err(StoreError::damaged(&key.encode())("not the key of a memory"));
            };
            Ok(id)
        });
        ids.collect()
    }

    /// Whether the memory with this id was forgotten, or was a rule that fell: it is not stored again.
    ///
    /// # Errors
    /// When the database fails.
    pub fn is_buried(&self, id: Uuid) -> Result<bool, StoreError> {
        self.store.disk.view().has(&Key::Tombstone(id))
    }

    /// Whether the operator keeps these two requests apart.
    ///
    /// # Errors
    /// When the database fails.
    pub fn are_separate(&self, first: &str, second: &str) -> Result<bool, StoreError> {
        self.store.disk.view().has(&Key::Separated(pair(first, second)))
    }

    /// The requests that the operator keeps apart, at most `most` pairs of them.
    ///
    /// # Errors
    /// When the database fails.
    pub fn separations(&self, most: usize) -> Result<Vec<Separation>, StoreError> {
        let view = self.store.disk.view();
        let found = view.scan(Family::Truth, key::SEPARATIONS, None).take(most).map(|entry| {
            let (key, value) = entry?;
            serde_json::from_slice(&value).map_err(StoreError::damaged(&key.encode()))
        });
        found.collect()
    }
}
