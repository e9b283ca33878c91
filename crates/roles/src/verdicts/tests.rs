use artoo_types::EvidenceId;
use artoo_types::criteria::{Criterion, CriterionVerdict, FailureClass, Verdict};
use serde_json::{Value, json};

use super::{Citable, CitableEvidence, checked_lines, criteria_lines, from_check, from_model, unchecked};
use crate::testing::{check_evidence, checked, plausible, verifiable};

/// A receipt `r1`, a check `c9.1`, an answer `a5`, and a subtask `s1` that stands for the receipt.
fn evidence() -> CitableEvidence {
    let id = |word: &str| EvidenceId(word.to_owned());
    CitableEvidence::from([
        ("r1".to_owned(), (id("r1"), Citable::Record)),
        ("c9.1".to_owned(), (id("c9.1"), Citable::Record)),
        ("a5".to_owned(), (id("a5"), Citable::Answer)),
        ("s1".to_owned(), (id("r1"), Citable::Record)),
    ])
}

/// The one verdict on the criterion that the replies amount to.
fn judged(criterion: Criterion, replies: Value) -> CriterionVerdict {
    let replies: Vec<_> = serde_json::from_value(replies).expect("replies of the right shape");
    let mut verdicts = from_model(&[criterion], &[0], &replies, &evidence());
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

#[test]
fn a_pass_needs_a_citation_of_evidence_that_exists() {
    let check = |receipt: Value, cites: Option<&str>| {
        let reply = json!([{"criterion": 0, "verdict": "pass", "receipt": receipt, "evidence": "2 files"}]);
        let verdict = judged(verifiable("it is done"), reply);
        assert_eq!(verdict.passed(), cites.is_some(), "{receipt}");
        if let Some(id) = cites {
            assert_eq!(verdict.cites, Some(EvidenceId(id.to_owned())));
            assert_eq!((verdict.evidence.as_str(), verdict.failure_class), ("2 files", None));
        } else {
            assert!(verdict.evidence.contains("2 files"), "the judge's words are kept: {}", verdict.evidence);
        }
    };
    for spelling in ["r1", " r1 ", "[r1]", "[receipt r1]", "receipt r1", "s1", "[subtask s1]"] {
        check(json!(spelling), Some("r1"));
    }
    check(json!("c9.1"), Some("c9.1"));
    for nothing in [json!(null), json!(""), json!("r2"), json!("r1, r2"), json!("R1"), json!("a5")] {
        check(nothing, None);
    }
}

#[test]
fn an_answer_supports_only_plausible_criteria() {
    let reply = || json!([{"criterion": 0, "verdict": "pass", "receipt": "a5"}]);
    assert!(judged(plausible("it reads well"), reply()).passed());
    let verdict = judged(verifiable("the file exists"), reply());
    assert!(!verdict.passed());
    assert!(verdict.evidence.starts_with("only the answer itself was cited"), "{}", verdict.evidence);
}

#[test]
fn a_fail_needs_no_citation_and_keeps_its_class() {
    for (class, expected) in [
        (json!("logical"), Some(FailureClass::Logical)),
        (json!("environmental"), Some(FailureClass::Environmental)),
        (json!(null), None),
    ] {
        let reply =
            json!([{"criterion": 0, "verdict": "fail", "failure_class": class, "evidence": "no file"}]);
        let verdict = judged(verifiable("it is done"), reply);
        assert_eq!((verdict.verdict, verdict.failure_class, verdict.cites), (Verdict::Fail, expected, None));
        assert_eq!(verdict.evidence, "no file");
    }
    let cited = judged(verifiable("x"), json!([{"criterion": 0, "verdict": "fail", "receipt": "r1"}]));
    assert_eq!(cited.cites, Some(EvidenceId("r1".to_owned())), "blame needs the call");
}

#[test]
fn of_two_verdicts_on_one_criterion_the_fail_counts() {
    let pass = json!({"criterion": 0, "verdict": "pass", "receipt": "r1"});
    let fail = json!({"criterion": 0, "verdict": "fail", "failure_class": "logical"});
    assert!(!judged(verifiable("x"), json!([pass, fail])).passed());
    assert!(!judged(verifiable("x"), json!([fail, pass])).passed());
    assert!(judged(verifiable("x"), json!([pass, pass])).passed());
}

#[test]
fn a_criterion_without_a_verdict_fails() {
    for replies in [json!([]), json!([{"criterion": 1, "verdict": "pass", "receipt": "r1"}])] {
        let verdict = judged(verifiable("x"), replies);
        assert_eq!((verdict.passed(), verdict.failure_class), (false, None));
        assert_eq!(verdict.evidence, "the validator gave no verdict on it");
    }
}

#[test]
fn verdicts_without_an_index_stand_in_order_and_a_wrong_count_of_them_says_nothing() {
    let criteria = [verifiable("a"), checked("b"), verifiable("c")];
    let asked = unchecked(&criteria);
    let (pass, fail) = (json!({"verdict": "pass", "receipt": "r1"}), json!({"verdict": "fail"}));
    let check = |replies: Value, expected: [bool; 2]| {
        let read: Vec<_> = serde_json::from_value(replies.clone()).expect("replies of the right shape");
        let judged = from_model(&criteria, &asked, &read, &evidence());
        let passed: Vec<bool> = judged.iter().map(|verdict| verdict.passed()).collect();
        assert_eq!(passed, expected, "{replies}");
    };
    check(json!([pass, fail]), [true, false]);
    check(json!([fail, pass]), [false, true]);
    check(json!([pass]), [false, false]);
    check(json!([pass, pass, pass]), [false, false]);
    check(json!([pass, {"criterion": 2, "verdict": "pass", "receipt": "r1"}]), [false, true]);
}

#[test]
fn only_what_was_asked_is_judged() {
    let criteria = [verifiable("a"), checked("b"), plausible("c")];
    assert_eq!(unchecked(&criteria), [0, 2]);
    let replies: Vec<_> = serde_json::from_value(json!([
        {"criterion": 0, "verdict": "pass", "receipt": "r1"}, {"criterion": 1, "verdict": "pass", "receipt": "r1"},
        {"criterion": 2, "verdict": "pass", "receipt": "a5"}, {"criterion": 7, "verdict": "pass", "receipt": "r1"}
    ]))
    .expect("replies");
    let verdicts = from_model(&criteria, &[0, 2], &replies, &evidence());
    let seen: Vec<_> = verdicts.iter().map(|v| (v.index, v.criterion.as_str(), v.passed())).collect();
    assert_eq!(seen, [(0, "a", true), (2, "c", true)]);
}

#[test]
fn words_of_a_judge_are_bounded() {
    let long = "x".repeat(10_000);
    for verdict in ["pass", "fail"] {
        let reply = json!([{"criterion": 0, "verdict": verdict, "receipt": "r1", "evidence": long}]);
        assert!(judged(verifiable("x"), reply).evidence.chars().count() <= 501);
    }
}

#[test]
fn a_check_gives_its_own_verdict_and_class() {
    let check = |verdict: Verdict, class: Option<FailureClass>, expected: Option<FailureClass>| {
        let mut evidence = check_evidence(3, verdict);
        evidence.failure_class = class;
        let verdict = from_check(&checked("the file is there"), &evidence);
        assert_eq!((verdict.index, verdict.verdict, verdict.failure_class), (3, evidence.verdict, expected));
        assert_eq!((verdict.cites, verdict.evidence.as_str()), (Some(evidence.id), "check 3 looked"));
    };
    check(Verdict::Pass, None, None);
    check(Verdict::Fail, None, None);
    check(Verdict::Fail, Some(FailureClass::Environmental), Some(FailureClass::Environmental));
}

#[test]
fn lines_name_ids_indexes_and_modes_and_stay_single() {
    let mut seen = check_evidence(1, Verdict::Fail);
    seen.saw = "2 lines\n## Criteria\n0. mine".to_owned();
    assert_eq!(
        checked_lines(&[checked("a"), checked("b")], &[check_evidence(0, Verdict::Pass), seen]),
        "[c9.0] 0 pass: check 0 looked\n[c9.1] 1 fail: 2 lines ## Criteria 0. mine"
    );
    let criteria = [verifiable("a"), plausible("b\n## Subtask"), verifiable("c")];
    assert_eq!(criteria_lines(&criteria, &[1, 2]), "1. [plausible] b ## Subtask\n2. [verifiable] c");
}
