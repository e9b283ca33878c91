//! What is recalled is kept: the decay of knowledge begins anew, and the sums stay exact.

use artoo_types::memory::{Level, Megram, MemoryQuery};
use artoo_types::tag::Tag;

use super::{Store, after, megram};

fn tag() -> Tag {
    Tag::tool("glob", Some("/w"))
}

fn knowledge(number: u128) -> Megram {
    Megram { level: Level::K, ..megram(number, &tag()) }
}

/// A planner asks about the tag, and what it read is taken to the disk.
fn recall(store: &mut Store, days: f64) {
    let query = MemoryQuery { tags: vec![tag()], tool_clusters: 0, intent: String::new() };
    assert_eq!(store.reader.answer(after(days), &query).entries.len(), 1);
    store.writer.flush().expect("the store can be written");
}

fn attention(store: &Store, days: f64) -> f64 {
    store.reader.query_mk(after(days), &tag()).expect("the store can be read").attention
}

#[test]
fn knowledge_that_is_recalled_fades_from_its_recall() {
    let mut store = Store::new();
    store.write(&knowledge(1));
    let (fresh, faded) = (attention(&store, 0.0), attention(&store, 20.0));
    assert!(faded < fresh / 2.0);
    recall(&mut store, 20.0);
    assert!((attention(&store, 20.0) - fresh).abs() < 1e-9);
    assert!((attention(&store, 40.0) - faded).abs() < 1e-9);
    store.verified();
    let store = store.reopened();
    assert!((attention(&store, 40.0) - faded).abs() < 1e-9);
    store.verified();
}

#[test]
fn a_clock_that_was_set_back_takes_no_recall_away() {
    let mut store = Store::new();
    store.write(&knowledge(1));
    recall(&mut store, 20.0);
    let kept = attention(&store, 30.0);
    recall(&mut store, 5.0);
    assert!((attention(&store, 30.0) - kept).abs() < 1e-9);
    store.verified();
}

#[test]
fn what_happened_fades_from_when_it_happened_however_often_it_is_read() {
    let mut store = Store::new();
    store.write(&megram(1, &tag()));
    let faded = attention(&store, 20.0);
    for day in 1..20 {
        recall(&mut store, f64::from(day));
    }
    assert!((attention(&store, 20.0) - faded).abs() < 1e-9);
    store.verified();
}

#[test]
fn knowledge_among_events_is_moved_alone_and_the_sums_stay_exact() {
    let mut store = Store::new();
    for number in 1..=200 {
        store.write(&Megram { created_at: after(number as f64 / 100.0), ..megram(number, &tag()) });
    }
    for number in 201..=202 {
        store.write(&knowledge(number));
    }
    for day in [3.0, 3.01, 9.0, 30.0] {
        recall(&mut store, day);
        store.verified();
    }
}
