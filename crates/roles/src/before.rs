//! What a check comes to when it is known what it gave before the task did anything.
//!
//! A check about the world that held before proves nothing by holding now: it passes only where a receipt of the task
//! changed its subject, or where the criterion says that it is to stay as it was.

use artoo_types::EvidenceId;
use artoo_types::criteria::{Criterion, FailureClass, Verdict};
use artoo_types::evidence::{BeforeState, CheckEvidence};
use artoo_types::lesson::{Shortfall, lesson};

/// What a check comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WorldFinding {
    pub(crate) verdict: Verdict,
    pub(crate) failure_class: Option<FailureClass>,
    /// What shows it.
    pub(crate) cites: EvidenceId,
    pub(crate) words: String,
}

/// What the check of a criterion comes to.
pub(crate) fn finding(criterion: &Criterion, evidence: &CheckEvidence) -> WorldFinding {
    match &evidence.before {
        None => WorldFinding {
            verdict: evidence.verdict,
            failure_class: evidence.failure_class.filter(|_| evidence.verdict == Verdict::Fail),
            cites: evidence.id.clone(),
            words: evidence.saw.clone(),
        },
        Some(before) if criterion.unchanged => precondition(evidence, before),
        Some(before) => achievement(criterion, evidence, before),
    }
}

/// What was to come about.
fn achievement(criterion: &Criterion, evidence: &CheckEvidence, before: &BeforeState) -> WorldFinding {
    let CheckEvidence { verdict, failure_class, id, saw, .. } = evidence;
    let was = &before.saw;
    let found = |verdict, failure_class, cites: &EvidenceId, words| WorldFinding {
        verdict,
        failure_class,
        cites: cites.clone(),
        words,
    };
    match (verdict, before.verdict, before.changed_by.as_ref().or(before.changed_below.as_ref())) {
        (Verdict::Fail, _, _) => found(Verdict::Fail, *failure_class, id, format!("{saw} (before: {was})")),
        (Verdict::Pass, Some(Verdict::Fail), _) => {
            found(Verdict::Pass, None, id, format!("{saw} (before: {was})"))
        }
        (Verdict::Pass, Some(Verdict::Pass) | None, Some(receipt)) => {
            found(Verdict::Pass, None, receipt, format!("{saw}; {receipt} changed it (before: {was})"))
        }
        (Verdict::Pass, Some(Verdict::Pass), None) if criterion.may_be_unchanged() => found(
            Verdict::Pass,
            None,
            id,
            format!("it is as it was before, and nothing is to be changed: {saw}"),
        ),
        (Verdict::Pass, Some(Verdict::Pass), None) => found(
            Verdict::Fail,
            lesson(Shortfall::AsBefore),
            id,
            format!("it was so before; nothing in this task did it: {saw}"),
        ),
        (Verdict::Pass, None, None) => found(
            Verdict::Fail,
            lesson(Shortfall::Unmeasured),
            id,
            format!("nothing in this task did it, and how it was before is not known ({was}): {saw}"),
        ),
    }
}

