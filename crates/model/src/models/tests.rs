use std::sync::Arc;

use artoo_redact::Redactor;
use artoo_types::chat::{ChatRequest, Tier};

use super::Models;
use crate::{Answer, ChatModel, ModelConfig, ProviderConfig, ProviderKind, Secret, Timing, ToolCallForm};

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
    }
}

fn models(brain: ProviderConfig, tool: ProviderConfig) -> Result<Models, String> {
    let rules: Arc<dyn ChatModel> = Arc::new(Rules);
    Models::new(&ModelConfig { brain, tool }, Timing::default(), &Redactor::default(), &rules)
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
    let refused = |config: ProviderConfig| models(config, ProviderConfig::default()).map(|_| ()).unwrap_err();
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
