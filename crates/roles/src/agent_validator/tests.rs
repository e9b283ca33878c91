use artoo_types::chat::{ChatRequest, ModelFailureKind, Tier};
use artoo_types::criteria::{Criterion, CriterionVerdict, FailureClass, Verdict};
use artoo_types::envelope::Role;
use artoo_types::evidence::{CallEnd, CheckEvidence, Receipt};
use artoo_types::lesson::AttemptEnd;
use artoo_types::machine::AskedCheck;
use artoo_types::outcome::{
    CorrectionSignal, Denial, ExecutionResult, ExecutionStatus, OutcomeStatus, SubTaskOutcome,
};
use artoo_types::plan::SubTask;
use artoo_types::reply::SchemaName;
use artoo_types::{EvidenceId, Timestamp};
use serde_json::{Value, json};

use super::{AgentValidator, Effect, Input};
use crate::testing::{
    check_evidence, checked, plausible, receipt, says, section, silence, subtask, subtask_id, text, titles,
    user_text, verifiable,
};

/// A validator of a subtask with these criteria that allows two corrections.
fn validator(criteria: Vec<Criterion>) -> AgentValidator {
    validator_with(2, criteria)
}

fn validator_with(max_retries: u32, criteria: Vec<Criterion>) -> AgentValidator {
    let mut validator = AgentValidator::new(max_retries);
    let subtask = SubTask { success_criteria: criteria, ..subtask(1, 1) };
    assert!(validator.step(Timestamp(0), Input::Assigned(subtask)).is_empty());
    validator
}

/// A completed attempt with the receipt `r<attempt>` and the answer `a5`.
fn attempt(attempt: u32) -> ExecutionResult {
    ExecutionResult {
        subtask_id: subtask_id(1),
        attempt,
        status: ExecutionStatus::Completed,
        output: "3 files".to_owned(),
        answer: Some(EvidenceId("a5".to_owned())),
        handle: None,
        tool_calls: vec![format!("glob: {attempt} → a.md")],
        receipts: vec![receipt(u64::from(attempt), CallEnd::Ran, Some(0), "a.md")],
        infrastructure: None,
        end: None,
    }
}

fn step_on(validator: &mut AgentValidator, input: Input) -> Effect {
    let mut effects = validator.step(Timestamp(0), input);
    assert_eq!(effects.len(), 1, "every input has one consequence");
    effects.remove(0)
}

fn checks(effect: Effect) -> Vec<AskedCheck> {
    let Effect::RunChecks { checks, .. } = effect else { panic!("no checks: {effect:?}") };
    checks
}

fn question(effect: Effect) -> ChatRequest {
    let Effect::AskModel(request) = effect else { panic!("no question: {effect:?}") };
    request
}

fn correction(effect: Effect) -> CorrectionSignal {
    let Effect::Correct(signal) = effect else { panic!("no correction: {effect:?}") };
    signal
}

fn conclusion(effect: Effect) -> SubTaskOutcome {
    let Effect::Conclude(outcome) = effect else { panic!("no conclusion: {effect:?}") };
    outcome
}

fn verdicts(verdicts: &Value) -> Input {
    Input::Model(says(&json!({"verdicts": verdicts})))
}

fn fail(criterion: usize, class: &str) -> Value {
    json!({"criterion": criterion, "verdict": "fail", "failure_class": class, "evidence": "not so"})
}

fn pass(criterion: usize, receipt: &str) -> Value {
    json!({"criterion": criterion, "verdict": "pass", "receipt": receipt, "evidence": "seen"})
}

fn passed(verdicts: &[CriterionVerdict]) -> Vec<bool> {
    verdicts.iter().map(CriterionVerdict::passed).collect()
}

/// A step whose tests were run so that their end cannot be seen.
fn masked_run() -> ExecutionResult {
    let run = Receipt {
        tool: "shell".to_owned(),
        arguments: json!({"command": "python3 -m unittest || true"}).to_string(),
        ..receipt(1, CallEnd::Ran, Some(0), "done")
    };
    ExecutionResult { output: "All tests pass.".to_owned(), receipts: vec![run], ..attempt(1) }
}

