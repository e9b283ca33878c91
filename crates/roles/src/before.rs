//! What a check comes to when it is known what it gave before the task did anything.
//!
//! A check about the world that held before proves nothing by holding now: it passes only where a receipt of the task
//! changed its subject, or where the criterion says that it is to stay as it was.

use std::sync::LazyLock;

use artoo_types::EvidenceId;
use artoo_types::criteria::{Check, Compare, Criterion, FailureClass, Verdict};
use artoo_types::evidence::{BeforeState, CheckEvidence};
use artoo_types::lesson::{Shortfall, lesson};
use regex::Regex;

/// Words that ask for a number of files.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:number|count|how many|as many)\b|数量|个数|总数|数目"));
/// Words that ask for no file to be lost.
static LOSS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:lost|lose[sd]?|loss|missing|in all|altogether|total|all)\b|丢失|丢|缺|少|共")
});
/// Words that ask for more than the number: names, contents, or that nothing is touched.
static MORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:unchanged|untouched|unmodified|intact|identical|contents?|bytes?|names?|named|as (?:it|they) (?:is|are|was|were)|as before|(?:not|nothing|never|none|no \w+)\W(?:\w+\W){0,6}?(?:changed?|touched|modified|edited|altered|renamed|moved))\b|原样|不变|内容|名字|文件名|未[改动]|没有?[改动]|不[改动]",
    )
});

/// The patterns are fixed, and a test uses each of them.
#[expect(clippy::expect_used, reason = "the patterns are constants")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a regular expression")
}

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
        Some(before) if criterion.unchanged => precondition(criterion, evidence, before),
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
fn precondition(criterion: &Criterion, evidence: &CheckEvidence, before: &BeforeState) -> WorldFinding {
    let CheckEvidence { verdict, id, saw, .. } = evidence;
    let was = &before.saw;
    let fail = |shortfall, cites: &EvidenceId, words| WorldFinding {
        verdict: Verdict::Fail,
        failure_class: lesson(shortfall),
        cites: cites.clone(),
        words,
    };
    let is_counted =
        verdict == &Verdict::Pass && before.verdict == Some(Verdict::Pass) && is_of_number(criterion, before);
    let may_change = before.put_back || is_counted || is_of_content(criterion);
    let changed_by = before.changed_by.as_ref().filter(|_| !may_change);
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
        (Some(Verdict::Pass), None, Verdict::Pass) if is_counted && before.changed_by.is_some() => {
            WorldFinding {
                verdict: Verdict::Pass,
                failure_class: None,
                cites: id.clone(),
                words: format!("the number is as it was before: {saw}"),
            }
        }
        (Some(Verdict::Pass), None, Verdict::Pass) => WorldFinding {
            verdict: Verdict::Pass,
            failure_class: None,
            cites: id.clone(),
            words: format!("it is as it was before: {saw}"),
        },
    }
}

/// Whether a criterion asks that something stays in a file of which the rest may be changed: what is looked for is all that it
/// names. Where its words want the file left alone, no look at a part of it will do.
fn is_of_content(criterion: &Criterion) -> bool {
    let looks_inside = matches!(criterion.check, Some(Check::FileContains { .. } | Check::FileJson { .. }));
    looks_inside && !MORE.is_match(&criterion.text)
}

/// Whether a criterion asks for nothing but that as many files are there as before, and this is known of what the task did: a
/// number may stay while files are renamed; where no file may be lost, they may be renamed and nothing else.
fn is_of_number(criterion: &Criterion, before: &BeforeState) -> bool {
    let Some(Check::FilesMatch { op: Compare::Eq, n, .. }) = &criterion.check else { return false };
    if MORE.is_match(&criterion.text) {
        return false;
    }
    let names_figure = || {
        let figure = n.to_string();
        criterion.text.split(|c: char| !c.is_ascii_digit()).any(|word| word == figure)
    };
    NUMBER.is_match(&criterion.text)
        || (before.moved_only && (LOSS.is_match(&criterion.text) || names_figure()))
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::criteria::{Check, Compare, Criterion, Derived, FailureClass, Verdict};
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
            moved_only: false,
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
    fn a_number_of_files_stays_while_they_are_renamed() {
        let verdict = |text: &str, op: Compare, moved_only: bool| {
            let check = Check::FilesMatch { glob: "photos/*".to_owned(), op, n: 9.0 };
            let stays = Criterion { unchanged: true, check: Some(check), ..verifiable(text) };
            let mut evidence = evidence(Some(Verdict::Pass), Some("r6"), Verdict::Pass);
            evidence.before.as_mut().unwrap().moved_only = moved_only;
            finding(&stays, &evidence).verdict
        };
        for text in
            ["No file is lost: photos holds 9 files", "photos holds 9 files", "照片文件夹里共有 9 个文件"]
        {
            assert_eq!(verdict(text, Compare::Eq, true), Verdict::Pass, "{text}");
            assert_eq!(verdict(text, Compare::Eq, false), Verdict::Fail, "one went and another came: {text}");
            assert_eq!(verdict(text, Compare::Ge, true), Verdict::Fail, "not the number: {text}");
        }
        for text in ["The number of files stays 9", "文件数量仍是 9"] {
            assert_eq!(verdict(text, Compare::Eq, false), Verdict::Pass, "{text}");
        }
        for text in [
            "The 9 photos are left as they are",
            "The number of photos and their names stay as before",
            "None of the 9 photos is renamed",
            "photos 里的 9 个文件保持原样",
            "The originals stay",
        ] {
            assert_eq!(verdict(text, Compare::Eq, true), Verdict::Fail, "{text}");
        }
    }

    #[test]
    fn what_stays_in_a_file_is_not_the_whole_file() {
        let verdict = |text: &str, now: Verdict| {
            let path = "/w/web.py".to_owned();
            let check = Check::FileContains { path, text: Some("getUser".to_owned()), regex: None };
            let stays = Criterion { unchanged: true, check: Some(check), ..verifiable(text) };
            finding(&stays, &evidence(Some(Verdict::Pass), Some("r6"), now)).verdict
        };
        assert_eq!(verdict("the JSON action string stays getUser", Verdict::Pass), Verdict::Pass);
        assert_eq!(verdict("the JSON action string stays getUser", Verdict::Fail), Verdict::Fail);
        assert_eq!(verdict("web.py is not changed", Verdict::Pass), Verdict::Fail);
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
