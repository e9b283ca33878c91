use artoo_types::chat::{ChatRequest, ModelFailureKind, Tier};
use artoo_types::criteria::{Criterion, CriterionVerdict, FailureClass, Verdict};
use artoo_types::envelope::Role;
use artoo_types::evidence::CallEnd;
use artoo_types::machine::CheckSubject;
use artoo_types::outcome::{
    AttemptRecord, JudgedTimes, OutcomeStatus, OutcomeSummary, ReplanRequest, SubTaskOutcome,
};
use artoo_types::plan::{DispatchManifest, SubTask};
use artoo_types::reply::SchemaName;
use artoo_types::{EvidenceId, Timestamp};
use serde_json::{Value, json};

use super::{Effect, Input, MetaValidator, verdicts};
use crate::testing::{
    check_evidence, checked, manifest, outcome, plausible, receipt, says, silence, spec, subtask, subtask_id,
    task_id, text, user_text, verifiable,
};

mod rounds;
mod undone;

const OK: OutcomeStatus = OutcomeStatus::Matched;
const BAD: OutcomeStatus = OutcomeStatus::Failed;

/// A meta-validator that knows the task and this plan.
fn watching(plan: DispatchManifest) -> MetaValidator {
    let mut validator = MetaValidator::new(task_id(), String::new());
    assert!(validator.step(Timestamp(0), Input::Spec(spec())).is_empty());
    assert!(validator.step(Timestamp(0), Input::Manifest(plan)).is_empty());
    validator
}

/// A plan of so many steps in one group with these task criteria.
fn plan(steps: u32, task_criteria: Vec<Criterion>) -> DispatchManifest {
    DispatchManifest { task_criteria, ..manifest(0, (1..=steps).map(|n| subtask(n, 1)).collect()) }
}

/// The end of the step with the receipt `r<ordinal>`.
fn ended(subtask: SubTask, status: OutcomeStatus) -> Input {
    let n = u64::from(subtask.ordinal);
    let output = format!("output {n}");
    let mut outcome = outcome(subtask, status, &output);
    outcome.receipts = vec![receipt(n, CallEnd::Ran, Some(0), &output)];
    Input::Outcome(outcome)
}

fn step_on(validator: &mut MetaValidator, input: Input) -> Effect {
    let mut effects = validator.step(Timestamp(0), input);
    assert_eq!(effects.len(), 1, "one consequence");
    effects.remove(0)
}

/// Ends the first `steps` steps; only the last end has a consequence.
fn all_end(validator: &mut MetaValidator, statuses: &[OutcomeStatus]) -> Effect {
    let mut effects = Vec::new();
    for (n, status) in (1..).zip(statuses) {
        assert!(effects.is_empty(), "it waits for every outcome");
        effects = validator.step(Timestamp(0), ended(subtask(n, 1), *status));
    }
    assert_eq!(effects.len(), 1);
    effects.remove(0)
}

fn question(effect: Effect) -> ChatRequest {
    let Effect::AskModel(request) = effect else { panic!("no question: {effect:?}") };
    request
}

fn subject(effect: Effect) -> CheckSubject {
    let Effect::RunChecks { subject, .. } = effect else { panic!("no checks: {effect:?}") };
    subject
}

fn replan(effect: Effect) -> ReplanRequest {
    let Effect::Replan(request) = effect else { panic!("no replan: {effect:?}") };
    request
}

fn summary(effect: Effect) -> OutcomeSummary {
    let Effect::Summarise(summary) = effect else { panic!("no summary: {effect:?}") };
    summary
}

fn merged(output: &Value, verdicts: &Value) -> Input {
    Input::Model(says(&json!({"merged_output": output, "summary": "All there.", "verdicts": verdicts})))
}

fn pass(criterion: usize, cited: &str) -> Value {
    json!({"criterion": criterion, "verdict": "pass", "receipt": cited, "evidence": "seen"})
}

