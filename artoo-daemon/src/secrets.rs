//! What must never be told: gathered once at the start, handed out as a redactor.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use artoo_redact::{KnownSecret, MIN_SECRET, Redactor, Secret, SecretKind};

use artoo_config::Config;
use artoo_config::folder::Places;

/// A variable whose value is a plain word shorter than this, such as `postgres`, is left alone: the word would be taken out
/// of every text, and whoever chose it hides nothing.
const MIN_WORD: usize = 12;

/// Ends of names of variables that say where a secret is to be had.
const PATHS: [&str; 4] = ["_FILE", "_PATH", "_DIR", "_SOCK"];

/// The secrets of this daemon.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// Knows all of them.
    pub redactor: Redactor,
    /// What confirmations are answered with; the content of `confirm.token`.
    pub token: Secret,
    /// What could not be protected, for the log: whole sentences without the secret.
    pub advice: Vec<String>,
}

impl Secrets {
    /// The secrets of a configuration, of the environment, and a confirmation token.
    pub fn gather(
        config: &Config,
        token: Secret,
        places: &Places,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let mut known = vec![KnownSecret { secret: token.clone(), kind: SecretKind::Confirmation }];
        let mut advice = Vec::new();
        let configured =
            config.secrets.iter().map(|key| ("a configured key".to_owned(), key.clone(), SecretKind::ApiKey));
        let variables = of_environment(environment)
            .into_iter()
            .map(|(name, (secret, kind))| (format!("the environment variable {name}"), secret, kind));
        for (name, secret, kind) in configured.chain(variables) {
            if is_in_a_path(&secret, places) {
                advice.push(format!(
                    "The value of {name} is also part of a path that artoo works with, so it is not kept out of what \
                     artoo writes; choose another value."
                ));
            } else {
                known.push(KnownSecret { secret, kind });
            }
        }
        Self { redactor: Redactor::new(&known), token, advice }
    }
}

/// Keeps other processes of the same account out of this one: its memory, its environment and its open files in `/proc`,
/// and core dumps of it, where its keys lie. Only Linux has this; a program that this one starts does not inherit it.
///
/// # Errors
/// When the system refuses.
pub fn close_process() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// A redactor for what the program itself says before, or without, gathering all: it knows these keys and the environment.
pub fn redactor(keys: &[Secret], environment: impl IntoIterator<Item = (OsString, OsString)>) -> Redactor {
    let keys = keys.iter().map(|key| KnownSecret { secret: key.clone(), kind: SecretKind::ApiKey });
    let variables =
        of_environment(environment).into_values().map(|(secret, kind)| KnownSecret { secret, kind });
    Redactor::new(&keys.chain(variables).collect::<Vec<_>>())
}

/// The values of variables whose names say that they are secret, by name.
fn of_environment(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> BTreeMap<String, (Secret, SecretKind)> {
    let secret = |(name, value): (OsString, OsString)| {
        let name = name.into_string().ok()?;
        let kind = SecretKind::of_variable(&name)?;
        let value = Secret::new(&value.to_string_lossy());
        is_secret(&name, value.expose()).then_some((name, (value, kind)))
    };
    environment.into_iter().filter_map(secret).collect()
}

/// Whether a value can be a secret: neither a word nor the path of a file that holds one.
fn is_secret(name: &str, value: &str) -> bool {
    let is_word = value.len() < MIN_WORD && value.bytes().all(|byte| byte.is_ascii_lowercase());
    let names_a_path = PATHS.iter().any(|end| name.to_ascii_uppercase().ends_with(end));
    let is_path =
        (value.starts_with('/') || value.starts_with("~/")) && (names_a_path || Path::new(value).exists());
    value.chars().count() >= MIN_SECRET && !is_word && !is_path
}

/// Whether a value is part of a path that every task works with: taken out, no task could find its way.
fn is_in_a_path(secret: &Secret, places: &Places) -> bool {
    let Places { data, socket, home, workspace } = places;
    [data, socket, home, workspace].into_iter().any(|path| path.to_string_lossy().contains(secret.expose()))
}

#[cfg(test)]
mod tests;
