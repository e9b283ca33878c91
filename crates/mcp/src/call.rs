//! One call of a server's tool: what it would do, and carrying it out.

use std::sync::Arc;
use std::time::Duration;

use artoo_types::evidence::{CallEnd, EffectClass};
use rmcp::model::CallToolRequestParams;
use rmcp::service::ServiceError;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{McpTool, offerings, result, session};
use artoo_command::stop::StopSignal;
use artoo_types::text::escape;
use artoo_types::tool::{CallOutcome, CallRefusal, canonical_arguments};

/// Characters of arguments that stand for the target of a call; longer ones are told apart by a digest.
const MAX_TARGET_CHARS: usize = 200;
/// Hex digits of a description's digest in a question.
const SHOWN_DIGITS: usize = 12;

/// A call with its arguments read.
#[derive(Clone)]
pub struct McpCall {
    tool: McpTool,
    arguments: Map<String, Value>,
    /// The one spelling of the arguments.
    spelled: String,
}

impl std::fmt::Debug for McpCall {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("McpCall").field(&self.tool.described.offered).field(&self.arguments).finish()
    }
}

/// A call that was not answered in time.
fn late(server: &str, within: Duration) -> CallOutcome {
    let ms = within.as_millis();
    CallOutcome::ended(
        CallEnd::Timeout,
        format!(
            "the MCP server {server} neither answered nor told of progress within {ms} ms, and may still be at work: give it \
             more time with mcp.servers.{server}.timeout_ms"
        ),
    )
}

impl McpCall {
    /// Reads a call.
    ///
    /// # Errors
    /// What is wrong with the arguments, and what to give instead.
    pub fn read(tool: McpTool, arguments: &str) -> Result<Self, CallRefusal> {
        let text = if arguments.trim().is_empty() { "{}" } else { arguments };
        let (name, signature) = (&tool.described.offered, &tool.described.signature);
        match serde_json::from_str(text) {
            Ok(arguments) => Ok(Self { tool, arguments, spelled: canonical_arguments(text) }),
            Err(error) => Err(CallRefusal(format!(
                "the arguments of {name} are not a JSON object ({error}); give an object {signature}"
            ))),
        }
    }

    /// The arguments as they are compared and looked through.
    pub fn spelled(&self) -> &str {
        &self.spelled
    }

    /// Its name for models, which is also its class.
    pub fn name(&self) -> &str {
        &self.tool.described.offered
    }

    /// What stands for the target of the call.
    pub fn target(&self) -> String {
        if self.spelled.chars().count() <= MAX_TARGET_CHARS {
            self.spelled.clone()
        } else {
            format!("arguments {}", hex::encode(Sha256::digest(self.spelled.as_bytes())))
        }
    }

    /// What the operator says that it does: only what the operator calls reading may run unasked.
    pub fn effect(&self) -> EffectClass {
        self.tool.worker.server.effect(&self.tool.described.tool)
    }

    /// What a question names: the words that the tool was agreed to with are a part of it.
    pub fn pinned_as(&self) -> String {
        let (server, described) = (&self.tool.worker.server, &self.tool.described);
        format!("mcp:{}:{}:{}", server.name, described.tool, &described.digest[..SHOWN_DIGITS])
    }

    /// Why a person is asked about it.
    pub fn reasons(&self) -> Vec<String> {
        let (server, described, effect) = (&self.tool.worker.server, &self.tool.described, self.effect());
        let power = format!(
            "the MCP server {} has your full power: files, network and programs, whatever you can change or send",
            server.name
        );
        let what = if effect == EffectClass::Unknown {
            format!("nobody said what its tool {} does (mcp.servers.{}.effects)", described.tool, server.name)
        } else {
            format!("config.toml says that its tool {} is of the class {}", described.tool, effect.as_str())
        };
        vec![power, what, "it cannot be undone by artoo".to_owned()]
    }

    /// The call as a person reads it, exactly.
    pub fn shown(&self) -> String {
        let arguments = serde_json::to_string_pretty(&self.arguments).unwrap_or_default();
        let (server, tool) = (&self.tool.worker.server.name, escape(&self.tool.described.tool));
        format!("call the tool {tool} of the MCP server {server} with\n{}", escape(&arguments))
    }

    /// Carries it out within `longest`; a server that tells of no progress has its own `timeout_ms`. A call that is stopped or
    /// late is taken back from the server, which may go on with it all the same.
    pub async fn run(self, longest: Duration, mut stop: StopSignal) -> CallOutcome {
        let name = self.tool.worker.server.name.clone();
        tokio::select! {
            biased;
            () = stop.stopped() => CallOutcome::ended(
                CallEnd::Cancelled,
                format!("the MCP server {name} was told to stop the call; whether it did cannot be seen"),
            ),
            produced = self.carry_out(longest) => produced,
            () = tokio::time::sleep(longest) => late(&name, longest),
        }
    }

    async fn carry_out(self, longest: Duration) -> CallOutcome {
        let McpTool { worker, described } = self.tool;
        let Ok(_place) = worker.calls.acquire().await else {
            return CallOutcome::ended(
                CallEnd::Error,
                format!("the MCP server {} is stopped", worker.server.name),
            );
        };
        let peer = match worker.ready(&described).await {
            Ok(peer) => peer,
            Err(refusal) => return CallOutcome::ended(CallEnd::Error, refusal.0),
        };
        let patience = worker.server.timeout.min(longest);
        let answered = if described.method.is_tool() {
            let params = CallToolRequestParams::new(described.tool).with_arguments(self.arguments);
            session::call(&peer, params, patience).await.map(result::produced)
        } else {
            offerings::call(&peer, described.method, self.arguments, patience).await
        };
        match answered {
            Ok(outcome) => outcome,
            Err(ServiceError::Timeout { .. }) => {
                let outcome = late(&worker.server.name, patience);
                tokio::spawn(Arc::clone(&worker).doubt(peer));
                outcome
            }
            Err(error) => result::not_answered(&worker.server.name, &error),
        }
    }
}
