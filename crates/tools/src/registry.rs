//! The table of tools. Parser, prompt text, schemas, default timeouts and what a machine must have for a tool all come
//! from here.

use artoo_types::limits::TOOL_CALL_MS;
use artoo_types::tool::ToolSpec;
use serde_json::{Value, json};

use crate::installed::{Installed, Program};

/// The name of the file search: it is `mdfind` where Spotlight answers it.
pub(crate) const FILE_SEARCH: &str = if cfg!(target_os = "macos") { "mdfind" } else { "find_files" };

/// The tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolKind {
    FindFiles,
    Glob,
    ReadFile,
    WriteFile,
    EditFile,
    AppleScript,
    Shortcuts,
    Shell,
    Search,
    FetchUrl,
    ReadOutput,
    /// A tool of an MCP server, which no row of the table knows.
    OfAServer,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolRow {
    /// Which tool it is.
    pub(crate) kind: ToolKind,
    /// Its name, which is also its class except for `shell`.
    pub(crate) name: &'static str,
    /// Its arguments as people write them.
    pub(crate) signature: &'static str,
    /// When to use it.
    pub(crate) purpose: &'static str,
    /// Its timeout unless the call sets a shorter one, in milliseconds.
    pub(crate) timeout_ms: u64,
    /// The program without which there is no such tool.
    needs: Option<Program>,
    arguments: &'static [Argument],
}

/// One argument: name, JSON type, whether it is required, what it means.
#[derive(Debug, Clone, Copy)]
struct Argument(&'static str, &'static str, bool, &'static str);

/// In the order in which an executor should consider them.
const TOOLS: &[ToolRow] = &[
    ToolRow {
        kind: ToolKind::FindFiles,
        name: FILE_SEARCH,
        signature: "{query, kind?, larger_than?, newer_than?, limit?, root?, order?}",
        purpose: "find files of the person by name, kind, size or age; searches the home folder unless root is given",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("query", "string", true, "part of the name, any case, or a glob; empty for every name"),
            Argument(
                "kind",
                "string",
                false,
                "file, folder, image, video, audio, pdf, document, archive or code",
            ),
            Argument("larger_than", "string", false, "bytes, or a size such as 20MB"),
            Argument("newer_than", "string", false, "an age such as 7d, 12h or 2w"),
            Argument("limit", "integer", false, "most results"),
            Argument("root", "string", false, "folder to search"),
            Argument("order", "string", false, "name, size (biggest first) or newest"),
        ],
    },
    ToolRow {
        kind: ToolKind::Glob,
        name: "glob",
        signature: "{root, pattern}",
        purpose: "list the files below a folder whose name or path matches a pattern such as *.rs or src/**/*.{c,h}",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("root", "string", false, "folder to start from; the working directory unless given"),
            Argument(
                "pattern",
                "string",
                true,
                "glob; without a slash it is matched with file names at any depth",
            ),
        ],
    },
    ToolRow {
        kind: ToolKind::ReadFile,
        name: "read_file",
        signature: "{path, offset?, limit?}",
        purpose: "read lines of a text file",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("path", "string", true, "the file"),
            Argument("offset", "integer", false, "first line, counted from 0"),
            Argument("limit", "integer", false, "most lines; 2000 unless given"),
        ],
    },
    ToolRow {
        kind: ToolKind::WriteFile,
        name: "write_file",
        signature: "{path, content}",
        purpose: "make a new file; refused when it exists; a bare name lands in the workspace",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("path", "string", true, "the new file"),
            Argument("content", "string", true, "its whole text"),
        ],
    },
    ToolRow {
        kind: ToolKind::EditFile,
        name: "edit_file",
        signature: "{path, old, new, digest?}",
        purpose: "replace one exact piece of text in an existing file; a person is asked first",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("path", "string", true, "the file"),
            Argument("old", "string", true, "the text to replace; it must occur exactly once"),
            Argument("new", "string", true, "the text to put there"),
            Argument(
                "digest",
                "string",
                false,
                "SHA-256 of the whole file as it was read, in hex; another file is not edited",
            ),
        ],
    },
    ToolRow {
        kind: ToolKind::AppleScript,
        name: "applescript",
        signature: "{script}",
        purpose: "control an application of this Mac, such as Mail, Calendar, Reminders or Music, with AppleScript; a person is asked first",
        timeout_ms: TOOL_CALL_MS,
        needs: Some(Program::Osascript),
        arguments: &[Argument(
            "script",
            "string",
            true,
            "the whole script; what its last line returns is the output",
        )],
    },
    ToolRow {
        kind: ToolKind::Shortcuts,
        name: "shortcuts",
        signature: "{name, input?}",
        purpose: "run a shortcut of the Shortcuts app by its name; a person is asked first",
        timeout_ms: TOOL_CALL_MS,
        needs: Some(Program::Shortcuts),
        arguments: &[
            Argument("name", "string", true, "the exact name of the shortcut"),
            Argument("input", "string", false, "text that the shortcut gets"),
        ],
    },
    ToolRow {
        kind: ToolKind::Shell,
        name: "shell",
        signature: "{command, timeout_ms?}",
        purpose: "run a bash command in the working directory; commands that only read run at once, others are asked",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("command", "string", true, "the command"),
            Argument("timeout_ms", "integer", false, "a shorter deadline, in milliseconds"),
        ],
    },
    ToolRow {
        kind: ToolKind::Search,
        name: "search",
        signature: "{query}",
        purpose: "search the web; gives titles, addresses and a few words of each result",
        timeout_ms: TOOL_CALL_MS,
        needs: Some(Program::WebSearch),
        arguments: &[Argument("query", "string", true, "what to look for, at most 400 characters")],
    },
    ToolRow {
        kind: ToolKind::FetchUrl,
        name: "fetch_url",
        signature: "{url}",
        purpose: "read a page, text or JSON of the internet; nothing is sent but the address",
        timeout_ms: TOOL_CALL_MS,
        needs: Some(Program::Web),
        arguments: &[Argument("url", "string", true, "an http or https address on the public internet")],
    },
    ToolRow {
        kind: ToolKind::ReadOutput,
        name: "read_output",
        signature: "{receipt, offset, limit}",
        purpose: "read more of the output of an earlier call whose output was cut",
        timeout_ms: TOOL_CALL_MS,
        needs: None,
        arguments: &[
            Argument("receipt", "string", true, "id of the earlier call's receipt, such as r3"),
            Argument("offset", "integer", false, "first character, counted from 0"),
            Argument("limit", "integer", false, "most characters; 4000 unless given"),
        ],
    },
];

