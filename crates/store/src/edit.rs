//! One atomic change of memories, with everything that follows from it.

use std::collections::{BTreeMap, BTreeSet};

use artoo_memory::filing::{file, refile};
use artoo_memory::hypothesis::is_hypothesis;
use artoo_memory::key::Key;
use artoo_memory::known::INTENTS;
use artoo_memory::record::ClusterRecord;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::disk::Batch;
use crate::disk::view::is_rule;
use crate::error::StoreError;
use crate::open_store::{OpenStore, WriteLock, rfc3339};
use crate::rules::stemming_from;

/// What changes about one tag.
#[derive(Default)]
struct TagChange {
    added: Vec<Megram>,
    removed: BTreeSet<Uuid>,
    /// Knowledge whose decay begins anew, and when.
    recalled: BTreeMap<Uuid, Timestamp>,
    /// From now on only evidence newer than this becomes a new rule.
    since: Option<Timestamp>,
    /// Rules came or went, or evidence went: the sums are made from the memories again. Taking a weight off again would
    /// leave a ghost where nothing is.
    from_scratch: bool,
}

/// Collects what is added and removed; [`Edit::finish`] makes it one batch with its indexes and sums.
pub(crate) struct Edit<'a> {
    store: &'a OpenStore,
    batch: Batch<'a>,
    now: Timestamp,
    tags: BTreeMap<Tag, TagChange>,
}

impl<'a> Edit<'a> {
    /// An empty change at the effective time `now`. Sums are read, changed and written back, so nobody else may write.
    pub(crate) fn new(store: &'a OpenStore, now: Timestamp, _: &WriteLock<'_>) -> Self {
        Self { store, batch: store.disk.batch(), now, tags: BTreeMap::new() }
    }

    /// Adds a memory that is not stored yet. A hypothesis that it names among its parents is settled by it: it goes, and
    /// stays away.
    pub(crate) fn add(&mut self, megram: &Megram) -> Result<(), StoreError> {
        let key = Key::Megram(megram.id);
        let json = serde_json::to_vec(megram).map_err(StoreError::damaged(&key.encode()))?;
        self.batch.put(&key, &json);
        self.batch.index(megram);
        let change = self.tags.entry(megram.tag.clone()).or_default();
        change.from_scratch |= is_rule(megram);
        change.added.push(megram.clone());
        for parent in &megram.parents {
            if let Some(settled) = self.store.disk.view().megram(*parent)?.filter(is_hypothesis) {
                self.remove(&settled, Some("settled"));
            }
        }
        Ok(())
    }

    /// Removes a memory; with a reason, its id stays away for good. When a rule on level C goes, what was known until now
    /// does not become one again.
    pub(crate) fn remove(&mut self, megram: &Megram, bury: Option<&str>) {
        self.batch.delete_megram(megram);
        if let Some(why) = bury {
            self.bury(megram.id, why);
        }
        let change = self.tags.entry(megram.tag.clone()).or_default();
        change.from_scratch = true;
        change.removed.insert(megram.id);
        if megram.level == Level::C {
            change.since = Some(self.now);
        }
    }

    /// Removes a memory, and with a rule the hypotheses that stem from it; their ids stay away for good.
    pub(crate) fn remove_with_hypotheses(&mut self, megram: &Megram, why: &str) -> Result<(), StoreError> {
        self.remove(megram, Some(why));
        for hypothesis in stemming_from(self.store, megram)? {
            self.remove(&hypothesis, Some(why));
        }
        Ok(())
    }

    /// Knowledge of a tag was read at these times: its decay begins anew.
    pub(crate) fn recalled(&mut self, tag: &Tag, ids: BTreeMap<Uuid, Timestamp>) -> Result<(), StoreError> {
        for (id, at) in ids {
            // What is gone by now must not get its recall time back.
            if self.store.disk.view().has(&Key::Megram(id))? {
                self.batch.put(&Key::Recalled(id), rfc3339(at).as_bytes());
                let change = self.tags.entry(tag.clone()).or_default();
                change.from_scratch = true;
                change.recalled.insert(id, at);
            }
        }
        Ok(())
    }

    /// Keeps an id away for good.
    pub(crate) fn bury(&mut self, id: Uuid, why: &str) {
        self.batch.put(&Key::Tombstone(id), tombstone(why, self.now).as_bytes());
    }

    /// What is known about `tag` until now does not become a rule again.
    pub(crate) fn consumed(&mut self, tag: &Tag) {
        let change = self.tags.entry(tag.clone()).or_default();
        change.from_scratch = true;
        change.since = Some(self.now);
    }

    /// The whole change; nothing of it is visible before it is committed.
    pub(crate) fn finish(mut self) -> Result<Batch<'a>, StoreError> {
        for (tag, change) in std::mem::take(&mut self.tags) {
            self.apply(&tag, &change)?;
        }
        Ok(self.batch)
    }

    fn apply(&mut self, tag: &Tag, change: &TagChange) -> Result<(), StoreError> {
        let old = self.store.disk.view().cluster(tag)?;
        let mut record =
            if change.from_scratch { self.remade(tag, change)? } else { self.continued(tag, &old)? };
        change.added.iter().for_each(|megram| record.take(megram));
        if change.from_scratch {
            file(&mut record, self.now);
        } else {
            refile(&mut record, self.now, old.is_empty());
        }
        self.batch.set_cluster(tag, &record, old.filed);
        if record.is_empty() {
            // Nothing is left that could become a rule again.
            self.batch.delete(&Key::Since(tag.clone()));
        } else if let Some(since) = change.since {
            self.batch.put(&Key::Since(tag.clone()), &since.0.to_be_bytes());
        }
        if tag.space.starts_with(INTENTS) {
            let added = change.added.iter().map(|megram| megram.about.as_str());
            self.store.requests.update(tag, added, !change.removed.is_empty());
        }
        Ok(())
    }

    /// The sums as they are, or new ones when nothing was known.
    fn continued(&self, tag: &Tag, old: &ClusterRecord) -> Result<ClusterRecord, StoreError> {
        if !old.is_empty() {
            return Ok(old.clone());
        }
        let view = self.store.disk.view();
        let rules: Vec<Megram> = view.rules(tag).collect::<Result<_, _>>()?;
        Ok(ClusterRecord::born(view.since(tag)?, &rules))
    }

    /// The sums from the memories that stay, without those that are added.
    fn remade(&self, tag: &Tag, change: &TagChange) -> Result<ClusterRecord, StoreError> {
        let view = self.store.disk.view();
        let rules: Vec<Megram> = view.rules(tag).collect::<Result<_, _>>()?;
        let staying = rules.iter().filter(|rule| !change.removed.contains(&rule.id));
        let since = change.since.map_or_else(|| view.since(tag), Ok)?;
        let mut record =
            ClusterRecord::born(since, staying.chain(change.added.iter().filter(|new| is_rule(new))));
        for megram in view.evidence(tag) {
            let mut megram = megram?;
            if !change.removed.contains(&megram.id) {
                megram.last_recalled_at =
                    change.recalled.get(&megram.id).copied().max(megram.last_recalled_at);
                record.take(&megram);
            }
        }
        Ok(record)
    }
}

/// What stands in the place of a memory that must not come back: why and when, never what it said.
fn tombstone(why: &str, at: Timestamp) -> String {
    serde_json::json!({ "why": why, "at": crate::open_store::rfc3339(at) }).to_string()
}
