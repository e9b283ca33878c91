//! What the Dreamer does on its way down: forgetting and Trust Bankruptcy, as decisions without effects.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::accumulator::Cluster;
use crate::expiry::{FORGET_BELOW, expires_at};
use crate::trust;

/// A due cluster whose M_attention is not below the bound by the last unit of rounding is looked at again after this
/// long, in milliseconds, so that looking always moves its time on.
const LOOK_AGAIN_MS: u64 = 1_000;

/// A cluster that the expiry index says is due.
#[derive(Debug, Clone, PartialEq)]
pub struct DueCluster {
    /// Its tag.
    pub tag: Tag,
    /// Its sums.
    pub cluster: Cluster,
}

/// A rule on level C with the evidence about its own (space, entity).
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The rule.
    pub megram: Megram,
    /// M_decision of its tag over levels M and K, now.
    pub decision: f64,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum DreamerAction {
    /// Delete every memory of levels M and K of this cluster, with its accumulators. Rules stay.
    Forget {
        /// The cluster.
        tag: Tag,
    },
    /// The cluster lives on; file it under its new time, or take it out of the index when there is none.
    Postpone {
        /// The cluster.
        tag: Tag,
        /// When to look again.
        due: Option<Timestamp>,
    },
    /// Bury the rule and write what it becomes, in one batch.
    Demote {
        /// The rule.
        rule: Uuid,
        /// What it becomes.
        into: Box<Megram>,
    },
}

/// What to do at `now` about clusters that are due and about rules. The index is lazy: a cluster that was written to
/// after it was filed is postponed here. Rules that stand cause no action.
pub fn decide(now: Timestamp, due: &[DueCluster], rules: &[Rule]) -> Vec<DreamerAction> {
    let clusters = due.iter().map(|due| fate(now, due));
    let fallen = rules.iter().filter(|rule| falls(rule)).map(|rule| DreamerAction::Demote {
        rule: rule.megram.id,
        into: Box::new(trust::demoted(&rule.megram, now)),
    });
    clusters.chain(fallen).collect()
}

fn fate(now: Timestamp, due: &DueCluster) -> DreamerAction {
    let tag = due.tag.clone();
    match expires_at(&due.cluster) {
        Some(at) if at <= now && due.cluster.potentials(now).attention < FORGET_BELOW => {
            DreamerAction::Forget { tag }
        }
        Some(at) => DreamerAction::Postpone { tag, due: Some(at.max(now.plus_ms(LOOK_AGAIN_MS))) },
        None if due.cluster.is_empty() => DreamerAction::Forget { tag },
        None => DreamerAction::Postpone { tag, due: None },
    }
}

