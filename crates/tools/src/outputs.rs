//! Full outputs on disk, named by their digest, and what a receipt's id stands for.

use std::collections::HashMap;
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

use artoo_types::EvidenceId;
use artoo_types::evidence::Receipt;
use artoo_types::limits::MODEL_RESULT_CHARS;
use artoo_types::text::is_cut;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

/// Receipts that one task can read again: some sixty whole attempts. Of later ones it sees what their turn shows.
const MAX_RECEIPTS: usize = 4_096;

/// What the name of a stored picture ends in.
const PICTURE: &str = ".picture";

/// Where the output of one receipt is.
#[derive(Debug, Clone)]
enum StoredOutput {
    /// Here: a model saw all of it.
    Whole(String),
    /// In the artifact with this name.
    Artifact(String),
}

/// Why a stored output cannot be had, in words that say what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputLost(pub(crate) String);

impl fmt::Display for OutputLost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for OutputLost {}

/// The outputs of one task's receipts.
#[derive(Debug, Default)]
pub(crate) struct Outputs(Mutex<HashMap<EvidenceId, StoredOutput>>);

impl Outputs {
    /// Remembers where the output of a receipt is.
    pub(crate) fn remember(&self, receipt: &Receipt) {
        let is_long = receipt.output.chars().nth(MODEL_RESULT_CHARS).is_some();
        let kept = if is_long || receipt.handle.is_some() || is_cut(&receipt.output) {
            StoredOutput::Artifact(name(&receipt.digest))
        } else {
            StoredOutput::Whole(receipt.output.clone())
        };
        let mut outputs = self.0.lock();
        if outputs.len() < MAX_RECEIPTS {
            outputs.insert(receipt.id.clone(), kept);
        }
    }

    /// The full output of a receipt. The error says what to do.
    pub(crate) fn read(&self, folder: &Path, receipt: &str) -> Result<String, String> {
        let id = EvidenceId(receipt.trim().trim_matches(['[', ']']).replace("receipt ", ""));
        let kept = {
            let outputs = self.0.lock();
            outputs.get(&id).cloned()
        };
        match kept {
            None => Err(format!("no receipt {id} in this task; give the id of an earlier call, such as r3")),
            Some(StoredOutput::Whole(text)) => Ok(text),
            Some(StoredOutput::Artifact(name)) => load(folder, &name),
        }
    }
}

/// SHA-256 of a text, in hex.
pub(crate) fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

/// The name of the artifact with this digest.
pub(crate) fn name(digest: &str) -> String {
    format!("{digest}.txt")
}

/// Stores a full output under its digest, once, so that a reader never sees half of it. Storing it again renews the
/// file's time, which says how long it may still be wanted.
pub(crate) fn store(folder: &Path, digest: &str, text: &str) -> std::io::Result<()> {
    store_bytes(folder, &name(digest), text.as_bytes())
}

/// The name of the artifact that holds a picture.
pub(crate) fn picture_name(bytes: &[u8]) -> String {
    format!("{}{PICTURE}", hex::encode(Sha256::digest(bytes)))
}

/// The same of any bytes under a name that follows from them.
pub(crate) fn store_bytes(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let path = folder.join(name);
    // A power cut may have left an empty file under a good name: it is not synced, and can be made again by the same call.
    if std::fs::metadata(&path).is_ok_and(|meta| meta.len() == bytes.len() as u64) {
        let renewed = std::fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        // One that is swept too early costs a second call; one that cannot be renewed is there all the same.
        drop(renewed);
        return Ok(());
    }
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(&format!(".{name}.")).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Reads a stored output, if it is still what its name says. A handle that is no plain name is refused: handles travel
/// through journals.
pub(crate) fn load(folder: &Path, handle: &str) -> Result<String, String> {
    let wanted = handle
        .strip_suffix(".txt")
        .filter(|d| d.len() == 64 && d.bytes().all(|b| b.is_ascii_hexdigit()))
        .ok_or_else(|| format!("{handle:?} is not the name of a stored output"))?;
    let text = std::fs::read_to_string(folder.join(handle))
        .map_err(|e| format!("the stored output {handle} cannot be read ({e}); run the call again"))?;
    if digest(&text) == wanted {
        Ok(text)
    } else {
        Err(format!("the stored output {handle} is damaged; run the call again"))
    }
}

/// A stored picture in Base64; None where it is gone or damaged, or the handle is no name of one.
pub(crate) fn load_picture(folder: &Path, handle: &str) -> Option<String> {
    let is_name = |digest: &str| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    handle.strip_suffix(PICTURE).filter(|digest| is_name(digest))?;
    let bytes = std::fs::read(folder.join(handle)).ok()?;
    (picture_name(&bytes) == handle).then(|| STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::{digest, load, name, store};

    #[test]
    fn what_is_stored_is_read_back_under_its_digest() {
        let dir = tempfile::tempdir().unwrap();
        let text = "zwei\nZeilen\n";
        let d = digest(text);
        store(dir.path(), &d, text).unwrap();
        store(dir.path(), &d, text).unwrap();
        assert_eq!(load(dir.path(), &name(&d)).unwrap(), text);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn handles_cannot_leave_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        for handle in ["../secret.txt", "/etc/passwd", "a.txt", ""] {
            assert!(load(dir.path(), handle).is_err(), "{handle}");
        }
    }

    #[test]
    fn storing_an_output_again_renews_its_time() {
        let dir = tempfile::tempdir().unwrap();
        let d = digest("text");
        let modified = || std::fs::metadata(dir.path().join(name(&d))).unwrap().modified().unwrap();
        store(dir.path(), &d, "text").unwrap();
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        std::fs::File::open(dir.path().join(name(&d))).unwrap().set_modified(long_ago).unwrap();
        store(dir.path(), &d, "text").unwrap();
        assert!(modified() > long_ago);
    }

    #[test]
    fn a_damaged_output_is_told_and_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let d = digest("text");
        store(dir.path(), &d, "text").unwrap();
        // As a power cut leaves a file that was not synced.
        std::fs::write(dir.path().join(name(&d)), "").unwrap();
        assert!(load(dir.path(), &name(&d)).unwrap_err().contains("damaged"));
        store(dir.path(), &d, "text").unwrap();
        assert_eq!(load(dir.path(), &name(&d)).unwrap(), "text");
    }
}
