//! The two tiers, ready to answer.

use std::sync::Arc;
use std::time::Duration;

use artoo_redact::Redactor;
use artoo_types::chat::Tier;

use crate::ChatModel;
use crate::config::{ModelConfig, ModelConfigError, ProviderConfig, ProviderKind, ToolCallForm};
use crate::known::KnownServers;
use crate::openai::{OpenAi, Timing};
use crate::probe::ModelProbe;

/// Who answers which tier.
#[derive(Clone)]
pub struct Models {
    brain: TierModel,
    tool: TierModel,
}

#[derive(Clone)]
struct TierModel {
    model: Arc<dyn ChatModel>,
    kind: ProviderKind,
    advice: Option<String>,
}

impl Models {
    /// Providers for `config`. Tiers with the same configuration share one, and with it what it knows of the server. The
    /// redactor is for words of a server that a failure quotes: they are redacted before they are cut. `known` is
    /// what was found out of servers before. `offline` answers the tiers without a server.
    ///
    /// # Errors
    /// [`ModelConfigError`] when a tier could not answer any call.
    pub fn new(
        config: &ModelConfig,
        timing: Timing,
        redactor: &Redactor,
        known: &KnownServers,
        offline: &Arc<dyn ChatModel>,
    ) -> Result<Self, ModelConfigError> {
        let seat = |config: &ProviderConfig| TierModel::new(config, timing, redactor, known, offline);
        if config.tool == config.brain {
            let both = seat(&config.brain)?;
            return Ok(Self { brain: both.clone(), tool: both });
        }
        // A brain of its own is offered no tools, so that nobody needs to know whether it would call them.
        let brain = ProviderConfig { tool_calls: ToolCallForm::Json, ..config.brain.clone() };
        Ok(Self { brain: seat(&brain)?, tool: seat(&config.tool)? })
    }

    /// One provider for both tiers: for a program that brings its own, such as a benchmark without a network.
    pub fn single(model: Arc<dyn ChatModel>) -> Self {
        let seat = TierModel { model, kind: ProviderKind::OpenAi, advice: None };
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

    /// What one real call to each server shows; None for a tier that the built-in rules answer. Tiers that share a server are
    /// asked once.
    pub async fn probe(&self, wait: Duration) -> [Option<ModelProbe>; 2] {
        let (brain, tool) = (&self.brain.model, &self.tool.model);
        if Arc::ptr_eq(brain, tool) {
            let shown = brain.probe(wait).await;
            return [shown.clone(), shown];
        }
        let (brain, tool) = tokio::join!(brain.probe(wait), tool.probe(wait));
        [brain, tool]
    }

    /// What is unusual about the configuration, one sentence each.
    pub fn advice(&self) -> Vec<String> {
        let mut advice: Vec<String> =
            [&self.brain, &self.tool].into_iter().filter_map(|seat| seat.advice.clone()).collect();
        advice.dedup();
        advice
    }

    fn seat(&self, tier: Tier) -> &TierModel {
        match tier {
            Tier::Brain => &self.brain,
            Tier::Tool => &self.tool,
        }
    }
}

impl TierModel {
    fn new(
        config: &ProviderConfig,
        timing: Timing,
        redactor: &Redactor,
        known: &KnownServers,
        offline: &Arc<dyn ChatModel>,
    ) -> Result<Self, ModelConfigError> {
        Ok(match config.kind {
            ProviderKind::OpenAi => {
                let model = OpenAi::new(config, timing, redactor, known)?;
                Self { advice: model.advice(), model: Arc::new(model), kind: config.kind }
            }
            ProviderKind::Offline => Self { model: Arc::clone(offline), kind: config.kind, advice: None },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use artoo_redact::Redactor;
    use artoo_types::chat::{ChatRequest, Tier};

    use super::Models;
    use crate::{
        Answer, ChatModel, KnownServers, ModelConfig, ProviderConfig, ProviderKind, Secret, Timing,
        ToolCallForm,
    };

    /// Stands for the rules that answer without a server.
    struct Rules;

    impl ChatModel for Rules {
        fn complete(&self, _request: ChatRequest) -> Answer<'_> {
            Box::pin(std::future::pending())
        }

        fn label(&self) -> String {
            "rules".to_owned()
        }

        fn native_tool_calls(&self) -> bool {
            false
        }
    }

    fn served(base_url: &str, model: &str) -> ProviderConfig {
        ProviderConfig {
            kind: ProviderKind::OpenAi,
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            api_key: Secret::new("sk-hidden"),
            tool_calls: ToolCallForm::Native,
            ..ProviderConfig::default()
        }
    }

    fn models(brain: ProviderConfig, tool: ProviderConfig) -> Result<Models, String> {
        let rules: Arc<dyn ChatModel> = Arc::new(Rules);
        let known = KnownServers::default();
        Models::new(&ModelConfig { brain, tool }, Timing::default(), &Redactor::default(), &known, &rules)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_configured_is_offline() {
        let models = models(ProviderConfig::default(), ProviderConfig::default()).unwrap();
        for tier in [Tier::Brain, Tier::Tool] {
            assert!(models.is_offline(tier));
            assert_eq!(models.tier(tier).label(), "rules");
            assert!(!models.tier(tier).native_tool_calls());
        }
        assert!(models.advice().is_empty());
    }

    #[test]
    fn each_tier_has_its_own_model_and_equal_ones_share() {
        let big = served("http://127.0.0.1:1/v1", "big");
        let two = models(big.clone(), served("https://a.example/v1", "small")).unwrap();
        assert_eq!(two.tier(Tier::Brain).label(), "big at 127.0.0.1:1");
        assert_eq!(two.tier(Tier::Tool).label(), "small at a.example");
        assert!(two.tier(Tier::Tool).native_tool_calls() && !two.is_offline(Tier::Tool));
        let one = models(big.clone(), big).unwrap();
        assert!(Arc::ptr_eq(&one.tier(Tier::Brain), &one.tier(Tier::Tool)));
    }

    #[test]
    fn a_configuration_that_cannot_work_is_refused_without_its_key() {
        let refused =
            |config: ProviderConfig| models(config, ProviderConfig::default()).map(|_| ()).unwrap_err();
        let said = [
            refused(served("", "m")),
            refused(served("http://x/v1/chat/completions", "m")),
            refused(served("http://x/v1", " ")),
            refused(ProviderConfig { api_key: Secret::new("sk-hid\nden"), ..served("http://x/v1", "m") }),
        ];
        for (text, part) in said.iter().zip(["no address", "write http://x/v1", "no model", "api_key"]) {
            assert!(text.contains(part) && !text.contains("sk-hid"), "{text}");
        }
    }

    #[test]
    fn unusual_addresses_are_told_once() {
        let bare = served("http://127.0.0.1:1", "m");
        let other = ProviderConfig { model: "n".to_owned(), ..bare.clone() };
        assert_eq!(models(bare, other).unwrap().advice().len(), 1);
    }
}
