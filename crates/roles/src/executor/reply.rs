//! Reading R3's replies: one action a turn.

use artoo_types::chat::ModelOutcome;
use artoo_types::outcome::ExecutionStatus;
use artoo_types::reply::{ActionReply, ExecutionReply};
use serde_json::Value;

use crate::ask::{Asker, Heard};

/// A checked action.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
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
enum Word {
    Action(ActionReply),
    Result(ExecutionReply),
}

/// Reads the outcome. A native tool call counts before the text; of several only the first is made, because an
/// executor acts once a turn.
pub(super) fn read(asker: &mut Asker, outcome: ModelOutcome) -> Heard<Action> {
    if let ModelOutcome::Reply(reply) = &outcome
        && let Some(call) = reply.tool_calls.first()
    {
        let arguments =
            serde_json::from_str(&call.arguments).unwrap_or(Value::String(call.arguments.clone()));
        return Heard::Reply(Action::Tool {
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
    map(asker.read::<Word>(outcome), |word| match word {
        Word::Action(action) => from_action(action),
        Word::Result(result) => Action::Finish { status: result.status, output: text(result.output) },
    })
}

fn map<A, B>(heard: Heard<A>, with: impl FnOnce(A) -> B) -> Heard<B> {
    match heard {
        Heard::Reply(value) => Heard::Reply(with(value)),
        Heard::AskAgain(request) => Heard::AskAgain(request),
        Heard::Failed(failed) => Heard::Failed(failed),
    }
}

fn from_action(reply: ActionReply) -> Action {
    match reply {
        ActionReply::Tool { tool, arguments, is_final } => {
            Action::Tool { tool: tool.trim().to_owned(), arguments: sorted(&arguments), is_final }
        }
        ActionReply::Finish { status, output } => Action::Finish { status, output: text(output) },
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
