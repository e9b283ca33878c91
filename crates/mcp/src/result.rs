//! What a call of a server's tool put out, as text.

use artoo_types::evidence::CallEnd;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, ResourceContents};
use rmcp::service::ServiceError;

use artoo_types::text::escape;
use artoo_types::tool::CallOutcome;

/// The outcome of a call that was answered.
pub(crate) fn produced(response: CallToolResponse) -> CallOutcome {
    match response {
        CallToolResponse::Complete(result) => {
            let text = text(&result);
            if result.is_error == Some(true) { CallOutcome::failed(text) } else { CallOutcome::done(text) }
        }
        CallToolResponse::InputRequired(_) => CallOutcome::failed(
            "the server asked for more input from a person or a model, which it does not get".to_owned(),
        ),
        CallToolResponse::Task(_) => CallOutcome::failed(
            "the server wants to finish the call later, which artoo does not wait for".to_owned(),
        ),
        other => CallOutcome::failed(format!("the server gave an answer of an unknown kind: {other:?}")),
    }
}

/// The outcome of a call that was not answered. What the server itself says of a call is a failure of the call; all else
/// is the environment's.
pub(crate) fn not_answered(server: &str, error: &ServiceError) -> CallOutcome {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum belongs to the library")]
    match error {
        ServiceError::McpError(error) => {
            let said = escape(&error.message);
            CallOutcome::failed(format!(
                "the MCP server {server} refused the call: {said} (code {})",
                error.code.0
            ))
        }
        other => CallOutcome::ended(
            CallEnd::Error,
            format!("the MCP server {server} went away during the call: {}", escape(&other.to_string())),
        ),
    }
}

/// The parts in their order. What is no text is named. The receipt takes out what a terminal would act on.
fn text(result: &CallToolResult) -> String {
    let mut parts: Vec<String> = result.content.iter().map(part).collect();
    if parts.is_empty()
        && let Some(value) = &result.structured_content
    {
        parts.push(value.to_string());
    }
    parts.join("\n")
}

/// A part of an answer as text.
pub(crate) fn part(block: &ContentBlock) -> String {
    #[allow(
        unreachable_patterns,
        clippy::wildcard_enum_match_arm,
        reason = "the enum belongs to the library"
    )]
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => bytes("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => bytes("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => contents(&embedded.resource),
        ContentBlock::ResourceLink(link) => format!("[resource {}: not read]", link.uri),
        _ => "[content of an unknown kind]".to_owned(),
    }
}

/// What a resource holds as text.
pub(crate) fn contents(resource: &ResourceContents) -> String {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum belongs to the library")]
    match resource {
        ResourceContents::TextResourceContents { uri, text, .. } => format!("[resource {uri}]\n{text}"),
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            bytes(&format!("resource {uri}"), mime_type.as_deref().unwrap_or("of unknown type"), blob)
        }
        _ => "[a resource of an unknown kind]".to_owned(),
    }
}

/// Bytes in base64 are of no use to a model that reads text.
fn bytes(what: &str, kind: &str, base64: &str) -> String {
    format!("[{what}, {kind}, {} bytes: not shown]", base64.len() / 4 * 3)
}

#[cfg(test)]
mod tests {
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
}
