//! The trash: what a call is about to change is copied here first, and an undo takes it from here. This crate never decides
//! what may change. It is one of its own so that undoing has no network and starts no process.
//!
//! Each call that does more than reading leaves a folder `trash/<task>/<number of the call>/` in artoo's data folder,
//! complete and synced before the call starts: `manifest.json` with what it was and what was there, `files/` with the
//! copies, and afterwards `after.json` with what was there when it had ended, by which an undo can tell whether
//! somebody changed it since. What cannot be kept is told in the question, and recorded.
//!
//! No path is ever followed through a symbolic link (`entry`), nothing is replaced that is not in the trash, and every
//! single step of an undo can be done again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use artoo_types::evidence::EffectClass;
use artoo_types::undo::{TargetKind, Undoing};
use artoo_types::{EffectId, TaskId, Timestamp};
use parking_lot::{Mutex, MutexGuard};

use artoo_gate::paths::{canonical, canonical_entry};
use artoo_types::target::is_below;

mod backup;
mod copies;
mod decide;
mod entry;
mod manifest;
mod measure;
mod project;
mod put_back;
mod repository;
mod restore;
mod state;
mod sweep;
mod tracked;
mod undo;
mod walk;

pub use backup::TrashRecord;
pub use entry::is_unsupported;
pub use measure::{PathBudget, measure};
pub use project::{PathMeasure, ProjectScope};
pub use put_back::PutBack;
pub use undo::UndoReport;

/// One MiB, in bytes.
const MIB: u64 = 1 << 20;

/// What the trash may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrashLimits {
    /// Most bytes that are kept of one call.
    pub call_bytes: u64,
    /// Most bytes of everything that is kept; the oldest goes first.
    pub total_bytes: u64,
    /// Days for which it is kept.
    pub days: u64,
}

impl Default for TrashLimits {
    fn default() -> Self {
        Self { call_bytes: 256 * MIB, total_bytes: 4_096 * MIB, days: 30 }
    }
}

/// Most paths that are kept of one call: copying them, each with its sync, takes some seconds.
pub const MAX_PATHS: usize = 10_000;
/// Bytes of the disk that the trash leaves free: as much as the daemon needs to end its tasks in order.
const LEFT_FREE: u64 = 64 * MIB;

/// Why something could not be kept or restored.
#[derive(Debug, thiserror::Error)]
pub enum TrashError {
    /// The system refused it.
    #[error("{path}: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is not as it has to be.
    #[error("{path}: {what}")]
    Unexpected {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The trash cannot take it.
    #[error("{0}")]
    TooMuch(String),
    /// The work on it ended in a panic.
    #[error("the trash broke down: {0}")]
    Broken(String),
}

impl TrashError {
    fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    fn unexpected(path: &Path, what: &str) -> Self {
        Self::Unexpected { path: path.to_owned(), what: what.to_owned() }
    }
}

/// Whether what waits for the disk has to stop.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

/// A call that is about to change something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The task.
    pub task_id: TaskId,
    /// The effect that calls.
    pub effect_id: EffectId,
    /// The exact action, escaped for display.
    pub action: String,
    /// What it does to the world.
    pub effects: Vec<EffectClass>,
    /// What it changes, as absolute paths; `None` if that is not known.
    pub paths: Option<Vec<String>>,
    /// The project among them, of which only what git does not ignore is kept.
    pub project: Option<KeptProject>,
    /// When it starts.
    pub at: Timestamp,
}

/// A project that a call may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptProject {
    /// Its folder, links resolved.
    pub root: String,
    /// Paths that stay as they are although the call can change them: a person denied that.
    pub denied: Vec<String>,
}

/// The trash of a data folder. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct Trash {
    data_dir: PathBuf,
    root: PathBuf,
    limits: TrashLimits,
    /// The bytes that are kept, once they were counted. Held while something is counted, given its name or swept, and never
    /// while a file is read.
    total: Arc<Mutex<Option<u64>>>,
    /// Held by an undo, and by a sweep, which must not take what an undo needs.
    undoing: Arc<Mutex<()>>,
    /// What was copied last of the projects of tasks, so that a file that did not change is not copied again.
    kept: Arc<Mutex<CopiesOfTasks>>,
}

/// What was copied of the projects of each task.
type CopiesOfTasks = Vec<(TaskId, Arc<copies::KeptCopies>)>;

impl Trash {
    /// The trash in this data folder. Nothing is made before something is kept.
    pub fn new(data_dir: &Path, limits: TrashLimits) -> Self {
        let root = data_dir.join("trash");
        Self {
            data_dir: data_dir.to_owned(),
            root,
            limits,
            total: Arc::default(),
            undoing: Arc::default(),
            kept: Arc::default(),
        }
    }

