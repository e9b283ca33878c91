use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use uuid::Uuid;

use super::{START, Store, after, megram, rule, tool_tag};
use crate::Outlook;

fn outlook(store: &Store) -> Outlook {
    store.reader.outlook(START).expect("it looks ahead")
}

#[test]
fn an_empty_memory_has_no_outlook() {
    assert_eq!(outlook(&Store::new()), Outlook::default());
}

#[test]
fn levels_are_counted_and_weighed() {
    let mut store = Store::new();
    store.write(&megram(1, &tool_tag("/a")));
    store.write(&megram(2, &tool_tag("/a")));
    store.write(&Megram { level: Level::K, ..megram(3, &tool_tag("/b")) });
    store.remember(&rule(4, &tool_tag("/a"), 1.0));
    store.remember(&Megram { level: Level::T, f: 1.0, ..rule(5, &tool_tag("/c"), 1.0) });
    let Outlook { experience, rules, laws, more, .. } = outlook(&store);
    assert_eq!([experience.count, rules.count, laws.count], [2, 1, 1]);
    assert!((experience.energy - 2.7).abs() < 1e-9);
    assert_eq!((rules.energy, laws.energy, more), (0.9, 1.0, false));
}

#[test]
fn what_is_forgotten_next_comes_first_and_when() {
    let mut store = Store::new();
    for (number, place, days) in [(1, "/late", 3.0), (2, "/soon", 0.0), (3, "/later", 5.0)] {
        store.write(&Megram { created_at: after(days), ..megram(number, &tool_tag(place)) });
    }
    store.write(&Megram { k: Rate::Timeless, ..megram(4, &tool_tag("/for ever")) });
    let next = outlook(&store).forgotten_next;
    let places: Vec<&str> = next.iter().map(|falling| falling.tag.entity.as_str()).collect();
    assert_eq!(places, ["path:/soon", "path:/late", "path:/later"]);
    let at = next[0].at;
    assert!(
        store.maintenance.tick(artoo_types::Timestamp(at.0 - 60_000)).expect("it ticks").forgotten.is_empty()
    );
    let swept = store.maintenance.tick(at.plus_ms(60_000)).expect("it ticks").forgotten;
    assert_eq!(swept[0].tag, next[0].tag);
}

#[test]
fn rules_near_their_fall_are_told() {
    let mut store = Store::new();
    let standing = |number, place: &str, sigma, evidence: &[f64]| {
        let mut memories = vec![rule(number, &tool_tag(place), sigma)];
        for (more, valence) in (1..).zip(evidence) {
            memories.push(Megram { sigma: *valence, f: 0.5, ..megram(number + more, &tool_tag(place)) });
        }
        memories
    };
    let all = [
        standing(10, "/alone", 1.0, &[]),
        standing(20, "/safe", 1.0, &[1.0]),
        standing(30, "/near", 1.0, &[-1.0]),
        standing(40, "/against", -1.0, &[1.0]),
        standing(50, "/fallen", 1.0, &[-1.0, -1.0]),
    ];
    for memory in all.concat() {
        store.remember(&memory);
    }
    store.remember(&Megram { f: 0.2, ..rule(60, &tool_tag("/weak and undisputed"), 1.0) });
    let told: Vec<(u128, bool)> = outlook(&store)
        .in_danger
        .iter()
        .map(|danger| (danger.rule.id.as_u128(), danger.falls_at == Some(START)))
        .collect();
    assert_eq!(told, [(50, true), (30, false), (40, false)]);
}

#[test]
fn a_fall_by_fading_alone_is_foretold() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.remember(&rule(1, &tag, 1.0));
    store.write(&Megram { sigma: -1.0, f: 0.65, ..megram(2, &tag) });
    store.write(&Megram { sigma: -1.0, f: 0.65, ..megram(3, &tag) });
    store.write(&Megram { sigma: 1.0, f: 0.5, k: Rate::Fast, ..megram(4, &tag) });
    let [danger] = &outlook(&store).in_danger[..] else { panic!("one is in danger") };
    assert_eq!(danger.rule.id, Uuid::from_u128(1));
    let at = danger.falls_at.expect("what helps it fades faster");
    let before = artoo_types::Timestamp(at.0 - 120_000);
    assert_eq!(store.maintenance.tick(before).expect("it ticks").demoted, []);
    assert_eq!(store.maintenance.tick(at).expect("it ticks").demoted.len(), 1);
}

#[test]
fn what_rises_next_is_told() {
    let mut store = Store::new();
    (1..=6).for_each(|number| store.write(&megram(number, &tool_tag("/ripe"))));
    (11..=15).for_each(|number| store.write(&megram(number, &tool_tag("/few"))));
    let rising = outlook(&store).rising_next;
    assert_eq!(rising.iter().map(|rising| rising.at).collect::<Vec<_>>(), [START]);
    assert_eq!(rising[0].tag, tool_tag("/ripe"));
}
