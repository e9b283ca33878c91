use artoo_types::Timestamp;
use artoo_types::memory::{
    Level, Megram, MemoryAction, MemoryEntry, MemoryReply, Potentials, Proposal, Relatedness, SopRecord, Via,
};
use artoo_types::tag::Tag;
use serde_json::Value;
use uuid::Uuid;

use super::{Effect, Input, Planner, accepted, asked, draft_of, only_question, sent_back, step, step_on};
use crate::prompt::tests::setting;
use crate::testing::{directive, section, spec, task_id, user_text};

fn entry(tag: Tag, action: MemoryAction) -> MemoryEntry {
    let potentials = Potentials { attention: 2.0, decision: -1.0, action };
    MemoryEntry { tag, potentials, sops: Vec::new(), top: Vec::new(), via: None, proposals: vec![] }
}

fn megram(content: &str, sigma: f64) -> Megram {
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
        k: 0.1,
        agent_id: String::new(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
    }
}

fn sop(content: &str, sigma: f64) -> SopRecord {
    SopRecord { id: Uuid::nil(), content: content.to_owned(), sigma, level: Level::C, overwritten: false }
}

fn memory(entries: Vec<MemoryEntry>) -> MemoryReply {
    MemoryReply { entries, unavailable: None }
}

fn reads(target: &str) -> Value {
    draft_of(&[step(1, "read the notes", &["read_file"], &[target])])
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
    check(with(tool(), MemoryAction::Exploit, "glob is quick", 1.0), Some("SHOULD PREFER: glob is quick"));
    check(with(tool(), MemoryAction::Avoid, "glob hung", -1.0), Some("MUST NOT use: glob hung"));
    check(with(tool(), MemoryAction::Caution, "glob is odd", 0.5), Some("CAUTION: glob is odd"));
    check(with(tool(), MemoryAction::Ignore, "glob once ran", 1.0), None);
    let intent = Tag::intent("list the notes");
    check(
        with(intent, MemoryAction::Avoid, "plan by date failed", -1.0),
        Some("MUST NOT repeat: plan by date failed"),
    );
    check(with(Tag::user(), MemoryAction::Ignore, "writes in German", 1.0), Some("FACT: writes in German"));
    // Memories of the other sign do not support the advice; the tag itself then has to do.
    check(with(tool(), MemoryAction::Avoid, "it worked", 1.0), Some("MUST NOT use: tool:glob path:/w"));
    check(with(tool(), MemoryAction::Exploit, "it failed", -1.0), Some("SHOULD PREFER: tool:glob path:/w"));
}

fn via(relation: Relatedness) -> Option<Via> {
    Some(Via { request: "Show the notes".to_owned(), relation, similarity: 0.5, why: String::new() })
}

#[test]
fn what_was_learned_in_other_words_binds_and_says_so() {
    let mut entry = entry(Tag::intent("show the notes"), MemoryAction::Avoid);
    entry.top.push(megram("plan by date failed", -1.0));
    entry.sops.push(sop("never print them", -1.0));
    entry.via = via(Relatedness::Alias);
    let from = "(learned from the same task in other words: \"Show the notes\")";
    let lines = format!("MUST NOT: never print them {from}\nMUST NOT repeat: plan by date failed {from}");
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
        let lines = format!("{word}: a rule {from}\n{word}: learned {from}");
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
    let lines = "RULE: use the trash\nMUST NOT: rm in home\nMUST NOT: rm at night";
    assert_eq!(memory_section(vec![entry]).as_deref(), Some(lines));
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
    let lines = "LAW: only at night\nMUST NOT: not in /etc\nRULE: use glob\n\
                 OUTDATED? (newer experience contradicts it; it does not bind): use find\n\
                 HYPOTHESIS (untested; may be tried once): sort first";
    assert_eq!(memory_section(vec![intent, tool]).as_deref(), Some(lines));
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
    let glob = |target: &str| draft_of(&[step(1, "list the notes", &["glob"], &[target])]);
    accepted(&mut asked(memory(entries)), &glob("/w/10"));
    let mut long = entry(Tag::tool("glob", None), MemoryAction::Caution);
    long.top.push(megram(&"x".repeat(5_000), 0.0));
    assert!(memory_section(vec![long]).expect("a memory").chars().count() < 400);
}

#[test]
fn a_memory_that_cannot_be_read_does_not_stop_planning() {
    let mut planner = asked(MemoryReply { entries: Vec::new(), unavailable: Some("locked".to_owned()) });
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
    let targets: Vec<String> = (0..100).map(|i| format!("/w/{i}")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let mut planner = asked(MemoryReply::default());
    accepted(&mut planner, &draft_of(&[step(1, "read", &["read_file"], &targets)]));
    let effects = step_on(&mut planner, Input::Directive(directive()));
    let [Effect::Recall(query)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(query.tags.len(), 64);
    assert_eq!(query.tags[0], Tag::intent("list the notes"));
}
