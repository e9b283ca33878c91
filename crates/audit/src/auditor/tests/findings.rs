//! Findings as the operator meets them: named, open until they are acknowledged, told once; and what is found in the
//! course of a task.

use artoo_types::control::{Directive, Ending, Reason, Urgency};
use artoo_types::envelope::Role;
use artoo_types::finding::{AuditFindings, FindingAck, FindingId, FindingKind};
use artoo_types::operator::{Lagged, RoundDistance, Trigger};
use artoo_types::outcome::{ExecutionStatus, OutcomeStatus};
use artoo_types::{Message, Timestamp};

use crate::testing::{
    Case, directive, end, envelope, kinds, manifest, outcome, replan_with, result, submitted, subtask,
};
use crate::{Auditor, ReportRequest};

fn system(auditor: &mut Auditor, sequence: u64, payload: impl Into<Message>) -> Vec<FindingKind> {
    let mut envelope = envelope(sequence, payload);
    envelope.task_id = None;
    kinds(auditor.observe(&envelope))
}

fn open(auditor: &Auditor) -> Vec<FindingId> {
    auditor.shelf().open().map(|finding| finding.id.clone()).collect()
}

#[test]
fn a_finding_outlives_the_window_until_it_is_acknowledged() {
    let mut auditor = Auditor::default();
    assert_eq!(system(&mut auditor, 1, Lagged { from: 1, to: 2 }), [FindingKind::Drops]);
    let request = ReportRequest { trigger: Trigger::Periodic, include_window: false };
    for _ in 0..2 {
        let (report, _) = auditor.report(Timestamp(9), request);
        assert_eq!(report.standing.open_findings, 1);
    }
    let found = open(&auditor);
    let shown = auditor.shelf().open().next().expect("it is open");
    assert!(shown.message.starts_with("lagged runtime → user: 1 to 2 dropped"), "{}", shown.message);
    for sequence in [2, 3] {
        assert_eq!(system(&mut auditor, sequence, FindingAck { findings: found.clone() }), []);
    }
    assert_eq!(auditor.shelf().open().count(), 0);
    assert_eq!(auditor.shelf().acknowledged().next().map(|known| known.at), Some(Timestamp(2_000)));
    assert_eq!(auditor.report(Timestamp(9), request).0.standing.open_findings, 0);
}

#[test]
fn a_role_cannot_acknowledge() {
    let mut auditor = Auditor::default();
    system(&mut auditor, 1, Lagged { from: 1, to: 2 });
    let mut forged = envelope(2, FindingAck { findings: open(&auditor) });
    (forged.task_id, forged.from, forged.refused) = (None, Role::Executor, true);
    assert_eq!(kinds(auditor.observe(&forged)), [FindingKind::BoundaryViolation]);
    assert_eq!(auditor.shelf().open().count(), 2);
}

#[test]
fn each_finding_is_told_once_also_when_the_state_before_it_comes_back() {
    let mut before = Auditor::default();
    let mut auditor = before.clone();
    let gap = envelope(1, Lagged { from: 1, to: 2 });
    auditor.observe(&gap);
    let told = AuditFindings { findings: auditor.untold().to_vec() };
    assert_eq!(told.findings.len(), 1);
    assert_eq!(system(&mut auditor, 1, told.clone()), []);
    assert_eq!(auditor.untold(), [], "the envelope that tells of it is on record");
    // After a crash an earlier state reads that envelope first, and then finds the same again.
    system(&mut before, 1, told);
    before.observe(&gap);
    assert_eq!(open(&before), open(&auditor));
    assert_eq!(before.untold(), []);
}

#[test]
fn directives_on_a_plateau_are_found_once() {
    let course = |distances: &[f64]| -> Vec<FindingKind> {
        let mut case = Case::default();
        let directives = distances.iter().map(|d| directive(Directive::Refine, *d, Urgency::Steady));
        directives.flat_map(|directive| case.send(directive)).collect()
    };
    assert_eq!(course(&[0.6, 0.6, 0.6]), [FindingKind::Plateau]);
    assert_eq!(course(&[0.6, 0.7, 0.7, 0.7, 0.7]), [FindingKind::Plateau]);
    assert_eq!(course(&[0.6, 0.6, 0.5, 0.5]), []);
    assert_eq!(course(&[0.6, 0.6]), []);
}

#[test]
fn a_decision_is_asked_for_with_all_outcomes() {
    let put = |outcomes: &[u128], kept: &[u128]| {
        let mut case = Case::default();
        let Message::DispatchManifest(mut plan) = manifest(vec![subtask(1), subtask(2)]) else { panic!() };
        plan.kept = kept.iter().map(|n| crate::testing::sub(*n)).collect();
        case.quiet([submitted(), plan.into(), result(1, ExecutionStatus::Failed, Vec::new())]);
        case.send(replan_with(
            outcomes.iter().map(|n| outcome(*n, OutcomeStatus::NotRun, Vec::new())).collect(),
        ))
    };
    assert_eq!(put(&[1, 2], &[]), []);
    assert_eq!(put(&[1], &[]), [FindingKind::IncompleteFanIn]);
    assert_eq!(put(&[1, 2], &[7]), [FindingKind::IncompleteFanIn], "what was kept belongs to it");
    assert_eq!(put(&[1, 2, 7], &[7]), []);
}

#[test]
fn the_health_of_the_window_counts_rounds_and_replans() {
    let mut case = Case::default();
    let ended = |distances: &[f64], directive: Ending, reason: Reason| {
        let Message::FinalResult(mut ended) = end(directive, reason, 0.0) else { panic!() };
        ended.replans = u32::try_from(distances.len() - 1).expect("few");
        for distance in distances {
            ended.trajectory.push(crate::testing::point(*distance));
        }
        Message::from(ended)
    };
    case.send(ended(&[0.5, 0.0], Ending::Accept, Reason::CriteriaMet));
    let mut second = envelope(1, ended(&[1.0, 1.0, 0.5], Ending::Abandon, Reason::ReplansExhausted));
    second.task_id = Some(crate::testing::task(2));
    case.auditor.observe(&second);
    let request = ReportRequest { trigger: Trigger::OnDemand, include_window: false };
    let health = case.auditor.report(Timestamp(9_000), request).0.standing.health;
    let round = |round, mean, tasks| RoundDistance { round, mean, tasks };
    assert_eq!(health.distances, [round(0, 0.75, 2), round(1, 0.5, 2), round(2, 0.5, 1)]);
    assert_eq!((health.accepts, health.replans_per_accept), (1, 1.0));
    assert_eq!(health.reasons.get("replans_exhausted"), Some(&1));
}
