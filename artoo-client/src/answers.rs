//! Questions of a task to the person, and what becomes of an answer.

use std::io::Write as _;

use artoo_protocol::v1::{
    AnswerClarificationRequest, ClarificationRequest, ConfirmationRequest, ResolveConfirmationRequest, Task,
};

use crate::connection::{Client, DaemonConnector};
use crate::exit::Failure;
use crate::keyboard::{Keyboard, UserInput};
use crate::paths::{ClientPaths, short};
use crate::render::text::one_line;
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone, question};
use crate::repl::activity::Asked;

/// A question that waits.
#[derive(Debug, Clone)]
pub enum OpenQuestion {
    /// May this action run?
    Confirmation {
        /// The action.
        request: Box<ConfirmationRequest>,
        /// Whether the person has seen all of it.
        viewed: bool,
    },
    /// What did you mean?
    Clarification {
        /// The task that asks.
        task_id: String,
        /// Its questions.
        request: ClarificationRequest,
    },
}

/// What became of an answer.
#[derive(Debug)]
pub enum AnswerOutcome {
    /// The daemon has it.
    Accepted,
    /// It was none: show these lines and wait for another.
    AskAgain(Vec<Line>),
    /// The daemon does not take it; the question is no longer open to this person.
    Refused(Failure),
}

/// What a person may press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKey {
    /// This once.
    Yes,
    /// This kind for the rest of this task.
    All,
    /// No.
    No,
    /// Everything about it.
    View,
    /// What the keys mean.
    Help,
}

impl AnswerKey {
    /// The key that a line means; an empty line means nothing, so that a stray return approves and denies nothing.
    pub fn read(line: &str) -> Option<Self> {
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" | "是" | "同意" => Some(Self::Yes),
            "a" | "all" | "全部同意" => Some(Self::All),
            "n" | "no" | "否" | "不同意" => Some(Self::No),
            "v" | "view" | "查看" => Some(Self::View),
            "?" => Some(Self::Help),
            _ => None,
        }
    }
}

impl OpenQuestion {
    /// The question whether an action may run.
    pub fn confirmation(request: ConfirmationRequest) -> Self {
        Self::Confirmation { request: Box::new(request), viewed: false }
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
    pub fn lines(&self, language: Language, width: usize) -> Vec<Line> {
        match self {
            Self::Confirmation { request, .. } => question::confirmation(request, language, width),
            Self::Clarification { request, .. } => question::clarification(request, language, width),
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
    pub async fn answer(
        &mut self,
        line: &str,
        (daemon, client): (&DaemonConnector, &mut Client),
        language: Language,
        width: usize,
    ) -> AnswerOutcome {
        let (request, viewed) = match self {
            Self::Clarification { task_id, .. } => {
                let request =
                    AnswerClarificationRequest { task_id: task_id.clone(), answer: line.trim().to_owned() };
                return AnswerOutcome::of(daemon.answer(client.answer_clarification(request).await));
            }
            Self::Confirmation { request, viewed } => (request, viewed),
        };
        let warn = |phrase| vec![Line::plain("  ").add(Tone::Warn, language.say(phrase))];
        match AnswerKey::read(line) {
            None => AnswerOutcome::AskAgain(warn(Phrase::PressKey)),
            Some(AnswerKey::All) if !request.rememberable => AnswerOutcome::AskAgain(warn(Phrase::NoKind)),
            Some(AnswerKey::Help) => AnswerOutcome::AskAgain(question::help(request, language, width)),
            // Nobody agrees to what they have not seen.
            Some(AnswerKey::Yes | AnswerKey::All) if !*viewed && question::hides(request, width) => {
                *viewed = true;
                AnswerOutcome::AskAgain(question::details(request, language, width))
            }
            Some(AnswerKey::View) => {
                *viewed = true;
                AnswerOutcome::AskAgain(question::details(request, language, width))
            }
            Some(key) => {
                let (approved, for_task) = (key != AnswerKey::No, key == AnswerKey::All);
                AnswerOutcome::of(resolve(daemon, client, &request.confirmation_id, approved, for_task).await)
            }
        }
    }
}

impl AnswerOutcome {
    fn of<T>(answer: Result<T, Failure>) -> Self {
        match answer {
            Ok(_) => Self::Accepted,
            Err(failure) => Self::Refused(failure),
        }
    }
}

/// Resolves a confirmation, with the token that proves that this account answers, and returns the task.
///
/// # Errors
/// When the token cannot be read, or the daemon does not take the answer.
pub async fn resolve(
    daemon: &DaemonConnector,
    client: &mut Client,
    confirmation_id: &str,
    approved: bool,
    remember_for_task: bool,
) -> Result<Task, Failure> {
    let request = ResolveConfirmationRequest {
        confirmation_id: confirmation_id.to_owned(),
        approved,
        token: token(&daemon.paths)?,
        remember_for_task,
    };
    let response = daemon.answer(client.resolve_confirmation(request).await)?;
    Ok(response.task.unwrap_or_default())
}

/// What proves that this account answers.
///
/// # Errors
/// When it cannot be read.
pub fn token(paths: &ClientPaths) -> Result<String, Failure> {
    let path = paths.token();
    let token = std::fs::read_to_string(&path).map_err(|error| {
        Failure::Local(format!("{} cannot be read ({error}): see artoo doctor", short(&path)))
    })?;
    Ok(token.trim().to_owned())
}

/// Asks the person at the terminal for a key; anything but a yes is a no.
///
/// # Errors
/// When nothing can be written, or read.
pub async fn yes(question: &str) -> Result<bool, Failure> {
    let mut out = std::io::stdout();
    write!(out, "{question}")?;
    out.flush()?;
    let mut keyboard = Keyboard::terminal()?;
    keyboard.ask(Asked::Key);
    let answer = keyboard.next(true).await;
    keyboard.ask(Asked::Nothing);
    let agreed = matches!(&answer, UserInput::Line(key) if AnswerKey::read(key) == Some(AnswerKey::Yes));
    let key = match &answer {
        UserInput::Line(key) => one_line(key),
        UserInput::Interrupt | UserInput::End => String::new(),
    };
    // The terminal shows no key while one is asked for.
    writeln!(out, "{key}")?;
    Ok(agreed)
}

#[cfg(test)]
mod tests {
    use super::AnswerKey;

    #[test]
    fn only_a_clear_word_approves() {
        for (line, key) in [
            ("y", Some(AnswerKey::Yes)),
            (" YES ", Some(AnswerKey::Yes)),
            ("a", Some(AnswerKey::All)),
            ("n", Some(AnswerKey::No)),
            ("v", Some(AnswerKey::View)),
            ("?", Some(AnswerKey::Help)),
            ("同意", Some(AnswerKey::Yes)),
            (" 不同意 ", Some(AnswerKey::No)),
            ("不", None),
            ("t", None),
            ("", None),
            ("\u{1b}y", None),
            ("yy", None),
            ("y n", None),
        ] {
            assert_eq!(AnswerKey::read(line), key, "{line:?}");
        }
    }
}
