//! The JSON of a request.

use artoo_types::chat::{ChatRequest, Speaker};
use artoo_types::reply::SchemaName;
use serde_json::{Map, Value, json};

use super::ladder::{Dialect, Rung};

/// The body of one HTTP request. It names no temperature and no token limit: several servers refuse either, and a
/// limit would cut a reply short.
pub(super) fn body(request: &ChatRequest, model: &str, dialect: Dialect, native_tools: bool) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("messages".to_owned(), messages(request, dialect.rung, native_tools));
    body.insert("stream".to_owned(), json!(true));
    if dialect.stream_options {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    match dialect.rung {
        Rung::JsonSchema => {
            let schema = wire_schema(request.schema);
            let form = json!({"name": request.schema.as_str(), "strict": false, "schema": schema});
            body.insert("response_format".to_owned(), json!({"type": "json_schema", "json_schema": form}));
        }
        Rung::JsonObject => {
            body.insert("response_format".to_owned(), json!({"type": "json_object"}));
        }
        Rung::Text => {}
    }
    if native_tools {
        body.insert("tools".to_owned(), tools(request));
    }
    Value::Object(body)
}

fn messages(request: &ChatRequest, rung: Rung, native_tools: bool) -> Value {
    let mut messages: Vec<Value> = request
        .messages
        .iter()
        .map(|message| {
            let role = match message.speaker {
                Speaker::System => "system",
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
            };
            json!({"role": role, "content": message.content})
        })
        .collect();
    if rung != Rung::JsonSchema {
        let shape = shape_in_words(request.schema, native_tools);
        match messages.first_mut().filter(|first| first["role"] == "system") {
            Some(first) => {
                let content = first["content"].as_str().unwrap_or_default();
                first["content"] = json!(format!("{content}\n\n{shape}"));
            }
            None => messages.insert(0, json!({"role": "system", "content": shape})),
        }
    }
    Value::Array(messages)
}

/// The schema as part of the prompt. Some servers refuse JSON mode unless the prompt has the word json.
fn shape_in_words(schema: SchemaName, native_tools: bool) -> String {
    let when = if native_tools { "Unless you call a tool, reply" } else { "Reply" };
    format!(
        "{when} with one json object and nothing else: no words before or after it, no code fence. It must match this \
         JSON schema:\n{}",
        wire_schema(schema)
    )
}

/// The schema without what trips servers: the dialect's address, and `true` in the place of a schema, which says the
/// same as an empty one.
fn wire_schema(schema: SchemaName) -> Value {
    let mut value = schema.schema().clone();
    if let Value::Object(top) = &mut value {
        top.remove("$schema");
    }
    plain_schemas(&mut value);
    value
}

/// Recursion is bounded by the depth of our own schemas.
fn plain_schemas(value: &mut Value) {
    let Value::Object(fields) = value else {
        if let Value::Array(items) = value {
            items.iter_mut().for_each(plain_schemas);
        }
        return;
    };
    for (key, field) in fields.iter_mut() {
        let holds_schemas = matches!(key.as_str(), "properties" | "$defs");
        match field {
            Value::Object(named) if holds_schemas => {
                for schema in named.values_mut().filter(|schema| **schema == Value::Bool(true)) {
                    *schema = json!({});
                }
            }
            Value::Bool(true) if key == "items" => *field = json!({}),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => {}
        }
        plain_schemas(field);
    }
}

/// Tools in the server's own form. A schema that is no JSON becomes one that allows any arguments.
fn tools(request: &ChatRequest) -> Value {
    let tool = |spec: &artoo_types::tool::ToolSpec| {
        let parameters: Value =
            serde_json::from_str(&spec.schema).unwrap_or_else(|_| json!({"type": "object"}));
        json!({"type": "function",
               "function": {"name": spec.name, "description": spec.purpose, "parameters": parameters}})
    };
    Value::Array(request.native_tools.iter().map(tool).collect())
}

#[cfg(test)]
mod tests;
