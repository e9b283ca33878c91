//! Random interleavings of everything that changes the store, against a plain list of memories. The clock is set forward
//! and back, and the process ends in order or is killed. `ARTOO_MEMORY_STORE_HISTORIES` sets how many; the number of a
//! failing one is printed.

use artoo_memory::accumulator::{Event, agree, naive};
use artoo_memory::clock::STEP_BACK_MS;
use artoo_memory::trust::bankrupt;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::tag::Tag;

use super::killing::setting;
use super::{DAY, RATES, START, Store, megram, rule, tool_tag};
use crate::{TickReport, WriteOutcome};

/// The same numbers for the same seed.
pub(super) struct Random(fastrand::Rng);

impl Random {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }

    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.usize(..choices.len())]
    }
}

/// The memories that should be in the store, and the latest time at which it acted.
#[derive(Default)]
struct Model {
    megrams: Vec<Megram>,
    high_water: Timestamp,
}

impl Model {
    fn events(&self, tag: &Tag) -> Vec<Event> {
        self.megrams.iter().filter(|megram| megram.tag == *tag).filter_map(Event::of).collect()
    }

    /// The effective time.
    fn now(&self, wall: Timestamp) -> Timestamp {
        wall.max(self.high_water)
    }
}

fn new_memory(random: &mut Random, number: u128, tag: &Tag, wall: Timestamp) -> Megram {
    if random.below(8) == 0 {
        return Megram { created_at: wall, ..rule(number, tag, random.pick(&[1.0, -1.0])) };
    }
    // Some arrive late, from a journal; some were made under a clock that was ahead.
    let late = (random.below(3) * random.below(30 * DAY)) as i64;
    let ahead = if random.below(10) == 0 { random.below(20 * DAY) as i64 } else { 0 };
    Megram {
        f: random.below(1_000) as f64 / 999.0,
        sigma: random.below(2_001) as f64 / 1_000.0 - 1.0,
        k: random.pick(&RATES),
        state: random.pick(&["accept", "refine"]).to_owned(),
        created_at: Timestamp(wall.0 - late + ahead),
        ..megram(number, tag)
    }
}

fn tick(store: &mut Store, model: &mut Model, wall: Timestamp) {
    let report = store.maintenance.tick(wall).expect("it ticks");
    if model.high_water.since_ms(wall) > STEP_BACK_MS {
        assert_eq!(report, TickReport { held_behind_ms: report.held_behind_ms, ..TickReport::default() });
        assert!(report.held_behind_ms.is_some(), "the clock lies far behind");
        return;
    }
    let now = model.now(wall);
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
    }
    for megram in model.megrams.iter().filter(|megram| megram.level == Level::C) {
        let decision = naive(&model.events(&megram.tag), now).decision;
        assert!(!bankrupt(megram.f + 1e-9, megram.sigma, decision), "a bankrupt rule was left standing");
    }
    if report != TickReport::default() {
        model.high_water = now;
    }
}

fn check(seed: u64) {
    let mut random = Random::seeded(seed);
    let mut store = Store::new();
    let mut model = Model::default();
    let tags = ["/a", "/b", "/c"].map(tool_tag);
    let mut wall = START;
    for step in 0..150_u128 {
        match random.below(13) {
            0..=6 => {
                let tag = &tags[random.below(3) as usize];
                let megram = new_memory(&mut random, step, tag, wall);
                assert_eq!(
                    store.writer.remember(wall, &megram).expect("it is written"),
                    WriteOutcome::Stored
                );
                model.high_water = model.now(wall);
                model.megrams.push(Megram { created_at: megram.created_at.min(model.high_water), ..megram });
            }
            7 if !model.megrams.is_empty() => {
                let at = random.below(model.megrams.len() as u64) as usize;
                let gone = model.megrams.swap_remove(at);
                assert_eq!(store.forget(wall, &[gone.id]), 1);
                model.high_water = model.now(wall);
            }
            8 => tick(&mut store, &mut model, wall),
            9 => store = store.reopened(),
            10 => wall = Timestamp(wall.0 - (random.below(DAY) * random.pick(&[0, 1, 20])) as i64),
            _ => wall = wall.plus_ms(random.below(DAY) * random.pick(&[1, 1, 40])),
        }
        let now = model.now(wall);
        for tag in &tags {
            let fast = store.reader.query_mk(wall, tag).expect("it reads");
            let oracle = naive(&model.events(tag), now);
            assert!(agree(fast, oracle), "seed {seed}, step {step}: {fast:?} is not {oracle:?}");
        }
    }
    assert_eq!(store.verified().megrams, model.megrams.len() as u64, "seed {seed}");
    store.maintenance.rebuild().expect("it rebuilds");
    assert_eq!(store.verified().megrams, model.megrams.len() as u64, "seed {seed}");
}

#[test]
fn the_store_equals_a_plain_list_of_memories() {
    for seed in 1..=setting("ARTOO_MEMORY_STORE_HISTORIES", 12) {
        check(seed.wrapping_mul(0x9E37_79B9));
    }
}
