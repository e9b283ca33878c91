//! What the gate would do with a call. Nothing runs.

use artoo_protocol::v1;
use artoo_protocol::words::GateDecision;
use artoo_tools::{CallVerdict, Toolbox};
use artoo_types::limits::{MAX_INPUT_BYTES, TOOL_CALL_MS};
use artoo_types::plan::Blocks;
use artoo_types::tool::ToolCall;
use artoo_types::{EffectId, SubtaskId};
use serde::Deserialize;
use tonic::Status;
use uuid::Uuid;

use super::errors;
use super::service::{Calls, blocking};

/// The tool whose calls are explained from their command.
const SHELL: &str = "shell";

/// The arguments of a shell call that matter to the gate.
#[derive(Deserialize)]
struct ShellArguments {
    command: String,
}

/// What the gate would do with a call, and why. A path that it leads to may have a name that tells a secret.
pub(super) async fn explain_action(
    calls: &Calls,
    request: v1::ExplainActionRequest,
) -> Result<v1::ExplainActionResponse, Status> {
    let mut explained = judge(calls, request).await?;
    calls.parts.redactor.clean_all(&mut explained.targets);
    calls.parts.redactor.clean_all(&mut explained.reasons);
    calls.parts.redactor.clean(&mut explained.r#box);
    Ok(explained)
}

async fn judge(
    calls: &Calls,
    request: v1::ExplainActionRequest,
) -> Result<v1::ExplainActionResponse, Status> {
    let mut folder = request.working_directory;
    let is_named = !folder.is_empty();
    if !is_named {
        folder = calls.parts.places.workspace.to_string_lossy().into_owned();
    }
    if !folder.starts_with('/') {
        return Err(errors::invalid("working_directory", &format!("{folder} is not an absolute path")));
    }
    if is_named && !std::path::Path::new(&folder).is_dir() {
        return Err(errors::invalid("working_directory", &format!("there is no folder {folder}")));
    }
    // The gate itself says what it thinks of a command that is too long.
    if request.tool != SHELL && request.arguments.len() > MAX_INPUT_BYTES {
        return Err(errors::invalid(
            "arguments",
            &format!("more than {MAX_INPUT_BYTES} bytes are not taken"),
        ));
    }
    let toolbox = calls.parts.toolbox.clone();
    if request.tool == SHELL {
        let arguments: ShellArguments = serde_json::from_str(&request.arguments).map_err(|error| {
            errors::invalid("arguments", &format!("give JSON such as {{\"command\": \"ls\"}} ({error})"))
        })?;
        return blocking(move || Ok(explain_shell(&toolbox, &arguments.command, &folder))).await;
    }
    let known: Vec<String> = toolbox.specs(&folder).into_iter().map(|spec| spec.name).collect();
    if !known.contains(&request.tool) {
        let problem = format!("there is no tool {:?}; the tools are {}", request.tool, known.join(", "));
        return Err(errors::invalid("tool", &problem));
    }
    let call = made_up(request.tool, request.arguments, folder);
    blocking(move || Ok(response(toolbox.judge(call).verdict()))).await
}

fn explain_shell(toolbox: &Toolbox, command: &str, folder: &str) -> v1::ExplainActionResponse {
    let explained = toolbox.explain(command, folder);
    v1::ExplainActionResponse {
        decision: explained.decision.as_str().to_owned(),
        effects: explained.effects.iter().map(|effect| effect.as_str().to_owned()).collect(),
        targets: explained.targets,
        reasons: explained.why,
        r#box: toolbox.explain_box(command, folder).unwrap_or_default(),
    }
}

/// A call of no task, to be judged and never run.
fn made_up(tool: String, arguments: String, working_directory: String) -> ToolCall {
    ToolCall {
        effect_id: EffectId(0),
        subtask_id: SubtaskId(Uuid::nil()),
        tool,
        arguments,
        working_directory,
        blocked: Blocks::default(),
        deadline_ms: TOOL_CALL_MS,
        taint: Default::default(),
        word: Default::default(),
        by_judge: false,
        shows_images: false,
    }
}

fn response(verdict: CallVerdict<'_>) -> v1::ExplainActionResponse {
    let effect = |effect: &artoo_types::evidence::EffectClass| effect.as_str().to_owned();
    match verdict {
        CallVerdict::Run(facts) => v1::ExplainActionResponse {
            decision: GateDecision::Safe.as_str().to_owned(),
            effects: vec![effect(&facts.effect)],
            targets: vec![facts.target.clone()],
            reasons: Vec::new(),
            r#box: String::new(),
        },
        CallVerdict::Ask(held) => v1::ExplainActionResponse {
            decision: GateDecision::Confirm.as_str().to_owned(),
            effects: held.effects.iter().map(effect).collect(),
            targets: held.targets.clone(),
            reasons: held.why.clone(),
            r#box: String::new(),
        },
        CallVerdict::Refuse(refusal) => v1::ExplainActionResponse {
            decision: GateDecision::Forbidden.as_str().to_owned(),
            effects: Vec::new(),
            targets: Vec::new(),
            reasons: vec![refusal.to_string()],
            r#box: String::new(),
        },
    }
}
