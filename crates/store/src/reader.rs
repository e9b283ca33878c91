//! Reading the memory.

use std::sync::Arc;

use artoo_memory::expiry::FORGET_BELOW;
use artoo_memory::key::{self, Key};
use artoo_memory::known::Recalled;
use artoo_memory::record::ClusterRecord;
use artoo_types::Timestamp;
use artoo_types::limits::MAX_MEMORY_ENTRIES;
use artoo_types::memory::{
    Megram, MemoryAction, MemoryEntry, MemoryQuery, MemoryReply, Potentials, Proposal, Relatedness,
    SopRecord, Via,
};
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::disk::Family;
use crate::error::StoreError;
use crate::open_store::Shared;

/// Most `tool:` clusters that one answer ranks. A cluster lives about 45 days after its last event, so this is more
/// than 400 new pairs of tool and target a day; beyond it the first by name are ranked.
const MAX_RANKED: usize = 20_000;

/// Most tags of one query that are looked up, each with one read. The planner asks for no more.
const MAX_TAGS: usize = 256;

/// Most other tags of the same task, and most of tasks that look alike, in one answer: half of its entries stay for what is
/// known exactly.
const MAX_ALIASES: usize = 3;
const MAX_HINTS: usize = 2;

/// What is to be recalled besides the query's own tags.
#[derive(Default)]
struct LikeIt {
    aliases: Vec<(Tag, Via)>,
    hints: Vec<(Tag, Via)>,
    /// Set when the request's own tag holds memories of another task alone.
    namesake: Option<Via>,
}

/// Reads the memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryReader {
    pub(crate) shared: Arc<Shared>,
}

