//! A person's answers to what a task asks: whether an action may run, and what the request means.

use artoo_protocol::v1;
use artoo_types::limits::MAX_INPUT_BYTES;
use tonic::Status;

use super::service::Calls;
use super::{convert, errors, fields};

/// Answers whether one exact action may run.
pub(super) async fn resolve_confirmation(
    calls: &Calls,
    request: v1::ResolveConfirmationRequest,
) -> Result<v1::ResolveConfirmationResponse, Status> {
    let confirmation_id = fields::confirmation_id(&request.confirmation_id)?;
    let task = calls.parts.tasks.confirm(confirmation_id, request.approved, request.remember_for_task).await;
    let task = task.map_err(|error| errors::of_task(&error))?;
    Ok(v1::ResolveConfirmationResponse { task: Some(convert::task(&task)) })
}

/// Answers the questions of a task.
pub(super) async fn answer_clarification(
    calls: &Calls,
    request: v1::AnswerClarificationRequest,
) -> Result<v1::AnswerClarificationResponse, Status> {
    let task_id = fields::task_id(&request.task_id)?;
    if request.answer.len() > MAX_INPUT_BYTES {
        let length = request.answer.len();
        return Err(errors::invalid(
            "answer",
            &format!("it has {length} bytes and at most {MAX_INPUT_BYTES} are taken; make it shorter"),
        ));
    }
    let task = calls.parts.tasks.clarify(task_id, request.answer).await;
    let task = task.map_err(|error| errors::of_task(&error))?;
    Ok(v1::AnswerClarificationResponse { task: Some(convert::task(&task)) })
}
