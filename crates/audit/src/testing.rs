//! Messages for the tests of this crate.

use artoo_types::contract::CONTRACT;
use artoo_types::control::{
    Directive, Ending, FinalResult, Loss, MacroState, PlanDirective, Reason, RoundFailure, TrajectoryPoint,
    Urgency,
};
use artoo_types::criteria::{CriterionMode, CriterionVerdict, FailureClass, Verdict};
use artoo_types::evidence::Receipt;
use artoo_types::finding::{AuditFinding, FindingKind};
use artoo_types::outcome::{
    CorrectionSignal, ExecutionResult, ExecutionStatus, OutcomeStatus, OutcomeSummary, ReplanRequest,
    SubTaskOutcome,
};
use artoo_types::plan::{Blocks, DispatchManifest, SubTask};
use artoo_types::task::TaskSubmitted;
use artoo_types::unit::Distance;
use artoo_types::usage::TaskUsage;
use artoo_types::{EffectId, Envelope, EvidenceId, Message, SubtaskId, TaskId, Timestamp};
use uuid::Uuid;

use crate::{AuditEvent, Auditor};

pub(crate) fn task(n: u128) -> TaskId {
    TaskId(Uuid::from_u128(n))
}

pub(crate) fn sub(n: u128) -> SubtaskId {
    SubtaskId(Uuid::from_u128(1000 + n))
}

/// An envelope of task 1 as the contract allows it, at one second a sequence.
pub(crate) fn envelope(sequence: u64, payload: impl Into<Message>) -> Envelope {
    let payload = payload.into();
    let row = CONTRACT.iter().find(|r| r.kind == payload.kind()).expect("every kind has a row");
    Envelope {
        id: Uuid::nil(),
        sequence,
        task_id: Some(task(1)),
        round: 0,
        time: Timestamp(1_000 * i64::try_from(sequence).expect("small")),
        from: row.from,
        to: row.to,
        refused: false,
        payload,
    }
}

/// One task under audit, message by message.
#[derive(Default)]
pub(crate) struct Case {
    pub(crate) auditor: Auditor,
    sequence: u64,
}

impl Case {
    /// Takes in the next message of task 1 and gives what was found in it.
    pub(crate) fn send(&mut self, payload: impl Into<Message>) -> Vec<FindingKind> {
        self.send_with(payload, |_| {})
    }

    /// Like [`Case::send`], after `change` had its way with the envelope.
    pub(crate) fn send_with(
        &mut self,
        payload: impl Into<Message>,
        change: impl FnOnce(&mut Envelope),
    ) -> Vec<FindingKind> {
        self.sequence += 1;
        let mut envelope = envelope(self.sequence, payload);
        change(&mut envelope);
        self.sequence = envelope.sequence;
        kinds(self.auditor.observe(&envelope))
    }

    /// Sends all of them and requires that nothing is found.
    pub(crate) fn quiet(&mut self, payloads: impl IntoIterator<Item = Message>) {
        for payload in payloads {
            let kind = payload.kind();
            assert_eq!(self.send(payload), [], "{kind:?}");
        }
    }
}

/// The findings among the events, the first of which must be the message.
pub(crate) fn kinds(events: Vec<AuditEvent>) -> Vec<FindingKind> {
    assert!(matches!(events.first(), Some(AuditEvent::Message(_))));
    events
        .into_iter()
        .filter_map(|event| match event {
            AuditEvent::Message(_) | AuditEvent::Deletion(_) => None,
            AuditEvent::Finding(AuditFinding { kind, .. }) => Some(kind),
        })
        .collect()
}

pub(crate) fn submitted() -> Message {
    TaskSubmitted {
        input: "count the files".to_owned(),
        session_id: String::new(),
        request_id: String::new(),
        working_directory: "/work".to_owned(),
        options: artoo_types::task::TaskOptions::default(),
    }
    .into()
}

pub(crate) fn subtask(n: u128) -> SubTask {
    SubTask {
        subtask_id: sub(n),
        parent_task_id: task(1),
        round: 0,
        ordinal: 1,
        sequence: 1,
        intent: format!("Step  {n}"),
        context: String::new(),
        prior_outputs: Vec::new(),
        opening: Vec::new(),
        tools: vec!["glob".to_owned()],
        targets: vec!["notes.txt".to_owned()],
        success_criteria: Vec::new(),
        replaces: None,
        blocked: Blocks::default(),
        known: Vec::new(),
    }
}

pub(crate) fn manifest(subtasks: Vec<SubTask>) -> Message {
    DispatchManifest {
        task_id: task(1),
        round: 0,
        task_criteria: Vec::new(),
        subtasks,
        kept: Vec::new(),
        superseded: Vec::new(),
        output_from: None,
        uncovered: Vec::new(),
        form: None,
    }
    .into()
}

pub(crate) fn receipt(effect: u64) -> Receipt {
    Receipt {
        target: "/work/notes.txt".to_owned(),
        ..Receipt::quiet(EvidenceId::receipt(EffectId(effect)), "glob")
    }
}

