//! Real calls to a server, and what they say of it.

use std::time::Duration;

use artoo_model::probe::{ListedModel, ModelProbe, ProbeVerdict};
use artoo_model::{KnownServers, ModelConfigError, OpenAi, ProviderConfig, Timing, ToolCallForm};
use artoo_redact::Redactor;

use super::candidates::ServerCandidate;

/// How long a server may take to list its models.
const LIST_WITHIN: Duration = Duration::from_secs(5);
/// How long a call may take: a local server loads its model first.
const CALL_WITHIN: Duration = Duration::from_secs(120);
/// Tokens of a context that artoo's prompts need in everyday work.
const ENOUGH_CONTEXT: u64 = 16_000;
/// A reply that takes longer makes a task of a few calls last minutes.
const SLOW_MS: u64 = 20_000;

/// What was found out about one model of a server.
pub(super) struct ModelTrial {
    /// The call for JSON, as most roles make it.
    pub(super) json: ModelProbe,
    /// The call for the server's own tool calls.
    pub(super) tools: ModelProbe,
    /// Tokens of its context, where the server tells.
    pub(super) context: Option<u64>,
}

/// What it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrialVerdict {
    /// Everything that artoo asks of a model.
    Good,
    /// It works, with less than it could.
    Usable,
    /// No task would come to an end with it.
    Unusable,
}

impl ModelTrial {
    /// What it comes to, and why it is no better.
    pub(super) fn verdict(&self) -> (TrialVerdict, Vec<String>) {
        if self.json.verdict != ProbeVerdict::Answers {
            return (TrialVerdict::Unusable, vec![self.json.message.clone()]);
        }
        let mut lacks = Vec::new();
        if let Some(context) = self.context.filter(|context| *context < ENOUGH_CONTEXT) {
            lacks.push(format!(
                "a context of {context} tokens is small: start the server with at least {ENOUGH_CONTEXT}, for Ollama by \
                 OLLAMA_CONTEXT_LENGTH={ENOUGH_CONTEXT}"
            ));
        }
        if self.json.elapsed_ms > SLOW_MS {
            lacks.push(format!(
                "a reply of a few words took {} s: tasks will take minutes",
                self.json.elapsed_ms / 1_000
            ));
        }
        let verdict = if lacks.is_empty() { TrialVerdict::Good } else { TrialVerdict::Usable };
        (verdict, lacks)
    }

    /// One line of facts.
    pub(super) fn facts(&self) -> String {
        let form = match self.json.form {
            "json_schema" => "JSON by schema",
            "json_object" => "JSON",
            "text" => "JSON as text",
            _ => "no JSON",
        };
        // A server may take the tools away and be asked for JSON instead.
        let tools = self.tools.verdict == ProbeVerdict::Answers && self.tools.form == "tools";
        let tools = if tools { "own tool calls" } else { "no tool calls of its own" };
        let context = self
            .context
            .map_or_else(|| "context unknown".to_owned(), |context| format!("context {context} tokens"));
        format!("{form} · {tools} · {:.1} s · {context}", self.json.elapsed_ms as f64 / 1_000.0)
    }
}

/// Why a server cannot be tried.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrialError {
    /// It does not answer, or gives no list.
    #[error("{0} does not list its models")]
    NoList(String),
    /// It cannot be asked at all.
    #[error(transparent)]
    Config(#[from] ModelConfigError),
}

/// The models of a server that answer in words. Which model the configuration names does not matter.
///
/// # Errors
/// When it gives no list.
pub(super) async fn list(config: &ProviderConfig) -> Result<Vec<ListedModel>, TrialError> {
    let models = server(config, ToolCallForm::Json)?.models(LIST_WITHIN).await;
    let models = models.ok_or_else(|| TrialError::NoList(config.base_url.clone()))?;
    Ok(models.into_iter().filter(|listed| speaks(&listed.name)).collect())
}

/// Calls a model of a server that was found twice.
///
/// # Errors
/// When its address cannot be one.
pub(super) async fn try_model(
    candidate: &ServerCandidate,
    listed: &ListedModel,
) -> Result<ModelTrial, TrialError> {
    try_configured(&candidate.provider(&listed.name)).await
}

/// Calls the model that a configuration names twice.
///
/// # Errors
/// As [`try_model`].
pub(super) async fn try_configured(config: &ProviderConfig) -> Result<ModelTrial, TrialError> {
    let asked = server(config, ToolCallForm::Json)?;
    let json = asked.try_out(CALL_WITHIN).await;
    if json.verdict != ProbeVerdict::Answers {
        return Ok(ModelTrial { tools: json.clone(), json, context: None });
    }
    let tools = server(config, ToolCallForm::Native)?.try_out(CALL_WITHIN).await;
    let context = asked.ask_context(LIST_WITHIN).await;
    Ok(ModelTrial { json, tools, context })
}

fn server(config: &ProviderConfig, tool_calls: ToolCallForm) -> Result<OpenAi, TrialError> {
    let config = ProviderConfig { tool_calls, ..config.clone() };
    let timing = Timing { connect: Duration::from_secs(2), ..Timing::default() };
    Ok(OpenAi::new(&config, timing, &Redactor::default(), &KnownServers::default())?)
}

/// Whether a model answers in words, as far as its name says so.
fn speaks(name: &str) -> bool {
    let name = name.to_lowercase();
    !["embed", "whisper", "tts", "dall-e", "moderation", "rerank"].iter().any(|other| name.contains(other))
}
