use artoo_types::chat::{ChatMessage, ChatReply, ChatRequest, ModelOutcome, Speaker, Tier};
use artoo_types::envelope::Role;
use artoo_types::reply::{PlanReply, SchemaName, TaskSpecReply};

use super::OfflineRules;
use artoo_model::ChatModel;

async fn answer(role: Role, schema: SchemaName, user: &str) -> ChatReply {
    let message = |speaker, content: &str| ChatMessage { speaker, content: content.to_owned() };
    let request = ChatRequest {
        role,
        tier: Tier::Brain,
        messages: vec![message(Speaker::System, "# Role"), message(Speaker::User, user)],
        schema,
        native_tools: Vec::new(),
        deadline_ms: 1,
    };
    match OfflineRules.complete(request).await {
        ModelOutcome::Reply(reply) => reply,
        ModelOutcome::Failure(failure) => panic!("{failure:?}"),
    }
}

#[tokio::test]
async fn the_rules_answer_in_the_form_that_was_asked_for_and_name_themselves() {
    let setting = "## Setting\ndate: 2026-11-21\nworking_directory: /x\nworkspace: /w\nhome: /h\nos: linux\n";
    let first = answer(
        Role::Perceiver,
        SchemaName::TaskSpec,
        "## Setting\ndate: 2026-11-21\nworking_directory: /x\ninteractive: no\n## Request\nhow many Rust files are here",
    )
    .await;
    assert!(serde_json::from_str::<TaskSpecReply>(&first.content).is_ok(), "{}", first.content);
    assert_eq!((first.model.as_str(), first.attempts, first.usage.prompt), ("offline-rules", 0, None));
    let tools = "## Tools\nglob {root, pattern}: find\n## Intent\ni\n";
    let poem = format!("{setting}{tools}## Request\nwrite a poem about the sea");
    let declined = answer(Role::Planner, SchemaName::Plan, &poem).await;
    let plan: PlanReply = serde_json::from_str(&declined.content).unwrap();
    assert!(plan.decline.is_some() && plan.subtasks.is_empty(), "{}", declined.content);
}
