use artoo_types::Timestamp;
use artoo_types::control::{Directive, Ending, Reason, Urgency};
use artoo_types::criteria::FailureClass;
use artoo_types::envelope::Role;
use artoo_types::operator::{AuditHead, AuditReport, ReportStanding, ToolHealth, Trigger};
use artoo_types::outcome::ExecutionStatus;

use crate::testing::{
    Case, correction, directive, end, envelope, good_task, kinds, replan, result, submitted, task,
};
use crate::{AuditEvent, Auditor, ReportRequest};
use artoo_types::finding::FindingKind;

fn asked(trigger: Trigger) -> ReportRequest {
    ReportRequest { trigger, include_window: false }
}

fn report(auditor: &mut Auditor, at: i64, trigger: Trigger) -> AuditReport {
    auditor.report(Timestamp(at), asked(trigger)).0
}

/// A case with one of each thing that a report counts.
fn busy() -> Case {
    let mut case = Case::default();
    case.quiet([
        submitted(),
        result(1, ExecutionStatus::Failed, Vec::new()),
        correction(FailureClass::Environmental),
        correction(FailureClass::Logical),
        correction(FailureClass::Logical),
        replan(),
        directive(Directive::Refine, 0.8, Urgency::Steady).into(),
    ]);
    case.send_with(result(2, ExecutionStatus::Completed, Vec::new()), |e| e.to = Role::Planner);
    case.quiet([replan()]);
    case.send_with(end(Ending::Abandon, Reason::Diverging, 0.4), |e| e.sequence += 1);
    case
}

#[test]
fn a_report_counts_the_window_as_the_design_says() {
    let mut case = busy();
    let report = report(&mut case.auditor, 99_000, Trigger::OnDemand);
    assert_eq!((report.window_start, report.window_end), (Timestamp(1_000), Timestamp(99_000)));
    assert_eq!((report.tasks_observed, report.total_corrections), (1, 3));
    let health = ToolHealth { execution_failures: 1, environmental_retries: 1, logical_retries: 2 };
    assert_eq!((report.tool_health, report.totals.tool_health), (health, health));
    assert_eq!(report.boundary_violations.len(), 1);
    assert!(report.boundary_violations[0].contains("R3 sent execution_result to R2"));
    assert_eq!(report.anomalies.len(), 1);
    assert!(report.anomalies[0].starts_with("sequence_gap: task "), "{:?}", report.anomalies);
    assert_eq!(report.gap_trends.len(), 1);
    assert_eq!(
        (report.gap_trends[0].task_id.as_str(), report.gap_trends[0].trend.as_str()),
        (task(1).to_string().as_str(), "improving")
    );
    assert_eq!((report.totals.envelopes, report.totals.replans), (10, 1));
    assert_eq!((report.totals.boundary_violations, report.totals.anomalies), (1, 1));
    assert_eq!(report.totals.reasons.get("diverging"), Some(&1));
}

#[test]
fn a_report_resets_the_window_and_keeps_the_totals() {
    let mut case = busy();
    for trigger in [Trigger::Periodic, Trigger::OnDemand] {
        let first = report(&mut case.auditor, 50, trigger);
        let second = report(&mut case.auditor, 60, trigger);
        let empty = AuditReport {
            trigger,
            window_start: Timestamp(50),
            window_end: Timestamp(60),
            tasks_observed: 0,
            total_corrections: 0,
            gap_trends: Vec::new(),
            boundary_violations: Vec::new(),
            drift_alerts: Vec::new(),
            anomalies: Vec::new(),
            tool_health: ToolHealth::default(),
            totals: first.totals,
            head: AuditHead::default(),
            anchored_in: Vec::new(),
            standing: ReportStanding { open_findings: 2, ..ReportStanding::default() },
            window: None,
        };
        assert_eq!(second, empty);
    }
}

#[test]
fn more_of_the_window_is_told_when_it_is_asked_for() {
    let mut case = busy();
    let wanted = ReportRequest { trigger: Trigger::OnDemand, include_window: true };
    let (told, _) = case.auditor.report(Timestamp(50), wanted);
    let window = told.window.expect("it was asked for");
    assert_eq!((window.envelopes, window.replans), (10, 1));
    assert_eq!(window.reasons.get("diverging"), Some(&1));
    assert_eq!(window.findings.get("boundary_violation"), Some(&1));
    assert_eq!(window.findings.get("sequence_gap"), Some(&1));
    let attempts = window.roles.iter().find(|s| s.role == "R3" && s.measure == "failed attempts");
    assert_eq!(attempts.map(|s| (s.bad, s.all, s.bad_before, s.all_before)), Some((1, 2, 0, 0)));
    let (next, _) = case.auditor.report(Timestamp(60), wanted);
    let window = next.window.expect("it was asked for");
    assert_eq!((window.envelopes, window.findings.len(), window.reasons.len()), (0, 0, 0), "a new window");
}

