//! The JSON of a request: here for Chat Completions, and what the three interfaces share; the others are below.

mod images;
mod messages;
mod responses;

use artoo_types::chat::{ChatRequest, Speaker};
use artoo_types::reply::SchemaName;
use artoo_types::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::ladder::{Dialect, Rung};
use crate::config::ApiForm;

/// The body of one HTTP request in this form.
pub(super) fn body(
    api: ApiForm,
    request: &ChatRequest,
    model: &str,
    dialect: Dialect,
    native_tools: bool,
) -> Value {
    match api {
        ApiForm::Chat => chat(request, model, dialect, native_tools),
        ApiForm::Responses => responses::body(request, model, dialect, native_tools),
        ApiForm::Messages => messages::body(request, model, dialect, native_tools),
    }
}

/// Chat Completions. It names no temperature and no token limit: several servers refuse either, and a
/// limit would cut a reply short.
fn chat(request: &ChatRequest, model: &str, dialect: Dialect, native_tools: bool) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    let mut turns = turns(request, dialect, native_tools);
    images::add(&mut turns, request, ApiForm::Chat);
    body.insert("messages".to_owned(), Value::Array(turns));
    body.insert("stream".to_owned(), json!(dialect.stream));
    if dialect.stream && dialect.stream_options {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    match dialect.rung {
        Rung::JsonSchema => {
            let name = asked_schema(request, native_tools);
            let schema = wire_schema(name);
            let form = json!({"name": name.as_str(), "strict": false, "schema": schema});
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

/// What was said, the shape of the reply in the system's words where the form of the request does not carry it.
fn turns(request: &ChatRequest, dialect: Dialect, native_tools: bool) -> Vec<Value> {
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
    let in_words = !native_tools && !request.native_tools.is_empty();
    let mut shape = String::new();
    if dialect.rung != Rung::JsonSchema {
        shape = shape_in_words(asked_schema(request, native_tools), native_tools);
    }
    if in_words {
        shape = format!("{}\n\n{shape}", tools_in_words(request)).trim_end().to_owned();
    }
    if !shape.is_empty() {
        match messages.first_mut().filter(|first| first["role"] == "system") {
            Some(first) => {
                let content = first["content"].as_str().unwrap_or_default();
                first["content"] = json!(format!("{content}\n\n{shape}"));
            }
            None => messages.insert(0, json!({"role": "system", "content": shape})),
        }
    }
    if !dialect.system {
        without_system(&mut messages);
    }
    messages
}

/// The system's words apart from the rest.
fn split_system(mut turns: Vec<Value>) -> (Option<String>, Vec<Value>) {
    if turns.first().is_none_or(|first| first["role"] != "system") {
        return (None, turns);
    }
    let system = turns.remove(0);
    (system["content"].as_str().map(str::to_owned), turns)
}

/// The instructions at the head of the person's words, for servers that take no others.
fn without_system(messages: &mut Vec<Value>) {
    if messages.first().is_none_or(|first| first["role"] != "system") {
        return;
    }
    let system = messages.remove(0);
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    match messages.iter_mut().find(|message| message["role"] == "user") {
        Some(user) => user["content"] = json!(format!("{}\n\n{}", text(&system), text(user))),
        None => messages.insert(0, json!({"role": "user", "content": text(&system)})),
    }
}

/// The shape of the reply: where tools would be called in the server's own form and it has none, an action.
fn asked_schema(request: &ChatRequest, native_tools: bool) -> SchemaName {
    let in_words = !native_tools && !request.native_tools.is_empty();
    if in_words { SchemaName::Action } else { request.schema }
}

/// Tools as part of the prompt, for a server that takes none in its own form.
fn tools_in_words(request: &ChatRequest) -> String {
    let tool = |spec: &ToolSpec| format!("- {} {}: {}", spec.name, spec.schema, spec.purpose);
    let tools: Vec<String> = request.native_tools.iter().map(tool).collect();
    format!("Tools, each with the JSON schema of its arguments:\n{}", tools.join("\n"))
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

/// The schema of a tool's arguments. One that is no JSON becomes one that allows any.
fn parameters(spec: &ToolSpec) -> Value {
    serde_json::from_str(&spec.schema).unwrap_or_else(|_| json!({"type": "object"}))
}

/// Tools in the server's own form.
fn tools(request: &ChatRequest) -> Value {
    let tool = |spec: &ToolSpec| {
        json!({"type": "function",
               "function": {"name": spec.name, "description": spec.purpose, "parameters": parameters(spec)}})
    };
    Value::Array(request.native_tools.iter().map(tool).collect())
}

#[cfg(test)]
mod tests {
    use artoo_types::chat::{ChatMessage, ChatRequest, Speaker, Tier};
    use artoo_types::envelope::Role;
    use artoo_types::reply::SchemaName;
    use artoo_types::tool::ToolSpec;
    use serde_json::{Value, json};

    use super::{chat as body, wire_schema};
    use crate::openai::ladder::{Dialect, Rung};

    fn request(messages: &[(Speaker, &str)]) -> ChatRequest {
        let message = |(speaker, content): &(Speaker, &str)| ChatMessage {
            speaker: *speaker,
            content: (*content).to_owned(),
        };
        ChatRequest {
            role: Role::Planner,
            tier: Tier::Brain,
            messages: messages.iter().map(message).collect(),
            schema: SchemaName::Plan,
            native_tools: Vec::new(),
            deadline_ms: 1,
            brief: None,
            steady: Vec::new(),
            images: Vec::new(),
        }
    }

    fn on(rung: Rung) -> Value {
        let request = request(&[
            (Speaker::System, "# Role: R2 Planner"),
            (Speaker::User, "go"),
            (Speaker::Assistant, "bad"),
            (Speaker::User, "repair"),
        ]);
        body(&request, "m", Dialect { rung, ..Dialect::default() }, false)
    }

    #[test]
    fn the_strictest_form_carries_the_schema_apart_from_the_prompt() {
        let body = on(Rung::JsonSchema);
        let form = &body["response_format"];
        assert_eq!(form["type"], "json_schema");
        assert_eq!(form["json_schema"]["name"], "plan");
        assert_eq!(form["json_schema"]["strict"], false);
        assert_eq!(form["json_schema"]["schema"]["required"], json!(["task_criteria", "subtasks"]));
        assert_eq!(
            body["messages"],
            json!([
                {"role": "system", "content": "# Role: R2 Planner"},
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": "bad"},
                {"role": "user", "content": "repair"}
            ])
        );
        assert_eq!(body["stream_options"], json!({"include_usage": true}));
        let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            ["model", "messages", "stream", "stream_options", "response_format"],
            "and nothing else"
        );
    }

    #[test]
    fn the_lower_forms_carry_the_schema_in_the_prompt() {
        for (rung, form) in [(Rung::JsonObject, json!({"type": "json_object"})), (Rung::Text, Value::Null)] {
            let body = on(rung);
            assert_eq!(body["response_format"], form);
            let system = body["messages"][0]["content"].as_str().unwrap();
            assert!(system.starts_with("# Role: R2 Planner\n"), "the role stays first: {system}");
            assert!(system.contains("json") && system.contains("\"subtasks\""), "{system}");
            assert_eq!(body["messages"].as_array().unwrap().len(), 4);
        }
    }

    #[test]
    fn a_request_without_a_system_message_gets_one_for_the_schema() {
        let request = request(&[(Speaker::User, "go")]);
        let body = body(
            &request,
            "m",
            Dialect { rung: Rung::Text, stream_options: false, ..Dialect::default() },
            false,
        );
        assert_eq!(body["messages"][0]["role"], "system");
        assert_eq!(body["messages"][1], json!({"role": "user", "content": "go"}));
        assert!(body.get("stream_options").is_none());
    }

    #[test]
    fn native_tools_are_offered_in_the_servers_form() {
        let tool = |name: &str, schema: &str| ToolSpec {
            name: name.to_owned(),
            signature: "{root}".to_owned(),
            purpose: "finds".to_owned(),
            schema: schema.to_owned(),
            reads: false,
        };
        let mut request = request(&[(Speaker::System, "s")]);
        request.native_tools =
            vec![tool("glob", r#"{"type":"object","required":["root"]}"#), tool("odd", "{")];
        let body = body(&request, "m", Dialect { rung: Rung::Text, ..Dialect::default() }, true);
        assert_eq!(
            body["tools"],
            json!([
                {"type": "function", "function": {"name": "glob", "description": "finds",
                 "parameters": {"type": "object", "required": ["root"]}}},
                {"type": "function", "function": {"name": "odd", "description": "finds",
                 "parameters": {"type": "object"}}}
            ])
        );
        assert!(body["messages"][0]["content"].as_str().unwrap().contains("Unless you call a tool"));
    }

    #[test]
    fn schemas_on_the_wire_hold_nothing_that_trips_servers() {
        for schema in
            [SchemaName::Plan, SchemaName::MergeVerdict, SchemaName::ExecutionResult, SchemaName::Action]
        {
            let text = wire_schema(schema).to_string();
            assert!(!text.contains("$schema\":"), "{text}");
            for property in ["output", "value", "merged_output", "items"] {
                assert!(!text.contains(&format!("\"{property}\":true")), "{property} in {text}");
            }
        }
    }
}
