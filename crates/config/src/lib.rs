//! The configuration: what a flag says, else the environment, else `config.toml`, else the default.
//!
//! Everything about a setting (its key, its environment variable, its default, what values it takes) stands once, in the
//! table [`SETTINGS`]; reading, suggestions for mistyped keys, `config show` and the documentation derive from it.
//! [`Settings::read`] finds each value and where it comes from, without a network and without starting anything;
//! [`Config::load`] goes on to what the daemon needs, and only it opens `api_key_file` and runs `api_key_command`.

mod control;
mod document;
mod draft;
mod edit;
mod effective;
mod error;
mod field;
mod file;
mod flags;
pub mod folder;
mod import;
mod key;
mod mcp;
mod save;
mod secrets;
mod settings;
mod show;
mod storage;
mod table;
mod tier;
mod value;
mod watch;
mod web;

use std::collections::BTreeMap;

use artoo_mcp::McpServer;
use artoo_model::{ModelConfig, Secret};
use artoo_types::setting::{ControlParams, UnaskedRules};
use artoo_web::WebConfig;

use crate::folder::Places;

pub use control::{ControlRejected, changed as changed_control};
pub use edit::edited;
pub use effective::{from_variables, names_a_server, show};
pub use error::ConfigError;
pub use flags::Flags;
pub use import::{import, import_env, variables_in};
pub use mcp::markdown_table as mcp_markdown_table;
pub use save::write_config;
pub use settings::{Environment, Settings};
pub use show::{ShownSetting, ShownValue, as_json, as_text};
pub use storage::StorageParams;
pub use table::{Preset, SETTINGS, Setting, markdown_table};
pub use value::Origin;
pub use watch::{ConfigWatch, variables};

/// What the daemon runs with.
#[derive(Debug, Clone)]
pub struct Config {
    /// Both model tiers, keys included.
    pub models: ModelConfig,
    /// Weights, thresholds and budgets of the controller.
    pub control: ControlParams,
    /// How much of the disk is left to others, and what is kept how long.
    pub storage: StorageParams,
    /// Whether ended tasks are reflected on.
    pub reflect: bool,
    /// What may be done unasked.
    pub unasked: UnaskedRules,
    /// What tools may do in the internet, and who searches.
    pub web: WebConfig,
    /// MCP servers that are to be started.
    pub servers: Vec<McpServer>,
    /// What tells a person that is not looking.
    pub notify: Option<String>,
    /// Each value with its origin, for `config show`.
    pub settings: Settings,
    /// Why the key of a model could not be fetched, if it could not.
    pub key_missing: Option<String>,
    /// What besides a model is not started because its key could not be fetched, with what to do.
    pub without: Vec<String>,
    /// Every key that is configured anywhere, whether or not it is the one that is used.
    pub secrets: Vec<Secret>,
}

impl Config {
    /// The effective configuration. A variable that is empty counts as not set.
    ///
    /// # Errors
    /// When a source has a key or a value that cannot be, or when config.toml can be read by others and holds a secret. The text
    /// says where, and what to do. A key that cannot be fetched stops nothing but what needs it.
    pub fn load(places: &Places, flags: &Flags, environment: Environment<'_>) -> Result<Self, ConfigError> {
        let settings = Settings::read(places, flags, environment)?;
        let draft = effective::draft(&settings);
        let (models, lacking) = tier::models(draft.models, &settings, places, key::COMMAND_DEADLINE)?;
        let control = control::checked(draft.control, &settings)?;
        let mut without = Vec::new();
        let (web, searcher_key) =
            web::config(draft.web, &draft.search, &settings, places, key::COMMAND_DEADLINE, &mut without)?;
        let mut secrets = secrets::all(&settings, &models, places);
        secrets.extend(Some(searcher_key).filter(|key| !key.is_empty()));
        let servers = mcp::all(settings.servers(), places, key::COMMAND_DEADLINE, &mut without)?;
        secrets.extend(mcp::secrets(&servers));
        let (storage, reflect, unasked, notify) = (draft.storage, draft.reflect, draft.unasked, draft.notify);
        let key_missing = lacking.map(|why| why.to_string());
        Ok(Self {
            models,
            control,
            storage,
            reflect,
            unasked,
            web,
            servers,
            notify,
            settings,
            key_missing,
            without,
            secrets,
        })
    }

    /// What is allowed and unusual, for the log: whole sentences.
    pub fn advice(&self) -> Vec<String> {
        let mut advice = tier::advice(&self.models, self.missing_model(), self.control.max_cost);
        advice.extend(self.without.iter().cloned());
        advice
    }

    /// What is missing for a model that somebody began to configure, with what to do: one of [`Self::advice`].
    pub fn missing_model(&self) -> Option<String> {
        let lacking = self.key_missing.as_ref();
        let without = lacking
            .map(|why| format!("{why}. Until then the built-in rules answer; afterwards: artoo restart"));
        without.or_else(|| tier::missing(&self.settings))
    }
}

/// The variable of this process. Bytes that are not UTF-8 are replaced, so that the value is refused and not overlooked.
pub fn process_environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// An environment of given variables.
pub fn fixed_environment(variables: BTreeMap<String, String>) -> impl Fn(&str) -> Option<String> {
    move |name| variables.get(name).cloned()
}

#[cfg(test)]
mod tests;
