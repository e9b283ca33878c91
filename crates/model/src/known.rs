//! What was found out of servers and outlives the daemon: which models call tools in their server's own form. That one does
//! not is found out anew after each start, because servers learn it.

use std::collections::BTreeSet;
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
    calls_tools: BTreeSet<String>,
}

/// The file's form.
#[derive(Debug, Default, Serialize, Deserialize)]
struct KnownFile {
    #[serde(default)]
    calls_tools: BTreeSet<String>,
}

impl KnownServers {
    /// What this file keeps. One that is not there, or cannot be read, keeps nothing: all of it is found out again.
    pub fn open(file: PathBuf) -> Self {
        let KnownFile { calls_tools } = read(&file).unwrap_or_default();
        Self { kept: Arc::new(Mutex::new(KnownList { file: Some(file), calls_tools })) }
    }

    /// Whether the model of this name is known to call tools.
    pub(crate) fn calls_tools(&self, name: &str) -> bool {
        self.kept.lock().calls_tools.contains(name)
    }

    /// Keeps what was found out.
    pub(crate) fn note(&self, name: &str, calls_tools: bool) {
        let mut kept = self.kept.lock();
        let is_other = if calls_tools {
            kept.calls_tools.len() < MAX_NAMES && kept.calls_tools.insert(name.to_owned())
        } else {
            kept.calls_tools.remove(name)
        };
        let (true, Some(file)) = (is_other, kept.file.clone()) else { return };
        if let Err(error) = write(&file, &KnownFile { calls_tools: kept.calls_tools.clone() }) {
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
    let mut new = options.write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
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
        let again = KnownServers::open(file.clone());
        assert!(again.calls_tools("a m") && !again.calls_tools("b m"));
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
