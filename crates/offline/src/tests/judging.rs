//! Verdicts and merging.

use artoo_types::Timestamp;
use artoo_types::brief::{Brief, JudgeBrief, LessonBrief, MergeBrief, RuleBrief};
use artoo_types::criteria::{Criterion, CriterionMode};
use artoo_types::memory::plans::FailedPlanLines;
use artoo_types::memory::{Level, Megram, plans};
use artoo_types::outcome::{ExecutionResult, ExecutionStatus, SubTaskOutcome};
use artoo_types::rate::Rate;
use artoo_types::reply::RuleKind;
use artoo_types::tag::Tag;
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::*;

fn judged(criteria: &[&str], intent: &str) -> Value {
    let criterion = |text: &&str| Criterion {
        text: (*text).to_owned(),
        mode: CriterionMode::Verifiable,
        check: None,
        unchanged: false,
        derived: None,
    };
    let mut subtask = subtask(&json!({"intent": intent, "context": ""}));
    subtask.success_criteria = criteria.iter().map(criterion).collect();
    let result = ExecutionResult {
        subtask_id: subtask.subtask_id,
        attempt: 1,
        status: ExecutionStatus::Completed,
        output: "fine".to_owned(),
        answer: None,
        handle: None,
        tool_calls: Vec::new(),
        receipts: vec![receipt("glob", "/x/*.rs", Some(0), "/x/a.rs")],
        infrastructure: None,
        end: None,
    };
    ask(&Brief::Judge(JudgeBrief {
        subtask,
        result,
        checks: Vec::new(),
        earlier: Vec::new(),
        past: Vec::new(),
        asked: vec![1],
        request: String::new(),
        task_criteria: Vec::new(),
        task_asked: Vec::new(),
        unsupported: Vec::new(),
    }))
}

/// Whoever planned without checks has planned with a language model.
#[test]
fn what_no_check_decides_fails_and_cites_nothing() {
    for (intent, words) in [("x", "cannot judge"), ("找出", "无法判断")] {
        let reply = judged(&["it is listed", "the code is elegant"], intent);
        let verdicts = reply["verdicts"].as_array().expect("verdicts");
        assert_eq!(
            (verdicts.len(), &verdicts[0]["criterion"]),
            (1, &1.into()),
            "the index of the list is used"
        );
        let verdict = &verdicts[0];
        assert_eq!((&verdict["verdict"], &verdict["failure_class"]), (&"fail".into(), &"logical".into()));
        assert!(verdict["receipt"].is_null());
        assert!(reply["correction"]["what_was_wrong"].as_str().is_some_and(|said| said.contains(words)));
    }
}

fn merged(outcomes: Vec<SubTaskOutcome>, asked: Vec<usize>, request: &str) -> Value {
    let (criteria, checks, request) = (Vec::new(), Vec::new(), request.to_owned());
    ask(&Brief::Merge(MergeBrief {
        outcomes,
        past: Vec::new(),
        criteria,
        checks,
        asked,
        unsupported: Vec::new(),
        request,
    }))
}

#[test]
fn outputs_are_merged_in_order_under_their_intents() {
    let outcomes = vec![outcome("Count: Rust", "3"), outcome("List", "x\r\ny\n")];
    let reply = merged(outcomes, vec![0], "count and list");
    assert_eq!(reply["merged_output"], "## Count: Rust\n3\n\n## List\nx\ny");
    assert_eq!(reply["verdicts"][0]["verdict"], "fail");
    assert!(reply["summary"].as_str().is_some_and(|summary| summary.contains("offline rules")));
}

#[test]
fn a_task_criterion_of_several_measurements_is_the_form_of_one_of_them_within_the_whole() {
    let plan = plan("count the Rust files and show free disk space");
    let criteria = plan["task_criteria"].as_array().expect("criteria");
    assert_eq!(criteria.len(), steps_of(&plan).len());
    for criterion in criteria {
        assert_eq!(criterion["check"]["kind"], "output_matches", "{criterion}");
        let regex = criterion["check"]["regex"].as_str().expect("an expression");
        assert!(!regex.contains("\\A") && !regex.contains("\\z"), "a form of the whole: {criterion}");
    }
}

#[test]
fn a_rule_quotes_the_plan_that_worked_or_the_plans_that_failed() {
    let plan = |intent: &str| vec![format!("1 [glob] {intent}")];
    let (a, b) = (plan("a").remove(0), plan("b").remove(0));
    let lines = FailedPlanLines { wrong: &[&a, &b], stopped: &[] };
    let failed = plans::of_failure("diverging", "List", &lines, &["it"], "no");
    for (kind, contents, words) in [
        (
            RuleKind::BestPractice,
            vec![plans::of_success("criteria_met", "List", &plan("list")[0])],
            "This plan has worked repeatedly: 1 [glob] list",
        ),
        (
            RuleKind::BestPractice,
            vec![plans::of_success("criteria_met", "列出", &plan("列出")[0])],
            "这个计划多次成功：1 [glob] 列出",
        ),
        (
            RuleKind::Constraint,
            vec!["glob on /x failed".to_owned(), failed],
            "These plans have failed repeatedly: 1 [glob] a | 1 [glob] b",
        ),
        (RuleKind::Constraint, vec!["glob on /x failed".to_owned()], ""),
        (RuleKind::BestPractice, Vec::new(), ""),
    ] {
        let evidence = contents.iter().map(|content| megram(content)).collect();
        let rule = ask(&Brief::Rule(RuleBrief { kind, tag: Tag::intent("x"), evidence }));
        assert_eq!((&rule["rule"], &rule["kind"]), (&words.into(), &json!(kind)), "{contents:?}");
    }
}

fn megram(content: &str) -> Megram {
    Megram {
        id: Uuid::nil(),
        level: Level::M,
        created_at: Timestamp(0),
        last_recalled_at: None,
        tag: Tag::intent("x"),
        content: content.to_owned(),
        state: "accept".to_owned(),
        f: 1.0,
        sigma: 1.0,
        k: Rate::Slow,
        agent_id: String::new(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

#[test]
fn a_lesson_quotes_the_trouble_and_what_became_of_it() {
    const PLANS: &[&str] = &["1 [glob] a", "1 [shell] b"];
    const GONE: &[&str] = &["no such file"];
    for (well, plans, troubles, unmet, intent, words, category) in [
        (true, PLANS, GONE, &[][..], "List", "no such file. What then worked: 1 [shell] b", "procedure"),
        (true, PLANS, GONE, &[][..], "列出", "no such file. 后来成功的计划：1 [shell] b", "procedure"),
        (
            false,
            PLANS,
            GONE,
            &[][..],
            "List",
            "no such file. The last plan failed as well: 1 [shell] b",
            "constraint",
        ),
        (false, &[][..], &[][..], &["it is there"][..], "List", "it is there", "constraint"),
        (true, &[][..], &[][..], &[][..], "List", "", "procedure"),
    ] {
        let [plans, troubles, unmet] =
            [plans, troubles, unmet].map(|lines| lines.iter().map(|line| (*line).to_owned()).collect());
        let (intent, reason) = (intent.to_owned(), String::new());
        let lesson = ask(&Brief::Lesson(LessonBrief { intent, well, reason, plans, troubles, unmet }));
        assert_eq!((&lesson["lesson"], &lesson["category"]), (&words.into(), &category.into()));
    }
}
