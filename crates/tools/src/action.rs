//! A call with its arguments read: what the tools work on.

use crate::arguments::{
    EditArguments, FindArguments, GlobArguments, OutputArguments, ReadArguments, ShellArguments,
    WriteArguments, parse,
};
use crate::registry::{self, ToolKind, ToolRow};

/// One call, typed.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    FindFiles(FindArguments),
    Glob(GlobArguments),
    ReadFile(ReadArguments),
    WriteFile(WriteArguments),
    EditFile(EditArguments),
    Shell(ShellArguments),
    ReadOutput(OutputArguments),
}

/// Reads a call. The error says what to do instead.
pub(crate) fn read(tool: &str, arguments: &str) -> Result<(&'static ToolRow, Action), String> {
    let row = registry::find(tool)
        .ok_or_else(|| format!("there is no tool {tool:?} here; the tools are {}", registry::names()))?;
    let (name, signature) = (row.name, row.signature);
    let action = match row.kind {
        ToolKind::FindFiles => parse(name, signature, arguments).map(Action::FindFiles),
        ToolKind::Glob => parse(name, signature, arguments).map(Action::Glob),
        ToolKind::ReadFile => parse(name, signature, arguments).map(Action::ReadFile),
        ToolKind::WriteFile => parse(name, signature, arguments).map(Action::WriteFile),
        ToolKind::EditFile => parse(name, signature, arguments).map(Action::EditFile),
        ToolKind::Shell => parse(name, signature, arguments).map(Action::Shell),
        ToolKind::ReadOutput => parse(name, signature, arguments).map(Action::ReadOutput),
    }?;
    Ok((row, action))
}
