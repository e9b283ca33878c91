use artoo_types::contract::CONTRACT;
use artoo_types::control::{Directive, Ending, Reason, Urgency};
use artoo_types::criteria::{FailureClass, Verdict};
use artoo_types::envelope::Role;
use artoo_types::evidence::EffectClass;
use artoo_types::memory::MemoryQuery;
use artoo_types::operator::Lagged;
use artoo_types::outcome::{ExecutionStatus, GapPoint, OutcomeStatus};
use artoo_types::plan::{BlockedTarget, BlockedTool, Blocks, NoPlan, PlanDraftRejected};
use artoo_types::task::{ConfirmationRequest, ConfirmationResolved, StopCause, TaskCancelled};
use artoo_types::{ConfirmationId, EffectId, Message, Timestamp};
use uuid::Uuid;

use crate::testing::{
    Case, correction, directive, end, envelope, good_task, kinds, manifest, outcome, receipt, replan, result,
    sub, submitted, subtask, summary_of, task, verdict,
};
use crate::{AuditEvent, Incident};
use artoo_types::finding::FindingKind::{
    BlockedUse, BoundaryViolation, ClockJump, ConvergenceFailure, CorrectionStorm, DiskPressure, Drops,
    DuplicateSubtask, GgsThrashing, LogDamage, OutcomeWithoutResult, SequenceGap, UndecidedEnd,
    UnprovenAccept,
};

fn steady(kind: Directive, distance: f64) -> Message {
    directive(kind, distance, Urgency::Steady).into()
}

fn cancelled() -> Message {
    TaskCancelled { cause: StopCause::Cancelled, detail: String::new() }.into()
}

#[test]
fn a_good_task_gives_nothing_to_find() {
    Case::default().quiet(good_task());
}

#[test]
fn a_message_outside_the_contract_is_a_boundary_violation() {
    let query = || MemoryQuery { tags: Vec::new(), tool_clusters: 0, intent: String::new() };
    for refused in [true, false] {
        let mut case = Case::default();
        case.quiet([submitted()]);
        let found = case.send_with(query(), |e| {
            e.from = Role::Executor;
            e.refused = refused;
        });
        assert_eq!(found, [BoundaryViolation]);
    }
}

#[test]
fn a_refused_message_has_no_effect_on_the_view_of_its_task() {
    let mut case = Case::default();
    case.quiet([submitted()]);
    let found = case.send_with(end(Ending::Accept, Reason::CriteriaMet, 0.0), |e| {
        e.from = Role::Executor;
        e.refused = true;
    });
    assert_eq!(found, [BoundaryViolation]);
    case.quiet([manifest(vec![subtask(1)])]);
}

#[test]
fn missing_and_repeated_envelopes_are_gaps() {
    let mut case = Case::default();
    assert_eq!(case.send_with(submitted(), |e| e.sequence = 2), [SequenceGap]);
    assert_eq!(case.send_with(cancelled(), |e| e.sequence = 2), [SequenceGap]);
    assert_eq!(case.send(cancelled()), []);
    assert_eq!(case.send_with(cancelled(), |e| e.sequence = 9), [SequenceGap]);
    assert_eq!(case.send(cancelled()), []);
}

#[test]
fn envelopes_without_a_task_have_a_sequence_of_their_own() {
    let mut case = Case::default();
    case.quiet([submitted()]);
    let mut system = |sequence| {
        let mut lagged = envelope(sequence, Lagged { from: 3, to: 7 });
        lagged.task_id = None;
        kinds(case.auditor.observe(&lagged))
    };
    assert_eq!(system(1), [Drops]);
    assert_eq!(system(3), [SequenceGap, Drops]);
}

#[test]
fn drops_are_found_in_a_task_too() {
    let mut case = Case::default();
    case.quiet([submitted()]);
    assert_eq!(case.send(Lagged { from: 3, to: 7 }), [Drops]);
}

#[test]
fn a_subtask_id_is_planned_and_dispatched_once() {
    let mut case = Case::default();
    assert_eq!(case.send(manifest(vec![subtask(1), subtask(2), subtask(1)])), [DuplicateSubtask]);
    assert_eq!(case.send(subtask(1)), []);
    assert_eq!(case.send(subtask(2)), []);
    assert_eq!(case.send(subtask(1)), [DuplicateSubtask]);
}

