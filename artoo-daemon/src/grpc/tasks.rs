//! Calls about tasks: submitting, finding, listing, cancelling, answering.

use std::time::Duration;

use artoo_protocol::v1;
use artoo_task::view::{TaskState, TaskView};
use artoo_types::TaskId;
use artoo_types::limits::MAX_INPUT_BYTES;
use tonic::Status;
use uuid::Uuid;

use super::peer::{Peer, knows};
use super::service::{Calls, blocking};
use super::{convert, errors, fields, page};
use crate::task::{SubmitError, Tasks};

/// How long a cancellation waits for the end of its task. Children get 2.5 s to end.
const CANCEL_PATIENCE: Duration = Duration::from_secs(4);
/// How often it looks meanwhile.
const CANCEL_LOOK: Duration = Duration::from_millis(20);
/// Most tasks that one page looks at while it searches for a state. A task that is no longer in memory costs reading its
/// journal, about a millisecond.
const MAX_LOOKED_AT: usize = 1_000;

impl Calls {
    /// Hands in a request. Without a working directory it is the home folder.
    pub(super) async fn submit(
        &self,
        request: v1::SubmitTaskRequest,
    ) -> Result<v1::SubmitTaskResponse, Status> {
        let mut submitted = convert::submitted(request);
        if submitted.working_directory.is_empty() {
            submitted.working_directory = self.parts.places.home.to_string_lossy().into_owned();
        }
        let accepted = self.parts.tasks.submit(submitted).await;
        let accepted = accepted.map_err(|error| errors::of_task(&error))?;
        Ok(v1::SubmitTaskResponse {
            task_id: accepted.task_id.to_string(),
            already_known: accepted.already_known,
        })
    }

    /// One task.
    pub(super) async fn get(&self, request: v1::GetTaskRequest) -> Result<v1::GetTaskResponse, Status> {
        let (task_id, tasks) = (fields::task_id(&request.task_id)?, self.parts.tasks.clone());
        let task = blocking(move || match tasks.get(task_id) {
            Ok(view) => Ok(convert::task(&view)),
            Err(SubmitError::Remains(remains)) => Ok(convert::remains(&remains)),
            Err(error) => Err(errors::of_task(&error)),
        });
        Ok(v1::GetTaskResponse { task: Some(task.await?) })
    }

    /// One page of tasks, newest first.
    pub(super) async fn list(&self, request: v1::ListTasksRequest) -> Result<v1::ListTasksResponse, Status> {
        let state = fields::task_state(&request.state)?;
        let question = format!("tasks {}", request.state);
        let after = page::cursor(&question, &request.page_token)?;
        let after =
            after.map(|id| Uuid::try_parse(&id).map(TaskId).map_err(|_| page::foreign())).transpose()?;
        let size = page::size(request.page_size);
        let tasks = self.parts.tasks.clone();
        let page = blocking(move || Ok(page_of(&tasks, state, after, size))).await?;
        let next = page.next.map(|last| page::token(&question, &last.to_string()));
        Ok(v1::ListTasksResponse { tasks: page.tasks, next_page_token: next.unwrap_or_default() })
    }

