//! One question to a model, asked once more when the reply is lost, with at most one repair of the reply's form.

use std::sync::Arc;

use artoo_types::chat::{ChatMessage, ChatRequest, ModelFailureKind, ModelOutcome, Speaker, Tier};
use artoo_types::envelope::Role;
use artoo_types::limits::{MAX_PROMPT_CHARS, MODEL_CALL_MS};
use artoo_types::reply::SchemaName;
use artoo_types::text::head_tail;
use artoo_types::tool::ToolSpec;
use serde::de::DeserializeOwned;

use crate::extract::parse_reply;
use crate::prompt::Prompt;

/// Asks for one role and one shape.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    role: Role,
    tier: Tier,
    schema: SchemaName,
    system: &'static str,
    open: Option<ChatRequest>,
    repaired: bool,
    asked_again: bool,
}

/// What became of a question.
#[derive(Debug)]
pub(crate) enum Heard<T> {
    /// A reply of the right shape.
    Reply(T),
    /// The form was wrong; this request repairs it.
    AskAgain(ChatRequest),
    /// No usable reply.
    Failed(AskFailed),
}

/// Why there is no usable reply. Always environmental.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskFailed {
    /// No model can be reached at all, as opposed to this call having failed.
    pub(crate) unreachable: bool,
    /// In words.
    pub(crate) message: String,
}

impl Asker {
    pub(crate) fn new(role: Role, tier: Tier, schema: SchemaName, system: &'static str) -> Self {
        Self { role, tier, schema, system, open: None, repaired: false, asked_again: false }
    }

    /// The request for a new question. A prompt over the bound is cut in the middle, which the cut itself says.
    pub(crate) fn ask(&mut self, prompt: impl Prompt) -> ChatRequest {
        self.ask_with_tools(prompt, Vec::new())
    }

    /// As [`Self::ask`], offering tools natively.
    pub(crate) fn ask_with_tools(&mut self, prompt: impl Prompt, native_tools: Vec<ToolSpec>) -> ChatRequest {
        let room = MAX_PROMPT_CHARS.saturating_sub(self.system.len());
        let user = head_tail(&prompt.user_message(), room);
        let request = ChatRequest {
            role: self.role,
            tier: self.tier,
            messages: vec![
                ChatMessage { speaker: Speaker::System, content: self.system.to_owned() },
                ChatMessage { speaker: Speaker::User, content: user },
            ],
            schema: self.schema,
            native_tools,
            deadline_ms: MODEL_CALL_MS,
            brief: Some(Arc::new(prompt.into_brief())),
        };
        self.open = Some(request.clone());
        self.repaired = false;
        self.asked_again = false;
        request
    }

    /// Reads the outcome. A reply of the wrong form gets one repair call that quotes what is wrong; a second one is a
    /// failure of the model's contract.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, outcome: ModelOutcome) -> Heard<T> {
        let reply = match outcome {
            ModelOutcome::Failure(failure) => {
                // One lost reply is no reason to give up; when the time is gone or nobody is there, it is.
                if let Some(request) = self
                    .open
                    .clone()
                    .filter(|_| failure.kind == ModelFailureKind::Failed && !self.asked_again)
                {
                    self.asked_again = true;
                    return Heard::AskAgain(request);
                }
                return Heard::Failed(AskFailed {
                    unreachable: failure.kind == ModelFailureKind::Unreachable,
                    message: failure.message,
                });
            }
            ModelOutcome::Reply(reply) => reply,
        };
        match parse_reply(&reply) {
            Ok(value) => Heard::Reply(value),
            Err(rejected) => match self.repair(&reply.content, &rejected.to_string()) {
                Some(request) => Heard::AskAgain(request),
                None => Heard::Failed(AskFailed {
                    unreachable: false,
                    message: format!("the model did not answer in the required form, twice: {rejected}"),
                }),
            },
        }
    }

    /// The request that repairs the open question, once, whatever was wrong with its reply.
    pub(crate) fn repair(&mut self, bad_reply: &str, what_is_wrong: &str) -> Option<ChatRequest> {
        let mut request = self.open.clone().filter(|_| !self.repaired)?;
        self.repaired = true;
        request.messages.push(ChatMessage {
            speaker: Speaker::Assistant,
            // The bad reply is quoted so far that the model knows it again.
            content: head_tail(bad_reply, 2_000),
        });
        request.messages.push(ChatMessage {
            speaker: Speaker::User,
            content: format!(
                "Your reply was not accepted: {what_is_wrong}. Answer again with exactly one JSON object of the \
                 required shape and nothing else."
            ),
        });
        Some(request)
    }
}

#[cfg(test)]
mod tests;