fn fail(criterion: usize) -> Value {
    json!({"criterion": criterion, "verdict": "fail", "failure_class": "logical", "evidence": "missing"})
}

fn passed(verdicts: &[CriterionVerdict]) -> Vec<(usize, bool)> {
    verdicts.iter().map(|v| (v.index, v.passed())).collect()
}

/// Fails where the answer of a failed step is lost, told as verified, or told with a deed or a figure that no call shows.
#[test]
fn what_a_failed_step_said_is_kept_as_unverified_without_what_no_call_shows() {
    let told = |output: &str, words: &str| {
        let mut failed = outcome(subtask(1, 1), OutcomeStatus::Failed, output);
        failed.receipts = vec![receipt(1, CallEnd::Ran, Some(0), "6 files, all ASCII text")];
        super::merge::unverified_output(&[&failed], words, false)
    };
    let said = "All 6 files are ASCII text. I deleted every file in it. The average rating is 4.7.\nNone is damaged.";
    assert_eq!(
        told(said, "Is one corrupt?"),
        "UNVERIFIED: the last attempt said this, and not all that was asked for is met. Left out: 2 of its sentences, which no \
         call bears out.\n\nAll 6 files are ASCII text.\nNone is damaged."
    );
    let lie = "All 6 files are ASCII text.\n2. The folder was corrupt and has been deleted.";
    assert!(
        told(lie, "Clean up the folder").ends_with("All 6 files are ASCII text."),
        "nor the number of its item"
    );
    // What a question about two versions is answered with is no deed.
    let differences = "5. is_json is removed.\nCan break callers: whoever used it, for it was deleted.";
    let told_whole = told(differences, "What changed between v1 and v2?");
    assert!(told_whole.ends_with(differences) && !told_whole.contains("Left out"), "{told_whole}");
    assert!(told("没有损坏的文件。", "有损坏的文件吗？").starts_with("未经核实"));
    assert_eq!(told("I deleted every file.", "Clean up"), "", "nothing is left of it");
    let mut validator = watching(plan(1, vec![verifiable("all is done")]));
    let request = replan(all_end(&mut validator, &[BAD]));
    assert_eq!(request.partial_output, "");
}

#[test]
fn a_failed_outcome_is_reported_without_a_model_call() {
    let mut validator = watching(plan(3, vec![verifiable("all is done")]));
    let request = replan(all_end(&mut validator, &[OK, BAD, OutcomeStatus::NotRun]));
    assert_eq!(request.failed_outcomes, [subtask_id(2)], "what never ran did not fail");
    assert_eq!(request.outcomes.len(), 3);
    assert!(request.task_verdicts.is_empty(), "nothing was judged");
    assert_eq!((request.task_criteria.len(), request.task_history), (1, vec![JudgedTimes::default()]));
    assert_eq!(request.partial_output, "step 1\noutput 1");
    assert_eq!(request.gap_summary, "1 of 2 subtasks failed; \"step 2\": it broke");
}

#[test]
fn checks_of_task_criteria_are_evaluated_although_an_outcome_failed() {
    let mut validator = watching(plan(2, vec![verifiable("a"), checked("b"), checked("c")]));
    let effect = all_end(&mut validator, &[OK, BAD]);
    let Effect::RunChecks { checks, subject } = effect else { panic!("{effect:?}") };
    assert_eq!(checks.iter().map(|c| c.criterion).collect::<Vec<_>>(), [1, 2]);
    assert_eq!((subject.output.as_str(), subject.handle, subject.calls.len()), ("step 1\noutput 1", None, 2));
    let evidence = vec![check_evidence(1, Verdict::Pass), check_evidence(2, Verdict::Fail)];
    let request = replan(step_on(&mut validator, Input::Checked(evidence)));
    assert_eq!(passed(&request.task_verdicts), [(1, true), (2, false)]);
    let times = |judged, failed| JudgedTimes { judged, failed };
    assert_eq!(request.task_history, [times(0, 0), times(1, 0), times(1, 1)]);
    assert!(request.gap_summary.ends_with("task criterion \"c\": check 2 looked"), "{}", request.gap_summary);
}

