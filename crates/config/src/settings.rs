//! The value of every setting and where it comes from.

use artoo_model::Secret;

use super::document::{self, Entry};
use super::error::ConfigError;
use super::file::{FILE_LIMIT, config_path, read_bounded, refuse_exposed, shown_path};
use super::flags::Flags;
use super::key::KeySource;
use super::mcp::{self, ServerSettings};
use super::table::{Preset, SECTIONS, SETTINGS, Setting};
use super::value::{Origin, SourcedValue, Value, from_text};
use crate::folder::Places;

/// Where environment variables are looked up: the process's in the daemon, a table in tests.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// All settings, checked, each with its origin. A tier's own settings are kept apart from the shared ones.
#[derive(Debug, Clone)]
pub struct Settings {
    /// In the order of [`SETTINGS`].
    found: Vec<Option<SourcedValue>>,
    /// MCP servers, in the order of their names.
    servers: Vec<ServerSettings>,
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
        let (entries, servers) = read_file(places)?;
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
            secrets.extend(written.flat_map(Value::secrets).cloned());
            found.push(if let Some((_, value)) = by_flag {
                Some(SourcedValue { value: value.clone(), origin: Origin::Flag })
            } else if by_environment.is_some() {
                by_environment
            } else if let Some(entry) = by_file {
                Some(SourcedValue { value: entry.value.clone(), origin: Origin::File })
            } else {
                preset(setting)
            });
        }
        secrets.extend(servers.iter().flat_map(ServerSettings::secrets));
        let file = shown_path(places, &config_path(places));
        let settings = Self { found, servers, file, secrets };
        for section in SECTIONS {
            settings.key_of(section)?;
        }
        Ok(settings)
    }

    /// Every key that was written into a source, for a redactor. Those in files of their own are not among them.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// The value of that key, presets included, tiers not looked through.
    pub(super) fn get(&self, key: &str) -> Option<&SourcedValue> {
        let index = SETTINGS.iter().position(|setting| setting.key == key)?;
        self.found[index].as_ref()
    }

    /// The value of that key if somebody configured it.
    pub(super) fn configured(&self, key: &str) -> Option<&SourcedValue> {
        self.get(key).filter(|found| found.origin != Origin::Default)
    }

    /// Where the value of that key was written, as the start of an error.
    pub(super) fn place(&self, key: &str) -> String {
        match self.get(key).map_or(Origin::Default, |found| found.origin) {
            Origin::Default | Origin::File => self.file.clone(),
            Origin::Environment(name) => format!("environment variable {name}"),
            Origin::Flag => "flag --set".to_owned(),
        }
    }

    /// The way to the key that a section gives: the one of the highest origin.
    ///
    /// # Errors
    /// When two ways have the same origin, since nobody could say which holds.
    pub(super) fn key_of(&self, section: &str) -> Result<Option<KeySource>, ConfigError> {
        let mut best: Option<KeySource> = None;
        for setting in SETTINGS.iter().filter(|setting| setting.section() == section) {
            let Some(form) = setting.field.key_form() else { continue };
            let Some(found) = self.configured(setting.key) else { continue };
            match &best {
                Some(other) if other.found.origin == found.origin => {
                    let problem = format!("and `{}` are both set; keep one of them", other.setting);
                    let (place, key) = (self.place(setting.key), setting.key.to_owned());
                    return Err(ConfigError::Value { place, key, problem });
                }
                Some(other) if other.found.origin > found.origin => {}
                Some(_) | None => {
                    best = Some(KeySource { setting: setting.key, form, found: found.clone() });
                }
            }
        }
        Ok(best)
    }

    /// MCP servers, in the order of their names.
    pub(super) fn servers(&self) -> &[ServerSettings] {
        &self.servers
    }

    /// The configuration file, as people know it.
    pub(super) fn file(&self) -> &str {
        &self.file
    }
}

/// The entries of `config.toml` and its MCP servers; none when there is no file.
///
/// # Errors
/// When the file cannot be read, is exposed while it holds a key, or has anything in it that cannot be.
fn read_file(places: &Places) -> Result<(Vec<Entry>, Vec<ServerSettings>), ConfigError> {
    let path = config_path(places);
    let shown = shown_path(places, &path);
    let Some((text, mode)) = read_bounded(&path, &shown, FILE_LIMIT)? else { return Ok(Default::default()) };
    let document = document::document(&text, &shown)?;
    let entries = document::entries(document.get_ref(), &text, &shown)?;
    let servers = mcp::read(document.get_ref(), &text, &shown)?;
    let has_key = entries.iter().any(|entry| entry.value.secrets().iter().any(|key| !key.is_empty()));
    if has_key || servers.iter().any(|server| !server.secrets().is_empty()) {
        refuse_exposed(&path, &shown, mode)?;
    }
    Ok((entries, servers))
}

fn from_environment(
    setting: &'static Setting,
    environment: Environment<'_>,
) -> Result<Option<SourcedValue>, ConfigError> {
    let Some(name) = setting.environment else { return Ok(None) };
    let Some(text) = environment(name).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    match from_text(setting.field.kind, &text) {
        Ok(value) => Ok(Some(SourcedValue { value, origin: Origin::Environment(name) })),
        Err(problem) => {
            let place = format!("environment variable {name}");
            Err(ConfigError::Value { place, key: setting.key.to_owned(), problem })
        }
    }
}

fn preset(setting: &Setting) -> Option<SourcedValue> {
    match setting.preset {
        Preset::Value(text) => {
            let value = from_text(setting.field.kind, text)
                .expect("every preset of the table is a value of its kind");
            Some(SourcedValue { value, origin: Origin::Default })
        }
        Preset::Shared | Preset::Derived(_) | Preset::Nothing => None,
    }
}
