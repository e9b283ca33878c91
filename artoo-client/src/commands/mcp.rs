//! MCP servers: what they offer, and the operator's agreement to it.

use artoo_protocol::v1::{
    ApproveMcpServerRequest, ListMcpServersRequest, ListMcpServersResponse, McpServer, McpTool,
};
use artoo_protocol::words::{EffectClass, McpState, PinState};
use clap::Subcommand;

use crate::answers::token;
use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::render::{Line, Tone};

/// Commands of MCP servers.
#[derive(Debug, Clone, Subcommand)]
pub enum McpCommand {
    /// Servers with their state, their tools, and what is different from what was agreed to
    List,
    /// Show what a server offers differently now, and agree to it
    Approve {
        /// Its name in config.toml
        name: String,
    },
}

/// `artoo mcp ...`.
pub async fn run(console: &mut Console, command: McpCommand) -> Result<u8, Failure> {
    match command {
        McpCommand::List => list(console).await,
        McpCommand::Approve { name } => approve(console, name).await,
    }
}

async fn list(console: &mut Console) -> Result<u8, Failure> {
    let servers = servers(console).await?;
    console.print(&servers, |servers, look| lines(servers, look.width)).await?;
    Ok(DONE)
}

/// Shows what is different and agrees to exactly that.
async fn approve(console: &mut Console, name: String) -> Result<u8, Failure> {
    let servers = servers(console).await?.servers;
    let known = servers.iter().find(|server| server.name == name);
    if !console.json
        && let Some(server) = known
    {
        let mut shown = differences(server);
        if shown.is_empty() {
            shown.push(Line::plain("  nothing is different from what was agreed to"));
        }
        console.printer.lines(&shown).await?;
    }
    let digest = known.map(|server| server.digest.clone()).unwrap_or_default();
    let request = ApproveMcpServerRequest { name, digest, token: token(&console.daemon.paths)? };
    let server =
        console.daemon.answer(console.client.approve_mcp_server(request).await)?.server.unwrap_or_default();
    console.print(&server, |server, look| of_server(server, look.width)).await?;
    Ok(DONE)
}

async fn servers(console: &mut Console) -> Result<ListMcpServersResponse, Failure> {
    console.daemon.answer(console.client.list_mcp_servers(ListMcpServersRequest {}).await)
}

fn lines(response: &ListMcpServersResponse, width: usize) -> Vec<Line> {
    if response.servers.is_empty() {
        return vec![Line::plain("no MCP server is configured; [mcp.servers.NAME] in config.toml adds one")];
    }
    let all = |server: &McpServer| {
        let mut lines = of_server(server, width);
        lines.extend(differences(server));
        if server.state() == McpState::Held {
            let hint = format!("  artoo mcp approve {} agrees to that", server.name);
            lines.push(Line::new().foreign(Tone::Dim, &hint));
        }
        lines
    };
    response.servers.iter().flat_map(all).collect()
}

/// The server and its tools, one line each.
fn of_server(server: &McpServer, width: usize) -> Vec<Line> {
    let (mark, tone) = match server.state() {
        McpState::Ready => ("● ", Tone::Good),
        McpState::Down => ("✗ ", Tone::Bad),
        McpState::Held => ("! ", Tone::Warn),
        McpState::Starting | McpState::Stopped | McpState::Unknown(_) => ("· ", Tone::Dim),
    };
    let head = Line::new()
        .add(tone, mark)
        .foreign(Tone::Strong, &server.name)
        .foreign(tone, &format!("  {}", server.state))
        .foreign(Tone::Dim, &format!("  {}", server.transport));
    let mut lines = vec![head.fit(width)];
    if !server.why.is_empty() {
        lines.push(Line::plain("    ").foreign(Tone::Plain, &server.why));
    }
    lines.extend(server.tools.iter().map(|tool| of_tool(tool).fit(width)));
    lines
}

fn of_tool(tool: &McpTool) -> Line {
    let (mark, tone) = if tool.is_offered { ("✓ ", Tone::Good) } else { ("- ", Tone::Dim) };
    let asked = if tool.effect() == EffectClass::Read { "runs unasked" } else { "asks first" };
    let said = match tool.pin() {
        PinState::Pinned => format!("  {} · {asked}", tool.effect),
        PinState::Unfit => format!("  {}", tool.why),
        PinState::New | PinState::Changed | PinState::Gone | PinState::Unknown(_) => {
            format!("  {} · {}", tool.effect, tool.pin)
        }
    };
    let name = if tool.offered_as.is_empty() { &tool.name } else { &tool.offered_as };
    Line::plain("    ").add(tone, mark).foreign(Tone::Plain, name).foreign(Tone::Dim, &said)
}

/// What is not as it was agreed to: the old words and the new ones.
fn differences(server: &McpServer) -> Vec<Line> {
    let of = |tool: &McpTool| {
        let mut lines = vec![
            Line::plain("  ")
                .foreign(Tone::Warn, &tool.pin)
                .foreign(Tone::Strong, &format!(" {}", tool.name)),
        ];
        let texts = [("- ", Tone::Bad, &tool.before), ("+ ", Tone::Good, &tool.after)];
        for (mark, tone, text) in texts {
            lines.extend(text.lines().map(|line| Line::plain("    ").add(tone, mark).foreign(tone, line)));
        }
        if tool.before == tool.after {
            let hint = "    differs in characters that cannot be seen, or beyond what is shown";
            lines.push(Line::new().add(Tone::Warn, hint));
        }
        lines
    };
    let is_different =
        |tool: &&McpTool| matches!(tool.pin(), PinState::New | PinState::Changed | PinState::Gone);
    server.tools.iter().filter(is_different).flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{ListMcpServersResponse, McpServer, McpTool};

    use super::{differences, lines};
    use crate::render::Line;

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| format!("{}\n", line.text(false))).collect()
    }

    fn tool(name: &str, pin: &str, before: &str, after: &str) -> McpTool {
        McpTool {
            name: name.to_owned(),
            offered_as: format!("notes__{name}"),
            is_offered: pin == "pinned",
            effect: "unknown".to_owned(),
            pin: pin.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
            ..Default::default()
        }
    }

    fn held() -> McpServer {
        McpServer {
            name: "notes".to_owned(),
            transport: "stdio".to_owned(),
            state: "held".to_owned(),
            tools: vec![
                tool("find", "pinned", "Finds.", "Finds."),
                tool("read", "changed", "Reads.", "Reads, and \u{1b}[31msends.\nSecond line."),
                tool("odd", "changed", "Same.", "Same."),
                tool("wipe", "new", "", "Wipes."),
            ],
            ..Default::default()
        }
    }

    #[test]
    fn a_held_server_shows_both_texts_and_what_to_do() {
        let shown = text(&lines(&ListMcpServersResponse { servers: vec![held()] }, 100));
        for part in [
            "! notes  held  stdio",
            "✓ notes__find  unknown · asks first",
            "- notes__read  unknown · changed",
            "    - Reads.",
            "    + Second line.",
            "    + Wipes.",
            "differs in characters that cannot be seen",
            "artoo mcp approve notes",
        ] {
            assert!(shown.contains(part), "{part:?} is missing in\n{shown}");
        }
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }

    #[test]
    fn what_is_as_agreed_to_is_no_difference() {
        let same = McpServer { tools: vec![tool("find", "pinned", "Finds.", "Finds.")], ..held() };
        assert!(differences(&same).is_empty());
        let none = text(&lines(&ListMcpServersResponse::default(), 100));
        assert!(none.contains("[mcp.servers.NAME]"), "{none}");
    }
}