#[test]
fn drift_is_an_event_of_the_log_a_line_of_the_report_and_part_of_the_totals() {
    let mut case = Case::default();
    let mut failing = |share: u64| {
        for n in 0..100 {
            let status = if n < share { ExecutionStatus::Failed } else { ExecutionStatus::Completed };
            case.quiet([result(1, status, Vec::new())]);
        }
        case.auditor.report(Timestamp(9), asked(Trigger::Periodic))
    };
    let (calm, events) = failing(5);
    assert_eq!((calm.drift_alerts.len(), events.len(), calm.totals.drift_alerts), (0, 0, 0));
    let (drifted, events) = failing(60);
    assert_eq!(
        drifted.drift_alerts,
        ["role_drift: R3 Executor: 60 of 100 failed attempts, against 5 % before"]
    );
    let [AuditEvent::Finding(found)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((found.kind, found.time, found.task_id), (FindingKind::RoleDrift, Timestamp(9), None));
    assert_eq!(drifted.totals.drift_alerts, 1);
}

#[test]
fn trends_follow_the_distance() {
    for (last, trend) in [(0.3, "improving"), (0.45, "steady"), (0.55, "steady"), (0.7, "worsening")] {
        let mut case = Case::default();
        case.quiet([directive(Directive::Refine, 0.5, Urgency::Steady).into(), replan()]);
        case.quiet([end(Ending::Abandon, Reason::Diverging, last)]);
        let report = report(&mut case.auditor, 1, Trigger::Periodic);
        assert_eq!(report.gap_trends[0].trend, trend, "{last}");
    }
}

#[test]
fn the_state_survives_a_restart_at_any_message() {
    let messages = good_task();
    for stop in 0..messages.len() {
        let mut case = Case::default();
        case.quiet(messages[..stop].iter().cloned());
        let text = serde_json::to_string(&case.auditor).expect("the state has a JSON form");
        let restored: Auditor = serde_json::from_str(&text).expect("the state is read back");
        assert_eq!(restored, case.auditor, "after {stop} messages");
        case.auditor = restored;
        case.quiet(messages[stop..].iter().cloned());
    }
}

#[test]
fn ended_tasks_leave_nothing_but_their_id() {
    let mut auditor = Auditor::default();
    let size = |auditor: &Auditor| serde_json::to_string(auditor).expect("a JSON form").len();
    let mut sizes = Vec::new();
    for n in 1..=3_000_u128 {
        for (i, payload) in good_task().into_iter().enumerate() {
            let mut message = envelope(i as u64 + 1, payload);
            message.task_id = Some(task(n));
            assert_eq!(kinds(auditor.observe(&message)), []);
        }
        if n % 1_000 == 0 {
            report(&mut auditor, 1, Trigger::Periodic);
            sizes.push(size(&auditor));
        }
    }
    assert!(sizes[2] < sizes[1] + 100, "{sizes:?}");
}

#[test]
fn a_state_of_an_older_version_is_read() {
    let auditor: Auditor = serde_json::from_str("{}").expect("every field has a default");
    assert_eq!(auditor, Auditor::default());
}

#[test]
fn the_first_event_is_the_message_in_one_line() {
    let mut auditor = Auditor::default();
    let mut message = envelope(1, submitted());
    if let artoo_types::Message::TaskSubmitted(m) = &mut message.payload {
        m.input = format!("one\n\u{1b}[2Jtwo {}", "x".repeat(500));
    }
    let events = auditor.observe(&message);
    let [AuditEvent::Message(seen)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((seen.from, seen.to, seen.sequence), (Role::User, Role::Perceiver, 1));
    assert!(seen.summary.starts_with("one  [2Jtwo xxx"));
    assert_eq!(seen.summary.chars().count(), 201);
}

#[test]
fn findings_name_their_list() {
    let text = serde_json::to_string(&FindingKind::GgsThrashing).expect("a word");
    assert_eq!(text, format!("\"{}\"", FindingKind::GgsThrashing.as_str()));
}
