//! Everything that is summed about one (space, entity), so that no decision has to read its memories again.
//!
//! Nobody searches the memory for what rises or falls: the record holds what is newer than each of its rules too, it is written in
//! the batch that writes the memory, and two indexes say when to look at it again. `artoo memory verify` holds all of it against
//! the memories.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, Potentials, state};
use uuid::Uuid;

use crate::accumulator::{Cluster, Event};
use crate::hypothesis::is_hypothesis;
use crate::priority;
use crate::sign::Sign;

/// The start of a window that everything is newer than.
pub const ALWAYS: Timestamp = Timestamp(i64::MIN);

/// Sums of the evidence that is newer than a moment: E(s0, T) of any T, at the cost of one accumulator.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceWindow {
    /// s0; what was made at this very moment is not newer.
    pub since: Timestamp,
    /// The evidence since then, without names.
    pub sums: Cluster,
}

impl EvidenceWindow {
    /// An empty window.
    pub fn since(since: Timestamp) -> Self {
        Self { since, sums: Cluster::default() }
    }

    fn take(&mut self, event: &Event) {
        if event.at > self.since {
            self.sums.add_unnamed(event);
        }
    }
}

/// A rule on level C with the evidence that is newer than it.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleWindow {
    /// The rule.
    pub rule: Uuid,
    /// Whether it is for or against.
    pub sign: Sign,
    /// What is newer than it.
    pub newer: EvidenceWindow,
}

/// Under which times the indexes hold a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexTimes {
    /// When to look whether it is to be forgotten; `None`: never.
    pub due: Option<Timestamp>,
    /// When to look whether its evidence has become a rule; `None`: not before more is written.
    pub ripe: Option<Timestamp>,
}

/// The sums of one (space, entity).
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterRecord {
    /// Experience: levels M and K without hypotheses. Potentials come from it.
    pub cluster: Cluster,
    /// Hypotheses that no outcome has settled.
    pub proposed: Cluster,
    /// The evidence that may become a new rule: what is newer than the last time a rule of this tag was distilled, fell or
    /// was forgotten.
    pub fresh: EvidenceWindow,
    /// Every rule on level C of the tag.
    pub rules: Vec<RuleWindow>,
    /// Where the indexes hold it.
    pub filed: IndexTimes,
}

impl Default for ClusterRecord {
    fn default() -> Self {
        Self::born(ALWAYS, &[])
    }
}

impl ClusterRecord {
    /// The record of a tag without experience: `since` is when its evidence begins to count, and `rules` are its rules,
    /// of which those on level C are kept.
    pub fn born<'a>(since: Timestamp, rules: impl IntoIterator<Item = &'a Megram>) -> Self {
        let rules = rules.into_iter().filter(|rule| rule.level == Level::C).map(|rule| RuleWindow {
            rule: rule.id,
            sign: Sign::of(rule.sigma),
            newer: EvidenceWindow::since(rule.created_at),
        });
        Self {
            cluster: Cluster::default(),
            proposed: Cluster::default(),
            fresh: EvidenceWindow::since(since),
            rules: rules.collect(),
            filed: IndexTimes::default(),
        }
    }

    /// Sums one memory; rules are not summed.
    pub fn take(&mut self, megram: &Megram) {
        let Some(event) = Event::of(megram) else { return };
        if is_hypothesis(megram) {
            return self.proposed.add(&event);
        }
        self.cluster.add(&event);
        if is_evidence(megram) {
            // What a recall keeps alive is no newer evidence.
            let made = Event { at: megram.created_at, ..event };
            self.fresh.take(&made);
            self.rules.iter_mut().for_each(|rule| rule.newer.take(&made));
        }
    }

    /// Whether nothing is summed; such a record is not stored.
    pub fn is_empty(&self) -> bool {
        self.cluster.is_empty() && self.proposed.is_empty()
    }

    /// Everything that fades, hypotheses included: they are forgotten together.
    pub fn all(&self) -> Cluster {
        let mut all = self.cluster.clone();
        all.merge(&self.proposed);
        all
    }

    /// M_attention, M_decision and their action at `now`, over levels M and K without hypotheses.
    pub fn potentials(&self, now: Timestamp) -> Potentials {
        self.cluster.potentials(now)
    }

    /// Whether newer evidence contradicts a rule on level C of this tag; see [`priority::overwritten`].
    pub fn overwrites(&self, rule: Uuid, now: Timestamp) -> bool {
        self.rules.iter().filter(|window| window.rule == rule).any(|window| {
            priority::overwritten(Level::C, window.sign.value(), window.newer.sums.potentials(now))
        })
    }
}

