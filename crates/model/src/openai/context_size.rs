//! How many tokens a model takes at once: what the configuration says, else what its server says. It is asked once, after it
//! has answered for the first time: a server that loads models on demand knows only then with which context it did.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::endpoint::Endpoint;
use super::probe::json_of;
use crate::known::KnownServers;

/// How long a server may take to tell. Nobody waits for it.
const WITHIN: Duration = Duration::from_secs(10);
/// Fewer tokens are no context of a model that answers chats.
const LEAST_TOKENS: u64 = 256;

/// What is known of the context of one model on one server.
#[derive(Debug)]
pub(super) struct ContextSize {
    /// The server and the model.
    name: String,
    configured: Option<u64>,
    known: KnownServers,
    is_asked: AtomicBool,
}

impl ContextSize {
    /// Of the model of this name on its server.
    pub(super) fn new(name: String, configured: Option<u64>, known: KnownServers) -> Self {
        Self { name, configured, known, is_asked: AtomicBool::new(false) }
    }

    /// Its tokens, where they are known by now.
    pub(super) fn tokens(&self) -> Option<u64> {
        self.configured.or_else(|| self.known.context(&self.name))
    }

    /// Asks in the background, once a start of the daemon, unless it is configured.
    pub(super) fn ask_once(self: &Arc<Self>, endpoint: &Arc<Endpoint>) {
        if self.configured.is_some() || self.is_asked.swap(true, Ordering::Relaxed) {
            return;
        }
        let (this, endpoint) = (Arc::clone(self), Arc::clone(endpoint));
        tokio::spawn(async move {
            let told = endpoint.context(WITHIN).await.filter(|tokens| *tokens >= LEAST_TOKENS);
            tracing::debug!(server = this.name, tokens = told, "the context of the model");
            if let Some(tokens) = told {
                this.known.note_context(&this.name, tokens);
            }
        });
    }
}

impl Endpoint {
    /// Tokens of the model's context as its server tells: llama.cpp's with `/props`, Ollama with `/api/ps` of a model that it
    /// has loaded and with `/api/show`, others in their list of models. The list of llama.cpp's tells what the model was
    /// trained with, so it is asked last.
    pub(super) async fn context(&self, wait: Duration) -> Option<u64> {
        let origin = self.address.endpoint.origin().ascii_serialization();
        let read = async {
            let props = json_of(self.client.get(format!("{origin}/props"))).await;
            if let Some(tokens) = props.and_then(|props| served(&props)) {
                return Some(tokens);
            }
            let running = json_of(self.client.get(format!("{origin}/api/ps"))).await;
            if let Some(tokens) = running.and_then(|running| loaded(&running, &self.model)) {
                return Some(tokens);
            }
            let body = json!({"model": self.model}).to_string();
            let shown = json_of(self.client.post(format!("{origin}/api/show")).body(body)).await;
            if let Some(tokens) = shown.and_then(|shown| most(&shown)) {
                return Some(tokens);
            }
            let models = self.models(wait).await?;
            models.into_iter().find(|listed| listed.name == self.model)?.context
        };
        timeout(wait, read).await.ok()?
    }
}

/// The context of one of the places of llama.cpp's server.
fn served(props: &Value) -> Option<u64> {
    props.pointer("/default_generation_settings/n_ctx").or_else(|| props.get("n_ctx"))?.as_u64()
}

/// The context with which Ollama has loaded a model, from its list of what runs.
fn loaded(running: &Value, model: &str) -> Option<u64> {
    let models = running.get("models")?.as_array()?;
    let ours = models.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(model))?;
    ours.get("context_length")?.as_u64()
}

/// The context that Ollama gives a model where it says so, else the most that the model has.
fn most(shown: &Value) -> Option<u64> {
    let parameters = shown.get("parameters").and_then(Value::as_str).unwrap_or_default();
    let set = parameters.lines().find_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok());
    let info = shown.get("model_info")?.as_object()?;
    let most = info.iter().find(|(name, _)| name.ends_with(".context_length"));
    set.or_else(|| most.and_then(|(_, tokens)| tokens.as_u64()))
}
