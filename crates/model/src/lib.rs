//! Language-model providers: servers that speak Chat Completions, Responses or Messages, and the trait that whoever answers implements.
//!
//! A provider turns one [`ChatRequest`] into one [`ModelOutcome`] and knows nothing else: no role, no task, no
//! configuration file. It passes on what the model said, verbatim; reading it is the role's business. Start with
//! [`ChatModel`], then [`Models`].

pub mod config;
mod known;
mod models;
mod openai;
mod prices;
pub mod probe;

#[cfg(test)]
mod support_tests;

use std::pin::Pin;
use std::time::Duration;

use artoo_types::chat::{ChatRequest, ModelOutcome};

pub use config::{
    ApiForm, ModelConfig, ModelConfigError, Patience, ProviderConfig, ProviderKind, Secret, ToolCallForm,
};
pub use known::KnownServers;
pub use models::Models;
pub use openai::{OpenAi, Timing};

use probe::Probing;

/// The end of a model call, awaited.
pub type Answer<'a> = Pin<Box<dyn Future<Output = ModelOutcome> + Send + 'a>>;

/// Something that answers requests.
pub trait ChatModel: Send + Sync {
    /// Answers `request` within its deadline; what can be tried again within it is. Dropping the future ends the call:
    /// its connection closes and nothing of it goes on.
    fn complete(&self, request: ChatRequest) -> Answer<'_>;

    /// Who answers, for people: the model and where it runs. It holds no secret.
    fn label(&self) -> String;

    /// Tokens of the model's context, where they are known by now.
    fn context(&self) -> Option<u64> {
        None
    }

    /// Whether it is shown pictures, as far as that is known by now.
    fn sees_images(&self) -> bool {
        false
    }

    /// Whether an executor should offer its tools natively rather than ask for one JSON action a turn.
    fn native_tool_calls(&self) -> bool;

    /// The longest that `complete` may take for `request`: whoever waits for it waits no longer.
    fn longest(&self, request: &ChatRequest) -> Duration {
        Duration::from_millis(request.deadline_ms)
    }

    /// What one real call shows, within about `wait`; None where no server answers.
    fn probe(&self, _wait: Duration) -> Probing<'_> {
        Box::pin(std::future::ready(None))
    }
}
