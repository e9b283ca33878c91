//! Whether a server calls tools in its own form: it is asked once, with a call that costs some hundred tokens, after it has
//! answered for the first time. Some servers refuse tools, and some take them and never call one.

use std::sync::Arc;

use artoo_types::chat::{ChatMessage, ChatRequest, ModelFailureKind, ModelOutcome, Speaker, Tier};
use artoo_types::envelope::Role;
use artoo_types::reply::SchemaName;
use artoo_types::tool::ToolSpec;
use parking_lot::Mutex;

use super::call::Call;
use super::endpoint::Endpoint;
use crate::known::KnownServers;

/// The tool that is offered.
const TOOL: &str = "artoo_ready";
/// How often it is asked while no answer comes: trouble of the moment says nothing.
const MAX_ASKED: u32 = 3;
/// How long an answer may take. Nobody waits for it.
const PROBE_MS: u64 = 60_000;

/// What is found out of one model on one server.
#[derive(Debug)]
pub(super) struct ToolProbe {
    /// The server and the model.
    name: String,
    known: KnownServers,
    state: Mutex<ProbeState>,
}

#[derive(Debug, Clone, Copy)]
enum ProbeState {
    /// Nothing is known after so many questions.
    Unknown(u32),
    /// It is being asked.
    Asked,
    /// It does, or does not.
    Found(bool),
}

impl ToolProbe {
    /// What is known of the server of this name.
    pub(super) fn new(name: String, known: KnownServers) -> Self {
        let found = known.calls_tools(&name);
        let state = if found { ProbeState::Found(true) } else { ProbeState::Unknown(0) };
        Self { name, known, state: Mutex::new(state) }
    }

    /// Whether it calls tools; none if that is not known.
    pub(super) fn found(&self) -> Option<bool> {
        match *self.state.lock() {
            ProbeState::Found(found) => Some(found),
            ProbeState::Unknown(_) | ProbeState::Asked => None,
        }
    }

    /// Asks in the background, unless it is known or being asked.
    pub(super) fn ask_once(self: Arc<Self>, endpoint: &Arc<Endpoint>) {
        let asked = {
            let mut state = self.state.lock();
            let ProbeState::Unknown(asked @ 0..MAX_ASKED) = *state else { return };
            *state = ProbeState::Asked;
            asked + 1
        };
        let endpoint = Arc::clone(endpoint);
        tokio::spawn(async move {
            let request = question();
            let outcome = Call::new(&endpoint, &request, true).outcome(&request).await;
            *self.state.lock() = match found(&outcome) {
                Some(found) => {
                    tracing::debug!(server = self.name, found, "whether the model calls tools by itself");
                    self.known.note(&self.name, found);
                    ProbeState::Found(found)
                }
                None => ProbeState::Unknown(asked),
            };
        });
    }
}

/// What an outcome shows.
fn found(outcome: &ModelOutcome) -> Option<bool> {
    match outcome {
        ModelOutcome::Reply(reply) => Some(reply.tool_calls.iter().any(|call| call.name == TOOL)),
        ModelOutcome::Failure(failure) => match failure.kind {
            ModelFailureKind::Refused => Some(false),
            ModelFailureKind::Unreachable
            | ModelFailureKind::Lost
            | ModelFailureKind::Busy
            | ModelFailureKind::Deadline
            | ModelFailureKind::Failed => None,
        },
    }
}

fn question() -> ChatRequest {
    let message = |speaker, content: &str| ChatMessage { speaker, content: content.to_owned() };
    ChatRequest {
        role: Role::Executor,
        tier: Tier::Tool,
        messages: vec![
            message(Speaker::System, "You call tools."),
            message(Speaker::User, "Call the tool `artoo_ready` now, once, and say nothing."),
        ],
        schema: SchemaName::ExecutionResult,
        native_tools: vec![ToolSpec {
            name: TOOL.to_owned(),
            signature: "{}".to_owned(),
            purpose: "Says that you are ready.".to_owned(),
            schema: r#"{"type":"object","properties":{}}"#.to_owned(),
            reads: true,
        }],
        deadline_ms: PROBE_MS,
        brief: None,
        steady: Vec::new(),
        images: Vec::new(),
    }
}
