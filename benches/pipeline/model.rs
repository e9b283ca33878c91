//! A model without latency: it answers each role with the same pinned reply, as a well-behaved model would.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use artoo_model::{Answer, ChatModel};
use artoo_types::chat::{ChatReply, ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome};
use artoo_types::envelope::Role;
use serde_json::Value;

/// What every system's model answers; the drivers of the other frameworks read the same file.
const REPLIES: &str = include_str!("../replies.json");
/// Stands in a verdict for the name of the evidence, which the prompt tells.
const RECEIPT: &str = "RECEIPT";

/// Answers at once.
pub(crate) struct PinnedModel {
    replies: BTreeMap<Role, String>,
    calls: AtomicU64,
}

impl PinnedModel {
    /// A model whose plans have this many parallel subtasks.
    ///
    /// # Errors
    /// When the pinned replies are not what they should be.
    pub(crate) fn new(subtasks: u32) -> anyhow::Result<Self> {
        let mut pinned: BTreeMap<String, Value> = serde_json::from_str(REPLIES).context("replies.json")?;
        let plan =
            pinned.get_mut("R2").and_then(|plan| plan.get_mut("subtasks")).and_then(Value::as_array_mut);
        let plan = plan.context("replies.json has no plan with subtasks")?;
        let step = plan.first().context("the pinned plan has no subtask")?.clone();
        plan.resize(usize::try_from(subtasks)?, step);
        let roles = [Role::Planner, Role::Executor, Role::AgentValidator, Role::MetaValidator];
        let reply = |role: Role| Some((role, pinned.get(role.as_str())?.to_string()));
        Ok(Self { replies: roles.into_iter().filter_map(reply).collect(), calls: AtomicU64::new(0) })
    }

    /// Calls of tasks so far. Those of the memory's own, which have no pinned reply, are not among them.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// What it answers to the roles of a task with one step.
    pub(crate) fn replies(&self) -> Vec<String> {
        let asked = [Role::Planner, Role::Executor, Role::AgentValidator];
        asked.iter().filter_map(|role| self.replies.get(role).cloned()).collect()
    }

    fn answer(&self, request: &ChatRequest) -> ModelOutcome {
        let Some(reply) = self.replies.get(&request.role) else {
            return ModelOutcome::Failure(ModelFailure {
                kind: ModelFailureKind::Failed,
                message: format!("no reply is pinned for {}", request.role.as_str()),
                attempts: 1,
                elapsed_ms: 0,
                retry_after_ms: None,
            });
        };
        self.calls.fetch_add(1, Ordering::Relaxed);
        let content = match first_receipt(request) {
            Some(id) => reply.replace(RECEIPT, id),
            None => reply.clone(),
        };
        ModelOutcome::Reply(ChatReply { content, attempts: 1, ..ChatReply::default() })
    }
}

impl ChatModel for PinnedModel {
    fn complete(&self, request: ChatRequest) -> Answer<'_> {
        Box::pin(std::future::ready(self.answer(&request)))
    }

    fn label(&self) -> String {
        "pinned replies".to_owned()
    }

    fn native_tool_calls(&self) -> bool {
        false
    }
}

/// The name of the first receipt that the prompt shows.
fn first_receipt(request: &ChatRequest) -> Option<&str> {
    let shown = &request.messages.last()?.content;
    let (_, rest) = shown.split_once("[receipt ")?;
    rest.split_once(']').map(|(id, _)| id)
}
