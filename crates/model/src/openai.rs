//! Servers that speak Chat Completions, Responses or Messages. What differs is where a request goes, how it is written
//! ([`body`]) and how its reply is read ([`gather`]); all else is the same for the three.

mod address;
mod body;
mod call;
mod context_size;
mod endpoint;
mod estimate;
mod failure;
mod gather;
mod ladder;
mod patience;
mod probe;
mod refusal;
mod room;
mod sse;
mod tool_form;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use artoo_redact::Redactor;
use artoo_types::chat::{ChatRequest, ModelOutcome};

use crate::config::{ModelConfigError, ProviderConfig, ToolCallForm};
use crate::known::KnownServers;
use crate::probe::{ListedModel, ModelProbe, Probing};
use crate::{Answer, ChatModel};
use call::Call;
use context_size::ContextSize;
use endpoint::Endpoint;
pub use patience::Timing;
use tool_form::ToolProbe;

/// One model on one server.
#[derive(Debug)]
pub struct OpenAi {
    endpoint: Arc<Endpoint>,
    tool_calls: ToolCallForm,
    probe: Arc<ToolProbe>,
    context: Arc<ContextSize>,
    sees_images: bool,
}

impl OpenAi {
    /// A provider for `config`; `kind` is not looked at. `known` is what was found out of servers before. Nothing is sent.
    ///
    /// # Errors
    /// [`ModelConfigError`] when no call could succeed.
    pub fn new(
        config: &ProviderConfig,
        timing: Timing,
        redactor: &Redactor,
        known: &KnownServers,
    ) -> Result<Self, ModelConfigError> {
        let endpoint = Arc::new(Endpoint::new(config, timing, redactor)?);
        let name = format!("{} {}", endpoint.address.shown, endpoint.model);
        let context = Arc::new(ContextSize::new(name.clone(), config.context, known.clone()));
        let probe = Arc::new(ToolProbe::new(name, known.clone()));
        Ok(Self { endpoint, tool_calls: config.tool_calls, probe, context, sees_images: config.images })
    }

    /// What is unusual about the configuration, if anything: for the start and for `artoo doctor`.
    pub fn advice(&self) -> Option<String> {
        self.endpoint.advice()
    }

    /// Makes one call of a few words, and reads its reply as a role would. It ends within `wait`, a list of models aside, which
    /// is asked for where the model is in question.
    pub async fn try_out(&self, wait: Duration) -> ModelProbe {
        self.endpoint.try_out(self.native_tool_calls(), wait).await
    }

    /// The models that the server names, in its order; None where it gives no list within `wait`.
    pub async fn models(&self, wait: Duration) -> Option<Vec<ListedModel>> {
        self.endpoint.models(wait).await
    }

    /// Asks the server for the tokens of the model's context; None where it does not tell.
    pub async fn ask_context(&self, wait: Duration) -> Option<u64> {
        self.endpoint.context(wait).await
    }

    async fn run(&self, request: &ChatRequest) -> ModelOutcome {
        let is_probed = self.tool_calls == ToolCallForm::Auto;
        let wants_tools = match self.tool_calls {
            ToolCallForm::Json => false,
            ToolCallForm::Native => true,
            // A task that began with them goes on with them; the ladder steps down where there are none.
            ToolCallForm::Auto => self.probe.found() != Some(false),
        };
        let call = Call::new(&self.endpoint, request, wants_tools).fitting(request, self.context.tokens());
        let outcome = call.outcome(request).await;
        if matches!(outcome, ModelOutcome::Reply(_)) {
            self.context.ask_once(&self.endpoint);
            if is_probed {
                Arc::clone(&self.probe).ask_once(&self.endpoint);
            }
        }
        outcome
    }
}

impl ChatModel for OpenAi {
    fn complete(&self, request: ChatRequest) -> Answer<'_> {
        Box::pin(async move { self.run(&request).await })
    }

    fn label(&self) -> String {
        format!("{} at {}", self.endpoint.model, self.endpoint.address.host())
    }

    fn context(&self) -> Option<u64> {
        self.context.tokens()
    }

    fn sees_images(&self) -> bool {
        self.sees_images
    }

    fn native_tool_calls(&self) -> bool {
        match self.tool_calls {
            ToolCallForm::Json => false,
            ToolCallForm::Native => true,
            ToolCallForm::Auto => self.probe.found() == Some(true),
        }
    }

    fn probe(&self, wait: Duration) -> Probing<'_> {
        Box::pin(async move { Some(self.try_out(wait).await) })
    }

    fn longest(&self, request: &ChatRequest) -> Duration {
        self.endpoint.longest(request)
    }
}

#[cfg(test)]
mod tests;
