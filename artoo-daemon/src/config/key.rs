//! Keys of servers: given as they are, kept in a file, or printed by a command.

mod command;

use std::path::PathBuf;
use std::time::Duration;

use artoo_model::{ModelConfig, Secret};

use super::document::{read_bounded, refuse_exposed, shown_path};
use super::error::ConfigError;
use super::settings::{Found, Settings};
use super::table::{SECTIONS, Setting, find};
use super::value::{KEY_LIMIT, Value, secret};
use crate::folder::Places;

/// How long `api_key_command` may take: a password store answers within a second, and the daemon's start waits for it.
pub(super) const COMMAND_DEADLINE: Duration = Duration::from_secs(10);

/// The ways to give a key.
const NAMES: [&str; 3] = ["api_key", "api_key_file", "api_key_command"];

/// Which setting says what the key is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyPlace {
    /// The whole key of that setting.
    setting: &'static str,
    /// Its name: one of the three.
    pub(super) name: &'static str,
    pub(super) found: Found,
}

/// Every key that is written down, that was fetched, that stands in the query of an address, or that lies in a file which a
/// setting names, also where another way outranks it. A file that cannot be read gives none, and no command runs for a key that nobody uses.
pub(super) fn all(settings: &Settings, models: &ModelConfig, places: &Places) -> Vec<Secret> {
    let in_file = |section: &&str| {
        let setting = find(&format!("{section}.api_key_file"))?;
        let path = expand(settings.configured(setting.key)?.value.text(), places);
        let (text, _) = read_bounded(&path, &shown_path(places, &path), KEY_LIMIT as u64).ok()??;
        secret(&text).ok()
    };
    let fetched = [models.brain.api_key.clone(), models.tool.api_key.clone()];
    let in_files = SECTIONS.iter().filter_map(in_file);
    let search_url = settings.get("search.base_url").map_or("", |found| found.value.text());
    let in_queries =
        [models.brain.base_url.as_str(), &models.tool.base_url, search_url].into_iter().flat_map(of_query);
    let written = settings.secrets().iter().cloned();
    written.chain(fetched).chain(in_files).chain(in_queries).filter(|key| !key.is_empty()).collect()
}

/// The values in the query of an address whose names say that they are keys. A version, which is not one, stays a word.
pub(super) fn of_query(address: &str) -> impl Iterator<Item = Secret> {
    const NAMES: [&str; 6] = ["key", "code", "token", "sig", "secret", "pass"];
    let (_, query) = address.split_once('?').unwrap_or_default();
    query.split('&').filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let name = name.to_ascii_lowercase();
        NAMES.iter().any(|part| name.contains(part)).then(|| Secret::new(value))
    })
}

/// The way to the key that a tier has of its own, else the shared one.
pub(super) fn of_tier(settings: &Settings, section: &str) -> Result<Option<KeyPlace>, ConfigError> {
    match of_section(settings, section)? {
        Some(place) => Ok(Some(place)),
        None => of_section(settings, "model"),
    }
}

/// The way to the key that a section gives: the one of the highest origin.
///
/// # Errors
/// When two ways have the same origin, since nobody could say which holds.
pub(super) fn of_section(settings: &Settings, section: &str) -> Result<Option<KeyPlace>, ConfigError> {
    let mut best: Option<KeyPlace> = None;
    for name in NAMES {
        let Some(setting) = find(&format!("{section}.{name}")) else { continue };
        let Some(found) = settings.configured(setting.key) else { continue };
        match &best {
            Some(other) if other.found.origin == found.origin => {
                return Err(conflict(settings, other, setting));
            }
            Some(other) if other.found.origin > found.origin => {}
            Some(_) | None => {
                best = Some(KeyPlace { setting: setting.key, name: setting.name(), found: found.clone() });
            }
        }
    }
    Ok(best)
}

impl KeyPlace {
    /// Whether it says that no key is to be sent.
    pub(super) fn is_none_sent(&self) -> bool {
        matches!(&self.found.value, Value::Secret(key) if key.is_empty())
    }

    /// The key.
    ///
    /// # Errors
    /// When a file cannot be read, is exposed or holds no key, or a command fails, prints none or takes too long.
    pub(super) fn fetch(&self, places: &Places, deadline: Duration) -> Result<Secret, ConfigError> {
        match &self.found.value {
            Value::Secret(key) => Ok(key.clone()),
            Value::Text(command) if self.name == "api_key_command" => {
                let printed = command::run(command, deadline).map_err(|problem| self.problem(problem))?;
                self.checked(&printed, "printed no key", "printed something that")
            }
            Value::Text(path) => self.read_file(path, places),
            Value::Number(_) | Value::Count(_) => Ok(Secret::default()),
        }
    }

    fn read_file(&self, path: &str, places: &Places) -> Result<Secret, ConfigError> {
        let path = expand(path, places);
        let shown = shown_path(places, &path);
        let Some((text, mode)) = read_bounded(&path, &shown, KEY_LIMIT as u64)? else {
            return Err(self.problem(format!("names {shown}, which does not exist; write the key into it")));
        };
        refuse_exposed(&path, &shown, mode)?;
        self.checked(&text, &format!("names {shown}, which holds no key"), &format!("names {shown}, which"))
    }

    fn checked(&self, text: &str, none: &str, subject: &str) -> Result<Secret, ConfigError> {
        match secret(text) {
            Ok(key) if key.is_empty() => Err(self.problem(none.to_owned())),
            Ok(key) => Ok(key),
            Err(problem) => Err(self.problem(format!("{subject} {problem}"))),
        }
    }

    fn problem(&self, problem: String) -> ConfigError {
        ConfigError::Key { key: self.setting, problem }
    }
}

/// The key that a file holds or a command prints; `name` says which of both `text` is.
///
/// # Errors
/// A phrase that follows the setting's name and never repeats a secret.
pub(super) fn fetched(
    name: &'static str,
    text: &str,
    places: &Places,
    deadline: Duration,
) -> Result<Secret, String> {
    let found = Found { value: Value::Text(text.to_owned()), origin: super::settings::Origin::File };
    let place = KeyPlace { setting: name, name, found };
    match place.fetch(places, deadline) {
        Ok(key) => Ok(key),
        Err(ConfigError::Key { problem, .. }) => Err(problem),
        Err(other) => Err(format!("leads to a problem: {other}")),
    }
}

fn conflict(settings: &Settings, other: &KeyPlace, setting: &Setting) -> ConfigError {
    let problem = format!("and `{}` are both set; keep one of them", other.setting);
    ConfigError::Value { place: settings.place(setting.key), key: setting.key.to_owned(), problem }
}

/// `~` is the home folder; a relative path starts at the data folder, where `config.toml` lies.
fn expand(path: &str, places: &Places) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => places.home.join(rest),
        None => places.data.join(path),
    }
}
