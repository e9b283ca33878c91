//! Potentials without a scan: one accumulator per (space, entity, k).
//!
//! Forward decay with a movable landmark (Cormode et al., 2009): an event at time t weighs e^(k(t−L)) when it is added,
//! and the whole sum is multiplied by e^(−k(T−L)) when it is read at T. Nothing has to be touched as time passes.
//! Landmarks move before a weight could overflow, and sums are compensated, so that the result equals the compensated
//! naive sum within 1e-9·max(1, M_att).

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, Potentials};
use artoo_types::rate::{Rate, days};
use uuid::Uuid;

use crate::potential::potentials;
use crate::sum::CompensatedSum;

/// The landmark moves when a new event lies further than this many e-folds after it. e^32 is about 8e13: far from
/// overflow (e^709), and rare enough that the rounding of the move does not add up.
const MAX_FOLDS: f64 = 32.0;

/// How many of the heaviest events each accumulator remembers by name: as many as a memory reply shows.
pub const HEAVIEST: usize = 3;

/// What an accumulator needs to know of a memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The memory.
    pub id: Uuid,
    /// When its decay begins: when it was made, of knowledge when it was last recalled.
    pub at: Timestamp,
    /// How fast it fades.
    pub rate: Rate,
    /// Magnitude f in [0, 1].
    pub f: f64,
    /// Valence σ in [−1, 1].
    pub sigma: f64,
}

impl Event {
    /// The event of a memory on level M or K. `None` for C and T, which potentials do not sum: one timeless rule would
    /// keep a cluster alive for ever.
    ///
    /// A recall resets the decay clock of knowledge, level K: what is used is kept. An event of level M keeps its own time, for
    /// looking at what happened does not make it happen again; else a failure that stands in the way of every plan would
    /// never fade, and evidence for a rule would be made of reading it.
    pub fn of(megram: &Megram) -> Option<Self> {
        match megram.level {
            Level::M | Level::K => Some(Self {
                id: megram.id,
                at: clock(megram),
                rate: megram.k,
                f: megram.f,
                sigma: megram.sigma,
            }),
            Level::C | Level::T => None,
        }
    }

    /// What it adds to M_attention and M_decision at `now`.
    pub fn weight(&self, now: Timestamp) -> (f64, f64) {
        let faded = self.rate.fade(days(self.at, now));
        (self.f.abs() * faded, self.sigma * self.f * faded)
    }

    /// Orders events of one rate by weight at any time, since all of them fade alike: ln f + k·t.
    fn rank(&self) -> f64 {
        self.f.abs().ln() + self.rate.per_day() * days(Timestamp(0), self.at)
    }

    fn heavier_first(&self, other: &Self) -> std::cmp::Ordering {
        let by_weight = other.rank().total_cmp(&self.rank());
        by_weight.then(other.at.cmp(&self.at)).then(self.id.cmp(&other.id))
    }
}

fn clock(megram: &Megram) -> Timestamp {
    let recalled = megram.last_recalled_at.filter(|_| megram.level == Level::K);
    recalled.map_or(megram.created_at, |at| at.max(megram.created_at))
}

/// The sums of one (space, entity, k).
#[derive(Debug, Clone, PartialEq)]
pub struct Bucket {
    pub(crate) rate: Rate,
    pub(crate) count: u64,
    pub(crate) landmark: Timestamp,
    pub(crate) newest: Timestamp,
    pub(crate) attention: CompensatedSum,
    pub(crate) decision: CompensatedSum,
    pub(crate) heaviest: Vec<Event>,
}

