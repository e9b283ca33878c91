use artoo_types::belief::StepAxis;
use artoo_types::control::Directive;
use artoo_types::criteria::FailureClass;
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::outcome::{AttemptRecord, OutcomeStatus, SubTaskOutcome};

use super::{CallMark, Cause, Changed, Counts, Evidence, KINDS, PARTS, Tables, Weighing, weigh};
use crate::testing::*;

mod second;

/// A step of so many criteria, with for each attempt its last receipt and the criteria that it failed.
fn story(criteria: usize, attempts: &[(Receipt, &[usize], Option<FailureClass>)]) -> SubTaskOutcome {
    let verdicts = (0..criteria).map(|i| fail(i, Verifiable, None)).collect();
    let mut told = outcome("sum", OutcomeStatus::Failed, verdicts, Vec::new());
    told.gap_trajectory.clear();
    for (n, (receipt, unmet, class)) in attempts.iter().enumerate() {
        let mut point = gap(n as u32 + 1, unmet);
        point.score = 1.0 - unmet.len() as f64 / criteria as f64;
        point.failure_class = *class;
        told.gap_trajectory.push(point);
        if n + 1 == attempts.len() {
            told.receipts = vec![receipt.clone()];
        } else {
            let attempt = n as u32 + 1;
            told.earlier.push(AttemptRecord {
                attempt,
                verdicts: Vec::new(),
                receipts: vec![receipt.clone()],
            });
        }
    }
    told
}

fn given(retried: bool, pressed: bool) -> Weighing {
    Weighing { retried, pressed, skill: 0.35 }
}

fn ran(exit: i64) -> Receipt {
    call("r1", "shell:awk", "/x", exit)
}

#[test]
fn evidence_reads_every_attempt() {
    let logical = Some(Logical);
    let environmental = Some(Environmental);
    let check = |attempts: &[(Receipt, &[usize], Option<FailureClass>)], expected: [u8; 6]| {
        let Evidence { receipts, classes, level, trend, single, relapse } = Evidence::of(&story(4, attempts));
        assert_eq!(
            [receipts, classes, level, trend, u8::from(single), u8::from(relapse)],
            expected,
            "{attempts:?}"
        );
    };
    check(&[(ran(0), &[0, 1, 2, 3], logical)], [0, 0, 2, 1, 0, 0]);
    check(&[(ran(1), &[0], environmental)], [3, 2, 0, 1, 0, 0]);
    check(&[(ran(1), &[0, 1, 2], environmental), (ran(0), &[0, 1], logical)], [1, 1, 0, 0, 0, 0]);
    check(&[(ran(0), &[0], None), (ran(0), &[1, 2, 3], None)], [0, 3, 1, 2, 0, 1]);
    let two_of_three = [(ran(1), &[0][..], None), (ran(0), &[0][..], None), (ran(1), &[0][..], None)];
    check(&two_of_three, [2, 3, 0, 1, 0, 0]);
    // What broke down was not judged: it is no relapse.
    let broke = Receipt { end: CallEnd::Timeout, exit: None, ..ran(0) };
    check(&[(ran(0), &[0], logical), (broke, &[0, 1, 2, 3], environmental)], [4, 1, 2, 2, 0, 0]);
    assert!(Evidence::of(&story(1, &[(ran(0), &[0], logical)])).single);
}

#[test]
fn what_a_plan_changed_is_read_off_the_last_calls() {
    let mark = |class: &str, target: &str| CallMark { class: class.into(), target: target.into() };
    let check = |class: &str, target: &str, expected| {
        assert_eq!(Changed::between(&mark("glob", "/a"), &mark(class, target)), expected);
    };
    check("glob", "/a", Changed::Nothing);
    check("grep", "/a", Changed::Class);
    check("glob", "/b", Changed::Target);
    check("grep", "/b", Changed::Both);
    let silent = outcome("sum", OutcomeStatus::Failed, Vec::new(), Vec::new());
    assert_eq!(CallMark::of(&silent), mark("glob", ""), "a step that called nothing is known by its plan");
}

