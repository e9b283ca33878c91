//! Why the memory advises what it advises.

use artoo_memory::accumulator::Event;
use artoo_memory::expiry::{FallTime, expires_at, falls_below};
use artoo_memory::hypothesis::is_hypothesis;
use artoo_memory::potential::ATTENTION_FLOOR;
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, Potentials, SopRecord};
use artoo_types::tag::Tag;

use crate::error::StoreError;
use crate::open_store::OpenStore;
use crate::rules::rules_of;

/// Most memories that one explanation weighs: about a tenth of a second.
const MAX_WEIGHED: usize = 10_000;

/// What one memory adds now.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The memory.
    pub megram: Megram,
    /// What it adds to M_attention.
    pub attention: f64,
    /// What it adds to M_decision.
    pub decision: f64,
}

/// Where the potentials of one tag come from.
#[derive(Debug, Clone, PartialEq)]
pub struct TagExplanation {
    /// The tag.
    pub tag: Tag,
    /// Its potentials.
    pub potentials: Potentials,
    /// How many memories they sum.
    pub count: u64,
    /// The memories that weigh most, heaviest first.
    pub contributions: Vec<Contribution>,
    /// When the advice turns into "ignore" (M_attention below 0.5), if nothing more is written.
    pub silent: FallTime,
    /// When the evidence is forgotten, if nothing more is written; `None` is never, or there is none.
    pub forgotten_at: Option<Timestamp>,
    /// The rules of the tag.
    pub rules: Vec<SopRecord>,
}

/// See [`crate::MemoryReader::why`].
pub(crate) fn explain(
    store: &OpenStore,
    now: Timestamp,
    tag: &Tag,
    limit: usize,
) -> Result<TagExplanation, StoreError> {
    artoo_memory::key::check_tag(tag).map_err(artoo_memory::admission::MegramRejected::from)?;
    let now = store.effective(now);
    let view = store.disk.view();
    let record = view.cluster(tag)?;
    let cluster = &record.cluster;
    let megrams: Vec<Megram> = if cluster.count() <= MAX_WEIGHED as u64 {
        view.evidence(tag).collect::<Result<_, _>>()?
    } else {
        let known = cluster.heaviest(now).into_iter().filter_map(|event| view.megram(event.id).transpose());
        known.collect::<Result<_, _>>()?
    };
    let mut contributions: Vec<Contribution> = megrams
        .into_iter()
        // A hypothesis weighs nothing until it is tried.
        .filter(|megram| !is_hypothesis(megram))
        .filter_map(|megram| {
            let (attention, decision) = Event::of(&megram)?.weight(now);
            Some(Contribution { megram, attention, decision })
        })
        .collect();
    contributions.sort_by(|a, b| {
        let by_weight = b.attention.total_cmp(&a.attention);
        by_weight.then_with(|| b.megram.created_at.cmp(&a.megram.created_at))
    });
    contributions.truncate(limit);
    Ok(TagExplanation {
        tag: tag.clone(),
        potentials: cluster.potentials(now),
        count: cluster.count(),
        contributions,
        silent: falls_below(cluster, ATTENTION_FLOOR, now),
        forgotten_at: expires_at(&record.all()),
        rules: rules_of(store, now, tag)?,
    })
}
