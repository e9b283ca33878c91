use artoo_types::Timestamp;
use artoo_types::memory::{Level, MemoryAction};
use artoo_types::rate::Rate;

use super::{DAY, START, Store, after, copy_of, megram, rule, tool_tag, torn};
use crate::{StoreError, WriteOutcome};

#[test]
fn writing_twice_counts_once() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.write(&megram(1, &tag));
    assert_eq!(store.writer.write(after(3.0), &megram(1, &tag)).expect("it is known"), WriteOutcome::Known);
    let potentials = store.reader.query_mk(START, &tag).expect("it can be read");
    assert_eq!((potentials.attention, potentials.decision), (0.9, 0.9));
    assert_eq!(potentials.action, MemoryAction::Exploit);
    assert_eq!(store.verified().megrams, 1);
}

#[test]
fn what_breaks_a_rule_is_refused_and_counted() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    let mut odd = megram(1, &tag);
    odd.f = f64::NAN;
    assert!(matches!(store.writer.write(START, &odd), Err(StoreError::Rejected(_))));
    assert!(matches!(store.writer.write(START, &rule(2, &tag, 1.0)), Err(StoreError::Rejected(_))));
    assert_eq!(store.reader.get(odd.id).expect("it can be read"), None);
    let stats = store.reader.stats().expect("it can be counted");
    assert_eq!((stats.rejected, stats.levels), (2, [0; 4]));
}

#[test]
fn a_clock_that_steps_back_changes_no_potentials() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.write(&megram(1, &tag));
    let mut late = megram(2, &tag);
    late.created_at = after(10.0);
    store.write(&late);
    let now = store.reader.query_mk(after(10.0), &tag).expect("it can be read");
    assert_eq!(store.reader.query_mk(START, &tag).expect("it can be read"), now);
    let store = store.reopened();
    assert_eq!(store.reader.query_mk(START, &tag).expect("it can be read"), now);
}

#[test]
fn a_memory_from_the_future_is_made_now() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    let mut future = megram(1, &tag);
    future.created_at = after(400.0);
    store.writer.write(START, &future).expect("it is written");
    let stored = store.reader.get(future.id).expect("it can be read").expect("it is there");
    assert_eq!(stored.created_at, START);
    assert!((store.reader.query_mk(START, &tag).expect("it can be read").attention - 0.9).abs() < 1e-12);
}

#[test]
fn rules_do_not_enter_the_potentials() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.remember(&rule(1, &tag, -1.0));
    assert_eq!(store.reader.query_mk(START, &tag).expect("it can be read").attention, 0.0);
    let stats = store.reader.stats().expect("it can be counted");
    assert_eq!((stats.levels, stats.clusters, stats.next_due), ([0, 0, 1, 0], 0, None));
    store.verified();
}

#[test]
fn everything_survives_a_kill_and_a_torn_log_loses_whole_memories_only() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    for number in 0..40 {
        let mut one = megram(number, &tag);
        one.state = "refine".to_owned();
        one.created_at = Timestamp(START.0 + number as i64);
        store.write(&one);
    }
    let killed = Store::at(copy_of(store.folder.path()));
    assert_eq!(killed.verified().megrams, 40);
    let mut counts = Vec::new();
    for thousandths in [101, 303, 505, 707, 909] {
        let survivor = torn(&store, thousandths);
        let megrams = survivor.verified().megrams;
        let potentials = survivor.reader.query_mk(START, &tag).expect("it can be read");
        assert!((potentials.attention - 0.9 * megrams as f64).abs() < 1e-4, "{potentials:?} for {megrams}");
        counts.push(megrams);
    }
    assert!(counts.is_sorted() && counts[0] < counts[4] && counts[4] < 40, "{counts:?}");
}

#[test]
fn a_timeless_memory_keeps_its_cluster() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    let mut timeless = megram(1, &tag);
    timeless.k = Rate::Timeless;
    timeless.level = Level::K;
    store.write(&megram(2, &tag));
    store.write(&timeless);
    let report = store.maintenance.tick(START.plus_ms(4_000 * DAY)).expect("it ticks");
    assert!(report.forgotten.is_empty());
    assert_eq!(store.reader.stats().expect("it can be counted").next_due, None);
    assert_eq!(store.verified().megrams, 2);
}