impl Bucket {
    /// An empty accumulator.
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            count: 0,
            landmark: Timestamp(0),
            newest: Timestamp(i64::MIN),
            attention: CompensatedSum::default(),
            decision: CompensatedSum::default(),
            heaviest: Vec::new(),
        }
    }

    /// How fast its events fade.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// How many events it sums.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// When its newest event was made; `None` when it is empty.
    pub fn newest(&self) -> Option<Timestamp> {
        (self.count > 0).then_some(self.newest)
    }

    /// Adds one event of this rate.
    pub fn add(&mut self, event: &Event) {
        self.add_unnamed(event);
        self.keep_heaviest(*event);
    }

    /// Adds one event of this rate without remembering it by name.
    fn add_unnamed(&mut self, event: &Event) {
        if self.count == 0 {
            self.landmark = event.at;
        } else if self.rate.per_day() * days(self.landmark, event.at) > MAX_FOLDS {
            self.rebase(event.at);
        }
        let weight = self.rate.fade(days(event.at, self.landmark));
        self.attention.add(event.f.abs() * weight);
        self.decision.add(event.sigma * event.f * weight);
        self.count += 1;
        self.newest = self.newest.max(event.at);
    }

    /// Adds everything that `other`, of the same rate, has summed. Associative and commutative up to rounding.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            self.clone_from(other);
            return;
        }
        let mut other = other.clone();
        let landmark = self.landmark.max(other.landmark);
        self.rebase(landmark);
        other.rebase(landmark);
        self.attention.add_sum(other.attention);
        self.decision.add_sum(other.decision);
        self.count += other.count;
        self.newest = self.newest.max(other.newest);
        for event in other.heaviest {
            self.keep_heaviest(event);
        }
    }

    /// M_attention and M_decision of this rate at `now`.
    pub fn query(&self, now: Timestamp) -> (f64, f64) {
        let faded = self.rate.fade(days(self.landmark, now));
        (self.attention.value() * faded, self.decision.value() * faded)
    }

    fn rebase(&mut self, landmark: Timestamp) {
        let factor = self.rate.fade(days(self.landmark, landmark));
        self.attention.scale(factor);
        self.decision.scale(factor);
        self.landmark = landmark;
    }

    fn keep_heaviest(&mut self, event: Event) {
        let at = self.heaviest.partition_point(|kept| kept.heavier_first(&event).is_lt());
        if at < HEAVIEST {
            self.heaviest.insert(at, event);
            self.heaviest.truncate(HEAVIEST);
        }
    }
}

/// All accumulators of one (space, entity), one per rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub(crate) buckets: [Bucket; Rate::ALL.len()],
}

impl Default for Cluster {
    fn default() -> Self {
        Self { buckets: Rate::ALL.map(Bucket::new) }
    }
}

impl Cluster {
    /// Adds one event.
    pub fn add(&mut self, event: &Event) {
        self.buckets[event.rate.index()].add(event);
    }

    /// Adds one event to the sums alone: [`Cluster::heaviest`] will not name it.
    pub fn add_unnamed(&mut self, event: &Event) {
        self.buckets[event.rate.index()].add_unnamed(event);
    }

    /// Adds everything that `other` has summed.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, more) in self.buckets.iter_mut().zip(&other.buckets) {
            bucket.merge(more);
        }
    }

    /// The accumulators, in the order of [`Rate::ALL`].
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// How many events it sums.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(Bucket::count).sum()
    }

    /// Whether it sums nothing; an empty cluster is not stored.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// M_attention, M_decision and their action at `now`. The cost does not depend on how many events there are.
    pub fn potentials(&self, now: Timestamp) -> Potentials {
        let parts = self.buckets.iter().filter(|bucket| bucket.count > 0).map(|bucket| bucket.query(now));
        let mut attention = CompensatedSum::default();
        let mut decision = CompensatedSum::default();
        for (a, d) in parts {
            attention.add(a);
            decision.add(d);
        }
        potentials(attention.value(), decision.value())
    }

    /// The events that weigh most at `now`, heaviest first, newest first among equals; at most [`HEAVIEST`].
    pub fn heaviest(&self, now: Timestamp) -> Vec<Event> {
        let mut events: Vec<Event> = self.buckets.iter().flat_map(|bucket| bucket.heaviest.clone()).collect();
        events.sort_by(|a, b| {
            let by_weight = b.weight(now).0.total_cmp(&a.weight(now).0);
            by_weight.then(b.at.cmp(&a.at)).then(a.id.cmp(&b.id))
        });
        events.truncate(HEAVIEST);
        events
    }
}

/// Sums from scratch. Deleting an event rebuilds its cluster from what is left: taking its weight off again would be
/// accurate absolutely but not relatively, and leave a ghost where nothing is.
impl FromIterator<Event> for Cluster {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut cluster = Self::default();
        for event in events {
            cluster.add(&event);
        }
        cluster
    }
}

/// The naive sum over all events with compensation: the oracle that accumulators are checked against.
pub fn naive<'a>(events: impl IntoIterator<Item = &'a Event>, now: Timestamp) -> Potentials {
    let mut attention = CompensatedSum::default();
    let mut decision = CompensatedSum::default();
    for event in events {
        let (a, d) = event.weight(now);
        attention.add(a);
        decision.add(d);
    }
    potentials(attention.value(), decision.value())
}

/// Whether two results for the same events agree: both channels within 1e-9·max(1, M_att).
pub fn agree(fast: Potentials, oracle: Potentials) -> bool {
    let tolerance = 1e-9 * oracle.attention.max(1.0);
    (fast.attention - oracle.attention).abs() <= tolerance
        && (fast.decision - oracle.decision).abs() <= tolerance
}

#[cfg(test)]
mod tests;