/// What was to stay as it was.
fn precondition(evidence: &CheckEvidence, before: &BeforeState) -> WorldFinding {
    let CheckEvidence { verdict, id, saw, .. } = evidence;
    let was = &before.saw;
    let fail = |shortfall, cites: &EvidenceId, words| WorldFinding {
        verdict: Verdict::Fail,
        failure_class: lesson(shortfall),
        cites: cites.clone(),
        words,
    };
    let changed_by = before.changed_by.as_ref().filter(|_| !before.put_back);
    match (before.verdict, changed_by, verdict) {
        (_, Some(receipt), _) => fail(
            Shortfall::Disturbed,
            receipt,
            format!("it was to stay as it was, and {receipt} changed it: {saw} (before: {was})"),
        ),
        (Some(Verdict::Fail) | None, None, _) => {
            fail(Shortfall::Prevented, id, format!("it did not hold before the task: {was} (now: {saw})"))
        }
        (Some(Verdict::Pass), None, Verdict::Fail) => fail(
            Shortfall::Prevented,
            id,
            format!("it held before, and nothing of this task changed it: {saw} (before: {was})"),
        ),
        (Some(Verdict::Pass), None, Verdict::Pass) => WorldFinding {
            verdict: Verdict::Pass,
            failure_class: None,
            cites: id.clone(),
            words: format!("it is as it was before: {saw}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::criteria::{Criterion, Derived, FailureClass, Verdict};
    use artoo_types::evidence::{BeforeState, CheckEvidence};

    use super::finding;
    use crate::testing::{check_evidence, verifiable};

    const PASS: (Verdict, Option<FailureClass>) = (Verdict::Pass, None);
    const LOGICAL: (Verdict, Option<FailureClass>) = (Verdict::Fail, Some(FailureClass::Logical));
    const ENVIRONMENTAL: (Verdict, Option<FailureClass>) = (Verdict::Fail, Some(FailureClass::Environmental));
    const UNKNOWN: (Verdict, Option<FailureClass>) = (Verdict::Fail, None);

    /// A check of which the state before is known.
    fn evidence(before: Option<Verdict>, changed_by: Option<&str>, now: Verdict) -> CheckEvidence {
        let before = BeforeState {
            id: EvidenceId("c2.0".to_owned()),
            verdict: before,
            saw: "was".to_owned(),
            changed_by: changed_by.map(|id| EvidenceId(id.to_owned())),
            put_back: false,
            changed_below: None,
        };
        CheckEvidence {
            before: Some(before),
            failure_class: (now == Verdict::Fail).then_some(FailureClass::Environmental),
            ..check_evidence(0, now)
        }
    }

    #[test]
    fn what_held_before_counts_only_where_the_task_changed_it() {
        let check = |before, changed_by, now, expected, cites: &str| {
            let found = finding(&verifiable("it is there"), &evidence(before, changed_by, now));
            assert_eq!((found.verdict, found.failure_class), expected, "{found:?}");
            assert_eq!(found.cites.0, cites, "{found:?}");
        };
        check(Some(Verdict::Fail), None, Verdict::Pass, PASS, "c9.0");
        check(Some(Verdict::Fail), Some("r1"), Verdict::Pass, PASS, "c9.0");
        check(Some(Verdict::Pass), Some("r1"), Verdict::Pass, PASS, "r1");
        check(Some(Verdict::Pass), None, Verdict::Pass, LOGICAL, "c9.0");
        check(None, Some("r1"), Verdict::Pass, PASS, "r1");
        check(None, None, Verdict::Pass, UNKNOWN, "c9.0");
        for before in [Some(Verdict::Pass), Some(Verdict::Fail), None] {
            check(before, Some("r1"), Verdict::Fail, ENVIRONMENTAL, "c9.0");
        }
    }

    #[test]
    fn a_precondition_holds_before_and_after_and_nothing_of_the_task_touches_it() {
        let precondition = Criterion { unchanged: true, ..verifiable("it stays") };
        let check = |before, changed_by, now, expected| {
            let found = finding(&precondition, &evidence(before, changed_by, now));
            assert_eq!((found.verdict, found.failure_class), expected, "{found:?}");
        };
        check(Some(Verdict::Pass), None, Verdict::Pass, PASS);
        check(Some(Verdict::Pass), Some("r1"), Verdict::Pass, LOGICAL);
        check(Some(Verdict::Pass), None, Verdict::Fail, ENVIRONMENTAL);
        check(Some(Verdict::Fail), None, Verdict::Pass, ENVIRONMENTAL);
        check(Some(Verdict::Fail), None, Verdict::Fail, ENVIRONMENTAL);
        check(Some(Verdict::Fail), Some("r1"), Verdict::Pass, LOGICAL);
        check(None, None, Verdict::Pass, ENVIRONMENTAL);
        let mut put_back = evidence(Some(Verdict::Pass), Some("r1"), Verdict::Pass);
        put_back.before.as_mut().unwrap().put_back = true;
        assert_eq!(finding(&precondition, &put_back).verdict, Verdict::Pass, "it is as it was");
    }

    #[test]
    fn where_nothing_is_to_be_changed_what_held_before_may_hold_still() {
        let reading = Criterion { derived: Some(Derived::Unchanged), ..verifiable("it is there") };
        let verdict = |before, now| finding(&reading, &evidence(before, None, now)).verdict;
        assert_eq!(verdict(Some(Verdict::Pass), Verdict::Pass), Verdict::Pass);
        assert_eq!(verdict(Some(Verdict::Fail), Verdict::Pass), Verdict::Pass, "it came about meanwhile");
        assert_eq!(verdict(Some(Verdict::Pass), Verdict::Fail), Verdict::Fail);
        assert_eq!(verdict(None, Verdict::Pass), Verdict::Fail, "nobody knows what was before");
    }

    #[test]
    fn the_words_tell_both_states() {
        let found = finding(&verifiable("it is there"), &evidence(Some(Verdict::Pass), None, Verdict::Pass));
        assert_eq!(found.words, "it was so before; nothing in this task did it: check 0 looked");
        let found =
            finding(&verifiable("it is there"), &evidence(Some(Verdict::Pass), Some("r4"), Verdict::Pass));
        assert_eq!(found.words, "check 0 looked; r4 changed it (before: was)");
    }
}
