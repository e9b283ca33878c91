//! Putting back right after a call what it may not change in a project, although no system could keep it from that: what runs
//! later, see `gate`'s `paths::project`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use artoo_types::text::escape;

use super::restore::EntryRestore;
use super::state::{EntryState, Tree};
use super::undo::put_all;
use super::walk::WalkHalt;
use super::{IsStopped, TrashError, TrashRecord};

/// What was put back after a call, escaped for display.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PutBack {
    /// Paths that are as they were before it.
    pub restored: Vec<String>,
    /// Paths that could not be, and why.
    pub failed: Vec<String>,
}

impl TrashRecord {
    /// Puts back what the call changed among what is guarded in its project. To be called before [`Self::settle`].
    ///
    /// # Errors
    /// When what is there now cannot be looked at.
    pub fn put_back(&self, stop: IsStopped<'_>) -> Result<PutBack, TrashError> {
        let Some(scope) = &self.scope else { return Ok(PutBack::default()) };
        let after = self.look(stop).map_err(|halt| match halt {
            WalkHalt::TooMany => {
                TrashError::TooMuch("too many files are there now to be looked at".to_owned())
            }
            WalkHalt::Failed(error) => error,
        })?;
        let state =
            |tree: &Tree, path: &Path| tree.get(path).map_or(EntryState::Absent, |node| node.state.clone());
        let paths: BTreeSet<&PathBuf> = self.before.keys().chain(after.keys()).collect();
        let changed = paths.into_iter().filter(|path| scope.is_guarded(path)).filter_map(|path| {
            let now = state(&after, path);
            (now != state(&self.before, path)).then(|| EntryRestore {
                path: path.clone(),
                node: self.before.get(path).cloned(),
                copies: self.folder.join("files"),
                now,
            })
        });
        let mut report = PutBack::default();
        for (path, done) in put_all(changed.collect()) {
            let path = escape(&path.to_string_lossy());
            match done {
                Ok(()) => report.restored.push(path),
                Err(error) => report.failed.push(format!("{path} ({error})")),
            }
        }
        Ok(report)
    }
}
