//! What leaves the trash: the oldest, when it is older than is wanted or when there is too much.

use std::path::{Path, PathBuf};

use artoo_types::{TaskId, Timestamp};

use super::manifest::{Manifest, read};
use super::{Trash, TrashError};

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// One kept call, as a sweep sees it.
struct SweepCandidate {
    folder: PathBuf,
    at: Timestamp,
    bytes: u64,
}

/// See [`Trash::sweep`].
pub(super) fn sweep(
    trash: &Trash,
    now: Timestamp,
    is_running: impl Fn(TaskId) -> bool,
) -> Result<usize, TrashError> {
    let _alone = trash.undoing.lock();
    let mut kept = trash.lock();
    let is_left = |task: &Path| task_id(task).is_some_and(&is_running);
    let mut old = all(trash, |task| !is_left(task))?;
    let mut total: u64 = all(trash, |_| true)?.iter().map(|one| one.bytes).sum();
    old.sort_by_key(|one| one.at);
    let keep_ms = i64::try_from(trash.limits.days).unwrap_or(i64::MAX).saturating_mul(DAY_MS);
    // No day counts in which nothing was kept: a clock that is set far ahead makes nothing old.
    let latest = old.last().map_or(now.0, |one| one.at.0.saturating_add(DAY_MS));
    let now = now.0.min(latest);
    let mut swept = 0;
    for one in old {
        let is_old = now.saturating_sub(one.at.0) > keep_ms;
        if (is_old || total > trash.limits.total_bytes) && remove(&one.folder) {
            total -= one.bytes;
            swept += 1;
        }
    }
    *kept = Some(total);
    for task in folders(&trash.root)?.iter().filter(|task| !is_left(task)) {
        for half in folders(task)?.iter().filter(|folder| is_half(folder)) {
            remove(half);
        }
        // It fails when something is left in it.
        let _ = std::fs::remove_dir(task);
    }
    Ok(swept)
}

/// Makes room for so many bytes more by deleting the oldest of other tasks.
pub(super) fn make_room(
    trash: &Trash,
    bytes: u64,
    task_id: TaskId,
    total: &mut Option<u64>,
) -> Result<(), TrashError> {
    if bytes == 0 {
        return Ok(());
    }
    let mut sum = match *total {
        Some(total) => total,
        None => all(trash, |_| true)?.iter().map(|one| one.bytes).sum(),
    };
    if sum + bytes > trash.limits.total_bytes {
        let own = trash.of_task(task_id);
        let mut old = all(trash, |task| task != own)?;
        old.sort_by_key(|one| one.at);
        for one in old {
            if sum + bytes <= trash.limits.total_bytes {
                break;
            }
            if remove(&one.folder) {
                tracing::info!(folder = %one.folder.display(), "the trash is full; the oldest in it is gone");
                sum -= one.bytes;
            }
        }
    }
    *total = Some(sum);
    if sum + bytes > trash.limits.total_bytes {
        return Err(TrashError::TooMuch("the trash has no room for it (storage.trash_mib)".to_owned()));
    }
    Ok(())
}

/// Everything that is kept of these tasks, without what is only on its way in. What cannot be read counts nothing.
fn all(trash: &Trash, of: impl Fn(&Path) -> bool) -> Result<Vec<SweepCandidate>, TrashError> {
    let mut all = Vec::new();
    for task in folders(&trash.root)?.into_iter().filter(|task| of(task)) {
        for folder in folders(&task)?.into_iter().filter(|folder| !is_half(folder)) {
            if let Ok(Some(manifest)) = read::<Manifest>(&folder.join("manifest.json")) {
                all.push(SweepCandidate { folder, at: manifest.at, bytes: manifest.bytes });
            }
        }
    }
    Ok(all)
}

/// Deletes a folder of the trash; false when it is still there. Its record goes first, so that half of it is never taken
/// for the whole.
fn remove(folder: &Path) -> bool {
    let record = match std::fs::remove_file(folder.join("manifest.json")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    };
    let removed = record.and_then(|()| std::fs::remove_dir_all(folder));
    if let Err(error) = &removed {
        tracing::warn!(folder = %folder.display(), %error, "something cannot be deleted from the trash");
    }
    removed.is_ok()
}

/// Whether something is still being copied into this folder, or was when the daemon went down.
fn is_half(folder: &Path) -> bool {
    folder.extension().is_some_and(|extension| extension == "tmp")
}

fn folders(of: &Path) -> Result<Vec<PathBuf>, TrashError> {
    match std::fs::read_dir(of) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(TrashError::io(of, error)),
    }
}

fn task_id(folder: &Path) -> Option<TaskId> {
    let name = folder.file_name()?.to_str()?;
    serde_json::from_value(serde_json::Value::String(name.to_owned())).ok()
}
