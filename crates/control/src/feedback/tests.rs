use artoo_types::Timestamp;
use artoo_types::control::{Ending, Reason};
use artoo_types::memory::{
    Level, MegramWrite, MemoryEntry, MemoryReply, Potentials, Proposal, Relatedness, SopRecord, Via,
};
use artoo_types::plan::{NoPlan, PlanDraftRejected};
use artoo_types::tag::Tag;
use artoo_types::task::{StopCause, TaskCancelled};
use uuid::Uuid;

use super::{MemoriesInPlan, TaskEnd};
use crate::quantize::Provenance;
use crate::solver::{Effect, Input, Solver};
use crate::testing::*;

const RULE: Uuid = Uuid::from_u128(7);
const PROPOSED: Uuid = Uuid::from_u128(8);

fn rule(sigma: f64, overwritten: bool) -> SopRecord {
    SopRecord { id: RULE, content: "as always".into(), sigma, level: Level::C, overwritten }
}

fn intent() -> Tag {
    Tag::intent("sum the amounts")
}

fn entry(tag: Tag, sops: Vec<SopRecord>) -> MemoryEntry {
    MemoryEntry {
        tag,
        potentials: Potentials::default(),
        sops,
        top: Vec::new(),
        via: None,
        proposals: Vec::new(),
    }
}

fn proposing() -> MemoryEntry {
    let proposal = Proposal { id: PROPOSED, content: "try it so".into(), from: vec![RULE] };
    MemoryEntry { proposals: vec![proposal], ..entry(intent(), Vec::new()) }
}

fn via(entry: MemoryEntry, relation: Relatedness) -> MemoryEntry {
    let via = Via { request: "another".into(), relation, similarity: 0.6, why: String::new() };
    MemoryEntry { via: Some(via), ..entry }
}

fn reply(entries: Vec<MemoryEntry>) -> MemoryReply {
    MemoryReply { entries, unavailable: None, present: Vec::new() }
}

/// State, f, σ, k and parent of what is written.
type Row = (&'static str, f64, f64, f64, Uuid);

#[track_caller]
fn check(writes: &[MegramWrite], expected: &[Row]) {
    let rows: Vec<_> = writes
        .iter()
        .map(|write| &write.megram)
        .map(|m| {
            (m.state.as_str(), m.f, m.sigma, m.k.per_day(), m.parents.first().copied().unwrap_or_default())
        })
        .collect();
    assert_eq!(rows, expected);
}

fn from() -> Provenance {
    Provenance { task_id: task_id(), round: 1, at: Timestamp(5), tainted: false }
}

fn judged(entries: Vec<MemoryEntry>, outcome: &TaskEnd<'_>) -> Vec<MegramWrite> {
    let mut given = MemoriesInPlan::default();
    given.note(&reply(entries));
    given.judged(&from(), outcome)
}

fn ended(ending: Ending, logical: bool) -> TaskEnd<'static> {
    TaskEnd { ending, logical, confirmed: true, outcomes: &[], lesson: "what happened" }
}

const NOT_ENOUGH: Row = ("negative_feedback", 0.85, -1.0, 0.05, RULE);
const CONFIRMED: Row = ("hypothesis_confirmed", 0.5, 1.0, 0.05, PROPOSED);
const REFUTED: Row = ("hypothesis_refuted", 0.3, -0.5, 0.2, PROPOSED);

#[test]
fn a_best_practice_that_was_not_enough_is_told_so_on_its_own_tag() {
    let given = || vec![entry(intent(), vec![rule(1.0, false)])];
    let writes = judged(given(), &ended(Ending::Abandon, true));
    check(&writes, &[NOT_ENOUGH]);
    let megram = &writes[0].megram;
    assert_eq!((&megram.tag, megram.level, megram.task_id), (&intent(), Level::M, Some(task_id())));
    assert!(!megram.content.contains("as always"), "forgetting the rule must forget its words: {megram:?}");
    check(&judged(given(), &ended(Ending::Abandon, false)), &[]);
    check(&judged(given(), &ended(Ending::Accept, false)), &[]);
}

#[test]
fn a_constraint_in_force_is_not_contradicted_by_what_it_prevented() {
    for ending in [Ending::Abandon, Ending::Accept] {
        check(&judged(vec![entry(intent(), vec![rule(-1.0, false)])], &ended(ending, true)), &[]);
    }
}

#[test]
fn an_outdated_rule_that_is_contradicted_again_meets_dissonance_against_its_sign() {
    let practice = || vec![entry(intent(), vec![rule(1.0, true)])];
    let constraint = || vec![entry(intent(), vec![rule(-1.0, true)])];
    let dissonance = |sigma| ("dissonance", 0.95, sigma, 0.05, RULE);
    check(&judged(practice(), &ended(Ending::Abandon, true)), &[dissonance(-1.0)]);
    check(&judged(practice(), &ended(Ending::Accept, false)), &[]);
    check(&judged(constraint(), &ended(Ending::Success, false)), &[dissonance(1.0)]);
    check(&judged(constraint(), &ended(Ending::Abandon, true)), &[]);
}

