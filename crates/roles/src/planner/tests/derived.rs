//! What code adds to a plan.

use artoo_types::Timestamp;
use artoo_types::criteria::{Check, Criterion, Derived};
use artoo_types::memory::MemoryReply;
use artoo_types::task::TaskSpec;
use serde_json::{Value, json};

use super::{Input, Planner, accepted, only_question, step_on};
use crate::prompt::tests::setting;
use crate::testing::{spec, task_id};

/// The plan that this draft becomes for this request.
fn planned(request: &str, draft: &Value) -> artoo_types::plan::DispatchManifest {
    let mut planner = Planner::new(task_id(), &setting(true), "/w");
    planner.step(Timestamp(0), Input::Spec(TaskSpec { raw_input: request.to_owned(), ..spec() }));
    only_question(step_on(&mut planner, Input::Memory(MemoryReply::default())));
    accepted(&mut planner, draft)
}

fn draft(intent: &str, tool: &str, criteria: &Value) -> Value {
    let step = json!({"sequence": 1, "intent": intent, "tools": [tool], "targets": [], "success_criteria": criteria});
    json!({"task_criteria": criteria, "subtasks": [step]})
}

fn derived(criteria: &[Criterion]) -> Vec<(&str, Option<Check>)> {
    let all = criteria.iter().filter_map(|c| Some((c.derived.as_ref()?.as_str(), c.check.clone())));
    all.collect()
}

fn exists(path: &str) -> Option<Check> {
    Some(Check::FileExists { path: path.to_owned() })
}

fn absent(path: &str) -> Option<Check> {
    Some(Check::FileAbsent { path: path.to_owned() })
}

#[test]
fn what_a_request_leaves_is_in_the_plan_of_the_task_and_of_its_only_step() {
    let plan = planned(
        "Move ./m.txt to ./archive/m.txt",
        &draft("Move m.txt", "shell:mv", &json!(["./m.txt is moved to ./archive/m.txt"])),
    );
    let expected = vec![("deleted", absent("./m.txt")), ("moved", exists("./archive/m.txt"))];
    assert_eq!(derived(&plan.task_criteria), expected);
    assert_eq!(derived(&plan.subtasks[0].success_criteria), expected);
}

#[test]
fn what_the_plan_checks_itself_is_not_derived_again() {
    let check =
        json!([{"text": "./junk.dat is deleted", "check": {"kind": "file_absent", "path": "/w/junk.dat"}}]);
    let plan = planned("Delete ./junk.dat", &draft("Delete junk.dat", "shell:rm", &check));
    assert_eq!(derived(&plan.task_criteria), []);
    let unchanged = json!(["./r.md is made", {"text": "./r.md is there", "check": {"kind": "file_exists", "path": "./r.md", "unchanged": true}}]);
    let plan = planned("Create ./r.md", &draft("Create r.md", "write_file", &unchanged));
    assert_eq!(derived(&plan.task_criteria), [("made", exists("./r.md"))], "a precondition is no result");
}

#[test]
fn steps_of_a_longer_plan_are_left_alone_and_the_task_is_not() {
    let step = |sequence: u32, intent: &str| json!({"sequence": sequence, "intent": intent, "tools": ["shell"], "targets": [], "success_criteria": [format!("{intent}: ./old.log is deleted")]});
    let plan = planned(
        "List ./d, then delete ./old.log",
        &json!({"task_criteria": ["./d is listed", "./old.log is deleted"], "subtasks": [step(1, "List ./d"), step(2, "Delete ./old.log")]}),
    );
    assert_eq!(derived(&plan.task_criteria), [("deleted", absent("./old.log"))]);
    assert!(plan.subtasks.iter().all(|step| derived(&step.success_criteria).is_empty()));
}

#[test]
fn a_check_may_hold_as_before_where_nothing_is_ordered() {
    let there =
        json!([{"text": "./first.txt is there", "check": {"kind": "file_exists", "path": "./first.txt"}}]);
    let marks = |request: &str, intent: &str, tool: &str| {
        let plan = planned(request, &draft(intent, tool, &there));
        plan.task_criteria[0].derived.clone()
    };
    let unchanged = Some(Derived::Unchanged);
    assert_eq!(marks("Show ./first.txt", "Read ./first.txt", "read_file"), unchanged);
    assert_eq!(marks("Which words are in ./first.txt?", "Read ./first.txt", "read_file"), unchanged);
    assert_eq!(marks("显示./first.txt", "读取./first.txt", "read_file"), unchanged);
    assert_eq!(
        marks("Show ./first.txt", "Write ./first.txt", "read_file"),
        None,
        "the step changes something"
    );
    assert_eq!(marks("Show ./first.txt", "See to ./first.txt", "write_file"), None);
    assert_eq!(marks("Run ./make.sh and show ./first.txt", "Run ./make.sh", "shell"), None);
    assert_eq!(
        marks("./first.txt, my dear", "See to ./first.txt", "shell"),
        None,
        "nobody knows what is asked"
    );
}

#[test]
fn a_model_has_no_word_for_what_is_derived() {
    let said = json!([{"text": "./first.txt is there", "derived": "unchanged", "check": {"kind": "file_exists", "path": "./first.txt"}}]);
    let plan = planned("Run ./make.sh", &draft("Run ./make.sh", "shell", &said));
    assert_eq!(plan.task_criteria[0].derived, None);
}

#[test]
fn the_rest_of_a_file_that_is_changed_may_stay() {
    let holds = |text: &str, regex: &str, unchanged: bool| {
        let check =
            json!({"kind": "file_contains", "path": "./c.ini", "regex": regex, "unchanged": unchanged});
        json!({"text": text, "check": check})
    };
    let rest = holds("The rest of ./c.ini is unchanged", "host = x", true);
    let stays = |request: &str, criteria: &Value| {
        let plan = planned(request, &draft(request, "write_file", criteria));
        let found = plan.subtasks[0].success_criteria.iter().find(|c| c.text.contains("rest"));
        found.expect("the plan has it").unchanged
    };
    let port = holds("./c.ini has the port 9090", "port = 9090", false);
    assert!(!stays("Set the port to 9090", &json!([port, rest])));
    assert!(!stays("Change the port to 9090 in ./c.ini", &json!(["The port is 9090", rest])));
    assert!(stays("Fix ./a.py", &json!(["./a.py is right", rest])), "nothing is wanted of this file");
}
