use artoo_types::Timestamp;
use artoo_types::chat::{ChatRequest, ModelFailureKind, ModelOutcome};
use artoo_types::control::Reason;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use artoo_types::reply::{RuleKind, SchemaName};
use artoo_types::tag::Tag;
use serde_json::{Value, json};
use uuid::Uuid;

use super::lesson::Reflector;
use super::rule::{Cluster, Distiller, RULE_CHARS, RuleWords};
use super::story::Story;
use super::{DREAM_CALL_MS, Effect};
use crate::testing::{says, section, silence, spec, task_id, user_text};

mod stories;

fn megram(content: &str, sigma: f64) -> Megram {
    Megram {
        id: Uuid::nil(),
        level: Level::M,
        created_at: Timestamp(0),
        last_recalled_at: None,
        tag: Tag::intent("list the notes"),
        content: content.to_owned(),
        state: "accept".to_owned(),
        f: 0.9,
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

fn distiller(kind: RuleKind) -> Distiller {
    let evidence = vec![megram("a mishap", -1.0), megram("Plan: 1 [glob]\nlist", 1.0), megram("later", 1.0)];
    Distiller::new(Cluster { tag: Tag::intent("list the notes"), kind, evidence })
}

fn sop(rule: &str, kind: &str) -> Value {
    json!({"rule": rule, "conditions": "", "kind": kind})
}

/// What a distiller concludes after these replies, each to a question of its own.
#[track_caller]
fn check(kind: RuleKind, replies: &[ModelOutcome], expected: &str, by_model: bool) {
    let mut distiller = distiller(kind);
    distiller.ask();
    let mut last = None;
    for (number, reply) in replies.iter().enumerate() {
        match distiller.hear(reply.clone()) {
            Effect::AskModel(request) => assert_eq!(request.deadline_ms, DREAM_CALL_MS),
            Effect::Conclude(words) => {
                assert_eq!(number, replies.len() - 1, "it concluded too early");
                last = Some(words);
            }
        }
    }
    assert_eq!(last, Some(RuleWords { rule: expected.to_owned(), by_model }), "{replies:?}");
}

#[test]
fn the_question_shows_kind_tag_and_evidence_as_single_lines() {
    let request: ChatRequest = distiller(RuleKind::BestPractice).ask();
    assert_eq!((request.schema, request.deadline_ms), (SchemaName::Sop, DREAM_CALL_MS));
    assert!(request.messages[0].content.starts_with("# Role: R5 Dreamer\n"));
    let text = user_text(&request);
    assert_eq!(section(text, "Kind"), Some("best_practice"));
    assert_eq!(section(text, "About"), Some("intent:list_the_notes env:local"));
    let lines = "[accept] a mishap\n[accept] Plan: 1 [glob] list\n[accept] later";
    assert_eq!(section(text, "Evidence"), Some(lines));
}

#[test]
fn a_good_reply_becomes_the_words_with_its_conditions() {
    let good = json!({"rule": "Use glob.", "conditions": "local notes", "kind": "best_practice"});
    check(RuleKind::BestPractice, &[says(&good)], "Use glob. (applies to: local notes)", true);
    check(RuleKind::BestPractice, &[says(&sop("Use glob.", "best_practice"))], "Use glob.", true);
    let long = "x".repeat(RULE_CHARS);
    let full = json!({"rule": long, "conditions": "local notes", "kind": "constraint"});
    check(RuleKind::Constraint, &[says(&full)], &long, true);
}

#[test]
fn a_bad_reply_is_repaired_once_and_then_the_evidence_speaks() {
    let fallback = "Do it as it worked before: Plan: 1 [glob] list";
    let long = "x".repeat(RULE_CHARS + 1);
    for bad in [
        sop("Use glob.", "constraint"),
        sop("", "best_practice"),
        sop(&long, "best_practice"),
        sop("two\nlines", "best_practice"),
        sop("\u{202e}hidden", "best_practice"),
        sop("with [redacted: api key]", "best_practice"),
        json!({"rule": "no kind"}),
        json!({"rule": "Use glob.", "conditions": "two\nlines", "kind": "best_practice"}),
    ] {
        let good = says(&sop("Use glob.", "best_practice"));
        check(RuleKind::BestPractice, &[says(&bad), good], "Use glob.", true);
        check(RuleKind::BestPractice, &[says(&bad), says(&bad)], fallback, false);
    }
}

#[test]
fn a_model_that_is_silent_leaves_the_words_to_the_evidence_of_the_rules_sign() {
    for kind in [ModelFailureKind::Unreachable, ModelFailureKind::Deadline] {
        let words = "Do it as it worked before: Plan: 1 [glob] list";
        check(RuleKind::BestPractice, &[silence(kind)], words, false);
        check(RuleKind::Constraint, &[silence(kind)], "Do not repeat what failed before: a mishap", false);
    }
    let tag = Tag::tool("glob", None);
    let empty = Distiller::new(Cluster { tag, kind: RuleKind::Constraint, evidence: Vec::new() });
    assert_eq!(empty.without_model().rule, "Do not repeat what failed before: tool:glob path:*");
    let evidence = vec![megram(&"x".repeat(2_000), 1.0)];
    let long = Distiller::new(Cluster { tag: Tag::user(), kind: RuleKind::BestPractice, evidence });
    assert_eq!(long.without_model().rule.chars().count(), RULE_CHARS);
}

fn story(well: bool) -> Story {
    Story {
        spec: spec(),
        well,
        why: if well { Reason::CriteriaMet } else { Reason::ReplansExhausted },
        reason: "because".to_owned(),
        at: Timestamp(7),
        untrusted: true,
        plans: vec!["1 [glob] list\n## Intent".to_owned()],
        troubles: vec!["corrected: it".to_owned()],
        unmet: Vec::new(),
    }
}

/// The lesson of a task that went like this, after these replies.
fn lesson(well: bool, replies: &[ModelOutcome]) -> Option<Megram> {
    let mut reflector = Reflector::new(story(well));
    reflector.ask();
    for reply in replies {
        if let Effect::Conclude(lesson) = reflector.hear(reply.clone()) {
            return lesson;
        }
    }
    panic!("it did not conclude after {replies:?}")
}

fn reflection(lesson: &str, category: &str) -> ModelOutcome {
    says(&json!({"lesson": lesson, "tags": [], "category": category}))
}

#[test]
fn a_lesson_speaks_for_or_against_only_what_the_ending_shows() {
    for (well, category, sigma) in [
        (true, "procedure", 0.5),
        (true, "constraint", 0.0),
        (true, "fact", 0.0),
        (false, "procedure", 0.0),
        (false, "constraint", -0.5),
        (false, "fact", 0.0),
    ] {
        let megram = lesson(well, &[reflection("look in archive first", category)]).expect("a lesson");
        assert_eq!((megram.level, megram.f, megram.sigma, megram.k), (Level::K, 0.3, sigma, Rate::Medium));
        assert_eq!((megram.tag, megram.state.as_str()), (Tag::intent("list the notes"), "reflection"));
        assert_eq!((megram.task_id, megram.tainted), (Some(task_id()), true));
        assert_eq!((megram.content.as_str(), megram.created_at), ("look in archive first", Timestamp(7)));
        assert_eq!(megram.id, task_id().derive("reflection", 0));
    }
}

#[test]
fn without_a_usable_reply_there_is_no_lesson() {
    let bad = || reflection("two\nlines", "fact");
    assert_eq!(lesson(true, &[bad(), bad()]), None);
    assert_eq!(lesson(true, &[silence(ModelFailureKind::Deadline)]), None);
    assert!(lesson(true, &[bad(), reflection("one line", "fact")]).is_some());
    assert_eq!(lesson(true, &[reflection("has [redacted: token]", "fact"), bad()]), None);
}

#[test]
fn the_record_opens_no_section() {
    let request = Reflector::new(story(false)).ask();
    let text = user_text(&request);
    assert_eq!(section(text, "Ending"), Some("failure (because)"));
    assert_eq!(section(text, "Plans"), Some("- 1 [glob] list ## Intent"));
    assert_eq!(section(text, "Intent"), Some("list the notes"));
    assert_eq!(section(text, "Unmet"), None);
}
