use artoo_types::belief::{Chances, Grounds, StepAxis, StepBelief};
use artoo_types::control::PlanDirective;
use artoo_types::memory::MemoryReply;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{BlockedTarget, BlockedTool, DispatchManifest, NoPlan};
use serde_json::{Value, json};

use super::{Planner, accepted, answer, asked, draft_of, ended, redirect, sent_back, step};
use crate::testing::{directive, outcome};

/// A planner whose first plan, made of this draft, is out.
fn planned(draft: &Value) -> (Planner, DispatchManifest) {
    let mut planner = asked(MemoryReply::default());
    let plan = accepted(&mut planner, draft);
    (planner, plan)
}

/// One step that reads `/w/a`.
fn reads(target: &str) -> Value {
    draft_of(&[step(1, "read the notes", &["read_file"], &[target])])
}

fn blocking_target(class: &str, target: &str) -> PlanDirective {
    let block = BlockedTarget { class: class.to_owned(), target: target.to_owned() };
    PlanDirective { blocked_targets: vec![block], ..directive() }
}

fn blocking_class(class: &str, intent: &str) -> PlanDirective {
    let block = BlockedTool { class: class.to_owned(), intent: intent.to_owned(), subtask: None };
    PlanDirective { blocked_tools: vec![block], ..directive() }
}

fn keeping(plan: &DispatchManifest, indexes: &[usize]) -> PlanDirective {
    let established: Vec<SubTaskOutcome> =
        indexes.iter().map(|i| outcome(plan.subtasks[*i].clone(), OutcomeStatus::Matched, "found")).collect();
    PlanDirective { established, ..directive() }
}

const SAME: &str = "this is the plan that already failed; change the steps or their tools";

#[test]
fn the_plan_that_failed_is_rejected_however_it_is_spelled() {
    let check = |next: Value, same: bool| {
        let first = draft_of(&[
            step(1, "Find notes", &["glob", "shell:wc"], &[]),
            step(2, "read", &["read_file"], &[]),
        ]);
        let (mut planner, _) = planned(&first);
        redirect(&mut planner, directive());
        if same {
            assert_eq!(sent_back(&mut planner, &next).0.reasons, [SAME], "{next}");
        } else {
            accepted(&mut planner, &next);
        }
    };
    let read = || step(2, "read", &["read_file"], &[]);
    check(draft_of(&[step(1, "Find notes", &["glob", "shell:wc"], &[]), read()]), true);
    check(draft_of(&[read(), step(1, "find  NOTES", &["shell:wc", "GLOB", "glob"], &["/w"])]), true);
    check(draft_of(&[step(1, "Find notes", &["glob"], &[]), read()]), false);
    check(draft_of(&[step(2, "Find notes", &["glob", "shell:wc"], &[]), read()]), false);
    check(draft_of(&[step(1, "Find my notes", &["glob", "shell:wc"], &[]), read()]), false);
}

#[test]
fn a_plan_of_any_earlier_round_counts_as_failed() {
    let (mut planner, _) = planned(&reads("/w/a"));
    redirect(&mut planner, directive());
    accepted(&mut planner, &draft_of(&[step(1, "search the notes", &["glob"], &[])]));
    redirect(&mut planner, directive());
    assert_eq!(sent_back(&mut planner, &reads("/w/b")).0.reasons, [SAME]);
}

/// Fails where "compute it of all of them" cannot be heeded with the same step.
#[test]
fn the_same_step_with_other_calls_is_another_plan() {
    let summed = |command: &str| {
        let mut draft = draft_of(&[step(1, "sum the totals", &["shell:awk"], &[])]);
        draft["subtasks"][0]["calls"] = json!([{"tool": "shell", "arguments": {"command": command}}]);
        draft
    };
    let (of_some, of_all) =
        ("head -100 /w/a | awk '{s+=$2} END{print s}'", "awk '{s+=$2} END{print s}' /w/a");
    let (mut planner, _) = planned(&summed(of_some));
    redirect(&mut planner, directive());
    assert_eq!(sent_back(&mut planner, &summed(of_some)).0.reasons, [SAME]);
    accepted(&mut planner, &summed(of_all));
}

