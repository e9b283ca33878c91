use std::convert::Infallible;

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use proptest::prelude::*;
use uuid::Uuid;

use super::{Candidate, MAX_QUOTED, MAX_RULE_CHARS, RuleText, RuleTextRejected, Sign, gate, ripe, ripe_at};
use crate::accumulator::Cluster;
use crate::admission::{Author, MAX_PARENTS, admit};
use crate::crossing::{comes_up_to, decision_parts};
use crate::dreamer::{DreamerAction, Rule, decide};
use crate::filing::file;
use crate::fixture::{DAY, MATRIX, START, event, megram, rule};
use crate::record::{ALWAYS, ClusterRecord, is_evidence};
use crate::trust::demoted;

/// An outcome with weight `f` and valence `sigma`, made at the start.
fn outcome(number: u128, f: f64, sigma: f64) -> Megram {
    Megram { f, sigma, ..megram(number, "accept", START) }
}

/// The record of these memories, of which evidence counts that is newer than `since`.
fn summed(memories: &[Megram], since: Timestamp) -> ClusterRecord {
    let mut record = ClusterRecord::born(since, memories);
    memories.iter().for_each(|megram| record.take(megram));
    file(&mut record, START);
    record
}

/// The candidate that these memories make at `now`.
fn candidate(memories: &[Megram], since: Timestamp, now: Timestamp) -> Option<Candidate> {
    let record = summed(memories, since);
    let all = memories.iter().cloned().map(Ok::<_, Infallible>);
    let Ok(candidate) = Candidate::of(&megram(0, "accept", START).tag, &record, all, now);
    candidate
}

/// Which rule these memories are enough for at the start.
fn check(memories: &[Megram]) -> Option<Sign> {
    candidate(memories, ALWAYS, START).map(|candidate| candidate.sign)
}

#[test]
fn the_gate_is_exact_at_its_bounds() {
    // Far above what rounding loses, far below what a memory weighs.
    let tiny = 1e-12;
    for sign in Sign::ALL {
        let s = sign.value();
        // (f, sigma) of each memory; all sums are exact.
        let ones = |count: usize, sigma: f64| vec![(1.0, s * sigma); count];
        assert_eq!(check_all(&ones(5, 1.0)), Some(sign), "attention 5, decision 5");
        assert_eq!(check_all(&ones(4, 1.0)), None, "attention 4");
        let short = [ones(4, 1.0), vec![(1.0 - tiny, s)]].concat();
        assert_eq!(check_all(&short), None, "attention a little below 5");
        let neutral = |count| vec![(1.0, 0.0); count];
        assert_eq!(check_all(&[ones(3, 1.0), neutral(2)].concat()), Some(sign), "decision 3");
        let weak = [ones(2, 1.0), vec![(1.0, s * (1.0 - tiny))], neutral(2)].concat();
        assert_eq!(check_all(&weak), None, "decision a little below 3");
        assert_eq!(check_all(&[ones(4, 1.0), ones(1, -1.0)].concat()), Some(sign), "one against");
        assert_eq!(check_all(&[ones(4, 1.0), ones(2, -1.0)].concat()), None, "two against");
        assert_eq!(check_all(&neutral(50)), None, "attention alone");
    }
}

fn check_all(parts: &[(f64, f64)]) -> Option<Sign> {
    let memories: Vec<Megram> =
        (1..).zip(parts).map(|(number, (f, sigma))| outcome(number, *f, *sigma)).collect();
    check(&memories)
}

#[test]
fn only_what_happened_to_artoo_in_clean_tasks_counts() {
    let six = |change: &dyn Fn(&mut Megram)| {
        let mut memories: Vec<Megram> = (1..=6).map(|number| outcome(number, 0.9, 1.0)).collect();
        memories.iter_mut().for_each(change);
        check(&memories)
    };
    assert_eq!(six(&|_| {}), Some(Sign::For));
    assert_eq!(six(&|m| m.level = Level::K), Some(Sign::For));
    assert_eq!(six(&|m| m.tainted = true), None);
    for said in [state::HYPOTHESIS, state::REFLECTION, state::DECLARED, state::DISTILLED, "imported"] {
        assert_eq!(six(&|m| m.state = said.to_owned()), None, "{said}");
    }
    for row in MATRIX {
        assert!(is_evidence(&megram(1, row.0, START)), "{}", row.0);
    }
    for happened in
        [state::HYPOTHESIS_CONFIRMED, state::HYPOTHESIS_REFUTED, state::NEGATIVE_FEEDBACK, state::DISSONANCE]
    {
        assert_eq!(six(&|m| m.state = happened.to_owned()), Some(Sign::For), "{happened}");
    }
}