pub(crate) fn result(n: u128, status: ExecutionStatus, receipts: Vec<Receipt>) -> Message {
    ExecutionResult {
        subtask_id: sub(n),
        attempt: 1,
        status,
        output: String::new(),
        answer: None,
        handle: None,
        tool_calls: Vec::new(),
        receipts,
        infrastructure: None,
        end: None,
    }
    .into()
}

pub(crate) fn correction(failure_class: FailureClass) -> Message {
    CorrectionSignal {
        subtask_id: sub(1),
        attempt: 2,
        what_was_wrong: "empty".to_owned(),
        what_to_do: "look again".to_owned(),
        failure_class: Some(failure_class),
        prior_calls: Vec::new(),
    }
    .into()
}

pub(crate) fn verdict(verdict: Verdict, cites: Option<&str>) -> CriterionVerdict {
    CriterionVerdict {
        index: 0,
        criterion: "it is there".to_owned(),
        mode: CriterionMode::Verifiable,
        verdict,
        failure_class: None,
        cites: cites.map(|c| EvidenceId(c.to_owned())),
        evidence: String::new(),
        before: None,
    }
}

pub(crate) fn outcome(n: u128, status: OutcomeStatus, verdicts: Vec<CriterionVerdict>) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: sub(n),
        parent_task_id: task(1),
        status,
        output: String::new(),
        handle: None,
        failure_reason: None,
        gap_trajectory: Vec::new(),
        criteria_verdicts: verdicts,
        task_verdicts: Vec::new(),
        tool_calls: Vec::new(),
        receipts: Vec::new(),
        earlier: Vec::new(),
        denied: None,
        subtask: subtask(n),
    }
}

pub(crate) fn summary_of(outcomes: Vec<SubTaskOutcome>) -> Message {
    OutcomeSummary {
        not_in_receipts: Vec::new(),
        task_id: task(1),
        merged_output: serde_json::Value::Null,
        summary: "done".to_owned(),
        outcomes,
        task_verdicts: Vec::new(),
        task_history: Vec::new(),
        task_criteria: Vec::new(),
    }
    .into()
}

pub(crate) fn replan() -> Message {
    replan_with(Vec::new())
}

pub(crate) fn replan_with(outcomes: Vec<SubTaskOutcome>) -> Message {
    ReplanRequest {
        not_in_receipts: Vec::new(),
        task_id: task(1),
        outcomes,
        failed_outcomes: Vec::new(),
        task_verdicts: Vec::new(),
        task_history: Vec::new(),
        task_criteria: Vec::new(),
        gap_summary: "short".to_owned(),
        partial_output: String::new(),
        unverified_output: String::new(),
    }
    .into()
}

fn loss(distance: f64) -> Loss {
    Loss { distance: Distance::clamped(distance), ..Loss::default() }
}

/// The figures of a round.
pub(crate) fn point(distance: f64) -> TrajectoryPoint {
    TrajectoryPoint { loss: loss(distance), directive: MacroState::Refine, grad_l: 0.0, grad_q: 0.0 }
}

pub(crate) fn directive(directive: Directive, distance: f64, urgency: Urgency) -> PlanDirective {
    PlanDirective {
        task_id: task(1),
        replan: 1,
        max_replans: 3,
        loss: loss(distance),
        prev_directive: MacroState::Init,
        directive,
        blocked_tools: Vec::new(),
        blocked_targets: Vec::new(),
        failed_before: Vec::new(),
        tried_classes: Vec::new(),
        failed_criterion: String::new(),
        failure_class: RoundFailure::Mixed,
        budget_pressure: 0.0,
        grad_l: 0.0,
        grad_q: 0.0,
        urgency,
        grounds: artoo_types::belief::Grounds::default(),
        unmet: Vec::new(),
        established: Vec::new(),
    }
}

pub(crate) fn end(directive: Ending, reason: Reason, distance: f64) -> Message {
    FinalResult {
        task_id: task(1),
        summary: "the end".to_owned(),
        output: serde_json::Value::Null,
        loss: loss(distance),
        grad_l: 0.0,
        grad_q: 0.0,
        replans: 0,
        prev_directive: MacroState::Init,
        directive,
        reason,
        unmet: Vec::new(),
        marks: Default::default(),
        next_moves: Vec::new(),
        tried: Vec::new(),
        ruled_out: Vec::new(),
        trajectory: Vec::new(),
        unanswered_confirmation: false,
        usage: TaskUsage::default(),
        taint: Default::default(),
    }
    .into()
}

/// Everything that a task says which goes well at once.
pub(crate) fn good_task() -> Vec<Message> {
    let matched = outcome(1, OutcomeStatus::Matched, vec![verdict(Verdict::Pass, Some("r1"))]);
    vec![
        submitted(),
        manifest(vec![subtask(1)]),
        subtask(1).into(),
        result(1, ExecutionStatus::Completed, vec![receipt(1)]),
        matched.clone().into(),
        summary_of(vec![matched]),
        end(Ending::Accept, Reason::CriteriaMet, 0.0),
    ]
}