#[test]
fn kept_steps_are_set_aside_when_plans_are_compared() {
    let find = || step(1, "find", &["glob"], &[]);
    let count = || step(2, "count", &["shell:wc"], &[]);
    let check = |established: &[usize], next: Value, same: bool| {
        let (mut planner, plan) = planned(&draft_of(&[find(), count()]));
        redirect(&mut planner, keeping(&plan, established));
        if same {
            assert_eq!(sent_back(&mut planner, &next).0.reasons, [SAME], "{next}");
        } else {
            accepted(&mut planner, &next);
        }
    };
    check(&[0], draft_of(&[count()]), true);
    check(&[0], draft_of(&[find(), count()]), true);
    check(&[], draft_of(&[count()]), false);
    check(&[0], draft_of(&[step(2, "count", &["read_file"], &[])]), false);
}

#[test]
fn a_superseded_step_is_not_set_aside() {
    let (mut planner, plan) =
        planned(&draft_of(&[step(1, "find", &["glob"], &[]), step(2, "count", &["shell:wc"], &[])]));
    redirect(&mut planner, keeping(&plan, &[0, 1]));
    let mut again = draft_of(&[step(2, "count", &["shell:wc"], &[])]);
    again["subtasks"][0]["supersedes"] = json!([plan.subtasks[1].subtask_id.to_string()]);
    assert_eq!(sent_back(&mut planner, &again).0.reasons, [SAME]);
    again["subtasks"][0]["tools"] = json!(["read_file"]);
    accepted(&mut planner, &again);
}

#[test]
fn a_new_plan_has_the_next_round_and_new_ids() {
    let (mut planner, first) = planned(&reads("/w/a"));
    redirect(&mut planner, directive());
    let second = accepted(&mut planner, &draft_of(&[step(1, "search the notes", &["glob"], &[])]));
    assert_eq!((second.round, second.subtasks[0].round), (1, 1));
    assert_ne!(second.subtasks[0].subtask_id, first.subtasks[0].subtask_id);
}

#[test]
fn rejections_are_counted_for_each_round_anew() {
    let (mut planner, _) = planned(&reads("/w/a"));
    redirect(&mut planner, directive());
    sent_back(&mut planner, &json!({}));
    sent_back(&mut planner, &json!({}));
    accepted(&mut planner, &draft_of(&[step(1, "search", &["glob"], &[])]));
    let request = redirect(&mut planner, directive());
    assert!(!request.messages[1].content.contains("## Rejected draft"));
    assert_eq!(sent_back(&mut planner, &json!({})).0.attempt, 1);
}

#[test]
fn task_criteria_freeze_with_the_first_plan_and_are_only_added_to() {
    let check = |added: Value, expected: &[&str]| {
        let (mut planner, _) = planned(&reads("/w/a"));
        redirect(&mut planner, directive());
        let mut next = draft_of(&[step(1, "search", &["glob"], &[])]);
        next["task_criteria"] = added;
        let plan = accepted(&mut planner, &next);
        let texts: Vec<&str> = plan.task_criteria.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, expected);
        assert_eq!(plan.task_criteria[0].check, None, "a frozen criterion keeps its check as well");
    };
    check(json!([]), &["all notes are listed"]);
    check(json!(["it is short"]), &["all notes are listed", "it is short"]);
    let loosened = json!({"text": "All  notes are LISTED", "check": {"kind": "file_exists", "path": "x"}});
    check(json!([loosened]), &["all notes are listed"]);
    let many: Vec<String> = (0..12).map(|i| format!("c{i}")).collect();
    let (mut planner, _) = planned(&reads("/w/a"));
    redirect(&mut planner, directive());
    let mut next = draft_of(&[step(1, "search", &["glob"], &[])]);
    next["task_criteria"] = json!(many);
    assert_eq!(accepted(&mut planner, &next).task_criteria.len(), 12, "what no longer fits is left out");
}

