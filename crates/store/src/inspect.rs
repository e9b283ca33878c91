//! What the operator sees of the memory: pages of memories, and figures.

use std::sync::atomic::Ordering;

use artoo_memory::key::{self, Key, LEVELS};
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::error::StoreError;
use crate::open_store::OpenStore;
use crate::schema::{SCHEMA, version_text};

/// Most memories on one page.
const MAX_PAGE: usize = 500;

/// Most memories that one page looks at while it searches for a level: about a tenth of a second.
const MAX_MEMORIES_READ: usize = 10_000;

/// Where the next page begins. Opaque; give it back as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageCursor(pub String);

/// Which memories to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// Only this level.
    pub level: Option<Level>,
    /// Only tags whose space begins with this; empty means all.
    pub space_prefix: String,
    /// Go on after this page.
    pub after: Option<PageCursor>,
    /// At most this many memories, and at most 500.
    pub limit: usize,
}

/// One page, ordered by tag.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryPage {
    /// The memories.
    pub megrams: Vec<Megram>,
    /// Where to go on. A page may be short, or empty, although there is more: a search stops after 10,000 memories.
    pub next: Option<PageCursor>,
}

/// Figures about the store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryStats {
    /// How many memories are on levels M, K, C, T.
    pub levels: [u64; 4],
    /// How many pairs of space and entity have evidence.
    pub clusters: u64,
    /// Ids that must not come back.
    pub tombstones: u64,
    /// Memories that were stored since the store was opened.
    pub written: u64,
    /// Writes that were refused at the door since the store was opened.
    pub rejected: u64,
    /// The schema of what is stored, as major.minor.
    pub schema: String,
    /// Bytes of all files.
    pub disk_bytes: u64,
    /// The cluster that is next to be looked at for forgetting, and when.
    pub next_due: Option<(Tag, Timestamp)>,
}

/// See [`crate::MemoryReader::list`].
pub(crate) fn list(store: &OpenStore, query: &ListQuery) -> Result<MemoryPage, StoreError> {
    let prefix = key::tagged_space(&query.space_prefix);
    let after = query.after.as_ref().map(|cursor| cursor.0.as_bytes());
    if after.is_some_and(|after| !after.starts_with(&prefix) || Key::decode(after).is_none()) {
        return Err(StoreError::BadCursor);
    }
    let limit = query.limit.clamp(1, MAX_PAGE);
    let view = store.disk.view();
    let mut page = MemoryPage::default();
    for (looked_at, entry) in view.scan(Family::Derived, &prefix, after).enumerate() {
        let (key, _) = entry?;
        let megram = view.indexed(&key)?;
        if query.level.is_none_or(|level| level == megram.level) {
            page.megrams.push(store.recalls.fill(&store.disk, megram)?);
        }
        if page.megrams.len() == limit || looked_at + 1 == MAX_MEMORIES_READ {
            page.next = Some(PageCursor(String::from_utf8_lossy(&key.encode()).into_owned()));
            break;
        }
    }
    Ok(page)
}

/// See [`crate::MemoryReader::under`].
pub(crate) fn under(store: &OpenStore, tag: &Tag, most: usize) -> Result<Vec<Megram>, StoreError> {
    if key::check_tag(tag).is_err() {
        return Ok(Vec::new());
    }
    let view = store.disk.view();
    let found = view.scan(Family::Derived, &key::tagged(tag), None).take(most);
    found.map(|entry| store.recalls.fill(&store.disk, view.indexed(&entry?.0)?)).collect()
}

/// See [`crate::MemoryReader::stats`].
pub(crate) fn stats(store: &OpenStore) -> Result<MemoryStats, StoreError> {
    let view = store.disk.view();
    let count = |family, prefix: &[u8]| -> Result<u64, StoreError> {
        view.raw_scan(family, prefix, None).try_fold(0, |count, entry| entry.map(|_| count + 1))
    };
    let mut levels = [0; 4];
    for (level, slot) in LEVELS.into_iter().zip(&mut levels) {
        *slot = count(Family::Derived, &key::of_level(level))?;
    }
    let next_due = match view.scan(Family::Derived, key::DUE, None).next().transpose()? {
        Some((Key::Due(at, tag), _)) => Some((tag, at)),
        Some(_) | None => None,
    };
    Ok(MemoryStats {
        levels,
        clusters: count(Family::Derived, key::CLUSTERS)?,
        tombstones: count(Family::Truth, key::TOMBSTONES)?,
        written: store.written.load(Ordering::Relaxed),
        rejected: store.rejected.load(Ordering::Relaxed),
        schema: version_text(SCHEMA),
        disk_bytes: store.disk.size(),
        next_due,
    })
}
