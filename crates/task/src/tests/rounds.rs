//! What one round did and the next one rests on.

use std::cell::Cell;
use std::rc::Rc;

use artoo_types::chat::ModelOutcome;
use artoo_types::control::{Ending, Reason};
use artoo_types::criteria::Verdict;
use artoo_types::envelope::Role;
use artoo_types::machine::TaskInput;
use artoo_types::task::StopCause;

use super::world::{Tool, World, passing, reply, scripted};

/// One step that is to change a file and to show it; only the second half is checked.
const CHANGING: &str = r#"{"subtasks":[{"sequence":1,"intent":"INTENT","tools":["glob"],"success_criteria":["The line done is added to /w/notes.txt",{"text":"notes.txt is shown","check":{"kind":"tool_called","tool":"glob"}}]}]}"#;

/// A task whose first plan fails by a check after it made this call, and whose second one, new in all of its steps, only
/// looks.
fn replanned(first: fn() -> Tool) -> World {
    let plans = Rc::new(Cell::new(0));
    let seen = Rc::clone(&plans);
    let mut world = World::new(move |request| -> ModelOutcome {
        let prompt = &request.messages[1].content;
        match request.role {
            Role::Perceiver => reply(r#"{"slug":"notes","intent":"Add the line done to /w/notes.txt"}"#),
            Role::Planner => {
                plans.set(plans.get() + 1);
                let intent = if plans.get() == 1 { "Add the line done" } else { "Look at what there is" };
                reply(&CHANGING.replace("INTENT", intent))
            }
            Role::Executor if prompt.contains("Look at what there is") => {
                reply(r#"{"action":"tool","tool":"glob","arguments":{"root":"."},"final":true}"#)
            }
            Role::Executor if !prompt.contains("[receipt r") => {
                reply(r#"{"action":"tool","tool":"shell","arguments":{"command":"x"}}"#)
            }
            Role::Executor => reply(r#"{"action":"finish","status":"completed","output":"done"}"#),
            _ => reply(&passing(request)),
        }
    })
    .tools(move |call| if call.tool == "shell" { first() } else { Tool::Ran(0, "notes.txt: done") });
    world = world.checks(move |_| if seen.get() == 1 { Verdict::Fail } else { Verdict::Pass });
    world.submit_words("Add the line done to /w/notes.txt");
    world
}

/// Fails where a new plan forgets what the one before it did.
#[test]
fn what_an_earlier_plan_changed_stays_done() {
    let world = replanned(|| Tool::Changed("/w/notes.txt"));
    let result = world.result();
    assert_eq!((result.directive, result.replans), (Ending::Accept, 1), "{result:?}");
}

/// Fails where a call that did nothing, or did it to something else, counts as the change.
#[test]
fn what_no_plan_changed_is_not_done() {
    for first in [(|| Tool::Ran(0, "done")) as fn() -> Tool, || Tool::Changed("/w/other.txt")] {
        let result = replanned(first).result();
        assert_eq!(result.directive, Ending::Abandon, "{result:?}");
    }
}

/// Fails where a deadline says no more than that it has passed.
#[test]
fn an_end_by_the_clock_says_what_stands() {
    const TWO: &str = r#"{"task_criteria":["The numbers are told"],"subtasks":[
        {"sequence":1,"intent":"count","tools":["glob"],"success_criteria":[{"text":"the files are counted","check":{"kind":"tool_called","tool":"glob"}}]},
        {"sequence":2,"intent":"list the rest","tools":["shell"],"success_criteria":[{"text":"the rest is listed","check":{"kind":"output_lines","op":"ge","n":1}}]}]}"#;
    let mut world = World::new(scripted(TWO));
    world = world.tools(|call| match call.arguments.contains("root") && call.tool == "glob" {
        true => Tool::Changed("/w/counted.txt"),
        false => Tool::Held,
    });
    let mut script = scripted(TWO);
    world.replace_model(move |request| match request.role {
        Role::Executor if request.messages[1].content.contains("1. count") => {
            reply(r#"{"action":"tool","tool":"shell","arguments":{"command":"x"},"final":true}"#)
        }
        _ => script(request),
    });
    world.submit();
    assert!(world.results().is_empty(), "the second step waits for a person: {:?}", world.results());
    let detail = "the deadline of 600 s passed".to_owned();
    world.put(TaskInput::Stop { cause: StopCause::Deadline, detail });
    let result = world.result();
    assert_eq!(result.reason, Reason::Deadline);
    assert_eq!(
        result.summary,
        "Stopped: the deadline of 600 s passed. 1 of 3 criteria met: the files are counted. Open: The numbers are told; \
         the rest is listed. Left as it is now: changed /w/counted.txt. PARTIAL: the output is only what matched before \
         the end."
    );
    assert_eq!(result.output, serde_json::json!("count\nchanged"));
}
