//! A later step that writes over what an earlier one made.

use artoo_types::criteria::{Check, Compare};
use artoo_types::evidence::{ChangeKind, FileChange};

use super::*;

/// A plan of two steps: the first leaves JSON in `/w/a.json`.
fn two_steps() -> DispatchManifest {
    let json = Check::FileJson {
        path: "/w/a.json".to_owned(),
        pointer: String::new(),
        op: Compare::Ne,
        value: Value::Null,
    };
    let mut first = subtask(1, 1);
    first.success_criteria = vec![verifiable("it was written"), verifiable("it is JSON")];
    first.success_criteria[1].check = Some(json);
    let mut plan = plan(0, vec![checked("a")]);
    plan.subtasks = vec![first, subtask(2, 2)];
    plan
}

/// Both steps of the plan end well; the second changes these paths. Returns what is asked for.
fn both_end(request: &str, changed: &[&str]) -> (MetaValidator, Effect) {
    let mut validator = MetaValidator::new(task_id(), String::new());
    let mut task = spec();
    task.raw_input = request.to_owned();
    assert!(validator.step(Timestamp(0), Input::Spec(task)).is_empty());
    let plan = two_steps();
    assert!(validator.step(Timestamp(0), Input::Manifest(plan.clone())).is_empty());
    let [first, second] = <[SubTask; 2]>::try_from(plan.subtasks).expect("two steps");
    assert!(validator.step(Timestamp(0), ended(first, OK)).is_empty());
    let mut last = outcome(second, OK, "output 2");
    let mut call = receipt(2, CallEnd::Ran, Some(0), "output 2");
    call.act.changes = changed
        .iter()
        .map(|path| FileChange {
            path: (*path).to_owned(),
            kind: ChangeKind::Changed,
            before: None,
            after: None,
            modes: None,
        })
        .collect();
    last.receipts = vec![call];
    let effect = step_on(&mut validator, Input::Outcome(last));
    // Two outputs are merged first.
    let effect = match effect {
        Effect::AskModel(_) => step_on(&mut validator, merged(&json!("both"), &json!([]))),
        asked @ (Effect::RunChecks { .. } | Effect::Replan(_) | Effect::Summarise(_)) => asked,
    };
    (validator, effect)
}

fn indexes(effect: &Effect) -> Vec<usize> {
    let Effect::RunChecks { checks, .. } = effect else { panic!("no checks: {effect:?}") };
    checks.iter().map(|check| check.criterion).collect()
}

#[test]
fn a_file_that_a_later_step_destroys_is_not_made() {
    let (mut validator, effect) = both_end("convert a.csv to json and save it as a.json", &["/w/a.json"]);
    assert_eq!(indexes(&effect), [0, 1], "the check of the step stands behind that of the task");
    let seen = vec![check_evidence(0, Verdict::Pass), check_evidence(1, Verdict::Fail)];
    let request = replan(step_on(&mut validator, Input::Checked(seen)));
    assert_eq!(request.failed_outcomes, [subtask_id(1)]);
    assert_eq!(passed(&request.task_verdicts), [(0, true)]);
    let why = request.outcomes[0].failure_reason.as_deref();
    assert_eq!(why, Some("a later step undid it: \"it is JSON\" no longer holds"));
    assert_eq!(request.outcomes[0].criteria_verdicts.iter().filter(|v| !v.passed()).count(), 1);
}

#[test]
fn what_still_holds_is_accepted() {
    let (mut validator, effect) = both_end("convert a.csv to json and save it as a.json", &["/w/a.json"]);
    assert_eq!(indexes(&effect), [0, 1]);
    let seen = vec![check_evidence(0, Verdict::Pass), check_evidence(1, Verdict::Pass)];
    let summary = summary(step_on(&mut validator, Input::Checked(seen)));
    assert!(summary.outcomes.iter().all(SubTaskOutcome::matched));
}

#[test]
fn nothing_is_asked_again_of_what_no_later_step_touched_or_the_person_wants_changed() {
    let (_, effect) = both_end("convert a.csv to json", &["/w/b.json", "/v/a.json"]);
    assert_eq!(indexes(&effect), [0]);
    let (_, effect) = both_end("write a.json, then replace the port in a.json by 8080", &["/w/a.json"]);
    assert_eq!(indexes(&effect), [0], "a request that orders a change wants it");
}
