//! The prompts of a task, page by page.

use artoo_protocol::v1;
use artoo_runtime::task::prompts;
use artoo_task::prompts::SentPrompt;
use artoo_types::chat::{ChatMessage, Speaker};
use tonic::Status;

use super::service::{Calls, blocking};
use super::{errors, fields};

/// Characters of the prompts of one answer. A character has four bytes at most, and a message of gRPC 4 MiB.
const PAGE_CHARS: usize = 500_000;

/// What the models of a task were told.
pub(super) async fn list_prompts(
    calls: &Calls,
    request: v1::ListPromptsRequest,
) -> Result<v1::ListPromptsResponse, Status> {
    let task_id = fields::task_id(&request.task_id)?;
    let tasks = calls.parts.tasks.clone();
    let page = blocking(move || {
        prompts(&tasks, task_id, request.after_call, PAGE_CHARS).map_err(|error| errors::of_task(&error))
    })
    .await?;
    let prompts = page.prompts.into_iter().map(prompt).collect();
    Ok(v1::ListPromptsResponse { prompts, more: page.more })
}

fn prompt(sent: SentPrompt) -> v1::Prompt {
    let request = sent.request;
    v1::Prompt {
        call: sent.call,
        role: request.role.as_str().to_owned(),
        messages: request.messages.into_iter().map(message).collect(),
        chars: sent.chars as u64,
        same_chars: sent.same_chars as u64,
        native_tools: request.native_tools.into_iter().map(|tool| tool.name).collect(),
        tool_chars: sent.tool_chars as u64,
        schema: request.schema.as_str().to_owned(),
    }
}

fn message(message: ChatMessage) -> v1::PromptMessage {
    let speaker = match message.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    v1::PromptMessage { speaker: speaker.to_owned(), content: message.content }
}