#[test]
fn one_outcome_is_the_result_and_checks_alone_need_no_model() {
    let mut validator = watching(plan(1, vec![checked("a")]));
    let mut cut = outcome(subtask(1, 1), OK, "output 1");
    cut.handle = Some("artifact".to_owned());
    let subject = subject(step_on(&mut validator, Input::Outcome(cut)));
    assert_eq!((subject.output.as_str(), subject.handle.as_deref()), ("output 1", Some("artifact")));
    let summary = summary(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
    assert_eq!((&summary.merged_output, summary.summary.as_str()), (&json!("output 1"), "Done: step 1."));
    assert_eq!((summary.outcomes.len(), passed(&summary.task_verdicts)), (1, vec![(0, true)]));
}

#[test]
fn what_is_delivered_and_stands_in_no_receipt_goes_along() {
    let mut validator = watching(plan(1, vec![checked("a")]));
    step_on(&mut validator, Input::Outcome(outcome(subtask(1, 1), OK, "There are 4711 of them.")));
    let end = summary(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
    assert_eq!(end.not_in_receipts, ["4711"]);
    let mut validator = watching(plan(1, vec![checked("a")]));
    step_on(&mut validator, Input::Outcome(outcome(subtask(1, 1), OK, "There are 4711 of them.")));
    let part = replan(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Fail)])));
    assert_eq!(part.not_in_receipts, ["4711"], "a part is marked too, without the words of the plan");
}

/// An earlier plan's look proves nothing any more; but what it showed does stand in a receipt.
#[test]
fn what_an_earlier_plan_saw_stands_in_a_receipt() {
    let mut validator = watching(plan(1, vec![checked("a")]));
    let mut looked = outcome(subtask(1, 1), BAD, "it broke");
    looked.receipts = vec![receipt(1, CallEnd::Ran, Some(0), "4711 rows")];
    step_on(&mut validator, Input::Outcome(looked));
    replan(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Fail)])));
    let step = subtask(2, 1);
    let next = DispatchManifest { task_criteria: vec![checked("a")], ..manifest(1, vec![step.clone()]) };
    assert!(validator.step(Timestamp(0), Input::Manifest(next)).is_empty());
    let said = "There are 4711 of them, and 99 more.";
    step_on(&mut validator, Input::Outcome(outcome(step, OK, said)));
    let end = summary(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
    assert_eq!(end.not_in_receipts, ["99"]);
}

#[test]
fn a_failed_check_of_a_task_criterion_asks_for_a_replan() {
    let mut validator = watching(plan(1, vec![checked("a")]));
    step_on(&mut validator, ended(subtask(1, 1), OK));
    let request = replan(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Fail)])));
    assert!(request.failed_outcomes.is_empty());
    assert_eq!(request.task_verdicts[0].failure_class, Some(FailureClass::Logical));
    assert_eq!(request.partial_output, "", "nothing of the whole is met");
    assert!(request.unverified_output.ends_with("output 1"), "{}", request.unverified_output);
    // Nor does a check pass that was not evaluated.
    let mut validator = watching(plan(1, vec![checked("a")]));
    step_on(&mut validator, ended(subtask(1, 1), OK));
    replan(step_on(&mut validator, Input::Checked(Vec::new())));
}

