use artoo_types::control::PlanDirective;
use artoo_types::memory::{
    FailedPlan, Level, Megram, MemoryAction, MemoryEntry, MemoryReply, PlanInput, Potentials, Proposal,
    Relatedness, RememberedFailure, SopRecord, Via, WorldState,
};
use artoo_types::outcome::OutcomeStatus;
use artoo_types::plan::PlanMark;
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use artoo_types::{TaskId, Timestamp};
use serde_json::Value;
use uuid::Uuid;

use super::{
    Effect, Input, Planner, accepted, answer_knowing, asked, draft_of, only_question, sent_back,
    sent_back_with, step, step_on,
};
use crate::planner::memory::PlanMemory;
use crate::prompt::tests::setting;
use crate::testing::{directive, outcome, says, section, spec, task_id, user_text};

pub(super) fn entry(tag: Tag, action: MemoryAction) -> MemoryEntry {
    let potentials = Potentials { attention: 2.0, decision: -1.0, action };
    MemoryEntry { tag, potentials, sops: Vec::new(), top: Vec::new(), via: None, proposals: vec![] }
}

pub(super) fn megram(content: &str, sigma: f64) -> Megram {
    Megram {
        id: Uuid::nil(),
        level: Level::M,
        created_at: Timestamp(0),
        last_recalled_at: None,
        tag: Tag::user(),
        content: content.to_owned(),
        state: "abandon".to_owned(),
        f: 1.0,
        sigma,
        k: Rate::Slow,
        agent_id: String::new(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

fn sop(content: &str, sigma: f64) -> SopRecord {
    SopRecord { id: Uuid::nil(), content: content.to_owned(), sigma, level: Level::C, overwritten: false }
}

pub(super) fn memory(entries: Vec<MemoryEntry>) -> MemoryReply {
    MemoryReply { entries, unavailable: None, present: Vec::new() }
}

pub(super) fn world(folder: &str, inputs: &[PlanInput]) -> WorldState {
    WorldState { folder: folder.to_owned(), inputs: inputs.to_vec() }
}

/// A plan that failed in the working folder of the tests, where it looked at nothing.
pub(super) fn failed_here(mark: PlanMark) -> FailedPlan {
    FailedPlan { mark, world: world("/w", &[]) }
}

pub(super) fn failure(plans: Vec<FailedPlan>) -> RememberedFailure {
    RememberedFailure { plans, world: None }
}

pub(super) fn reads(target: &str) -> Value {
    draft_of(&[step(1, "read the notes", &["read_file"], &[target])])
}

/// How a rule says where it comes from.
const RULE: &str = " (level C, rule 00000000-0000)";

/// The mark of a plan of one step.
pub(super) fn mark_of(sequence: u32, tool: &str, intent: &str) -> PlanMark {
    PlanMark::of([(sequence, &[tool.to_owned()][..], intent)])
}

/// The `## Memory` section of the question that follows this memory.
fn memory_section(entries: Vec<MemoryEntry>) -> Option<String> {
    let mut planner = Planner::new(task_id(), &setting(true), "/w");
    step_on(&mut planner, Input::Spec(spec()));
    let request = only_question(step_on(&mut planner, Input::Memory(memory(entries))));
    section(user_text(&request), "Memory").map(str::to_owned)
}

#[test]
fn an_avoid_on_exactly_this_class_and_target_is_enforced() {
    let check = |tag: Tag, action: MemoryAction, target: &str, rejected: bool| {
        let mut planner = asked(memory(vec![entry(tag.clone(), action)]));
        if rejected {
            let (notice, _) = sent_back(&mut planner, &reads(target));
            assert!(notice.reasons[0].ends_with("which is blocked"), "{:?}", notice.reasons);
        } else {
            accepted(&mut planner, &reads(target));
        }
    };
    let tag = || Tag::tool("read_file", Some("/w/a"));
    check(tag(), MemoryAction::Avoid, "/w/a", true);
    check(tag(), MemoryAction::Avoid, "a", true);
    check(tag(), MemoryAction::Avoid, "/w/b", false);
    for action in [MemoryAction::Caution, MemoryAction::Exploit, MemoryAction::Ignore] {
        check(tag(), action, "/w/a", false);
    }
    check(Tag::tool("read_file", None), MemoryAction::Avoid, "/w/a", false);
    check(Tag::tool("read_file", None), MemoryAction::Avoid, "*", false);
    check(Tag::tool("glob", Some("/w/a")), MemoryAction::Avoid, "/w/a", false);
    check(Tag::intent("read the notes"), MemoryAction::Avoid, "/w/a", false);
    // Tags are encoded; the target that they stand for is not.
    check(Tag::tool("read_file", Some("/w/50%|x")), MemoryAction::Avoid, "/w/50%|x", true);
}

#[test]
fn a_rule_against_exactly_this_class_and_target_is_enforced_as_well() {
    for (sigma, rejected) in [(-1.0, true), (0.0, true), (1.0, false)] {
        let mut rule = entry(Tag::tool("read_file", Some("/w/a")), MemoryAction::Ignore);
        rule.sops.push(sop("never read it", sigma));
        let mut planner = asked(memory(vec![rule]));
        if rejected {
            sent_back(&mut planner, &reads("/w/a"));
        } else {
            accepted(&mut planner, &reads("/w/a"));
        }
    }
}

#[test]
fn newer_experience_takes_the_force_from_a_rule_and_nothing_takes_it_from_a_law() {
    let outdated = SopRecord { overwritten: true, ..sop("never read it", -1.0) };
    let law = |sigma| SopRecord { level: Level::T, ..sop("says the operator", sigma) };
    for (sops, action, rejected) in [
        (vec![outdated.clone()], MemoryAction::Exploit, false),
        (vec![outdated], MemoryAction::Avoid, true),
        (vec![law(-1.0)], MemoryAction::Exploit, true),
        (vec![law(1.0)], MemoryAction::Avoid, false),
        (vec![law(1.0), sop("never read it", -1.0)], MemoryAction::Avoid, false),
        (vec![law(1.0), law(-1.0)], MemoryAction::Exploit, true),
    ] {
        let entry = MemoryEntry { sops, ..entry(Tag::tool("read_file", Some("/w/a")), action) };
        let mut planner = asked(memory(vec![entry.clone()]));
        if rejected {
            sent_back(&mut planner, &reads("/w/a"));
        } else {
            accepted(&mut planner, &reads("/w/a"));
        }
    }
}

#[test]
fn a_law_against_a_whole_class_binds_and_a_rule_against_one_is_only_told() {
    let of = |level| {
        let sops = vec![SopRecord { level, ..sop("leave it alone", -1.0) }];
        MemoryEntry { sops, ..entry(Tag::tool("read_file", None), MemoryAction::Ignore) }
    };
    let (notice, _) = sent_back(&mut asked(memory(vec![of(Level::T)])), &reads("/w/a"));
    assert_eq!(notice.reasons, ["subtask 1 uses read_file, which is blocked for it"]);
    let other = draft_of(&[step(1, "list the notes", &["glob"], &["/w"])]);
    let plan = accepted(&mut asked(memory(vec![of(Level::T)])), &other);
    assert_eq!(plan.subtasks[0].blocked.classes, ["read_file"], "the executor is bound as well");
    accepted(&mut asked(memory(vec![of(Level::C)])), &reads("/w/a"));
}

#[test]
fn what_memory_forbids_binds_the_executor_too() {
    let mut planner = asked(memory(vec![entry(Tag::tool("read_file", Some("/w/a")), MemoryAction::Avoid)]));
    let plan = accepted(&mut planner, &reads("/w/b"));
    let blocks: Vec<_> =
        plan.subtasks[0].blocked.targets.iter().map(|b| (b.class.as_str(), b.target.as_str())).collect();
    assert_eq!(blocks, [("read_file", "/w/a")]);
}

#[test]
fn each_kind_of_memory_has_its_word() {
    let with = |tag: Tag, action: MemoryAction, content: &str, sigma: f64| {
        let mut entry = entry(tag, action);
        entry.top.push(megram(content, sigma));
        entry
    };
    let tool = || Tag::tool("glob", Some("/w"));
    let check =
        |entry: MemoryEntry, line: Option<&str>| assert_eq!(memory_section(vec![entry]).as_deref(), line);
    check(
        with(tool(), MemoryAction::Exploit, "glob is quick", 1.0),
        Some("SHOULD PREFER: glob is quick (abandon)"),
    );
    // The right way with wrong parameters, however often, is no praise; beside a success it is no advice.
    let refined = |content: &str| Megram { state: "refine".to_owned(), ..megram(content, 0.5) };
    let mut missed = entry(tool(), MemoryAction::Exploit);
    missed.top = vec![refined("glob found nothing"), refined("glob found nothing again")];
    check(missed.clone(), None);
    missed.top.push(Megram { state: "break_symmetry".to_owned(), ..megram("glob is quick", 1.0) });
    check(missed, Some("SHOULD PREFER: glob is quick (break_symmetry)"));
    check(with(tool(), MemoryAction::Avoid, "glob hung", -1.0), Some("MUST NOT use: glob hung (abandon)"));
    check(with(tool(), MemoryAction::Caution, "glob is odd", 0.5), Some("CAUTION: glob is odd (abandon)"));
    check(with(tool(), MemoryAction::Ignore, "glob once ran", 1.0), None);
    let intent = || with(Tag::intent("list the notes"), MemoryAction::Avoid, "by date", -1.0);
    let mut wrong = intent();
    wrong.top[0].failed.plans.push(failed_here(mark_of(1, "glob", "list by date")));
    check(wrong.clone(), Some("MUST NOT repeat: by date (abandon)"));
    let elsewhere =
        "FAILED BEFORE (in another folder, or with inputs that have changed since; may work now): ";
    wrong.top[0].failed.plans[0].world.folder = "/elsewhere".to_owned();
    check(wrong.clone(), Some(&format!("{elsewhere}by date (abandon)")));
    // Earlier builds did not say in which state.
    wrong.top[0].failed.plans[0].world = WorldState::default();
    check(wrong, Some(&format!("{elsewhere}by date (abandon)")));
    let mut call = with(tool(), MemoryAction::Avoid, "glob hung", -1.0);
    call.top[0].failed.world = Some(world("/elsewhere", &[]));
    check(call, Some(&format!("{elsewhere}glob hung (abandon)")));
    // Where no plan was wrong, none is forbidden, and nothing is called so.
    check(intent(), Some("CAUTION: by date (abandon)"));
    check(with(Tag::user(), MemoryAction::Ignore, "writes German", 1.0), Some("FACT: writes German"));
    // Memories of the other sign do not support the advice; the tag itself then has to do.
    check(with(tool(), MemoryAction::Avoid, "it worked", 1.0), Some("MUST NOT use: tool:glob path:/w"));
    check(with(tool(), MemoryAction::Exploit, "it failed", -1.0), Some("SHOULD PREFER: tool:glob path:/w"));
}

/// The second run of a task costs no more than the first.
#[test]
fn what_always_went_well_needs_no_words() {
    let well = |about: &str| {
        let mut entry = entry(Tag::intent("list the notes"), MemoryAction::Exploit);
        let state = "accept".to_owned();
        entry.top.push(Megram { about: about.to_owned(), state, ..megram("it worked", 1.0) });
        entry
    };
    let mut trouble = entry(Tag::tool("glob", Some("/w")), MemoryAction::Avoid);
    trouble.top.push(megram("glob hung", -1.0));
    let advice = |entries: Vec<MemoryEntry>| {
        PlanMemory::recalled(memory(entries), "/w", "List the notes").advice().len()
    };
    assert_eq!(advice(vec![well("list the notes")]), 0);
    assert_eq!(
        advice(vec![well("list the notes of Eva")]),
        1,
        "another request may meet what this one was spared"
    );
    assert_eq!(advice(vec![well("list the notes"), trouble]), 2, "something went wrong once");
}

fn via(relation: Relatedness) -> Option<Via> {
    Some(Via { request: "Show the notes".to_owned(), relation, similarity: 0.5, why: String::new() })
}

#[test]
fn a_line_says_which_decision_of_which_task_taught_it() {
    let task = TaskId(Uuid::from_u128(0x0197_0000_1234_7000_8000_0000_0000_0001));
    let mut entry = entry(Tag::tool("glob", None), MemoryAction::Avoid);
    entry.top.push(Megram { task_id: Some(task), ..megram("glob hung", -1.0) });
    entry.top.push(Megram { state: String::new(), ..megram("it hung again", -1.0) });
    let lines = "MUST NOT use: glob hung (abandon, task 01970000-1234)\nMUST NOT use: it hung again";
    assert_eq!(memory_section(vec![entry]).as_deref(), Some(lines));
}

#[test]
fn what_was_learned_in_other_words_binds_and_says_so() {
    let mut entry = entry(Tag::intent("show the notes"), MemoryAction::Avoid);
    entry.top.push(Megram {
        failed: failure(vec![failed_here(mark_of(1, "glob", "list by date"))]),
        ..megram("plan by date failed", -1.0)
    });
    entry.sops.push(sop("never print them", -1.0));
    entry.via = via(Relatedness::Alias);
    let from = "(learned from the same task in other words: \"Show the notes\")";
    let lines = format!(
        "MUST NOT: never print them{RULE} {from}\nMUST NOT repeat: plan by date failed (abandon) {from}"
    );
    assert_eq!(memory_section(vec![entry]), Some(lines));
}

#[test]
fn what_only_looks_alike_warns_and_forbids_nothing() {
    let hint = |action: MemoryAction, sigma: f64| {
        let mut entry = entry(Tag::tool("read_file", Some("/w/a")), action);
        entry.top.push(megram("learned", sigma));
        entry.sops.push(sop("a rule", sigma));
        entry.via = via(Relatedness::Hint);
        entry
    };
    let from = "(learned from another request that looks like this one: \"Show the notes\")";
    let check = |entry: MemoryEntry, word: &str| {
        let lines = format!("{word}: a rule{RULE} {from}\n{word}: learned (abandon) {from}");
        assert_eq!(memory_section(vec![entry]), Some(lines));
    };
    check(hint(MemoryAction::Exploit, 1.0), "HINT");
    check(hint(MemoryAction::Avoid, -1.0), "CAUTION");
    accepted(&mut asked(memory(vec![hint(MemoryAction::Avoid, -1.0)])), &reads("/w/a"));
}

#[test]
fn rules_come_with_their_sign_whatever_the_potentials_say() {
    let mut entry = entry(Tag::tool("shell:rm", None), MemoryAction::Ignore);
    entry.sops = vec![sop("use the trash", 0.5), sop("rm in home", -0.5), sop("rm at night", 0.0)];
    let lines = ["RULE: use the trash", "MUST NOT: rm in home", "MUST NOT: rm at night"];
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}{RULE}")).collect();
    assert_eq!(memory_section(vec![entry]), Some(lines.join("\n")));
}

#[test]
fn laws_come_first_and_outdated_rules_and_proposals_say_what_they_are() {
    let of = |level, overwritten, content, sigma| SopRecord { level, overwritten, ..sop(content, sigma) };
    let proposal =
        Proposal { id: Uuid::from_u128(1), content: "sort\nfirst".to_owned(), from: vec![Uuid::nil()] };
    let intent = MemoryEntry {
        sops: vec![of(Level::C, true, "use find", 1.0), of(Level::C, false, "use glob", 1.0)],
        proposals: vec![proposal],
        ..entry(Tag::intent("list the notes"), MemoryAction::Ignore)
    };
    let tool = MemoryEntry {
        sops: vec![of(Level::T, false, "only at night", 1.0), of(Level::T, false, "not in /etc", -1.0)],
        ..entry(Tag::tool("glob", None), MemoryAction::Ignore)
    };
    let law = RULE.replace("level C", "level T");
    let lines = format!(
        "LAW: only at night{law}\nMUST NOT: not in /etc{law}\nRULE: use glob{RULE}\n\
         OUTDATED? (newer experience contradicts it; it does not bind): use find{RULE}\n\
         HYPOTHESIS (untested; may be tried once): sort first"
    );
    assert_eq!(memory_section(vec![intent, tool]), Some(lines));
}

#[test]
fn what_the_person_declared_is_told_whole_once_and_bounded() {
    let long = "x".repeat(600);
    let mut user = entry(Tag::user(), MemoryAction::Ignore);
    user.sops = vec![sop("my reports are in ~/S", 1.0), sop("never to use tabs", -1.0)];
    user.sops.extend([sop(&long, 1.0), sop("My reports are in  ~/S", 1.0)]);
    user.top.push(megram("writes in German", 1.0));
    let lines = format!(
        "FACT: my reports are in ~/S\nMUST NOT: never to use tabs\nFACT: {long}\nFACT: writes in German"
    );
    assert_eq!(memory_section(vec![user.clone()]), Some(lines));
    user.sops = (0..30).map(|i| sop(&format!("fact {i}"), 1.0)).collect();
    let lines = memory_section(vec![user]).expect("there are facts");
    assert_eq!((lines.lines().count(), lines.lines().last()), (20, Some("FACT: fact 19")));
}

#[test]
fn at_most_ten_memories_reach_the_planner_and_each_is_short() {
    let entries: Vec<MemoryEntry> =
        (0..11).map(|i| entry(Tag::tool("glob", Some(&format!("/w/{i}"))), MemoryAction::Avoid)).collect();
    let lines = memory_section(entries.clone()).expect("there are memories");
    assert_eq!(lines.lines().count(), 10);
    assert!(!lines.contains("/w/10"), "{lines}");
    let mut long = entry(Tag::tool("glob", None), MemoryAction::Caution);
    long.top.push(megram(&"x".repeat(5_000), 0.0));
    assert!(memory_section(vec![long]).expect("a memory").chars().count() < 400);
}

#[test]
fn a_memory_that_cannot_be_read_does_not_stop_planning() {
    let mut planner = asked(MemoryReply { unavailable: Some("locked".to_owned()), ..MemoryReply::default() });
    accepted(&mut planner, &reads("/w/a"));
}

#[test]
fn the_query_names_the_intent_first_and_then_what_the_last_plan_used() {
    let mut planner = Planner::new(task_id(), &setting(true), "/w");
    let effects = step_on(&mut planner, Input::Spec(spec()));
    let [Effect::Recall(query)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(query.tags, [Tag::intent("list the notes"), Tag::user()]);
    assert_eq!(query.tool_clusters, 10);
    assert_eq!(query.intent, spec().intent, "so that requests in other words are found");
    step_on(&mut planner, Input::Memory(MemoryReply::default()));
    let two = draft_of(&[
        step(1, "read", &["read_file"], &["a", "/w/b"]),
        step(2, "read more", &["read_file"], &["/w/b"]),
    ]);
    accepted(&mut planner, &two);
    let effects = step_on(&mut planner, Input::Directive(directive()));
    let [Effect::Recall(query)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(query.tags[0], Tag::intent("list the notes"));
    for (target, why) in
        [(Some("/w/a"), "as receipts spell it"), (Some("/w/b"), "named"), (None, "any target")]
    {
        let tag = Tag::tool("read_file", target);
        assert_eq!(query.tags.iter().filter(|t| **t == tag).count(), 1, "{why}: {:?}", query.tags);
    }
}

#[test]
fn a_query_is_bounded() {
    let targets: Vec<String> = (0..300).map(|i| format!("/w/{i}")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let mut planner = asked(MemoryReply::default());
    accepted(&mut planner, &draft_of(&[step(1, "read", &["read_file"], &targets)]));
    let effects = step_on(&mut planner, Input::Directive(directive()));
    let [Effect::Recall(query)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(query.tags.len(), 256);
    assert_eq!(query.tags[0], Tag::intent("list the notes"));
}

#[test]
fn what_a_draft_plans_is_looked_up_before_it_is_judged() {
    let mut planner = asked(MemoryReply::default());
    let effects = step_on(&mut planner, Input::Model(says(&reads("a"))));
    let [Effect::Recall(query)] = effects.as_slice() else { panic!("{effects:?}") };
    let named = |target: Option<&str>| query.tags.contains(&Tag::tool("read_file", target));
    assert!(named(Some("/w/a")) && named(None), "{:?}", query.tags);
    assert_eq!((query.tool_clusters, query.intent.as_str()), (0, ""), "about the draft and nothing else");
    // What forbids the draft was not among what the planner was told before.
    let avoid = entry(Tag::tool("read_file", Some("/w/a")), MemoryAction::Avoid);
    let effects = step_on(&mut planner, Input::Memory(memory(vec![avoid])));
    let (notice, request) = sent_back_with(&effects);
    assert_eq!(notice.reasons, ["subtask 1 uses read_file on /w/a, which is blocked"]);
    let lines = section(user_text(&request), "Memory").expect("the planner is told why");
    assert_eq!(lines, "MUST NOT use: tool:read_file path:/w/a");
    // It stays forbidden without being looked up again; another input is looked up once.
    sent_back_with(&step_on(&mut planner, Input::Model(says(&reads("/w/a")))));
    let other = step_on(&mut planner, Input::Model(says(&reads("/w/b"))));
    let [Effect::Recall(query)] = other.as_slice() else { panic!("{other:?}") };
    assert_eq!(query.tags, [Tag::tool("read_file", Some("/w/b"))]);
    let effects = step_on(&mut planner, Input::Memory(MemoryReply::default()));
    let [Effect::Dispatch(plan)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(plan.subtasks[0].blocked.targets.len(), 1, "the executor is bound as well");
}

#[test]
fn what_is_looked_up_late_still_leaves_ten_lines() {
    let entries = |from: usize| -> Vec<MemoryEntry> {
        let tag = |i: usize| Tag::tool("glob", Some(&format!("/w/{i}")));
        (from..from + 10).map(|i| entry(tag(i), MemoryAction::Avoid)).collect()
    };
    let mut planner = asked(memory(entries(0)));
    let glob = draft_of(&[step(1, "list the notes", &["glob"], &["/w/15"])]);
    let (_, request) = sent_back_with(&answer_knowing(&mut planner, &glob, memory(entries(10))));
    let lines = section(user_text(&request), "Memory").expect("there are memories");
    assert_eq!(lines.lines().count(), 10);
    assert!(lines.contains("/w/19") && lines.contains("/w/0"), "{lines}");
}

#[test]
fn an_avoid_on_a_request_refuses_the_plans_that_failed_and_no_other() {
    let check = |action: MemoryAction, relation: Option<Relatedness>, sigma: f64, refused: bool| {
        let mut entry = entry(Tag::intent("list the notes"), action);
        entry.via = relation.and_then(via);
        let plans = vec![failed_here(mark_of(1, "read_file", "read the NOTES"))];
        entry.top.push(Megram { failed: failure(plans), ..megram("reading failed", sigma) });
        let mut planner = asked(memory(vec![entry.clone()]));
        if refused {
            let (notice, _) = sent_back(&mut planner, &reads("/w/other"));
            assert!(notice.reasons[0].contains("already failed"), "{:?}", notice.reasons);
        } else {
            accepted(&mut planner, &reads("/w/other"));
        }
        let other = draft_of(&[step(1, "read the notes", &["glob"], &["/w"])]);
        accepted(&mut asked(memory(vec![entry])), &other);
    };
    check(MemoryAction::Avoid, None, -1.0, true);
    check(MemoryAction::Avoid, Some(Relatedness::Alias), -1.0, true);
    check(MemoryAction::Avoid, Some(Relatedness::Hint), -1.0, false);
    check(MemoryAction::Caution, None, -1.0, false);
    check(MemoryAction::Exploit, None, -1.0, false);
}

#[test]
fn a_failed_plan_is_known_again_when_a_part_of_it_is_established() {
    let two = [step(1, "list", &["glob"], &[]), step(2, "read", &["read_file"], &[])];
    let failed =
        PlanMark::of([(1, &["glob".to_owned()][..], "list"), (2, &["read_file".to_owned()][..], "read")]);
    let mut entry = entry(Tag::intent("list the notes"), MemoryAction::Avoid);
    entry.top.push(Megram { failed: failure(vec![failed_here(failed)]), ..megram("failed", -1.0) });
    let mut planner = asked(memory(vec![entry.clone()]));
    sent_back(&mut planner, &draft_of(&two));
    let first = draft_of(&[two[0].clone(), step(2, "count", &["shell:wc"], &[])]);
    let plan = accepted(&mut planner, &first);
    let kept = outcome(plan.subtasks[0].clone(), OutcomeStatus::Matched, "a.txt");
    let established = PlanDirective { established: vec![kept], ..directive() };
    step_on(&mut planner, Input::Directive(established));
    only_question(step_on(&mut planner, Input::Memory(memory(vec![entry]))));
    let (notice, _) = sent_back(&mut planner, &draft_of(&two[1..]));
    assert!(notice.reasons[0].contains("an earlier task"), "{:?}", notice.reasons);
}

#[test]
fn caution_travels_with_the_step_and_blocks_nothing() {
    let pairs = |relation: Option<Relatedness>, action: MemoryAction, target: Option<&str>| {
        let mut entry = entry(Tag::tool("read_file", target), action);
        entry.via = relation.and_then(via);
        let plan = accepted(&mut asked(memory(vec![entry])), &reads("/w/b"));
        let blocked = plan.subtasks[0].blocked.clone();
        blocked.cautions.into_iter().map(|c| (c.class, c.target)).collect::<Vec<_>>()
    };
    let of = |target: &str| vec![("read_file".to_owned(), target.to_owned())];
    assert_eq!(pairs(None, MemoryAction::Caution, Some("/w/a")), of("/w/a"));
    assert_eq!(pairs(None, MemoryAction::Caution, None), of(""), "calls without a target");
    assert_eq!(pairs(Some(Relatedness::Hint), MemoryAction::Caution, Some("/w/a")), []);
    for other in [MemoryAction::Avoid, MemoryAction::Exploit, MemoryAction::Ignore] {
        assert_eq!(pairs(None, other, Some("/w/a")), []);
    }
}

#[test]
fn a_memory_names_the_request_that_taught_it_and_not_its_neighbour() {
    let mut entry = entry(Tag::intent("show the notes"), MemoryAction::Exploit);
    entry.via = via(Relatedness::Alias);
    entry.top = ["Show the notes", "Show the notes of Eva"]
        .map(|about| Megram { about: about.to_owned(), ..megram("it worked", 1.0) })
        .to_vec();
    let lines = "SHOULD PREFER: it worked (abandon) (learned from the same task in other words: \"Show the notes\")\n\
        SHOULD PREFER: it worked (abandon) (learned from a request that begins like the same task in other words: \
        \"Show the notes of Eva\")";
    assert_eq!(memory_section(vec![entry]).as_deref(), Some(lines));
}