#[test]
fn an_outcome_needs_a_result_unless_it_never_ran() {
    let mut case = Case::default();
    case.quiet([manifest(vec![subtask(1), subtask(2)]), subtask(1).into()]);
    assert_eq!(case.send(outcome(1, OutcomeStatus::Matched, Vec::new())), [OutcomeWithoutResult]);
    assert_eq!(case.send(outcome(2, OutcomeStatus::NotRun, Vec::new())), []);
    case.quiet([result(1, ExecutionStatus::Failed, Vec::new())]);
    assert_eq!(case.send(outcome(1, OutcomeStatus::Failed, Vec::new())), []);
}

/// What is found when the next plan comes after a directive that blocks `glob` for step 1 and `glob` on a file.
fn planned(
    tools: &[&str],
    target: &str,
    step: u128,
    rejections: u32,
) -> Vec<artoo_types::finding::FindingKind> {
    let mut case = Case::default();
    case.quiet([submitted(), replan()]);
    let mut blocking = directive(Directive::ChangeApproach, 1.0, Urgency::Steady);
    blocking.blocked_tools =
        vec![BlockedTool { class: "glob".to_owned(), intent: "step 1".to_owned(), subtask: None }];
    blocking.blocked_targets =
        vec![BlockedTarget { class: "shell:cat".to_owned(), target: "/work/notes.txt".to_owned() }];
    case.quiet([blocking.into()]);
    for attempt in 1..=rejections {
        let outcome = NoPlan::SentBack;
        let rejected = PlanDraftRejected {
            task_id: task(1),
            attempt,
            outcome,
            reasons: Vec::new(),
            decline: None,
            uncovered: Vec::new(),
            memories: Vec::new(),
        };
        case.quiet([rejected.into()]);
    }
    let mut next = subtask(step);
    next.tools = tools.iter().map(|t| (*t).to_owned()).collect();
    next.targets = vec![target.to_owned()];
    let other = artoo_types::plan::SubTask { tools: Vec::new(), ..subtask(7) };
    case.send(manifest(vec![next, other]))
}

#[test]
fn a_plan_with_a_blocked_tool_or_target_is_found() {
    assert_eq!(planned(&["glob"], "x", 1, 0), [BlockedUse]);
    assert_eq!(planned(&["read_file"], "x", 1, 0), []);
    assert_eq!(planned(&["glob"], "x", 2, 0), [], "the block binds the successor alone");
    for target in ["notes.txt", "./notes.txt", "/work/notes.txt"] {
        assert_eq!(planned(&["shell"], target, 2, 0), [BlockedUse], "{target}");
    }
    assert_eq!(planned(&["shell:ls"], "notes.txt", 2, 0), [], "another class may use it");
    assert_eq!(planned(&["shell:cat"], "notes.txt", 2, 2), [], "let through: it may be the only input");
}

#[test]
fn a_call_with_a_blocked_target_that_ran_is_found() {
    let blocks = |class: &str, target: &str| Blocks {
        targets: vec![BlockedTarget { class: class.to_owned(), target: target.to_owned() }],
        ..Blocks::default()
    };
    for (blocked, expected) in [
        (blocks("glob", "/work/notes.txt"), vec![BlockedUse]),
        (blocks("glob", "/work/other.txt"), vec![]),
        (Blocks { classes: vec!["glob".to_owned()], ..Blocks::default() }, vec![BlockedUse]),
    ] {
        let mut case = Case::default();
        let step = artoo_types::plan::SubTask { blocked, ..subtask(1) };
        case.quiet([manifest(vec![step.clone()]), step.into()]);
        assert_eq!(case.send(result(1, ExecutionStatus::Completed, vec![receipt(1)])), expected);
    }
}

#[test]
fn an_end_needs_something_to_decide_and_comes_once() {
    let mut case = Case::default();
    case.quiet([submitted()]);
    assert_eq!(case.send(end(Ending::Abandon, Reason::Internal, 1.0)), [UndecidedEnd]);
    assert_eq!(case.send(end(Ending::Abandon, Reason::Internal, 1.0)), [UndecidedEnd]);

    let mut case = Case::default();
    case.quiet([submitted(), replan(), steady(Directive::Refine, 1.0)]);
    assert_eq!(case.send(end(Ending::Abandon, Reason::Diverging, 1.0)), [UndecidedEnd], "it was answered");

    let mut case = Case::default();
    case.quiet([submitted(), replan(), end(Ending::Abandon, Reason::Diverging, 1.0)]);
    assert_eq!(case.send(cancelled()), [UndecidedEnd], "nothing comes after the end");
}

