//! The built-in rules as a provider.

use artoo_model::{Answer, ChatModel};
use artoo_offline::MODEL_NAME;
use artoo_types::chat::{ChatReply, ChatRequest, ModelOutcome, Speaker};

/// Answers everyday requests by fixed rules: no model, no network, the same reply to the same request.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineRules;

impl ChatModel for OfflineRules {
    fn complete(&self, request: ChatRequest) -> Answer<'_> {
        Box::pin(async move {
            let messages: Vec<(&str, &str)> = request
                .messages
                .iter()
                .map(|message| {
                    let speaker = match message.speaker {
                        Speaker::System => "system",
                        Speaker::User => "user",
                        Speaker::Assistant => "assistant",
                    };
                    (speaker, message.content.as_str())
                })
                .collect();
            // Usage, attempts and time are those of a call that went nowhere.
            ModelOutcome::Reply(ChatReply {
                content: artoo_offline::reply(request.schema.as_str(), &messages),
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
