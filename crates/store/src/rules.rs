//! The rules of a tag as they are told, and the hypotheses that stem from one.

use artoo_memory::hypothesis::{is_hypothesis, is_transferable};
use artoo_memory::key::{self, Key};
use artoo_memory::known::INTENTS;
use artoo_memory::record::ClusterRecord;
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, SopRecord};
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::error::StoreError;
use crate::open_store::OpenStore;

/// The rules of a tag at `now`, newest first, without noting that they were read.
pub(crate) fn rules_of(store: &OpenStore, now: Timestamp, tag: &Tag) -> Result<Vec<SopRecord>, StoreError> {
    if key::check_tag(tag).is_err() {
        return Ok(Vec::new());
    }
    let now = store.effective(now);
    let view = store.disk.view();
    let mut rules: Vec<Megram> = view.rules(tag).collect::<Result<_, _>>()?;
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    rules.sort_by_key(|rule| std::cmp::Reverse((rule.created_at, rule.id)));
    let record = view.cluster(tag)?;
    let sop = |rule: Megram| SopRecord {
        overwritten: record.overwrites(rule.id, now),
        id: rule.id,
        content: rule.content,
        sigma: rule.sigma,
        level: rule.level,
    };
    Ok(rules.into_iter().map(sop).collect())
}

/// [`rules_of`], and notes that they were recalled at `now`.
pub(crate) fn recall_rules(
    store: &OpenStore,
    now: Timestamp,
    tag: &Tag,
) -> Result<Vec<SopRecord>, StoreError> {
    let rules = rules_of(store, now, tag)?;
    for rule in &rules {
        store.recalls.note(rule.id, store.effective(now));
    }
    Ok(rules)
}

/// The hypotheses that a rule made and nobody tried. Only the clusters of requests that have hypotheses are read.
pub(crate) fn stemming_from(store: &OpenStore, rule: &Megram) -> Result<Vec<Megram>, StoreError> {
    let mut found = Vec::new();
    if !is_transferable(rule) {
        return Ok(found);
    }
    let view = store.disk.view();
    for entry in view.scan(Family::Derived, &key::clusters_of_space(INTENTS), None) {
        let (key, value) = entry?;
        let Key::Cluster(tag) = &key else { continue };
        let record = ClusterRecord::decode(&value).map_err(StoreError::damaged(&key.encode()))?;
        if record.proposed.is_empty() {
            continue;
        }
        for megram in view.evidence(tag) {
            let megram = megram?;
            if is_hypothesis(&megram) && megram.parents.contains(&rule.id) {
                found.push(megram);
            }
        }
    }
    Ok(found)
}