/// What the tools of all MCP servers share. It is not in the table: such a tool's name, class and time are its own.
pub(crate) static OF_A_SERVER: ToolRow = ToolRow {
    kind: ToolKind::OfAServer,
    name: "mcp",
    signature: "{}",
    purpose: "",
    timeout_ms: u64::MAX,
    needs: None,
    arguments: &[],
};

/// The row of a tool; none when this machine has no such tool.
pub(crate) fn find(name: &str, installed: &Installed) -> Option<&'static ToolRow> {
    there(installed).find(|row| row.name == name)
}

/// The names of the tools of this machine, for a message.
pub(crate) fn names(installed: &Installed) -> String {
    there(installed).map(|row| row.name).collect::<Vec<_>>().join(", ")
}

/// The tools of this machine as they are offered to a model.
pub(crate) fn specs(installed: &Installed) -> Vec<ToolSpec> {
    there(installed)
        .map(|row| ToolSpec {
            name: row.name.to_owned(),
            signature: row.signature.to_owned(),
            purpose: row.purpose.to_owned(),
            schema: schema(row.arguments).to_string(),
        })
        .collect()
}

fn there(installed: &Installed) -> impl Iterator<Item = &'static ToolRow> {
    TOOLS.iter().filter(|row| row.needs.is_none_or(|program| installed.path(program).is_some()))
}

fn schema(arguments: &[Argument]) -> Value {
    let properties: serde_json::Map<String, Value> = arguments
        .iter()
        .map(|Argument(name, kind, _, text)| ((*name).to_owned(), json!({"type": kind, "description": text})))
        .collect();
    let required: Vec<&str> = arguments.iter().filter(|a| a.2).map(|a| a.0).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

#[cfg(test)]
mod tests;
