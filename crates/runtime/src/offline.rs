//! The built-in rules as a provider.

use artoo_model::{Answer, ChatModel};
use artoo_offline::MODEL_NAME;
use artoo_types::chat::{ChatReply, ChatRequest, ModelOutcome};

/// Answers everyday requests by fixed rules: no model, no network, the same reply to the same request.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineRules;

impl ChatModel for OfflineRules {
    fn complete(&self, request: ChatRequest) -> Answer<'_> {
        Box::pin(async move {
            let content = request.brief.as_deref().map(artoo_offline::answer).unwrap_or_default();
            // Usage, attempts and time are those of a call that went nowhere.
            ModelOutcome::Reply(ChatReply {
                content,
                finish_reason: Some("stop".to_owned()),
                model: MODEL_NAME.to_owned(),
                ..ChatReply::default()
            })
        })
    }

    fn label(&self) -> String {
        MODEL_NAME.to_owned()
    }

    fn native_tool_calls(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
