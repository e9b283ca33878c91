use artoo_types::EvidenceId;
use artoo_types::evidence::Receipt;
use artoo_types::memory::MemoryReply;
use artoo_types::plan::NoPlan;
use serde_json::{Value, json};

use super::{accepted, answer, asked, draft, draft_of, ended, redirect, sent_back, step};
use crate::testing::{directive, section, user_text};

/// Judges the first draft with this change and expects exactly this reason.
fn check_rejected(change: impl FnOnce(&mut Value), reason: &str) {
    let mut draft = draft();
    change(&mut draft);
    let (notice, _) = sent_back(&mut asked(MemoryReply::default()), &draft);
    assert_eq!(notice.reasons, [reason], "{draft}");
}

/// Judges the first draft with this change and expects a plan.
fn check_accepted(change: impl FnOnce(&mut Value)) {
    let mut draft = draft();
    change(&mut draft);
    accepted(&mut asked(MemoryReply::default()), &draft);
}

#[test]
fn the_only_step_without_criteria_takes_those_of_the_whole() {
    let mut draft = draft();
    draft["subtasks"][0]["success_criteria"] = json!([]);
    let mut planner = asked(MemoryReply::default());
    let plan = accepted(&mut planner, &draft);
    assert_eq!(plan.subtasks[0].success_criteria, plan.task_criteria);
    assert_eq!(plan.task_criteria[0].text, "all notes are listed");
    // On a replan those that stand from the first plan.
    redirect(&mut planner, directive());
    draft["task_criteria"] = json!([]);
    draft["subtasks"][0]["intent"] = json!("list them in another way");
    assert_eq!(accepted(&mut planner, &draft).subtasks[0].success_criteria, plan.task_criteria);
}

/// `count` steps in `groups` sequence groups.
fn steps(count: u32, groups: u32) -> Value {
    (0..count).map(|i| step(i % groups + 1, &format!("step {i}"), &["glob"], &[])).collect()
}

fn criteria(count: usize) -> Value {
    (0..count).map(|i| Value::from(format!("criterion {i}"))).collect()
}

#[test]
fn a_plan_needs_steps_and_not_too_many() {
    check_rejected(|d| d["subtasks"] = json!([]), "the plan has no subtask");
    check_accepted(|d| d["subtasks"] = steps(32, 8));
    check_rejected(|d| d["subtasks"] = steps(33, 8), "the plan has 33 subtasks; at most 32 are allowed");
    check_rejected(|d| d["subtasks"] = steps(9, 9), "the plan has 9 sequence groups; at most 8 are allowed");
}

#[test]
fn the_criteria_of_the_only_step_are_those_of_the_task_where_none_are_named() {
    let mut only = draft();
    only["task_criteria"] = json!([]);
    only["subtasks"] = json!([{"sequence": 1, "intent": "List the notes", "tools": ["glob"], "success_criteria": ["all notes are named"]}]);
    let plan = accepted(&mut asked(MemoryReply::default()), &only);
    assert_eq!(plan.task_criteria, plan.subtasks[0].success_criteria);
    assert!(!plan.task_criteria.is_empty());
}

#[test]
fn a_plan_needs_task_criteria_with_words_and_not_too_many() {
    check_rejected(
        |d| {
            d["task_criteria"] = json!([]);
            d["subtasks"] = steps(2, 1);
        },
        "the plan has no task criterion",
    );
    check_rejected(|d| d["task_criteria"] = json!(["fine", " "]), "a task criterion has no text");
    check_accepted(|d| d["task_criteria"] = criteria(12));
    check_rejected(
        |d| d["task_criteria"] = criteria(13),
        "there are 13 task criteria; at most 12 are allowed",
    );
}

#[test]
fn a_step_needs_an_intent_and_criteria_with_words() {
    check_rejected(|d| d["subtasks"][0]["intent"] = json!(" \n"), "subtask 1 has no intent");
    check_rejected(
        |d| {
            d["subtasks"] = steps(2, 2);
            d["subtasks"][0]["success_criteria"] = json!([]);
        },
        "subtask 1 has no success criterion",
    );
    check_accepted(|d| d["subtasks"][0]["success_criteria"] = criteria(12));
    check_rejected(
        |d| d["subtasks"][0]["success_criteria"] = criteria(13),
        "subtask 1 has 13 criteria; at most 12 are allowed",
    );
    for blank in [json!(""), json!({"text": " ", "mode": "plausible"})] {
        check_rejected(
            |d| d["subtasks"][0]["success_criteria"] = json!(["fine", blank]),
            "a criterion of subtask 1 has no text",
        );
    }
}

#[test]
fn something_besides_what_stays_as_it_is_must_be_met() {
    let there = json!({"text": "notes.txt is there", "check": {"kind": "file_exists", "path": "/w/notes.txt", "unchanged": true}});
    check_rejected(
        |d| d["task_criteria"] = json!([there]),
        "the task criteria ask only that something stays as it is (\"unchanged\"); add one about what the task makes or finds out",
    );
    check_rejected(
        |d| d["subtasks"][0]["success_criteria"] = json!([there, there]),
        "the criteria of subtask 1 ask only that something stays as it is (\"unchanged\"); add one about what it makes or finds out",
    );
    check_accepted(|d| {
        d["task_criteria"] = json!([there, "the lines are told"]);
        d["subtasks"][0]["success_criteria"] = json!([there, "the lines are told"]);
    });
}

