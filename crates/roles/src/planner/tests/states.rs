//! What failed binds in the state in which it failed.

use artoo_types::memory::{
    FailedPlan, InputState, Megram, MemoryAction, MemoryReply, PlanInput, RememberedFailure,
};
use artoo_types::tag::Tag;
use serde_json::json;
use uuid::Uuid;

use super::memory::{entry, failed_here, failure, mark_of, megram, memory, reads, world};
use super::{Input, accepted, asked, ended, sent_back, step_on};
use crate::testing::says;

#[test]
fn a_plan_that_failed_is_forbidden_while_its_inputs_are_as_they_were() {
    let input = |state: InputState| PlanInput { path: "/w/other".to_owned(), state };
    let text = |digest: &str| InputState::Present(digest.to_owned());
    let id = Uuid::from_u128(77);
    let check = |then: InputState, folder: &str, now: &[PlanInput], refused: bool| {
        let mut entry = entry(Tag::intent("list the notes"), MemoryAction::Avoid);
        let mark = mark_of(1, "read_file", "read the notes");
        let plans = vec![FailedPlan { mark, world: world(folder, &[input(then)]) }];
        entry.top.push(Megram { id, failed: failure(plans), ..megram("reading failed", -1.0) });
        let mut planner = asked(MemoryReply { present: now.to_vec(), ..memory(vec![entry]) });
        if refused {
            let (notice, _) = sent_back(&mut planner, &reads("/w/other"));
            assert!(notice.reasons[0].contains(&id.to_string()), "{:?}", notice.reasons);
            assert_eq!(notice.memories, [id]);
        } else {
            accepted(&mut planner, &reads("/w/other"));
        }
    };
    check(InputState::Absent, "/w", &[input(InputState::Absent)], true);
    check(text("1"), "/w", &[input(text("1"))], true);
    check(InputState::Absent, "/w", &[input(text("1"))], false);
    check(text("1"), "/w", &[input(text("2"))], false);
    check(text("1"), "/w", &[input(InputState::Absent)], false);
    check(text("1"), "/elsewhere", &[input(text("1"))], false);
    check(InputState::Unknown, "/w", &[input(InputState::Unknown)], false);
    check(text("1"), "/w", &[], false);
}

#[test]
fn a_call_that_failed_is_forbidden_and_careful_while_its_input_is_as_it_was() {
    let then = PlanInput { path: "/w/a".to_owned(), state: InputState::Absent };
    let check = |action: MemoryAction, sigma: f64, now: InputState, refused: bool, careful: bool| {
        let mut entry = entry(Tag::tool("read_file", Some("/w/a")), action);
        let failed =
            RememberedFailure { world: Some(world("/w", std::slice::from_ref(&then))), plans: Vec::new() };
        entry.top.push(Megram { failed, ..megram("reading failed", sigma) });
        let present = vec![PlanInput { state: now, ..then.clone() }];
        let mut planner = asked(MemoryReply { present, ..memory(vec![entry]) });
        if refused {
            let (notice, _) = sent_back(&mut planner, &reads("/w/a"));
            assert_eq!(notice.memories, [Uuid::nil()]);
        } else {
            let plan = accepted(&mut planner, &reads("/w/a"));
            assert_eq!(!plan.subtasks[0].blocked.cautions.is_empty(), careful);
        }
    };
    let there = || InputState::Present("1".to_owned());
    check(MemoryAction::Avoid, -1.0, InputState::Absent, true, false);
    check(MemoryAction::Avoid, -1.0, there(), false, false);
    check(MemoryAction::Caution, 0.0, InputState::Absent, false, true);
    check(MemoryAction::Caution, 0.0, there(), false, false);
}

#[test]
fn a_decline_names_the_memories_that_stood_in_the_way_and_no_other() {
    let mut failed = entry(Tag::intent("list the notes"), MemoryAction::Avoid);
    let plans = vec![failed_here(mark_of(1, "glob", "list"))];
    failed.top.push(Megram { id: Uuid::from_u128(1), failed: failure(plans), ..megram("failed", -1.0) });
    let mut named = entry(Tag::tool("read_file", Some("/w/notes")), MemoryAction::Avoid);
    named.top.push(Megram { id: Uuid::from_u128(2), ..megram("failed", -1.0) });
    let mut other = entry(Tag::tool("read_file", Some("/w/budget.csv")), MemoryAction::Avoid);
    other.top.push(Megram { id: Uuid::from_u128(3), ..megram("failed", -1.0) });
    let mut planner = asked(memory(vec![failed, named, other]));
    let decline = json!({
        "task_criteria": [], "subtasks": [],
        "decline": {"reason": "every way failed", "nearest": [], "how_to_configure": ""},
    });
    let declined = ended(&step_on(&mut planner, Input::Model(says(&decline))));
    assert_eq!(declined.memories, [1, 2].map(Uuid::from_u128));
    let declined = ended(&step_on(&mut asked(memory(Vec::new())), Input::Model(says(&decline))));
    assert!(declined.memories.is_empty());
}
