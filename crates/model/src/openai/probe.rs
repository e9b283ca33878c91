//! A real call as an executor makes it, and the list of models that a server gives.

use std::time::Duration;

use artoo_types::chat::{ChatMessage, ChatReply, ChatRequest, Speaker, Tier};
use artoo_types::reply::SchemaName;
use artoo_types::role::Role;
use artoo_types::text::first_chars;
use artoo_types::tool::ToolSpec;
use reqwest::header::AUTHORIZATION;
use serde_json::Value;
use tokio::time::timeout;

use super::call::{Call, KEY_HEADER, MESSAGES_VERSION};
use super::endpoint::Endpoint;
use super::ladder::Rung;
use super::refusal::{Remedy, ServerRefusal};
use super::wire::BrokenBody;
use crate::config::ApiForm;
use crate::probe::{ListedModel, ModelProbe, ProbeVerdict};

/// Bytes of a list of models that are read: the longest in use names some hundred models in half of that.
const MAX_LIST_BYTES: usize = 4 * 1024 * 1024;
/// Models of a list that are kept.
const MAX_LISTED: usize = 500;
/// Characters of a reply that are quoted.
const QUOTED_CHARS: usize = 80;
/// Names under which servers tell the size of a context. Sources: the model lists of vLLM, OpenRouter, LM Studio, Groq and llama.cpp.
const CONTEXT_FIELDS: [&str; 6] = [
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "max_context_length",
    "context_window",
    "n_ctx_train",
];

impl Endpoint {
    /// Makes one call of a few words, and reads its reply as a role would.
    pub(super) async fn try_out(&self, native_tools: bool, wait: Duration) -> ModelProbe {
        let request = request(native_tools);
        let mut call = Call::within(self, wait, native_tools);
        // Each step takes a form away, and there are eight.
        let ended = loop {
            match call.once(&request).await {
                Err(Some(BrokenBody::Refused(refusal))) if call.walk.step(&refusal) => {}
                ended => break ended,
            }
        };
        let form = match call.walk.dialect.rung {
            _ if call.walk.native_tools => "tools",
            Rung::JsonSchema => "json_schema",
            Rung::JsonObject => "json_object",
            Rung::Text => "text",
        };
        let elapsed_ms = call.elapsed_ms();
        let (verdict, message) = match &ended {
            Ok(reply) => self.judge(reply),
            Err(broken) => broken_by(&call, broken.as_ref(), wait),
        };
        let form = if ended.is_ok() { form } else { "" };
        let mut probe = ModelProbe {
            verdict,
            message: self.redactor.redact(&message).into_owned(),
            elapsed_ms,
            form,
            models: Vec::new(),
        };
        if matches!(verdict, ProbeVerdict::UnknownModel | ProbeVerdict::WrongAddress) {
            self.ask_for_names(&mut probe, wait).await;
        }
        probe
    }

    /// The models that the server names.
    pub(super) async fn models(&self, wait: Duration) -> Option<Vec<ListedModel>> {
        let mut http = self.client.get(self.address.models()?).headers(self.headers.clone());
        if self.api == ApiForm::Messages {
            http = http.header("anthropic-version", MESSAGES_VERSION);
        }
        if let Some(authorization) = &self.authorization {
            let name = if self.api == ApiForm::Messages { KEY_HEADER } else { AUTHORIZATION };
            http = http.header(name, authorization.clone());
        }
        timeout(wait, async { listed(&json_of(http).await?) }).await.ok()?
    }

    /// Some servers say of an unknown model what they say of an unknown address: their list tells them apart.
    async fn ask_for_names(&self, probe: &mut ModelProbe, wait: Duration) {
        let Some(models) = self.models(wait).await else { return };
        if !models.iter().any(|listed| listed.name == self.model) {
            probe.verdict = ProbeVerdict::UnknownModel;
        }
        probe.models = models;
    }

    fn judge(&self, reply: &ChatReply) -> (ProbeVerdict, String) {
        let text = reply.content.rsplit("</think>").next().unwrap_or_default();
        let object = text.find('{').zip(text.rfind('}')).filter(|(start, end)| start < end);
        let value = object.and_then(|(start, end)| serde_json::from_str::<Value>(&text[start..=end]).ok());
        let is_action = value.is_some_and(|value| value.get("action").is_some());
        if is_action || !reply.tool_calls.is_empty() {
            return (ProbeVerdict::Answers, String::new());
        }
        let said = first_chars(&self.redactor.redact(text.trim()), QUOTED_CHARS);
        let message = format!(
            "{} at {} answers, but not in the JSON that it was asked for (it said {said:?}): set another model",
            self.model,
            self.address.host()
        );
        (ProbeVerdict::Unreadable, message)
    }
}

