//! Responses: events that each say what they are, the last with the whole response, or that alone.

use artoo_types::chat::Usage;
use serde_json::Value;

use super::{BadChunk, ReplyParts};
use crate::openai::refusal::ServerRefusal;

impl ReplyParts {
    /// Takes one event of a stream, or a whole response.
    ///
    /// # Errors
    /// [`BadChunk::Refused`] when it says that the response failed.
    pub(super) fn take_response_event(&mut self, value: &Value) -> Result<(), BadChunk> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        match kind {
            "response.output_text.delta" => self.content.push_str(text("delta")),
            "response.refusal.delta" => self.refusal.push_str(text("delta")),
            "response.output_item.added" | "response.output_item.done" => {
                self.take_item(value.get("item").unwrap_or(&Value::Null));
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.chunks += 1;
                return self.take_response(value.get("response").unwrap_or(&Value::Null));
            }
            "error" => return Err(BadChunk::Refused(ServerRefusal::of(value))),
            _ if value.get("object").and_then(Value::as_str) == Some("response") => {
                self.chunks += 1;
                return self.take_response(value);
            }
            // Signs of life, thoughts, and what repeats what the deltas said.
            _ => {}
        }
        self.chunks += usize::from(kind.starts_with("response."));
        Ok(())
    }

    /// The whole response: what stands in it outranks what its deltas said.
    fn take_response(&mut self, response: &Value) -> Result<(), BadChunk> {
        let at = |pointer: &str| response.pointer(pointer).and_then(Value::as_str);
        if let Some(refusal) = response.get("error").filter(|error| !error.is_null()) {
            return Err(BadChunk::Refused(ServerRefusal::of(refusal)));
        }
        if let Some(model) = at("/model") {
            model.clone_into(&mut self.model);
        }
        let items: Vec<&Value> =
            response.get("output").and_then(Value::as_array).into_iter().flatten().collect();
        let parts = items.iter().filter_map(|item| item.get("content").and_then(Value::as_array)).flatten();
        let (mut content, mut refusal) = (String::new(), String::new());
        for part in parts {
            let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
            match text("type") {
                "output_text" => content.push_str(text("text")),
                "refusal" => refusal.push_str(text("refusal")),
                _ => {}
            }
        }
        if !content.is_empty() || !refusal.is_empty() {
            (self.content, self.refusal) = (content, refusal);
        }
        items.into_iter().for_each(|item| self.take_item(item));
        self.finish_reason = match (at("/status"), at("/incomplete_details/reason")) {
            (_, Some("max_output_tokens")) => Some("length".to_owned()),
            (_, Some(reason)) => Some(reason.to_owned()),
            (Some("completed"), None) if !self.calls.is_empty() => Some("tool_calls".to_owned()),
            (Some("completed"), None) => Some("stop".to_owned()),
            (status, None) => status.map(str::to_owned),
        };
        self.take_response_usage(response);
        Ok(())
    }

    /// A tool call; it comes at its beginning and again when it is whole.
    fn take_item(&mut self, item: &Value) {
        let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("type") != "function_call" {
            return;
        }
        let id = if text("call_id").is_empty() { text("id") } else { text("call_id") };
        if let Some(call) = self.call(None, id) {
            text("name").clone_into(&mut call.name);
            text("arguments").clone_into(&mut call.arguments);
        }
    }

    fn take_response_usage(&mut self, response: &Value) {
        let number = |pointer: &str| response.pointer(pointer).and_then(Value::as_u64);
        self.usage = Usage {
            prompt: number("/usage/input_tokens"),
            cached: number("/usage/input_tokens_details/cached_tokens"),
            completion: number("/usage/output_tokens"),
            reasoning: number("/usage/output_tokens_details/reasoning_tokens"),
            estimated: None,
            cost_nanousd: None,
        };
    }
}
