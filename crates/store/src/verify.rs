//! Comparing every derived record with the memories themselves.

use std::collections::BTreeSet;

use artoo_memory::accumulator::{Cluster, Event, agree, naive};
use artoo_memory::admission;
use artoo_memory::consolidation::ripe_at;
use artoo_memory::expiry::expires_at;
use artoo_memory::hypothesis::is_hypothesis;
use artoo_memory::key::{self, Key};
use artoo_memory::record::ClusterRecord;
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, Potentials};
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::disk::view::{View, decode_megram, decode_time, is_rule};
use crate::disk::{Family, index_keys};
use crate::error::StoreError;
use crate::open_store::OpenStore;
use crate::schema;

/// Findings that are told in full; the rest is counted.
const MAX_FAULTS_LISTED: usize = 100;

/// Something that should not be.
#[derive(Debug, Clone, PartialEq)]
pub enum MemoryFault {
    /// A record cannot be read, or breaks a rule of the door.
    Damaged {
        /// Its key.
        key: String,
        /// What is wrong.
        why: String,
    },
    /// An index does not lead to a memory that exists.
    NotIndexed {
        /// The memory.
        id: Uuid,
        /// The key that is missing.
        key: String,
    },
    /// A derived record that belongs to no memory.
    Stray {
        /// Its key.
        key: String,
    },
    /// Accumulators differ from the sum over the memories by more than 1e-9·max(1, M_att), or in their number.
    WrongSums {
        /// The tag.
        tag: Tag,
        /// How many memories the accumulators claim, and what they sum to.
        stored: (u64, Potentials),
        /// What the memories say.
        found: (u64, Potentials),
    },
    /// The accumulators do not name the memories that weigh most.
    WrongHeaviest {
        /// The tag.
        tag: Tag,
    },
    /// The sums of hypotheses, of fresh evidence, or of what is newer than a rule are not those of the memories.
    WrongEvidence {
        /// The tag.
        tag: Tag,
    },
    /// The expiry index would look at a cluster too late, or never.
    FiledLate {
        /// The tag.
        tag: Tag,
    },
    /// Evidence that is enough for a rule would be looked at too late, or never.
    RipeLate {
        /// The tag.
        tag: Tag,
    },
}

impl std::fmt::Display for MemoryFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Damaged { key, why } => write!(f, "{key} is damaged: {why}"),
            Self::NotIndexed { id, key } => write!(f, "memory {id} is not found through {key}"),
            Self::Stray { key } => write!(f, "{key} belongs to no memory"),
            Self::WrongSums { tag, stored, found } => write!(
                f,
                "the sums of {} {} are {} ({} memories), and should be {} ({})",
                tag.space, tag.entity, stored.1.attention, stored.0, found.1.attention, found.0
            ),
            Self::WrongHeaviest { tag } => {
                write!(f, "the sums of {} {} name the wrong memories", tag.space, tag.entity)
            }
            Self::WrongEvidence { tag } => {
                write!(f, "what is summed for the rules of {} {} is wrong", tag.space, tag.entity)
            }
            Self::FiledLate { tag } => write!(f, "{} {} would be forgotten too late", tag.space, tag.entity),
            Self::RipeLate { tag } => {
                write!(f, "{} {} would become a rule too late", tag.space, tag.entity)
            }
        }
    }
}

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verification {
    /// Memories that were read.
    pub megrams: u64,
    /// Clusters that were compared.
    pub clusters: u64,
    /// The first 100 findings.
    pub findings: Vec<MemoryFault>,
    /// How many findings there are.
    pub total_findings: u64,
}

impl Verification {
    fn note(&mut self, finding: MemoryFault) {
        self.total_findings += 1;
        if self.findings.len() < MAX_FAULTS_LISTED {
            self.findings.push(finding);
        }
    }

    fn note_key(&mut self, key: &Key, make: impl FnOnce(String) -> MemoryFault) {
        self.note(make(String::from_utf8_lossy(&key.encode()).into_owned()));
    }
}

/// See [`crate::MemoryReader::verify`].
pub(crate) fn verify(store: &OpenStore) -> Result<Verification, StoreError> {
    let view = store.disk.frozen();
    let now = store.high_water().0;
    let mut report = Verification::default();
    let derived = schema::derived_is_current(&view)?;
    check_memories(&view, derived, &mut report)?;
    if derived {
        check_tags(&view, now, &mut report)?;
        check_leftovers(&view, &mut report)?;
    }
    Ok(report)
}

