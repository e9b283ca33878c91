//! Requests, questions, answers, and the task as a whole.

use artoo_protocol::v1;
use artoo_protocol::words::TaskState as StateWord;
use artoo_task::view::{TaskState, TaskView};
use artoo_types::task::{
    ClarificationAnswer, ClarificationRequest, ConfirmationRequest, ConfirmationResolved, Constraints,
    TaskCancelled, TaskOptions, TaskSpec, TaskSubmitted,
};

use artoo_types::undo::TargetState;

use super::memory::tag;
use super::{final_result, timestamp, word, words};
use artoo_runtime::task::{ReadFailure, UnreadableTask};

/// A request as it comes in. What it says is not checked here.
pub fn submitted(request: v1::SubmitTaskRequest) -> TaskSubmitted {
    let options = request.options.unwrap_or_default();
    TaskSubmitted {
        input: request.input,
        session_id: request.session_id,
        request_id: request.request_id,
        working_directory: request.working_directory,
        options: TaskOptions {
            time_budget_ms: options.time_budget_ms,
            deadline_ms: options.deadline_ms,
            max_replans: options.max_replans,
            max_tokens: options.max_tokens,
            unattended: options.unattended,
        },
    }
}

/// A task as it stands.
pub fn task(view: &TaskView) -> v1::Task {
    let submitted = view.submitted.as_ref();
    let result = view.result.as_ref();
    v1::Task {
        task_id: view.task_id.to_string(),
        slug: view.slug.clone(),
        state: task_state(view.state).as_str().to_owned(),
        input: submitted.map(|s| s.input.clone()).unwrap_or_default(),
        created_at: submitted.map(|_| timestamp(view.created_at)),
        ended_at: view.ended_at.map(timestamp),
        directive: result.map(|r| word(r.directive)).unwrap_or_default(),
        reason: result.map(|r| r.reason.as_str().to_owned()).unwrap_or_default(),
        summary: result.map(|r| r.summary.clone()).unwrap_or_default(),
        latest_sequence: view.latest_sequence,
        result: result.map(final_result),
        open_confirmations: view.confirmations.iter().map(confirmation_request).collect(),
        // When the questions expire is not part of the view; the request itself says it in the stream of events.
        open_clarification: (!view.questions.is_empty())
            .then(|| v1::ClarificationRequest { questions: view.questions.clone(), expires_at: None }),
        session_id: submitted.map(|s| s.session_id.clone()).unwrap_or_default(),
        working_directory: submitted.map(|s| s.working_directory.clone()).unwrap_or_default(),
        taint: super::texts(&view.taint.words()),
    }
}

/// A task whose journal cannot be read to its end, with what the index says of it.
pub fn unreadable_task(left: &UnreadableTask) -> v1::Task {
    let (accepted, ended) = (&left.accepted.accepted, left.accepted.ended);
    let mut task = task(&left.view);
    let state = match left.failure {
        ReadFailure::Deleted => StateWord::Deleted,
        ReadFailure::Damaged(_) => StateWord::Damaged,
    };
    task.state = state.as_str().to_owned();
    if task.input.is_empty() {
        task.input.clone_from(&accepted.title);
    }
    task.session_id.clone_from(&accepted.session_id);
    task.created_at = Some(timestamp(accepted.accepted_at));
    if let Some(ended) = ended {
        task.ended_at = Some(timestamp(ended.at));
        task.directive = word(ended.directive);
        task.reason = ended.reason.as_str().to_owned();
    }
    task.summary = left.to_string();
    task
}

/// A state as the protocol has it.
pub fn task_state(state: TaskState) -> StateWord {
    match state {
        TaskState::Accepted => StateWord::Accepted,
        TaskState::Running => StateWord::Running,
        TaskState::WaitingForConfirmation => StateWord::WaitingForConfirmation,
        TaskState::WaitingForClarification => StateWord::WaitingForClarification,
        TaskState::WaitingForModel => StateWord::WaitingForModel,
        TaskState::Finished => StateWord::Finished,
    }
}

pub(super) fn task_submitted(m: &TaskSubmitted) -> v1::TaskSubmitted {
    v1::TaskSubmitted {
        input: m.input.clone(),
        session_id: m.session_id.clone(),
        request_id: m.request_id.clone(),
        working_directory: m.working_directory.clone(),
        options: Some(task_options(&m.options)),
    }
}

pub(super) fn task_spec(m: &TaskSpec) -> v1::TaskSpec {
    v1::TaskSpec {
        task_id: m.task_id.to_string(),
        slug: m.slug.clone(),
        intent: m.intent.clone(),
        constraints: Some(constraints(&m.constraints)),
        raw_input: m.raw_input.clone(),
        tags: m.tags.clone(),
        intent_tag: Some(tag(&m.intent_tag)),
        direct_answer: m.direct_answer.clone(),
        assumptions: m.assumptions.clone(),
        deadline: m.deadline.map(timestamp),
    }
}

pub(super) fn clarification_request(m: &ClarificationRequest) -> v1::ClarificationRequest {
    v1::ClarificationRequest { questions: m.questions.clone(), expires_at: Some(timestamp(m.expires_at)) }
}

pub(super) fn clarification_answer(m: &ClarificationAnswer) -> v1::ClarificationAnswer {
    v1::ClarificationAnswer { answer: m.answer.clone(), assumed: m.assumed }
}

pub(super) fn confirmation_request(m: &ConfirmationRequest) -> v1::ConfirmationRequest {
    v1::ConfirmationRequest {
        confirmation_id: m.confirmation_id.to_string(),
        effect_id: m.effect_id.0,
        subtask_id: m.subtask_id.to_string(),
        tool: m.tool.clone(),
        action: m.action.clone(),
        working_directory: m.working_directory.clone(),
        effects: words(&m.effects),
        targets: m.targets.clone(),
        why: m.why.clone(),
        undoable: m.undoable,
        digest: m.digest.clone(),
        expires_at: Some(timestamp(m.expires_at)),
        undo_bytes: m.undo_bytes,
        undo_why: m.undo_why.clone(),
        states: m.states.iter().map(target_state).collect(),
        rememberable: m.rememberable,
    }
}

fn target_state(m: &TargetState) -> v1::TargetState {
    v1::TargetState {
        real: m.real.clone(),
        leads_to: m.leads_to.clone(),
        kind: word(m.kind),
        bytes: m.bytes,
        files: m.files,
        sha256: m.sha256.clone(),
    }
}

pub(super) fn confirmation_resolved(m: &ConfirmationResolved) -> v1::ConfirmationResolved {
    v1::ConfirmationResolved {
        confirmation_id: m.confirmation_id.to_string(),
        effect_id: m.effect_id.0,
        approved: m.approved,
        digest: m.digest.clone(),
        remember_for_task: m.remember_for_task,
        denial: m.denial.map(word),
    }
}

pub(super) fn task_cancelled(m: &TaskCancelled) -> v1::TaskCancelled {
    v1::TaskCancelled { cause: word(m.cause), detail: m.detail.clone() }
}

fn task_options(m: &TaskOptions) -> v1::TaskOptions {
    v1::TaskOptions {
        time_budget_ms: m.time_budget_ms,
        deadline_ms: m.deadline_ms,
        max_replans: m.max_replans,
        max_tokens: m.max_tokens,
        unattended: m.unattended,
    }
}

fn constraints(m: &Constraints) -> v1::Constraints {
    v1::Constraints { scope: m.scope.clone(), deadline: m.deadline.clone() }
}
