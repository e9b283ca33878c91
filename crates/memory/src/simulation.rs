//! Ten years of a memory that nobody restarts: random experience, a tick every four hours, and everything that is kept in sums
//! held against a plain list of memories. No disk, so that years take seconds.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::accumulator::{Cluster, Event, agree, naive};
use crate::consolidation::{Candidate, RuleText, Sign, gate, ripe};
use crate::dreamer::{DreamerAction, DueCluster, Rule, decide};
use crate::expiry::FORGET_BELOW;
use crate::filing::{file, refile};
use crate::fixture::{DAY, START, megram};
use crate::record::{ALWAYS, ClusterRecord, is_evidence};
use crate::trust::bankrupt;

/// Time between two ticks.
const STEP: u64 = DAY / 6;

/// The same numbers for the same seed.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }
}

/// A memory with its sums, as the store keeps them.
#[derive(Default)]
struct World {
    memories: BTreeMap<Uuid, Megram>,
    /// Which of them are rules.
    rules: BTreeSet<Uuid>,
    records: BTreeMap<Tag, ClusterRecord>,
    marks: BTreeMap<Tag, Timestamp>,
    buried: BTreeSet<Uuid>,
    /// Evidence that some rule was made of.
    used: BTreeSet<Uuid>,
    /// What happened, so that a simulation in which nothing happens is seen.
    distilled: usize,
    demoted: usize,
    forgotten: usize,
}

impl World {
    fn of_tag<'a>(&'a self, tag: &'a Tag) -> impl Iterator<Item = &'a Megram> {
        self.memories.values().filter(move |megram| megram.tag == *tag)
    }

    fn summed(&self, tag: &Tag) -> ClusterRecord {
        let since = self.marks.get(tag).copied().unwrap_or(ALWAYS);
        let mut record = ClusterRecord::born(since, self.of_tag(tag));
        self.of_tag(tag).for_each(|megram| record.take(megram));
        record
    }

    fn store(&mut self, tag: &Tag, record: ClusterRecord) {
        if record.is_empty() {
            self.records.remove(tag);
            self.marks.remove(tag);
        } else {
            self.records.insert(tag.clone(), record);
        }
    }

    /// Makes the sums of a tag again after something else than experience came or went.
    fn remake(&mut self, tag: &Tag, now: Timestamp) {
        let mut record = self.summed(tag);
        file(&mut record, now);
        self.store(tag, record);
    }

    fn write(&mut self, megram: Megram, now: Timestamp) {
        let tag = megram.tag.clone();
        let known = self.records.get(&tag).cloned();
        let newborn = known.is_none();
        let mut record = known.unwrap_or_else(|| self.summed(&tag));
        record.take(&megram);
        refile(&mut record, now, newborn);
        self.memories.insert(megram.id, megram);
        self.store(&tag, record);
    }

    fn remove_rule(&mut self, id: Uuid, now: Timestamp) -> Megram {
        let rule = self.memories.remove(&id).expect("the rule was there");
        self.rules.remove(&id);
        self.buried.insert(id);
        self.marks.insert(rule.tag.clone(), now);
        rule
    }

    /// One tick: down, then up.
    fn tick(&mut self, now: Timestamp) {
        let due: Vec<DueCluster> = self
            .records
            .iter()
            .filter(|(_, record)| record.filed.due.is_some_and(|due| due <= now))
            .map(|(tag, record)| DueCluster { tag: tag.clone(), cluster: record.all() })
            .collect();
        let rules: Vec<Rule> = self
            .rules
            .iter()
            .map(|id| &self.memories[id])
            .map(|megram| {
                let record = self.records.get(&megram.tag);
                let decision = record.map_or(0.0, |record| record.potentials(now).decision);
                Rule { megram: megram.clone(), decision }
            })
            .collect();
        for action in decide(now, &due, &rules) {
            self.act(action, now);
        }
        let ripe_tags: Vec<Tag> = self
            .records
            .iter()
            .filter(|(_, record)| record.filed.ripe.is_some_and(|at| at <= now))
            .map(|(tag, _)| tag.clone())
            .collect();
        for tag in ripe_tags {
            self.rise(&tag, now);
        }
    }

    fn act(&mut self, action: DreamerAction, now: Timestamp) {
        match action {
            DreamerAction::Forget { tag } => {
                let attention = naive(&self.experience(&tag), now).attention;
                assert!(attention < FORGET_BELOW + 1e-9, "{} was alive", tag.entity);
                self.memories.retain(|_, megram| megram.tag != tag || megram.level == Level::C);
                self.remake(&tag, now);
                self.forgotten += 1;
            }
            DreamerAction::Postpone { tag, due } => {
                let record = self.records.get_mut(&tag).expect("it was due");
                record.filed.due = due;
            }
            DreamerAction::Demote { rule, into } => {
                let fallen = self.remove_rule(rule, now);
                let decision = naive(&self.experience(&fallen.tag), now).decision;
                assert!(bankrupt(fallen.f, fallen.sigma, decision));
                self.memories.insert(into.id, *into);
                self.remake(&fallen.tag, now);
                self.demoted += 1;
            }
        }
    }

