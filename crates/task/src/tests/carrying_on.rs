//! What who carries on the work of an earlier plan knows of it.

use std::cell::RefCell;
use std::rc::Rc;

use artoo_types::envelope::Role;
use artoo_types::machine::StepRecord;

use super::CHECKED;
use super::world::{Tool, World, reply, scripted};
use crate::fold::fold;

/// The prompts of R2 and of R3, in order, of a task whose first plan edits a file, looks, and falls short.
fn prompts_after_a_replan() -> (Vec<String>, Vec<String>, World) {
    let seen: Rc<RefCell<(Vec<String>, Vec<String>)>> = Rc::default();
    let told = Rc::clone(&seen);
    let (mut plans, mut turns) = (0, 0);
    let mut script = scripted(CHECKED);
    let mut world = World::new(move |request| {
        let prompt = request.messages[1].content.clone();
        match request.role {
            Role::Planner => {
                plans += 1;
                told.borrow_mut().0.push(prompt);
                reply(&CHECKED.replace("count\"", &format!("count in way {plans}\"")))
            }
            Role::Executor => {
                turns += 1;
                told.borrow_mut().1.push(prompt);
                match turns {
                    1 => reply(r#"{"action":"tool","tool":"write_file","arguments":{"path":"/w/a.rs"}}"#),
                    2 => reply(r#"{"action":"tool","tool":"glob","arguments":{"root":"."}}"#),
                    _ => reply(r#"{"action":"finish","status":"failed","output":"the linker is missing"}"#),
                }
            }
            _ => script(request),
        }
    })
    .tools(|call| match call.tool.as_str() {
        "write_file" => Tool::Changed("/w/a.rs"),
        _ => Tool::Ran(0, "three lines"),
    });
    world.submit();
    let (planner, executor) = seen.borrow().clone();
    (planner, executor, world)
}

#[test]
fn the_executor_of_the_next_plan_knows_what_was_done_and_seen() {
    let (_, prompts, world) = prompts_after_a_replan();
    assert!(prompts.len() > 3, "it was planned anew");
    let (before, after) = prompts.split_at(3);
    assert!(before.iter().all(|prompt| !prompt.contains("## Done by earlier plans")), "{before:?}");
    let first = &after[0];
    assert!(!first.contains("## Done so far"), "its own transcript begins: {first}");
    for told in ["; changed /w/a.rs", "  three lines", "[it ended: the linker is missing]"] {
        assert!(first.contains(told), "{told} is not in {first}");
    }
    let json: Vec<String> =
        world.records.iter().map(|r| serde_json::to_string(r).expect("a record has a JSON form")).collect();
    let records: Vec<StepRecord> =
        json.iter().map(|l| serde_json::from_str(l).expect("it was just written")).collect();
    let (_, difference) = fold(world.machine.task_id, records);
    assert!(difference.is_none(), "{difference:?}");
}

#[test]
fn the_planner_reads_which_files_were_changed() {
    let (prompts, _, _) = prompts_after_a_replan();
    assert!(prompts[1].contains("; changed /w/a.rs: changed"), "{}", prompts[1]);
}
