//! The value of every setting and where it comes from.

use std::fmt;

use artoo_model::{ProviderKind, Secret};

use super::error::ConfigError;
use super::flags::Flags;
use super::show::{ShownSetting, shown_value};
use super::table::{Preset, SECTIONS, SETTINGS, Setting};
use super::value::{Value, from_text};
use super::{Environment, document, key, mcp, tier};
use crate::folder::Places;

/// Where a value comes from. A later variant outranks an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody configured it.
    Default,
    /// The file `config.toml`.
    File,
    /// This environment variable.
    Environment(&'static str),
    /// A flag.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File => formatter.write_str("config.toml"),
            Self::Environment(name) => write!(formatter, "environment {name}"),
            Self::Flag => formatter.write_str("flag"),
        }
    }
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// All settings, checked, each with its origin. A tier's own settings are kept apart from the shared ones.
#[derive(Debug, Clone)]
pub struct Settings {
    /// In the order of [`SETTINGS`].
    found: Vec<Option<Found>>,
    /// MCP servers, in the order of their names.
    servers: Vec<mcp::Written>,
    /// The configuration file, as people know it.
    file: String,
    /// Every key that was written down, those that are outranked too.
    secrets: Vec<Secret>,
}

impl Settings {
    /// Reads flags, environment and `config.toml`. It opens no other file, starts nothing, and needs no model, so that
    /// `config show` answers also when [`super::Config::load`] would refuse.
    ///
    /// # Errors
    /// When a source has an unknown key or a value that cannot be, when `config.toml` cannot be read or is exposed, or
    /// when one section says twice where its key is.
    pub fn read(places: &Places, flags: &Flags, environment: Environment<'_>) -> Result<Self, ConfigError> {
        let (entries, servers) = document::load(places)?;
        let flags = flags.values()?;
        let mut found = Vec::with_capacity(SETTINGS.len());
        let mut secrets = Vec::new();
        for setting in SETTINGS {
            let by_flag = flags.iter().rev().find(|(flagged, _)| flagged.key == setting.key);
            let by_file = entries.iter().find(|entry| entry.setting.key == setting.key);
            // Also a variable that is outranked is checked: what it says would hold without the flag.
            let by_environment = from_environment(setting, environment)?;
            let written =
                by_environment.iter().map(|found| &found.value).chain(by_file.map(|entry| &entry.value));
            secrets.extend(written.filter_map(Value::secret).cloned());
            found.push(if let Some((_, value)) = by_flag {
                Some(Found { value: value.clone(), origin: Origin::Flag })
            } else if by_environment.is_some() {
                by_environment
            } else if let Some(entry) = by_file {
                Some(Found { value: entry.value.clone(), origin: Origin::File })
            } else {
                preset(setting)
            });
        }
        secrets.extend(servers.iter().flat_map(mcp::Written::secrets));
        let file = document::shown_path(places, &document::config_path(places));
        let settings = Self { found, servers, file, secrets };
        for section in SECTIONS {
            key::of_section(&settings, section)?;
        }
        Ok(settings)
    }

    /// Every setting with the value that has effect, then those of each MCP server: a tier's line shows the shared value when the tier has none of its
    /// own, and a key that is outranked by another way to give it is shown as not set.
    pub fn shown(&self) -> Vec<ShownSetting> {
        let line = |setting: &'static Setting| {
            let found = tier::effective(self, setting);
            let origin = found.as_ref().map_or(Origin::Default, |found| found.origin).to_string();
            ShownSetting {
                key: setting.key.into(),
                value: found.and_then(|found| shown_value(setting, found.value)),
                origin,
            }
        };
        SETTINGS.iter().map(line).chain(self.servers.iter().flat_map(mcp::Written::shown)).collect()
    }

    /// Every key that was written into a source, for a redactor. Those in files of their own are not among them.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// The value of that key, presets included, tiers not looked through.
    pub(super) fn get(&self, key: &str) -> Option<&Found> {
        let index = SETTINGS.iter().position(|setting| setting.key == key)?;
        self.found[index].as_ref()
    }

    /// The value of that key if somebody configured it.
    pub(super) fn configured(&self, key: &str) -> Option<&Found> {
        self.get(key).filter(|found| found.origin != Origin::Default)
    }

    /// A whole number that has a preset.
    pub(super) fn count(&self, key: &str) -> u64 {
        let number = match self.get(key).map(|found| &found.value) {
            Some(Value::Count(number)) => Some(*number),
            Some(Value::Text(_) | Value::Secret(_) | Value::Number(_)) | None => None,
        };
        number.expect("the table gives every count a preset")
    }

    /// Where the value of that key was written, as the start of an error.
    pub(super) fn place(&self, key: &str) -> String {
        match self.get(key).map_or(Origin::Default, |found| found.origin) {
            Origin::Default | Origin::File => self.file.clone(),
            Origin::Environment(name) => format!("environment variable {name}"),
            Origin::Flag => "flag --set".to_owned(),
        }
    }

    /// MCP servers, in the order of their names.
    pub(super) fn servers(&self) -> &[mcp::Written] {
        &self.servers
    }

    /// The configuration file, as people know it.
    pub(super) fn file(&self) -> &str {
        &self.file
    }
}

fn from_environment(
    setting: &'static Setting,
    environment: Environment<'_>,
) -> Result<Option<Found>, ConfigError> {
    let Some(name) = setting.environment else { return Ok(None) };
    let Some(text) = environment(name).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    match from_text(setting.kind, &text) {
        Ok(value) => Ok(Some(Found { value, origin: Origin::Environment(name) })),
        Err(problem) => {
            let place = format!("environment variable {name}");
            Err(ConfigError::Value { place, key: setting.key.to_owned(), problem })
        }
    }
}

fn preset(setting: &Setting) -> Option<Found> {
    match setting.preset {
        Preset::Value(text) => {
            let value =
                from_text(setting.kind, text).expect("every preset of the table is a value of its kind");
            Some(Found { value, origin: Origin::Default })
        }
        Preset::Shared | Preset::Derived(_) | Preset::Nothing => None,
    }
}

/// A provider that follows from other settings, with the origin of what decided.
pub(super) fn derived_provider(kind: ProviderKind, origin: Origin) -> Found {
    Found { value: Value::Text(kind.as_str().to_owned()), origin }
}
