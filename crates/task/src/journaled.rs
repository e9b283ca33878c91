//! What a journal holds of a step's effects. The words of a prompt follow from the inputs by the fold, so that their length and
//! hash stand for them; everything else is held as it is.

use std::borrow::Cow;

use artoo_types::chat::{ChatMessage, ChatRequest};
use artoo_types::machine::TaskEffect;
use sha2::{Digest, Sha256};

/// Texts up to this length, in bytes, are held as they are: what stands for a longer one takes 60.
const WHOLE_BYTES: usize = 120;

/// The effects as a journal holds them.
pub fn journaled(effects: &[TaskEffect]) -> Cow<'_, [TaskEffect]> {
    if !effects.iter().any(|effect| matches!(effect, TaskEffect::CallModel { .. })) {
        return Cow::Borrowed(effects);
    }
    let journaled = |effect: &TaskEffect| match effect {
        TaskEffect::CallModel { effect_id, request } => {
            TaskEffect::CallModel { effect_id: *effect_id, request: without_words(request) }
        }
        TaskEffect::RunTool { .. }
        | TaskEffect::RecoverTool { .. }
        | TaskEffect::RunChecks { .. }
        | TaskEffect::QueryMemory { .. }
        | TaskEffect::LookAround { .. }
        | TaskEffect::WriteMemory { .. }
        | TaskEffect::WakeAt { .. }
        | TaskEffect::StopAll => effect.clone(),
    };
    effects.iter().map(journaled).collect()
}

/// Puts the words of folded prompts into recorded ones for which a hash of the same words stands. What an earlier build recorded
/// in full, and words that are others, stay.
pub(crate) fn put_in_words(recorded: &mut [TaskEffect], folded: &[TaskEffect]) {
    for pair in recorded.iter_mut().zip(folded) {
        let (TaskEffect::CallModel { request: recorded, .. }, TaskEffect::CallModel { request, .. }) = pair
        else {
            continue;
        };
        for (recorded, folded) in recorded.messages.iter_mut().zip(&request.messages) {
            if recorded.content != folded.content
                && stand_in(&folded.content).as_ref() == Some(&recorded.content)
            {
                recorded.content.clone_from(&folded.content);
            }
        }
    }
}

fn without_words(request: &ChatRequest) -> ChatRequest {
    let ChatRequest { role, tier, messages, schema, native_tools, images, deadline_ms, brief: _, steady: _ } =
        request;
    let message = |message: &ChatMessage| {
        let content = stand_in(&message.content).unwrap_or_else(|| message.content.clone());
        ChatMessage { speaker: message.speaker, content }
    };
    ChatRequest {
        role: *role,
        tier: *tier,
        messages: messages.iter().map(message).collect(),
        schema: *schema,
        native_tools: native_tools.clone(),
        images: images.clone(),
        deadline_ms: *deadline_ms,
        brief: None,
        steady: Vec::new(),
    }
}

/// What stands for a text: 128 bits of its SHA-256 and its length. Nobody reads it back; it is made anew and compared. None for
/// a short one.
fn stand_in(text: &str) -> Option<String> {
    (text.len() > WHOLE_BYTES).then(|| {
        let digest = Sha256::digest(text);
        let digest = digest.iter().take(16).fold(0_u128, |digest, byte| (digest << 8) | u128::from(*byte));
        format!("(not kept: {} bytes, sha256 {digest:032x})", text.len())
    })
}