impl MemoryReader {
    /// A reader of this store; made by [`crate::open`].
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
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
        Ok(self.shared.disk.view().cluster(tag)?.potentials(self.shared.effective(now)))
    }

    /// QueryC: the rules of a tag on levels C and T, and notes that they were recalled at `now`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn query_c(&self, now: Timestamp, tag: &Tag) -> Result<Vec<SopRecord>, StoreError> {
        let rules = self.rules(now, tag)?;
        for rule in &rules {
            self.shared.note_recalled(rule.id, self.shared.effective(now));
        }
        Ok(rules)
    }

    /// What the planner gets: for each tag in its order the potentials, rules and heaviest memories, and behind the tag of
    /// the request those of the same task in other words; then what is known about requests that look alike, and the
    /// `tool:` clusters with the most attention. At most [`MAX_MEMORY_ENTRIES`] entries, none of them empty. When the
    /// memory cannot be read, the reply says so in `unavailable` and holds what was read until then.
    pub fn answer(&self, now: Timestamp, query: &MemoryQuery) -> MemoryReply {
        let mut entries = Vec::new();
        let failed = self.collect(now, query, &mut entries).err();
        if let Some(error) = &failed {
            tracing::warn!(%error, "the memory could not answer");
        }
        MemoryReply { entries, unavailable: failed.map(|error| error.to_string()) }
    }

    /// When the memory last changed; `None` when nothing was ever written.
    pub fn latest(&self) -> Option<Timestamp> {
        Some(self.shared.high_water().0).filter(|at| *at != Timestamp::default())
    }

    /// One memory, with the time when it was last recalled.
    ///
    /// # Errors
    /// When the database fails.
    pub fn get(&self, id: Uuid) -> Result<Option<Megram>, StoreError> {
        let megram = self.shared.disk.view().megram(id)?;
        megram.map(|megram| self.with_recall(megram)).transpose()
    }

    /// Fills in when a memory was last recalled.
    pub(crate) fn with_recall(&self, megram: Megram) -> Result<Megram, StoreError> {
        let pending = self.shared.pending_recall(megram.id);
        let stored = self.shared.disk.view().recalled(megram.id)?;
        Ok(Megram { last_recalled_at: pending.max(stored), ..megram })
    }

    /// The rules of a tag at `now`, newest first, without noting that they were read.
    pub(crate) fn rules(&self, now: Timestamp, tag: &Tag) -> Result<Vec<SopRecord>, StoreError> {
        if key::check_tag(tag).is_err() {
            return Ok(Vec::new());
        }
        let now = self.shared.effective(now);
        let view = self.shared.disk.view();
        let mut rules: Vec<Megram> = view.rules(tag).collect::<Result<_, _>>()?;
        if rules.is_empty() {
            return Ok(Vec::new());
        }
        rules.sort_by_key(|rule| std::cmp::Reverse((rule.created_at, rule.id)));
        let record = view.cluster(tag)?;
        let told = |rule: Megram| SopRecord {
            overwritten: record.overwrites(rule.id, now),
            id: rule.id,
            content: rule.content,
            sigma: rule.sigma,
            level: rule.level,
        };
        Ok(rules.into_iter().map(told).collect())
    }

    fn collect(
        &self,
        now: Timestamp,
        query: &MemoryQuery,
        entries: &mut Vec<MemoryEntry>,
    ) -> Result<(), StoreError> {
        let like_it = self.like(query)?;
        let mut seen: Vec<&Tag> = Vec::new();
        for (place, tag) in query.tags.iter().take(MAX_TAGS).enumerate() {
            if !seen.contains(&tag) {
                seen.push(tag);
                let namesake = like_it.namesake.clone().filter(|_| place == 0);
                entries.extend(self.entry(now, tag, namesake)?);
            }
            if place == 0 {
                for (tag, via) in &like_it.aliases {
                    entries.extend(self.entry(now, tag, Some(via.clone()))?);
                }
            }
        }
        if entries.len() > MAX_MEMORY_ENTRIES {
            entries.sort_by_key(standing);
            entries.truncate(MAX_MEMORY_ENTRIES);
        }
        for (tag, via) in like_it.hints.iter().take(MAX_MEMORY_ENTRIES.saturating_sub(entries.len())) {
            entries.extend(self.entry(now, tag, Some(via.clone()))?);
        }
        let room = MAX_MEMORY_ENTRIES.saturating_sub(entries.len());
        let tools = if room > 0 && query.tool_clusters > 0 { self.liveliest_tools(now)? } else { Vec::new() };
        let others = tools.into_iter().filter(|tag| !query.tags.contains(tag));
        for tag in others.take(query.tool_clusters.min(room)) {
            entries.extend(self.entry(now, &tag, None)?);
        }
        Ok(())
    }

    /// The remembered requests that relate to `request`, closest first, each with its tag.
    ///
    /// # Errors
    /// When the database fails.
    pub fn requests_like(&self, request: &str) -> Result<Vec<Recalled>, StoreError> {
        self.shared.known(|known| known.related(request))
    }

    /// What is to be recalled besides the query's own tags.
    fn like(&self, query: &MemoryQuery) -> Result<LikeIt, StoreError> {
        if query.intent.is_empty() {
            return Ok(LikeIt::default());
        }
        let mut like_it = LikeIt::default();
        for Recalled { tag, via } in self.requests_like(&query.intent)? {
            let (most, into) = match via.relation {
                Relatedness::Same | Relatedness::Alias => (MAX_ALIASES, &mut like_it.aliases),
                Relatedness::Hint | Relatedness::None => (MAX_HINTS, &mut like_it.hints),
            };
            if into.len() < most && !query.tags.contains(&tag) {
                tracing::debug!(?via, space = tag.space, "a request in other words is remembered");
                into.push((tag, via));
            }
        }
        if let Some(tag) = query.tags.first() {
            like_it.namesake = self.shared.known(|known| known.namesake(tag, &query.intent))?;
        }
        Ok(like_it)
    }

    /// What is known about a tag; `None` when nothing is.
    fn entry(&self, now: Timestamp, tag: &Tag, via: Option<Via>) -> Result<Option<MemoryEntry>, StoreError> {
        if key::check_tag(tag).is_err() {
            return Ok(None);
        }
        let sops = self.query_c(now, tag)?;
        let now = self.shared.effective(now);
        let view = self.shared.disk.view();
        let record = view.cluster(tag)?;
        if record.is_empty() && sops.is_empty() {
            return Ok(None);
        }
        let mut top = Vec::new();
        for event in record.cluster.heaviest(now) {
            // One that is gone was forgotten between the two reads.
            if let Some(megram) = view.megram(event.id)? {
                top.push(self.with_recall(megram)?);
            }
        }
        let mut proposals = Vec::new();
        for event in record.proposed.heaviest(now) {
            if let Some(Megram { id, content, parents, .. }) = view.megram(event.id)? {
                proposals.push(Proposal { id, content, from: parents });
            }
        }
        let potentials = record.potentials(now);
        Ok(Some(MemoryEntry { tag: tag.clone(), potentials, sops, top, via, proposals }))
    }

    /// The tags of the live clusters of tools, the one with the most attention first.
    fn liveliest_tools(&self, now: Timestamp) -> Result<Vec<Tag>, StoreError> {
        let now = self.shared.effective(now);
        let view = self.shared.disk.view();
        let mut ranked: Vec<(f64, Tag)> = Vec::new();
        let prefix = key::clusters_of_space("tool:");
        for entry in view.scan(Family::Derived, &prefix, None).take(MAX_RANKED) {
            let (key, value) = entry?;
            let Key::Cluster(tag) = &key else { continue };
            let record = ClusterRecord::decode(&value).map_err(StoreError::damaged(&key.encode()))?;
            let attention = record.potentials(now).attention;
            if attention >= FORGET_BELOW {
                ranked.push((attention, tag.clone()));
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        // Those that the query names itself are among the entries already, and there are fewer than the bound of those.
        ranked.truncate(2 * MAX_MEMORY_ENTRIES);
        Ok(ranked.into_iter().map(|(_, tag)| tag).collect())
    }
}

/// What gives way last when more is known than fits: the request and the person, then what forbids, then what advises.
fn standing(entry: &MemoryEntry) -> u8 {
    let action = entry.potentials.action;
    if !entry.tag.space.starts_with("tool:") {
        0
    } else if action == MemoryAction::Avoid || entry.sops.iter().any(|s| s.sigma <= 0.0 && !s.overwritten) {
        1
    } else if action != MemoryAction::Ignore || !entry.sops.is_empty() {
        2
    } else {
        3
    }
}
