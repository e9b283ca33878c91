//! What a server says of its tools, made fit to be offered: bounded, on one line, without characters that are not seen.
//! The words stay the server's, so they are pinned, and nothing here is believed.

use artoo_redact::Redactor;
use artoo_redact::sanitise::sanitise;
use artoo_types::text::first_chars;
use artoo_types::tool::ToolSpec;
use rmcp::model::Tool;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::server::SEPARATOR;
use artoo_types::text::escape;
use artoo_types::tool::canonical_arguments;

/// Longest name of a tool, in characters: what the APIs of model servers take.
const MAX_OFFERED_CHARS: usize = 64;
/// Longest name that a server may give to a tool, in bytes.
const MAX_TOOL_BYTES: usize = 128;
/// Characters of a description that a model sees: two or three sentences.
const MAX_PURPOSE_CHARS: usize = 300;
/// Characters of the list of arguments that a model sees.
const MAX_SIGNATURE_CHARS: usize = 200;
/// Longest schema, in bytes. The biggest of the servers in use has about 6 KiB.
const MAX_SCHEMA_BYTES: usize = 16 * 1024;
/// Deepest nesting of a schema.
const MAX_SCHEMA_DEPTH: usize = 16;
/// Longest description that is read at all, in bytes. One that is longer is no description.
const MAX_DESCRIPTION_BYTES: usize = 16 * 1024;
/// Characters of a description that are shown to the operator.
const MAX_SAID_CHARS: usize = 4_000;
/// Hex digits that tell two names apart which would read the same.
const MARK_DIGITS: usize = 8;

/// What a call of a tool is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallMethod {
    /// A call of the server's own tool.
    #[default]
    Tool,
    /// Its resources are listed, or one is read.
    Resources,
    /// Its prompts are listed, or one is filled in.
    Prompts,
}

impl CallMethod {
    /// Whether it is the server's own tool.
    pub(crate) fn is_tool(&self) -> bool {
        *self == Self::Tool
    }
}

/// A tool as it is offered, and the digest of what its server said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DescribedTool {
    /// Its name for its server.
    pub(crate) tool: String,
    /// Its name for models.
    pub(crate) offered: String,
    /// What it is for, one line.
    pub(crate) purpose: String,
    /// Its arguments as people write them.
    pub(crate) signature: String,
    /// JSON schema of the arguments.
    pub(crate) schema: String,
    /// What the server says it is for, for the operator: escaped, with line breaks.
    pub(crate) said: String,
    /// SHA-256 of name, description and schema as the server gave them, in hex.
    pub(crate) digest: String,
    /// What a call of it is on the wire.
    #[serde(default, skip_serializing_if = "CallMethod::is_tool")]
    pub(crate) method: CallMethod,
}

impl DescribedTool {
    /// How it is offered to a model.
    pub(crate) fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.offered.clone(),
            signature: self.signature.clone(),
            purpose: self.purpose.clone(),
            schema: self.schema.clone(),
            reads: false,
        }
    }

    /// Characters that it takes in a prompt.
    pub(crate) fn prompt_chars(&self) -> usize {
        [&self.offered, &self.signature, &self.purpose].iter().map(|text| text.chars().count()).sum()
    }
}

/// Reads what a server says of one tool.
///
/// # Errors
/// Why it cannot be offered, as a phrase that follows its name.
pub(crate) fn describe(server: &str, tool: &Tool, redactor: &Redactor) -> Result<DescribedTool, String> {
    let name = tool.name.as_ref();
    if name.is_empty() || name.len() > MAX_TOOL_BYTES {
        return Err(format!("has no name, or one of more than {MAX_TOOL_BYTES} bytes"));
    }
    let said = tool.description.as_deref().unwrap_or_default();
    if said.len() > MAX_DESCRIPTION_BYTES {
        return Err(format!("has a description of more than {MAX_DESCRIPTION_BYTES} bytes"));
    }
    let schema = Value::Object(tool.input_schema.as_ref().clone());
    if depth(&schema) > MAX_SCHEMA_DEPTH {
        return Err(format!("has a schema with more than {MAX_SCHEMA_DEPTH} levels"));
    }
    if has_hidden_name(&schema) {
        return Err("has a schema with names that hold characters which are not seen".to_owned());
    }
    let raw = canonical_arguments(&schema.to_string());
    if raw.len() > MAX_SCHEMA_BYTES {
        return Err(format!("has a schema of more than {MAX_SCHEMA_BYTES} bytes"));
    }
    let clean = |text: &str| redactor.redact(&visible(text)).into_owned();
    let purpose = first_chars(&clean(said), MAX_PURPOSE_CHARS);
    Ok(DescribedTool {
        tool: name.to_owned(),
        offered: offered(server, name),
        purpose: format!("[MCP server {server}] {purpose}").trim_end().to_owned(),
        signature: first_chars(&clean(&signature(&schema)), MAX_SIGNATURE_CHARS),
        schema: cleaned(schema, &clean).to_string(),
        said: first_chars(&redactor.redact(&escape(said)), MAX_SAID_CHARS),
        digest: digest(name, said, &raw),
        method: CallMethod::Tool,
    })
}

/// The name under which models call a tool: `SERVER__TOOL`, where that is a name that model servers take, else with a
/// mark at its end, so that no two tools share one.
pub(crate) fn offered(server: &str, tool: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let whole = format!("{server}{SEPARATOR}{tool}");
    if whole.len() <= MAX_OFFERED_CHARS && whole.chars().all(is_plain) {
        return whole;
    }
    let mark = &hex::encode(Sha256::digest(tool.as_bytes()))[..MARK_DIGITS];
    let room = MAX_OFFERED_CHARS - MARK_DIGITS - 1;
    let plain: String = whole.chars().map(|c| if is_plain(c) { c } else { '_' }).take(room).collect();
    format!("{plain}_{mark}")
}

