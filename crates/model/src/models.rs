//! The two tiers, ready to answer.

use std::sync::Arc;

use artoo_redact::Redactor;
use artoo_types::chat::Tier;

use crate::ChatModel;
use crate::config::{ModelConfig, ModelConfigError, ProviderConfig, ProviderKind};
use crate::openai::{OpenAi, Timing};

/// Who answers which tier.
#[derive(Clone)]
pub struct Models {
    brain: Seat,
    tool: Seat,
}

#[derive(Clone)]
struct Seat {
    model: Arc<dyn ChatModel>,
    kind: ProviderKind,
    advice: Option<String>,
}

impl Models {
    /// Providers for `config`. Tiers with the same configuration share one, and with it what it knows of the server. The
    /// redactor is for words of a server that a failure quotes: they are redacted before they are cut. `offline` answers the
    /// tiers without a server.
    ///
    /// # Errors
    /// [`ModelConfigError`] when a tier could not answer any call.
    pub fn new(
        config: &ModelConfig,
        timing: Timing,
        redactor: &Redactor,
        offline: &Arc<dyn ChatModel>,
    ) -> Result<Self, ModelConfigError> {
        let seat = |config| Seat::new(config, timing, redactor, offline);
        let brain = seat(&config.brain)?;
        let tool = if config.tool == config.brain { brain.clone() } else { seat(&config.tool)? };
        Ok(Self { brain, tool })
    }

    /// One provider for both tiers: for a program that brings its own, such as a benchmark without a network.
    pub fn single(model: Arc<dyn ChatModel>) -> Self {
        let seat = Seat { model, kind: ProviderKind::OpenAi, advice: None };
        Self { brain: seat.clone(), tool: seat }
    }

    /// The model that answers `tier`.
    pub fn tier(&self, tier: Tier) -> Arc<dyn ChatModel> {
        Arc::clone(&self.seat(tier).model)
    }

    /// Whether `tier` is answered by the built-in rules rather than by a model.
    pub fn is_offline(&self, tier: Tier) -> bool {
        self.seat(tier).kind == ProviderKind::Offline
    }

    /// What is unusual about the configuration, one sentence each.
    pub fn advice(&self) -> Vec<String> {
        let mut advice: Vec<String> =
            [&self.brain, &self.tool].into_iter().filter_map(|seat| seat.advice.clone()).collect();
        advice.dedup();
        advice
    }

    fn seat(&self, tier: Tier) -> &Seat {
        match tier {
            Tier::Brain => &self.brain,
            Tier::Tool => &self.tool,
        }
    }
}

impl Seat {
    fn new(
        config: &ProviderConfig,
        timing: Timing,
        redactor: &Redactor,
        offline: &Arc<dyn ChatModel>,
    ) -> Result<Self, ModelConfigError> {
        Ok(match config.kind {
            ProviderKind::OpenAi => {
                let model = OpenAi::new(config, timing, redactor)?;
                Self { advice: model.advice(), model: Arc::new(model), kind: config.kind }
            }
            ProviderKind::Offline => Self { model: Arc::clone(offline), kind: config.kind, advice: None },
        })
    }
}

#[cfg(test)]
mod tests;
