//! The files that describe one kept call.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use artoo_types::evidence::EffectClass;
use artoo_types::undo::Undoing;
use artoo_types::{EffectId, TaskId, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::TrashError;
use super::state::Tree;

/// The version of the form that is written. Another one is not read.
pub(super) const VERSION: u32 = 1;
/// Bytes of such a file that are read: every path of the most that are kept, with the longest name, fits.
const MAX_BYTES: u64 = 64 << 20;

/// What a call was about to change, and what was there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) version: u32,
    pub(super) task_id: TaskId,
    pub(super) effect_id: EffectId,
    pub(super) action: String,
    pub(super) effects: Vec<EffectClass>,
    pub(super) at: Timestamp,
    pub(super) undo: Undoing,
    /// What was named; all that changes is there or below.
    pub(super) roots: Vec<PathBuf>,
    pub(super) nodes: Tree,
    /// Bytes of the copies.
    pub(super) bytes: u64,
}

/// What was there when the call had ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AfterCall {
    pub(super) nodes: Tree,
}

/// Reads such a file; `None` if it is not there.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, TrashError> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TrashError::io(path, error)),
    };
    if meta.len() > MAX_BYTES {
        return Err(TrashError::unexpected(path, "it is too large to be one of artoo's records"));
    }
    let text = std::fs::read(path).map_err(|error| TrashError::io(path, error))?;
    let value = serde_json::from_slice(&text);
    value.map(Some).map_err(|error| TrashError::unexpected(path, &format!("the record is damaged: {error}")))
}

/// Writes such a file, complete under its name or not at all; on the disk when this returns, if it `must_last`.
pub(super) fn write<T: Serialize>(
    folder: &Path,
    name: &str,
    value: &T,
    must_last: bool,
) -> Result<(), TrashError> {
    let (temporary, path) = (folder.join(format!("{name}.tmp")), folder.join(name));
    let text =
        serde_json::to_vec(value).map_err(|error| TrashError::unexpected(&path, &error.to_string()))?;
    let failed = |error| TrashError::io(&path, error);
    // What a crash left behind, or somebody's link, is not written through.
    let _ = std::fs::remove_file(&temporary);
    let mut file = File::create_new(&temporary).map_err(failed)?;
    file.write_all(&text).map_err(failed)?;
    if must_last {
        file.sync_all().map_err(failed)?;
    }
    std::fs::rename(&temporary, &path).map_err(failed)
}

/// Puts a folder's list of names on the disk.
pub(super) fn sync_folder(folder: &Path) -> Result<(), TrashError> {
    File::open(folder).and_then(|f| f.sync_all()).map_err(|error| TrashError::io(folder, error))
}