#[test]
fn the_tables_that_are_built_in_are_read_and_written_alike() {
    let text = include_str!("../belief.tsv");
    let counts = Counts::read(text).expect("every line is of a known form");
    let lines =
        |text: &str| text.lines().filter(|l| !l.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&counts.write()), lines(text));
    let all: f64 = counts.evidence.iter().flatten().sum();
    assert!(all > 10_000.0, "{all} failed steps are few to learn from");
    for bad in
        ["prior\trefine\t1\t2", "evidence\t5\t0\t0\t0\t0\t0\t1\t1\t1\t1\t1", "move\tnothing\tluck\t1", "luck"]
    {
        assert_eq!(Counts::read(bad), None, "{bad}");
    }
}

#[test]
fn a_task_keeps_the_tables_that_it_began_with() {
    assert!(std::ptr::eq(Tables::edition(artoo_types::setting::BELIEF_TABLES), Tables::built_in()));
    assert_ne!(Tables::edition(1), Tables::built_in(), "what changed is another edition");
}

#[test]
fn every_kind_of_evidence_is_possible_and_likelihoods_sum_to_one() {
    let tables = Tables::built_in();
    for cause in 0..Cause::ALL.len() {
        let column = tables.likelihood.iter().map(|row| row[cause]);
        assert!(column.clone().all(|chance| chance > 0.0));
        assert!((column.sum::<f64>() - 1.0).abs() < 1e-9);
    }
    assert_eq!(tables.likelihood.len(), KINDS);
    assert_eq!(PARTS.iter().product::<usize>(), KINDS);
}

#[test]
fn evidence_without_trust_changes_nothing() {
    let tables = Tables::built_in();
    let prior = tables.prior(Directive::ChangePath);
    let seen = tables.seen(prior, Evidence::of(&story(4, &[(ran(1), &[0], None)])), 0.0);
    assert!(prior.iter().zip(seen).all(|(a, b)| (a - b).abs() < 1e-12));
}

#[test]
fn a_strong_belief_is_enforced_and_a_weak_one_is_advice() {
    let tables = Tables::built_in();
    let sure = |cause: Cause| std::array::from_fn(|h| if h == cause as usize { 0.96 } else { 0.01 });
    let check = |cause, axis, enforced| {
        let weighed = weigh(tables, sure(cause), given(false, false));
        assert_eq!((weighed.axis, weighed.enforced), (axis, enforced), "{cause:?}");
    };
    check(Cause::Approach, StepAxis::Approach, true);
    check(Cause::Target, StepAxis::Target, true);
    check(Cause::Detail, StepAxis::Detail, true);
    check(Cause::Transient, StepAxis::Again, true);
    assert_ne!(weigh(tables, sure(Cause::Transient), given(true, false)).axis, StepAxis::Again, "once");
    let hopeless = weigh(tables, sure(Cause::Impossible), given(false, false));
    assert!(!hopeless.enforced && hopeless.chance < 0.1, "{hopeless:?}");
    assert!(!weigh(tables, [0.2; 5], given(false, false)).enforced);
}

#[test]
fn pressure_takes_the_cheaper_of_two_that_are_nearly_as_good() {
    let tables = Tables::built_in();
    // Between a detail and a tool, the belief at which both are worth the same.
    let even = |x: f64| [1.0 - x, 0.0, x, 0.0, 0.0];
    let gap = |x: f64| tables.value(even(x), Changed::Class) - tables.value(even(x), Changed::Nothing);
    let at = (0..1000).map(|n| f64::from(n) / 1000.0).find(|x| gap(*x) <= 0.01).expect("they meet");
    if tables.own_value(even(at), 0.35) < tables.value(even(at), Changed::Nothing) {
        assert_eq!(weigh(tables, even(at), given(false, true)).axis, StepAxis::Detail);
    }
}
