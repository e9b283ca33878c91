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
mod tests;