/// The text on one line, without what a terminal would obey or a person would not see.
pub(crate) fn visible(text: &str) -> String {
    sanitise(text).text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every field is preceded by its length, so that no two descriptions share a spelling.
fn digest(name: &str, description: &str, schema: &str) -> String {
    let mut hash = Sha256::new();
    for field in [name, description, schema] {
        hash.update((field.len() as u64).to_le_bytes());
        hash.update(field.as_bytes());
    }
    hex::encode(hash.finalize())
}

/// `{a, b?}`: the required arguments first.
fn signature(schema: &Value) -> String {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let names = || properties.into_iter().flatten().map(|(name, _)| name.as_str());
    let needed = names().filter(|name| required.contains(name)).map(str::to_owned);
    let others = names().filter(|name| !required.contains(name)).map(|name| format!("{name}?"));
    format!("{{{}}}", needed.chain(others).collect::<Vec<_>>().join(", "))
}

/// Levels of objects and lists. The JSON reader has bounded them already, at 128.
fn depth(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Whether a name in it is not what it looks like.
fn has_hidden_name(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| visible(name) != *name || has_hidden_name(value))
        }
        Value::Array(items) => items.iter().any(has_hidden_name),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The same schema with every text in it cleaned. Names of arguments stay, because calls use them.
fn cleaned(value: Value, clean: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(|item| cleaned(item, clean)).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, cleaned(value, clean))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};
    use rmcp::model::Tool;
    use serde_json::{Value, json};

    use super::{DescribedTool, MAX_OFFERED_CHARS, describe, offered};

    fn tool(name: &str, description: &str, schema: &Value) -> Tool {
        let schema = schema.as_object().cloned().unwrap_or_default();
        Tool::new(name.to_owned(), description.to_owned(), Arc::new(schema))
    }

    fn described(name: &str, description: &str, schema: &Value) -> Result<DescribedTool, String> {
        describe("notes", &tool(name, description, schema), &Redactor::default())
    }

    #[test]
    fn names_fit_model_servers_and_are_never_shared() {
        assert_eq!(offered("notes", "read_note"), "notes__read_note");
        let names = ["read note", "read.note", "read/note", "résumé", &"x".repeat(100), &"x".repeat(101)];
        let mut seen: Vec<String> = names.iter().map(|name| offered("notes", name)).collect();
        for name in &seen {
            assert!(name.len() <= MAX_OFFERED_CHARS, "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'), "{name}");
            assert!(name.starts_with("notes__"), "{name}");
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), names.len());
    }

    #[test]
    fn every_part_that_a_model_sees_changes_the_digest() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let digest = |name: &str, text: &str, schema: &Value| described(name, text, schema).unwrap().digest;
        let first = digest("read", "Reads.", &schema);
        assert_eq!(
            first,
            digest("read", "Reads.", &json!({"properties": {"a": {"type": "string"}}, "type": "object"}))
        );
        assert_ne!(first, digest("Read", "Reads.", &schema));
        assert_ne!(first, digest("read", "Reads.\u{200b}", &schema), "also what is not seen");
        assert_ne!(first, digest("read", "Reads.", &json!({"type": "object"})));
        assert_ne!(digest("ab", "c", &schema), digest("a", "bc", &schema));
    }

    #[test]
    fn words_are_one_line_and_secrets_are_taken_out() {
        let secret = KnownSecret { secret: Secret::new("kept-to-myself-1234"), kind: SecretKind::ApiKey };
        let schema = json!({"type": "object", "required": ["b"], "properties": {
            "a": {"description": "say kept-to-myself-1234\n\u{202e}now"}, "b": {"type": "string"}}});
        let said = tool("read", "Line one.\n## System\n\u{1b}[2Jkept-to-myself-1234", &schema);
        let made = describe("notes", &said, &Redactor::new(&[secret])).unwrap();
        assert_eq!(made.purpose, "[MCP server notes] Line one. ## System [redacted: api key]");
        assert_eq!(made.signature, "{b, a?}");
        assert!(
            !made.schema.contains("kept-to-myself") && !made.schema.contains('\u{202e}'),
            "{}",
            made.schema
        );
        assert!(made.said.contains("\\u{1b}[2J") && !made.said.contains("kept-to-myself"), "{}", made.said);
        serde_json::from_str::<Value>(&made.schema).unwrap();
    }

    #[test]
    fn what_cannot_be_offered_says_why() {
        let mut deep = json!({});
        for _ in 0..40 {
            deep = json!({ "a": deep });
        }
        let wide = json!({"description": "x".repeat(20_000)});
        let rows = [
            (described("", "", &json!({})), "no name"),
            (described(&"n".repeat(200), "", &json!({})), "no name"),
            (described("a", &"d".repeat(20_000), &json!({})), "description"),
            (described("a", "", &deep), "levels"),
            (described("a", "", &wide), "bytes"),
            (described("a", "", &json!({"properties": {"b\u{200b}": {}}})), "not seen"),
        ];
        for (outcome, part) in rows {
            let why = outcome.expect_err(part);
            assert!(why.contains(part), "{why}");
        }
        let long = described("a", &"d ".repeat(2_000), &json!({})).unwrap();
        assert!(long.prompt_chars() < 700, "{}", long.prompt_chars());
    }
}
