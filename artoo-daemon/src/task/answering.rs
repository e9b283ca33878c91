//! What people say to a task at work: stop, yes, no, an answer.

use artoo_task::view::TaskView;
use artoo_types::machine::TaskInput;
use artoo_types::task::StopCause;
use artoo_types::{ConfirmationId, TaskId};

use super::error::SubmitError;
use super::registry::{Handle, Tasks};

impl Tasks {
    /// Stops a task. Stopping an ended one changes nothing. Returns when the stop is under way.
    ///
    /// # Errors
    /// When there is no such task.
    pub async fn cancel(&self, task_id: TaskId) -> Result<TaskView, SubmitError> {
        let detail = "cancelled by you".to_owned();
        self.send(task_id, TaskInput::Stop { cause: StopCause::Cancelled, detail }).await?;
        self.get(task_id)
    }

    /// Answers an open confirmation, wherever it is open.
    ///
    /// # Errors
    /// [`SubmitError::NotWaiting`] when no task waits for it: it was answered, it expired, or the daemon restarted.
    pub async fn confirm(
        &self,
        confirmation_id: ConfirmationId,
        approved: bool,
        remember_for_task: bool,
    ) -> Result<TaskView, SubmitError> {
        let waiting = {
            let state = self.state();
            let open = |h: &Handle| {
                h.window.look().confirmations.iter().any(|c| c.confirmation_id == confirmation_id)
            };
            state.running.iter().find(|(_, h)| open(h)).map(|(id, _)| *id)
        };
        let task_id = waiting.ok_or_else(|| {
            SubmitError::NotWaiting(format!(
                "no task waits for the confirmation {confirmation_id}; it was answered before, it expired, or the daemon restarted"
            ))
        })?;
        self.send(task_id, TaskInput::Confirmed { confirmation_id, approved, remember_for_task }).await?;
        self.get(task_id)
    }

    /// Answers a task's questions.
    ///
    /// # Errors
    /// [`SubmitError::NotWaiting`] when it asks none.
    pub async fn clarify(&self, task_id: TaskId, answer: String) -> Result<TaskView, SubmitError> {
        if self.get(task_id)?.questions.is_empty() {
            return Err(SubmitError::NotWaiting(format!("task {task_id} has no open question")));
        }
        self.send(task_id, TaskInput::Clarified { answer }).await?;
        self.get(task_id)
    }

    async fn send(&self, task_id: TaskId, input: TaskInput) -> Result<(), SubmitError> {
        self.shared.index.get(task_id).ok_or(SubmitError::Unknown(task_id))?;
        let inbox = self.state().running.get(&task_id).map(|h| h.inbox.clone());
        if let Some(inbox) = inbox {
            // A closed inbox means that the task has just ended.
            let _ = inbox.send(input).await;
        }
        Ok(())
    }
}
