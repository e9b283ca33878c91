//! Pictures behind the words of the first user message, each named by the receipt that shows it.

use artoo_types::chat::ChatRequest;
use serde_json::{Value, json};

use crate::config::ApiForm;

/// Adds the pictures of a request to its turns, the system's words aside, in this form.
pub(super) fn add(turns: &mut [Value], request: &ChatRequest, api: ApiForm) {
    if request.images.is_empty() {
        return;
    }
    let Some(user) = turns.iter_mut().find(|turn| turn["role"] == "user") else { return };
    let content = &mut user["content"];
    if let Some(text) = content.as_str() {
        *content = json!([words(text, api)]);
    }
    let Some(parts) = content.as_array_mut() else { return };
    for image in &request.images {
        let id = &image.receipt;
        match &image.data {
            Some(data) => {
                parts.push(words(&format!("[picture of receipt {id}]"), api));
                parts.push(picture(&image.shown.media_type, data, api));
            }
            None => parts.push(words(&format!("[picture of receipt {id}: stored no more]"), api)),
        }
    }
}

fn words(text: &str, api: ApiForm) -> Value {
    let kind = match api {
        ApiForm::Chat | ApiForm::Messages => "text",
        ApiForm::Responses => "input_text",
    };
    json!({"type": kind, "text": text})
}

fn picture(media_type: &str, data: &str, api: ApiForm) -> Value {
    let url = || format!("data:{media_type};base64,{data}");
    match api {
        ApiForm::Chat => json!({"type": "image_url", "image_url": {"url": url()}}),
        ApiForm::Responses => json!({"type": "input_image", "image_url": url()}),
        ApiForm::Messages => {
            json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}})
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use artoo_types::EvidenceId;
    use artoo_types::chat::{ChatImage, ChatMessage, ChatRequest, Speaker, Tier};
    use artoo_types::envelope::Role;
    use artoo_types::evidence::ShownImage;
    use artoo_types::reply::SchemaName;
    use serde_json::{Value, json};

    use crate::config::ApiForm;
    use crate::openai::body::body;
    use crate::openai::ladder::Dialect;

    fn request() -> ChatRequest {
        let message = |speaker, content: &str| ChatMessage { speaker, content: content.to_owned() };
        let image = |id: &str, data: Option<&str>| ChatImage {
            receipt: EvidenceId(id.to_owned()),
            shown: ShownImage { handle: "h".to_owned(), media_type: "image/png".to_owned(), bytes: 3 },
            data: data.map(Arc::from),
        };
        ChatRequest {
            role: Role::Executor,
            tier: Tier::Tool,
            messages: vec![message(Speaker::System, "s"), message(Speaker::User, "ask")],
            schema: SchemaName::Action,
            native_tools: Vec::new(),
            images: vec![image("r2", Some("QUJD")), image("r3", None)],
            deadline_ms: 1,
            brief: None,
            steady: vec![2],
        }
    }

    /// The content of the user's turn.
    fn content(api: ApiForm) -> Value {
        let body = body(api, &request(), "m", Dialect::default(), false);
        let turns = body.get("messages").or_else(|| body.get("input")).unwrap().as_array().unwrap().clone();
        turns.into_iter().find(|turn| turn["role"] == "user").unwrap()["content"].clone()
    }

    #[test]
    fn each_interface_has_its_own_form_of_a_picture() {
        let text = |kind: &str, text: &str| json!({"type": kind, "text": text});
        let gone = "[picture of receipt r3: stored no more]";
        assert_eq!(
            content(ApiForm::Chat),
            json!([
                text("text", "ask"),
                text("text", "[picture of receipt r2]"),
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
                text("text", gone)
            ])
        );
        assert_eq!(
            content(ApiForm::Responses),
            json!([
                text("input_text", "ask"),
                text("input_text", "[picture of receipt r2]"),
                {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
                text("input_text", gone)
            ])
        );
        let messages = content(ApiForm::Messages);
        assert_eq!(messages[0]["text"], "as", "the parts that stay are blocks of their own");
        assert_eq!(
            messages[3],
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}})
        );
        assert_eq!(messages[4], text("text", gone));
    }
}
