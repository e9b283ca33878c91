//! The stories. Each says what the folder holds, what the model's roles do, and what the person does.

use artoo_types::memory::{Level, MemoryAction, MemoryEntry, MemoryReply, Potentials, Proposal, SopRecord};
use artoo_types::tag::Tag;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{Mishap, Person, World};
use artoo_testing::model_server::{Reply, Seen};
use artoo_testing::scripted_roles::{
    Scenario, checked, criterion, finish, last_tool, plan, plan_with_output_from, subtask, tool,
};

/// Runs the story and compares its trace.
macro_rules! check {
    ($name:literal, $world:expr, $input:expr) => {{
        let mut world: World = $world;
        insta::assert_snapshot!($name, world.run($input));
        world
    }};
}

fn reading(slug: &str, clarify: &[&str], answer: &Value) -> Value {
    json!({"slug": slug, "intent": slug.replace('_', " "), "constraints": {"scope": null, "deadline": null},
           "tags": [], "clarify": clarify, "direct_answer": answer})
}

/// A plan of one step that reads this file, and what the executor does then.
fn read_one(scenario: Option<Scenario>, name: &str) -> Scenario {
    let intent = format!("Read {name}");
    let step = subtask(1, &intent, &["read_file"], &[name], &[criterion("What it says is known.")]);
    let plan = plan(&[criterion("What the file says is reported.")], &[step]);
    let planned = match scenario {
        Some(scenario) => scenario.then_plan(plan),
        None => Scenario::new(plan),
    };
    planned.act(&intent, vec![last_tool("read_file", &json!({"path": name}))])
}

#[test]
fn two_steps_with_checks_are_accepted() {
    let found = checked("the texts are found", &json!({"kind": "output_lines", "op": "eq", "n": 2}));
    let written =
        checked("the list is written", &json!({"kind": "file_lines", "path": "list.md", "op": "ge", "n": 2}));
    let steps = [
        subtask(1, "Find the texts", &["glob"], &[], &[found]),
        subtask(2, "Write the list", &["write_file"], &["list.md"], std::slice::from_ref(&written)),
    ];
    let scenario = Scenario::new(plan_with_output_from(1, std::slice::from_ref(&written), &steps))
        .act("Find the texts", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))])
        .act(
            "Write the list",
            vec![last_tool("write_file", &json!({"path": "list.md", "content": "a.txt\nb.txt\n"}))],
        );
    let world = World::new(scenario).file("a.txt", "one\n").file("b.txt", "two\n").file("c.md", "three\n");
    let world = check!("accepted", world, "List my text files in list.md");
    assert_eq!(world.written("list.md"), "a.txt\nb.txt\n");
}

#[test]
fn a_correction_leads_to_another_attempt() {
    let named = checked("the third line is named", &json!({"kind": "output_contains", "text": "gamma"}));
    let steps = [subtask(1, "Read the third line", &["read_file"], &["greek.txt"], &[named])];
    let scenario = Scenario::new(plan(&[criterion("The third line is reported.")], &steps));
    let world = World::with_model(move |seen: &Seen| {
        if seen.role != "R3" {
            return scenario.reply(seen);
        }
        let corrected = !seen.section("Correction").is_empty();
        let offset = if corrected { 2 } else { 1 };
        Reply::Sse(
            last_tool("read_file", &json!({"path": "greek.txt", "offset": offset, "limit": 1})).to_string(),
        )
    });
    check!(
        "corrected",
        world.file("greek.txt", "alpha\nbeta\ngamma\n"),
        "What is the third line of greek.txt?"
    );
}

#[test]
fn a_missing_file_is_looked_for_elsewhere() {
    let scenario = read_one(Some(read_one(None, "预算.txt")), "archive/预算.txt");
    let scenario = scenario.fail("What it says is known.", "environmental", 1);
    let world = World::new(scenario).without_corrections().file("archive/预算.txt", "总计 42\n");
    check!("replanned", world, "预算是多少？");
}

