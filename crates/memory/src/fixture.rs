//! Memories for the tests of this crate.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use proptest::prelude::*;
use uuid::Uuid;

use crate::accumulator::Event;

/// 2026-01-01.
pub(crate) const START: Timestamp = Timestamp(1_767_225_600_000);

pub(crate) const DAY: u64 = 86_400_000;

/// The quantization matrix: state, f, sigma, k.
pub(crate) const MATRIX: [(&str, f64, f64, Rate); 7] = [
    ("abandon", 0.95, -1.0, Rate::Slow),
    ("accept", 0.90, 1.0, Rate::Slow),
    ("change_approach", 0.85, -1.0, Rate::Slow),
    ("success", 0.80, 1.0, Rate::Slow),
    ("break_symmetry", 0.75, 1.0, Rate::Slow),
    ("change_path", 0.30, 0.0, Rate::Medium),
    ("refine", 0.10, 0.5, Rate::Fast),
];

/// What the controller writes in `state`, made at `at`.
pub(crate) fn megram(number: u128, state: &str, at: Timestamp) -> Megram {
    let row = MATRIX.into_iter().find(|row| row.0 == state);
    let (state, f, sigma, k) = row.expect("the state is in the matrix");
    Megram {
        id: Uuid::from_u128(number),
        level: Level::M,
        created_at: at,
        last_recalled_at: None,
        tag: Tag::new("tool:glob", "path:/tmp"),
        content: "what was learned".to_owned(),
        state: state.to_owned(),
        f,
        sigma,
        k,
        agent_id: "artoo".to_owned(),
        task_id: None,
        parents: vec![],
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

/// A rule on level C.
pub(crate) fn rule(number: u128, f: f64, sigma: f64) -> Megram {
    Megram { level: Level::C, f, sigma, k: Rate::Timeless, ..megram(number, "accept", START) }
}

/// The event of one state at `at`.
pub(crate) fn event(number: u128, state: &str, at: Timestamp) -> Event {
    Event::of(&megram(number, state, at)).expect("the states of the matrix are on level M")
}

/// Any event that can be stored, within 12 years after the start.
pub(crate) fn any_event() -> impl Strategy<Value = Event> {
    let rate = prop::sample::select(Rate::ALL.to_vec());
    let f = prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0];
    let sigma = prop_oneof![Just(0.0), Just(1.0), Just(-1.0), -1.0..=1.0];
    (any::<u128>(), 0..4_400 * DAY, rate, f, sigma).prop_map(|(id, after, rate, f, sigma)| Event {
        id: Uuid::from_u128(id),
        at: START.plus_ms(after),
        rate,
        f,
        sigma,
    })
}
