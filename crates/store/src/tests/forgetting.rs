use artoo_types::Timestamp;
use artoo_types::memory::Level;
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{START, Store, after, megram, rule, tool_tag, torn};
use crate::{TickReport, WriteOutcome};

fn tick(store: &mut Store, now: Timestamp) -> TickReport {
    let report = store.maintenance.tick(now).expect("it ticks");
    store.verified();
    report
}

#[test]
fn only_what_has_faded_is_forgotten() {
    let mut store = Store::new();
    let (old, fresh) = (tool_tag("/old"), tool_tag("/fresh"));
    store.write(&megram(1, &old));
    store.remember(&rule(2, &old, 1.0));
    store.write(&megram(3, &fresh));
    let mut later = megram(4, &fresh);
    later.created_at = after(20.0);
    store.write(&later);
    assert!(tick(&mut store, after(43.0)).forgotten.is_empty());
    let report = tick(&mut store, after(44.5));
    assert_eq!(
        report.forgotten.iter().map(|swept| (&swept.tag, swept.count)).collect::<Vec<_>>(),
        [(&old, 1)]
    );
    assert_eq!(report.postponed, 1);
    let left = |id| store.reader.get(Uuid::from_u128(id)).expect("it reads").is_some();
    assert_eq!([1, 2, 3, 4].map(left), [false, true, true, true]);
    assert_eq!(tick(&mut store, after(90.0)).forgotten.len(), 1);
    assert_eq!(store.reader.stats().expect("it counts").clusters, 0);
}

#[test]
fn an_idle_tick_writes_nothing() {
    let mut store = Store::new();
    store.write(&megram(1, &tool_tag("/tmp")));
    store.remember(&rule(2, &tool_tag("/tmp"), 1.0));
    let before = store.open().disk.changes();
    for minutes in 0..20 {
        store.maintenance.tick(START.plus_ms(minutes * 300_000)).expect("it ticks");
    }
    assert_eq!(store.open().disk.changes(), before);
}

#[test]
fn a_large_cluster_goes_as_a_whole() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    for number in 0..1_103 {
        let mut one = megram(number, &tag);
        (one.f, one.k) = (0.1, Rate::Fast);
        one.state = "refine".to_owned();
        store.write(&one);
    }
    let report = tick(&mut store, after(60.0));
    assert_eq!(report.forgotten[0].count, 1_103);
    assert_eq!(store.reader.stats().expect("it counts").levels, [0; 4]);
    // After a crash in between, the accumulators fit what is left, and the next tick ends the work.
    let mut left = std::collections::BTreeSet::new();
    for thousandths in (840..=1_000).step_by(8) {
        let mut survivor = torn(&store, thousandths);
        left.insert(survivor.verified().megrams);
        tick(&mut survivor, after(60.0));
        assert_eq!(survivor.verified().megrams, 0);
    }
    assert!(left.contains(&500) && left.contains(&1_000), "{left:?}");
}

#[test]
fn one_tick_is_bounded_and_says_that_there_is_more() {
    let mut store = Store::new();
    for number in 0..1_100 {
        let mut one = megram(number, &tool_tag(&format!("/{number}")));
        one.state = "change_path".to_owned();
        store.write(&one);
    }
    let report = tick(&mut store, after(50.0));
    assert!(report.more);
    let rest = tick(&mut store, after(50.0));
    assert_eq!(report.forgotten.len() + rest.forgotten.len(), 1_100);
    assert!(!rest.more);
}

#[test]
fn forgetting_waits_while_the_clock_lies_behind() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.write(&megram(1, &tag));
    let mut late = megram(2, &tool_tag("/late"));
    late.created_at = after(100.0);
    store.write(&late);
    let report = tick(&mut store, after(50.0));
    assert!(report.held_behind_ms.is_some() && report.forgotten.is_empty());
    assert_eq!(tick(&mut store, after(100.0)).forgotten.len(), 1);
}

