//! One call of a server's tool: what it would do, and carrying it out.

use std::time::Duration;

use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::taint::Taint;
use rmcp::model::CallToolRequestParams;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{McpTool, result};
use artoo_types::tool::canonical_arguments;
use crate::judge::Gate;
use artoo_types::tool::CallOutcome;
use crate::stop::StopSignal;
use crate::toolbox::CallFacts;
use artoo_types::text::escape;

/// Characters of arguments that stand for the target of a call; longer ones are told apart by a digest.
const MAX_TARGET_CHARS: usize = 200;
/// Hex digits of a description's digest in a question.
const SHOWN_DIGITS: usize = 12;

/// A call with its arguments read.
#[derive(Clone)]
pub(crate) struct McpCall {
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

impl McpCall {
    /// Reads a call.
    ///
    /// # Errors
    /// What is wrong with the arguments, and what to give instead.
    pub(crate) fn read(tool: McpTool, arguments: &str) -> Result<Self, String> {
        let text = if arguments.trim().is_empty() { "{}" } else { arguments };
        let (name, signature) = (&tool.described.offered, &tool.described.signature);
        match serde_json::from_str(text) {
            Ok(arguments) => Ok(Self { tool, arguments, spelled: canonical_arguments(text) }),
            Err(error) => Err(format!(
                "the arguments of {name} are not a JSON object ({error}); give an object {signature}"
            )),
        }
    }

    /// The arguments as they are compared and looked through.
    pub(crate) fn spelled(&self) -> &str {
        &self.spelled
    }

    /// What is known of it before it runs.
    pub(crate) fn facts(&self) -> CallFacts {
        let name = self.tool.described.offered.clone();
        let target = if self.spelled.chars().count() <= MAX_TARGET_CHARS {
            self.spelled.clone()
        } else {
            format!("arguments {}", hex::encode(Sha256::digest(self.spelled.as_bytes())))
        };
        CallFacts {
            classes: vec![name.clone()],
            blame: name,
            target,
            effect: self.effect(),
            changes: None,
            brings: Taint::UNTRUSTED,
        }
    }

    /// What the gate says: only what the operator calls reading runs unasked.
    pub(crate) fn gate(&self) -> Gate {
        let effect = self.effect();
        if effect == EffectClass::Read {
            return Gate::Free;
        }
        let (server, described) = (&self.tool.worker.server, &self.tool.described);
        let power = format!(
            "the MCP server {} has your full power: files, network and programs, whatever you can change or send",
            server.name
        );
        let what = if effect == EffectClass::Unknown {
            format!("nobody said what its tool {} does (mcp.servers.{}.effects)", described.tool, server.name)
        } else {
            format!("config.toml says that its tool {} is of the class {}", described.tool, effect.as_str())
        };
        let told = "it cannot be undone by artoo".to_owned();
        // The words that the tool was agreed to with are a part of what is asked about.
        let target = format!("mcp:{}:{}:{}", server.name, described.tool, &described.digest[..SHOWN_DIGITS]);
        Gate::Ask { effects: vec![effect], targets: vec![target], why: vec![power, what, told] }
    }

    /// The call as a person reads it, exactly.
    pub(crate) fn shown(&self) -> String {
        let arguments = serde_json::to_string_pretty(&self.arguments).unwrap_or_default();
        let (server, tool) = (&self.tool.worker.server.name, escape(&self.tool.described.tool));
        format!("call the tool {tool} of the MCP server {server} with\n{}", escape(&arguments))
    }

    /// How long it may take, in milliseconds.
    pub(crate) fn timeout_ms(&self) -> u64 {
        u64::try_from(self.tool.worker.server.timeout.as_millis()).unwrap_or(u64::MAX)
    }

    /// Carries it out. A call that is stopped or late is taken back from the server, which may go on with it all the same.
    pub(crate) async fn run(self, timeout: Duration, mut stop: StopSignal) -> CallOutcome {
        let worker = self.tool.worker.clone();
        let name = worker.server.name.clone();
        tokio::select! {
            biased;
            () = stop.stopped() => CallOutcome::ended(
                CallEnd::Cancelled,
                format!("the MCP server {name} was told to stop the call; whether it did cannot be seen"),
            ),
            produced = self.carry_out() => {
                worker.note(true);
                produced
            }
            () = tokio::time::sleep(timeout) => {
                worker.note(false);
                CallOutcome::ended(
                    CallEnd::Timeout,
                    format!("the MCP server {name} did not answer within {} ms", timeout.as_millis()),
                )
            }
        }
    }

    async fn carry_out(self) -> CallOutcome {
        let McpTool { worker, described } = self.tool;
        let Ok(_place) = worker.calls.acquire().await else {
            return CallOutcome::ended(
                CallEnd::Error,
                format!("the MCP server {} is stopped", worker.server.name),
            );
        };
        let peer = match worker.ready(&described).await {
            Ok(peer) => peer,
            Err(why) => return CallOutcome::ended(CallEnd::Error, why),
        };
        let request = CallToolRequestParams::new(described.tool).with_arguments(self.arguments);
        match peer.call_tool_once(request).await {
            Ok(response) => result::produced(response),
            Err(error) => result::not_answered(&worker.server.name, &error),
        }
    }

    fn effect(&self) -> EffectClass {
        self.tool.worker.server.effect(&self.tool.described.tool)
    }
}
