use std::sync::Arc;

use artoo_model::ChatModel;
use artoo_types::brief::{Brief, LessonBrief};
use artoo_types::chat::{ChatReply, ChatRequest, ModelOutcome, Tier};
use artoo_types::envelope::Role;
use artoo_types::reply::{ReflectionReply, SchemaName};

use super::OfflineRules;

async fn answer(brief: Option<Brief>) -> ChatReply {
    let request = ChatRequest {
        role: Role::Memory,
        tier: Tier::Brain,
        messages: Vec::new(),
        schema: SchemaName::Reflection,
        native_tools: Vec::new(),
        deadline_ms: 1,
        brief: brief.map(Arc::new),
        steady: Vec::new(),
        images: Vec::new(),
    };
    match OfflineRules.complete(request).await {
        ModelOutcome::Reply(reply) => reply,
        ModelOutcome::Failure(failure) => panic!("{failure:?}"),
    }
}

#[tokio::test]
async fn the_rules_need_no_prompt_and_name_themselves() {
    let brief = LessonBrief {
        intent: "list".to_owned(),
        well: false,
        reason: "diverging".to_owned(),
        plans: Vec::new(),
        troubles: vec!["no such folder".to_owned()],
        unmet: Vec::new(),
    };
    let reply = answer(Some(Brief::Lesson(brief))).await;
    let said: ReflectionReply = serde_json::from_str(&reply.content).unwrap();
    assert_eq!(said.lesson, "no such folder");
    assert_eq!((reply.model.as_str(), reply.attempts, reply.usage.prompt), ("offline-rules", 0, None));
}

#[tokio::test]
async fn what_was_read_from_a_journal_is_no_question() {
    assert_eq!(answer(None).await.content, "");
}