#[test]
fn the_step_that_the_plan_names_is_the_result_of_several() {
    let named =
        DispatchManifest { output_from: Some(subtask_id(2)), ..plan(3, vec![checked("a"), verifiable("b")]) };
    let mut validator = watching(named);
    assert_eq!(subject(all_end(&mut validator, &[OK; 3])).output, "output 2");
    let request = question(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
    assert!(
        user_text(&request).contains("\n## Task criteria\n1. [verifiable] b\n"),
        "only what is left to judge"
    );
    let summary = summary(step_on(&mut validator, merged(&json!("something else"), &json!([pass(1, "r3")]))));
    assert_eq!(summary.merged_output, json!("output 2"), "the model does not replace what code merged");
    assert_eq!(
        (summary.summary.as_str(), passed(&summary.task_verdicts)),
        ("All there.", vec![(0, true), (1, true)])
    );
}

#[test]
fn several_outcomes_are_merged_by_a_model_and_checks_read_what_it_merged() {
    let mut validator = watching(plan(2, vec![plausible("a"), checked("b")]));
    let request = question(all_end(&mut validator, &[OK, OK]));
    assert_eq!(
        (request.role, request.tier, request.schema),
        (Role::MetaValidator, Tier::Brain, SchemaName::MergeVerdict)
    );
    assert!(request.messages[0].content.starts_with("# Role: R4b Meta-Validator\n"));
    let (one, two) = (subtask_id(1), subtask_id(2));
    assert_eq!(
        user_text(&request),
        format!(
            "## Outcomes\n[subtask {one}] 1. step 1: matched\n  output 1\n[subtask {two}] 2. step 2: matched\n  output 2\n\n\
             ## Receipts\n[receipt r1] glob /w/* exit=0\narguments: {{\"pattern\":\"*\"}}\n  output 1\n[receipt r2] glob /w/* exit=0\narguments: {{\"pattern\":\"*\"}}\n  output 2\n\n\
             ## Task criteria\n0. [plausible] a\n\n\
             ## Request\nList my notes"
        )
    );
    let reply = merged(&json!({"files": 2}), &json!([pass(0, &format!("[subtask {one}]"))]));
    let subject = subject(step_on(&mut validator, reply));
    assert_eq!((subject.output.as_str(), subject.handle), ("{\n  \"files\": 2\n}", None));
    let summary = summary(step_on(&mut validator, Input::Checked(vec![check_evidence(1, Verdict::Pass)])));
    assert_eq!(summary.merged_output, json!({"files": 2}));
    assert_eq!(
        summary.task_verdicts[0].cites,
        Some(EvidenceId("r1".to_owned())),
        "a subtask stands for its receipt"
    );
}

#[test]
fn a_merge_is_asked_for_once_even_when_every_criterion_has_a_check() {
    let mut validator = watching(plan(2, vec![checked("a")]));
    question(all_end(&mut validator, &[OK, OK]));
    assert_eq!(subject(step_on(&mut validator, merged(&json!("both"), &json!([])))).output, "both");
    let summary = summary(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
    assert_eq!(summary.merged_output, json!("both"));
}

#[test]
fn a_verdict_that_is_ambiguous_fails() {
    let check = |criterion: Criterion, verdicts: Value, accepted: bool| {
        let mut validator = watching(plan(1, vec![criterion]));
        question(all_end(&mut validator, &[OK]));
        let effect = step_on(&mut validator, merged(&json!("x"), &verdicts));
        if accepted {
            summary(effect);
        } else {
            assert_eq!(passed(&replan(effect).task_verdicts), [(0, false)], "{verdicts}");
        }
    };
    check(verifiable("a"), json!([pass(0, "r1")]), true);
    check(verifiable("a"), json!([pass(0, &subtask_id(1).to_string())]), true);
    check(verifiable("a"), json!([fail(0)]), false);
    check(verifiable("a"), json!([]), false);
    check(verifiable("a"), json!([pass(0, "r1"), fail(0)]), false);
    check(verifiable("a"), json!([pass(0, "r9")]), false);
    check(verifiable("a"), json!([{"criterion": 0, "verdict": "pass"}]), false);
}

#[test]
fn a_subtask_without_receipts_is_only_its_own_words() {
    let check = |criterion: Criterion, accepted: bool| {
        let mut validator = watching(plan(1, vec![criterion]));
        question(step_on(&mut validator, Input::Outcome(outcome(subtask(1, 1), OK, "words"))));
        let effect =
            step_on(&mut validator, merged(&json!("x"), &json!([pass(0, &subtask_id(1).to_string())])));
        assert_eq!(matches!(effect, Effect::Summarise(_)), accepted, "{effect:?}");
    };
    check(plausible("a"), true);
    check(verifiable("a"), false);
}

#[test]
fn what_cannot_be_judged_asks_for_a_replan_and_is_nobodys_fault() {
    let check = |steps: u32, inputs: Vec<Input>, expected: &[(usize, bool)]| {
        let mut validator = watching(plan(steps, vec![verifiable("a"), checked("b")]));
        let mut effect = all_end(&mut validator, &vec![OK; steps as usize]);
        if steps == 1 {
            effect = step_on(&mut validator, Input::Checked(vec![check_evidence(1, Verdict::Pass)]));
        }
        question(effect);
        let mut last = None;
        for input in inputs {
            last = Some(step_on(&mut validator, input));
        }
        let request = replan(last.expect("an input"));
        assert_eq!(passed(&request.task_verdicts), expected);
        assert_eq!(request.task_verdicts[0].failure_class, None);
        assert!(request.task_verdicts[0].evidence.starts_with("it could not be judged"));
        assert!(request.partial_output.starts_with("step 1\noutput 1"));
    };
    let twice = || vec![Input::Model(text("fine")), Input::Model(text("fine"))];
    // Code merged, so the check saw the result; the model only had to judge the rest.
    check(1, twice(), &[(0, false), (1, true)]);
    // Nothing was merged, so nothing is known about it.
    check(2, twice(), &[(0, false), (1, false)]);
    check(2, vec![Input::Model(silence(ModelFailureKind::Deadline))], &[(0, false), (1, false)]);
    check(2, vec![Input::Model(silence(ModelFailureKind::Unreachable))], &[(0, false), (1, false)]);
}

#[test]
fn a_merge_of_the_wrong_form_is_repaired_once() {
    let mut validator = watching(plan(2, vec![verifiable("a")]));
    question(all_end(&mut validator, &[OK, OK]));
    let request = question(step_on(&mut validator, Input::Model(says(&json!({"merged_output": "x"})))));
    assert!(
        request.messages[3].content.contains("missing field `verdicts`"),
        "{}",
        request.messages[3].content
    );
    summary(step_on(&mut validator, merged(&json!("x"), &json!([pass(0, "r2")]))));
}

#[test]
fn partial_output_is_in_sequence_order_and_bounded() {
    let steps = vec![subtask(1, 3), subtask(2, 1), subtask(3, 2), subtask(4, 4)];
    let mut validator = watching(manifest(0, steps.clone()));
    let mut effects = Vec::new();
    for (step, status) in steps.into_iter().zip([OK, OK, OK, BAD]) {
        effects = validator.step(Timestamp(0), ended(step, status));
    }
    let request = replan(effects.remove(0));
    assert_eq!(request.partial_output, "step 2\noutput 2\n\nstep 3\noutput 3\n\nstep 1\noutput 1");
    let order: Vec<u32> = request.outcomes.iter().map(|o: &SubTaskOutcome| o.subtask.sequence).collect();
    assert_eq!(order, [1, 2, 3, 4]);
    let mut validator = watching(plan(2, vec![verifiable("a")]));
    validator.step(Timestamp(0), Input::Outcome(outcome(subtask(1, 1), OK, &"x".repeat(100_000))));
    let request = replan(step_on(&mut validator, ended(subtask(2, 1), BAD)));
    assert!(request.partial_output.chars().count() < 33_000);
}

#[test]
fn a_question_about_long_outputs_stays_within_the_bound_of_a_prompt() {
    let mut validator = watching(plan(32, vec![verifiable("a")]));
    let mut effects = Vec::new();
    for n in 1..=32 {
        let mut long = outcome(subtask(n, 1), OK, &"x".repeat(32_000));
        long.receipts = (1..=10).map(|r| receipt(r, CallEnd::Ran, Some(0), &"y".repeat(32_000))).collect();
        effects = validator.step(Timestamp(0), Input::Outcome(long));
    }
    let request = question(effects.remove(0));
    assert!(!user_text(&request).contains("characters omitted ...]\n## "), "no section is cut away");
    assert!(user_text(&request).chars().count() < 100_000);
    assert!(user_text(&request).ends_with("\n## Request\nList my notes"));
}

/// A correction does not take away what the attempt before it has seen.
#[test]
fn receipts_of_every_attempt_are_evidence_for_the_task() {
    let mut validator = watching(plan(2, vec![verifiable("The sum is given as a number.")]));
    let mut corrected = outcome(subtask(1, 1), OK, "the sum is 4711");
    let receipts = vec![receipt(1, CallEnd::Ran, Some(0), "4711\n")];
    corrected.earlier = vec![AttemptRecord { attempt: 1, verdicts: Vec::new(), receipts }];
    assert!(validator.step(Timestamp(0), Input::Outcome(corrected)).is_empty());
    let asked = question(step_on(&mut validator, ended(subtask(2, 1), OK)));
    assert!(user_text(&asked).contains("[receipt r1]"), "{asked:?}");
    let effect = step_on(&mut validator, merged(&json!("the sum is 4711"), &json!([pass(0, "r1")])));
    assert!(matches!(effect, Effect::Summarise(_)), "{effect:?}");
}

/// The end of the only step of a plan with one criterion of the task, on which R4a gave these verdicts.
fn only_step_ends(task_verdicts: Vec<CriterionVerdict>) -> Effect {
    let mut validator = watching(plan(1, vec![verifiable("all is done")]));
    assert_eq!(validator.criteria_of_only(subtask_id(1)), [verifiable("all is done")]);
    let Input::Outcome(ended) = ended(subtask(1, 1), OK) else { panic!() };
    step_on(&mut validator, Input::Outcome(SubTaskOutcome { task_verdicts, ..ended }))
}

#[test]
fn what_was_judged_along_with_the_only_step_is_not_asked_again() {
    let criterion = verifiable("all is done");
    let passed = CriterionVerdict {
        verdict: Verdict::Pass,
        cites: Some(EvidenceId("r1".to_owned())),
        ..crate::verdicts::fail(0, &criterion, None, None, "seen")
    };
    let summary = summary(only_step_ends(vec![passed]));
    assert_eq!((summary.task_verdicts.len(), summary.task_history[0].judged), (1, 1));
    let failed = crate::verdicts::fail(0, &criterion, Some(FailureClass::Logical), None, "not all");
    let request = replan(only_step_ends(vec![failed]));
    assert_eq!((request.task_verdicts.len(), request.failed_outcomes.len()), (1, 0));
    question(only_step_ends(Vec::new()));
}

#[test]
fn the_criteria_of_the_task_go_to_no_step_that_shares_in_them() {
    let watching = watching(plan(2, vec![verifiable("all is done")]));
    assert_eq!(watching.criteria_of_only(subtask_id(1)), []);
}

/// A model that fell silent in the middle of a step says nothing about the approach, nor does what is missing for it.
#[test]
fn what_a_step_did_not_come_to_is_no_fault_of_the_approach() {
    let class = |of_step: Option<FailureClass>| {
        let mut validator = watching(plan(1, vec![checked("b")]));
        let mut broken = outcome(subtask(1, 1), BAD, "the model did not answer");
        broken.criteria_verdicts = vec![verdicts::fail(0, &verifiable("a"), of_step, None, "no answer")];
        step_on(&mut validator, Input::Outcome(broken));
        let failed = vec![check_evidence(0, Verdict::Fail)];
        replan(step_on(&mut validator, Input::Checked(failed))).task_verdicts[0].failure_class
    };
    assert_eq!(class(None), None);
    assert_eq!(class(Some(FailureClass::Logical)), Some(FailureClass::Logical));
}
