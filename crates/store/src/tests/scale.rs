//! A large cluster costs a reader as much as a small one. Times are printed (`--nocapture`), never asserted.

use std::time::Instant;

use artoo_types::Timestamp;
use artoo_types::memory::MemoryQuery;

use super::{START, Store, megram, tool_tag};

/// Nanoseconds of one QueryMK, as the fastest of some batches.
fn query_ns(store: &Store, tag: &artoo_types::tag::Tag) -> u128 {
    let batches = (0..20).map(|_| {
        let start = Instant::now();
        for _ in 0..200 {
            store.reader.query_mk(START, tag).expect("it reads");
        }
        start.elapsed().as_nanos() / 200
    });
    batches.min().expect("there are batches")
}

#[test]
fn a_query_reads_one_record_however_many_memories_there_are() {
    let many: u128 = std::env::var("ARTOO_STORE_SCALE").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut store = Store::new();
    let (few_tag, many_tag) = (tool_tag("/few"), tool_tag("/many"));
    let write = |store: &mut Store, number: u128, tag: &artoo_types::tag::Tag| {
        let mut one = megram(number, tag);
        one.state = "refine".to_owned();
        one.created_at = Timestamp(START.0 + number as i64);
        store.write(&one);
    };
    for number in 0..100 {
        write(&mut store, number, &few_tag);
    }
    let start = Instant::now();
    for number in 1_000..1_000 + many {
        write(&mut store, number, &many_tag);
    }
    let write_us = start.elapsed().as_micros() / many;
    let (few, lots) = (query_ns(&store, &few_tag), query_ns(&store, &many_tag));
    let query = MemoryQuery { tags: vec![many_tag.clone()], tool_clusters: 10, intent: String::new() };
    let start = Instant::now();
    let reply = store.reader.answer(START, &query);
    let answer_us = start.elapsed().as_micros();
    assert_eq!(reply.entries.len(), 2);
    let start = Instant::now();
    assert_eq!(u128::from(store.verified().megrams), 100 + many);
    println!(
        "\n{many} memories in one tag: write {write_us} us, QueryMK {lots} ns against {few} ns for 100, answer \
         {answer_us} us, verify {} ms, {} KiB",
        start.elapsed().as_millis(),
        store.reader.stats().expect("it counts").disk_bytes / 1024
    );
    let record = |tag| store.open().disk.view().cluster(tag).expect("it reads").encode().len();
    assert_eq!(record(&many_tag), record(&few_tag), "the record does not grow");
}
