//! Reading R3's replies: one action a turn, several calls, or the result itself.

use artoo_types::chat::{ModelOutcome, NativeToolCall};
use artoo_types::outcome::ExecutionStatus;
use artoo_types::plan::OpeningCall;
use artoo_types::reply::{ActionReply, ExecutionReply};
use artoo_types::tool::names::SHELL;
use serde_json::Value;

use super::turn::WantedCall;
use crate::ask::{Asker, ReplyOutcome};
use crate::extract::plain_text;

/// A checked action.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExecutorAction {
    /// Call tools, one or several.
    Tools {
        /// What the model says of them, in its own words.
        thought: Option<String>,
        /// The calls.
        wanted: Vec<WantedCall>,
    },
    /// End the attempt.
    Finish {
        /// How.
        status: ExecutionStatus,
        /// The result.
        output: String,
    },
}

/// The forms of a turn: an action, several of them, or the bare result that goes with native tool calls.
#[derive(serde::Deserialize)]
#[serde(
    untagged,
    expecting = "a turn is {\"action\": \"tool\", \"tool\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}} or {\"action\": \"finish\", \"status\": \"completed\", \"output\": \"...\"}"
)]
enum TurnReply {
    Action(ActionReply),
    Several {
        #[serde(default)]
        thought: Value,
        actions: Vec<ActionReply>,
    },
    Calls {
        #[serde(default)]
        thought: Value,
        calls: Vec<CallReply>,
    },
    Result(ExecutionReply),
}

/// Several calls in the form with one `action`.
#[derive(serde::Deserialize)]
struct CallReply {
    tool: String,
    #[serde(default, alias = "args", alias = "parameters")]
    arguments: Value,
    #[serde(default, rename = "final")]
    is_final: bool,
}

/// What a shell runs.
const COMMAND: &str = "command";

/// Words that stand in a turn that was meant to be JSON.
const MEANT: [&str; 4] = ["\"action\"", "\"actions\"", "\"tool\"", "\"status\""];

/// Reads the outcome. Native tool calls count before the text. A text that is no JSON and was not meant to be is the
/// result: a last turn of its own would only say it again.
pub(super) fn read(asker: &mut Asker, outcome: ModelOutcome) -> ReplyOutcome<ExecutorAction> {
    let ModelOutcome::Reply(reply) = &outcome else {
        return map(asker.read::<ActionReply>(outcome), from_action);
    };
    if !reply.tool_calls.is_empty() {
        let wanted = reply.tool_calls.iter().map(native).collect();
        return ReplyOutcome::Reply(ExecutorAction::Tools { thought: plain_text(reply), wanted });
    }
    let words = plain_text(reply).filter(|_| !asker.is_repairing());
    if let Some(output) = words.filter(|text| !MEANT.iter().any(|word| text.contains(word))) {
        return match list(&output) {
            Some(action) => ReplyOutcome::Reply(action),
            None => {
                ReplyOutcome::Reply(ExecutorAction::Finish { status: ExecutionStatus::Completed, output })
            }
        };
    }
    if let Some(action) = plain_text(reply).and_then(|text| list(&text)) {
        return ReplyOutcome::Reply(action);
    }
    // The precise reader gives the precise complaint.
    let is_action = reply.content.contains("\"action\"") && !is_several(&reply.content);
    if is_action {
        return map(asker.read::<ActionReply>(outcome), from_action);
    }
    map(asker.read::<TurnReply>(outcome), |turn| match turn {
        TurnReply::Action(action) => from_action(action),
        TurnReply::Several { thought, actions } => with_thought(from_actions(actions), thought),
        TurnReply::Calls { thought, calls } => {
            let wanted = calls.into_iter().map(from_call).collect();
            with_thought(ExecutorAction::Tools { thought: None, wanted }, thought)
        }
        TurnReply::Result(result) => {
            ExecutorAction::Finish { status: result.status, output: text(result.output) }
        }
    })
}