#[test]
fn an_approach_that_was_wrong_is_blocked() {
    let counted = || checked("the number is there", &json!({"kind": "output_contains", "text": "3 a.txt"}));
    let one = move |intent: &str, class: &str| {
        plan(
            &[criterion("The number of lines is reported.")],
            &[subtask(1, intent, &[class], &[], &[counted()])],
        )
    };
    let scenario = Scenario::new(one("Count the lines by a guess", "write_file"))
        .then_plan(one("Count the lines by another guess", "write_file"))
        .act(
            "Count the lines by a guess",
            vec![last_tool("write_file", &json!({"path": "guess.txt", "content": "4"}))],
        )
        .act("Count the lines with wc", vec![last_tool("shell", &json!({"command": "wc -l a.txt"}))]);
    let world = World::with_model(move |seen: &Seen| {
        // The second round's first draft uses what is blocked; the next one does not.
        if seen.role == "R2" && !seen.section("Rejected draft").is_empty() {
            return Reply::Sse(one("Count the lines with wc", "shell:wc").to_string());
        }
        scenario.reply(seen)
    });
    let world = world.file("a.txt", "1\n2\n3\n").without_corrections();
    check!("blocked", world, "How many lines has a.txt?");
}

#[test]
fn a_task_that_cannot_be_done_says_what_was_tried() {
    let names = ["a.txt", "b.txt", "c.txt", "d.txt"];
    let scenario = names.iter().fold(None, |scenario, name| Some(read_one(scenario, name)));
    let scenario = scenario.expect("four plans").fail("What it says is known.", "environmental", 4);
    check!("abandoned", World::new(scenario).without_corrections(), "What does the file say?");
}

/// Deletes a file.
fn remover() -> World {
    let gone = [checked("x.txt is gone", &json!({"kind": "file_absent", "path": "./x.txt"}))];
    let steps =
        [subtask(1, "Delete x.txt", &["shell:rm"], &["x.txt"], &[criterion("The file was deleted.")])];
    let scenario = Scenario::new(plan(&gone, &steps))
        .act("Delete x.txt", vec![last_tool("shell", &json!({"command": "rm x.txt"}))]);
    World::new(scenario).file("x.txt", "precious")
}

#[test]
fn an_action_runs_with_a_yes() {
    let world = check!("allowed", remover().person(Person::Agrees, ""), "Delete x.txt");
    assert!(!world.work().join("x.txt").exists());
}

#[test]
fn an_action_does_not_run_with_a_no_and_not_without_an_answer() {
    let world = check!("denied", remover().person(Person::Refuses, ""), "Delete x.txt");
    assert!(world.work().join("x.txt").exists());
    let world = check!("unattended", remover(), "Delete x.txt");
    assert!(world.work().join("x.txt").exists());
}

#[test]
fn a_question_is_answered_before_anything_is_planned() {
    let scenario = read_one(None, "计划.txt");
    let world = World::with_model(move |seen: &Seen| {
        let asked = seen.role == "R1" && seen.section("Clarification").is_empty();
        if asked {
            return Reply::Sse(reading("read_the_plan", &["哪个文件？"], &Value::Null).to_string());
        }
        scenario.reply(seen)
    });
    let world = world.person(Person::Agrees, "计划.txt").file("计划.txt", "买种子\n");
    check!("clarified", world, "读一下计划");
}

#[test]
fn a_greeting_needs_no_plan() {
    let answer = reading("greeting", &[], &json!("Hello! What can I do for you?"));
    check!("answered", World::with_model(move |_| Reply::Sse(answer.to_string())), "Hello");
}

#[test]
fn a_cancelled_task_delivers_what_matched() {
    let found = || checked("something is found", &json!({"kind": "output_lines", "op": "ge", "n": 1}));
    let steps = [
        subtask(1, "Find the texts", &["glob"], &[], &[found()]),
        subtask(2, "Find the notes", &["glob"], &[], &[found()]),
    ];
    let look = |pattern: &str| vec![last_tool("glob", &json!({"root": ".", "pattern": pattern}))];
    let scenario = Scenario::new(plan(&[criterion("Both are reported.")], &steps))
        .act("Find the texts", look("*.txt"))
        .act("Find the notes", look("*.md"));
    let world = World::new(scenario).file("a.txt", "one\n").mishap(Mishap::Cancelled("sub_task_outcome"));
    check!("cancelled", world, "Find my texts and notes");
}

#[test]
fn a_task_goes_on_after_a_restart_without_writing_twice() {
    let written = [checked(
        "the greeting is written",
        &json!({"kind": "file_contains", "path": "hello.txt", "text": "hello"}),
    )];
    let steps = [subtask(1, "Write the greeting", &["write_file"], &["hello.txt"], &written)];
    let scenario = || {
        Scenario::new(plan_with_output_from(0, &written, &steps)).act(
            "Write the greeting",
            vec![last_tool("write_file", &json!({"path": "hello.txt", "content": "hello, world\n"}))],
        )
    };
    let mut world = World::new(scenario());
    let whole = world.run("Write a greeting to hello.txt");
    insta::assert_snapshot!("written", whole);
    for mishap in [
        Mishap::Restarted("task_submitted"),
        Mishap::Restarted("dispatch_manifest"),
        Mishap::Restarted("tool_call_started"),
        Mishap::RestartedBeforeActing,
        Mishap::RestartedAfterActing,
        Mishap::Restarted("execution_result"),
    ] {
        let mut world = World::new(scenario()).mishap(mishap);
        assert_eq!(world.run("Write a greeting to hello.txt"), whole, "{mishap:?}");
        assert_eq!(world.written("hello.txt"), "hello, world\n", "{mishap:?}");
    }
}

