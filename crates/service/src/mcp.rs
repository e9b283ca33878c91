//! The MCP servers, for the operator.

use artoo_mcp::{ApproveRefusal, McpToolView, McpView, PinState, ServerState, ToolDifference};
use artoo_protocol::v1;
use artoo_protocol::words;
use tonic::Status;

use super::errors;
use super::service::{Calls, blocking};

/// The servers with their tools.
pub(super) async fn list_mcp_servers(
    calls: &Calls,
    _request: v1::ListMcpServersRequest,
) -> Result<v1::ListMcpServersResponse, Status> {
    let servers = calls.parts.toolbox.servers().list().into_iter().map(server).collect();
    Ok(v1::ListMcpServersResponse { servers })
}

/// The operator agrees to what a server says of its tools now.
pub(super) async fn approve_mcp_server(
    calls: &Calls,
    request: v1::ApproveMcpServerRequest,
) -> Result<v1::ApproveMcpServerResponse, Status> {
    let servers = calls.parts.toolbox.servers().clone();
    blocking(move || {
        let v1::ApproveMcpServerRequest { name, digest, token: _ } = request;
        servers.approve(&name, &digest).map_err(|refusal| refused(&name, &refusal))?;
        let now = servers.list().into_iter().find(|server| server.name == name).map(server);
        Ok(v1::ApproveMcpServerResponse { server: now })
    })
    .await
}

fn refused(name: &str, refusal: &ApproveRefusal) -> Status {
    let text = refusal.to_string();
    match refusal {
        ApproveRefusal::Unknown => errors::not_found("mcp_server", name, &text),
        ApproveRefusal::NotRunning => errors::not_now("MCP_SERVER_DOWN", "mcp_server", &text),
        ApproveRefusal::OtherNow => errors::not_now("MCP_SERVER_CHANGED", "mcp_server", &text),
        ApproveRefusal::NotWritten(_) => errors::not_now("PINS_NOT_WRITTEN", "mcp_server", &text),
    }
}

fn server(view: McpView) -> v1::McpServer {
    let McpView { name, transport, state, why, tools, digest } = view;
    v1::McpServer {
        name,
        transport: transport.to_owned(),
        state: server_state(state).as_str().to_owned(),
        why,
        tools: tools.into_iter().map(tool).collect(),
        digest,
    }
}

fn tool(view: McpToolView) -> v1::McpTool {
    let McpToolView { name, offered, is_offered, effect, pin, why, before, after } = view;
    v1::McpTool {
        name,
        offered_as: offered,
        is_offered,
        effect: effect.as_str().to_owned(),
        pin: pin_state(pin).as_str().to_owned(),
        why,
        before,
        after,
    }
}

fn server_state(state: ServerState) -> words::McpState {
    match state {
        ServerState::Starting => words::McpState::Starting,
        ServerState::Ready => words::McpState::Ready,
        ServerState::Held => words::McpState::Held,
        ServerState::Down => words::McpState::Down,
        ServerState::Stopped => words::McpState::Stopped,
    }
}

fn pin_state(pin: PinState) -> words::PinState {
    match pin {
        PinState::Pinned => words::PinState::Pinned,
        PinState::Different(ToolDifference::New) => words::PinState::New,
        PinState::Different(ToolDifference::Changed) => words::PinState::Changed,
        PinState::Different(ToolDifference::Gone) => words::PinState::Gone,
        PinState::Unfit => words::PinState::Unfit,
    }
}
