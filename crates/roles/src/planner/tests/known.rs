//! What the memory knows of a step travels with it to whoever carries it out.

use artoo_types::brief::AdviceForce;
use artoo_types::memory::{Level, Megram, MemoryAction, MemoryEntry, MemoryReply, Potentials, SopRecord};
use artoo_types::setting::{ModelTraits, TaskSetting};
use artoo_types::situation::Situation;
use artoo_types::tag::Tag;
use artoo_types::task::TaskSpec;

use super::memory::{entry, megram, memory, reads};
use super::{Effect, Input, Planner, accepted, answer_knowing, asked, only_question, step_on};
use crate::prompt::tests::setting;
use crate::testing::{section, spec, task_id, user_text};

fn worked(tag: Tag, content: &str) -> MemoryEntry {
    let mut entry = entry(tag, MemoryAction::Exploit);
    entry.top.push(megram(content, 1.0));
    entry
}

fn fact(content: &str) -> MemoryEntry {
    let mut entry = entry(Tag::user(), MemoryAction::Ignore);
    let id = uuid::Uuid::nil();
    entry.sops =
        vec![SopRecord { id, content: content.to_owned(), sigma: 1.0, level: Level::C, overwritten: false }];
    entry
}

#[test]
fn a_step_carries_what_worked_with_its_tools_on_its_inputs_and_nothing_else() {
    let own = worked(Tag::tool("read_file", Some("/w/a")), "reading by pages worked");
    let class = worked(Tag::tool("read_file", None), "it is quick");
    let other = worked(Tag::tool("read_file", Some("/w/b")), "another file");
    let tool = worked(Tag::tool("glob", Some("/w/a")), "another tool");
    let plan = accepted(&mut asked(memory(vec![own, class, other, tool])), &reads("/w/a"));
    let known: Vec<_> =
        plan.subtasks[0].known.iter().map(|known| (known.force, known.content.as_str())).collect();
    assert_eq!(
        known,
        [(AdviceForce::Prefer, "reading by pages worked"), (AdviceForce::Prefer, "it is quick")]
    );
}

#[test]
fn what_was_looked_up_for_the_draft_reaches_its_step() {
    let mut planner = asked(memory(Vec::new()));
    let found = worked(Tag::tool("read_file", Some("/w/a")), "reading by pages worked");
    let effects = answer_knowing(&mut planner, &reads("/w/a"), memory(vec![found]));
    let [Effect::Dispatch(plan)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(plan.subtasks[0].known.len(), 1);
}

#[test]
fn a_step_carries_the_facts_of_the_person_that_concern_it() {
    let check = |content: &str, concerns: bool| {
        let plan = accepted(&mut asked(memory(vec![fact(content)])), &reads("/w/a"));
        let known: Vec<_> = plan.subtasks[0].known.iter().map(|known| known.force).collect();
        assert_eq!(known, if concerns { vec![AdviceForce::Fact] } else { vec![] }, "{content}");
    };
    check("my notes are in German", true);
    check("the budget is in euros", false);
}

#[test]
fn a_step_carries_six_lines_at_most() {
    let many = (0..10).map(|number| worked(Tag::tool("read_file", None), &format!("lesson {number}")));
    let plan = accepted(&mut asked(memory(many.collect())), &reads("/w/a"));
    assert_eq!(plan.subtasks[0].known.len(), 6);
}

#[test]
fn what_the_tasks_of_a_folder_share_is_told_where_the_request_is_about_it() {
    let shared = || {
        let tag = Tag::folder("/w");
        let content =
            "`make check` did its work in this folder in 3 accepted tasks (run the tests)".to_owned();
        let megram = Megram {
            level: Level::K,
            tag: tag.clone(),
            content,
            state: "shared".to_owned(),
            ..megram("", 1.0)
        };
        let potentials = Potentials { attention: 0.6, decision: 0.6, action: MemoryAction::Exploit };
        MemoryEntry { tag, potentials, sops: vec![], top: vec![megram], via: None, proposals: vec![] }
    };
    let told = |request: &str, has_model: bool| {
        let spec = TaskSpec { raw_input: request.to_owned(), ..spec() };
        let setting = TaskSetting {
            models: ModelTraits { language_model: has_model, ..Default::default() },
            ..setting(true)
        };
        let mut planner = Planner::new(task_id(), &setting, "/w");
        step_on(&mut planner, Input::Spec(spec));
        if has_model {
            step_on(&mut planner, Input::Situation(Situation::default()));
        }
        let reply = MemoryReply { entries: vec![shared()], ..MemoryReply::default() };
        let request = only_question(step_on(&mut planner, Input::Memory(reply)));
        section(user_text(&request), "Memory").map(str::to_owned)
    };
    let line = told("Do the tests pass?", true).expect("it is about the tests");
    assert!(line.starts_with("SHOULD PREFER: `make check` did its work in this folder in 3"), "{line}");
    assert_eq!(told("How many notes are there?", true), None);
    assert_eq!(told("Do the tests pass?", false), None, "the built-in rules know no commands");
}
