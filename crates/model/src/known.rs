//! What was found out of servers and outlives the daemon: which models call tools in their server's own form, and how much
//! they take at once. That one calls no tools is found out anew after each start, because servers learn it, and so is the
//! size of its context, because people start them with another.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// Most names that are kept; more are tried out than are used.
const MAX_NAMES: usize = 64;
/// Bytes of the file that are read: a name is an address and a model.
const MAX_BYTES: u64 = 256 * 1024;

/// What is known of servers, with the file that keeps it. Cheap to clone; clones share everything. The default knows nothing and
/// keeps nothing.
#[derive(Debug, Clone, Default)]
pub struct KnownServers {
    kept: Arc<Mutex<KnownList>>,
}

#[derive(Debug, Default)]
struct KnownList {
    file: Option<PathBuf>,
    of_servers: KnownFile,
}

/// The file's form.
#[derive(Debug, Default, Serialize, Deserialize)]
struct KnownFile {
    #[serde(default)]
    calls_tools: BTreeSet<String>,
    /// Tokens of a context.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    contexts: BTreeMap<String, u64>,
}

impl KnownServers {
    /// What this file keeps. One that is not there, or cannot be read, keeps nothing: all of it is found out again.
    pub fn open(file: PathBuf) -> Self {
        let of_servers = read(&file).unwrap_or_default();
        Self { kept: Arc::new(Mutex::new(KnownList { file: Some(file), of_servers })) }
    }

    /// Whether the model of this name is known to call tools.
    pub(crate) fn calls_tools(&self, name: &str) -> bool {
        self.kept.lock().of_servers.calls_tools.contains(name)
    }

    /// Tokens of the context of the model of this name.
    pub(crate) fn context(&self, name: &str) -> Option<u64> {
        self.kept.lock().of_servers.contexts.get(name).copied()
    }

    /// Keeps whether a model calls tools.
    pub(crate) fn note(&self, name: &str, calls_tools: bool) {
        self.change(|KnownFile { calls_tools: names, .. }| match calls_tools {
            true => names.len() < MAX_NAMES && names.insert(name.to_owned()),
            false => names.remove(name),
        });
    }

    /// Keeps how many tokens the context of a model has.
    pub(crate) fn note_context(&self, name: &str, tokens: u64) {
        self.change(|KnownFile { contexts, .. }| {
            let has_room = contexts.len() < MAX_NAMES || contexts.contains_key(name);
            has_room && contexts.insert(name.to_owned(), tokens) != Some(tokens)
        });
    }

    /// Changes what is known; `how` says whether it is another now.
    fn change(&self, how: impl FnOnce(&mut KnownFile) -> bool) {
        let mut kept = self.kept.lock();
        let is_other = how(&mut kept.of_servers);
        let Some(file) = kept.file.clone().filter(|_| is_other) else { return };
        if let Err(error) = write(&file, &kept.of_servers) {
            tracing::warn!(file = %file.display(), %error, "what was found out of a model server is not kept");
        }
    }
}

fn read(file: &Path) -> Option<KnownFile> {
    let is_small = std::fs::metadata(file).ok()?.len() <= MAX_BYTES;
    let text = is_small.then(|| std::fs::read(file).ok())??;
    serde_json::from_slice(&text).ok()
}

/// In the place of the old file at once, for its owner's eyes.
fn write(file: &Path, known: &KnownFile) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let draft = file.with_extension("new");
    let mut options = std::fs::OpenOptions::new();
    // What a crash left behind, or somebody's link, is not written through.
    let _ = std::fs::remove_file(&draft);
    let mut new = options.write(true).create_new(true).mode(0o600).open(&draft)?;
    new.write_all(&serde_json::to_vec_pretty(known)?)?;
    std::fs::rename(&draft, file)
}

#[cfg(test)]
mod tests {
    use super::KnownServers;

    #[test]
    fn what_was_found_out_outlives_the_daemon_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("servers.json");
        let first = KnownServers::open(file.clone());
        assert!(!first.calls_tools("a m"));
        first.note("a m", true);
        first.note("b m", true);
        first.note("b m", false);
        assert!(first.clone().calls_tools("a m"));
        first.note_context("a m", 4096);
        first.note_context("a m", 8192);
        let again = KnownServers::open(file.clone());
        assert!(again.calls_tools("a m") && !again.calls_tools("b m"));
        assert_eq!((again.context("a m"), again.context("b m")), (Some(8192), None));
        std::fs::write(&file, "{").unwrap();
        assert!(!KnownServers::open(file).calls_tools("a m"));
    }

    #[test]
    fn no_more_than_a_number_of_names_is_kept() {
        let known = KnownServers::default();
        for number in 0..200 {
            known.note(&format!("{number} m"), true);
        }
        assert!(known.calls_tools("63 m") && !known.calls_tools("64 m"));
    }
}
