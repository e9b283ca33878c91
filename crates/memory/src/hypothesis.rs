//! Schema transfer: a best practice of one task, proposed for tasks that look alike.
//!
//! A hypothesis has no valence, so that it decides nothing; it is kept out of the potentials, so that it does not even
//! count as history; and it is no evidence, so that only an outcome of trying it can become part of a rule.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::known::INTENTS;
use crate::sign::Sign;

/// Most hypotheses that one rule makes.
pub const MAX_PROPOSALS: usize = 3;

/// f of a hypothesis, and the most that it may have. With its rate, an untried one fades below 0.1 after 5.5 days.
pub const MAGNITUDE: f64 = 0.3;

/// How fast a hypothesis fades.
pub const RATE: Rate = Rate::Medium;

/// Whether a memory is a hypothesis.
pub fn is_hypothesis(megram: &Megram) -> bool {
    megram.state == state::HYPOTHESIS
}

/// Whether a hypothesis is one that decides nothing: on level M, without valence, and not heavier than [`MAGNITUDE`].
pub fn is_harmless(megram: &Megram) -> bool {
    megram.level == Level::M && megram.sigma == 0.0 && megram.f <= MAGNITUDE
}

/// Whether a rule is one to propose elsewhere: a best practice of a request that evidence made. What must not be done here
/// may be right there, and what the person said is about what they said.
pub fn is_transferable(rule: &Megram) -> bool {
    rule.level == Level::C
        && rule.state == state::DISTILLED
        && Sign::of(rule.sigma) == Sign::For
        && rule.tag.space.starts_with(INTENTS)
}

/// The hypothesis that `rule` might hold for the task that is remembered under `tag` as `request`. The same rule makes the
/// same id for a tag every time, so that one that was settled or forgotten stays away.
pub fn propose(rule: &Megram, tag: &Tag, request: &str, now: Timestamp) -> Megram {
    let name = format!("{}|{}|{}", state::HYPOTHESIS, tag.space, tag.entity);
    Megram {
        id: Uuid::new_v5(&rule.id, name.as_bytes()),
        level: Level::M,
        created_at: now,
        last_recalled_at: None,
        tag: tag.clone(),
        content: rule.content.clone(),
        state: state::HYPOTHESIS.to_owned(),
        f: MAGNITUDE,
        sigma: 0.0,
        k: RATE,
        agent_id: rule.agent_id.clone(),
        task_id: None,
        parents: vec![rule.id],
        tainted: false,
        about: request.to_owned(),
        failed: Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::memory::{Level, Megram, state};
    use artoo_types::tag::Tag;

    use super::{MAGNITUDE, RATE, is_harmless, is_hypothesis, is_transferable, propose};
    use crate::accumulator::Event;
    use crate::admission::{Author, MegramRejected, admit};
    use crate::expiry::expires_at;
    use crate::fixture::{DAY, START, rule};
    use crate::record::ClusterRecord;
    use crate::record::is_evidence;

    /// A best practice that was distilled for a request.
    fn practice() -> Megram {
        let state = state::DISTILLED.to_owned();
        Megram { tag: Tag::intent("find large files"), state, ..rule(1, 0.9, 1.0) }
    }

    fn proposed() -> Megram {
        propose(&practice(), &Tag::intent("find old files"), "find old files", START)
    }

    #[test]
    fn a_hypothesis_decides_nothing() {
        let one = proposed();
        assert!(is_hypothesis(&one) && is_harmless(&one) && !is_evidence(&one));
        assert_eq!((one.level, one.sigma, one.k, one.f), (Level::M, 0.0, RATE, MAGNITUDE));
        assert_eq!((one.parents.as_slice(), one.content), ([practice().id].as_slice(), practice().content));
        let mut record = ClusterRecord::default();
        record.take(&proposed());
        assert_eq!(record.potentials(START), Default::default());
        assert!(record.fresh.sums.is_empty() && !record.is_empty());
        assert_eq!(
            record.proposed.heaviest(START).iter().map(|event| event.id).collect::<Vec<_>>(),
            [one.id]
        );
    }

    #[test]
    fn an_untried_hypothesis_fades_within_a_week() {
        let alone = [Event::of(&proposed()).expect("it is on level M")].into_iter().collect();
        let days = expires_at(&alone).expect("it fades").since_ms(START) / DAY;
        assert_eq!(days, 5);
    }

    #[test]
    fn the_same_rule_makes_the_same_hypothesis_for_a_tag() {
        let tag = Tag::intent("find old files");
        let again = propose(&practice(), &tag, "find old files here", START.plus_ms(DAY));
        assert_eq!(again.id, proposed().id);
        let elsewhere = propose(&practice(), &Tag::intent("find new files"), "find new files", START);
        let other_rule = Megram { id: uuid::Uuid::from_u128(2), ..practice() };
        let of_other = propose(&other_rule, &tag, "find old files", START);
        assert!(elsewhere.id != again.id && of_other.id != again.id);
    }

    #[test]
    fn only_distilled_best_practices_of_requests_are_proposed() {
        let check = |change: &dyn Fn(&mut Megram)| {
            let mut one = practice();
            change(&mut one);
            is_transferable(&one)
        };
        assert!(check(&|_| {}));
        assert!(!check(&|rule| rule.sigma = -1.0));
        assert!(!check(&|rule| rule.level = Level::T));
        assert!(!check(&|rule| rule.level = Level::K));
        assert!(!check(&|rule| rule.state = state::DECLARED.to_owned()));
        assert!(!check(&|rule| rule.tag = Tag::tool("glob", None)));
    }

    #[test]
    fn a_hypothesis_that_would_decide_is_refused_at_the_door() {
        let check = |change: &dyn Fn(&mut Megram)| {
            let mut one = proposed();
            change(&mut one);
            admit(&one, Author::Operator, START)
        };
        assert!(check(&|_| {}).is_ok());
        let refused = Err(MegramRejected::DecidingHypothesis);
        assert_eq!(check(&|one| one.sigma = 0.1), refused);
        assert_eq!(check(&|one| one.f = 0.31), refused);
        assert_eq!(check(&|one| one.level = Level::K), refused);
    }
}