#[test]
fn a_blocked_class_binds_only_the_successor_of_the_step_that_failed() {
    let two = |tool: &str| {
        draft_of(&[
            step(1, "find the notes of May", &[tool], &[]),
            step(2, "count words of reports", &["shell:wc"], &[]),
        ])
    };
    let check = |class: &str, draft: &Value, reason: Option<&str>| {
        let (mut planner, _) = planned(&reads("/w/a"));
        redirect(&mut planner, blocking_class(class, "find notes of may"));
        match reason {
            Some(reason) => assert_eq!(sent_back(&mut planner, draft).0.reasons, [reason]),
            None => {
                let plan = accepted(&mut planner, draft);
                assert_eq!(plan.subtasks[0].blocked.classes, [class], "the executor is bound as well");
                assert!(plan.subtasks.iter().skip(1).all(|s| s.blocked.classes.is_empty()));
            }
        }
    };
    check("glob", &two("glob"), Some("subtask 1 uses glob, which is blocked for it"));
    check("glob", &two("read_file"), None);
    check("shell:wc", &two("glob"), None);
    check("shell:find", &two("shell:fd"), None);
    check("shell", &two("shell:fd"), Some("subtask 1 uses shell, which is blocked for it"));
    // A plan of one step takes the place of whatever failed.
    let one = draft_of(&[step(1, "something else entirely", &["glob"], &[])]);
    check("glob", &one, Some("subtask 1 uses glob, which is blocked for it"));
}

#[test]
fn a_blocked_target_is_found_in_the_words_of_a_step_as_well() {
    let block = BlockedTarget { class: "read_file".to_owned(), target: "/h/guess.csv".to_owned() };
    let check = |change: &dyn Fn(&mut Value), blocked: bool| {
        let (mut planner, _) = planned(&draft_of(&[step(1, "first", &["glob"], &[])]));
        redirect(&mut planner, blocking_target("read_file", "/h/guess.csv"));
        let mut next = step(1, "second", &["read_file"], &[]);
        change(&mut next);
        if blocked {
            let reason = format!("subtask 1 uses {} on {}, which is blocked", block.class, block.target);
            assert_eq!(sent_back(&mut planner, &draft_of(&[next])).0.reasons, [reason]);
        } else {
            accepted(&mut planner, &draft_of(&[next]));
        }
    };
    check(&|_| {}, false);
    check(&|step| step["intent"] = json!("sum the amounts in ~/guess.csv"), true);
    check(&|step| step["context"] = json!("The amounts are in /h/guess.csv."), true);
    check(&|step| step["success_criteria"] = json!(["the sum of ~/guess.csv is given"]), true);
    check(&|step| step["intent"] = json!("sum the amounts in ~/guess.csv.old"), false);
    check(
        &|step| {
            step["intent"] = json!("list what is beside ~/guess.csv");
            step["tools"] = json!(["glob"]);
        },
        false,
    );
}

#[test]
fn a_blocked_target_is_found_under_every_spelling() {
    let check = |block: (&str, &str), tool: &str, target: &str, blocked: bool| {
        let (mut planner, _) = planned(&draft_of(&[step(1, "first", &["glob"], &[])]));
        redirect(&mut planner, blocking_target(block.0, block.1));
        let next = draft_of(&[step(1, "second", &[tool], &[target])]);
        if blocked {
            let reason = format!("subtask 1 uses {} on {}, which is blocked", block.0, block.1);
            assert_eq!(sent_back(&mut planner, &next).0.reasons, [reason]);
        } else {
            let plan = accepted(&mut planner, &next);
            assert_eq!(plan.subtasks[0].blocked.targets.len(), 1, "the executor is bound as well");
        }
    };
    for spelling in ["/w/a", "a", "./a", "/w/b/../a", "file:///w/a"] {
        check(("read_file", "/w/a"), "read_file", spelling, true);
    }
    check(("read_file", "/w/a"), "read_file", "/w/b", false);
    check(("read_file", "/w/a"), "glob", "/w/a", false);
    check(("write_file", "/w/out.txt"), "write_file", "out.txt", true);
    check(("read_file", "/h/n"), "read_file", "~/n", true);
    check(("shell:find", "/w/a"), "shell", "/w/a", true);
    check(("shell:find", "/w/a"), "shell:fd", "/w/a", false);
    check(("shell:grep", "grep x | wc"), "shell:grep", "Grep  X | wc", true);
}

#[test]
fn a_draft_sent_back_twice_for_blocked_targets_alone_is_let_through_unbound() {
    let (mut planner, _) = planned(&draft_of(&[step(1, "first", &["glob"], &[])]));
    redirect(&mut planner, blocking_target("read_file", "/w/a"));
    sent_back(&mut planner, &reads("/w/a"));
    sent_back(&mut planner, &reads("/w/a"));
    let plan = accepted(&mut planner, &reads("/w/a"));
    assert!(plan.subtasks[0].blocked.targets.is_empty(), "its executor may use the only input there is");
    // The next round binds again.
    redirect(&mut planner, blocking_target("read_file", "/w/a"));
    sent_back(&mut planner, &draft_of(&[step(1, "read it anew", &["read_file"], &["a"])]));
}

