//! Whole lives of a cluster: writes, deletions, a clock that is set forward and back, restarts, and the Dreamer at work,
//! held against a plain list of events. `ARTOO_MEMORY_HISTORIES` sets how many (`make histories`: 100,000); proptest
//! shrinks a failure to the shortest history and prints it.

use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::rate::Rate;
use proptest::prelude::*;

use crate::accumulator::{Cluster, Event, agree, naive};
use crate::admission::{Author, admit};
use crate::clock::{HighWater, STEP_BACK_MS};
use crate::dreamer::{DreamerAction, DueCluster, decide};
use crate::expiry::{FORGET_BELOW, expires_at};
use crate::filing::{file, refile};
use crate::fixture::{DAY, START, any_event, event, megram};
use crate::record::ClusterRecord;

/// Histories of a short run: some seconds.
const HISTORIES: u32 = 1_500;

/// One thing that happens.
#[derive(Debug, Clone)]
enum Happening {
    /// A memory arrives that claims to be this many milliseconds old; a negative age lies in the future.
    Write(Event, i64),
    /// One of the memories, chosen by this number, is forgotten.
    Delete(usize),
    /// The wall clock moves by so many milliseconds, also back.
    Clock(i64),
    /// The process ends and another one starts: only bytes are left.
    Restart,
    /// The Dreamer looks.
    Dream,
}

fn happening() -> impl Strategy<Value = Happening> {
    let day = DAY as i64;
    let age = prop_oneof![5 => Just(0), 2 => 0..900 * day, 1 => -30 * day..0];
    prop_oneof![
        6 => (any_event(), age).prop_map(|(event, age)| Happening::Write(event, age)),
        1 => any::<usize>().prop_map(Happening::Delete),
        2 => (0..day).prop_map(Happening::Clock),
        1 => (0..800 * day).prop_map(Happening::Clock),
        1 => (-40 * day..0).prop_map(Happening::Clock),
        1 => Just(Happening::Restart),
        1 => Just(Happening::Dream),
    ]
}

/// A cluster as the store keeps it, and the list that it must equal.
struct Life {
    wall: Timestamp,
    high_water: HighWater,
    record: ClusterRecord,
    megrams: Vec<Megram>,
    events: Vec<Event>,
}

impl Life {
    fn new() -> Self {
        let wall = START.plus_ms(900 * DAY);
        let (high_water, record) = (HighWater::default(), ClusterRecord::default());
        Self { wall, high_water, record, megrams: Vec::new(), events: Vec::new() }
    }

    fn now(&self) -> Timestamp {
        self.high_water.effective(self.wall)
    }

    fn acted(&mut self) {
        self.high_water = self.high_water.advanced(self.wall);
    }

    fn live(&mut self, happening: &Happening) {
        match happening {
            Happening::Write(event, age) => self.write(event, *age),
            Happening::Delete(choice) if !self.events.is_empty() => {
                let at = choice % self.events.len();
                self.events.swap_remove(at);
                self.megrams.swap_remove(at);
                self.record = ClusterRecord::default();
                self.megrams.iter().for_each(|left| self.record.take(left));
                let now = self.now();
                file(&mut self.record, now);
                self.acted();
            }
            Happening::Delete(_) => {}
            Happening::Clock(by) => self.wall = Timestamp(self.wall.0.saturating_add(*by)),
            Happening::Restart => {
                let bytes = self.record.encode();
                self.record = ClusterRecord::decode(&bytes).expect("what was encoded can be read");
            }
            Happening::Dream => self.dream(),
        }
    }

    /// As the store does it: admitted at the effective time, and filed for expiry when the cluster is born.
    fn write(&mut self, event: &Event, age: i64) {
        let (f, sigma, k) = (event.f, event.sigma, event.rate);
        let created_at = Timestamp(self.wall.0 - age);
        let written = Megram { id: event.id, f, sigma, k, created_at, ..megram(0, "accept", START) };
        let admitted = admit(&written, Author::Controller, self.now()).expect("it keeps the rules");
        let event = Event::of(&admitted).expect("experience is summed");
        let newborn = self.record.is_empty();
        self.record.take(&admitted);
        let now = self.now();
        refile(&mut self.record, now, newborn);
        self.events.push(event);
        self.megrams.push(admitted);
        self.acted();
    }

    fn dream(&mut self) {
        let held = self.high_water.stepped_back_ms(self.wall);
        assert_eq!(held.is_some(), self.high_water.0.since_ms(self.wall) > STEP_BACK_MS);
        let (now, due) = (self.now(), self.record.filed.due);
        if held.is_some() || self.events.is_empty() || due.is_none_or(|due| due > now) {
            return;
        }
        let looked_at =
            DueCluster { tag: megram(0, "accept", START).tag, cluster: self.record.cluster.clone() };
        for action in decide(now, &[looked_at], &[]) {
            match action {
                DreamerAction::Forget { .. } => {
                    assert!(naive(&self.events, now).attention < FORGET_BELOW + 1e-9, "it was alive");
                    assert!(self.events.iter().all(|event| resided(event, now)), "it was too young");
                    self.events.clear();
                    self.megrams.clear();
                    self.record = ClusterRecord::default();
                }
                DreamerAction::Postpone { due, .. } => self.record.filed.due = due,
                DreamerAction::Demote { .. } => unreachable!("no rule was shown"),
            }
            self.acted();
        }
    }
}

