//! One reply, gathered from the chunks of a stream or from one JSON body. Every field may be missing or of another
//! type: what cannot be read is passed over. Here Chat Completions; the others are below.

mod messages;
mod responses;

use artoo_types::chat::{ChatReply, NativeToolCall, Usage};
use serde_json::Value;

use super::refusal::ServerRefusal;
use super::sse::Event;
use crate::config::ApiForm;

/// Most tool calls in one reply; an executor may make 10 in a whole attempt, so that more are a server's fault.
const MAX_TOOL_CALLS: usize = 64;

/// What has come so far.
#[derive(Debug, Clone, Default)]
pub(super) struct ReplyParts {
    api: ApiForm,
    content: String,
    refusal: String,
    calls: Vec<PartialCall>,
    finish_reason: Option<String>,
    usage: Usage,
    model: String,
    chunks: usize,
}

/// Why an event or a body cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadChunk {
    /// It says that the reply failed.
    Refused(ServerRefusal),
    /// It is no JSON.
    NotJson,
}

#[derive(Debug, Clone, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl ReplyParts {
    /// Nothing yet of a reply in this form.
    pub(super) fn new(api: ApiForm) -> Self {
        Self { api, ..Self::default() }
    }

    /// Takes one event of a stream. True at its end (`[DONE]`).
    ///
    /// # Errors
    /// [`BadChunk`], and then the stream is worth no more reading.
    pub(super) fn take_event(&mut self, event: &Event) -> Result<bool, BadChunk> {
        if event.data.trim() == "[DONE]" {
            return Ok(true);
        }
        match serde_json::from_str::<Value>(&event.data) {
            Ok(value) => self.take_value(&value, event.name == "error").map(|()| false),
            Err(_) if event.name == "error" => Err(BadChunk::Refused(ServerRefusal::in_words(&event.data))),
            // Some servers end events with one line break, which joins their lines to one event.
            Err(_) if event.data.contains('\n') => {
                for line in event.data.lines().filter(|line| !line.trim().is_empty()) {
                    if self.take_event(&Event { name: String::new(), data: line.to_owned() })? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Err(_) => Err(BadChunk::NotJson),
        }
    }

    /// Takes a whole reply in one JSON object.
    ///
    /// # Errors
    /// [`BadChunk`].
    pub(super) fn take_body(&mut self, body: &[u8]) -> Result<(), BadChunk> {
        let value = serde_json::from_slice::<Value>(body).map_err(|_| BadChunk::NotJson)?;
        self.take_value(&value, false)
    }

    /// Whether anything of the answer is there; reasoning and usage are none.
    pub(super) fn has_content(&self) -> bool {
        !self.content.is_empty() || !self.refusal.is_empty() || !self.calls.is_empty()
    }

    /// Whether the server said why it stopped: nothing but usage can follow.
    pub(super) fn is_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Whether a filter of the server stopped the reply.
    pub(super) fn is_filtered(&self) -> bool {
        self.finish_reason.as_deref().is_some_and(|reason| reason.starts_with("content_filter"))
    }

    /// Whether the server sent any chunk of a chat completion.
    pub(super) fn has_chunks(&self) -> bool {
        self.chunks > 0
    }

    /// The reply; `model` is the configured name, for a server that does not name its own.
    pub(super) fn into_reply(self, model: &str) -> ChatReply {
        // A refusal in its own field is what the model said when it said nothing else.
        let content = if self.content.is_empty() { self.refusal } else { self.content };
        let calls = self.calls.into_iter().filter(|call| !call.name.is_empty());
        ChatReply {
            content,
            tool_calls: calls
                .map(|call| NativeToolCall { name: call.name, arguments: call.arguments })
                .collect(),
            finish_reason: self.finish_reason,
            usage: self.usage,
            model: if self.model.is_empty() { model.to_owned() } else { self.model },
            attempts: 0,
            elapsed_ms: 0,
        }
    }

    fn take_value(&mut self, value: &Value, named_error: bool) -> Result<(), BadChunk> {
        if let Some(refusal) = ServerRefusal::inside(value, named_error) {
            return Err(BadChunk::Refused(refusal));
        }
        if let Some(model) = value.get("model").and_then(Value::as_str).filter(|model| !model.is_empty()) {
            model.clone_into(&mut self.model);
        }
        match self.api {
            ApiForm::Chat => self.take_chunk(value),
            ApiForm::Responses => return self.take_response_event(value),
            ApiForm::Messages => self.take_message_event(value),
        }
        Ok(())
    }

    fn take_chunk(&mut self, value: &Value) {
        self.take_usage(value);
        let choices = value.get("choices").and_then(Value::as_array);
        if choices.is_some() {
            self.chunks += 1;
        }
        // One answer was asked for; a server that sends several has the first one count.
        let first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        let Some(choice) = choices.and_then(|choices| choices.iter().find(first)) else {
            return;
        };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish_reason = Some(reason.to_owned());
        }
        let part = choice.get("delta").filter(|delta| delta.is_object()).or_else(|| choice.get("message"));
        if let Some(part) = part {
            self.take_part(part);
        }
    }

    /// A tool call that has this index or id, made if it is new; None beyond the bound.
    fn call(&mut self, index: Option<u64>, id: &str) -> Option<&mut PartialCall> {
        let known = self.calls.iter().position(|call| match index {
            Some(_) => call.index == index,
            None => call.id == id,
        });
        if known.is_none() && self.calls.len() < MAX_TOOL_CALLS {
            self.calls.push(PartialCall { index, id: id.to_owned(), ..PartialCall::default() });
        }
        let last = self.calls.len() - 1;
        self.calls.get_mut(known.unwrap_or(last)).filter(|_| known.is_some() || last < MAX_TOOL_CALLS)
    }

    /// `delta` or `message`. Reasoning, under either of its names, is not part of the answer.
    fn take_part(&mut self, part: &Value) {
        match part.get("content") {
            Some(Value::String(text)) => self.content.push_str(text),
            Some(Value::Array(pieces)) => {
                for piece in pieces.iter().filter(|piece| piece.get("type").is_none_or(|kind| kind == "text"))
                {
                    self.content.push_str(piece.get("text").and_then(Value::as_str).unwrap_or_default());
                }
            }
            Some(_) | None => {}
        }
        self.refusal.push_str(part.get("refusal").and_then(Value::as_str).unwrap_or_default());
        for call in part.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.take_call(call);
        }
    }

    fn take_call(&mut self, delta: &Value) {
        let index = delta.get("index").and_then(Value::as_u64);
        let id = delta.get("id").and_then(Value::as_str).unwrap_or_default();
        let function = delta.get("function").unwrap_or(delta);
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        // A piece goes on with the call of its index, or with the last call; an id of its own begins another.
        let known = self.calls.iter().rposition(|call| {
            (index.is_none() || call.index == index) && (id.is_empty() || call.id.is_empty() || call.id == id)
        });
        let begins = index.is_none() && id.is_empty() && !name.is_empty();
        let position = match known.filter(|_| !begins) {
            Some(position) => position,
            None if self.calls.len() < MAX_TOOL_CALLS => {
                self.calls.push(PartialCall { index, ..PartialCall::default() });
                self.calls.len() - 1
            }
            None => return,
        };
        let call = &mut self.calls[position];
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        // A name comes whole; a server that repeats it in each piece says the same again.
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        match function.get("arguments") {
            Some(Value::String(text)) => call.arguments.push_str(text),
            Some(object @ Value::Object(_)) => call.arguments = object.to_string(),
            Some(_) | None => {}
        }
    }

    /// Servers name the details differently, and may report them in more than one chunk: the last word counts.
    fn take_usage(&mut self, value: &Value) {
        let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) else { return };
        let number =
            |pointers: &[&str]| pointers.iter().find_map(|at| usage.pointer(at).and_then(Value::as_u64));
        let known = self.usage;
        self.usage = Usage {
            prompt: number(&["/prompt_tokens"]).or(known.prompt),
            cached: number(&[
                "/prompt_tokens_details/cached_tokens",
                "/prompt_cache_hit_tokens",
                "/cached_tokens",
            ])
            .or(known.cached),
            completion: number(&["/completion_tokens"]).or(known.completion),
            reasoning: number(&["/completion_tokens_details/reasoning_tokens", "/reasoning_tokens"])
                .or(known.reasoning),
            estimated: None,
            cost_nanousd: None,
        };
    }
}

#[cfg(test)]
mod tests;
