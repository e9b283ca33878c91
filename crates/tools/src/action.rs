//! A call with its arguments read: what the tools work on.

use crate::arguments::{
    EditArguments, FetchArguments, FindArguments, GlobArguments, OutputArguments, ReadArguments,
    ScriptArguments, SearchArguments, ShellArguments, ShortcutArguments, WriteArguments, parse,
};
use crate::installed::Installed;
use crate::registry::{self, ToolKind, ToolRow};
use artoo_mcp::{McpCall, McpTool};

/// One call, typed.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    FindFiles(FindArguments),
    Glob(GlobArguments),
    ReadFile(ReadArguments),
    WriteFile(WriteArguments),
    EditFile(EditArguments),
    AppleScript(ScriptArguments),
    Shortcut(ShortcutArguments),
    Shell(ShellArguments),
    Search(SearchArguments),
    FetchUrl(FetchArguments),
    ReadOutput(OutputArguments),
    Mcp(Box<McpCall>),
}

/// Reads a call of a tool of a server. The error says what to do instead.
pub(crate) fn of_server(tool: McpTool, arguments: &str) -> Result<(&'static ToolRow, Action), String> {
    let call = McpCall::read(tool, arguments)?;
    Ok((&registry::OF_A_SERVER, Action::Mcp(Box::new(call))))
}

/// Reads a call of a tool that this machine has. The error says what to do instead.
pub(crate) fn read(
    tool: &str,
    arguments: &str,
    installed: &Installed,
) -> Result<(&'static ToolRow, Action), String> {
    let row = registry::find(tool, installed).ok_or_else(|| {
        format!("there is no tool {tool:?} on this machine; the tools are {}", registry::names(installed))
    })?;
    let (name, signature) = (row.name, row.signature);
    let action = match row.kind {
        ToolKind::FindFiles => parse(name, signature, arguments).map(Action::FindFiles),
        ToolKind::Glob => parse(name, signature, arguments).map(Action::Glob),
        ToolKind::ReadFile => parse(name, signature, arguments).map(Action::ReadFile),
        ToolKind::WriteFile => parse(name, signature, arguments).map(Action::WriteFile),
        ToolKind::EditFile => parse(name, signature, arguments).map(Action::EditFile),
        ToolKind::AppleScript => parse(name, signature, arguments).map(Action::AppleScript),
        ToolKind::Shortcuts => parse(name, signature, arguments).map(Action::Shortcut),
        ToolKind::Shell => parse(name, signature, arguments).map(Action::Shell),
        ToolKind::Search => parse(name, signature, arguments).map(Action::Search),
        ToolKind::FetchUrl => parse(name, signature, arguments).map(Action::FetchUrl),
        ToolKind::ReadOutput => parse(name, signature, arguments).map(Action::ReadOutput),
        ToolKind::OfAServer => return Err(format!("{name} is no tool; name one of a server")),
    }?;
    Ok((row, action))
}
