//! MCP servers: tables `[mcp.servers.NAME]`, whose names the operator chooses. Everything about their keys stands once, in
//! [`KEYS`].

mod read;
mod resolve;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use artoo_model::Secret;
use artoo_types::evidence::EffectClass;

use super::show::{ShownSetting, ShownValue};
use super::table::MCP_SERVERS;
use super::value::{Origin, is_secret};

pub(super) use read::read;
pub(super) use resolve::{all, secrets};

/// One key of a server's table.
#[derive(Debug, PartialEq)]
pub(super) struct ServerKey {
    pub(super) name: &'static str,
    shape: Shape,
    /// What holds when it is not set, written as in TOML; empty when nothing does.
    preset: &'static str,
    meaning: &'static str,
}

/// What values a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Text,
    Texts,
    Address,
    Secret,
    /// Names with texts, which may be secret.
    Table,
    Effect,
    /// Tools with effects.
    Effects,
    /// A whole number between the two, both included.
    Count(u64, u64),
    Switch,
}

const fn key(name: &'static str, shape: Shape, preset: &'static str, meaning: &'static str) -> ServerKey {
    ServerKey { name, shape, preset, meaning }
}

/// Longest time, in milliseconds: an hour.
const MOST_MS: u64 = 3_600_000;

/// Every key of a server, in the order in which people see them.
#[rustfmt::skip]
pub(super) static KEYS: &[ServerKey] = &[
    key("command", Shape::Text, "", "The program to start, looked for in `PATH`. It speaks over its standard input and output."),
    key("args", Shape::Texts, "", "Its arguments."),
    key("env", Shape::Table, "", "Variables of its environment. Besides, it gets `PATH`, `HOME`, `TMPDIR` and the language, and nothing else."),
    key("url", Shape::Address, "", "In the place of `command`: an address that speaks streamable HTTP."),
    key("headers", Shape::Table, "", "Header fields of every request to `url`."),
    key("api_key", Shape::Secret, "", "The server's key: sent as `Authorization: Bearer`, or put into `api_key_env` of a command."),
    key("api_key_file", Shape::Text, "", "A file of mode 0600 that holds the key."),
    key("api_key_command", Shape::Text, "", "A shell command that prints the key within 10 seconds."),
    key("api_key_env", Shape::Text, "", "The variable of a command's environment that holds the key."),
    key("tools", Shape::Texts, "", "The tools that are wanted, by their own names. Without it, all of them, of which the first 64 are offered."),
    key("effects", Shape::Effects, "", "What tools do, by their own names: `{ search = \"read\" }`. What only reads runs unasked."),
    key("default_effect", Shape::Effect, "\"unknown\"", "What the other tools do."),
    key("full_power", Shape::Switch, "false", "Whether the program may read artoo's own folder too. Without it, it cannot on Linux read either what is newly made directly in the home folder while it runs."),
    key("start_timeout_ms", Shape::Count(100, MOST_MS), "20000", "How long it may take to start and to list its tools."),
    key("timeout_ms", Shape::Count(100, MOST_MS), "30000", "How long one call may go on without an answer or a sign of progress. Progress extends it, up to the task's time."),
    key("enabled", Shape::Switch, "true", "Whether it is started."),
];

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
enum ServerValue {
    Text(String),
    Texts(Vec<String>),
    Secret(Secret),
    Table(BTreeMap<String, Secret>),
    Effect(EffectClass),
    Effects(BTreeMap<String, EffectClass>),
    Count(u64),
    Switch(bool),
}

/// A server as it was written down.
#[derive(Debug, Clone)]
pub(super) struct ServerSettings {
    pub(super) name: String,
    /// File and line, as the start of an error.
    place: String,
    /// In the order of [`KEYS`].
    values: Vec<(&'static ServerKey, ServerValue)>,
}

impl ServerSettings {
    fn get(&self, name: &str) -> Option<&ServerValue> {
        self.values.iter().find(|(key, _)| key.name == name).map(|(_, value)| value)
    }

