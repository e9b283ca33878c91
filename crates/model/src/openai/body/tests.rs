use artoo_types::chat::{ChatMessage, ChatRequest, Speaker, Tier};
use artoo_types::envelope::Role;
use artoo_types::reply::SchemaName;
use artoo_types::tool::ToolSpec;
use serde_json::{Value, json};

use super::{body, wire_schema};
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
    }
}

fn on(rung: Rung) -> Value {
    let request = request(&[
        (Speaker::System, "# Role: R2 Planner"),
        (Speaker::User, "go"),
        (Speaker::Assistant, "bad"),
        (Speaker::User, "repair"),
    ]);
    body(&request, "m", Dialect { rung, stream_options: true }, false)
}

#[test]
fn the_strictest_form_carries_the_schema_apart_from_the_prompt() {
    let body = on(Rung::JsonSchema);
    let form = &body["response_format"];
    assert_eq!(form["type"], "json_schema");
    assert_eq!(form["json_schema"]["name"], "plan");
    assert_eq!(form["json_schema"]["strict"], false);
    assert_eq!(form["json_schema"]["schema"]["properties"]["subtasks"]["type"], "array");
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
    let body = body(&request, "m", Dialect { rung: Rung::Text, stream_options: false }, false);
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
    };
    let mut request = request(&[(Speaker::System, "s")]);
    request.native_tools = vec![tool("glob", r#"{"type":"object","required":["root"]}"#), tool("odd", "{")];
    let body = body(&request, "m", Dialect { rung: Rung::Text, stream_options: true }, true);
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