fn falls(rule: &Rule) -> bool {
    match rule.megram.level {
        Level::C => trust::bankrupt(rule.megram.f, rule.megram.sigma, rule.decision),
        Level::M | Level::K | Level::T => false,
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::Timestamp;
    use artoo_types::memory::{Level, Megram};
    use artoo_types::rate::Rate;

    use super::{DreamerAction, DueCluster, Rule, decide};
    use crate::accumulator::{Cluster, Event};
    use crate::expiry::expires_at;
    use crate::fixture::{DAY, START, event, megram, rule};
    use crate::trust::{bankrupt, demoted};

    fn due(events: &[Event]) -> DueCluster {
        DueCluster { tag: megram(1, "accept", START).tag, cluster: events.iter().copied().collect() }
    }

    /// What is decided about a cluster of `events` `days` after the start.
    fn check(events: &[Event], days: f64) -> DreamerAction {
        let now = START.plus_ms((days * DAY as f64) as u64);
        let mut actions = decide(now, &[due(events)], &[]);
        assert_eq!(actions.len(), 1);
        actions.remove(0)
    }

    #[test]
    fn a_cluster_is_forgotten_when_it_has_faded_and_stayed() {
        let refine = [event(1, "refine", START)];
        assert!(matches!(check(&refine, 1.38), DreamerAction::Postpone { due: Some(_), .. }));
        assert!(matches!(check(&refine, 1.39), DreamerAction::Forget { .. }));
        let abandon = [event(1, "abandon", START)];
        assert!(matches!(check(&abandon, 44.9), DreamerAction::Postpone { due: Some(_), .. }));
        assert!(matches!(check(&abandon, 45.1), DreamerAction::Forget { .. }));
    }

    #[test]
    fn a_cluster_with_a_fresh_event_is_postponed_to_its_new_time() {
        let events = [event(1, "accept", START), event(2, "accept", START.plus_ms(40 * DAY))];
        let expected = expires_at(&events.into_iter().collect::<Cluster>());
        let DreamerAction::Postpone { due, .. } = check(&events, 44.0) else { panic!("it lives on") };
        assert_eq!(due, expected);
    }

    #[test]
    fn fifty_small_events_of_one_moment_stay_for_their_residency() {
        let events: Vec<Event> = (0..50).map(|n| event(n, "refine", START)).collect();
        assert!(matches!(check(&events, 1.0), DreamerAction::Postpone { .. }));
    }

    #[test]
    fn looking_always_moves_the_time_on() {
        let cluster = due(&[event(1, "accept", START)]);
        let at = expires_at(&cluster.cluster).expect("it fades");
        for offset in -3..=3 {
            let now = Timestamp(at.0 + offset);
            match &decide(now, std::slice::from_ref(&cluster), &[])[..] {
                [DreamerAction::Postpone { due: Some(due), .. }] => assert!(*due > now),
                [DreamerAction::Forget { .. }] => assert!(now >= at),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_constraint_is_not_killed_by_the_evidence_that_made_it() {
        for (f, sigma, decision, falls) in [
            (0.9, -1.0, -3.0, false),
            (0.9, -1.0, 0.0, false),
            (0.9, -1.0, 0.9, false),
            (0.9, -1.0, 0.91, true),
            (0.9, 1.0, 3.0, false),
            (0.9, 1.0, -0.9, false),
            (0.9, 1.0, -0.95, true),
        ] {
            assert_eq!(bankrupt(f, sigma, decision), falls, "f {f}, sigma {sigma}, M_dec {decision}");
        }
    }

    #[test]
    fn a_fallen_rule_becomes_knowledge_that_fades_from_now() {
        let old = rule(1, 0.9, 1.0);
        let now = START.plus_ms(60 * DAY);
        let standing = Rule { megram: old.clone(), decision: 0.5 };
        let fallen = Rule { megram: old.clone(), decision: -0.95 };
        let law = Rule { megram: Megram { level: Level::T, ..old.clone() }, decision: -9.0 };
        let actions = decide(now, &[], &[standing, fallen, law]);
        let [DreamerAction::Demote { rule, into }] = &actions[..] else { panic!("{actions:?}") };
        assert_eq!(*rule, old.id);
        assert_eq!((into.level, into.k, into.created_at), (Level::K, Rate::Slow, now));
        assert_eq!((into.f, into.sigma, &into.content), (old.f, old.sigma, &old.content));
        assert_eq!(into.parents, [old.id]);
        assert_ne!(into.id, old.id);
        assert_eq!(**into, demoted(&old, now), "demoting twice makes the same record");
    }

    #[test]
    fn demotion_does_not_oscillate() {
        // After the demotion M_dec is the negative of the test value in the direction of the rule: it cannot rise again.
        let old = rule(1, 0.9, -1.0);
        let evidence = [event(2, "accept", START), event(3, "accept", START)];
        let mut cluster: Cluster = evidence.into_iter().collect();
        let before = cluster.potentials(START).decision;
        assert!(bankrupt(old.f, old.sigma, before));
        cluster.add(&Event::of(&demoted(&old, START)).expect("knowledge is summed"));
        let after = cluster.potentials(START).decision;
        assert!((after - (before - old.f)).abs() < 1e-12 && after > 0.0);
    }
}