/// Every memory can be read, keeps the rules of the door, and is found through its indexes.
fn check_memories(view: &View<'_>, derived: bool, report: &mut Verification) -> Result<(), StoreError> {
    for entry in view.raw_scan(Family::Truth, key::MEGRAMS, None) {
        let (raw, value) = entry?;
        report.megrams += 1;
        let damaged =
            |why: String| MemoryFault::Damaged { key: String::from_utf8_lossy(&raw).into_owned(), why };
        let megram = match decode_megram(&raw, &value) {
            Ok(megram) => megram,
            Err(error) => {
                report.note(damaged(error.to_string()));
                continue;
            }
        };
        if Key::decode(&raw) != Some(Key::Megram(megram.id)) {
            report.note(damaged("it is filed under another id".to_owned()));
        }
        if let Err(refused) = admission::check(&megram) {
            report.note(damaged(refused.to_string()));
        }
        for key in index_keys(&megram) {
            if derived && !view.has(&key)? {
                report.note_key(&key, |key| MemoryFault::NotIndexed { id: megram.id, key });
            }
        }
    }
    Ok(())
}

/// The accumulators of every tag equal the sum over its memories. The index is sorted by tag, so each comes in one
/// piece; only the events of one tag are held at a time.
fn check_tags(view: &View<'_>, now: Timestamp, report: &mut Verification) -> Result<(), StoreError> {
    let mut tag: Option<Tag> = None;
    let mut memories: Vec<BareMemory> = Vec::new();
    for entry in view.scan(Family::Derived, key::TAGGED, None) {
        let Ok((key, _)) = entry else { continue };
        let Key::Tagged(next, id) = &key else { continue };
        if tag.as_ref() != Some(next) {
            if let Some(tag) = tag.replace(next.clone()) {
                check_cluster(view, &tag, &memories, now, report)?;
            }
            memories.clear();
        }
        match readable(view, *id) {
            Some(megram) if megram.tag == *next => memories.push(BareMemory::of(megram)),
            Some(_) | None => report.note_key(&key, |key| MemoryFault::Stray { key }),
        }
    }
    if let Some(tag) = tag {
        check_cluster(view, &tag, &memories, now, report)?;
    }
    Ok(())
}

/// What of a memory decides about the sums: all of it but its words, of which a tag may hold many megabytes.
struct BareMemory(Megram);

impl BareMemory {
    fn of(megram: Megram) -> Self {
        let (content, about) = (String::new(), String::new());
        Self(Megram { content, about, parents: Vec::new(), ..megram })
    }
}

fn check_cluster(
    view: &View<'_>,
    tag: &Tag,
    memories: &[BareMemory],
    now: Timestamp,
    report: &mut Verification,
) -> Result<(), StoreError> {
    let record = match view.cluster(tag) {
        Ok(record) => record,
        Err(StoreError::Damaged { key, why }) => {
            report.note(MemoryFault::Damaged { key, why });
            return Ok(());
        }
        Err(other) => return Err(other),
    };
    let Ok(since) = view.since(tag) else {
        report.note_key(&Key::Since(tag.clone()), |key| MemoryFault::Damaged {
            key,
            why: "not a time".to_owned(),
        });
        return Ok(());
    };
    let mut recomputed = ClusterRecord::born(since, memories.iter().map(|memory| &memory.0));
    memories.iter().for_each(|memory| recomputed.take(&memory.0));
    report.clusters += u64::from(!recomputed.is_empty());
    let experience = memories.iter().filter(|memory| !is_hypothesis(&memory.0));
    let events: Vec<Event> = experience.filter_map(|memory| Event::of(&memory.0)).collect();
    let stored = (record.cluster.count(), record.potentials(now));
    let found = (events.len() as u64, naive(&events, now));
    if stored.0 != found.0 || !agree(stored.1, found.1) {
        report.note(MemoryFault::WrongSums { tag: tag.clone(), stored, found });
    }
    let heaviest = |cluster: &Cluster| cluster.heaviest(now).iter().map(|event| event.id).collect::<Vec<_>>();
    if heaviest(&record.cluster) != heaviest(&recomputed.cluster) {
        report.note(MemoryFault::WrongHeaviest { tag: tag.clone() });
    }
    if !same_evidence(&record, &recomputed, now) {
        report.note(MemoryFault::WrongEvidence { tag: tag.clone() });
    }
    check_filing(view, tag, &record, &recomputed, now, report)
}