#[test]
fn every_way_to_the_controller_justifies_an_end() {
    for put in [cancelled(), replan(), summary_of(Vec::new())] {
        let mut case = Case::default();
        case.quiet([put, end(Ending::Abandon, Reason::Cancelled, 1.0)]);
    }
}

/// What is found when a task with receipt r1 is accepted on these verdicts.
fn accepted_on(
    verdicts: Vec<artoo_types::criteria::CriterionVerdict>,
) -> Vec<artoo_types::finding::FindingKind> {
    let mut case = Case::default();
    case.quiet([result(1, ExecutionStatus::Completed, vec![receipt(1)])]);
    case.quiet([summary_of(vec![outcome(1, OutcomeStatus::Matched, verdicts)])]);
    case.send(end(Ending::Accept, Reason::CriteriaMet, 0.0))
}

#[test]
fn an_accept_stands_on_recorded_evidence() {
    let pass = |cites| verdict(Verdict::Pass, cites);
    assert_eq!(accepted_on(vec![pass(Some("r1")), pass(Some("c2.0")), pass(Some("a1"))]), []);
    assert_eq!(accepted_on(vec![pass(Some("r1")), pass(None)]), [UnprovenAccept]);
    assert_eq!(accepted_on(vec![pass(Some("r9"))]), [UnprovenAccept], "no tool call made r9");
    assert_eq!(accepted_on(Vec::new()), [UnprovenAccept]);
}

#[test]
fn break_symmetry_again_without_progress_is_thrashing() {
    let second = |first: Directive, distance: f64| {
        let mut case = Case::default();
        case.quiet([steady(first, 0.5)]);
        case.send(steady(Directive::BreakSymmetry, distance))
    };
    assert_eq!(second(Directive::BreakSymmetry, 0.5), [GgsThrashing]);
    assert_eq!(second(Directive::BreakSymmetry, 0.7), [GgsThrashing]);
    assert_eq!(second(Directive::BreakSymmetry, 0.4), []);
    assert_eq!(second(Directive::ChangePath, 0.5), []);
}

#[test]
fn going_on_after_two_worsening_rounds_is_a_convergence_failure() {
    let worse = |distance| directive(Directive::Refine, distance, Urgency::Worsening);
    let mut case = Case::default();
    assert_eq!(case.send(worse(0.9)), []);
    assert_eq!(case.send(steady(Directive::Refine, 0.8)), []);
    assert_eq!(case.send(worse(0.9)), []);
    assert_eq!(case.send(worse(0.89)), [ConvergenceFailure]);
}

#[test]
fn corrections_that_never_help_are_a_convergence_failure() {
    let failed = |scores: &[f64]| {
        let mut case = Case::default();
        case.quiet([result(1, ExecutionStatus::Completed, Vec::new())]);
        let mut failed = outcome(1, OutcomeStatus::Failed, Vec::new());
        let point = |score| GapPoint {
            attempt: 1,
            score,
            unmet_criteria: Vec::new(),
            unmet_indexes: Vec::new(),
            failure_class: None,
        };
        failed.gap_trajectory = scores.iter().copied().map(point).collect();
        case.send(failed)
    };
    assert_eq!(failed(&[0.5, 0.5, 0.25]), [ConvergenceFailure]);
    assert_eq!(failed(&[0.0, 0.5, 0.5]), []);
    assert_eq!(failed(&[0.5, 0.5]), []);
}

#[test]
fn a_correction_storm_is_found_once_a_round() {
    let mut case = Case::default();
    case.quiet([subtask(1).into(), subtask(2).into()]);
    let mut storms = 0;
    for _ in 0..12 {
        storms +=
            case.send(correction(FailureClass::Logical)).iter().filter(|k| **k == CorrectionStorm).count();
    }
    assert_eq!(storms, 1);
    case.quiet([steady(Directive::Refine, 0.5)]);
    case.quiet((0..5).map(|_| correction(FailureClass::Logical)));
    assert_eq!(case.send(correction(FailureClass::Logical)), [CorrectionStorm], "a new round counts anew");

    let mut case = Case::default();
    case.quiet((0..6).map(|n| subtask(n).into()));
    case.quiet((0..6).map(|_| correction(FailureClass::Logical)));
    assert_eq!(case.send(correction(FailureClass::Logical)), [CorrectionStorm]);
}