    fn rise(&mut self, tag: &Tag, now: Timestamp) {
        let record = self.records[tag].clone();
        if ripe(&record, now).is_none() {
            return self.remake(tag, now);
        }
        let memories = self.of_tag(tag).cloned().map(Ok::<_, std::convert::Infallible>);
        let Ok(found) = Candidate::of(tag, &record, memories, now);
        let found = found.expect("it is ripe");
        let text = RuleText::new("what was learned").expect("it is one line");
        let rule = found.rule(&text, now);
        assert!(!self.buried.contains(&rule.id) && !self.memories.contains_key(&rule.id), "made twice");
        for parent in &rule.parents {
            let parent = &self.memories[parent];
            assert!(is_evidence(parent) && !parent.tainted, "{parent:?}");
            assert!(self.used.insert(parent.id), "{} carries two rules", parent.id);
        }
        // Bounded parents name the heaviest alone; the rest of the evidence is used up as well.
        let used = self.of_tag(tag).filter(|megram| is_evidence(megram)).map(|megram| megram.id);
        let used: Vec<Uuid> = used.collect();
        self.used.extend(used);
        let twin = self.of_tag(tag).any(|one| one.level == Level::C && one.sigma == rule.sigma);
        assert!(!twin, "two rules of one sign");
        self.rules.insert(rule.id);
        self.memories.insert(rule.id, rule);
        self.marks.insert(tag.clone(), now);
        self.remake(tag, now);
        self.distilled += 1;
    }

    fn experience(&self, tag: &Tag) -> Vec<Event> {
        self.of_tag(tag).filter(|one| one.state != state::HYPOTHESIS).filter_map(Event::of).collect()
    }

    /// What is kept in sums is what the memories say, and the index would find every rule in time.
    fn check(&self, tags: &[Tag], now: Timestamp) {
        for tag in tags {
            let found = self.summed(tag);
            let Some(record) = self.records.get(tag) else {
                assert!(found.is_empty(), "{} is not summed", tag.entity);
                continue;
            };
            assert!(agree(record.potentials(now), naive(&self.experience(tag), now)));
            assert_eq!(record.fresh.since, found.fresh.since);
            let same = |one: &Cluster, other: &Cluster| agree(one.potentials(now), other.potentials(now));
            assert!(same(&record.fresh.sums, &found.fresh.sums));
            assert!(same(&record.proposed, &found.proposed));
            assert_eq!(record.rules.len(), found.rules.len());
            for (kept, made) in record.rules.iter().zip(&found.rules) {
                assert_eq!((kept.rule, kept.sign), (made.rule, made.sign));
                assert!(same(&kept.newer.sums, &made.newer.sums));
            }
            let standing = |sign: Sign| found.rules.iter().any(|rule| rule.sign == sign);
            if let Some(sign) = gate(&found.fresh.sums, now).filter(|sign| !standing(*sign)) {
                assert!(
                    record.filed.ripe.is_some_and(|at| at <= now.plus_ms(STEP)),
                    "{sign:?} would be missed"
                );
            }
        }
        for rule in self.rules.iter().map(|id| &self.memories[id]) {
            let decision = naive(&self.experience(&rule.tag), now).decision;
            assert!(!bankrupt(rule.f + 1e-9, rule.sigma, decision), "a bankrupt rule stands");
        }
    }
}

/// What happens to a tag: seasons in which it goes well and seasons in which it does not.
fn experience(random: &mut Random, number: u128, tag: &Tag, now: Timestamp) -> Megram {
    let season = (now.since_ms(START) / (90 * DAY) + tag.entity.len() as u64) % 3;
    let good = random.below(10) < [9, 5, 1][season as usize];
    let mut one = match (random.below(6), good) {
        (0, _) => megram(number, "change_path", now),
        (1, _) => megram(number, "refine", now),
        (2 | 3, true) => megram(number, "accept", now),
        (_, true) => megram(number, "success", now),
        (2 | 3, false) => megram(number, "abandon", now),
        (_, false) => megram(number, "change_approach", now),
    };
    one.tag = tag.clone();
    one.tainted = random.below(5) == 0;
    if random.below(15) == 0 {
        one.state = state::HYPOTHESIS.to_owned();
        (one.f, one.sigma, one.k, one.level) = (0.3, 0.0, Rate::Medium, Level::M);
    } else if random.below(12) == 0 {
        (one.state, one.level) = (state::REFLECTION.to_owned(), Level::K);
    }
    // Some arrive late, from a journal.
    let late = if random.below(20) == 0 { random.below(20 * DAY) } else { 0 };
    one.created_at = Timestamp(now.0 - late as i64);
    one
}

/// Lives through `years`, and says how many rules were made, fell, and how many clusters were forgotten.
fn check(seed: u64, years: u64) -> (usize, usize, usize) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let mut world = World::default();
    let tags: Vec<Tag> = (0..6).map(|place| Tag::tool("glob", Some(&"/x".repeat(place + 1)))).collect();
    let mut number = 0;
    for step in 0..years * 365 * 6 {
        let now = START.plus_ms(step * STEP);
        for (place, tag) in (0_u64..).zip(&tags) {
            // The last tags are busy for a month in a year, and forgotten in between.
            let busy = place < 4 || (step / 6) % 365 < 30;
            if busy && random.below(6) == 0 {
                number += 1;
                let one = experience(&mut random, number, tag, now);
                world.write(one, now);
            }
        }
        if random.below(6 * 120) == 0 {
            // The operator forgets a rule.
            if let Some(id) = world.rules.first().copied() {
                let rule = world.remove_rule(id, now);
                world.remake(&rule.tag, now);
            }
        }
        world.tick(now);
        if step % (6 * 45) == 0 {
            world.check(&tags, now);
        }
    }
    (world.distilled, world.demoted, world.forgotten)
}

#[test]
fn ten_years_keep_the_law() {
    let (distilled, demoted, forgotten) = check(0x9E37_79B9, 10);
    assert!(distilled >= 10, "{distilled} rules were made");
    assert!(demoted >= 5, "{demoted} rules fell");
    assert!(forgotten >= 5, "{forgotten} clusters were forgotten");
}

#[test]
fn other_years_keep_it_too() {
    for seed in 2..=4 {
        check(seed * 0x85EB_CA6B, 1);
    }
}
