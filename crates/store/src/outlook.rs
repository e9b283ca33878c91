//! What falls next, and when: the pyramid of levels as it will be if nothing more is written.

use artoo_memory::consolidation::{RIPE_ATTENTION, ripe_at};
use artoo_memory::crossing::{comes_up_to, decision_parts};
use artoo_memory::expiry::expires_at;
use artoo_memory::key::{self, Key};
use artoo_memory::law::{LawProposal, law_id};
use artoo_memory::record::ClusterRecord;
use artoo_memory::sign::Sign;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, Potentials};
use artoo_types::rate::DAY_MS;
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::error::StoreError;
use crate::open_store::OpenStore;

/// A rule is in danger when no more than this is missing to its fall, in units of M_decision: less than one fresh failure.
pub const DANGER: f64 = 0.5;

/// Most entries of each list.
const MAX_LISTED: usize = 10;

/// Most clusters whose sums are read, and most rules: together below a second.
const MAX_RECORDS_READ: usize = 20_000;

/// How much stands on a level.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LevelTotals {
    /// How many clusters, or how many rules or laws.
    pub count: u64,
    /// Their M_attention together, now.
    pub energy: f64,
}

/// A cluster that fades.
#[derive(Debug, Clone, PartialEq)]
pub struct FadingCluster {
    /// Its tag.
    pub tag: Tag,
    /// Its potentials now.
    pub potentials: Potentials,
    /// When it is forgotten, or becomes a candidate for a rule.
    pub at: Timestamp,
}

/// A rule on level C that may fall soon.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleInDanger {
    /// The rule.
    pub rule: Megram,
    /// f + sgn(σ)·M_decision: it falls below 0. At most [`DANGER`].
    pub margin: f64,
    /// When it falls if nothing more is written; `None`: only new evidence can bring it down.
    pub falls_at: Option<Timestamp>,
    /// Newer evidence contradicts it already, so that it binds nothing.
    pub overwritten: bool,
}

/// The levels of the memory, and what comes down and goes up next.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outlook {
    /// Levels M and K: clusters, which fade and are forgotten as a whole.
    pub experience: LevelTotals,
    /// Level C.
    pub rules: LevelTotals,
    /// Level T, which never falls.
    pub laws: LevelTotals,
    /// Clusters that are forgotten next, soonest first, at most ten.
    pub forgotten_next: Vec<FadingCluster>,
    /// Rules that may fall, the one with the smallest margin first, at most ten.
    pub in_danger: Vec<RuleInDanger>,
    /// Clusters whose evidence is enough for a rule, now or by fading alone, soonest first, at most ten.
    pub rising_next: Vec<FadingCluster>,
    /// There is more than was read: 20,000 clusters or rules.
    pub more: bool,
}

/// See [`crate::MemoryReader::outlook`].
pub(crate) fn outlook(store: &OpenStore, now: Timestamp) -> Result<Outlook, StoreError> {
    let now = store.effective(now);
    let mut outlook = Outlook::default();
    read_clusters(store, now, &mut outlook)?;
    read_rules(store, now, &mut outlook)?;
    read_laws(store, &mut outlook)?;
    Ok(outlook)
}

fn read_clusters(store: &OpenStore, now: Timestamp, outlook: &mut Outlook) -> Result<(), StoreError> {
    let view = store.disk.view();
    for entry in view.scan(Family::Derived, key::CLUSTERS, None) {
        let (key, value) = entry?;
        let Key::Cluster(tag) = &key else { continue };
        if outlook.experience.count == MAX_RECORDS_READ as u64 {
            outlook.more = true;
            break;
        }
        let record = ClusterRecord::decode(&value).map_err(StoreError::damaged(&key.encode()))?;
        let potentials = record.potentials(now);
        outlook.experience.count += 1;
        outlook.experience.energy += potentials.attention;
        let told = |at| FadingCluster { tag: tag.clone(), potentials, at };
        keep_soonest(&mut outlook.forgotten_next, expires_at(&record.all()).map(told));
        if potentials.attention >= RIPE_ATTENTION {
            keep_soonest(&mut outlook.rising_next, ripe_at(&record, now).map(told));
        }
    }
    Ok(())
}

