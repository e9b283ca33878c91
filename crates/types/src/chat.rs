//! Requests to a language model and what comes back, as values that the journal keeps.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::brief::Brief;
use crate::evidence::ShownImage;
use crate::reply::SchemaName;
use crate::role::Role;
use crate::tool::ToolSpec;

/// Which configured model answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// R1, R2, R4b and the Dreamer.
    Brain,
    /// R3 and R4a.
    Tool,
}

/// Who speaks in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The role's standing instructions.
    System,
    /// The request.
    User,
    /// The model.
    Assistant,
}

/// One chat message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub speaker: Speaker,
    /// The text.
    pub content: String,
}

/// A picture that goes with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatImage {
    /// The receipt that shows it.
    pub receipt: crate::EvidenceId,
    /// Where it is stored.
    #[serde(flatten)]
    pub shown: ShownImage,
    /// Its bytes in Base64, once it is sent; none where it is stored no more.
    #[serde(skip)]
    pub data: Option<Arc<str>>,
}

/// One request to a model. Atomic to the role that asks. Two are equal when their journaled parts are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The role that asks.
    pub role: Role,
    /// Which model answers.
    pub tier: Tier,
    /// System, user, and on a repair the bad reply and what is wrong with it.
    pub messages: Vec<ChatMessage>,
    /// The shape of the reply.
    pub schema: SchemaName,
    /// Tools to offer natively, when the provider is configured for that; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub native_tools: Vec<ToolSpec>,
    /// Pictures for the first user message, in the order of their receipts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ChatImage>,
    /// Deadline of the whole call with its retries, in milliseconds.
    pub deadline_ms: u64,
    /// What is asked, as values. None in what was read from a journal: no call is made from there.
    #[serde(skip)]
    pub brief: Option<Arc<Brief>>,
    /// Where parts of the first user message end, in bytes, that the next question of this attempt begins with as well, in
    /// order: a server that is told need not read them again. Not journaled, as the brief is not.
    #[serde(skip)]
    pub steady: Vec<usize>,
}

impl PartialEq for ChatRequest {
    fn eq(&self, other: &Self) -> bool {
        let Self { role, tier, messages, schema, native_tools, images, deadline_ms, brief: _, steady: _ } =
            self;
        (*role, *tier, *schema, *deadline_ms) == (other.role, other.tier, other.schema, other.deadline_ms)
            && *messages == other.messages
            && *native_tools == other.native_tools
            && *images == other.images
    }
}

impl Eq for ChatRequest {}

/// Tokens; what a server does not report is absent, not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<u64>,
    /// Those of them that came from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<u64>,
    /// Those of them that were reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Tokens of what the server does not report, by its bytes; the cost counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<u64>,
    /// What the call cost, in billionths of a dollar, where the price of the model is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_nanousd: Option<u64>,
}

/// A tool call in the provider's own form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeToolCall {
    /// The tool.
    pub name: String,
    /// JSON text.
    pub arguments: String,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChatReply {
    /// The text, verbatim.
    pub content: String,
    /// Native tool calls, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<NativeToolCall>,
    /// Why it stopped, as the server says; absent when it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Tokens.
    #[serde(default)]
    pub usage: Usage,
    /// The model that answered, as the server names it.
    #[serde(default)]
    pub model: String,
    /// HTTP attempts, 1 without a retry.
    #[serde(default)]
    pub attempts: u32,
    /// How long the call took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
}

/// Why a model call came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelFailureKind {
    /// Nobody answers at the address, or the account may not use it: no call can succeed.
    Unreachable,
    /// It answered too late.
    Deadline,
    /// It kept failing or refused this request.
    Failed,
    /// It is loading, overloaded, or counts calls: the same call succeeds later.
    Busy,
    /// It refuses this request, and would refuse it again.
    Refused,
    /// Nobody answers at the address, or nothing but failures come from there. Whoever was answered before waits.
    Lost,
}

/// A model call that came to nothing. Environmental, never blamed on a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFailure {
    /// What kind.
    pub kind: ModelFailureKind,
    /// In words that say what to do.
    pub message: String,
    /// HTTP attempts.
    #[serde(default)]
    pub attempts: u32,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
    /// How long the server asks to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// The end of a model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelOutcome {
    /// It answered.
    Reply(ChatReply),
    /// It did not.
    Failure(ModelFailure),
}

/// A model call begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCallStarted {
    /// Ordinal of the call within the task, from 1.
    pub call: u64,
    /// Who asks.
    pub role: Role,
    /// For which subtask, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask_id: Option<crate::SubtaskId>,
    /// Characters of the prompt.
    pub prompt_chars: usize,
    /// Whether it repairs the form of an earlier reply.
    #[serde(default)]
    pub repair: bool,
}

/// A model call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCallFinished {
    /// Ordinal of the call within the task.
    pub call: u64,
    /// Who asked.
    pub role: Role,
    /// For which subtask, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask_id: Option<crate::SubtaskId>,
    /// The model that answered; empty when none did.
    pub model: String,
    /// Tokens.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// HTTP attempts.
    pub attempts: u32,
    /// Set when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Set when the task waits for the model and asks again then, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_in_ms: Option<u64>,
}
