//! Rules that have lasted are proposed as laws, until the operator decides.

use artoo_types::memory::{Level, Megram, state};
use uuid::Uuid;

use super::{Store, after, megram, rule, tool_tag};

/// A store with a rule that five outcomes have borne out since, and the ids that are proposed after so many days.
fn lasting() -> (Store, Uuid) {
    let mut store = Store::new();
    let tag = tool_tag("/w");
    let standing = Megram { state: state::DISTILLED.to_owned(), ..rule(1, &tag, 1.0) };
    store.remember(&standing);
    for number in 2..=6 {
        store.write(&Megram { sigma: 1.0, created_at: after(1.0), ..megram(number, &tag) });
    }
    (store, standing.id)
}

fn proposed(store: &Store, days: f64) -> Vec<Uuid> {
    let proposals = store.reader.law_proposals(after(days)).expect("it reads");
    proposals.into_iter().map(|proposal| proposal.rule.id).collect()
}

#[test]
fn a_rule_that_lasted_is_proposed_until_it_is_a_law() {
    let (mut store, rule) = lasting();
    assert_eq!(proposed(&store, 29.0), Vec::<Uuid>::new());
    assert_eq!(proposed(&store, 31.0), [rule]);
    let law = store.reader.law_proposals(after(31.0)).expect("it reads").remove(0).law(after(31.0));
    store.remember(&law);
    assert_eq!(proposed(&store, 32.0), Vec::<Uuid>::new());
    let sops = store.reader.query_c(after(32.0), &tool_tag("/w")).expect("it reads");
    assert!(sops.iter().any(|sop| sop.level == Level::T && sop.id == law.id), "{sops:?}");
    store.verified();
}

#[test]
fn a_proposal_that_was_rejected_does_not_come_back() {
    let (mut store, rule) = lasting();
    let law = store.reader.law_proposals(after(31.0)).expect("it reads").remove(0).law(after(31.0));
    store.writer.forget(after(31.0), &[law.id]).expect("it is kept away");
    assert_eq!(proposed(&store, 32.0), Vec::<Uuid>::new());
    assert!(store.reader.get(rule).expect("it reads").is_some(), "it stays a rule");
    assert_eq!(proposed(&store.reopened(), 90.0), Vec::<Uuid>::new());
}

#[test]
fn what_was_contradicted_is_not_proposed() {
    let (mut store, _) = lasting();
    store.write(&Megram { sigma: -1.0, created_at: after(2.0), ..megram(9, &tool_tag("/w")) });
    assert_eq!(proposed(&store, 31.0), Vec::<Uuid>::new());
}
