use artoo_types::evidence::CallEnd;
use rmcp::model::{CallToolResponse, CallToolResult};
use serde_json::{Value, json};

use super::produced;
use artoo_types::tool::CallOutcome;

fn of(result: Value) -> CallOutcome {
    let result: CallToolResult = serde_json::from_value(result).unwrap();
    produced(CallToolResponse::Complete(result))
}

#[test]
fn every_kind_of_content_becomes_text() {
    let made = of(json!({"content": [
        {"type": "text", "text": "a\tb"},
        {"type": "image", "data": "QUJD", "mimeType": "image/png"},
        {"type": "audio", "data": "QUJDQUJD", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "file:///b", "blob": "QUJD"}},
        {"type": "resource_link", "uri": "file:///c", "name": "c"},
    ]}));
    assert_eq!((made.end, made.exit), (CallEnd::Ran, Some(0)));
    let expected = [
        "a\tb",
        "[image, image/png, 3 bytes: not shown]",
        "[audio, audio/wav, 6 bytes: not shown]",
        "[resource file:///a]",
        "inside",
        "[resource file:///b, of unknown type, 3 bytes: not shown]",
        "[resource file:///c: not read]",
    ];
    assert_eq!(made.output.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_result_without_content_is_its_structure() {
    let made = of(json!({"content": [], "structuredContent": {"degrees": 21}}));
    assert_eq!(made.output, "{\"degrees\":21}");
}

#[test]
fn an_error_is_a_failed_call() {
    let made = of(json!({"content": [{"type": "text", "text": "no such note"}], "isError": true}));
    assert_eq!((made.end, made.exit, made.output.as_str()), (CallEnd::Ran, Some(1), "no such note"));
}
