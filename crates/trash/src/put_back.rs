//! Putting back right after a call what it may not change in a project, although no system could keep it from that: what runs
//! later, see `gate`'s `paths::project`.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use artoo_types::text::escape;

use super::entry::OwnedEntryAt;
use super::restore::EntryRestore;
use super::state::{EntryState, Tree};
use super::undo::put_all;
use super::walk::WalkHalt;
use super::{IsStopped, TrashError, TrashRecord};

/// What was put back after a call, escaped for display.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PutBack {
    /// Paths that are as they were before it, because something runs what lies there later.
    pub runs_later: Vec<String>,
    /// Paths that are as they were before it, because nobody allowed to change them when that was asked.
    pub denied: Vec<String>,
    /// Paths that could not be, and why.
    pub failed: Vec<String>,
}

impl TrashRecord {
    /// Puts back what the call changed among what is guarded in its project; where it could set no modes, also the modes of
    /// files that it replaced by way of a temporary file. To be called before [`Self::settle`].
    ///
    /// # Errors
    /// When what is there now cannot be looked at.
    pub fn put_back(&self, mends_modes: bool, stop: IsStopped<'_>) -> Result<PutBack, TrashError> {
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
        if mends_modes {
            self.mend_modes(&after);
        }
        let mut report = PutBack::default();
        for (path, done) in put_all(changed.collect()) {
            let restored = if scope.is_denied(&path) { &mut report.denied } else { &mut report.runs_later };
            let path = escape(&path.to_string_lossy());
            match done {
                Ok(()) => restored.push(path),
                Err(error) => report.failed.push(format!("{path} ({error})")),
            }
        }
        Ok(report)
    }

    /// Programs that replace a file make a temporary one, which only its owner may read, and then give it the mode of the old
    /// one. A file of which a box refused them that gets it here.
    fn mend_modes(&self, after: &Tree) {
        for (path, node) in after {
            let EntryState::File { mode: now, .. } = &node.state else { continue };
            let before = self.before.get(path).map(|node| &node.state);
            let Some(EntryState::File { mode, .. }) = before.filter(|_| now & 0o777 == TEMPORARY) else {
                continue;
            };
            if mode == now || mode & 0o7000 != 0 {
                continue;
            }
            let mended = OwnedEntryAt::open(path).map(|place| {
                let file = place?.spot().read().ok()?;
                file.set_permissions(Permissions::from_mode(*mode)).ok()
            });
            if !matches!(mended, Ok(Some(()))) {
                tracing::warn!(path = %path.display(), "a file that was replaced could not be given its mode");
            }
        }
    }
}

/// The mode of a temporary file.
const TEMPORARY: u32 = 0o600;
