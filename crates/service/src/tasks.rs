//! Calls about tasks: submitting, finding, listing, cancelling.

use std::path::Path;
use std::time::Duration;

use artoo_config::folder::Places;
use artoo_protocol::v1;
use artoo_task::view::{TaskState, TaskView};
use artoo_types::TaskId;
use tonic::Status;
use uuid::Uuid;

use super::service::{Calls, blocking};
use super::{convert, errors, fields, page};
use artoo_runtime::task::{TaskError, Tasks};

/// How long a cancellation waits for the end of its task. Children get 2.5 s to end.
const CANCEL_PATIENCE: Duration = Duration::from_secs(4);
/// How often it looks meanwhile.
const CANCEL_LOOK: Duration = Duration::from_millis(20);
/// Most tasks that one page looks at while it searches for a state. A task that is no longer in memory costs reading its
/// journal, about a millisecond.
const MAX_LOOKED_AT: usize = 1_000;

/// Hands in a request. Without a working directory it is the home folder.
pub(super) async fn submit_task(
    calls: &Calls,
    request: v1::SubmitTaskRequest,
) -> Result<v1::SubmitTaskResponse, Status> {
    let mut submitted = convert::submitted(request);
    if submitted.working_directory.is_empty() {
        submitted.working_directory = calls.parts.places.home.to_string_lossy().into_owned();
    }
    check_place(Path::new(&submitted.working_directory), &calls.parts.places)?;
    let accepted = calls.parts.tasks.submit(submitted).await;
    let accepted = accepted.map_err(|error| errors::of_task(&error))?;
    Ok(v1::SubmitTaskResponse {
        task_id: accepted.task_id.to_string(),
        already_known: accepted.already_known,
    })
}

/// A task works where the person's files are, not where artoo keeps its own, by whatever name: keys and journals lie there.
fn check_place(directory: &Path, places: &Places) -> Result<(), Status> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (directory, workspace) = (real(directory), real(&places.workspace));
    if directory.starts_with(real(&places.data)) && !directory.starts_with(workspace) {
        let problem =
            "it lies in the folder where artoo keeps its own data; start artoo in a folder with your files";
        return Err(errors::invalid("working_directory", problem));
    }
    Ok(())
}

/// One task.
pub(super) async fn get_task(
    calls: &Calls,
    request: v1::GetTaskRequest,
) -> Result<v1::GetTaskResponse, Status> {
    let (task_id, tasks) = (fields::task_id(&request.task_id)?, calls.parts.tasks.clone());
    let task = blocking(move || match tasks.get(task_id) {
        Ok(view) => Ok(convert::task(&view)),
        Err(TaskError::Unreadable(left)) => Ok(convert::unreadable_task(&left)),
        Err(error) => Err(errors::of_task(&error)),
    });
    Ok(v1::GetTaskResponse { task: Some(task.await?) })
}

/// One page of tasks, newest first.
pub(super) async fn list_tasks(
    calls: &Calls,
    request: v1::ListTasksRequest,
) -> Result<v1::ListTasksResponse, Status> {
    let state = fields::task_state(&request.state)?;
    let question = format!("tasks {}", request.state);
    let after = page::cursor(&question, &request.page_token)?;
    let after = after.map(|id| Uuid::try_parse(&id).map(TaskId).map_err(|_| page::foreign())).transpose()?;
    let size = page::size(request.page_size);
    let tasks = calls.parts.tasks.clone();
    let page = blocking(move || Ok(page_of(&tasks, state, after, size))).await?;
    let next = page.next.map(|last| page::token(&question, &last.to_string()));
    Ok(v1::ListTasksResponse { tasks: page.tasks, next_page_token: next.unwrap_or_default() })
}

/// Stops a task, and gives its end a moment to come.
pub(super) async fn cancel_task(
    calls: &Calls,
    request: v1::CancelTaskRequest,
) -> Result<v1::CancelTaskResponse, Status> {
    let task_id = fields::task_id(&request.task_id)?;
    let cancelled = calls.parts.tasks.cancel(task_id).await;
    let mut task = cancelled.map_err(|error| errors::of_task(&error))?;
    let deadline = tokio::time::Instant::now() + CANCEL_PATIENCE;
    while task.result.is_none() && tokio::time::Instant::now() < deadline {
        tokio::time::sleep(CANCEL_LOOK).await;
        task = look(calls, task_id).await?;
    }
    Ok(v1::CancelTaskResponse { task: Some(convert::task(&task)) })
}

async fn look(calls: &Calls, task_id: TaskId) -> Result<TaskView, Status> {
    let tasks = calls.parts.tasks.clone();
    blocking(move || tasks.get(task_id).map_err(|error| errors::of_task(&error))).await
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

struct TaskPage {
    tasks: Vec<v1::Task>,
    /// The last task that was looked at, when there are older ones.
    next: Option<TaskId>,
}

fn page_of(tasks: &Tasks, state: Option<TaskState>, after: Option<TaskId>, size: usize) -> TaskPage {
    let ids = tasks.list(after);
    // Of all tasks only so many can still be at work: with all of them found, older ones need no look.
    let mut at_work = tasks.counts().0;
    let mut page = TaskPage { tasks: Vec::new(), next: None };
    for (place, id) in ids.iter().enumerate() {
        let (task, is_at_work) = match tasks.get(*id) {
            Ok(view) if state.is_none_or(|state| state == view.state) => {
                (Some(convert::task(&view)), view.state != TaskState::Finished)
            }
            Ok(view) => (None, view.state != TaskState::Finished),
            // A task whose journal cannot be read is listed all the same.
            Err(TaskError::Unreadable(left)) => {
                (state.is_none().then(|| convert::unreadable_task(&left)), false)
            }
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
