//! What a command gets of the world: its environment and a private temporary folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Command;
use artoo_types::target::is_below;

/// Where confined programs put what they only keep for themselves: they could write it nowhere else, and it need not stay.
const CACHES: &[(&str, &str)] = &[
    ("XDG_CACHE_HOME", "cache"),
    ("PYTHONPYCACHEPREFIX", "pycache"),
    ("npm_config_cache", "npm"),
    ("MPLCONFIGDIR", "matplotlib"),
];

/// Names of the daemon's environment that a child gets. Everything else stays out: keys, agents, loader variables,
/// start-up files, pagers.
const PASSED: &[&str] = &["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"];
/// Where programs are looked for when the environment does not say.
pub const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// Settings that keep git from running programs of a repository and from writing its index while it only looks.
const GIT_SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("log.showSignature", "false"),
    ("submodule.recurse", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("status.submoduleSummary", "false"),
];

/// Those of these variables that a command may get, and nothing else: what is not held cannot be told.
pub fn passed(mut variables: BTreeMap<String, String>) -> BTreeMap<String, String> {
    variables.retain(|name, _| name == "PATH" || is_passed(name));
    variables
}

fn is_passed(name: &str) -> bool {
    PASSED.contains(&name) || name.starts_with("LC_")
}

/// The whole environment of a command.
pub(super) fn environment(command: &Command, scratch: &Path) -> BTreeMap<String, String> {
    let mut passed: BTreeMap<String, String> = command
        .environment
        .iter()
        .filter(|(name, _)| is_passed(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let path = command.environment.get("PATH").map_or(DEFAULT_PATH, String::as_str);
    // A relative entry would find programs in the working directory, which the gate could not have judged.
    let planted = |entry: &str| command.folder != "/" && is_below(entry, &command.folder);
    let path: Vec<&str> = path.split(':').filter(|p| p.starts_with('/') && !planted(p)).collect();
    let path = if path.is_empty() { DEFAULT_PATH.to_owned() } else { path.join(":") };
    passed.insert("PATH".to_owned(), path);
    passed.insert("HOME".to_owned(), command.home.to_string_lossy().into_owned());
    passed.insert("TERM".to_owned(), "dumb".to_owned());
    passed.insert("TMPDIR".to_owned(), scratch.to_string_lossy().into_owned());
    if command.confinement.is_confined() {
        for (name, folder) in CACHES {
            passed.insert((*name).to_owned(), scratch.join(folder).to_string_lossy().into_owned());
        }
    }
    passed.insert("GIT_OPTIONAL_LOCKS".to_owned(), "0".to_owned());
    passed.insert("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned());
    passed.insert("GIT_CONFIG_COUNT".to_owned(), GIT_SETTINGS.len().to_string());
    for (index, (key, value)) in GIT_SETTINGS.iter().enumerate() {
        passed.insert(format!("GIT_CONFIG_KEY_{index}"), (*key).to_owned());
        passed.insert(format!("GIT_CONFIG_VALUE_{index}"), (*value).to_owned());
    }
    passed
}

/// A private temporary folder that goes with the call.
pub struct Scratch(pub(super) PathBuf);

impl Scratch {
    /// Makes it. Its name begins with `mark`, so that a later run finds what this one left.
    ///
    /// # Errors
    /// When the system cannot make it.
    pub fn new(mark: &str) -> std::io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt as _;
        let mut last = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        // The name carries the process and a counter: a second try is needed only after a crash left one behind.
        for _ in 0..64 {
            let path = std::env::temp_dir().join(crate::children::named(mark));
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The last part of its path, which no other call has.
    pub fn name(&self) -> String {
        self.0.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(path = %self.0.display(), %error, "a temporary folder stays behind");
        }
    }
}
