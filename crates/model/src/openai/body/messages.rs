//! Messages.

use artoo_types::chat::{ChatRequest, Speaker};
use artoo_types::tool::ToolSpec;
use serde_json::{Map, Value, json};

use super::{images, parameters, split_system, turns};
use crate::config::ApiForm;
use crate::openai::ladder::{Dialect, REPLY_TOKENS};

/// The body of one HTTP request. The mark at the end of the instructions has the server keep them, and the tools before
/// them: they are the same in every call of a role. What of the person's message stays is marked as well.
pub(super) fn body(request: &ChatRequest, model: &str, dialect: Dialect, native_tools: bool) -> Value {
    let (system, mut messages) = split_system(turns(request, dialect, native_tools));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert(
        "max_tokens".to_owned(),
        json!(REPLY_TOKENS[dialect.reply_tokens.min(REPLY_TOKENS.len() - 1)]),
    );
    if let Some(system) = system {
        body.insert("system".to_owned(), json!([block(&system, true)]));
    }
    in_blocks(&mut messages, request);
    images::add(&mut messages, request, ApiForm::Messages);
    body.insert("messages".to_owned(), Value::Array(messages));
    body.insert("stream".to_owned(), json!(dialect.stream));
    if native_tools {
        let tool = |spec: &ToolSpec| json!({"name": spec.name, "description": spec.purpose, "input_schema": parameters(spec)});
        body.insert("tools".to_owned(), request.native_tools.iter().map(tool).collect());
    }
    Value::Object(body)
}

/// The first user message as one block a part that stays, and one for the rest. Two marks: behind the first part, which stays in
/// every question of the attempt, and behind the last one. A server looks for what it kept at the ends of up to 20 blocks before a
/// mark, more than a turn adds, so that each question finds the one before it; it takes four marks in all.
fn in_blocks(messages: &mut [Value], request: &ChatRequest) {
    let Some(asked) = request.messages.iter().find(|message| message.speaker == Speaker::User) else {
        return;
    };
    let (Some(user), Some(last)) = (messages.first_mut(), request.steady.len().checked_sub(1)) else {
        return;
    };
    let text = asked.content.as_str();
    // Where the words were put together anew, the parts are no longer known.
    if user["content"] != text {
        return;
    }
    let (mut blocks, mut from) = (Vec::new(), 0);
    for (index, end) in request.steady.iter().enumerate() {
        let Some(part) = text.get(from..*end).filter(|part| !part.trim().is_empty()) else { return };
        blocks.push(block(part, index == 0 || index == last));
        from = *end;
    }
    blocks.extend(text.get(from..).filter(|rest| !rest.trim().is_empty()).map(|rest| block(rest, false)));
    user["content"] = Value::Array(blocks);
}

/// A block of text; the mark has the server keep all up to its end.
fn block(text: &str, is_kept: bool) -> Value {
    let mut block = json!({"type": "text", "text": text});
    if is_kept {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
    block
}
