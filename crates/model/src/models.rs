//! The two tiers, ready to answer.

use std::sync::Arc;

use artoo_types::chat::Tier;

use crate::ChatModel;
use crate::config::{ModelConfig, ModelConfigError, ProviderConfig, ProviderKind, Secret};
use crate::offline_model::Offline;
use crate::openai::{OpenAi, Timing};

/// Who answers which tier.
#[derive(Clone)]
pub struct Models {
    brain: Seat,
    tool: Seat,
    keys: Vec<Secret>,
}

#[derive(Clone)]
struct Seat {
    model: Arc<dyn ChatModel>,
    kind: ProviderKind,
    advice: Option<String>,
}

impl Models {
    /// Providers for `config`. Tiers with the same configuration share one, and with it what it knows of the server.
    ///
    /// # Errors
    /// [`ModelConfigError`] when a tier could not answer any call.
    pub fn new(config: &ModelConfig, timing: Timing) -> Result<Self, ModelConfigError> {
        let brain = Seat::new(&config.brain, timing)?;
        let tool = if config.tool == config.brain { brain.clone() } else { Seat::new(&config.tool, timing)? };
        let keys = [&config.brain.api_key, &config.tool.api_key];
        let keys = keys.into_iter().filter(|key| !key.is_empty()).cloned().collect();
        Ok(Self { brain, tool, keys })
    }

    /// One provider for both tiers: for a program that brings its own, such as a benchmark without a network.
    pub fn single(model: Arc<dyn ChatModel>) -> Self {
        let seat = Seat { model, kind: ProviderKind::OpenAi, advice: None };
        Self { brain: seat.clone(), tool: seat, keys: Vec::new() }
    }

    /// The model that answers `tier`.
    pub fn tier(&self, tier: Tier) -> Arc<dyn ChatModel> {
        Arc::clone(&self.seat(tier).model)
    }

    /// Whether `tier` is answered by the built-in rules rather than by a model.
    pub fn is_offline(&self, tier: Tier) -> bool {
        self.seat(tier).kind == ProviderKind::Offline
    }

    /// `text` without the configured keys: what everything passes that comes from a model or a tool before it is kept.
    pub fn scrub(&self, text: &str) -> String {
        self.keys.iter().fold(text.to_owned(), |text, key| key.scrub(&text))
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
    fn new(config: &ProviderConfig, timing: Timing) -> Result<Self, ModelConfigError> {
        Ok(match config.kind {
            ProviderKind::OpenAi => {
                let model = OpenAi::new(config, timing)?;
                Self { advice: model.advice(), model: Arc::new(model), kind: config.kind }
            }
            ProviderKind::Offline => Self { model: Arc::new(Offline), kind: config.kind, advice: None },
        })
    }
}

#[cfg(test)]
mod tests;