#[test]
fn tainted_evidence_neither_helps_nor_hinders() {
    let tainted = |number, sigma| Megram { tainted: true, ..outcome(number, 1.0, sigma) };
    let clean: Vec<Megram> = (1..=5).map(|number| outcome(number, 1.0, 1.0)).collect();
    let against: Vec<Megram> = (10..=40).map(|number| tainted(number, -1.0)).collect();
    assert_eq!(check(&[clean.clone(), against].concat()), Some(Sign::For));
    let along: Vec<Megram> = (10..=40).map(|number| tainted(number, 1.0)).collect();
    let found = candidate(&[clean.clone(), along.clone()].concat(), ALWAYS, START).expect("it is ripe");
    assert!(found.parents.iter().all(|id| clean.iter().any(|megram| megram.id == *id)));
    assert_eq!(check(&[clean[..4].to_vec(), along].concat()), None);
}

#[test]
fn a_rule_in_force_stands_in_the_way_of_its_own_sign_alone() {
    let evidence: Vec<Megram> = (1..=6).map(|number| outcome(number, 0.9, 1.0)).collect();
    let with = |level, sigma| {
        let standing = Megram { level, ..rule(99, 0.9, sigma) };
        check(&[evidence.clone(), vec![standing]].concat())
    };
    assert_eq!(with(Level::C, 1.0), None);
    assert_eq!(with(Level::C, -1.0), Some(Sign::For));
    assert_eq!(with(Level::T, 1.0), Some(Sign::For), "a law is not distilled, and says nothing about this");
}

#[test]
fn only_evidence_newer_than_the_last_rule_counts() {
    let at = |number: u128, days: u64| Megram {
        created_at: START.plus_ms(days * DAY),
        k: Rate::Timeless,
        ..outcome(number, 1.0, 1.0)
    };
    let since = START.plus_ms(10 * DAY);
    let old: Vec<Megram> = (1..=50).map(|number| at(number, 10)).collect();
    let now = START.plus_ms(12 * DAY);
    assert!(candidate(&old, START, now).is_some());
    assert!(candidate(&old, since, now).is_none(), "what was made at that very moment is not newer");
    let newer = |count: u128| (101..=100 + count).map(|number| at(number, 11)).collect::<Vec<_>>();
    assert!(candidate(&[old.clone(), newer(4)].concat(), since, now).is_none());
    let second = candidate(&[old.clone(), newer(5)].concat(), since, now).expect("a further 5.0");
    assert_eq!(second.count, 5);
    assert!(second.parents.iter().all(|id| id.as_u128() > 100), "{:?}", second.parents);
}

#[test]
fn a_rule_is_as_the_law_says() {
    let mut memories: Vec<Megram> = (1..=6).map(|number| outcome(number, 0.9, -1.0)).collect();
    memories[3].f = 1.0;
    memories[3].about = "list my notes".to_owned();
    let found = candidate(&memories, ALWAYS, START).expect("it is ripe");
    let text = RuleText::new(" never glob in /tmp ").expect("it is one line");
    let made = found.rule(&text, START.plus_ms(5));
    assert_eq!((made.level, made.k, made.sigma, made.f), (Level::C, Rate::Timeless, -1.0, 0.9));
    assert_eq!((made.state.as_str(), made.tainted, made.task_id), (state::DISTILLED, false, None));
    assert_eq!((made.content.as_str(), made.about.as_str()), ("never glob in /tmp", "list my notes"));
    assert_eq!((made.created_at, &made.tag), (START.plus_ms(5), &memories[0].tag));
    assert_eq!(made.parents[0], memories[3].id, "the heaviest comes first");
    assert_eq!(made.parents.len(), 6);
    assert!(admit(&made, Author::Operator, made.created_at).is_ok());
    assert!(!is_evidence(&made) && !is_evidence(&demoted(&made, START)));
}

#[test]
fn a_constraint_survives_the_next_tick() {
    let evidence: Vec<Megram> = (1..=6).map(|number| outcome(number, 0.95, -1.0)).collect();
    let found = candidate(&evidence, ALWAYS, START).expect("it is ripe");
    assert!(found.potentials.decision <= -3.0);
    let text = RuleText::new("do not").expect("it is one line");
    let made = found.rule(&text, START);
    let standing = Rule { megram: made, decision: found.potentials.decision };
    assert_eq!(decide(START, &[], &[standing]), Vec::<DreamerAction>::new());
}

#[test]
fn a_candidate_of_many_memories_is_bounded() {
    let mut memories: Vec<Megram> = (1..=2_000).map(|number| outcome(number, 0.5, 1.0)).collect();
    memories[1_234].f = 0.9;
    let found = candidate(&memories, ALWAYS, START).expect("it is ripe");
    assert_eq!((found.count, found.parents.len(), found.evidence.len()), (2_000, MAX_PARENTS, MAX_QUOTED));
    assert_eq!(found.parents[0], memories[1_234].id);
    assert_eq!(found.newest, Uuid::from_u128(2_000));
    let quoted: Vec<Uuid> = found.evidence.iter().map(|megram| megram.id).collect();
    assert_eq!(quoted, found.parents[..MAX_QUOTED]);
}