/// Whether a memory counts towards a rule: something that happened to artoo itself, in a task that no stranger's text had
/// touched. What was said, thought or derived is heard, and proves nothing.
pub fn is_evidence(megram: &Megram) -> bool {
    match megram.level {
        Level::M | Level::K => !megram.tainted && state::is_evidence(&megram.state),
        Level::C | Level::T => false,
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::memory::{Level, Megram, state};
    use uuid::Uuid;

    use super::{ALWAYS, ClusterRecord};
    use crate::filing::{file, refile};
    use crate::fixture::{DAY, START, megram, rule};

    fn at(number: u128, state: &str, days: u64) -> Megram {
        megram(number, state, START.plus_ms(days * DAY))
    }

    /// Whether a rule for something, made on day 5, is overwritten on day 10 by these memories.
    fn check(memories: &[Megram]) -> bool {
        let standing = Megram { created_at: START.plus_ms(5 * DAY), ..rule(99, 0.9, 1.0) };
        let mut record = ClusterRecord::born(ALWAYS, [&standing]);
        memories.iter().for_each(|megram| record.take(megram));
        record.overwrites(standing.id, START.plus_ms(10 * DAY))
    }

    #[test]
    fn only_newer_evidence_overwrites_a_rule() {
        assert!(!check(&[]));
        assert!(
            !check(&[at(1, "abandon", 4), at(2, "abandon", 5)]),
            "older than the rule, or of its own moment"
        );
        assert!(check(&[at(1, "abandon", 6)]));
        assert!(!check(&[at(1, "abandon", 6), at(2, "accept", 6)]), "the newer evidence is ambivalent");
        let older: Vec<Megram> = (10..30).map(|number| at(number, "accept", 1)).collect();
        assert!(check(&[older, vec![at(1, "abandon", 6)]].concat()), "what made the rule does not defend it");
    }

    #[test]
    fn a_stranger_cannot_overwrite_a_rule() {
        let tainted = Megram { tainted: true, ..at(1, "abandon", 6) };
        let said = Megram { state: state::REFLECTION.to_owned(), ..at(2, "abandon", 6) };
        assert!(!check(&[tainted, said]));
    }

    #[test]
    fn a_recall_resets_the_clock_of_knowledge_and_of_nothing_else() {
        let recalled = |level: Level| Megram {
            level,
            last_recalled_at: Some(START.plus_ms(20 * DAY)),
            ..at(1, "accept", 0)
        };
        let attention = |megram: &Megram, days: u64| {
            let mut record = ClusterRecord::default();
            record.take(megram);
            record.potentials(START.plus_ms(days * DAY)).attention
        };
        let untouched = at(1, "accept", 0);
        assert_eq!(attention(&recalled(Level::M), 30), attention(&untouched, 30));
        assert_eq!(attention(&recalled(Level::K), 30), attention(&untouched, 10));
        let mut record = ClusterRecord::born(START.plus_ms(5 * DAY), []);
        record.take(&recalled(Level::K));
        assert!(record.fresh.sums.is_empty(), "what is recalled is no newer evidence");
    }

    #[test]
    fn another_rule_is_not_meant() {
        let record = ClusterRecord::born(ALWAYS, [&rule(99, 0.9, 1.0)]);
        assert!(!record.overwrites(Uuid::from_u128(98), START));
    }

    #[test]
    fn a_record_of_rules_alone_is_empty() {
        assert!(ClusterRecord::born(START, [&rule(99, 0.9, 1.0)]).is_empty());
    }

    #[test]
    fn more_experience_leaves_the_place_in_the_expiry_index_behind() {
        let mut record = ClusterRecord::default();
        record.take(&at(1, "accept", 0));
        refile(&mut record, START, true);
        let first = record.filed.due;
        record.take(&at(2, "accept", 9));
        refile(&mut record, START.plus_ms(9 * DAY), false);
        assert_eq!(record.filed.due, first);
        file(&mut record, START.plus_ms(9 * DAY));
        assert!(record.filed.due > first);
    }
}
