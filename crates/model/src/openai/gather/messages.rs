//! Messages: blocks of content, each begun, continued and ended by events, or all of them in one object.

use artoo_types::chat::Usage;
use serde_json::Value;

use super::ReplyParts;

impl ReplyParts {
    /// Takes one event of a stream, or a whole message.
    pub(super) fn take_message_event(&mut self, value: &Value) {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let index = value.get("index").and_then(Value::as_u64);
        let part = |key: &str| value.get(key).unwrap_or(&Value::Null);
        match text("type") {
            Some("message_start") => self.take_message(part("message")),
            Some("message") => self.take_message(value),
            Some("content_block_start") => self.take_block(index, part("content_block")),
            Some("content_block_delta") => self.take_block_delta(index, part("delta")),
            Some("message_delta") => {
                self.take_stop(part("delta"));
                self.take_message_usage(value);
            }
            // Signs of life, the ends of blocks, and what later versions bring.
            Some(_) => {}
            None => return,
        }
        self.chunks += 1;
    }

    fn take_message(&mut self, message: &Value) {
        if let Some(model) = message.get("model").and_then(Value::as_str) {
            model.clone_into(&mut self.model);
        }
        let blocks = message.get("content").and_then(Value::as_array);
        for (index, block) in blocks.into_iter().flatten().enumerate() {
            self.take_block(Some(index as u64), block);
        }
        self.take_stop(message);
        self.take_message_usage(message);
    }

    /// A block, whole or at its beginning. Thoughts are not part of the answer.
    fn take_block(&mut self, index: Option<u64>, block: &Value) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "text" => self.content.push_str(text("text")),
            "tool_use" => {
                let (id, name) = (text("id"), text("name"));
                let input =
                    block.get("input").filter(|input| input.as_object().is_some_and(|o| !o.is_empty()));
                if let Some(call) = self.call(index, id) {
                    name.clone_into(&mut call.name);
                    call.arguments = input.map(Value::to_string).unwrap_or_default();
                }
            }
            _ => {}
        }
    }

    fn take_block_delta(&mut self, index: Option<u64>, delta: &Value) {
        let text = |key: &str| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "text_delta" => self.content.push_str(text("text")),
            "input_json_delta" => {
                if let Some(call) = self.call(index, "") {
                    call.arguments.push_str(text("partial_json"));
                }
            }
            _ => {}
        }
    }

    /// Why it stopped, in the words of Chat Completions, which roles know.
    fn take_stop(&mut self, holder: &Value) {
        let Some(reason) = holder.get("stop_reason").and_then(Value::as_str) else { return };
        let word = match reason {
            "end_turn" | "stop_sequence" => "stop",
            "max_tokens" | "model_context_window_exceeded" => "length",
            "tool_use" => "tool_calls",
            "refusal" => "content_filter",
            other => other,
        };
        self.finish_reason = Some(word.to_owned());
        for call in self.calls.iter_mut().filter(|call| call.arguments.is_empty()) {
            call.arguments = "{}".to_owned();
        }
    }

    /// What was read from the cache or put into it is not in `input_tokens`, and the prompt has it all the same.
    fn take_message_usage(&mut self, holder: &Value) {
        let Some(usage) = holder.get("usage").filter(|usage| usage.is_object()) else { return };
        let number = |key: &str| usage.get(key).and_then(Value::as_u64);
        let known = self.usage;
        let cached = number("cache_read_input_tokens");
        let more = cached.unwrap_or(0).saturating_add(number("cache_creation_input_tokens").unwrap_or(0));
        self.usage = Usage {
            prompt: number("input_tokens").map(|tokens| tokens.saturating_add(more)).or(known.prompt),
            cached: cached.or(known.cached),
            completion: number("output_tokens").or(known.completion),
            reasoning: known.reasoning,
            estimated: None,
            cost_nanousd: None,
        };
    }
}
