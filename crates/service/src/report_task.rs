//! Pages about tasks, made from their journals.

use artoo_protocol::v1;
use artoo_report::TaskLine;
use artoo_runtime::task::{TaskError, TaskStream, Tasks};
use artoo_task::view::TaskView;
use artoo_types::control::Ending;
use artoo_types::envelope::Envelope;
use tonic::Status;

use super::service::{Calls, blocking};
use super::{errors, fields};

/// Most events that a page is made from; a task has some hundred.
const MAX_EVENTS: usize = 20_000;
/// Most tasks in an index. One that is no longer in memory costs reading its journal, about a millisecond.
const MAX_TASKS: usize = 200;

/// A page about one task, or the index of the latest ones.
pub(super) async fn report_task(
    calls: &Calls,
    request: v1::ReportTaskRequest,
) -> Result<v1::ReportTaskResponse, Status> {
    let tasks = calls.parts.tasks.clone();
    if request.all {
        return blocking(move || Ok(v1::ReportTaskResponse { html: index(&tasks)? })).await;
    }
    let task_id = fields::task_id(&request.task_id)?;
    let stream = tasks.events(task_id, 0, false).map_err(|error| errors::of_stream(&error))?;
    let events = all(stream).await?;
    blocking(move || Ok(v1::ReportTaskResponse { html: artoo_report::page(&events) })).await
}

async fn all(mut stream: TaskStream) -> Result<Vec<Envelope>, Status> {
    let mut events = Vec::new();
    while events.len() < MAX_EVENTS
        && let Some(envelope) = stream.next().await.map_err(|error| errors::of_journal(&error))?
    {
        events.push(envelope);
    }
    Ok(events)
}

fn index(tasks: &Tasks) -> Result<String, Status> {
    let ids = tasks.list(None);
    let mut lines = Vec::new();
    for id in ids.iter().take(MAX_TASKS) {
        match tasks.get(*id) {
            Ok(view) => lines.push(line(&view)),
            Err(TaskError::Unreadable(left)) => lines.push(line(&left.view)),
            Err(error) => return Err(errors::of_task(&error)),
        }
    }
    Ok(artoo_report::index(&lines, ids.len().saturating_sub(MAX_TASKS)))
}

fn line(view: &TaskView) -> TaskLine {
    let result = view.result.as_ref();
    TaskLine {
        task_id: view.task_id.to_string(),
        input: view.submitted.as_ref().map(|submitted| submitted.input.clone()).unwrap_or_default(),
        created_at: view.created_at,
        end: result.map_or("at work", |result| result.reason.as_str()).to_owned(),
        delivered: result.is_some_and(|result| result.directive != Ending::Abandon),
        calls: result.map_or(0, |result| result.usage.model_calls()),
        elapsed_ms: result.map_or(0, |result| result.usage.elapsed_ms),
    }
}