    /// Whether a call with these effects on these paths can be undone, as far as can be told before it runs. `measured`
    /// is what is there.
    pub fn appraise(
        &self,
        effects: &[EffectClass],
        paths: Option<&[String]>,
        measured: &BTreeMap<String, PathMeasure>,
    ) -> Undoing {
        match self.obstacle(effects, paths, measured) {
            Some(why) => Undoing::No { why },
            None => Undoing::Trash { bytes: measured.values().map(|m| m.bytes).sum() },
        }
    }

    /// What would be kept of this project.
    pub fn measure_project(&self, project: &KeptProject) -> PathMeasure {
        let most = self.limits.call_bytes.min(self.limits.total_bytes);
        match ProjectScope::look(project, most) {
            Ok(scope) => scope.measure().clone(),
            Err(error) => PathMeasure {
                kind: TargetKind::Folder,
                bytes: 0,
                files: 0,
                listing: String::new(),
                problem: Some(error.to_string()),
            },
        }
    }

    fn obstacle(
        &self,
        effects: &[EffectClass],
        paths: Option<&[String]>,
        measured: &BTreeMap<String, PathMeasure>,
    ) -> Option<String> {
        if let Some(why) = effects.iter().find_map(|effect| for_good(*effect)) {
            return Some(why.to_owned());
        }
        let Some(paths) = paths else {
            return Some("what it changes is known only when it has run".to_owned());
        };
        if let Some(path) = paths.iter().find(|path| !path.starts_with('/')) {
            return Some(format!("{path} is not a path"));
        }
        let data = canonical(&self.data_dir.to_string_lossy());
        if paths.iter().any(|path| is_below(path, &data) || is_below(&data, path)) {
            return Some("artoo's own data folder is kept nowhere else".to_owned());
        }
        if let Some(why) = measured.values().find_map(|m| m.problem.clone()) {
            return Some(why);
        }
        let bytes: u64 = measured.values().map(|m| m.bytes).sum();
        let (limit, name) = if self.limits.call_bytes <= self.limits.total_bytes {
            (self.limits.call_bytes, "storage.trash_call_mib")
        } else {
            (self.limits.total_bytes, "storage.trash_mib")
        };
        if bytes > limit {
            return Some(format!(
                "it has {} MB, and at most {} MB are kept ({name})",
                mega(bytes),
                mega(limit)
            ));
        }
        if bytes > 0 && self.free().is_some_and(|free| free < bytes + LEFT_FREE) {
            return Some("the data folder's disk has no room to keep it".to_owned());
        }
        None
    }

    /// Deletes what was kept longer ago than is wanted, and what is beyond the bound in size, oldest first; and what calls
    /// left that never started. Tasks that `is_running` says are left alone. Returns how many calls can no longer be
    /// undone. It belongs on a thread that may wait.
    ///
    /// # Errors
    /// When the trash cannot be listed. What cannot be deleted stays for the next time.
    pub fn sweep(&self, now: Timestamp, is_running: impl Fn(TaskId) -> bool) -> Result<usize, TrashError> {
        sweep::sweep(self, now, is_running)
    }

    /// Free bytes on the trash's disk; `None` if the system does not say.
    fn free(&self) -> Option<u64> {
        let stat = rustix::fs::statvfs(&self.data_dir).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }

    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.total.lock()
    }

    fn of_task(&self, task_id: TaskId) -> PathBuf {
        self.root.join(task_id.to_string())
    }
}

/// The paths that really change when these are named: with the links of their folders resolved, and where a call writes
/// through a link, what that leads to as well.
pub fn real_paths(effects: &[EffectClass], paths: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |path: String| {
        if !all.contains(&path) {
            all.push(path);
        }
    };
    for path in paths {
        add(canonical_entry(path));
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
        if is_link && effects.iter().any(|e| matches!(e, EffectClass::Create | EffectClass::Overwrite)) {
            add(canonical(path));
        }
    }
    all
}

/// Why an effect cannot be taken back by putting files where they were; `None` if it can.
fn for_good(effect: EffectClass) -> Option<&'static str> {
    match effect {
        EffectClass::Read | EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete => None,
        EffectClass::Send => Some("what is sent cannot be called back"),
        EffectClass::System => Some("it changes the machine, not only files"),
        EffectClass::Unknown => Some("what it does is known only when it has run"),
    }
}

fn mega(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

#[cfg(test)]
mod tests;
