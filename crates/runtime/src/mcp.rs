//! What the daemon does about events of MCP servers: changes of what they offer are journaled and audited, and what a
//! person should look into is raised.

use std::sync::Arc;

use artoo_mcp::{McpEvent, Observer, ToolDifference};
use artoo_types::Message;
use artoo_types::envelope::Role;
use artoo_types::operator::{McpChange, McpStep};

use crate::health::{Concern, Health};
use crate::system::SystemBus;

/// Who hears of the servers' events.
pub fn observer(system: SystemBus, health: Health) -> Observer {
    Arc::new(move |event| hear(&system, &health, event))
}

fn hear(system: &SystemBus, health: &Health, event: McpEvent) {
    match event {
        McpEvent::Up { server, is_held } => {
            health.clear(&Concern::McpDown(server.clone()));
            if !is_held {
                health.clear(&Concern::McpHeld(server));
            }
        }
        McpEvent::Down { server, why } => {
            let what = format!(
                "the MCP server {server} does not run: {why}. Look at mcp.servers.{server} in \
                 config.toml, or set enabled = false there"
            );
            health.raise(Concern::McpDown(server), what);
        }
        McpEvent::Pinned { server, tools } => {
            publish(system, Role::Runtime, McpChange { server, step: McpStep::FirstSeen, tools });
        }
        McpEvent::Held { server, differences } => {
            let tools: Vec<String> = told(&differences);
            let what = format!(
                "the MCP server {server} is held, because it offers something else than was agreed to ({}): look at it \
                 with artoo mcp list, and agree with artoo mcp approve {server}",
                tools.join(", ")
            );
            health.raise(Concern::McpHeld(server.clone()), what);
            publish(system, Role::Runtime, McpChange { server, step: McpStep::Held, tools });
        }
        McpEvent::Approved { server, differences } => {
            health.clear(&Concern::McpHeld(server.clone()));
            let tools = told(&differences);
            publish(system, Role::Operator, McpChange { server, step: McpStep::Approved, tools });
        }
    }
}

fn told(differences: &std::collections::BTreeMap<String, ToolDifference>) -> Vec<String> {
    let line = |(tool, difference): (&String, &ToolDifference)| {
        format!("{}: {}", artoo_types::text::escape(tool), difference.as_str())
    };
    differences.iter().map(line).collect()
}

fn publish(system: &SystemBus, from: Role, change: McpChange) {
    let to = if from == Role::Operator { Role::Runtime } else { Role::Operator };
    if let Err(error) = system.publish(from, to, Message::McpChange(change)) {
        tracing::warn!(%error, "a change of an MCP server could not be journaled");
    }
}
