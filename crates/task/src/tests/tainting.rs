//! What a task takes in stays with it: over subtasks, rounds, memories, turns of a session, and restarts.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use artoo_types::Timestamp;
use artoo_types::criteria::Verdict;
use artoo_types::machine::HeldCall;
use artoo_types::memory::{Level, Megram, MemoryAction, MemoryEntry, MemoryReply, Potentials};
use artoo_types::rate::Rate;
use artoo_types::setting::SessionPair;
use artoo_types::tag::Tag;
use artoo_types::taint::Taint;
use artoo_types::undo::TargetState;
use artoo_types::{Message, TaskId};
use uuid::Uuid;

use super::world::{Tool, World, held, scripted};
use super::{CHECKED, THREE};
use crate::view::TaskView;

type Carried = Rc<RefCell<Vec<Taint>>>;

/// A world whose calls bring these, one after the other; what each call carried when it was wanted is noted.
fn world(plan: &'static str, brings: &[Taint]) -> (World, Carried) {
    let carried = Carried::default();
    let (noted, mut brings) = (Rc::clone(&carried), VecDeque::from(brings.to_vec()));
    let world = World::new(scripted(plan)).tools(move |call| {
        noted.borrow_mut().push(call.taint);
        Tool::Brought(brings.pop_front().unwrap_or_default())
    });
    (world, carried)
}

fn is_remembered_as_tainted(world: &World) -> bool {
    let mut tainted = None;
    for envelope in world.envelopes() {
        if let Message::MegramWrite(write) = &envelope.payload {
            tainted = Some(tainted.unwrap_or(true) && write.megram.tainted);
        }
    }
    tainted.expect("an end is remembered")
}

#[test]
fn later_calls_the_result_and_the_memories_carry_what_came_in() {
    let (mut world, carried) = world(THREE, &[Taint::PRIVATE, Taint::UNTRUSTED]);
    world.submit();
    assert_eq!(*carried.borrow(), [Taint::NONE, Taint::NONE, Taint::BOTH]);
    assert_eq!(world.result().taint, Taint::BOTH);
    assert!(is_remembered_as_tainted(&world));
    let mut view = TaskView::new(world.machine.task_id);
    world.envelopes().into_iter().for_each(|envelope| view.observe(envelope));
    assert_eq!(view.taint, Taint::BOTH);

    let (mut world, _) = self::world(THREE, &[Taint::PRIVATE]);
    world.submit();
    assert_eq!(world.result().taint, Taint::PRIVATE);
    assert!(!is_remembered_as_tainted(&world), "what is the person's own is no stranger's");
}

#[test]
fn a_correction_and_a_replan_do_not_wash_it_off() {
    let (world, carried) = world(CHECKED, &[Taint::UNTRUSTED]);
    let mut failures = 3;
    let mut world = world.checks(move |_| {
        failures -= i32::from(failures > 0);
        if failures > 0 { Verdict::Fail } else { Verdict::Pass }
    });
    world.submit();
    let carried = carried.borrow();
    assert!(carried.len() > 1 && carried[1..].iter().all(|taint| *taint == Taint::UNTRUSTED), "{carried:?}");
}

#[test]
fn a_restart_keeps_it_and_a_call_that_is_wanted_again_learns_of_it() {
    let (world, carried) = world(THREE, &[Taint::PRIVATE]);
    let (noted, mut looks) = (Rc::clone(&carried), 0);
    // Both calls of the group are wanted; the daemon goes down when the first has ended and the second has not.
    let mut world = world.crashing(move || {
        let is_between = noted.borrow().len() == 2;
        looks += i32::from(is_between);
        is_between && looks == 2
    });
    world.submit();
    assert_eq!(*carried.borrow(), [Taint::NONE, Taint::NONE, Taint::PRIVATE, Taint::PRIVATE]);
    assert_eq!(world.result().taint, Taint::PRIVATE);
}

#[test]
fn a_yes_for_the_rest_of_the_task_outlasts_a_mixture_in_its_own_folders() {
    for (folder, stays) in [("/w", true), ("/h/artoo_workspace", true), ("/h/notes", false)] {
        let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held);
        world.submit();
        let question = world.machine.pending.tools().next().map(held).expect("a call waits for its answer");
        let at = |name: &str| {
            let real = format!("{folder}/{name}");
            let states = vec![TargetState {
                real: real.clone(),
                leads_to: real.clone(),
                ..question.states[0].clone()
            }];
            HeldCall { targets: vec![real], states, ..question.clone() }
        };
        world.machine.questions.remember(&at("a.o"));
        for taint in [Taint::UNTRUSTED, Taint::PRIVATE] {
            assert!(world.machine.questions.is_remembered(&at("b.o")), "{folder}");
            world.machine.take_in(taint);
        }
        assert_eq!(world.machine.questions.is_remembered(&at("b.o")), stays, "{folder}");
    }
}

#[test]
fn earlier_turns_and_recalled_memories_bring_theirs() {
    let (mut world, carried) = self::world(CHECKED, &[]);
    let summary = "what a page said".to_owned();
    world.setting.session = vec![SessionPair {
        input: "read it".to_owned(),
        summary,
        answer: String::new(),
        taint: Taint::UNTRUSTED,
    }];
    world.submit();
    assert_eq!(*carried.borrow(), [Taint::UNTRUSTED]);

    for tainted in [true, false] {
        let (mut world, carried) = self::world(CHECKED, &[]);
        world.memory = recalled(tainted);
        world.submit();
        assert_eq!(*carried.borrow(), [Taint { untrusted: tainted, ..Taint::NONE }]);
    }
}

fn recalled(tainted: bool) -> MemoryReply {
    let tag = Tag { space: "intent:count".to_owned(), entity: "env:local".to_owned() };
    let megram = Megram {
        id: Uuid::from_u128(1),
        level: Level::M,
        created_at: Timestamp(1),
        last_recalled_at: None,
        tag: tag.clone(),
        content: "it went well".to_owned(),
        state: "accept".to_owned(),
        f: 0.9,
        sigma: 1.0,
        k: Rate::Slow,
        agent_id: "R7".to_owned(),
        task_id: Some(TaskId(Uuid::from_u128(2))),
        parents: Vec::new(),
        tainted,
        about: String::new(),
        failed: Default::default(),
    };
    let potentials = Potentials { attention: 0.9, decision: 0.9, action: MemoryAction::Ignore };
    MemoryReply {
        entries: vec![MemoryEntry {
            tag,
            potentials,
            sops: Vec::new(),
            top: vec![megram],
            via: None,
            proposals: vec![],
        }],
        unavailable: None,
        present: Vec::new(),
    }
}