/// Whether two records agree in what decides about rules.
fn same_evidence(stored: &ClusterRecord, found: &ClusterRecord, now: Timestamp) -> bool {
    if stored.is_empty() && found.is_empty() {
        return true;
    }
    let same = |one: &Cluster, other: &Cluster| {
        one.count() == other.count() && agree(one.potentials(now), other.potentials(now))
    };
    let named = |cluster: &Cluster| cluster.heaviest(now).iter().map(|event| event.id).collect::<Vec<_>>();
    let rules = |record: &ClusterRecord| {
        let rules = record.rules.iter().map(|rule| (rule.rule, rule.sign, rule.newer.since));
        rules.collect::<BTreeSet<_>>()
    };
    let window = |rule: Uuid| stored.rules.iter().find(|window| window.rule == rule);
    same(&stored.proposed, &found.proposed)
        && named(&stored.proposed) == named(&found.proposed)
        && stored.fresh.since == found.fresh.since
        && same(&stored.fresh.sums, &found.fresh.sums)
        && stored.rules.len() == found.rules.len()
        && rules(stored) == rules(found)
        && found
            .rules
            .iter()
            .all(|rule| window(rule.rule).is_some_and(|w| same(&w.newer.sums, &rule.newer.sums)))
}

/// The indexes of time hold the cluster, and early enough.
fn check_filing(
    view: &View<'_>,
    tag: &Tag,
    record: &ClusterRecord,
    recomputed: &ClusterRecord,
    now: Timestamp,
    report: &mut Verification,
) -> Result<(), StoreError> {
    let late = |filed: Option<Timestamp>, needed: Option<Timestamp>, leeway_ms: u64| match (filed, needed) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(filed), Some(needed)) => filed > needed.plus_ms(leeway_ms),
    };
    let filed = match record.filed.due {
        Some(due) => view.has(&Key::Due(due, tag.clone()))?,
        None => true,
    };
    if !filed || late(record.filed.due, expires_at(&recomputed.all()), ROUNDING_MS) {
        report.note(MemoryFault::FiledLate { tag: tag.clone() });
    }
    let key = Key::Ripe(tag.clone());
    let told = view.value(&key)?.map(|value| decode_time(&key, &value)).transpose().ok().flatten();
    let filed = told == record.filed.ripe;
    if !filed || late(record.filed.ripe, ripe_at(recomputed, now), RIPE_LEEWAY_MS) {
        report.note(MemoryFault::RipeLate { tag: tag.clone() });
    }
    Ok(())
}

/// How far two searches for the time at which evidence becomes ripe may differ: each is up to a minute late.
const RIPE_LEEWAY_MS: u64 = 120_000;

/// How far two computations of one expiry may differ: a cluster that was looked at a moment too early by rounding is
/// filed one second later.
const ROUNDING_MS: u64 = 1_001;

/// Nothing derived is left over.
fn check_leftovers(view: &View<'_>, report: &mut Verification) -> Result<(), StoreError> {
    let derived = [key::BY_LEVEL, key::RULES, key::CLUSTERS, key::DUE, key::RIPE];
    let prefixes = derived.map(|prefix| (Family::Derived, prefix)).into_iter();
    for (family, prefix) in prefixes.chain([(Family::Truth, key::SINCE)]) {
        for entry in view.scan(family, prefix, None) {
            let key = match entry {
                Ok((key, _)) => key,
                Err(StoreError::Damaged { key, why }) => {
                    report.note(MemoryFault::Damaged { key, why });
                    continue;
                }
                Err(other) => return Err(other),
            };
            if !belongs(view, &key)? {
                report.note_key(&key, |key| MemoryFault::Stray { key });
            }
        }
    }
    Ok(())
}

/// Whether a derived record stands for something that exists.
fn belongs(view: &View<'_>, key: &Key) -> Result<bool, StoreError> {
    Ok(match key {
        Key::Level(level, id) => readable(view, *id).is_some_and(|megram| megram.level == *level),
        Key::Rule(tag, id) => {
            readable(view, *id).is_some_and(|megram| megram.tag == *tag && is_rule(&megram))
        }
        Key::Cluster(tag) => view.evidence(tag).next().is_some(),
        Key::Due(at, tag) => view.cluster(tag).is_ok_and(|record| record.filed.due == Some(*at)),
        Key::Ripe(tag) => view.cluster(tag).is_ok_and(|record| record.filed.ripe.is_some()),
        Key::Since(tag) => view.has(&Key::Cluster(tag.clone()))?,
        Key::Megram(_)
        | Key::Recalled(_)
        | Key::Tombstone(_)
        | Key::Separated(_)
        | Key::Meta(_)
        | Key::Tagged(..) => true,
    })
}

/// A memory, if it is there and can be read; damage is told by [`check_memories`].
fn readable(view: &View<'_>, id: Uuid) -> Option<Megram> {
    view.megram(id).ok().flatten()
}