fn read_rules(store: &OpenStore, now: Timestamp, outlook: &mut Outlook) -> Result<(), StoreError> {
    let view = store.disk.view();
    for entry in view.scan(Family::Derived, &key::of_level(Level::C), None) {
        if outlook.rules.count == MAX_RECORDS_READ as u64 {
            outlook.more = true;
            break;
        }
        let Key::Level(_, id) = entry?.0 else { continue };
        // The operator may have forgotten it since it was listed.
        let Some(rule) = view.megram(id)? else { continue };
        outlook.rules.count += 1;
        outlook.rules.energy += rule.f;
        let record = view.cluster(&rule.tag)?;
        outlook.in_danger.extend(danger(rule, &record, now));
    }
    outlook.in_danger.sort_by(|a, b| a.margin.total_cmp(&b.margin).then(a.rule.id.cmp(&b.rule.id)));
    outlook.in_danger.truncate(MAX_LISTED);
    Ok(())
}

/// See [`crate::MemoryReader::law_proposals`].
pub(crate) fn law_proposals(store: &OpenStore, now: Timestamp) -> Result<Vec<LawProposal>, StoreError> {
    let now = store.effective(now);
    let view = store.disk.view();
    let mut proposals = Vec::new();
    for entry in view.scan(Family::Derived, &key::of_level(Level::C), None).take(MAX_RECORDS_READ) {
        let Key::Level(_, id) = entry?.0 else { continue };
        let law = law_id(id);
        if view.has(&Key::Megram(law))? || view.has(&Key::Tombstone(law))? {
            continue;
        }
        let Some(rule) = view.megram(id)? else { continue };
        let record = view.cluster(&rule.tag)?;
        proposals.extend(LawProposal::of(rule, &record, now));
    }
    proposals.sort_by(|a, b| b.confirmed.cmp(&a.confirmed).then(a.rule.id.cmp(&b.rule.id)));
    Ok(proposals)
}

fn read_laws(store: &OpenStore, outlook: &mut Outlook) -> Result<(), StoreError> {
    let view = store.disk.view();
    for entry in view.scan(Family::Derived, &key::of_level(Level::T), None).take(MAX_RECORDS_READ) {
        let Key::Level(_, id) = entry?.0 else { continue };
        let Some(law) = view.megram(id)? else { continue };
        outlook.laws.count += 1;
        outlook.laws.energy += law.f;
    }
    Ok(())
}

/// What threatens a rule, if it is near its fall.
fn danger(rule: Megram, record: &ClusterRecord, now: Timestamp) -> Option<RuleInDanger> {
    let sign = Sign::of(rule.sigma).value();
    let along = sign * record.potentials(now).decision;
    let margin = rule.f + along;
    // A weak rule that nothing speaks against is not in danger.
    if margin > DANGER || along >= 0.0 {
        return None;
    }
    let falls_at = if margin < 0.0 {
        Some(now)
    } else {
        let days = comes_up_to(&decision_parts(&record.cluster, now), -sign, rule.f);
        days.map(|days| now.plus_ms((days * DAY_MS).ceil() as u64))
    };
    let overwritten = record.overwrites(rule.id, now);
    Some(RuleInDanger { rule, margin, falls_at, overwritten })
}

/// Keeps a list of the soonest, in order.
fn keep_soonest(list: &mut Vec<FadingCluster>, next: Option<FadingCluster>) {
    let Some(next) = next else { return };
    let place = list.partition_point(|kept| (kept.at, &kept.tag) <= (next.at, &next.tag));
    list.insert(place, next);
    list.truncate(MAX_LISTED);
}