#[test]
fn a_draft_with_any_other_fault_is_not_let_through() {
    let faulty = {
        let mut draft = reads("/w/a");
        draft["subtasks"][0]["intent"] = json!("");
        draft
    };
    for faulty_round in 0..2 {
        let (mut planner, _) = planned(&draft_of(&[step(1, "first", &["glob"], &[])]));
        redirect(&mut planner, blocking_target("read_file", "/w/a"));
        for round in 0..2 {
            sent_back(&mut planner, &if round == faulty_round { faulty.clone() } else { reads("/w/a") });
        }
        let notice = ended(&answer(&mut planner, &reads("/w/a")));
        assert_eq!(notice.outcome, NoPlan::CannotPlan, "the fault was in draft {faulty_round}");
    }
    // Nor does the third draft get away with another fault.
    let (mut planner, _) = planned(&draft_of(&[step(1, "first", &["glob"], &[])]));
    redirect(&mut planner, blocking_target("read_file", "/w/a"));
    sent_back(&mut planner, &reads("/w/a"));
    sent_back(&mut planner, &reads("/w/a"));
    assert_eq!(ended(&answer(&mut planner, &faulty)).reasons, ["subtask 1 has no intent"]);
}

#[test]
fn established_steps_are_kept_unless_a_step_supersedes_them() {
    let (mut planner, first) =
        planned(&draft_of(&[step(1, "find", &["glob"], &[]), step(1, "read", &["read_file"], &[])]));
    let ids: Vec<_> = first.subtasks.iter().map(|s| s.subtask_id).collect();
    redirect(&mut planner, keeping(&first, &[0, 1]));
    let mut next = draft_of(&[step(1, "search", &["glob"], &[])]);
    next["subtasks"][0]["supersedes"] = json!([ids[1].to_string()]);
    let plan = accepted(&mut planner, &next);
    assert_eq!((plan.kept, plan.superseded), (vec![ids[0]], vec![ids[1]]));
}

#[test]
fn a_failed_step_is_not_established_and_cannot_be_superseded() {
    let (mut planner, first) =
        planned(&draft_of(&[step(1, "find", &["glob"], &[]), step(1, "read", &["read_file"], &[])]));
    redirect(&mut planner, keeping(&first, &[0]));
    let failed = first.subtasks[1].subtask_id;
    let mut next = draft_of(&[step(1, "search", &["glob"], &[])]);
    next["subtasks"][0]["supersedes"] = json!([failed.to_string()]);
    let reason = format!("subtask 1 supersedes {failed}, which is not established");
    assert_eq!(sent_back(&mut planner, &next).0.reasons, [reason]);
}

/// What a directive says after a round in which the first of these steps matched and the others did not, with this class
/// blocked for the step at `blocked`.
fn after_first(plan: &DispatchManifest, class: &str, blocked: usize) -> PlanDirective {
    let failed = &plan.subtasks[blocked];
    let block = BlockedTool {
        class: class.to_owned(),
        intent: failed.intent.clone(),
        subtask: Some(failed.subtask_id),
    };
    PlanDirective { blocked_tools: vec![block], ..keeping(plan, &[0]) }
}

#[test]
fn a_class_block_never_binds_the_only_step_of_a_plan_for_the_sake_of_another() {
    // Two tasks of the laboratory ended here: the block lay on a step that had matched since, and the only step that was
    // left was told three times that its tool is blocked for it.
    let draft = draft_of(&[
        step(1, "alpha count the lines of this table", &["shell:p1"], &[]),
        step(1, "bravo count the lines of this table", &["shell:p2"], &[]),
        step(2, "charlie count the lines of this table", &["shell:p1"], &[]),
    ]);
    let (mut planner, plan) = planned(&draft);
    redirect(&mut planner, after_first(&plan, "shell:p1", 0));
    let bravo = accepted(
        &mut planner,
        &draft_of(&[step(1, "bravo count the lines of this table again", &["shell:p1"], &[])]),
    );
    assert_eq!(bravo.subtasks[0].replaces, Some(plan.subtasks[1].subtask_id));
    assert!(bravo.subtasks[0].blocked.classes.is_empty());

    let (mut planner, plan) = planned(&draft);
    redirect(&mut planner, after_first(&plan, "shell:p2", 1));
    let charlie = draft_of(&[step(1, "charlie count the lines of this table now", &["shell:p2"], &[])]);
    let charlie = accepted(&mut planner, &charlie);
    assert_eq!(charlie.subtasks[0].replaces, Some(plan.subtasks[2].subtask_id));
}