#[test]
fn a_rule_falls_before_contrary_evidence_and_stays_down() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    for (id, sigma) in [(1, -1.0), (2, 1.0)] {
        store.remember(&rule(id, &tag, sigma));
    }
    let mut against = megram(3, &tag);
    (against.f, against.sigma) = (0.95, -1.0);
    store.write(&against);
    let report = tick(&mut store, START);
    let [fallen] = &report.demoted[..] else { panic!("{report:?}") };
    assert_eq!((fallen.rule, &fallen.tag), (Uuid::from_u128(2), &tag));
    let into = store.reader.get(fallen.into).expect("it reads").expect("it is there");
    assert_eq!((into.level, into.k, into.created_at), (Level::K, Rate::Slow, START));
    assert_eq!((into.parents, into.content), (vec![fallen.rule], "rule 2".to_owned()));
    let left = store.reader.query_c(START, &tag).expect("it reads");
    assert_eq!(left.iter().map(|rule| rule.sigma).collect::<Vec<_>>(), [-1.0]);
    let decision = store.reader.query_mk(START, &tag).expect("it reads").decision;
    assert!((decision - (0.9 - 0.95)).abs() < 1e-12);
    assert!(tick(&mut store, after(0.1)).demoted.is_empty());
    let again = store.writer.remember(after(0.2), &rule(2, &tag, 1.0)).expect("it is refused politely");
    assert_eq!(again, WriteOutcome::Buried);
}

#[test]
fn a_law_never_falls() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    let mut law = rule(1, &tag, 1.0);
    law.level = Level::T;
    store.remember(&law);
    for number in 2..9 {
        let mut against = megram(number, &tag);
        against.sigma = -1.0;
        store.write(&against);
    }
    assert!(tick(&mut store, START).demoted.is_empty());
}

/// Whether any file of the store holds `text`, as it is or inside a log.
fn on_disk(store: &Store, text: &str) -> bool {
    let files = std::fs::read_dir(store.folder.path()).expect("the folder reads").flatten();
    files
        .filter_map(|file| std::fs::read(file.path()).ok())
        .any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[test]
fn what_the_operator_forgets_is_gone_from_the_files_and_stays_away() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    // Digits in no order do not compress, so that they lie in the files as they are.
    let secret = "85f1c07e9b3d2a64";
    let mut one = megram(1, &tag);
    one.content = secret.to_owned();
    store.write(&one);
    store.write(&megram(2, &tag));
    store.open().disk.erase(crate::disk::Family::Truth, b"", &[0xFF]).expect("it is put into a file");
    assert!(on_disk(&store, secret));
    assert_eq!(store.forget(after(1.0), &[one.id]), 1);
    assert!(!on_disk(&store, secret));
    assert_eq!(store.writer.write(after(2.0), &one).expect("it stays away"), WriteOutcome::Buried);
    assert_eq!(store.forget(after(2.0), &[one.id]), 0);
    let mut store = store.reopened();
    assert_eq!(store.writer.write(after(2.0), &one).expect("it stays away"), WriteOutcome::Buried);
    assert_eq!(store.verified().megrams, 1);
    assert!((store.reader.query_mk(START, &tag).expect("it reads").attention - 0.9).abs() < 0.2);
}

#[test]
fn a_whole_tag_can_be_forgotten() {
    let mut store = Store::new();
    let (tag, other) = (Tag::intent("find files"), Tag::intent("find"));
    store.write(&megram(1, &tag));
    store.remember(&rule(2, &tag, 1.0));
    store.write(&megram(3, &other));
    assert_eq!(store.forget_tag(after(1.0), &tag), 2);
    assert_eq!(store.verified().megrams, 1);
    for again in [megram(1, &tag), rule(2, &tag, 1.0)] {
        assert_eq!(store.writer.remember(after(1.0), &again).expect("it stays away"), WriteOutcome::Buried);
    }
}