#[test]
fn the_clock_may_leap_only_while_a_person_is_asked() {
    let hours = |h: i64| h * 3_600_000;
    let at = |ms: i64| move |e: &mut artoo_types::Envelope| e.time = Timestamp(ms);
    let mut case = Case::default();
    case.send_with(submitted(), at(hours(10)));
    assert_eq!(case.send_with(cancelled(), at(hours(10) - 60_000)), []);
    assert_eq!(case.send_with(cancelled(), at(hours(10) - 120_001)), [ClockJump]);
    assert_eq!(case.send_with(cancelled(), at(hours(12))), [ClockJump]);
    assert_eq!(case.send_with(question(), at(hours(12))), []);
    assert_eq!(case.send_with(answer(), at(hours(20))), [], "it waited for a person");
    assert_eq!(case.send_with(cancelled(), at(hours(22))), [ClockJump], "the question is closed");
}

fn question() -> Message {
    ConfirmationRequest {
        confirmation_id: ConfirmationId(Uuid::nil()),
        effect_id: EffectId(1),
        subtask_id: sub(1),
        tool: "shell".to_owned(),
        action: "rm x".to_owned(),
        working_directory: "/work".to_owned(),
        effects: vec![EffectClass::Delete],
        targets: Vec::new(),
        why: Vec::new(),
        states: Vec::new(),
        undoable: false,
        undo_bytes: 0,
        undo_why: String::new(),
        rememberable: false,
        digest: "d".to_owned(),
        expires_at: Timestamp(0),
    }
    .into()
}

fn answer() -> Message {
    ConfirmationResolved {
        confirmation_id: ConfirmationId(Uuid::nil()),
        effect_id: EffectId(1),
        approved: true,
        digest: "d".to_owned(),
        remember_for_task: false,
        denial: None,
    }
    .into()
}

#[test]
fn disk_pressure_is_reported_once_until_there_is_room_again() {
    let mut case = Case::default();
    let mut told = |incident: Incident| match case.auditor.incident(Timestamp(1), incident) {
        Some(AuditEvent::Finding(f)) => Some((f.kind, f.detail)),
        Some(other) => panic!("{other:?}"),
        None => None,
    };
    let short = || Incident::DiskPressure { what: "only 5 MiB are free".to_owned() };
    let found = Some((DiskPressure, "only 5 MiB are free".to_owned()));
    assert_eq!(told(Incident::DiskRelieved), None);
    assert_eq!((told(short()), told(short())), (found.clone(), None));
    assert_eq!((told(Incident::DiskRelieved), told(short())), (None, found));
}

#[test]
fn a_clock_that_was_set_is_reported_with_way_and_size() {
    let mut case = Case::default();
    for (by_ms, said) in [(-90_000, "set back by 90.000 s"), (2_500, "set forward by 2.500 s")] {
        let event = case.auditor.incident(Timestamp(1), Incident::ClockSet { by_ms });
        let Some(AuditEvent::Finding(found)) = event else { panic!("{event:?}") };
        assert_eq!(found.kind, ClockJump);
        assert!(found.detail.ends_with(said), "{}", found.detail);
    }
}

#[test]
fn nobody_but_the_operator_can_ask() {
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Operator) {
        let mut case = Case::default();
        case.quiet([submitted()]);
        let query = artoo_types::operator::AuditQuery { include_window: true };
        let found = case.send_with(query, |e| {
            e.from = role;
            e.refused = true;
        });
        assert_eq!(found, [BoundaryViolation], "{role:?}");
    }
    let to_auditor: Vec<_> = CONTRACT.iter().filter(|row| row.to == Role::Auditor).collect();
    assert!(to_auditor.iter().all(|row| row.from == Role::Operator), "{to_auditor:?}");
    let from_auditor: Vec<_> = CONTRACT.iter().filter(|row| row.from == Role::Auditor).collect();
    assert!(from_auditor.iter().all(|row| row.to == Role::Operator), "{from_auditor:?}");
    assert!(CONTRACT.iter().all(|row| !row.copies.contains(&Role::Auditor)));
}

#[test]
fn damage_of_a_log_is_reported_each_time() {
    let mut case = Case::default();
    for _ in 0..2 {
        let what = "audit-000001.jsonl: line 3 was changed".to_owned();
        let event = case.auditor.incident(Timestamp(1), Incident::LogDamage { what });
        assert!(matches!(event, Some(AuditEvent::Finding(f)) if f.kind == LogDamage));
    }
}
