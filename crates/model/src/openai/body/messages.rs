//! Messages.

use artoo_types::chat::ChatRequest;
use artoo_types::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::{parameters, split_system, turns};
use crate::openai::ladder::{Dialect, REPLY_TOKENS};

/// The body of one HTTP request. The mark at the end of the instructions has the server keep them, and the tools before
/// them: they are the same in every call of a role.
pub(super) fn body(request: &ChatRequest, model: &str, dialect: Dialect, native_tools: bool) -> Value {
    let (system, messages) = split_system(turns(request, dialect, native_tools));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert(
        "max_tokens".to_owned(),
        json!(REPLY_TOKENS[dialect.reply_tokens.min(REPLY_TOKENS.len() - 1)]),
    );
    if let Some(system) = system {
        let block = json!({"type": "text", "text": system, "cache_control": {"type": "ephemeral"}});
        body.insert("system".to_owned(), json!([block]));
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    body.insert("stream".to_owned(), json!(dialect.stream));
    if native_tools {
        let tool = |spec: &ToolSpec| json!({"name": spec.name, "description": spec.purpose, "input_schema": parameters(spec)});
        body.insert("tools".to_owned(), request.native_tools.iter().map(tool).collect());
    }
    Value::Object(body)
}