#[test]
fn the_id_of_a_rule_names_tag_sign_and_newest_evidence() {
    let memories: Vec<Megram> = (1..=6).map(|number| outcome(number, 0.9, 1.0)).collect();
    let found = candidate(&memories, ALWAYS, START).expect("it is ripe");
    let other_tag = Candidate { tag: artoo_types::tag::Tag::intent("else"), ..found.clone() };
    let other_sign = Candidate { sign: Sign::Against, ..found.clone() };
    let other_evidence = Candidate { newest: Uuid::from_u128(5), ..found.clone() };
    let ids = [&found, &other_tag, &other_sign, &other_evidence].map(Candidate::rule_id);
    let distinct: std::collections::BTreeSet<_> = ids.into_iter().collect();
    assert_eq!(distinct.len(), 4);
    let same = Candidate { count: 0, parents: Vec::new(), at: START.plus_ms(9), ..found.clone() };
    assert_eq!(same.rule_id(), found.rule_id());
}

#[test]
fn texts_that_cannot_be_rules_are_refused() {
    assert_eq!(RuleText::new("  "), Err(RuleTextRejected::Empty));
    assert_eq!(RuleText::new("a\nb"), Err(RuleTextRejected::NotOneLine));
    assert_eq!(RuleText::new("a\u{2028}b"), Err(RuleTextRejected::NotOneLine));
    let longest = "规".repeat(MAX_RULE_CHARS);
    assert_eq!(RuleText::new(&longest).map(|text| text.as_str().to_owned()), Ok(longest.clone()));
    assert_eq!(RuleText::new(&format!("{longest}a")), Err(RuleTextRejected::TooLong(MAX_RULE_CHARS + 1)));
}

#[test]
fn contrary_evidence_that_fades_faster_lets_a_cluster_ripen() {
    let along = (1..=9).map(|number| outcome(number, 1.0, 1.0));
    let against = (11..=19).map(|number| Megram { k: Rate::Fast, ..outcome(number, 1.0, -1.0) });
    let memories: Vec<Megram> = along.chain(against).collect();
    let record = summed(&memories, ALWAYS);
    assert_eq!(ripe(&record, START), None);
    let at = ripe_at(&record, START).expect("the failures fade faster");
    assert_eq!(record.filed.ripe, Some(at));
    assert_eq!(ripe(&record, Timestamp(at.0 - 120_000)), None, "not two minutes before");
    assert_eq!(ripe(&record, at.plus_ms(1)), Some(Sign::For));
    // The decision of a lighter cluster comes up to 3 as well; by then too little attention is left.
    let lighter: Vec<Megram> = memories.iter().map(|one| Megram { f: 0.49, ..one.clone() }).collect();
    let record = summed(&lighter, ALWAYS);
    assert!(comes_up_to(&decision_parts(&record.fresh.sums, START), 1.0, 3.0).is_some());
    assert_eq!(ripe_at(&record, START), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_order_of_the_evidence_does_not_matter(
        parts in prop::collection::vec((0..4_u64, 0.5..=1.0_f64, prop::sample::select(vec![1.0, 1.0, 1.0, -1.0])), 8..40),
        seed in any::<prop::sample::Index>(),
    ) {
        let mut memories: Vec<Megram> = (1..).zip(&parts)
            .map(|(number, (days, f, sigma))| Megram {
                created_at: START.plus_ms(days * DAY),
                ..outcome(number, *f, *sigma)
            })
            .collect();
        let now = START.plus_ms(4 * DAY);
        let one = candidate(&memories, ALWAYS, now);
        let middle = seed.index(memories.len());
        memories.rotate_left(middle);
        memories.reverse();
        let other = candidate(&memories, ALWAYS, now);
        prop_assert_eq!(one.is_some(), other.is_some());
        if let (Some(one), Some(other)) = (one, other) {
            prop_assert_eq!(one.rule_id(), other.rule_id());
            prop_assert_eq!(one.parents, other.parents);
            prop_assert_eq!(one.evidence, other.evidence);
            prop_assert_eq!((one.sign, one.count), (other.sign, other.count));
        }
    }

    #[test]
    fn nothing_ripens_before_it_is_filed(
        events in prop::collection::vec((0..7_usize, any::<bool>(), 0..20_u64), 4..60),
        hours in 0..2_000_u64,
    ) {
        let memories: Vec<Megram> = (1..).zip(&events)
            .map(|(number, (row, flip, days))| {
                let one = megram(number, MATRIX[*row].0, START.plus_ms(days * DAY));
                Megram { sigma: if *flip { -one.sigma } else { one.sigma }, ..one }
            })
            .collect();
        let made = START.plus_ms(20 * DAY);
        let record = summed(&memories, ALWAYS);
        let later = made.plus_ms(hours * 3_600_000);
        if gate(&record.fresh.sums, later).is_some() {
            let filed = ripe_at(&record, made);
            prop_assert!(filed.is_some_and(|at| at <= later.plus_ms(60_001)), "{filed:?} is after {later:?}");
        }
    }
}

#[test]
fn an_empty_cluster_is_not_ripe() {
    assert_eq!(gate(&Cluster::default(), START), None);
    assert_eq!(gate(&[event(1, "accept", START)].into_iter().collect(), START), None);
    assert_eq!(ripe_at(&ClusterRecord::default(), START), None);
}
