//! Scenarios over a temporary home folder. No test reads this process's environment.

mod control;
mod file;
mod import;
mod keys;
mod mcp;
mod memory;
mod show;
mod sources;
mod storage;
mod tiers;
mod web;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::*;

/// A home folder with a data folder, and what the environment and the flags say.
struct Home {
    _folder: tempfile::TempDir,
    places: Places,
    variables: BTreeMap<String, String>,
    flags: Flags,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_owned();
        let data = home.join(".artoo");
        fs::create_dir(&data).unwrap();
        let (socket, workspace) = (data.join("artoo.sock"), home.join("artoo_workspace"));
        let places = Places { data, socket, home, workspace };
        Self { _folder: folder, places, variables: BTreeMap::new(), flags: Flags::default() }
    }

    /// A home whose `config.toml` is `text`, for its owner alone.
    fn with(text: &str) -> Self {
        let home = Self::new();
        home.write(".artoo/config.toml", text, 0o600);
        home
    }

    fn write(&self, path: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.places.home.join(path);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn flag(mut self, assignment: &str) -> Self {
        self.flags.set.push(assignment.to_owned());
        self
    }

    fn load(&self) -> Result<Config, ConfigError> {
        Config::load(&self.places, &self.flags, &fixed_environment(self.variables.clone()))
    }

    fn config(&self) -> Config {
        self.load().unwrap()
    }

    /// Why it cannot be used, or what is left out for want of a key.
    fn error(&self) -> String {
        let without = |config: Config| config.key_missing.or(config.without.first().cloned()).unwrap();
        self.load().map_or_else(|error| error.to_string(), without)
    }

    /// The line of `config show` for `key`.
    fn shown(&self, key: &str) -> String {
        let settings =
            Settings::read(&self.places, &self.flags, &fixed_environment(self.variables.clone())).unwrap();
        show(&settings).into_iter().find(|line| line.key == key).unwrap().to_string()
    }
}
