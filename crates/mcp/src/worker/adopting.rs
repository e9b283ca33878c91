//! What a server says of its tools, taken over: described, pinned when it is seen for the first time, compared with its pins.

use std::collections::BTreeMap;
use std::time::Instant;

use rmcp::RoleClient;
use rmcp::model::Tool;
use rmcp::service::{Peer, RunningServiceCancellationToken};

use super::{ServerPhase, TELL_EVERY, Worker, is_held};
use crate::McpEvent;
use crate::described::{CallMethod, DescribedTool, describe};
use crate::pins::{PinnedTools, differences};
use crate::session::MAX_TOOLS;

impl Worker {
    /// Takes over what the server says of its tools, and what stands for the rest that it offers; pins it when the server is
    /// seen for the first time.
    pub(super) fn adopt(
        &self,
        tools: &[Tool],
        added: &[(Tool, CallMethod)],
        connection: Option<(Peer<RoleClient>, RunningServiceCancellationToken)>,
    ) {
        let name = &self.server.name;
        let (mut seen, unfit) = self.describe(tools);
        for (tool, method) in added.iter().filter(|(tool, _)| self.server.wants(&tool.name)) {
            // A tool of the server's own that has the name goes first.
            let is_free = seen.iter().all(|known| known.tool != tool.name);
            match describe(name, tool, &self.surroundings.redactor) {
                Ok(described) if is_free => seen.push(DescribedTool { method: *method, ..described }),
                Ok(_) | Err(_) => {}
            }
        }
        let mut events = Vec::new();
        let pinned = {
            let mut pins = self.pins.lock();
            match pins.of(name) {
                Some(pinned) => pinned,
                None => match pins.pin(name, &seen) {
                    Ok(pinned) => {
                        let tools = pinned.keys().cloned().collect();
                        events.push(McpEvent::Pinned { server: name.clone(), tools });
                        pinned
                    }
                    Err(error) => {
                        tracing::warn!(server = name, %error, "the tools of an MCP server cannot be pinned, so none is offered");
                        PinnedTools::new()
                    }
                },
            }
        };
        let differences = differences(&pinned, &seen);
        events.push(McpEvent::Up { server: name.clone(), is_held: is_held(&differences) });
        let mut state = self.state.lock();
        let is_new =
            state.told.as_ref().is_none_or(|(at, told)| *told != differences && at.elapsed() >= TELL_EVERY);
        if is_held(&differences) && is_new {
            state.told = Some((Instant::now(), differences.clone()));
            events.push(McpEvent::Held { server: name.clone(), differences });
        }
        (state.pinned, state.seen, state.unfit) = (pinned, seen, unfit);
        state.is_doubtful = false;
        if let Some(connection) = connection {
            state.connection = Some(connection);
        }
        state.phase = ServerPhase::Ready;
        drop(state);
        self.turned.send_replace(());
        events.into_iter().for_each(|event| (self.observer)(event));
    }

    fn describe(&self, tools: &[Tool]) -> (Vec<DescribedTool>, BTreeMap<String, String>) {
        let mut seen: Vec<DescribedTool> = Vec::new();
        let mut unfit = BTreeMap::new();
        let wanted: Vec<&Tool> = tools.iter().filter(|tool| self.server.wants(&tool.name)).collect();
        let (taken, left) = wanted.split_at(wanted.len().min(MAX_TOOLS));
        if !left.is_empty() {
            let name = &self.server.name;
            let why = format!(
                "beyond the {MAX_TOOLS} that a server may have here: name those that you want in mcp.servers.{name}.tools"
            );
            tracing::warn!(server = name, more = left.len(), "an MCP server has more tools than are offered");
            unfit.insert(format!("{} more", left.len()), why);
        }
        for tool in taken {
            let described = describe(&self.server.name, tool, &self.surroundings.redactor);
            let why = match described {
                Ok(new) if seen.iter().any(|old| old.tool == new.tool || old.offered == new.offered) => {
                    "has the name of another one".to_owned()
                }
                Ok(new) => {
                    seen.push(new);
                    continue;
                }
                Err(why) => why,
            };
            let name = artoo_types::text::escape(&artoo_types::text::first_chars(&tool.name, 64));
            unfit.insert(name, why);
        }
        (seen, unfit)
    }
}
