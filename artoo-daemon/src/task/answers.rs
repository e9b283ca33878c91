//! What people say to a task at work: stop, yes, no, an answer. Of two answers to the same question one counts, whoever
//! gives them: the same answer again is harmless, and another one is refused instead of being dropped in silence.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use artoo_task::view::TaskView;
use artoo_types::machine::TaskInput;
use artoo_types::task::StopCause;
use artoo_types::{ConfirmationId, TaskId};

use crate::clock;

use super::error::SubmitError;
use super::registry::{Handle, Tasks};

/// How long an answer waits until the task has taken it in. A task takes in one input after the other, each within
/// milliseconds; it waits for longer only for a disk that is full.
const TAKEN_WITHIN: Duration = Duration::from_secs(2);

/// The answers that were passed on to one task. A task asks a bounded number of questions, so this stays small.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    given: Arc<Mutex<Given>>,
}

#[derive(Debug, Default)]
struct Given {
    confirmations: Vec<(ConfirmationId, Word)>,
    /// The questions that were answered last, and the answer.
    clarification: Option<(Vec<String>, String)>,
}

/// A person's word on an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    approved: bool,
    remember_for_task: bool,
}

/// What becomes of an answer.
enum Place {
    /// It is the first one, and has to be passed on.
    First,
    /// The same was said before.
    Again,
    /// Something else was said before.
    Late,
}

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

    /// Answers an open confirmation, wherever it is open. Returns when the task has taken the answer in.
    ///
    /// # Errors
    /// [`SubmitError::NotWaiting`] when no task waits for it: it was answered otherwise, it expired, its task has ended, or
    /// the daemon restarted.
    pub async fn confirm(
        &self,
        confirmation_id: ConfirmationId,
        approved: bool,
        remember_for_task: bool,
    ) -> Result<TaskView, SubmitError> {
        let is_open =
            |view: &TaskView| view.confirmations.iter().any(|c| c.confirmation_id == confirmation_id);
        let word = Word { approved, remember_for_task };
        let not_waiting =
            |why: &str| SubmitError::NotWaiting(format!("confirmation {confirmation_id} {why}"));
        if self.has_expired(confirmation_id) {
            return Err(not_waiting("expired, and counts as denied"));
        }
        let found = self.state().running.iter().find_map(|(task_id, handle)| {
            let is_known = handle.answers.knows(confirmation_id) || is_open(&handle.window.look());
            is_known.then(|| (*task_id, handle.clone()))
        });
        let gone = "is not open: it expired, its task has ended, or the daemon restarted since it was asked";
        let (task_id, handle) = found.ok_or_else(|| not_waiting(gone))?;
        // The place in the inbox comes first: a word that is noted is a word that is passed on, whenever this call is
        // given up.
        let inbox = handle.inbox.reserve().await.ok();
        match handle.answers.confirm(confirmation_id, word, is_open(&handle.window.look())) {
            Some(Place::First) => {
                // Without a place the task has just ended.
                if let Some(inbox) = inbox {
                    inbox.send(TaskInput::Confirmed { confirmation_id, approved, remember_for_task });
                }
            }
            Some(Place::Again) => {}
            Some(Place::Late) => {
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
    /// [`SubmitError::NotWaiting`] when it asks none, or they were answered otherwise.
    pub async fn clarify(&self, task_id: TaskId, answer: String) -> Result<TaskView, SubmitError> {
        let questions = self.get(task_id)?.questions;
        let handle = self.state().running.get(&task_id).cloned();
        let not_waiting = |why: &str| SubmitError::NotWaiting(format!("task {task_id} {why}"));
        let Some(handle) = handle else { return Err(not_waiting("has no open question")) };
        let inbox = handle.inbox.reserve().await.ok();
        let Some(place) = handle.answers.clarify(&questions, &answer) else {
            return Err(not_waiting("has no open question"));
        };
        match place {
            Place::First => {
                if let Some(inbox) = inbox {
                    inbox.send(TaskInput::Clarified { answer });
                }
            }
            Place::Again => {}
            Place::Late => return Err(not_waiting("was answered otherwise before; the first answer counts")),
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
        self.state().running.values().any(|handle| is_late(&handle.window.look()))
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

impl Answers {
    /// Whether a word on this confirmation was passed on.
    fn knows(&self, confirmation_id: ConfirmationId) -> bool {
        self.given().confirmations.iter().any(|(id, _)| *id == confirmation_id)
    }

    /// Notes the word on a confirmation; none when the task does not know it.
    fn confirm(&self, confirmation_id: ConfirmationId, word: Word, is_open: bool) -> Option<Place> {
        let mut given = self.given();
        match given.confirmations.iter().find(|(id, _)| *id == confirmation_id) {
            Some((_, before)) => Some(if *before == word { Place::Again } else { Place::Late }),
            None if is_open => {
                given.confirmations.push((confirmation_id, word));
                Some(Place::First)
            }
            None => None,
        }
    }

    /// Notes the answer to the open `questions`; none when there are none, now or before.
    fn clarify(&self, questions: &[String], answer: &str) -> Option<Place> {
        let mut given = self.given();
        match &given.clarification {
            Some((before, said)) if questions.is_empty() || before == questions => {
                Some(if said == answer { Place::Again } else { Place::Late })
            }
            None if questions.is_empty() => None,
            Some(_) | None => {
                given.clarification = Some((questions.to_vec(), answer.to_owned()));
                Some(Place::First)
            }
        }
    }

    fn given(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Handle {
    /// Returns when the task is as wanted, has ended, or takes too long for it.
    async fn wait_until(&self, wanted: impl Fn(&TaskView) -> bool) {
        let mut published = self.window.published.subscribe();
        let reached = async { while !wanted(&self.window.look()) && published.changed().await.is_ok() {} };
        // Whoever asks gets the task as it then stands.
        let _ = tokio::time::timeout(TAKEN_WITHIN, reached).await;
    }
}

#[cfg(test)]
mod tests;