/// The action with what was said of all of it, unless its calls say more.
fn with_thought(action: ExecutorAction, said: Value) -> ExecutorAction {
    match (action, said) {
        (ExecutorAction::Tools { thought: None, wanted }, Value::String(said)) => {
            ExecutorAction::Tools { thought: Some(said), wanted }
        }
        (action, _) => action,
    }
}

fn is_several(content: &str) -> bool {
    content.contains("\"actions\"") || content.contains("\"calls\"")
}

/// A turn that is a list of actions.
fn list(text: &str) -> Option<ExecutorAction> {
    let actions: Vec<ActionReply> = serde_json::from_str(text).ok()?;
    (!actions.is_empty()).then(|| from_actions(actions))
}

fn native(call: &NativeToolCall) -> WantedCall {
    let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::String(call.arguments.clone()));
    let arguments = sorted(&usual(&call.name, arguments));
    WantedCall { tool: call.name.clone(), arguments, is_final: false }
}

/// The calls before the first finish, or that finish where nothing stands before it: what a model says of calls that it has
/// not seen the end of is no result.
fn from_actions(actions: Vec<ActionReply>) -> ExecutorAction {
    let (mut wanted, mut thoughts) = (Vec::new(), Vec::new());
    for action in actions {
        match from_action(action) {
            ExecutorAction::Tools { thought, wanted: calls } => {
                thoughts.extend(thought);
                wanted.extend(calls);
            }
            finish @ ExecutorAction::Finish { .. } if wanted.is_empty() => return finish,
            ExecutorAction::Finish { .. } => break,
        }
    }
    ExecutorAction::Tools { thought: (!thoughts.is_empty()).then(|| thoughts.join("\n")), wanted }
}

/// A call that the plan begins with.
pub(super) fn opening(call: &OpeningCall) -> WantedCall {
    let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
    from_call(CallReply { tool: call.tool.clone(), arguments, is_final: call.is_final })
}

fn from_call(call: CallReply) -> WantedCall {
    let tool = call.tool.trim().to_owned();
    let arguments = sorted(&usual(&tool, call.arguments));
    WantedCall { tool, arguments, is_final: call.is_final }
}

/// The arguments under their usual names: a shell's command is often called `cmd`, or stands there without a name.
fn usual(tool: &str, arguments: Value) -> Value {
    match arguments {
        Value::Object(mut fields) if tool == SHELL && !fields.contains_key(COMMAND) => {
            if fields.get("cmd").is_some_and(Value::is_string)
                && let Some(command) = fields.remove("cmd")
            {
                fields.insert(COMMAND.to_owned(), command);
            }
            Value::Object(fields)
        }
        Value::String(text) => match serde_json::from_str(&text) {
            // An object that was written as text.
            Ok(Value::Object(fields)) => usual(tool, Value::Object(fields)),
            Ok(_) | Err(_) if tool == SHELL => serde_json::json!({ COMMAND: text }),
            Ok(_) | Err(_) => Value::String(text),
        },
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            other
        }
    }
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
        ActionReply::Tool { thought, tool, arguments, is_final } => {
            let wanted = vec![from_call(CallReply { tool, arguments, is_final })];
            ExecutorAction::Tools { thought, wanted }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CallReply, from_call};

    #[test]
    fn a_shells_command_is_known_by_other_names_too() {
        let check = |tool: &str, arguments: Value, expected: &str| {
            let call = from_call(CallReply { tool: tool.to_owned(), arguments, is_final: false });
            assert_eq!(call.arguments, expected);
        };
        let usual = r#"{"command":"ls"}"#;
        for arguments in [json!({"command": "ls"}), json!({"cmd": "ls"}), json!("ls"), json!(usual)] {
            check("shell", arguments, usual);
        }
        check("shell", json!({"command": "ls", "cmd": "rm x"}), r#"{"cmd":"rm x","command":"ls"}"#);
        check("shell", json!({"cmd": ["ls"]}), r#"{"cmd":["ls"]}"#);
        check("glob", json!({"cmd": "ls"}), r#"{"cmd":"ls"}"#);
        check("glob", json!("a"), "\"a\"");
    }
}