#[test]
fn a_claim_without_a_tool_call_is_not_believed() {
    let steps = [subtask(1, "Count the files", &["glob"], &[], &[criterion("The number was counted.")])];
    let scenario = Scenario::new(plan(&[criterion("The number is reported.")], &steps))
        .then_plan(plan(
            &[criterion("The number is reported.")],
            &[subtask(
                1,
                "Count the files with glob",
                &["glob"],
                &[],
                &[criterion("The number was counted.")],
            )],
        ))
        .act("Count the files", vec![finish("completed", "There are 7 files.")])
        .act("Count the files with glob", vec![tool("glob", &json!({"root": ".", "pattern": "*"}))]);
    check!("not_believed", World::new(scenario).file("a.txt", "one\n"), "How many files are here?");
}

/// A memory that has a rule for the scenario's intent, and a proposal from another one.
fn well_informed() -> MemoryReply {
    let rule = Uuid::from_u128(1);
    let sop = SopRecord {
        id: rule,
        content: "Read the file.".to_owned(),
        sigma: 1.0,
        level: Level::C,
        overwritten: false,
    };
    let proposal =
        Proposal { id: Uuid::from_u128(2), content: "Read it twice.".to_owned(), from: vec![rule] };
    let entry = MemoryEntry {
        tag: Tag::intent("Do what the scenario says."),
        potentials: Potentials::default(),
        sops: vec![sop],
        top: Vec::new(),
        via: None,
        proposals: vec![proposal],
    };
    MemoryReply { entries: vec![entry], unavailable: None, present: Vec::new() }
}

#[test]
fn what_the_memory_gave_is_judged_by_the_end_and_the_result_stays_last() {
    let fails = read_one(None, "a.txt").fail("What it says is known.", "logical", 1);
    let world = World::new(fails).without_corrections().without_replans().knowing(well_informed());
    check!("contradicted", world.file("a.txt", "one\n"), "What does the file say?");
    let world = World::new(read_one(None, "a.txt")).knowing(well_informed());
    check!("confirmed", world.file("a.txt", "one\n"), "What does the file say?");
}

#[test]
fn a_draft_that_memory_forbids_never_goes_out() {
    let read = |name: &str| {
        let intent = format!("Read {name}");
        let shown = checked("it is read", &json!({"kind": "output_lines", "op": "ge", "n": 1}));
        plan_with_output_from(
            0,
            std::slice::from_ref(&shown),
            &[subtask(1, &intent, &["read_file"], &[name], std::slice::from_ref(&shown))],
        )
    };
    let (forbidden, other) = (read("old.txt"), read("new.txt"));
    let scenario = Scenario::new(other.clone())
        .act("Read new.txt", vec![last_tool("read_file", &json!({"path": "new.txt"}))]);
    // The planner wants what memory forbids until its draft comes back.
    let world = World::with_model(move |seen: &Seen| match seen.role.as_str() {
        "R2" if seen.section("Rejected draft").is_empty() => Reply::Sse(forbidden.to_string()),
        _ => scenario.reply(seen),
    });
    let world = world.advising("read_file", "old.txt", MemoryAction::Avoid);
    check!("forbidden", world.file("old.txt", "1\n").file("new.txt", "2\n"), "Read my text");
}

#[test]
fn a_command_that_memory_calls_for_caution_with_is_asked_about() {
    let intent = "Show a.txt";
    let shown = checked("it is shown", &json!({"kind": "output_contains", "text": "one"}));
    let step = subtask(1, intent, &["shell:cat"], &["a.txt"], std::slice::from_ref(&shown));
    let scenario = Scenario::new(plan_with_output_from(0, &[shown], &[step]))
        .act(intent, vec![last_tool("shell", &json!({"command": "cat a.txt"}))]);
    let world = World::new(scenario).person(Person::Agrees, "").file("a.txt", "one\n");
    check!("careful", world.advising("shell:cat", "a.txt", MemoryAction::Caution), "Show a.txt");
}
