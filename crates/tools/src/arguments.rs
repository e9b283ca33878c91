//! Arguments of tools: JSON text parsed once into a typed value.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Arguments of `glob`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct GlobArguments {
    #[serde(default = "here")]
    pub(crate) root: String,
    pub(crate) pattern: String,
}

/// Arguments of the file search.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct FindArguments {
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) kind: Option<String>,
    #[serde(default)]
    pub(crate) larger_than: Option<Value>,
    #[serde(default)]
    pub(crate) newer_than: Option<Value>,
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    #[serde(default)]
    pub(crate) root: Option<String>,
    #[serde(default)]
    pub(crate) order: Option<String>,
}

/// Arguments of `read_file`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ReadArguments {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) offset: Option<u64>,
    #[serde(default)]
    pub(crate) limit: Option<u64>,
}

/// Arguments of `write_file`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct WriteArguments {
    pub(crate) path: String,
    pub(crate) content: String,
}

/// Arguments of `edit_file`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EditArguments {
    pub(crate) path: String,
    pub(crate) old: String,
    pub(crate) new: String,
    #[serde(default)]
    pub(crate) digest: Option<String>,
}

/// Arguments of `shell`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ShellArguments {
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) timeout_ms: Option<u64>,
}

/// Arguments of `applescript`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ScriptArguments {
    pub(crate) script: String,
}

/// Arguments of `shortcuts`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ShortcutArguments {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) input: Option<String>,
}

/// Arguments of `fetch_url`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct FetchArguments {
    pub(crate) url: String,
}

/// Arguments of `search`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct SearchArguments {
    pub(crate) query: String,
}

/// Arguments of `read_output`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct OutputArguments {
    pub(crate) receipt: String,
    #[serde(default)]
    pub(crate) offset: Option<u64>,
    #[serde(default)]
    pub(crate) limit: Option<u64>,
}

fn here() -> String {
    ".".to_owned()
}

/// Reads arguments; the error names the first one that is missing or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(tool: &str, signature: &str, arguments: &str) -> Result<T, String> {
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let value: Value = serde_json::from_str(text)
        .map_err(|e| format!("the arguments of {tool} are not JSON ({e}); give an object {signature}"))?;
    if !value.is_object() {
        return Err(format!("the arguments of {tool} must be a JSON object {signature}"));
    }
    serde_json::from_value(value)
        .map_err(|e| format!("the arguments of {tool} do not fit: {e}; give an object {signature}"))
}

#[cfg(test)]
mod tests;
