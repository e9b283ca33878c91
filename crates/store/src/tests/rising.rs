//! Random interleavings of what goes up and down in the store, against a plain list of memories: rules are made, outdated,
//! fall and are forgotten, hypotheses are settled, and no evidence carries two rules.

use std::collections::BTreeSet;

use artoo_memory::accumulator::{Event, agree, naive};
use artoo_memory::consolidation::RuleText;
use artoo_memory::hypothesis::is_hypothesis;
use artoo_memory::record::is_evidence;
use artoo_memory::trust::bankrupt;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::interleaving::Random;
use super::{DAY, RATES, START, Store, megram, rule, tool_tag};
use crate::{PromotionOutcome, WriteOutcome};

/// The memories that should be in the store.
#[derive(Default)]
struct Model {
    megrams: Vec<Megram>,
    /// Evidence that some rule was made of, or that was known when one was made, fell or was forgotten.
    used: BTreeSet<Uuid>,
    /// How many rules were distilled.
    distilled: usize,
}

impl Model {
    fn events(&self, tag: &Tag) -> Vec<Event> {
        let tagged = self.megrams.iter().filter(|megram| megram.tag == *tag && !is_hypothesis(megram));
        tagged.filter_map(Event::of).collect()
    }

    /// What is known about a tag now makes no rule again.
    fn use_up(&mut self, tag: &Tag) {
        let known = self.megrams.iter().filter(|megram| megram.tag == *tag).map(|megram| megram.id);
        self.used.extend(known);
    }

    /// What a write that names hypotheses settles.
    fn settle(&mut self, parents: &[Uuid]) {
        self.megrams.retain(|megram| !(is_hypothesis(megram) && parents.contains(&megram.id)));
    }
}

fn new_memory(random: &mut Random, number: u128, tag: &Tag, now: Timestamp) -> Megram {
    if random.below(60) == 0 {
        return Megram { created_at: now, ..rule(number, tag, random.pick(&[1.0, -1.0])) };
    }
    if random.below(12) == 0 {
        let state = state::HYPOTHESIS.to_owned();
        return Megram { state, f: 0.3, sigma: 0.0, k: Rate::Medium, created_at: now, ..megram(number, tag) };
    }
    let f = random.below(1_000) as f64 / 999.0;
    let sigma = random.below(2_001) as f64 / 1_000.0 - 1.0;
    Megram {
        f: random.pick(&[f, 0.9, 0.9]),
        sigma: random.pick(&[sigma, 1.0, 1.0, 1.0, -1.0]),
        tainted: random.below(6) == 0,
        k: random.pick(&RATES),
        state: random.pick(&["accept", "accept", "refine", state::REFLECTION]).to_owned(),
        // Some arrive late, from a journal.
        created_at: Timestamp(now.0 - (random.pick(&[0, 0, 0, 1]) * random.below(60 * DAY)) as i64),
        ..megram(number, tag)
    }
}

fn tick(store: &mut Store, model: &mut Model, now: Timestamp) {
    let report = store.maintenance.tick(now).expect("it ticks");
    for swept in &report.forgotten {
        let potentials = naive(&model.events(&swept.tag), now);
        assert!(potentials.attention < 0.1 + 1e-9, "{} was alive", swept.tag.entity);
        let before = model.megrams.len();
        model.megrams.retain(|megram| megram.tag != swept.tag || Event::of(megram).is_none());
        assert_eq!((before - model.megrams.len()) as u64, swept.count);
    }
    for demotion in &report.demoted {
        let at =
            model.megrams.iter().position(|megram| megram.id == demotion.rule).expect("the rule was there");
        let fallen = model.megrams.remove(at);
        let decision = naive(&model.events(&fallen.tag), now).decision;
        assert!(bankrupt(fallen.f, fallen.sigma, decision));
        model.megrams.push(artoo_memory::trust::demoted(&fallen, now));
        model.use_up(&fallen.tag);
    }
    for megram in model.megrams.iter().filter(|megram| megram.level == Level::C) {
        let decision = naive(&model.events(&megram.tag), now).decision;
        assert!(!bankrupt(megram.f + 1e-9, megram.sigma, decision), "a bankrupt rule was left standing");
    }
}

/// The way up: every candidate becomes a rule of evidence that made none before.
fn rise(store: &mut Store, model: &mut Model, now: Timestamp) {
    let text = RuleText::new("what was learned").expect("it is one line");
    for candidate in store.maintenance.candidates(now, 9).expect("it looks") {
        let promotion = store.maintenance.promote(now, &candidate, &text).expect("the database works");
        let PromotionOutcome::Promoted(promoted) = promotion else { panic!("{promotion:?}") };
        let rule = promoted.rule;
        for parent in &rule.parents {
            let parent = model.megrams.iter().find(|megram| megram.id == *parent).expect("it is known");
            assert!(is_evidence(parent) && !model.used.contains(&parent.id), "{parent:?}");
        }
        model.use_up(&rule.tag);
        model.megrams.push(rule);
        model.distilled += 1;
    }
}

fn check(seed: u64) -> usize {
    let mut random = Random::seeded(seed);
    let mut store = Store::new();
    let mut model = Model::default();
    let tags = ["/a", "/b", "/c"].map(tool_tag);
    let mut now = START;
    for step in 0..150_u128 {
        match random.below(13) {
            0..=6 => {
                // Most of it is about one of them, so that rules come of it.
                let tag = &tags[random.pick(&[0, 0, 0, 1, 2])];
                let mut megram = new_memory(&mut random, step, tag, now);
                let open = model.megrams.iter().find(|one| is_hypothesis(one) && random.below(3) == 0);
                megram.parents.extend(open.map(|hypothesis| hypothesis.id));
                assert_eq!(store.writer.remember(now, &megram).expect("it is written"), WriteOutcome::Stored);
                model.settle(&megram.parents);
                model.megrams.push(megram);
            }
            7 if !model.megrams.is_empty() => {
                let at = random.below(model.megrams.len() as u64) as usize;
                let gone = model.megrams.swap_remove(at);
                assert_eq!(store.forget(now, &[gone.id]), 1);
                if gone.level == Level::C {
                    model.use_up(&gone.tag);
                }
            }
            8 => tick(&mut store, &mut model, now),
            9 => store = store.reopened(),
            10 | 11 => rise(&mut store, &mut model, now),
            _ => now = now.plus_ms(random.below(DAY) * random.pick(&[1, 1, 1, 40])),
        }
        for tag in &tags {
            let fast = store.reader.query_mk(now, tag).expect("it reads");
            let oracle = naive(&model.events(tag), now);
            assert!(agree(fast, oracle), "seed {seed}, step {step}: {fast:?} is not {oracle:?}");
        }
    }
    assert_eq!(store.verified().megrams, model.megrams.len() as u64);
    store.maintenance.rebuild().expect("it rebuilds");
    assert_eq!(store.verified().megrams, model.megrams.len() as u64);
    model.distilled
}

#[test]
fn no_evidence_carries_two_rules_whatever_happens() {
    let distilled: usize = (1..=8).map(|seed| check(seed * 0x9E37_79B9)).sum();
    assert!(distilled >= 4, "{distilled} rules were made");
}
