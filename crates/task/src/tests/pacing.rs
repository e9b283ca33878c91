//! The time of a task as its steps have it.

use std::cell::RefCell;
use std::rc::Rc;

use artoo_types::control::Ending;
use artoo_types::envelope::Role;

use super::PLAIN;
use super::world::{Tool, World, reply, scripted};

/// An executor that makes so many calls, each a command of its own, and then answers.
fn patient(calls: usize) -> World {
    let mut turn = 0;
    let mut script = scripted(PLAIN);
    World::new(move |request| match request.role {
        Role::Executor => {
            turn += 1;
            if turn > calls {
                return reply(r#"{"action":"finish","status":"completed","output":"three lines"}"#);
            }
            reply(&format!(r#"{{"action":"tool","tool":"shell","arguments":{{"command":"ls {turn}"}}}}"#))
        }
        _ => script(request),
    })
    .tools(|_| Tool::Ran(0, "three lines"))
}

#[test]
fn an_only_step_may_take_the_time_of_its_task() {
    let mut world = patient(10);
    // Turns of 40 s: more than the budget of 300 s, and within the deadline of 600 s.
    world.pace_ms = 20_000;
    world.submit();
    let result = world.result();
    assert_eq!(result.directive, Ending::Accept, "{}", result.summary);
    assert!(world.now.since_ms(artoo_types::Timestamp(1_000_000)) > 480_000);
    assert!(!world.trace().contains(&"plan_directive"), "{:?}", world.trace());
}

#[test]
fn a_call_has_the_time_that_its_executor_was_told() {
    let seen: Rc<RefCell<Vec<(u64, String)>>> = Rc::default();
    let (told, limits) = (Rc::clone(&seen), Rc::new(RefCell::new(Vec::new())));
    let of_call = Rc::clone(&limits);
    let mut script = scripted(PLAIN);
    let mut world = World::new(move |request| {
        if request.role == Role::Executor {
            let prompt = &request.messages[1].content;
            let step =
                prompt.split("## Step\n").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default();
            let most = step.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
            told.borrow_mut().push((most, step.to_owned()));
        }
        script(request)
    })
    .tools(move |call| {
        of_call.borrow_mut().push(call.deadline_ms);
        Tool::Ran(0, "three lines")
    });
    world.pace_ms = 1_000;
    world.submit();
    let (told, limits) = (seen.borrow(), limits.borrow());
    assert!(told[0].1.starts_with("1 of 60, 8 min left; timeout_ms at most 480000"), "{told:?}");
    // A tenth of ten minutes is kept for judging.
    assert!(limits[0] >= told[0].0 && limits[0] <= 540_000, "{limits:?} of {told:?}");
}