    /// Stops a task, and gives its end a moment to come.
    pub(super) async fn cancel(
        &self,
        request: v1::CancelTaskRequest,
    ) -> Result<v1::CancelTaskResponse, Status> {
        let task_id = fields::task_id(&request.task_id)?;
        let cancelled = self.parts.tasks.cancel(task_id).await;
        let mut task = cancelled.map_err(|error| errors::of_task(&error))?;
        let deadline = tokio::time::Instant::now() + CANCEL_PATIENCE;
        while task.result.is_none() && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(CANCEL_LOOK).await;
            task = self.look(task_id).await?;
        }
        Ok(v1::CancelTaskResponse { task: Some(convert::task(&task)) })
    }

    /// Answers whether one exact action may run. Only a person may: whoever knows the token and was not started by
    /// artoo itself (Law 1).
    pub(super) async fn confirm(
        &self,
        peer: Option<Peer>,
        request: v1::ResolveConfirmationRequest,
    ) -> Result<v1::ResolveConfirmationResponse, Status> {
        let confirmation_id = fields::confirmation_id(&request.confirmation_id)?;
        self.check_person(peer, &request.token)?;
        let task =
            self.parts.tasks.confirm(confirmation_id, request.approved, request.remember_for_task).await;
        let task = task.map_err(|error| errors::of_task(&error))?;
        Ok(v1::ResolveConfirmationResponse { task: Some(convert::task(&task)) })
    }

    /// Whether the caller can be a person: it is none of artoo's own programs, and holds the token.
    pub(super) fn check_person(&self, peer: Option<Peer>, token: &str) -> Result<(), Status> {
        if !peer.is_some_and(|peer| peer.may_answer()) {
            tracing::warn!(?peer, "something that artoo started tried to answer for a person");
            return Err(errors::forbidden(
                "NOT_A_PERSON",
                "programs that artoo itself started cannot answer for a person; answer from your own terminal",
            ));
        }
        if !knows(self.parts.token.expose(), token) {
            tracing::warn!(?peer, "an answer for a person came with a wrong token");
            return Err(errors::forbidden(
                "WRONG_TOKEN",
                "the token is not the content of confirm.token in the data folder; it changes at every start of the daemon",
            ));
        }
        Ok(())
    }

    /// Answers the questions of a task.
    pub(super) async fn clarify(
        &self,
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
        let task = self.parts.tasks.clarify(task_id, request.answer).await;
        let task = task.map_err(|error| errors::of_task(&error))?;
        Ok(v1::AnswerClarificationResponse { task: Some(convert::task(&task)) })
    }

    async fn look(&self, task_id: TaskId) -> Result<TaskView, Status> {
        let tasks = self.parts.tasks.clone();
        blocking(move || tasks.get(task_id).map_err(|error| errors::of_task(&error))).await
    }
}

/// The tasks that are at work, newest first, as far as they are among the latest ones.
pub(super) fn at_work(tasks: &Tasks) -> Vec<TaskView> {
    let mut missing = tasks.counts().0;
    let mut found = Vec::new();
    for id in tasks.list(None).into_iter().take(MAX_LOOKED_AT) {
        if missing == 0 {
            break;
        }
        if let Ok(view) = tasks.get(id)
            && view.state != TaskState::Finished
        {
            missing -= 1;
            found.push(view);
        }
    }
    found
}

struct Page {
    tasks: Vec<v1::Task>,
    /// The last task that was looked at, when there are older ones.
    next: Option<TaskId>,
}

fn page_of(tasks: &Tasks, state: Option<TaskState>, after: Option<TaskId>, size: usize) -> Page {
    let ids = tasks.list(after);
    // Of all tasks only so many can still be at work: with all of them found, older ones need no look.
    let mut at_work = tasks.counts().0;
    let mut page = Page { tasks: Vec::new(), next: None };
    for (place, id) in ids.iter().enumerate() {
        let (task, is_at_work) = match tasks.get(*id) {
            Ok(view) if state.is_none_or(|state| state == view.state) => {
                (Some(convert::task(&view)), view.state != TaskState::Finished)
            }
            Ok(view) => (None, view.state != TaskState::Finished),
            // A task whose journal cannot be read is listed all the same.
            Err(SubmitError::Remains(left)) => (state.is_none().then(|| convert::remains(&left)), false),
            Err(error) => {
                tracing::warn!(%error, "a task cannot be listed");
                (None, false)
            }
        };
        page.tasks.extend(task);
        at_work = at_work.saturating_sub(usize::from(is_at_work));
        let none_left = at_work == 0 && state.is_some_and(|state| state != TaskState::Finished);
        if place + 1 == ids.len() || none_left {
            break;
        }
        if page.tasks.len() == size || place + 1 == MAX_LOOKED_AT {
            page.next = Some(*id);
            break;
        }
    }
    page
}
