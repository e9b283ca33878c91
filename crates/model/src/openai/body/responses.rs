//! Responses.

use artoo_types::chat::ChatRequest;
use artoo_types::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::{asked_schema, images, parameters, split_system, turns, wire_schema};
use crate::config::ApiForm;
use crate::openai::ladder::{Dialect, Rung};

/// The body of one HTTP request. Nothing of it is kept by the server: every call says all of it.
pub(super) fn body(request: &ChatRequest, model: &str, dialect: Dialect, native_tools: bool) -> Value {
    let (instructions, input) = split_system(turns(request, dialect, native_tools));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    if let Some(instructions) = instructions {
        body.insert("instructions".to_owned(), json!(instructions));
    }
    let mut items: Vec<Value> = input.iter().map(item).collect();
    images::add(&mut items, request, ApiForm::Responses);
    body.insert("input".to_owned(), Value::Array(items));
    body.insert("stream".to_owned(), json!(dialect.stream));
    body.insert("store".to_owned(), json!(false));
    let name = asked_schema(request, native_tools);
    let format = match dialect.rung {
        Rung::JsonSchema => Some(
            json!({"type": "json_schema", "name": name.as_str(), "strict": false, "schema": wire_schema(name)}),
        ),
        Rung::JsonObject => Some(json!({"type": "json_object"})),
        Rung::Text => None,
    };
    if let Some(format) = format {
        body.insert("text".to_owned(), json!({"format": format}));
    }
    if native_tools {
        let tool = |spec: &ToolSpec| {
            json!({"type": "function", "name": spec.name, "description": spec.purpose,
                   "parameters": parameters(spec), "strict": false})
        };
        body.insert("tools".to_owned(), request.native_tools.iter().map(tool).collect());
    }
    Value::Object(body)
}

/// A turn as an item of the input. Some servers take no shorter form of it, and none for the model's own words.
fn item(turn: &Value) -> Value {
    let kind = if turn["role"] == "assistant" { "output_text" } else { "input_text" };
    json!({"type": "message", "role": turn["role"], "content": [{"type": kind, "text": turn["content"]}]})
}
