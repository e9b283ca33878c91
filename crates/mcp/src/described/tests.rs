use std::sync::Arc;

use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};
use rmcp::model::Tool;
use serde_json::{Value, json};

use super::{Described, MAX_OFFERED_CHARS, describe, offered};

fn tool(name: &str, description: &str, schema: &Value) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name.to_owned(), description.to_owned(), Arc::new(schema))
}

fn described(name: &str, description: &str, schema: &Value) -> Result<Described, String> {
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
    assert!(!made.schema.contains("kept-to-myself") && !made.schema.contains('\u{202e}'), "{}", made.schema);
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