#[test]
fn a_rule_about_a_tool_is_held_against_the_calls_that_it_is_about() {
    let dissonance = ("dissonance", 0.95, 1.0, 0.05, RULE);
    let worked = [matched("sum", 1)];
    let accepted = TaskEnd { outcomes: &worked, ..ended(Ending::Accept, false) };
    for (tag, expected) in [
        (Tag::tool("glob", Some("/home/u/wd/ok")), vec![dissonance]),
        (Tag::tool("glob", None), vec![dissonance]),
        (Tag::tool("glob", Some("/other")), vec![]),
        (Tag::tool("search", None), vec![]),
    ] {
        check(&judged(vec![entry(tag, vec![rule(-1.0, true)])], &accepted), &expected);
    }
    let failed = [failed("sum", Some(Logical), call("r1", "glob", "/x", 0))];
    let abandoned = TaskEnd { outcomes: &failed, ..ended(Ending::Abandon, true) };
    let of = |tag| vec![entry(tag, vec![rule(1.0, false)])];
    check(&judged(of(Tag::tool("glob", Some("/x"))), &abandoned), &[NOT_ENOUGH]);
    check(&judged(of(Tag::tool("read_file", Some("/x"))), &abandoned), &[]);
}

#[test]
fn laws_declarations_and_hints_are_no_business_of_an_outcome() {
    let law = SopRecord { level: Level::T, ..rule(1.0, false) };
    for entries in [
        vec![entry(intent(), vec![law])],
        vec![entry(Tag::user(), vec![rule(1.0, false)])],
        vec![via(entry(intent(), vec![rule(1.0, false)]), Relatedness::Hint)],
        vec![via(proposing(), Relatedness::Hint)],
    ] {
        check(&judged(entries.clone(), &ended(Ending::Abandon, true)), &[]);
        check(&judged(entries, &ended(Ending::Accept, false)), &[]);
    }
    let alias = via(entry(intent(), vec![rule(1.0, false)]), Relatedness::Alias);
    check(&judged(vec![alias], &ended(Ending::Abandon, true)), &[NOT_ENOUGH]);
}

#[test]
fn a_proposal_that_was_shown_is_settled_unless_the_surroundings_were_to_blame() {
    check(&judged(vec![proposing()], &ended(Ending::Success, false)), &[CONFIRMED]);
    check(&judged(vec![proposing()], &ended(Ending::Abandon, true)), &[REFUTED]);
    check(&judged(vec![proposing()], &ended(Ending::Abandon, false)), &[]);
}

#[test]
fn a_rule_that_is_recalled_again_counts_once_and_as_it_is_now() {
    let mut given = MemoriesInPlan::default();
    given.note(&reply(vec![entry(intent(), vec![rule(1.0, false)]), proposing()]));
    given.note(&reply(vec![entry(intent(), vec![rule(1.0, true)]), proposing()]));
    let writes = given.judged(&from(), &ended(Ending::Abandon, true));
    check(&writes, &[("dissonance", 0.95, -1.0, 0.05, RULE), REFUTED]);
    let ids: Vec<Uuid> = writes.iter().map(|write| write.megram.id).collect();
    assert_eq!(given.judged(&from(), &ended(Ending::Abandon, true))[0].megram.id, ids[0], "ids are derived");
    assert_ne!(ids[0], ids[1]);
}

/// States of what is remembered, in order, with the directive or the result.
fn states(effects: &[Effect]) -> Vec<&str> {
    fn state(effect: &Effect) -> &str {
        match effect {
            Effect::Remember(write) => &write.megram.state,
            Effect::Direct(_) => "direct",
            Effect::AskFarewell(_) => "farewell",
            Effect::Finish(_) => "finish",
        }
    }
    effects.iter().map(state).collect()
}

fn informed() -> Solver {
    let mut solver = solver();
    let best = MemoryEntry { sops: vec![rule(1.0, false)], ..proposing() };
    assert!(at(&mut solver, 1, Input::Memory(reply(vec![best]))).is_empty());
    solver
}

#[test]
fn feedback_comes_before_the_one_result() {
    let accepted =
        at(&mut informed(), 9, Input::Summary(summary(vec![matched("sum", 1)], vec![pass(0, Verifiable)])));
    assert_eq!(states(&accepted), ["accept", "hypothesis_confirmed", "finish"]);

    let mut solver = informed();
    let wrong =
        |at: &str| Input::Replan(replan(vec![failed("sum", Some(Logical), call("r1", "glob", at, 0))]));
    at(&mut solver, 2, wrong("/x"));
    let no_plan = PlanDraftRejected {
        task_id: task_id(),
        attempt: 3,
        outcome: NoPlan::CannotPlan,
        reasons: vec!["nothing is left".into()],
        decline: None,
        uncovered: Vec::new(),
        memories: Vec::new(),
    };
    let abandoned = at(&mut solver, 3, Input::NoPlan(no_plan));
    assert_eq!(states(&abandoned), ["abandon", "negative_feedback", "hypothesis_refuted", "finish"]);
}

#[test]
fn an_end_that_teaches_nothing_says_nothing_about_what_was_given() {
    let mut solver = informed();
    let cancelled = TaskCancelled { cause: StopCause::Cancelled, detail: String::new() };
    let effects = at(&mut solver, 2, Input::Stop(cancelled));
    assert_eq!(states(&effects), ["finish"]);
    let Some(Effect::Finish(result)) = effects.last() else { panic!("it ends") };
    assert_eq!(result.reason, Reason::Cancelled);
}