#[test]
fn tests_whose_end_is_hidden_are_run_again_by_code() {
    let check = |exit: i64, output: &str, passes: bool| {
        let mut validator = validator(vec![verifiable("the tests pass")]).looking(true);
        let Effect::Look { tool, arguments } = step_on(&mut validator, Input::Result(masked_run())) else {
            panic!("it is believed")
        };
        assert_eq!(tool, "shell");
        assert_eq!(arguments, r#"{"command":"python3 -m unittest","timeout_ms":120000}"#);
        let own = Receipt {
            tool,
            arguments,
            classes: vec!["shell:python3".to_owned()],
            ..receipt(2, CallEnd::Ran, Some(exit), output)
        };
        let request = question(step_on(&mut validator, Input::Looked(own)));
        assert!(user_text(&request).contains("[receipt r2]"), "the model sees it: {}", user_text(&request));
        match step_on(&mut validator, verdicts(&json!([pass(0, "r1")]))) {
            Effect::Conclude(outcome) => {
                assert!(passes, "a lie is believed");
                assert_eq!(outcome.criteria_verdicts[0].cites, Some(EvidenceId("r2".to_owned())));
                assert_eq!(outcome.receipts.len(), 2);
            }
            Effect::Correct(signal) => {
                assert!(!passes, "{signal:?}");
                assert!(signal.what_was_wrong.contains("artoo ran the tests itself"), "{signal:?}");
            }
            other @ (Effect::RunChecks { .. } | Effect::AskModel(_) | Effect::Look { .. }) => {
                panic!("{other:?}")
            }
        }
    };
    check(0, "Ran 6 tests\n\nOK", true);
    check(1, "Ran 6 tests\n\nFAILED (failures=1)", false);
}

#[test]
fn a_judge_may_look_before_it_judges_once_and_with_what_only_reads() {
    let look = |tool: &str, path: &str| json!({"tool": tool, "arguments": {"path": path}});
    let wants = |looks: &Value| Input::Model(says(&json!({"look": looks})));
    let mut validator = validator(vec![verifiable("a.md is short")]).looking(true);
    question(step_on(&mut validator, Input::Result(attempt(1))));
    let asked = json!([look("write_file", "a.md"), look("read_file", "a.md"), look("grep", "b.md")]);
    let first = step_on(&mut validator, wants(&asked));
    assert_eq!(
        first,
        Effect::Look { tool: "read_file".to_owned(), arguments: r#"{"path":"a.md"}"#.to_owned() }
    );
    let second = step_on(&mut validator, Input::Looked(receipt(2, CallEnd::Ran, Some(0), "short")));
    assert!(matches!(&second, Effect::Look { tool, .. } if tool == "grep"), "{second:?}");
    let request = question(step_on(&mut validator, Input::Looked(receipt(3, CallEnd::Error, None, "gone"))));
    assert!(user_text(&request).contains("[receipt r2]") && !user_text(&request).contains("[receipt r3]"));
    // A second round of looks is no verdict: its form is repaired.
    let repair = question(step_on(&mut validator, wants(&asked)));
    assert!(repair.messages.last().is_some_and(|m| m.content.contains("verdicts")), "{repair:?}");
    let outcome = conclusion(step_on(&mut validator, verdicts(&json!([pass(0, "r2")]))));
    assert_eq!((outcome.status, outcome.receipts.len()), (OutcomeStatus::Matched, 2));
}

#[test]
fn a_look_that_was_not_allowed_shows_nothing() {
    let mut validator = validator_with(0, vec![verifiable("the tests pass")]).looking(true);
    step_on(&mut validator, Input::Result(masked_run()));
    let denied = receipt(2, CallEnd::Denied, None, "not done");
    question(step_on(&mut validator, Input::Looked(denied)));
    let outcome = conclusion(step_on(&mut validator, verdicts(&json!([pass(0, "r1")]))));
    assert_eq!(
        (outcome.status, outcome.receipts.len()),
        (OutcomeStatus::Failed, 1),
        "r1 ends well whatever it ran"
    );
}

#[test]
fn numbers_that_the_person_said_are_known_to_a_check() {
    let mut validator = validator(vec![checked("a")]);
    let words = Input::Request("One row for each of the 5 members, please".to_owned());
    assert!(validator.step(Timestamp(0), words).is_empty());
    let Effect::RunChecks { subject, .. } = step_on(&mut validator, Input::Result(attempt(1))) else {
        panic!("it has a check")
    };
    assert!(subject.told.ends_with("the 5 members, please"), "{}", subject.told);
}

#[test]
fn criteria_that_all_have_checks_cost_no_model_call() {
    let mut validator = validator(vec![checked("a"), checked("b")]);
    let effect = step_on(&mut validator, Input::Result(attempt(1)));
    let Effect::RunChecks { checks, subject } = effect else { panic!("{effect:?}") };
    assert_eq!(checks.iter().map(|c| c.criterion).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((subject.output.as_str(), subject.calls.len()), ("3 files", 1));
    let evidence = vec![check_evidence(0, Verdict::Pass), check_evidence(1, Verdict::Pass)];
    let outcome = conclusion(step_on(&mut validator, Input::Checked(evidence)));
    assert_eq!((outcome.status, outcome.failure_reason), (OutcomeStatus::Matched, None));
    assert_eq!(outcome.criteria_verdicts[1].cites, Some(EvidenceId("c9.1".to_owned())));
    assert_eq!((outcome.output.as_str(), outcome.receipts.len()), ("3 files", 1));
}

#[test]
fn a_failed_check_asks_for_another_attempt_without_a_model() {
    let check = |class: Option<FailureClass>| {
        let mut validator = validator(vec![checked("it is there")]);
        step_on(&mut validator, Input::Result(attempt(1)));
        let evidence = CheckEvidence { failure_class: class, ..check_evidence(0, Verdict::Fail) };
        let signal = correction(step_on(&mut validator, Input::Checked(vec![evidence])));
        assert_eq!((signal.attempt, signal.failure_class), (2, class));
        assert_eq!(signal.what_was_wrong, "\"it is there\" is not met: check 0 looked");
        assert!(!signal.what_to_do.is_empty());
    };
    check(None);
    check(Some(FailureClass::Environmental));
    check(Some(FailureClass::Logical));
}

#[test]
fn a_check_that_nobody_evaluated_is_not_passed() {
    let mut validator = validator_with(0, vec![checked("a"), checked("b")]);
    step_on(&mut validator, Input::Result(attempt(1)));
    let outcome = conclusion(step_on(&mut validator, Input::Checked(vec![check_evidence(1, Verdict::Pass)])));
    assert_eq!(passed(&outcome.criteria_verdicts), [false, true]);
}

#[test]
fn the_model_judges_only_what_no_check_decides() {
    let mut validator =
        validator(vec![plausible("it is short"), checked("it is there"), verifiable("3 files")]);
    let asked = checks(step_on(&mut validator, Input::Result(attempt(1))));
    assert_eq!(asked.iter().map(|c| c.criterion).collect::<Vec<_>>(), [1]);
    let request = question(step_on(&mut validator, Input::Checked(vec![check_evidence(1, Verdict::Pass)])));
    assert_eq!(
        (request.role, request.tier, request.schema),
        (Role::AgentValidator, Tier::Tool, SchemaName::Verdicts)
    );
    assert!(request.messages[0].content.starts_with("# Role: R4a Agent-Validator\n"));
    assert_eq!(
        user_text(&request),
        "## Status\ncompleted\n\n\
         ## Receipts\n[receipt r1] glob /w/* exit=0\narguments: {\"pattern\":\"*\"}\n  a.md\n\n\
         ## Checked\n[c9.1] 1 pass: check 1 looked\n\n\
         ## Answer\n[a5]\n  3 files\n\n## Not in any receipt\n3\n\n\
         ## Criteria\n0. [plausible] it is short\n2. [verifiable] 3 files\n\n\
         ## Subtask\nstep 1"
    );
    // The model's word on the checked criterion does not count.
    let all = json!([pass(0, "a5"), fail(1, "logical"), pass(2, "c9.1")]);
    let outcome = conclusion(step_on(&mut validator, verdicts(&all)));
    assert_eq!((outcome.status, passed(&outcome.criteria_verdicts)), (OutcomeStatus::Matched, vec![true; 3]));
}

#[test]
fn uncertain_is_judged_like_completed() {
    let uncertain = ExecutionResult { status: ExecutionStatus::Uncertain, ..attempt(1) };
    let mut validator = validator(vec![verifiable("x")]);
    let request = question(step_on(&mut validator, Input::Result(uncertain)));
    assert_eq!(section(user_text(&request), "Status"), Some("uncertain"));
    assert_eq!(
        conclusion(step_on(&mut validator, verdicts(&json!([pass(0, "r1")])))).status,
        OutcomeStatus::Matched
    );
}

#[test]
fn a_result_taken_from_a_tool_has_no_answer_to_cite() {
    let result = ExecutionResult { answer: None, ..attempt(1) };
    let mut validator = validator_with(0, vec![plausible("x")]);
    let request = question(step_on(&mut validator, Input::Result(result)));
    assert_eq!(titles(user_text(&request)), ["Status", "Receipts", "Criteria", "Subtask"]);
    let outcome = conclusion(step_on(&mut validator, verdicts(&json!([pass(0, "a5")]))));
    assert_eq!(outcome.status, OutcomeStatus::Failed);
}

#[test]
fn a_pass_counts_only_with_evidence_of_this_attempt() {
    let check = |criterion: Criterion, verdict: Value, matched: bool| {
        let mut validator = validator_with(1, vec![criterion]);
        question(step_on(&mut validator, Input::Result(attempt(1))));
        correction(step_on(&mut validator, verdicts(&json!([fail(0, "logical")]))));
        question(step_on(&mut validator, Input::Result(attempt(2))));
        let outcome = conclusion(step_on(&mut validator, verdicts(&verdict)));
        assert_eq!(outcome.matched(), matched, "{verdict}");
    };
    check(verifiable("x"), json!([pass(0, "r2")]), true);
    check(verifiable("x"), json!([pass(0, "[receipt r2]")]), true);
    // What an earlier attempt did is evidence as well.
    check(verifiable("x"), json!([pass(0, "r1")]), true);
    check(verifiable("x"), json!([pass(0, "r9")]), false);
    check(verifiable("x"), json!([pass(0, "a5")]), false);
    check(plausible("x"), json!([pass(0, "a5")]), true);
    check(verifiable("x"), json!([{"criterion": 0, "verdict": "pass"}]), false);
    check(verifiable("x"), json!([]), false);
    check(verifiable("x"), json!([pass(0, "r2"), fail(0, "logical")]), false);
}

#[test]
fn corrections_are_asked_for_at_most_so_often_and_every_attempt_is_kept() {
    let check = |max_retries: u32| {
        let mut validator = validator_with(max_retries, vec![verifiable("a"), verifiable("b")]);
        for n in 1..=max_retries {
            question(step_on(&mut validator, Input::Result(attempt(n))));
            let reply = json!([pass(0, &format!("r{n}")), fail(1, "environmental")]);
            let signal = correction(step_on(&mut validator, verdicts(&reply)));
            assert_eq!((signal.subtask_id, signal.attempt), (subtask_id(1), n + 1));
            assert_eq!(signal.failure_class, Some(FailureClass::Environmental));
            let calls: Vec<String> = (1..=n).map(|i| format!("glob: {i} → a.md")).collect();
            assert_eq!(signal.prior_calls, calls);
        }
        question(step_on(&mut validator, Input::Result(attempt(max_retries + 1))));
        let outcome =
            conclusion(step_on(&mut validator, verdicts(&json!([fail(0, "logical"), fail(1, "logical")]))));
        assert_eq!(outcome.status, OutcomeStatus::Failed);
        assert!(
            outcome
                .failure_reason
                .as_ref()
                .is_some_and(|why| why.contains("\"a\" is not met: not so; \"b\" is not met"))
        );
        let points: Vec<_> =
            outcome.gap_trajectory.iter().map(|p| (p.attempt, p.score, p.failure_class)).collect();
        let mut expected: Vec<_> =
            (1..=max_retries).map(|n| (n, 0.5, Some(FailureClass::Environmental))).collect();
        expected.push((max_retries + 1, 0.0, Some(FailureClass::Logical)));
        assert_eq!(points, expected);
        let last = outcome.gap_trajectory.last().expect("a point");
        assert_eq!((last.unmet_criteria.len(), last.unmet_indexes.as_slice()), (2, &[0, 1][..]));
        assert_eq!(outcome.tool_calls.len(), max_retries as usize + 1, "calls of all attempts");
        assert_eq!(outcome.receipts.len(), 1, "receipts of the last attempt");
        let all: Vec<&str> = outcome.all_receipts().map(|r| r.id.0.as_str()).collect();
        let ids: Vec<String> = (1..=max_retries + 1).map(|n| format!("r{n}")).collect();
        assert_eq!(all, ids, "and those of the attempts before it");
    };
    for max_retries in [0, 1, 2] {
        check(max_retries);
    }
}

#[test]
fn a_match_after_a_correction_keeps_the_trajectory() {
    let mut validator = validator(vec![verifiable("a")]);
    question(step_on(&mut validator, Input::Result(attempt(1))));
    correction(step_on(&mut validator, verdicts(&json!([fail(0, "logical")]))));
    question(step_on(&mut validator, Input::Result(attempt(2))));
    let outcome = conclusion(step_on(&mut validator, verdicts(&json!([pass(0, "r2")]))));
    let points: Vec<_> =
        outcome.gap_trajectory.iter().map(|p| (p.attempt, p.score, p.failure_class)).collect();
    assert_eq!(points, [(1, 0.0, Some(FailureClass::Logical)), (2, 1.0, None)]);
    assert_eq!(outcome.receipts[0].id, EvidenceId("r2".to_owned()));
}

#[test]
fn a_correction_carries_the_class_of_most_failures_and_the_judges_advice() {
    let check = |classes: &[&str], expected: FailureClass| {
        let count = classes.len();
        let mut validator = validator((0..count).map(|i| verifiable(&format!("c{i}"))).collect());
        question(step_on(&mut validator, Input::Result(attempt(1))));
        let replies: Vec<Value> = classes.iter().enumerate().map(|(i, class)| fail(i, class)).collect();
        let advice = json!({"what_was_wrong": "wrong folder", "what_to_do": "look in /h"});
        let reply = json!({"verdicts": replies, "correction": advice});
        let signal = correction(step_on(&mut validator, Input::Model(says(&reply))));
        assert_eq!(signal.failure_class, Some(expected), "{classes:?}");
        assert_eq!(
            (signal.what_was_wrong.as_str(), signal.what_to_do.as_str()),
            ("wrong folder", "look in /h")
        );
    };
    check(&["logical"], FailureClass::Logical);
    check(&["environmental"], FailureClass::Environmental);
    check(&["environmental", "logical"], FailureClass::Logical);
    check(&["environmental", "logical", "environmental"], FailureClass::Environmental);
}

#[test]
fn advice_is_bounded() {
    let mut validator = validator(vec![verifiable("a")]);
    question(step_on(&mut validator, Input::Result(attempt(1))));
    let advice = json!({"what_was_wrong": "x".repeat(9_000), "what_to_do": "y".repeat(9_000)});
    let reply = json!({"verdicts": [fail(0, "logical")], "correction": advice});
    let signal = correction(step_on(&mut validator, Input::Model(says(&reply))));
    assert!(signal.what_was_wrong.chars().count() <= 1_001 && signal.what_to_do.chars().count() <= 1_001);
}

/// Ends at once, although there are checks and corrections left; every criterion fails with this class.
fn check_ends(result: ExecutionResult, denial: Option<Denial>, class: Option<FailureClass>) {
    let mut validator = validator(vec![checked("a"), plausible("b")]);
    if let Some(denial) = denial {
        assert!(validator.step(Timestamp(0), Input::Denied(denial)).is_empty());
    }
    let last = result.receipts.last().map(|r| r.id.clone());
    let output = result.output.clone();
    let outcome = conclusion(step_on(&mut validator, Input::Result(result)));
    assert_eq!((outcome.status, outcome.denied), (OutcomeStatus::Failed, denial));
    assert_eq!(outcome.failure_reason.as_deref(), Some(output.as_str()));
    for verdict in &outcome.criteria_verdicts {
        assert_eq!((verdict.passed(), verdict.failure_class, &verdict.cites), (false, class, &last));
    }
    let points: Vec<_> =
        outcome.gap_trajectory.iter().map(|p| (p.attempt, p.score, p.unmet_indexes.len())).collect();
    assert_eq!(points, [(1, 0.0, 2)]);
}

#[test]
fn a_failed_broken_or_denied_attempt_ends_the_loop_at_once() {
    let failed = |receipts: Vec<Receipt>| ExecutionResult {
        status: ExecutionStatus::Failed,
        output: "I found no way".to_owned(),
        receipts,
        ..attempt(1)
    };
    let environmental = Some(FailureClass::Environmental);
    let ran = || receipt(1, CallEnd::Ran, Some(0), "a.md");
    check_ends(failed(vec![ran()]), None, None);
    check_ends(failed(Vec::new()), None, None);
    let exit = |code: i64| receipt(2, CallEnd::Ran, Some(code), "no such file");
    check_ends(failed(vec![ran(), exit(1)]), None, environmental);
    check_ends(failed(vec![exit(1), receipt(3, CallEnd::Ran, Some(0), "a.md")]), None, None);
    check_ends(failed(vec![receipt(2, CallEnd::Ran, Some(0), "(no match)")]), None, environmental);
    check_ends(failed(vec![receipt(2, CallEnd::Timeout, None, "")]), None, None);
    // A limit is no fault of what was called last.
    let spent = ExecutionResult { end: Some(AttemptEnd::Limit), ..failed(vec![exit(1)]) };
    check_ends(spent, None, None);
    let broken = |status: ExecutionStatus| ExecutionResult {
        status,
        output: "the model was lost".to_owned(),
        infrastructure: Some("the model was lost".to_owned()),
        ..attempt(1)
    };
    check_ends(broken(ExecutionStatus::Failed), None, None);
    check_ends(broken(ExecutionStatus::Completed), None, None);
    let denied = |status: ExecutionStatus| ExecutionResult {
        status,
        output: "[LAW1] not done: no".to_owned(),
        receipts: vec![receipt(2, CallEnd::Denied, None, "no")],
        ..attempt(1)
    };
    for denial in [Denial::Refused, Denial::Unanswered] {
        check_ends(denied(ExecutionStatus::Failed), Some(denial), None);
    }
}

#[test]
fn an_attempt_that_found_another_way_than_a_denied_call_is_judged() {
    let mut validator = validator(vec![verifiable("b")]);
    assert!(validator.step(Timestamp(0), Input::Denied(Denial::Unanswered)).is_empty());
    let attempt = ExecutionResult {
        receipts: vec![receipt(1, CallEnd::Denied, None, "no"), receipt(2, CallEnd::Ran, Some(0), "b")],
        ..attempt(1)
    };
    question(step_on(&mut validator, Input::Result(attempt)));
    let judged = json!({"verdicts": [{"criterion": 0, "verdict": "pass", "receipt": "r1", "evidence": "x"}]});
    let outcome = conclusion(step_on(&mut validator, Input::Model(says(&judged))));
    assert!(!outcome.matched(), "a denied call shows nothing, and the attempt had its chance: {outcome:?}");
}

#[test]
fn an_attempt_that_gives_up_without_a_call_gave_up_on_what_was_called_before() {
    let mut validator = validator(vec![verifiable("the first lines are shown")]);
    let missing = receipt(1, CallEnd::Ran, Some(1), "no such file");
    question(step_on(
        &mut validator,
        Input::Result(ExecutionResult { receipts: vec![missing], ..attempt(1) }),
    ));
    // The judge doubts the approach; the receipt knows better.
    let signal = correction(step_on(&mut validator, verdicts(&json!([fail(0, "logical")]))));
    assert_eq!(signal.failure_class, Some(FailureClass::Environmental));
    let gave_up = ExecutionResult {
        status: ExecutionStatus::Failed,
        receipts: Vec::new(),
        end: Some(AttemptEnd::GaveUp),
        ..attempt(2)
    };
    let outcome = conclusion(step_on(&mut validator, Input::Result(gave_up)));
    assert_eq!(outcome.criteria_verdicts[0].failure_class, Some(FailureClass::Environmental));
    assert_eq!((outcome.receipts.len(), outcome.earlier.len()), (0, 1));
    assert_eq!(outcome.earlier[0].receipts[0].id, EvidenceId("r1".to_owned()));
}

#[test]
fn what_cannot_be_judged_fails_at_once_and_is_nobodys_fault() {
    let check = |inputs: Vec<Input>| {
        let mut validator = validator(vec![checked("a"), verifiable("b")]);
        step_on(&mut validator, Input::Result(attempt(1)));
        question(step_on(&mut validator, Input::Checked(vec![check_evidence(0, Verdict::Pass)])));
        let mut last = None;
        for input in inputs {
            last = Some(step_on(&mut validator, input));
        }
        let outcome = conclusion(last.expect("an input"));
        assert_eq!(passed(&outcome.criteria_verdicts), [true, false], "what the check saw stands");
        assert_eq!(outcome.criteria_verdicts[1].failure_class, None);
        assert!(outcome.failure_reason.is_some_and(|why| why.starts_with("it could not be judged")));
        assert!((outcome.gap_trajectory[0].score - 0.5).abs() < f64::EPSILON);
    };
    check(vec![Input::Model(silence(ModelFailureKind::Deadline))]);
    check(vec![Input::Model(text("looks fine")), Input::Model(text("as I said"))]);
    check(vec![
        Input::Model(text("{\"verdicts\":[{\"criterion\":1,\"verdict\":\"maybe\"}]}")),
        Input::Model(text("?")),
    ]);
}

#[test]
fn a_verdict_of_the_wrong_form_is_repaired_once() {
    let mut validator = validator(vec![verifiable("b")]);
    question(step_on(&mut validator, Input::Result(attempt(1))));
    let maybe = json!([{"criterion": 0, "verdict": "maybe"}]);
    let request = question(step_on(&mut validator, verdicts(&maybe)));
    assert!(request.messages[3].content.contains("verdicts[0].verdict"), "{}", request.messages[3].content);
    assert!(conclusion(step_on(&mut validator, verdicts(&json!([pass(0, "r1")])))).matched());
}

/// What is said of a task with these criteria whose only step has those.
fn judged_with_the_task(
    own: Vec<Criterion>,
    task: Vec<Criterion>,
    reply: &Value,
) -> (String, SubTaskOutcome) {
    let mut validator = validator(own);
    let request = "Name the files".to_owned();
    assert!(
        validator
            .step(Timestamp(0), Input::Task { request, criteria: task, past: Vec::new(), suite: None })
            .is_empty()
    );
    let asked = question(step_on(&mut validator, Input::Result(attempt(1))));
    let outcome = conclusion(step_on(&mut validator, Input::Model(says(reply))));
    (user_text(&asked).to_owned(), outcome)
}

#[test]
fn the_criteria_of_the_task_are_judged_in_the_same_call_and_identical_ones_once() {
    let task = vec![verifiable("It names  a.md"), plausible("the answer is short"), checked("a")];
    let reply = json!({"verdicts": [pass(0, "r1")], "task_verdicts": [pass(1, "a5")]});
    let (asked, outcome) = judged_with_the_task(vec![verifiable("it names a.md")], task, &reply);
    assert!(asked.contains("## Task criteria\n1. [plausible] the answer is short\n"), "{asked}");
    assert!(asked.ends_with("## Request\nName the files"), "{asked}");
    let of_task: Vec<(usize, bool)> = outcome.task_verdicts.iter().map(|v| (v.index, v.passed())).collect();
    assert_eq!((outcome.status, of_task), (OutcomeStatus::Matched, vec![(0, true), (1, true)]));
}

#[test]
fn a_failed_criterion_of_the_task_is_no_fault_of_the_step() {
    let reply = json!({"verdicts": [pass(0, "r1")], "task_verdicts": [fail(0, "logical")]});
    let (_, outcome) =
        judged_with_the_task(vec![verifiable("it names a.md")], vec![verifiable("it is Markdown")], &reply);
    assert_eq!((outcome.status, passed(&outcome.task_verdicts)), (OutcomeStatus::Matched, vec![false]));
}

#[test]
fn a_reply_that_leaves_the_task_out_leaves_it_open() {
    let reply = json!({"verdicts": [pass(0, "r1")]});
    let (_, outcome) =
        judged_with_the_task(vec![verifiable("it names a.md")], vec![verifiable("it is Markdown")], &reply);
    assert_eq!((outcome.status, outcome.task_verdicts), (OutcomeStatus::Matched, Vec::new()));
}
