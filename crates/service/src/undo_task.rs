//! Undoing a task for a client: what tasks deleted and overwrote comes back, what they made goes.

use artoo_protocol::v1;
use artoo_task::view::TaskState;
use artoo_trash::UndoReport;
use artoo_types::envelope::Role;
use artoo_types::undo::{TaskUndo, TaskUndone, UndoItem, UndoOutcome};
use artoo_types::{Message, TaskId};
use tonic::Status;

use super::service::{Calls, blocking};
use super::{convert, errors, fields};
use artoo_runtime::clock;
use artoo_runtime::task::TaskError;

/// Paths that the record of an undo names; a caller gets all of them.
const MAX_RECORDED: usize = 200;

/// Takes back what an ended task did, or says what could be taken back. Only a person may: what artoo started cannot
/// bring back what a person had it remove.
pub(super) async fn undo_task(
    calls: &Calls,
    request: v1::UndoTaskRequest,
) -> Result<v1::UndoTaskResponse, Status> {
    let task_id = fields::task_id(&request.task_id)?;
    let (parts, force, dry_run) = (std::sync::Arc::clone(&calls.parts), request.force, request.dry_run);
    blocking(move || {
        let trash = parts.toolbox.trash();
        match parts.tasks.get(task_id) {
            Ok(view) if view.state == TaskState::Finished => {}
            Ok(_) => return Err(still_running(task_id)),
            // What it changed may be kept for longer than its journal.
            Err(TaskError::Unreadable(_)) if !parts.tasks.is_running(task_id) => {}
            Err(TaskError::Unknown(_)) if trash.knows(task_id) => {}
            Err(error) => return Err(errors::of_task(&error)),
        }
        if dry_run {
            return trash.list(task_id, force).map(|undone| response(&undone)).map_err(|e| failed(&e));
        }
        let wish = TaskUndo { undone_task_id: task_id, force };
        let recorded = parts.system.publish(Role::Operator, Role::Runtime, Message::TaskUndo(wish));
        recorded.map_err(|error| errors::of_journal(&error))?;
        let undone = trash.undo(task_id, force, clock::now()).map_err(|error| failed(&error))?;
        let items = undone.items.iter().take(MAX_RECORDED).cloned().collect();
        let done = Message::TaskUndone(TaskUndone { undone_task_id: task_id, items });
        if let Err(error) = parts.system.publish(Role::Runtime, Role::Operator, done) {
            tracing::warn!(%error, %task_id, "what an undo did could not be recorded");
        }
        Ok(response(&undone))
    })
    .await
}

fn still_running(task_id: TaskId) -> Status {
    let message = format!("task {task_id} has not ended; cancel it first (artoo cancel), then undo it");
    errors::not_now("TASK_RUNNING", "task", &message)
}

fn failed(error: &artoo_trash::TrashError) -> Status {
    errors::not_now("CANNOT_UNDO", "trash", &error.to_string())
}

fn response(undone: &UndoReport) -> v1::UndoTaskResponse {
    let is_good = |item: &&UndoItem| match item.outcome {
        UndoOutcome::Possible | UndoOutcome::Restored | UndoOutcome::Removed => true,
        UndoOutcome::Unchanged | UndoOutcome::Skipped | UndoOutcome::Failed => false,
    };
    let is_bad = |item: &&UndoItem| matches!(item.outcome, UndoOutcome::Skipped | UndoOutcome::Failed);
    let items = &undone.items;
    v1::UndoTaskResponse {
        restored: items.iter().filter(is_good).map(|item| item.path.clone()).collect(),
        not_restored: items
            .iter()
            .filter(is_bad)
            .map(|item| format!("{}: {}", item.path, item.why))
            .collect(),
        items: items.iter().map(convert::undo_item).collect(),
    }
}
