//! What people say to a task at work: stop, yes, no, an answer.

use std::time::Duration;

use artoo_task::view::TaskView;
use artoo_types::machine::TaskInput;
use artoo_types::task::StopCause;
use artoo_types::{ConfirmationId, TaskId};

use super::answers::{AnswerOrder, Consent};
use super::error::TaskError;
use super::registry::{TaskHandle, Tasks};
use crate::clock;

/// How long an answer waits until the task has taken it in. A task takes in one input after the other, each within
/// milliseconds; it waits for longer only for a disk that is full.
const TAKEN_WITHIN: Duration = Duration::from_secs(2);

impl Tasks {
    /// Stops a task. Stopping an ended one changes nothing. Returns when the stop is under way.
    ///
    /// # Errors
    /// When there is no such task.
    pub async fn cancel(&self, task_id: TaskId) -> Result<TaskView, TaskError> {
        let detail = "cancelled by you".to_owned();
        self.send(task_id, TaskInput::Stop { cause: StopCause::Cancelled, detail }).await?;
        self.get(task_id)
    }

    /// Answers an open confirmation, wherever it is open. Returns when the task has taken the answer in.
    ///
    /// # Errors
    /// [`TaskError::NotWaiting`] when no task waits for it: it was answered otherwise, it expired, its task has ended, or
    /// the daemon restarted.
    pub async fn confirm(
        &self,
        confirmation_id: ConfirmationId,
        approved: bool,
        remember_for_task: bool,
    ) -> Result<TaskView, TaskError> {
        let is_open =
            |view: &TaskView| view.confirmations.iter().any(|c| c.confirmation_id == confirmation_id);
        let consent = Consent { approved, remember_for_task };
        let not_waiting = |why: &str| TaskError::NotWaiting(format!("confirmation {confirmation_id} {why}"));
        if self.has_expired(confirmation_id) {
            return Err(not_waiting("expired, and counts as denied"));
        }
        let found = self.live().running.iter().find_map(|(task_id, handle)| {
            let is_known = handle.answers.knows(confirmation_id) || handle.published.read(is_open);
            is_known.then(|| (*task_id, handle.clone()))
        });
        let gone = "is not open: it expired, its task has ended, or the daemon restarted since it was asked";
        let (task_id, handle) = found.ok_or_else(|| not_waiting(gone))?;
        // The place in the inbox comes first: a word that is noted is a word that is passed on, whenever this call is
        // given up.
        let inbox = handle.inbox.reserve().await.ok();
        match handle.answers.confirm(confirmation_id, consent, handle.published.read(is_open)) {
            Some(AnswerOrder::First) => {
                // Without a place the task has just ended.
                if let Some(inbox) = inbox {
                    inbox.send(TaskInput::Confirmed { confirmation_id, approved, remember_for_task });
                }
            }
            Some(AnswerOrder::Repeated) => {}
            Some(AnswerOrder::Late) => {
                return Err(not_waiting("was answered otherwise before; the first answer counts"));
            }
            None => return Err(not_waiting(gone)),
        }
        handle.wait_until(|view| !is_open(view)).await;
        self.get(task_id)
    }

    /// Answers a task's questions. Returns when the task has taken the answer in.
    ///
    /// # Errors
    /// [`TaskError::NotWaiting`] when it asks none, or they were answered otherwise.
    pub async fn clarify(&self, task_id: TaskId, answer: String) -> Result<TaskView, TaskError> {
        let questions = self.get(task_id)?.questions;
        let handle = self.live().running.get(&task_id).cloned();
        let not_waiting = |why: &str| TaskError::NotWaiting(format!("task {task_id} {why}"));
        let Some(handle) = handle else { return Err(not_waiting("has no open question")) };
        let inbox = handle.inbox.reserve().await.ok();
        let Some(place) = handle.answers.clarify(&questions, &answer) else {
            return Err(not_waiting("has no open question"));
        };
        match place {
            AnswerOrder::First => {
                if let Some(inbox) = inbox {
                    inbox.send(TaskInput::Clarified { answer });
                }
            }
            AnswerOrder::Repeated => {}
            AnswerOrder::Late => {
                return Err(not_waiting("was answered otherwise before; the first answer counts"));
            }
        }
        handle.wait_until(|view| view.questions.is_empty() || view.questions != questions).await;
        self.get(task_id)
    }

    /// Whether an open confirmation is past its time. The task finds out by itself, a moment later; after a machine has
    /// slept, that moment has still to come.
    fn has_expired(&self, confirmation_id: ConfirmationId) -> bool {
        let now = clock::now();
        let is_late = |view: &TaskView| {
            view.confirmations.iter().any(|c| c.confirmation_id == confirmation_id && now >= c.expires_at)
        };
        self.live().running.values().any(|handle| handle.published.read(is_late))
    }

    async fn send(&self, task_id: TaskId, input: TaskInput) -> Result<(), TaskError> {
        self.inner.archive.find(task_id).ok_or(TaskError::Unknown(task_id))?;
        let inbox = self.live().running.get(&task_id).map(|h| h.inbox.clone());
        if let Some(inbox) = inbox {
            // A closed inbox means that the task has just ended.
            let _ = inbox.send(input).await;
        }
        Ok(())
    }
}

impl TaskHandle {
    /// Returns when the task is as wanted, has ended, or takes too long for it.
    async fn wait_until(&self, wanted: impl Fn(&TaskView) -> bool) {
        let mut published = self.published.subscribe();
        let reached = async { while !self.published.read(&wanted) && published.changed().await.is_ok() {} };
        // Whoever asks gets the task as it then stands.
        let _ = tokio::time::timeout(TAKEN_WITHIN, reached).await;
    }
}
