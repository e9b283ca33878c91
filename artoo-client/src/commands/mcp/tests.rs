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
