//! Reading R3's replies: one action a turn.

use artoo_types::chat::ModelOutcome;
use artoo_types::outcome::ExecutionStatus;
use artoo_types::reply::{ActionReply, ExecutionReply};
use serde_json::Value;

use crate::ask::{Asker, ReplyOutcome};

/// A checked action.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExecutorAction {
    /// Call a tool.
    Tool {
        /// The tool.
        tool: String,
        /// JSON text with sorted keys, so that the same call has one spelling.
        arguments: String,
        /// Its output ends the attempt.
        is_final: bool,
    },
    /// End the attempt.
    Finish {
        /// How.
        status: ExecutionStatus,
        /// The result.
        output: String,
    },
}

/// Either form of the last word: an action, or the bare result that goes with native tool calls.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum LastWord {
    Action(ActionReply),
    Result(ExecutionReply),
}

/// Reads the outcome. A native tool call counts before the text; of several only the first is made, because an
/// executor acts once a turn.
pub(super) fn read(asker: &mut Asker, outcome: ModelOutcome) -> ReplyOutcome<ExecutorAction> {
    if let ModelOutcome::Reply(reply) = &outcome
        && let Some(call) = reply.tool_calls.first()
    {
        let arguments =
            serde_json::from_str(&call.arguments).unwrap_or(Value::String(call.arguments.clone()));
        return ReplyOutcome::Reply(ExecutorAction::Tool {
            tool: call.name.clone(),
            arguments: sorted(&arguments),
            is_final: false,
        });
    }
    let is_action = matches!(&outcome, ModelOutcome::Reply(r) if r.content.contains("\"action\""));
    if is_action {
        // The precise reader gives the precise complaint.
        return map(asker.read::<ActionReply>(outcome), from_action);
    }
    map(asker.read::<LastWord>(outcome), |word| match word {
        LastWord::Action(action) => from_action(action),
        LastWord::Result(result) => {
            ExecutorAction::Finish { status: result.status, output: text(result.output) }
        }
    })
}

fn map<A, B>(heard: ReplyOutcome<A>, with: impl FnOnce(A) -> B) -> ReplyOutcome<B> {
    match heard {
        ReplyOutcome::Reply(value) => ReplyOutcome::Reply(with(value)),
        ReplyOutcome::AskAgain(request) => ReplyOutcome::AskAgain(request),
        ReplyOutcome::Failed(failed) => ReplyOutcome::Failed(failed),
    }
}

fn from_action(reply: ActionReply) -> ExecutorAction {
    match reply {
        ActionReply::Tool { tool, arguments, is_final } => {
            ExecutorAction::Tool { tool: tool.trim().to_owned(), arguments: sorted(&arguments), is_final }
        }
        ActionReply::Finish { status, output } => ExecutorAction::Finish { status, output: text(output) },
    }
}

/// Text as it is; anything else as JSON.
fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => other.to_string(),
    }
}

/// JSON text with keys sorted at every level.
fn sorted(value: &Value) -> String {
    fn order(value: &Value) -> Value {
        match value {
            Value::Object(map) => {
                let mut entries: Vec<(&String, &Value)> = map.iter().collect();
                entries.sort_by_key(|(k, _)| *k);
                Value::Object(entries.into_iter().map(|(k, v)| (k.clone(), order(v))).collect())
            }
            Value::Array(items) => Value::Array(items.iter().map(order).collect()),
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain.clone(),
        }
    }
    if value.is_null() { "{}".to_owned() } else { order(value).to_string() }
}
