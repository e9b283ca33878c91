use artoo_memory::consolidation::RuleText;
use artoo_types::memory::{Megram, MemoryEntry, MemoryQuery, Potentials, Proposal, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{START, Store, after, megram};
use crate::{PromotedRule, PromotionOutcome, WriteOutcome};

const LEARNED: &str = "find large files in my downloads folder";
/// It shares most words with the first, and asks for more.
const ALIKE: &str = "find in my downloads folder large files and pictures";

fn taught(store: &mut Store, first: u128, count: u128, request: &str, sigma: f64) {
    for number in first..first + count {
        let tag = Tag::intent(request);
        store.write(&Megram { about: request.to_owned(), sigma, ..megram(number, &tag) });
    }
}

/// Promotes the one candidate of `store`.
fn promoted(store: &mut Store) -> PromotedRule {
    let found = store.maintenance.candidates(START, 4).expect("it looks");
    let text = RuleText::new("sort by size first").expect("it is one line");
    let [candidate] = &found[..] else { panic!("{found:?}") };
    let promotion = store.maintenance.promote(START, candidate, &text).expect("the database works");
    store.verified();
    match promotion {
        PromotionOutcome::Promoted(promoted) => *promoted,
        PromotionOutcome::Stale(why) => panic!("{why}"),
    }
}

/// A store with a best practice for one request and a failed one that looks like it, with the proposal.
fn proposing() -> (Store, Megram, Megram) {
    let mut store = Store::new();
    taught(&mut store, 1, 1, ALIKE, -1.0);
    taught(&mut store, 11, 6, LEARNED, 1.0);
    let PromotedRule { rule, mut proposals } = promoted(&mut store);
    assert_eq!(proposals.len(), 1, "{proposals:?}");
    (store, rule, proposals.remove(0))
}

fn entry(store: &Store, request: &str) -> Option<MemoryEntry> {
    let tags = vec![Tag::intent(request)];
    let query = MemoryQuery { tags: tags.clone(), tool_clusters: 0, intent: request.to_owned() };
    let reply = store.reader.answer(START, &query);
    reply.entries.into_iter().find(|entry| entry.tag == tags[0])
}

fn proposals(store: &Store) -> Vec<Proposal> {
    entry(store, ALIKE).map_or_else(Vec::new, |entry| entry.proposals)
}

#[test]
fn a_best_practice_is_proposed_where_nothing_went_well() {
    let (store, rule, made) = proposing();
    assert_eq!((&made.tag, made.about.as_str()), (&Tag::intent(ALIKE), ALIKE));
    let told = Proposal { id: made.id, content: "sort by size first".to_owned(), from: vec![rule.id] };
    assert_eq!(proposals(&store), [told]);
    let found = entry(&store, ALIKE).expect("it is known");
    assert!(found.top.iter().all(|megram| megram.state != state::HYPOTHESIS));
    let alone = Potentials { attention: 0.9, decision: -0.9, ..found.potentials };
    assert_eq!(found.potentials, alone, "a hypothesis adds nothing");
    let why = store.reader.why(START, &Tag::intent(ALIKE), 10).expect("it explains");
    assert!(why.contributions.iter().all(|part| part.megram.state != state::HYPOTHESIS));
}

#[test]
fn what_went_well_needs_no_proposal() {
    let mut store = Store::new();
    taught(&mut store, 1, 1, ALIKE, 1.0);
    taught(&mut store, 2, 1, "book a flight to Berlin", -1.0);
    taught(&mut store, 11, 6, LEARNED, 1.0);
    assert_eq!(promoted(&mut store).proposals, []);
}

#[test]
fn a_constraint_is_not_proposed() {
    let mut store = Store::new();
    taught(&mut store, 1, 1, ALIKE, -1.0);
    taught(&mut store, 11, 6, LEARNED, -1.0);
    assert_eq!(promoted(&mut store).proposals, []);
}

#[test]
fn hypotheses_alone_never_become_a_rule() {
    let mut store = Store::new();
    for number in 1..=60 {
        let state = state::HYPOTHESIS.to_owned();
        store.write(&Megram {
            state,
            f: 0.3,
            sigma: 0.0,
            k: Rate::Medium,
            ..megram(number, &Tag::intent(ALIKE))
        });
    }
    assert_eq!(store.maintenance.candidates(START, 4).expect("it looks"), []);
    assert_eq!(entry(&store, ALIKE).expect("it is known").potentials, Potentials::default());
    store.verified();
}

#[test]
fn an_outcome_settles_a_hypothesis_for_good() {
    let (mut store, _, made) = proposing();
    let outcome = Megram {
        state: state::HYPOTHESIS_REFUTED.to_owned(),
        parents: vec![made.id, Uuid::from_u128(777)],
        ..megram(21, &made.tag)
    };
    store.write(&outcome);
    store.verified();
    assert_eq!(proposals(&store), []);
    assert_eq!(store.reader.get(made.id).expect("it reads"), None);
    assert_eq!(store.writer.write(START, &made).expect("it stays away"), WriteOutcome::Buried);
    assert_eq!(store.writer.write(START, &outcome).expect("nothing changes"), WriteOutcome::Known);
    let store = store.reopened();
    assert_eq!(proposals(&store), []);
}

#[test]
fn an_outcome_on_another_tag_settles_too() {
    let (mut store, _, made) = proposing();
    store.write(&Megram { parents: vec![made.id], ..megram(21, &super::tool_tag("/tmp")) });
    store.verified();
    assert_eq!(proposals(&store), []);
}

#[test]
fn a_hypothesis_goes_with_its_rule() {
    let (mut store, rule, made) = proposing();
    store.forget(after(0.1), &[rule.id]);
    store.verified();
    assert_eq!(proposals(&store), []);
    assert_eq!(store.writer.write(START, &made).expect("it stays away"), WriteOutcome::Buried);

    let (mut store, rule, made) = proposing();
    for number in 31..=40 {
        store.write(&Megram { sigma: -1.0, about: LEARNED.to_owned(), ..megram(number, &rule.tag) });
    }
    assert_eq!(store.maintenance.tick(START).expect("it ticks").demoted.len(), 1);
    store.verified();
    assert_eq!(proposals(&store), []);
    assert_eq!(store.writer.write(START, &made).expect("it stays away"), WriteOutcome::Buried);
}

#[test]
fn a_forgotten_hypothesis_stays_away() {
    let (mut store, _, made) = proposing();
    store.forget(after(0.1), &[made.id]);
    store.maintenance.rebuild().expect("it rebuilds");
    store.verified();
    assert_eq!(proposals(&store), []);
    assert_eq!(store.writer.write(START, &made).expect("it stays away"), WriteOutcome::Buried);
}

#[test]
fn an_untried_hypothesis_fades() {
    let (mut store, _, made) = proposing();
    // The failure that shares its cluster keeps it until both are forgotten together.
    store.maintenance.tick(after(50.0)).expect("it ticks");
    store.verified();
    assert_eq!(store.reader.get(made.id).expect("it reads"), None);
}
