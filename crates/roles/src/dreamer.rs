//! R5 Dreamer: finds the words for what experience comes to; code decides what that is.
//! Receives   the evidence of one tag, the story of one ended task; model replies
//! Produces   the words of a rule, a lesson
//! May        ask a model, once more when the reply is lost and once to repair it
//! Does NOT   choose what becomes a rule or its sign, weigh memories, write memories, run while a task waits

use artoo_redact::sanitise::sanitise;
use artoo_types::chat::{ChatRequest, ModelOutcome};
use serde::de::DeserializeOwned;

use crate::ask::{Asker, ReplyOutcome};
use crate::prompt::Prompt;

pub mod lesson;
pub mod rule;
pub mod story;
#[cfg(test)]
mod tests;

/// How long one call of the Dreamer may take, in milliseconds: nobody waits for it, but the next question does.
pub const DREAM_CALL_MS: u64 = 60_000;

/// What the Dreamer can do.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "an effect is moved once and stored nowhere")]
pub enum Effect<T> {
    /// Ask a model.
    AskModel(ChatRequest),
    /// This is what it comes to.
    Conclude(T),
}

/// How the redactor marks what it took out of a reply.
const REDACTED: &str = "[redacted: ";

/// The text on one line, if it says something within `most` characters, hides nothing and holds no secret.
///
/// # Errors
/// What is wrong with it, in words for the model that wrote it.
fn one_plain_line(what: &str, text: &str, most: usize) -> Result<String, String> {
    let text = text.trim();
    let length = text.chars().count();
    if text.is_empty() {
        Err(format!("`{what}` is empty"))
    } else if length > most {
        Err(format!("`{what}` has {length} characters; at most {most} are allowed"))
    } else if text.contains(['\n', '\r']) || sanitise(text).removed > 0 {
        Err(format!("`{what}` has to be one line of plain text"))
    } else if text.contains(REDACTED) {
        Err(format!("`{what}` repeats a secret; say it without"))
    } else {
        Ok(text.to_owned())
    }
}

/// One question whose reply has to pass a check beyond its form.
#[derive(Debug, Clone)]
struct CheckedAsker {
    asker: Asker,
}

/// What became of the question.
enum CheckedOutcome<T> {
    Checked(T),
    AskAgain(ChatRequest),
    Nothing,
}

impl CheckedAsker {
    fn ask(&mut self, prompt: impl Prompt) -> ChatRequest {
        in_time(self.asker.ask(prompt))
    }

    /// Reads the reply and checks it; a bad one is sent back once, whatever was wrong with it.
    fn hear<R: DeserializeOwned, T>(
        &mut self,
        outcome: ModelOutcome,
        check: impl FnOnce(R) -> Result<T, String>,
    ) -> CheckedOutcome<T> {
        let said = match &outcome {
            ModelOutcome::Reply(reply) => reply.content.clone(),
            ModelOutcome::Failure(_) => String::new(),
        };
        match self.asker.read::<R>(outcome) {
            ReplyOutcome::AskAgain(request) => CheckedOutcome::AskAgain(in_time(request)),
            ReplyOutcome::Failed(_) => CheckedOutcome::Nothing,
            ReplyOutcome::Reply(reply) => match check(reply) {
                Ok(checked) => CheckedOutcome::Checked(checked),
                Err(what_is_wrong) => match self.asker.repair(&said, &what_is_wrong) {
                    Some(request) => CheckedOutcome::AskAgain(in_time(request)),
                    None => CheckedOutcome::Nothing,
                },
            },
        }
    }
}

fn in_time(request: ChatRequest) -> ChatRequest {
    ChatRequest { deadline_ms: DREAM_CALL_MS, ..request }
}
