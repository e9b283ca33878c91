//! What each server said of its tools when the operator last agreed, or when it was first seen. What differs from it is
//! not offered.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::described::DescribedTool;

/// Largest file, in bytes: [`super::MAX_SERVERS`] servers with [`super::MAX_TOOLS`] tools of 16 KiB are 16 MiB.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// The pinned tools of one server, by their own names.
pub(crate) type PinnedTools = BTreeMap<String, DescribedTool>;

/// How a tool differs from what is pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolDifference {
    /// It was not there.
    New,
    /// Its description or schema was another.
    Changed,
    /// It is not there any more.
    Gone,
}

impl ToolDifference {
    /// The word that people see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }
}

/// The pins of all servers, and the file that keeps them.
#[derive(Debug)]
pub(crate) struct Pins {
    file: PathBuf,
    servers: BTreeMap<String, PinnedTools>,
    /// The file was there and could not be read: then nothing counts as seen for the first time.
    is_lost: bool,
}

/// The file's form.
#[derive(Debug, Default, Serialize, Deserialize)]
struct PinsFile {
    servers: BTreeMap<String, PinnedTools>,
}

impl Pins {
    /// The pins of this file; `None` if there is no file. One that cannot be read is kept beside as `.damaged`.
    pub(crate) fn open(file: PathBuf) -> Self {
        let (servers, is_lost) = match read(&file) {
            Ok(written) => (written.map(|written| written.servers).unwrap_or_default(), false),
            Err(error) => {
                tracing::warn!(file = %file.display(), %error, "the pins of MCP servers cannot be read: all are held");
                // It fails where the folder cannot be written, and then the pins cannot be either.
                let _ = std::fs::rename(&file, file.with_extension("damaged"));
                (BTreeMap::new(), true)
            }
        };
        Self { file, servers, is_lost }
    }

    /// The pinned tools of a server; `None` if it was never seen. Where the pins are lost, it was seen and nothing is
    /// pinned.
    pub(crate) fn of(&self, server: &str) -> Option<PinnedTools> {
        self.servers.get(server).cloned().or_else(|| self.is_lost.then(PinnedTools::new))
    }

    /// Pins these tools in the place of the server's earlier ones, and writes the file.
    ///
    /// # Errors
    /// When the file cannot be written; then nothing is pinned.
    pub(crate) fn pin(&mut self, server: &str, tools: &[DescribedTool]) -> std::io::Result<PinnedTools> {
        let pinned: PinnedTools = tools.iter().map(|tool| (tool.tool.clone(), tool.clone())).collect();
        let before = self.servers.insert(server.to_owned(), pinned.clone());
        if let Err(error) = self.write() {
            match before {
                Some(before) => self.servers.insert(server.to_owned(), before),
                None => self.servers.remove(server),
            };
            return Err(error);
        }
        Ok(pinned)
    }

    fn write(&self) -> std::io::Result<()> {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let draft = self.file.with_extension("new");
        let text = serde_json::to_vec_pretty(&PinsFile { servers: self.servers.clone() })?;
        // What a crash left behind, or somebody's link, is not written through.
        let _ = std::fs::remove_file(&draft);
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        file.write_all(&text)?;
        file.sync_all()?;
        std::fs::rename(&draft, &self.file)?;
        std::fs::File::open(folder)?.sync_all()
    }
}

fn read(file: &Path) -> std::io::Result<Option<PinsFile>> {
    match std::fs::metadata(file) {
        Ok(metadata) if metadata.len() > MAX_FILE_BYTES => Err(std::io::Error::other("it is too large")),
        Ok(_) => Ok(Some(serde_json::from_slice(&std::fs::read(file)?)?)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// How what a server says now differs from what is pinned, by the tools' own names.
pub(crate) fn differences(pinned: &PinnedTools, seen: &[DescribedTool]) -> BTreeMap<String, ToolDifference> {
    let now: BTreeSet<&str> = seen.iter().map(|tool| tool.tool.as_str()).collect();
    let gone = pinned.keys().filter(|tool| !now.contains(tool.as_str()));
    let mut differences: BTreeMap<String, ToolDifference> =
        gone.map(|tool| (tool.clone(), ToolDifference::Gone)).collect();
    for tool in seen {
        let difference = match pinned.get(&tool.tool) {
            Some(pin) if pin.digest == tool.digest => continue,
            Some(_) => ToolDifference::Changed,
            None => ToolDifference::New,
        };
        differences.insert(tool.tool.clone(), difference);
    }
    differences
}

/// SHA-256 over the digests of all tools of a server: what an approval is bound to.
pub(crate) fn digest_of(seen: &[DescribedTool]) -> String {
    let mut digests: Vec<&str> = seen.iter().map(|tool| tool.digest.as_str()).collect();
    digests.sort_unstable();
    hex::encode(Sha256::digest(digests.concat().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::described::CallMethod;
    use super::{Pins, ToolDifference, differences, digest_of};
    use crate::described::DescribedTool;

    fn tool(name: &str, digest: &str) -> DescribedTool {
        DescribedTool {
            tool: name.to_owned(),
            offered: format!("notes__{name}"),
            purpose: "p".to_owned(),
            signature: "{}".to_owned(),
            schema: "{}".to_owned(),
            said: "p".to_owned(),
            digest: digest.to_owned(),
            method: CallMethod::Tool,
        }
    }

    #[test]
    fn pins_are_kept_over_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mcp").join("pins.json");
        let mut pins = Pins::open(file.clone());
        assert!(pins.of("notes").is_none(), "never seen");
        pins.pin("notes", &[tool("read", "1"), tool("find", "2")]).unwrap();
        pins.pin("empty", &[]).unwrap();
        let again = Pins::open(file.clone());
        assert_eq!(again.of("notes").unwrap().len(), 2);
        assert!(again.of("empty").unwrap().is_empty(), "seen, without a tool");
        assert!(again.of("other").is_none());
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_cannot_be_read_pins_nothing_and_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pins.json");
        std::fs::write(&file, "not JSON").unwrap();
        let pins = Pins::open(file.clone());
        assert!(pins.of("notes").unwrap().is_empty(), "it counts as seen, so that all its tools are new");
        assert_eq!(std::fs::read_to_string(folder.path().join("pins.damaged")).unwrap(), "not JSON");
    }

    #[test]
    fn a_folder_that_cannot_be_written_pins_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a file");
        std::fs::write(&file, "").unwrap();
        let mut pins = Pins::open(file.join("pins.json"));
        assert!(pins.pin("notes", &[tool("read", "1")]).is_err());
        assert!(pins.servers.is_empty());
    }

    #[test]
    fn each_difference_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut pins = Pins::open(folder.path().join("pins.json"));
        let pinned = pins.pin("notes", &[tool("same", "1"), tool("other", "2"), tool("away", "3")]).unwrap();
        let now = [tool("same", "1"), tool("other", "9"), tool("fresh", "4")];
        let found: Vec<_> = differences(&pinned, &now).into_iter().collect();
        let expected = [
            ("away", ToolDifference::Gone),
            ("fresh", ToolDifference::New),
            ("other", ToolDifference::Changed),
        ];
        assert_eq!(found, expected.map(|(name, difference)| (name.to_owned(), difference)));
        let turned: Vec<DescribedTool> = now.iter().rev().cloned().collect();
        assert_eq!(digest_of(&now), digest_of(&turned), "the order of a list says nothing");
        assert_ne!(digest_of(&now), digest_of(&now[1..]));
    }
}
