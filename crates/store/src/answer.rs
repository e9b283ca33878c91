//! What the planner gets of the memory for one query.

use artoo_memory::expiry::FORGET_BELOW;
use artoo_memory::key::{self, Key};
use artoo_memory::known::RelatedRequest;
use artoo_memory::record::ClusterRecord;
use artoo_types::Timestamp;
use artoo_types::limits::MAX_MEMORY_ENTRIES;
use artoo_types::memory::{Megram, MemoryAction, MemoryEntry, MemoryQuery, Proposal, Relatedness, Via};
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::error::StoreError;
use crate::open_store::OpenStore;
use crate::rules::recall_rules;

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
struct RelatedTags {
    aliases: Vec<(Tag, Via)>,
    hints: Vec<(Tag, Via)>,
    /// Set when the request's own tag holds memories of another task alone.
    namesake: Option<Via>,
}

/// The entries of [`crate::MemoryReader::answer`].
pub(crate) fn collect(
    store: &OpenStore,
    now: Timestamp,
    query: &MemoryQuery,
    entries: &mut Vec<MemoryEntry>,
) -> Result<(), StoreError> {
    let related = related_tags(store, query)?;
    let mut seen: Vec<&Tag> = Vec::new();
    for (place, tag) in query.tags.iter().take(MAX_TAGS).enumerate() {
        if !seen.contains(&tag) {
            seen.push(tag);
            let namesake = related.namesake.clone().filter(|_| place == 0);
            entries.extend(entry(store, now, tag, namesake)?);
        }
        if place == 0 {
            for (tag, via) in &related.aliases {
                entries.extend(entry(store, now, tag, Some(via.clone()))?);
            }
        }
    }
    if entries.len() > MAX_MEMORY_ENTRIES {
        entries.sort_by_key(keep_rank);
        entries.truncate(MAX_MEMORY_ENTRIES);
    }
    for (tag, via) in related.hints.iter().take(MAX_MEMORY_ENTRIES.saturating_sub(entries.len())) {
        entries.extend(entry(store, now, tag, Some(via.clone()))?);
    }
    let room = MAX_MEMORY_ENTRIES.saturating_sub(entries.len());
    let tools = if room > 0 && query.tool_clusters > 0 { liveliest_tools(store, now)? } else { Vec::new() };
    let others = tools.into_iter().filter(|tag| !query.tags.contains(tag));
    for tag in others.take(query.tool_clusters.min(room)) {
        entries.extend(entry(store, now, &tag, None)?);
    }
    Ok(())
}

/// The remembered requests that relate to `request`, closest first, each with its tag.
pub(crate) fn requests_like(store: &OpenStore, request: &str) -> Result<Vec<RelatedRequest>, StoreError> {
    store.requests.with(&store.disk, |known| known.related(request))
}

/// What is to be recalled besides the query's own tags.
fn related_tags(store: &OpenStore, query: &MemoryQuery) -> Result<RelatedTags, StoreError> {
    if query.intent.is_empty() {
        return Ok(RelatedTags::default());
    }
    let mut related = RelatedTags::default();
    for RelatedRequest { tag, via } in requests_like(store, &query.intent)? {
        let (most, into) = match via.relation {
            Relatedness::Same | Relatedness::Alias => (MAX_ALIASES, &mut related.aliases),
            Relatedness::Hint | Relatedness::None => (MAX_HINTS, &mut related.hints),
        };
        if into.len() < most && !query.tags.contains(&tag) {
            tracing::debug!(?via, space = tag.space, "a request in other words is remembered");
            into.push((tag, via));
        }
    }
    if let Some(tag) = query.tags.first() {
        related.namesake = store.requests.with(&store.disk, |known| known.namesake(tag, &query.intent))?;
    }
    Ok(related)
}

/// What is known about a tag; `None` when nothing is.
fn entry(
    store: &OpenStore,
    now: Timestamp,
    tag: &Tag,
    via: Option<Via>,
) -> Result<Option<MemoryEntry>, StoreError> {
    if key::check_tag(tag).is_err() {
        return Ok(None);
    }
    let sops = recall_rules(store, now, tag)?;
    let now = store.effective(now);
    let view = store.disk.view();
    let record = view.cluster(tag)?;
    if record.is_empty() && sops.is_empty() {
        return Ok(None);
    }
    let mut top = Vec::new();
    for event in record.cluster.heaviest(now) {
        // One that is gone was forgotten between the two reads.
        if let Some(megram) = view.megram(event.id)? {
            let megram = store.recalls.fill(&store.disk, megram)?;
            store.recalls.note_told(&megram, now);
            top.push(megram);
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
fn liveliest_tools(store: &OpenStore, now: Timestamp) -> Result<Vec<Tag>, StoreError> {
    let now = store.effective(now);
    let view = store.disk.view();
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

/// What gives way last when more is known than fits: the request and the person, then what forbids, then what advises.
fn keep_rank(entry: &MemoryEntry) -> u8 {
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
