//! Questions of a task to the person, and what becomes of an answer.

use artoo_protocol::v1::{
    AnswerClarificationRequest, ClarificationRequest, ConfirmationRequest, ResolveConfirmationRequest, Task,
};

use crate::connection::{Client, Daemon};
use crate::exit::Failure;
use crate::places::{Places, short};
use crate::render::{Line, Tone, question};

/// A question that waits.
#[derive(Debug, Clone)]
pub enum Question {
    /// May this action run?
    Confirmation {
        /// The action.
        request: Box<ConfirmationRequest>,
        /// The step that wants it, as people call it.
        asked_by: Option<String>,
    },
    /// What did you mean?
    Clarification {
        /// The task that asks.
        task_id: String,
        /// Its questions.
        request: ClarificationRequest,
    },
}

/// What an answer needs.
pub struct Open<'a> {
    /// Makes calls.
    pub client: &'a mut Client,
    /// The daemon.
    pub daemon: &'a Daemon,
}

/// What became of an answer.
#[derive(Debug)]
pub enum Answered {
    /// The daemon has it.
    Taken,
    /// It was none: show these lines and wait for another.
    Again(Vec<Line>),
    /// The daemon does not take it; the question is no longer open to this person.
    Failed(Failure),
}

/// What a person may press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// This once.
    Yes,
    /// This kind for this task.
    Task,
    /// No.
    No,
    /// Tell me more.
    Details,
}

impl Key {
    /// The key that a line means; an empty line means nothing, so that a stray return approves and denies nothing.
    pub fn read(line: &str) -> Option<Self> {
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => Some(Self::Yes),
            "t" | "task" => Some(Self::Task),
            "n" | "no" => Some(Self::No),
            "d" | "details" => Some(Self::Details),
            _ => None,
        }
    }
}

impl Question {
    /// The question whether an action may run.
    pub fn confirmation(request: ConfirmationRequest, asked_by: Option<String>) -> Self {
        Self::Confirmation { request: Box::new(request), asked_by }
    }

    /// The questions of a task about its request.
    pub fn clarification(task_id: &str, request: ClarificationRequest) -> Self {
        Self::Clarification { task_id: task_id.to_owned(), request }
    }

    /// Whether it is the question about this action.
    pub fn is_about(&self, confirmation_id: &str) -> bool {
        matches!(self, Self::Confirmation { request, .. } if request.confirmation_id == confirmation_id)
    }

    /// Whether it is about the request.
    pub fn is_clarification(&self) -> bool {
        matches!(self, Self::Clarification { .. })
    }

    /// The question as lines.
    pub fn lines(&self, width: usize) -> Vec<Line> {
        match self {
            Self::Confirmation { request, asked_by } => {
                question::confirmation(request, asked_by.as_deref(), width)
            }
            Self::Clarification { request, .. } => question::clarification(request, width),
        }
    }

    /// What counts as the answer when nobody can type one: no for an action, nothing for a question.
    pub fn default_answer(&self) -> &'static str {
        match self {
            Self::Confirmation { .. } => "n",
            Self::Clarification { .. } => "",
        }
    }

    /// Gives the daemon the answer that a line means.
    pub async fn answer(&self, line: &str, open: Open<'_>, width: usize) -> Answered {
        match self {
            Self::Clarification { task_id, .. } => {
                let request =
                    AnswerClarificationRequest { task_id: task_id.clone(), answer: line.trim().to_owned() };
                match open.client.answer_clarification(request).await {
                    Ok(_) => Answered::Taken,
                    Err(status) => Answered::Failed(open.daemon.failure(status)),
                }
            }
            Self::Confirmation { request, .. } => match Key::read(line) {
                None => Answered::Again(vec![
                    Line::plain("      ").add(Tone::Warn, "press y, t, n or d, then return"),
                ]),
                Some(Key::Task) if !request.rememberable => Answered::Again(vec![question::no_kind()]),
                Some(Key::Details) => Answered::Again(question::details(request, width)),
                Some(key) => {
                    match resolve(open, &request.confirmation_id, key != Key::No, key == Key::Task).await {
                        Ok(_) => Answered::Taken,
                        Err(failure) => Answered::Failed(failure),
                    }
                }
            },
        }
    }
}

/// Resolves a confirmation, with the token that proves that this account answers, and returns the task.
///
/// # Errors
/// When the token cannot be read, or the daemon does not take the answer.
pub async fn resolve(
    open: Open<'_>,
    confirmation_id: &str,
    approved: bool,
    remember_for_task: bool,
) -> Result<Task, Failure> {
    let request = ResolveConfirmationRequest {
        confirmation_id: confirmation_id.to_owned(),
        approved,
        token: token(&open.daemon.places)?,
        remember_for_task,
    };
    let response = open.client.resolve_confirmation(request).await;
    let response = response.map_err(|status| open.daemon.failure(status))?;
    Ok(response.into_inner().task.unwrap_or_default())
}

/// What proves that this account answers.
///
/// # Errors
/// When it cannot be read.
pub fn token(places: &Places) -> Result<String, Failure> {
    let path = places.token();
    let token = std::fs::read_to_string(&path).map_err(|error| {
        Failure::Local(format!("{} cannot be read ({error}): see artoo doctor", short(&path)))
    })?;
    Ok(token.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn only_a_clear_word_approves() {
        for (line, key) in [
            ("y", Some(Key::Yes)),
            (" YES ", Some(Key::Yes)),
            ("t", Some(Key::Task)),
            ("n", Some(Key::No)),
            ("d", Some(Key::Details)),
            ("", None),
            ("\u{1b}y", None),
            ("yy", None),
            ("y n", None),
        ] {
            assert_eq!(Key::read(line), key, "{line:?}");
        }
    }
}