fn resided(event: &Event, now: Timestamp) -> bool {
    event.rate.residency_ms().is_some_and(|ms| event.at.plus_ms(ms) <= now)
}

fn check(happenings: &[Happening]) -> Result<(), TestCaseError> {
    let mut life = Life::new();
    let mut latest = life.now();
    for happening in happenings {
        life.live(happening);
        let now = life.now();
        prop_assert!(now >= life.high_water.0, "time ran back");
        latest = latest.max(now);
        for later in [now, now.plus_ms(DAY / 3), latest.plus_ms(400 * DAY)] {
            let (fast, oracle) = (life.record.cluster.potentials(later), naive(&life.events, later));
            prop_assert!(agree(fast, oracle), "{fast:?} is not {oracle:?}");
        }
        prop_assert_eq!(life.record.cluster.count(), life.events.len() as u64);
        let filed_late = match (life.record.filed.due, expires_at(&life.record.cluster)) {
            (_, None) => false,
            (None, Some(_)) => !life.events.is_empty(),
            // Looked at again a second later where rounding made it due a moment too early.
            (Some(due), Some(at)) => due > at.max(now).plus_ms(1_001),
        };
        prop_assert!(!filed_late, "{:?} would be forgotten too late", life.record.filed.due);
    }
    Ok(())
}

fn histories() -> u32 {
    match std::env::var("ARTOO_MEMORY_HISTORIES") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("ARTOO_MEMORY_HISTORIES={text} is no number")),
        Err(_) => HISTORIES,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(histories()))]

    #[test]
    fn sums_equal_a_plain_list_through_any_history(happenings in prop::collection::vec(happening(), 1..100)) {
        check(&happenings)?;
    }
}

/// An event an hour for ten years, in every bucket in turn.
fn ten_years(rates: &[Rate]) -> Vec<Event> {
    let hours = 3_650 * 24;
    (0..hours)
        .map(|hour| {
            let rate = rates[(hour % rates.len() as u64) as usize];
            let sigma = [1.0, -1.0, 0.5][(hour % 3) as usize];
            let f = 0.05 + 0.95 * (hour * 7 % 101) as f64 / 100.0;
            Event { rate, f, sigma, ..event(u128::from(hour), "accept", START.plus_ms(hour * DAY / 24)) }
        })
        .collect()
}

#[test]
fn ten_years_in_every_bucket_neither_overflow_nor_drift() {
    let events = ten_years(&Rate::ALL);
    let mut cluster = Cluster::default();
    for (number, event) in events.iter().enumerate() {
        cluster.add(event);
        // Twice a month, through bytes as a restart would.
        if number % 365 == 0 {
            let record = ClusterRecord { cluster, ..ClusterRecord::default() };
            cluster = ClusterRecord::decode(&record.encode()).expect("every sum is a number").cluster;
            let (fast, oracle) = (cluster.potentials(event.at), naive(&events[..=number], event.at));
            assert!(agree(fast, oracle), "after {number} hours {fast:?} is not {oracle:?}");
        }
    }
    for bucket in cluster.buckets() {
        let of_rate: Vec<Event> =
            events.iter().copied().filter(|event| event.rate == bucket.rate()).collect();
        let now = START.plus_ms(3_650 * DAY);
        let alone: Cluster = of_rate.iter().copied().collect();
        assert_eq!(bucket.count(), of_rate.len() as u64);
        assert_eq!(bucket.query(now), alone.buckets()[bucket.rate().index()].query(now));
        assert!(agree(alone.potentials(now), naive(&of_rate, now)), "{:?}", bucket.rate());
    }
    assert_eq!(expires_at(&cluster), None, "the timeless ones stay");
}

/// The first millisecond at which a list of fading events may be forgotten, found by halving.
fn expiry_by_halving(events: &[Event]) -> Timestamp {
    let over = |at: Timestamp| {
        naive(events, at).attention < FORGET_BELOW && events.iter().all(|event| resided(event, at))
    };
    let newest = events.iter().map(|event| event.at).max().expect("there are events");
    let (mut early, mut late) = (newest.0, newest.plus_ms(3_650 * DAY).0);
    assert!(over(Timestamp(late)), "ten more years are enough for any of them");
    while early < late {
        let middle = early.midpoint(late);
        if over(Timestamp(middle)) { late = middle } else { early = middle + 1 }
    }
    Timestamp(late)
}

#[test]
fn after_ten_years_expiry_times_are_still_right() {
    let fading = [Rate::Slow, Rate::Medium, Rate::Fast];
    let mixes: [&[Rate]; 7] = [
        &fading,
        &fading[..2],
        &fading[1..],
        &[Rate::Slow, Rate::Fast],
        &fading[..1],
        &fading[1..2],
        &fading[2..],
    ];
    for rates in mixes {
        let events = ten_years(rates);
        let cluster: Cluster = events.iter().copied().collect();
        let (computed, found) = (expires_at(&cluster).expect("all of it fades"), expiry_by_halving(&events));
        assert!((computed.0 - found.0).abs() <= 2, "{rates:?}: {computed:?} is not {found:?}");
    }
}
