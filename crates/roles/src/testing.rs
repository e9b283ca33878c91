//! Values that the tests of several roles are made of.

use artoo_types::chat::{ChatReply, ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome, Speaker};
use artoo_types::control::{Directive, Loss, MacroState, PlanDirective, RoundFailure, Urgency};
use artoo_types::criteria::{Check, Criterion, CriterionMode, FailureClass, Verdict};
use artoo_types::evidence::{CallEnd, CheckEvidence, Receipt};
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{Blocks, DispatchManifest, SubTask};
use artoo_types::tag::Tag;
use artoo_types::task::{Constraints, TaskSpec};
use artoo_types::{EvidenceId, SubtaskId, TaskId};
use serde_json::Value;
use uuid::Uuid;

/// The task of every test.
pub(crate) fn task_id() -> TaskId {
    TaskId(Uuid::from_u128(0xA2))
}

/// The `n`-th subtask.
pub(crate) fn subtask_id(n: u32) -> SubtaskId {
    SubtaskId(Uuid::from_u128(u128::from(n)))
}

/// A verifiable criterion that no check decides.
pub(crate) fn verifiable(text: &str) -> Criterion {
    Criterion {
        text: text.to_owned(),
        mode: CriterionMode::Verifiable,
        check: None,
        unchanged: false,
        derived: None,
    }
}

/// A criterion that is a matter of judgement.
pub(crate) fn plausible(text: &str) -> Criterion {
    Criterion {
        text: text.to_owned(),
        mode: CriterionMode::Plausible,
        check: None,
        unchanged: false,
        derived: None,
    }
}

/// A criterion that code decides.
pub(crate) fn checked(text: &str) -> Criterion {
    let check = Some(Check::FileExists { path: "/w/out".to_owned() });
    Criterion {
        text: text.to_owned(),
        mode: CriterionMode::Verifiable,
        check,
        unchanged: false,
        derived: None,
    }
}

/// What the check of the criterion with this index saw; its id is `c9.<index>`.
pub(crate) fn check_evidence(index: usize, verdict: Verdict) -> CheckEvidence {
    CheckEvidence {
        id: EvidenceId(format!("c9.{index}")),
        criterion: index,
        verdict,
        failure_class: (verdict == Verdict::Fail).then_some(FailureClass::Logical),
        saw: format!("check {index} looked"),
        subjects: Vec::new(),
        before: None,
    }
}

/// A reading of the request `List my notes`.
pub(crate) fn spec() -> TaskSpec {
    TaskSpec {
        task_id: task_id(),
        slug: "list_notes".to_owned(),
        intent: "list the notes".to_owned(),
        constraints: Constraints::default(),
        deadline: None,
        raw_input: "List my notes".to_owned(),
        tags: Vec::new(),
        intent_tag: Tag::intent("list the notes"),
        direct_answer: None,
        assumptions: Vec::new(),
    }
}

/// The `n`-th step of a plan, in group `sequence`, with one verifiable criterion.
pub(crate) fn subtask(n: u32, sequence: u32) -> SubTask {
    SubTask {
        subtask_id: subtask_id(n),
        parent_task_id: task_id(),
        round: 0,
        ordinal: n,
        sequence,
        intent: format!("step {n}"),
        context: String::new(),
        prior_outputs: Vec::new(),
        opening: Vec::new(),
        tools: vec!["glob".to_owned()],
        targets: Vec::new(),
        success_criteria: vec![verifiable("it is done")],
        replaces: None,
        blocked: Blocks::default(),
        known: Vec::new(),
    }
}

/// A plan of these steps with one verifiable task criterion.
pub(crate) fn manifest(round: u32, subtasks: Vec<SubTask>) -> DispatchManifest {
    DispatchManifest {
        task_id: task_id(),
        round,
        task_criteria: vec![verifiable("all is done")],
        subtasks,
        kept: Vec::new(),
        superseded: Vec::new(),
        output_from: None,
        uncovered: Vec::new(),
        form: None,
    }
}

/// The end of a step.
pub(crate) fn outcome(subtask: SubTask, status: OutcomeStatus, output: &str) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: subtask.subtask_id,
        parent_task_id: subtask.parent_task_id,
        status,
        output: output.to_owned(),
        handle: None,
        failure_reason: (status != OutcomeStatus::Matched).then(|| "it broke".to_owned()),
        gap_trajectory: Vec::new(),
        criteria_verdicts: Vec::new(),
        task_verdicts: Vec::new(),
        tool_calls: Vec::new(),
        receipts: Vec::new(),
        earlier: Vec::new(),
        denied: None,
        subtask,
    }
}

/// A receipt of `glob` with the id `r<n>`.
pub(crate) fn receipt(n: u64, end: CallEnd, exit: Option<i64>, output: &str) -> Receipt {
    Receipt {
        target: "/w/*".to_owned(),
        arguments: "{\"pattern\":\"*\"}".to_owned(),
        end,
        exit,
        output: output.to_owned(),
        output_bytes: output.len() as u64,
        ..Receipt::quiet(EvidenceId(format!("r{n}")), "glob")
    }
}

/// A directive that blocks nothing and keeps nothing.
pub(crate) fn directive() -> PlanDirective {
    PlanDirective {
        task_id: task_id(),
        replan: 1,
        max_replans: 3,
        loss: Loss::default(),
        prev_directive: MacroState::Init,
        directive: Directive::ChangePath,
        blocked_tools: Vec::new(),
        blocked_targets: Vec::new(),
        failed_before: Vec::new(),
        tried_classes: Vec::new(),
        failed_criterion: "it is done".to_owned(),
        failure_class: RoundFailure::from(FailureClass::Logical),
        budget_pressure: 0.1,
        grad_l: 0.0,
        grad_q: 0.0,
        urgency: Urgency::Steady,
        grounds: artoo_types::belief::Grounds {
            rationale: "the file was not there".to_owned(),
            ..Default::default()
        },
        unmet: Vec::new(),
        established: Vec::new(),
    }
}

/// A model that says this text.
pub(crate) fn text(content: &str) -> ModelOutcome {
    ModelOutcome::Reply(ChatReply { content: content.to_owned(), ..ChatReply::default() })
}

/// A model that says this JSON value.
pub(crate) fn says(value: &Value) -> ModelOutcome {
    text(&value.to_string())
}

/// A model call that came to nothing.
pub(crate) fn silence(kind: ModelFailureKind) -> ModelOutcome {
    ModelOutcome::Failure(ModelFailure {
        kind,
        message: "no answer".to_owned(),
        attempts: 1,
        elapsed_ms: 1,
        retry_after_ms: None,
    })
}

/// The user message of a request.
pub(crate) fn user_text(request: &ChatRequest) -> &str {
    let user = request.messages.iter().find(|m| m.speaker == Speaker::User);
    user.map(|m| m.content.as_str()).expect("every request has a user message")
}

/// The content of one section of a user message; none when the section is left out.
pub(crate) fn section<'a>(user: &'a str, title: &str) -> Option<&'a str> {
    let mark = format!("## {title}\n");
    let start = if user.starts_with(&mark) { 0 } else { user.find(&format!("\n{mark}"))? + 1 } + mark.len();
    let rest = &user[start..];
    Some(rest.find("\n\n## ").map_or(rest, |end| &rest[..end]))
}

/// The titles of the sections of a user message, in order.
pub(crate) fn titles(user: &str) -> Vec<&str> {
    user.lines().filter_map(|line| line.strip_prefix("## ")).collect()
}