#[test]
fn sequence_numbers_and_output_from_are_sane() {
    check_rejected(|d| d["subtasks"][0]["sequence"] = json!(0), "subtask 1 has sequence 0; use 1, 2, 3 …");
    check_accepted(|d| d["subtasks"][0]["sequence"] = json!(1_000));
    check_rejected(
        |d| d["subtasks"][0]["sequence"] = json!(1_001),
        "subtask 1 has sequence 1001; use 1, 2, 3 …",
    );
    check_accepted(|d| d["output_from"] = json!(0));
    check_rejected(
        |d| d["output_from"] = json!(1),
        "output_from names a subtask that does not exist (it is 0-based)",
    );
}

#[test]
fn tools_must_exist_here() {
    check_accepted(|d| d["subtasks"][0]["tools"] = json!(["shell:find", "glob"]));
    for missing in ["mdfind", "shellx:find"] {
        check_rejected(
            |d| d["subtasks"][0]["tools"] = json!(["glob", missing]),
            &format!("subtask 1 names the tool {missing}, which does not exist here"),
        );
    }
}

#[test]
fn only_established_steps_can_be_superseded() {
    check_rejected(
        |d| d["subtasks"][0]["supersedes"] = json!(["s1"]),
        "subtask 1 supersedes s1, which is not established",
    );
}

#[test]
fn every_reason_is_named_but_no_more_than_a_planner_can_read() {
    let bad = json!({"task_criteria": [], "subtasks": [step(0, "", &["mdfind"], &[])]});
    let (notice, _) = sent_back(&mut asked(MemoryReply::default()), &bad);
    assert_eq!(notice.reasons.len(), 4, "{:?}", notice.reasons);
    let all_bad: Vec<Value> = (0..32).map(|_| step(0, "", &[], &[])).collect();
    let (notice, _) = sent_back(&mut asked(MemoryReply::default()), &draft_of(&all_bad));
    assert_eq!(notice.reasons.len(), 16);
}

#[test]
fn output_from_becomes_the_id_of_the_step() {
    let mut two = draft_of(&[step(1, "find", &["glob"], &[]), step(2, "count", &["shell:wc"], &[])]);
    two["output_from"] = json!(1);
    let plan = accepted(&mut asked(MemoryReply::default()), &two);
    assert_eq!(plan.output_from, Some(plan.subtasks[1].subtask_id));
}

#[test]
fn criteria_that_hold_whatever_is_done_are_sent_back_with_what_to_write_instead() {
    let exists = |path: &str| json!([{"text": "x", "check": {"kind": "file_exists", "path": path}}]);
    check_rejected(
        |d| d["task_criteria"] = exists("/"),
        "the task criterion \"x\" holds whatever is done: \"/\" is there whatever is done; name the very file that the \
         work makes or looks at",
    );
    check_accepted(|d| d["task_criteria"] = exists("out/report.md"));
    check_rejected(
        |d| {
            d["subtasks"][0]["success_criteria"] =
                json!([{"text": "tests pass", "check": {"kind": "output_matches", "regex": ".*"}}]);
        },
        "the criterion \"tests pass\" of subtask 1 holds whatever is done: every text matches \".*\"; state the word, \
         number or line that must stand there",
    );
    check_rejected(
        |d| d["task_criteria"] = json!([{"text": "renamed", "check": {"kind": "files_match", "glob": "*.txt", "op": ">=", "n": 0}}]),
        "the task criterion \"renamed\" holds whatever is done: every count is >= 0; state the number that shows the \
         result",
    );
    check_rejected(
        |d| d["task_criteria"] = json!(["The task is complete."]),
        "the task criteria say only that it is done; say what must be there, or be told, when it is",
    );
}

#[test]
fn a_change_needs_more_proof_than_that_a_tool_was_called() {
    let change = |d: &mut Value| {
        d["subtasks"] = json!([step(1, "Make a backup of src", &["shell"], &[])]);
        d["subtasks"][0]["success_criteria"] =
            json!([{"text": "it ran", "check": {"kind": "exit_status", "tool": "shell", "value": 0}}]);
        d["task_criteria"] = d["subtasks"][0]["success_criteria"].clone();
    };
    check_rejected(
        change,
        "subtask 1 is to see that something is made, but its criteria ask only whether a tool was called: check the \
         result (file_exists, file_absent, file_contains), or say in a criterion without a check what must be different, \
         and where",
    );
    check_accepted(|d| {
        change(d);
        d["task_criteria"] = json!(["src.bak holds every file of src"]);
    });
}

#[test]
fn what_nothing_can_do_ends_the_planning_where_something_shows_it() {
    let impossible =
        |cited: &str| json!({"impossible": {"reason": "there is no column price", "evidence": [cited]}});
    let mut planner = asked(MemoryReply::default());
    let (notice, _) = sent_back(&mut planner, &impossible("r1"));
    assert!(notice.reasons[0].starts_with("`impossible` cites r1, which is no receipt"), "{notice:?}");
    accepted(&mut planner, &draft());
    planner.saw(&Receipt {
        output: "name,count".to_owned(),
        ..Receipt::quiet(EvidenceId("r1".to_owned()), "glob")
    });
    let request = redirect(&mut planner, directive());
    let done = section(user_text(&request), "Done").expect("what was done is told");
    assert!(done.starts_with("[receipt r1]") && done.ends_with(": name,count"), "{done}");
    let notice = ended(&answer(&mut planner, &impossible("r1")));
    assert_eq!(notice.outcome, NoPlan::CannotBeDone);
    assert_eq!(notice.reasons, ["there is no column price", "shown by r1"]);
}
