use artoo_types::Timestamp;
use artoo_types::memory::MemoryAction;
use artoo_types::rate::Rate;
use proptest::prelude::*;

use super::{Cluster, Event, HEAVIEST, agree, naive};
use crate::fixture::{DAY, MATRIX, START, any_event, event, rule};
use crate::potential::action;

mod histories;

/// One thing that happens to a cluster.
#[derive(Debug, Clone)]
enum Happening {
    /// An event arrives, made this long before the present (a journal may deliver old ones).
    Write(Event, u64),
    /// One of the events, chosen by this number, is forgotten.
    Delete(usize),
    /// Time passes.
    Pass(u64),
}

fn happening() -> impl Strategy<Value = Happening> {
    let age = prop_oneof![4 => Just(0), 1 => 0..900 * DAY];
    prop_oneof![
        6 => (any_event(), age).prop_map(|(event, age)| Happening::Write(event, age)),
        1 => any::<usize>().prop_map(Happening::Delete),
        2 => (0..DAY).prop_map(Happening::Pass),
        1 => (0..800 * DAY).prop_map(Happening::Pass),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn sums_equal_the_naive_ones_after_any_interleaving(happenings in prop::collection::vec(happening(), 1..120)) {
        let mut now = START.plus_ms(900 * DAY);
        let mut events: Vec<Event> = Vec::new();
        let mut cluster = Cluster::default();
        for happening in happenings {
            match happening {
                Happening::Write(event, age) => {
                    let event = Event { at: Timestamp(now.0 - age as i64), ..event };
                    cluster.add(&event);
                    events.push(event);
                }
                Happening::Delete(choice) if !events.is_empty() => {
                    events.swap_remove(choice % events.len());
                    cluster = events.iter().copied().collect();
                }
                Happening::Delete(_) => {}
                Happening::Pass(ms) => now = now.plus_ms(ms),
            }
            let (fast, oracle) = (cluster.potentials(now), naive(&events, now));
            prop_assert!(agree(fast, oracle), "{fast:?} is not {oracle:?}");
            prop_assert_eq!(cluster.count(), events.len() as u64);
        }
    }

    #[test]
    fn merging_equals_adding(left in prop::collection::vec(any_event(), 0..40), right in prop::collection::vec(any_event(), 0..40)) {
        let now = START.plus_ms(4_400 * DAY);
        let mut merged: Cluster = left.iter().copied().collect();
        merged.merge(&right.iter().copied().collect());
        let mut swapped: Cluster = right.iter().copied().collect();
        swapped.merge(&left.iter().copied().collect());
        let all: Vec<Event> = left.into_iter().chain(right).collect();
        let oracle = naive(&all, now);
        prop_assert!(agree(merged.potentials(now), oracle));
        prop_assert!(agree(swapped.potentials(now), oracle));
        prop_assert_eq!(merged.count(), all.len() as u64);
        let ids = |cluster: &Cluster| cluster.heaviest(now).iter().map(|event| event.id).collect::<Vec<_>>();
        prop_assert_eq!(ids(&merged), ids(&swapped));
        prop_assert_eq!(ids(&merged), ids(&all.into_iter().collect()));
    }

    #[test]
    fn the_heaviest_are_those_of_a_full_scan(mut events in prop::collection::vec(any_event(), 0..60), later in 0..100 * DAY) {
        let now = START.plus_ms(4_400 * DAY + later);
        let cluster: Cluster = events.iter().copied().collect();
        events.sort_by(|a, b| b.weight(now).0.total_cmp(&a.weight(now).0));
        let heaviest = cluster.heaviest(now);
        prop_assert_eq!(heaviest.len(), events.len().min(HEAVIEST));
        for (found, expected) in heaviest.iter().zip(&events) {
            let (found, expected) = (found.weight(now).0, expected.weight(now).0);
            prop_assert!((found - expected).abs() <= 1e-9 * expected, "{found} is not {expected}");
        }
    }
}

#[test]
fn a_hundred_thousand_events_over_ten_years_stay_exact() {
    let mut cluster = Cluster::default();
    let mut events = Vec::new();
    for number in 0..100_000_u64 {
        let state = MATRIX[(number * 7 % 11 % 7) as usize].0;
        let event = event(u128::from(number), state, START.plus_ms(number * (3_650 * DAY / 100_000)));
        cluster.add(&event);
        events.push(event);
    }
    for later in [0, 1, 30, 400] {
        let now = START.plus_ms(3_650 * DAY + later * DAY);
        let (fast, oracle) = (cluster.potentials(now), naive(&events, now));
        assert!(agree(fast, oracle), "after {later} days {fast:?} is not {oracle:?}");
    }
}

#[test]
fn decaying_energy_of_one_event_follows_its_half_life() {
    for (rate, days) in [(Rate::Slow, 13.863), (Rate::Medium, 3.466), (Rate::Fast, 1.386)] {
        let event = Event { rate, f: 1.0, ..event(1, "accept", START) };
        let cluster: Cluster = [event].into_iter().collect();
        let half = cluster.potentials(START.plus_ms((days * DAY as f64) as u64)).attention;
        assert!((half - 0.5).abs() < 1e-3, "{rate:?}: {half}");
    }
}

#[test]
fn among_equals_the_newest_is_shown_first() {
    let events =
        [0, 1, 2, 3].map(|n| Event { rate: Rate::Timeless, ..event(n, "accept", START.plus_ms(n as u64)) });
    let cluster: Cluster = events.into_iter().collect();
    let ids: Vec<u128> = cluster.heaviest(START.plus_ms(9)).iter().map(|event| event.id.as_u128()).collect();
    assert_eq!(ids, [3, 2, 1]);
}

#[test]
fn rules_are_not_summed() {
    assert_eq!(Event::of(&rule(1, 0.9, 1.0)), None);
}

#[test]
fn the_four_actions_follow_their_thresholds() {
    let cases = [
        (0.499, 9.0, MemoryAction::Ignore),
        (0.5, 0.2, MemoryAction::Caution),
        (0.5, 0.2001, MemoryAction::Exploit),
        (0.5, -0.2, MemoryAction::Caution),
        (0.5, -0.2001, MemoryAction::Avoid),
        (5.0, 0.0, MemoryAction::Caution),
    ];
    for (attention, decision, expected) in cases {
        assert_eq!(action(attention, decision), expected, "for ({attention}, {decision})");
    }
}