    /// Its lines of `config show`: what was written, and what holds otherwise.
    pub(super) fn shown(&self) -> Vec<ShownSetting> {
        let line = |key: &ServerKey| {
            let (value, origin) = match self.get(key.name) {
                Some(value) => (shown(key, value), Origin::File),
                None if key.preset.is_empty() => return None,
                None => (ShownValue::Text(key.preset.trim_matches('"').to_owned()), Origin::Default),
            };
            let key = format!("{MCP_SERVERS}.{}.{}", self.name, key.name);
            Some(ShownSetting { key: key.into(), value: Some(value), origin: origin.to_string() })
        };
        KEYS.iter().filter_map(line).collect()
    }

    /// Everything in it that is secret.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        let of = |value: &ServerValue| match value {
            ServerValue::Secret(secret) => vec![secret.clone()],
            ServerValue::Table(table) => table
                .iter()
                .filter(|(name, _)| is_secret(name))
                .map(|(_, value)| Secret::new(bare(value.expose())))
                .collect(),
            ServerValue::Text(_)
            | ServerValue::Texts(_)
            | ServerValue::Effect(_)
            | ServerValue::Effects(_)
            | ServerValue::Count(_)
            | ServerValue::Switch(_) => Vec::new(),
        };
        self.values.iter().flat_map(|(_, value)| of(value)).filter(|secret| !secret.is_empty()).collect()
    }
}

/// The secret in the value of a header field.
fn bare(value: &str) -> &str {
    value
        .split_once(' ')
        .filter(|(scheme, _)| ["Bearer", "Basic"].contains(scheme))
        .map_or(value, |(_, rest)| rest)
}

fn shown(key: &ServerKey, value: &ServerValue) -> ShownValue {
    let pairs = |table: &BTreeMap<String, Secret>| {
        let pair = |(name, value): (&String, &Secret)| {
            let text = if is_secret(name) { "set (hidden)" } else { value.expose() };
            format!("{name} = {text}")
        };
        table.iter().map(pair).collect::<Vec<_>>().join(", ")
    };
    match value {
        ServerValue::Text(text) if key.shape == Shape::Address => {
            let bare = text.split_once('?').map(|(bare, _)| format!("{bare}?..."));
            ShownValue::Text(bare.unwrap_or_else(|| text.clone()))
        }
        ServerValue::Text(text) => ShownValue::Text(text.clone()),
        ServerValue::Texts(texts) => ShownValue::Text(texts.join(" ")),
        ServerValue::Secret(_) => ShownValue::Text("set (hidden)".to_owned()),
        ServerValue::Table(table) => ShownValue::Text(pairs(table)),
        ServerValue::Effect(effect) => ShownValue::Text(effect.as_str().to_owned()),
        ServerValue::Effects(effects) => ShownValue::Text(
            effects.iter().map(|(t, e)| format!("{t} = {}", e.as_str())).collect::<Vec<_>>().join(", "),
        ),
        ServerValue::Count(number) => ShownValue::Count(*number),
        ServerValue::Switch(is_on) => ShownValue::Text(is_on.to_string()),
    }
}

/// The table of a server's keys in Markdown, for the documentation.
pub fn markdown_table() -> String {
    let mut text = "| Key | Default | Values | Meaning |\n|---|---|---|---|\n".to_owned();
    for key in KEYS {
        let preset = if key.preset.is_empty() { "none".to_owned() } else { format!("`{}`", key.preset) };
        let line =
            writeln!(text, "| `{}` | {preset} | {} | {} |", key.name, describe(key.shape), key.meaning);
        line.expect("writing into a string cannot fail");
    }
    text
}

/// What values a shape takes, as a phrase.
fn describe(shape: Shape) -> String {
    match shape {
        Shape::Text => "text in quotes".to_owned(),
        Shape::Texts => "a list of texts".to_owned(),
        Shape::Address => "an address such as https://example.org/mcp".to_owned(),
        Shape::Secret => "a key".to_owned(),
        Shape::Table => "a table of names and texts".to_owned(),
        Shape::Effect => effects(),
        Shape::Effects => format!("a table of tools, each {}", effects()),
        Shape::Count(least, most) => format!("a whole number from {least} to {most}"),
        Shape::Switch => "true or false".to_owned(),
    }
}

/// Every effect, the mildest first.
const EFFECTS: [EffectClass; 7] = [
    EffectClass::Read,
    EffectClass::Create,
    EffectClass::Overwrite,
    EffectClass::Delete,
    EffectClass::Send,
    EffectClass::System,
    EffectClass::Unknown,
];

fn effects() -> String {
    EFFECTS.map(EffectClass::as_str).join(" or ")
}