/// The JSON that a server gives, of bounded length.
pub(super) async fn json_of(http: reqwest::RequestBuilder) -> Option<Value> {
    let mut response = http.send().await.ok()?.error_for_status().ok()?;
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.ok()? {
        body.extend_from_slice(&piece);
        if body.len() > MAX_LIST_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

/// Why no reply came.
fn broken_by(call: &Call<'_>, broken: Option<&BrokenBody>, wait: Duration) -> (ProbeVerdict, String) {
    let target = call.subject();
    let Some(broken) = broken else {
        return (ProbeVerdict::Silent, target.slow(wait));
    };
    match broken {
        BrokenBody::Connect(why) => (ProbeVerdict::Closed, target.no_connection(why)),
        BrokenBody::Refused(refusal) => (of_refusal(refusal, target.has_key), target.refused(refusal).1),
        BrokenBody::Cut { began, what } => (ProbeVerdict::Failing, target.cut(*began, what)),
        BrokenBody::Silent { .. } => (ProbeVerdict::Silent, target.slow(wait)),
        BrokenBody::TooLong => (ProbeVerdict::Failing, target.too_long(super::wire::MAX_REPLY_BYTES)),
        BrokenBody::Filtered => (ProbeVerdict::Failing, target.filtered("")),
        BrokenBody::Encoded(how) => (ProbeVerdict::Failing, target.encoded(how)),
        BrokenBody::Untrusted(why) => (ProbeVerdict::Untrusted, target.untrusted(why)),
    }
}

fn of_refusal(refusal: &ServerRefusal, has_key: bool) -> ProbeVerdict {
    match refusal.remedy() {
        Remedy::Key if has_key => ProbeVerdict::WrongKey,
        Remedy::Key => ProbeVerdict::NoKey,
        Remedy::Credit => ProbeVerdict::NoCredit,
        Remedy::Permission => ProbeVerdict::NoPermission,
        Remedy::Model => ProbeVerdict::UnknownModel,
        Remedy::Address => ProbeVerdict::WrongAddress,
        Remedy::Wait if refusal.is_busy() => ProbeVerdict::Busy,
        Remedy::Wait | Remedy::Proxy | Remedy::Shorten | Remedy::Reword | Remedy::None => {
            ProbeVerdict::Failing
        }
    }
}

/// A request as an executor makes it, of a few words.
fn request(native_tools: bool) -> ChatRequest {
    let message = |speaker, content: &str| ChatMessage { speaker, content: content.to_owned() };
    let (system, user) = if native_tools {
        ("# Role: probe\nYou act by calling tools.", "Call the tool `ready` with the word \"yes\".")
    } else {
        (
            "# Role: probe\nYou answer with one JSON object and nothing else.",
            "Answer with exactly this: {\"action\": \"finish\", \"status\": \"completed\", \"output\": \"ready\"}",
        )
    };
    let tool = ToolSpec {
        name: "ready".to_owned(),
        signature: "{word}".to_owned(),
        purpose: "Says that you are ready.".to_owned(),
        schema: r#"{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}"#.to_owned(),
        reads: true,
    };
    ChatRequest {
        role: Role::Executor,
        tier: Tier::Tool,
        messages: vec![message(Speaker::System, system), message(Speaker::User, user)],
        schema: if native_tools { SchemaName::ExecutionResult } else { SchemaName::Action },
        native_tools: if native_tools { vec![tool] } else { Vec::new() },
        deadline_ms: artoo_types::limits::MODEL_CALL_MS,
        brief: None,
        steady: Vec::new(),
        images: Vec::new(),
    }
}

/// The models of a list: `{"data": [{"id": ...}]}`, or `{"models": [{"name": ...}]}` as some local servers have it.
fn listed(list: &Value) -> Option<Vec<ListedModel>> {
    let entries = list.get("data").or_else(|| list.get("models")).unwrap_or(list).as_array()?;
    let model = |entry: &Value| {
        let name = ["id", "name", "model"].iter().find_map(|key| entry.get(key)?.as_str())?;
        let meta = entry.get("meta");
        let context = CONTEXT_FIELDS
            .iter()
            .find_map(|field| entry.get(field).or_else(|| meta.and_then(|meta| meta.get(field)))?.as_u64());
        Some(ListedModel { name: name.to_owned(), context })
    };
    Some(entries.iter().filter_map(model).take(MAX_LISTED).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ListedModel, listed};

    #[test]
    fn lists_of_several_servers_are_read() {
        let model = |name: &str, context| ListedModel { name: name.to_owned(), context };
        for (list, expected) in [
            (
                json!({"data": [{"id": "a", "context_length": 4096}, {"id": "b"}]}),
                vec![model("a", Some(4096)), model("b", None)],
            ),
            (
                json!({"data": [{"id": "g", "meta": {"n_ctx_train": 131_072}}]}),
                vec![model("g", Some(131_072))],
            ),
            (json!({"models": [{"name": "llama3:8b"}]}), vec![model("llama3:8b", None)]),
            (json!({"data": []}), vec![]),
        ] {
            assert_eq!(listed(&list), Some(expected), "{list}");
        }
        assert_eq!(listed(&json!({"error": "no"})), None);
    }
}
