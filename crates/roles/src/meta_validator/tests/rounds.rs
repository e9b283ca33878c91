use artoo_types::Timestamp;
use artoo_types::criteria::Verdict;
use artoo_types::outcome::JudgedTimes;
use artoo_types::plan::{DispatchManifest, SubTask};

use super::{
    BAD, Input, MetaValidator, OK, all_end, ended, merged, pass, plan, question, replan, step_on, subject,
    summary, watching,
};
use crate::testing::{check_evidence, checked, manifest, subtask, subtask_id, verifiable};
use serde_json::json;

/// Sends the plan of the next round, made of step 3 in group 1.
fn next_round(validator: &mut MetaValidator, change: impl FnOnce(&mut DispatchManifest)) {
    let mut plan = manifest(1, vec![SubTask { round: 1, ..subtask(3, 1) }]);
    change(&mut plan);
    assert!(validator.step(Timestamp(0), Input::Manifest(plan)).is_empty());
}

fn third() -> Input {
    ended(SubTask { round: 1, ..subtask(3, 1) }, OK)
}

#[test]
fn kept_outcomes_are_merged_with_new_ones() {
    let mut validator = watching(plan(2, vec![verifiable("a")]));
    replan(all_end(&mut validator, &[OK, BAD]));
    next_round(&mut validator, |plan| plan.kept = vec![subtask_id(1)]);
    question(step_on(&mut validator, third()));
    let summary = summary(step_on(&mut validator, merged(&json!("both"), &json!([pass(0, "r1")]))));
    let ids: Vec<_> = summary.outcomes.iter().map(|o| o.subtask_id).collect();
    assert_eq!(ids, [subtask_id(1), subtask_id(3)], "the failed one is gone");
}

#[test]
fn superseded_outcomes_leave_the_merge_and_the_evidence() {
    let mut validator = watching(plan(2, vec![verifiable("a")]));
    question(all_end(&mut validator, &[OK, OK]));
    replan(step_on(&mut validator, merged(&json!("both"), &json!([]))));
    next_round(&mut validator, |plan| {
        plan.kept = vec![subtask_id(1)];
        plan.superseded = vec![subtask_id(2)];
        plan.output_from = Some(subtask_id(3));
    });
    question(step_on(&mut validator, third()));
    let request = replan(step_on(&mut validator, merged(&json!(""), &json!([pass(0, "r2")]))));
    let ids: Vec<_> = request.outcomes.iter().map(|o| o.subtask_id).collect();
    assert_eq!(ids, [subtask_id(1), subtask_id(3)]);
    assert!(!request.partial_output.contains("output 2"), "{}", request.partial_output);
}

#[test]
fn one_new_step_without_kept_ones_is_the_result() {
    let mut validator = watching(plan(2, vec![checked("a")]));
    subject(all_end(&mut validator, &[BAD, BAD]));
    replan(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Fail)])));
    next_round(&mut validator, |plan| plan.task_criteria = vec![checked("a")]);
    assert_eq!(subject(step_on(&mut validator, third())).output, "output 3");
}

#[test]
fn history_counts_the_rounds_in_which_a_criterion_was_judged() {
    let mut validator = watching(plan(2, vec![checked("a"), verifiable("b")]));
    subject(all_end(&mut validator, &[OK, BAD]));
    let first = replan(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Fail)])));
    let times = |judged, failed| JudgedTimes { judged, failed };
    assert_eq!(first.task_history, [times(1, 1), times(0, 0)]);
    next_round(&mut validator, |plan| {
        plan.task_criteria = vec![checked("a"), verifiable("b"), verifiable("c")];
    });
    subject(step_on(&mut validator, third()));
    question(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
    let reply = merged(&json!(""), &json!([pass(1, "r3")]));
    let second = replan(step_on(&mut validator, reply));
    assert_eq!(second.task_history, [times(2, 1), times(1, 0), times(1, 1)]);
}

#[test]
fn nothing_of_one_round_is_judged_again_in_the_next() {
    let mut validator = watching(plan(1, vec![verifiable("a")]));
    question(all_end(&mut validator, &[OK]));
    replan(step_on(&mut validator, merged(&json!("x"), &json!([]))));
    next_round(&mut validator, |_| {});
    question(step_on(&mut validator, third()));
    let summary = summary(step_on(&mut validator, merged(&json!("x"), &json!([pass(0, "r3")]))));
    assert_eq!(summary.merged_output, json!("output 3"));
}
