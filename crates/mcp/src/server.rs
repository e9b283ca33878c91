//! What the operator says of an MCP server.

use std::collections::BTreeMap;
use std::time::Duration;

use artoo_redact::Secret;
use artoo_types::evidence::EffectClass;

/// Most servers. Each may be a process tree of its own, and all their tools share one prompt.
pub const MAX_SERVERS: usize = 16;
/// Longest name of a server, in characters: it is the first part of its tools' names, of which model servers take 64.
pub const MAX_NAME_CHARS: usize = 24;

/// One configured server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// Its name, see [`is_name`].
    pub name: String,
    /// How it is reached.
    pub way: McpTransport,
    /// The tools that are wanted, by their own names; all if None.
    pub tools: Option<Vec<String>>,
    /// What the operator says that a tool does, by the tool's own name.
    pub effects: BTreeMap<String, EffectClass>,
    /// What the other tools do.
    pub default_effect: EffectClass,
    /// How long it may take to start and to list its tools.
    pub start_timeout: Duration,
    /// How long a call may go on without a sign of progress.
    pub timeout: Duration,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpTransport {
    /// A program that speaks over its standard input and output.
    Process {
        /// The program, looked for in its `PATH`.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// What its environment has besides the usual names.
        environment: BTreeMap<String, Secret>,
        /// Whether it may read artoo's own folder too.
        full_power: bool,
    },
    /// An address that speaks streamable HTTP.
    Http {
        /// The address.
        address: String,
        /// Header fields of every request, by name.
        headers: BTreeMap<String, Secret>,
    },
}

impl McpServer {
    /// What the operator says that a tool does.
    pub(crate) fn effect(&self, tool: &str) -> EffectClass {
        self.effects.get(tool).copied().unwrap_or(self.default_effect)
    }

    /// Whether a tool of this name is wanted.
    pub(crate) fn wants(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|wanted| wanted == tool))
    }

    /// How it is reached, in a word.
    pub(crate) fn transport(&self) -> &'static str {
        match self.way {
            McpTransport::Process { .. } => "stdio",
            McpTransport::Http { .. } => "http",
        }
    }
}

/// Whether this can be the name of a server: 1 to [`MAX_NAME_CHARS`] letters, digits, `-` and `_`, with no two `_` in a
/// row and none at an end, so that a tool's name can be read in one way only.
pub fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty()
        && name.len() <= MAX_NAME_CHARS
        && name.chars().all(is_plain)
        && !name.contains(SEPARATOR)
        && !name.starts_with('_')
        && !name.ends_with('_')
}

/// What stands between a server's name and its tool's name. No other tool's name holds it.
pub(crate) const SEPARATOR: &str = "__";