#[test]
fn a_class_block_binds_whatever_takes_the_place_of_the_step_that_failed() {
    let (mut planner, plan) = planned(&draft_of(&[
        step(1, "list the files", &["glob"], &[]),
        step(1, "sum the sizes", &["shell:awk"], &[]),
    ]));
    redirect(&mut planner, after_first(&plan, "shell:awk", 1));
    let renamed = draft_of(&[step(1, "total of all bytes", &["shell:awk"], &[])]);
    let reasons = sent_back(&mut planner, &renamed).0.reasons;
    assert_eq!(reasons, ["subtask 1 uses shell:awk, which is blocked for it"]);
    let next = accepted(&mut planner, &draft_of(&[step(1, "total of all bytes", &["shell:du"], &[])]));
    assert_eq!(next.subtasks[0].blocked.classes, ["shell:awk"], "the executor is bound as well");
}

/// What is believed of one step of a plan: this axis, and these classes are to stay.
fn believing(plan: &DispatchManifest, step: usize, axis: StepAxis, pinned: &[&str]) -> PlanDirective {
    let subtask = &plan.subtasks[step];
    let belief = StepBelief {
        subtask: subtask.subtask_id,
        intent: subtask.intent.clone(),
        chances: Chances { detail: 1.0, ..Chances::default() },
        axis,
        enforced: true,
        pinned: pinned.iter().map(|class| (*class).to_owned()).collect(),
    };
    let grounds = Grounds { steps: vec![belief], ..Grounds::default() };
    PlanDirective { grounds, ..directive() }
}

#[test]
fn a_pinned_tool_is_kept_by_what_takes_the_place_of_its_step_or_let_go_after_two_drafts() {
    let draft =
        draft_of(&[step(1, "sum the sizes", &["shell:awk"], &[]), step(1, "list the files", &["glob"], &[])]);
    let (mut planner, plan) = planned(&draft);
    let request = redirect(&mut planner, believing(&plan, 0, StepAxis::Detail, &["shell:awk"]));
    let told = "step \"sum the sizes\": must: keep tool and input, change how they are used (100 %)";
    assert!(request.messages[1].content.contains(told), "{}", request.messages[1].content);
    let other = draft_of(&[
        step(1, "sum the sizes of all", &["shell:du"], &[]),
        step(1, "list the files there", &["find_files"], &[]),
    ]);
    let reason =
        "subtask 1 changes the tool where a detail was wrong; keep shell:awk and change how it is used";
    assert_eq!(sent_back(&mut planner, &other).0.reasons, [reason]);
    assert_eq!(sent_back(&mut planner, &other).0.reasons, [reason]);
    accepted(&mut planner, &other);

    let (mut planner, plan) = planned(&draft);
    redirect(&mut planner, believing(&plan, 0, StepAxis::Detail, &["shell:awk"]));
    accepted(&mut planner, &draft_of(&[step(1, "sum the sizes of all", &["shell"], &[])]));
}

#[test]
fn what_passes_by_itself_is_tried_again_as_it_was() {
    let (mut planner, plan) = planned(&reads("/w/a"));
    redirect(&mut planner, believing(&plan, 0, StepAxis::Again, &["read_file"]));
    accepted(&mut planner, &reads("/w/a"));
}

#[test]
fn a_step_that_the_rejection_of_the_whole_cites_is_done_anew() {
    let (mut planner, plan) = planned(&draft_of(&[step(1, "list the files", &["glob"], &[])]));
    let cited = plan.subtasks[0].subtask_id;
    let grounds = Grounds { redo: vec![cited], ..Grounds::default() };
    redirect(&mut planner, PlanDirective { grounds, ..keeping(&plan, &[0]) });
    let mut more = draft_of(&[step(1, "count what is there", &["shell:wc"], &[])]);
    let reason = format!("what the whole was rejected for stems from step {cited}; do it anew (supersedes)");
    assert_eq!(sent_back(&mut planner, &more).0.reasons, [reason]);
    more["subtasks"][0]["supersedes"] = json!([cited.to_string()]);
    accepted(&mut planner, &more);
}
