//! Keys of servers: given as they are, kept in a file, or printed by a command.

mod command;

use std::path::PathBuf;
use std::time::Duration;

use artoo_model::Secret;

use super::error::ConfigError;
use super::field::KeyForm;
use super::file::{read_bounded, refuse_exposed, shown_path};
use super::value::{KEY_LIMIT, SourcedValue, Value, secret};
use crate::folder::Places;

/// How long `api_key_command` may take: a password store answers within a second, and the daemon's start waits for it.
pub(super) const COMMAND_DEADLINE: Duration = Duration::from_secs(10);

/// Which setting says what the key is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeySource {
    /// The whole key of that setting.
    pub(super) setting: &'static str,
    pub(super) form: KeyForm,
    pub(super) found: SourcedValue,
}

impl KeySource {
    /// Whether it says that no key is to be sent.
    pub(super) fn is_none_sent(&self) -> bool {
        matches!(&self.found.value, Value::Secret(key) if key.is_empty())
    }

    /// The key.
    ///
    /// # Errors
    /// When a file cannot be read, is exposed or holds no key, or a command fails, prints none or takes too long.
    pub(super) fn fetch(&self, places: &Places, deadline: Duration) -> Result<Secret, ConfigError> {
        match (self.form, &self.found.value) {
            (KeyForm::Literal, value) => Ok(value.secret().cloned().unwrap_or_default()),
            (KeyForm::File, value) => fetch_file(self.setting, value.text(), places),
            (KeyForm::Command, value) => fetch_command(self.setting, value.text(), deadline),
        }
    }
}

/// The key in the file at `path`; `setting` names it in errors.
///
/// # Errors
/// When it cannot be read, is exposed or holds no key.
pub(super) fn fetch_file(setting: &'static str, path: &str, places: &Places) -> Result<Secret, ConfigError> {
    let path = expand(path, places);
    let shown = shown_path(places, &path);
    let Some((text, mode)) = read_bounded(&path, &shown, KEY_LIMIT as u64)? else {
        let problem = format!("names {shown}, which does not exist; write the key into it");
        return Err(ConfigError::Key { key: setting, problem });
    };
    refuse_exposed(&path, &shown, mode)?;
    checked(setting, &text, &format!("names {shown}, which holds no key"), &format!("names {shown}, which"))
}

/// The key that `command` prints; `setting` names it in errors.
///
/// # Errors
/// When it fails, prints no key or takes too long.
pub(super) fn fetch_command(
    setting: &'static str,
    command: &str,
    deadline: Duration,
) -> Result<Secret, ConfigError> {
    let printed =
        command::run(command, deadline).map_err(|problem| ConfigError::Key { key: setting, problem })?;
    checked(setting, &printed, "printed no key", "printed something that")
}

fn checked(setting: &'static str, text: &str, none: &str, subject: &str) -> Result<Secret, ConfigError> {
    let problem = match secret(text) {
        Ok(key) if !key.is_empty() => return Ok(key),
        Ok(_) => none.to_owned(),
        Err(problem) => format!("{subject} {problem}"),
    };
    Err(ConfigError::Key { key: setting, problem })
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

/// `~` is the home folder; a relative path starts at the data folder, where `config.toml` lies.
pub(super) fn expand(path: &str, places: &Places) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => places.home.join(rest),
        None => places.data.join(path),
    }
}
