//! What the two model tiers are configured to be: plain values. The daemon reads files and the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use artoo_redact::Secret;
use artoo_types::limits::{HEARS_OUT, MODEL_CALL_MS};

/// Both tiers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelConfig {
    /// Answers R1, R2, R4b and the Dreamer.
    pub brain: ProviderConfig,
    /// Answers R3 and R4a.
    pub tool: ProviderConfig,
}

impl ModelConfig {
    /// The commands that start servers, each once.
    pub fn commands(&self) -> BTreeSet<String> {
        [&self.brain, &self.tool].into_iter().filter_map(|tier| tier.command.clone()).collect()
    }
}

/// One tier. The default is the built-in offline rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderConfig {
    /// Who answers.
    pub kind: ProviderKind,
    /// Where: the path of the interface is appended, nothing else is changed. Unused offline.
    pub base_url: String,
    /// The model's name as the server knows it. Unused offline.
    pub model: String,
    /// The key; empty for servers that want none.
    pub api_key: Secret,
    /// Which interface it speaks.
    pub api: ApiForm,
    /// How tools are called.
    pub tool_calls: ToolCallForm,
    /// How long it may take.
    pub patience: Patience,
    /// Tokens of its context; None: the server is asked.
    pub context: Option<u64>,
    /// Whether it sees pictures: then those that a step reads go with its prompts.
    pub images: bool,
    /// Header fields of every request.
    pub headers: BTreeMap<String, Secret>,
    /// A file with the certificates of further authorities, in PEM form.
    pub ca_file: Option<PathBuf>,
    /// A file with the prices of models, in LiteLLM's form.
    pub prices: Option<PathBuf>,
    /// What starts the server, where the daemon does it.
    pub command: Option<String>,
}

/// How long a server may take for one call, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Longest wait for the first sign of a reply, while a prompt is read or a model loaded.
    pub first_token_ms: u64,
    /// Longest silence after it. Whatever comes over the wire ends it: text, thoughts, or a sign of life.
    pub idle_ms: u64,
    /// Longest call, however much comes.
    pub call_ms: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { first_token_ms: 180_000, idle_ms: 60_000, call_ms: MODEL_CALL_MS * u64::from(HEARS_OUT) }
    }
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProviderKind {
    /// A server that speaks one of the interfaces of [`ApiForm`].
    OpenAi,
    /// The built-in rules: no model, no network.
    #[default]
    Offline,
}

impl ProviderKind {
    /// Each with its word in configuration files, in the order in which people see them.
    pub const WORDS: [(&'static str, Self); 2] =
        [(Self::Offline.as_str(), Self::Offline), (Self::OpenAi.as_str(), Self::OpenAi)];

    /// Whether it is a server, which has an address, a model and perhaps a key.
    pub fn is_server(self) -> bool {
        match self {
            Self::OpenAi => true,
            Self::Offline => false,
        }
    }

    /// The word in configuration files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Offline => "offline",
        }
    }
}

/// Which of the interfaces in use a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiForm {
    /// OpenAI's Chat Completions, which most servers speak.
    #[default]
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
}

impl ApiForm {
    /// Each with its word in configuration files, in the order in which people see them.
    pub const WORDS: [(&'static str, Self); 3] =
        [("chat", Self::Chat), ("responses", Self::Responses), ("messages", Self::Messages)];

    /// What stands behind the base URL.
    pub(crate) const fn path(self) -> &'static [&'static str] {
        match self {
            Self::Chat => &["chat", "completions"],
            Self::Responses => &["responses"],
            Self::Messages => &["messages"],
        }
    }
}

/// How an executor's tool calls travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolCallForm {
    /// The server's own tool calls once it has shown that it makes them, else JSON.
    #[default]
    Auto,
    /// One JSON action a turn: works with every server.
    Json,
    /// The server's own tool calls.
    Native,
}

impl ToolCallForm {
    /// Each with its word in configuration files, in the order in which people see them.
    pub const WORDS: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("json", Self::Json), ("native", Self::Native)];
}

/// A configuration that no call could succeed with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelConfigError {
    /// The address cannot be right.
    #[error("base_url = \"{url}\": {problem}")]
    BaseUrl {
        /// As configured, without a user name and password.
        url: String,
        /// What is wrong and what to write.
        problem: String,
    },
    /// No model named.
    #[error("no model is named for {url}: set `model` (or OPENAI_MODEL, BRAIN_MODEL, TOOL_MODEL)")]
    NoModel {
        /// The base URL.
        url: String,
    },
    /// The key cannot travel in a header.
    #[error(
        "the key for {url} holds characters that no key has: check api_key, api_key_file or api_key_command"
    )]
    Key {
        /// The base URL.
        url: String,
    },
    /// A header field that cannot travel.
    #[error("the header field {name:?} for {url} has characters that none can have: check headers")]
    Header {
        /// The base URL.
        url: String,
        /// The field's name.
        name: String,
    },
    /// The certificates cannot be read.
    #[error("ca_file = {file:?}: {problem}; it has to hold certificates in PEM form")]
    CaFile {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// The prices cannot be read.
    #[error("prices = {file:?}: {problem}; it has to be a list of prices in the form of LiteLLM's")]
    Prices {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// The HTTP client cannot start.
    #[error(
        "the HTTP client for {url} cannot start ({problem}): check that the system's root certificates are installed"
    )]
    Client {
        /// The base URL.
        url: String,
        /// What it said.
        problem: String,
    },
}

#[cfg(test)]
mod tests {
    use super::{ModelConfig, ProviderConfig, ProviderKind, Secret};

    #[test]
    fn a_secret_is_not_in_any_debug_output() {
        let tier = ProviderConfig {
            kind: ProviderKind::OpenAi,
            api_key: Secret::new(" sk-hidden\n"),
            ..ProviderConfig::default()
        };
        let config = ModelConfig { brain: tier.clone(), tool: tier };
        let shown = format!("{config:?} {config:#?}");
        assert!(!shown.contains("sk-hidden") && shown.contains("Secret(***)"), "{shown}");
        assert_eq!(config.brain.api_key.expose(), "sk-hidden", "a line break is no part of a key");
    }
}
