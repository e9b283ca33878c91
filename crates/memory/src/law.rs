//! Which rules have lasted long enough to be proposed as laws, level T. The proposal is all that artoo does: a law is above every
//! rule and never falls, so that a person decides.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::{DAY_MS, Rate};
use uuid::Uuid;

use crate::record::ClusterRecord;
use crate::sign::Sign;

/// Days that a rule has to stand: twice the half-life of what made it, so that it lives on what came after it.
pub const LASTING_DAYS: f64 = 30.0;

/// Outcomes since then that have to bear it out: as many as make a rule.
pub const LEAST_CONFIRMED: u64 = 5;

/// Share of what was learned since that has to speak for it: nothing speaks against it, but for rounding.
const UNDISPUTED: f64 = 0.999;

/// A rule that may become a law.
#[derive(Debug, Clone, PartialEq)]
pub struct LawProposal {
    /// The rule.
    pub rule: Megram,
    /// Outcomes that have borne it out since it was made.
    pub confirmed: u64,
    /// Days that it has stood.
    pub age_days: f64,
}

impl LawProposal {
    /// The proposal of a distilled rule at `now`, if it has lasted: it is old enough, outcomes that came after it bear it out, and
    /// none speaks against it. `record` is that of its tag.
    pub fn of(rule: Megram, record: &ClusterRecord, now: Timestamp) -> Option<Self> {
        let is_learned = rule.level == Level::C && rule.state == state::DISTILLED && !rule.tainted;
        let age_days = now.since_ms(rule.created_at) as f64 / DAY_MS;
        if !is_learned || age_days < LASTING_DAYS {
            return None;
        }
        let newer = &record.rules.iter().find(|window| window.rule == rule.id)?.newer.sums;
        let potentials = newer.potentials(now);
        let for_it = Sign::of(rule.sigma).value() * potentials.decision;
        let is_borne_out = newer.count() >= LEAST_CONFIRMED && for_it >= UNDISPUTED * potentials.attention;
        is_borne_out.then(|| Self { confirmed: newer.count(), age_days, rule })
    }

    /// The law that it would be, made at `now`.
    pub fn law(&self, now: Timestamp) -> Megram {
        Megram {
            id: law_id(self.rule.id),
            level: Level::T,
            created_at: now,
            last_recalled_at: None,
            state: state::LAW.to_owned(),
            f: 1.0,
            k: Rate::Timeless,
            agent_id: "operator".to_owned(),
            task_id: None,
            parents: vec![self.rule.id],
            ..self.rule.clone()
        }
    }
}

/// The id of the law that a rule would be. Who rejects the proposal has this id kept away.
pub fn law_id(rule: Uuid) -> Uuid {
    Uuid::new_v5(&rule, b"law")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{DAY, START, megram, rule};
    use crate::record::ALWAYS;

    /// Whether a rule for something, made at the start, is proposed after `days`, with `confirming` good outcomes and these
    /// others since.
    fn check(days: u64, confirming: u128, others: &[Megram], proposed: bool) {
        let standing = Megram { state: state::DISTILLED.to_owned(), created_at: START, ..rule(99, 0.9, 1.0) };
        let mut record = ClusterRecord::born(ALWAYS, [&standing]);
        for number in 1..=confirming {
            record.take(&megram(number, "accept", START.plus_ms(DAY)));
        }
        others.iter().for_each(|other| record.take(other));
        let found = LawProposal::of(standing.clone(), &record, START.plus_ms(days * DAY));
        assert_eq!(found.is_some(), proposed, "{days} days, {confirming} outcomes: {found:?}");
        if let Some(found) = found {
            let law = found.law(START);
            assert_eq!((law.level, law.id, law.sigma), (Level::T, law_id(standing.id), 1.0));
            assert_eq!((law.parents, law.tag), (vec![standing.id], standing.tag));
        }
    }

    #[test]
    fn a_rule_is_proposed_when_it_is_old_borne_out_and_undisputed() {
        check(30, 5, &[], true);
        check(29, 5, &[], false);
        check(30, 4, &[], false);
        let against = megram(50, "abandon", START.plus_ms(2 * DAY));
        check(30, 9, &[against], false);
    }

    #[test]
    fn what_a_person_said_or_a_stranger_may_have_written_is_not_proposed() {
        let mut record = ClusterRecord::born(ALWAYS, [&rule(99, 0.9, 1.0)]);
        (1..9).for_each(|number| record.take(&megram(number, "accept", START.plus_ms(DAY))));
        let now = START.plus_ms(90 * DAY);
        let distilled =
            Megram { state: state::DISTILLED.to_owned(), created_at: START, ..rule(99, 0.9, 1.0) };
        assert!(LawProposal::of(distilled.clone(), &record, now).is_some());
        let declared = Megram { state: state::DECLARED.to_owned(), ..distilled.clone() };
        let tainted = Megram { tainted: true, ..distilled };
        for other in [declared, tainted] {
            assert_eq!(LawProposal::of(other, &record, now), None);
        }
    }
}
