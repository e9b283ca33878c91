//! Keeping: before a call starts, what it is about to change is copied, complete and synced.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use artoo_types::TaskId;
use artoo_types::undo::Undoing;
use rustix::io::Errno;

use super::copies::{Copies, KeptCopies, unchanged};
use super::manifest::{AfterCall, Manifest, VERSION, read, sync_folder, write};
use super::project::ProjectScope;
use super::state::{EntryMeta, EntryState, RecordedEntry, Tree};
use super::sweep::make_room;
use super::walk::{WalkHalt, walk};
use super::{Change, IsStopped, MAX_PATHS, Trash, TrashError};

/// Tasks whose last copies are remembered: as many as work in projects at once.
const MAX_REMEMBERED: usize = 8;
/// Calls of one task with the same number: the first, and one after each restart that found it under way.
const MAX_ATTEMPTS: u32 = 1_000;

/// A call whose pre-image is in the trash.
#[derive(Debug, Clone)]
pub struct TrashRecord {
    pub(super) folder: PathBuf,
    pub(super) roots: Vec<PathBuf>,
    bytes: u64,
    pub(super) trash: Trash,
    /// What is kept of a project.
    pub(super) scope: Option<Arc<ProjectScope>>,
    /// What was there, and the files of it that need not be read again as long as they look the same.
    pub(super) before: Arc<Tree>,
    pub(super) copies: Arc<KeptCopies>,
}

impl TrashRecord {
    /// Records what is there now that the call has ended. What is not recorded is later treated as changed by somebody
    /// else, so a failure loses nothing. Contents are read up to the bound of what is kept of one call, and none any more
    /// once the call was told to stop: of other files size, number and time of change are recorded.
    pub fn settle(&self, stop: IsStopped<'_>) {
        match self.look(stop) {
            Ok(nodes) => {
                if let Err(error) = write(&self.folder, "after.json", &AfterCall { nodes }, false) {
                    tracing::warn!(%error, "what a call left behind could not be recorded");
                }
            }
            Err(WalkHalt::TooMany) => {}
            Err(WalkHalt::Failed(error)) => {
                tracing::warn!(%error, "what a call left behind could not be looked at");
            }
        }
    }

    /// What is there now.
    pub(super) fn look(&self, stop: IsStopped<'_>) -> Result<Tree, WalkHalt> {
        look(&self.roots, self.scope.as_deref(), &self.copies, self.trash.limits.call_bytes, stop)
    }

    /// Forgets it: the call did not start.
    pub fn discard(self) {
        let mut total = self.trash.lock();
        // What stays is swept with time.
        let is_gone = std::fs::remove_dir_all(self.folder).is_ok();
        *total = total.map(|total| total.saturating_sub(if is_gone { self.bytes } else { 0 }));
    }
}

impl Trash {
    /// Copies what `change` is about to change, and records it. It is on the disk when this returns. Nothing is kept, only
    /// recorded, of a call that cannot be undone. It waits for the disk until `stop`.
    ///
    /// # Errors
    /// When it cannot be kept; then nothing was changed, and what was copied is gone again.
    pub fn back_up(
        &self,
        change: &Change,
        undo: &Undoing,
        stop: IsStopped<'_>,
    ) -> Result<TrashRecord, TrashError> {
        let task = self.of_task(change.task_id);
        private(&self.root)?;
        private(&task)?;
        let folder = free_name(&task, &format!("{:06}", change.effect_id.0))?;
        self.back_up_in(&folder, change, undo, stop)
    }

    /// The same, into this folder, which does not exist yet and which no other call takes. Others are kept at the same
    /// time; only the account of the bytes is waited for.
    pub(super) fn back_up_in(
        &self,
        folder: &Path,
        change: &Change,
        undo: &Undoing,
        stop: IsStopped<'_>,
    ) -> Result<TrashRecord, TrashError> {
        let temporary = folder.with_extension("tmp");
        if temporary.exists() {
            // A daemon that went down left it; the call had not started.
            std::fs::remove_dir_all(&temporary).map_err(|error| TrashError::io(&temporary, error))?;
        }
        private(&temporary)?;
        let kept = self.fill(&temporary, change, undo, stop).and_then(|manifest| {
            let mut total = self.lock();
            let (manifest, copies, scope) = manifest;
            make_room(self, manifest.bytes, change.task_id, &mut total)?;
            std::fs::rename(&temporary, folder).map_err(|error| TrashError::io(folder, error))?;
            *total = total.map(|total| total + manifest.bytes);
            drop(total);
            sync_folder(folder.parent().unwrap_or(&self.root))?;
            let copies = moved(copies, folder);
            if scope.is_some() {
                self.remember(change.task_id, &copies);
            }
            Ok((manifest, copies, scope))
        });
        match kept {
            Ok((Manifest { roots, bytes, nodes, .. }, copies, scope)) => Ok(TrashRecord {
                folder: folder.to_owned(),
                roots,
                bytes,
                trash: self.clone(),
                scope,
                before: Arc::new(nodes),
                copies,
            }),
            Err(error) => {
                // The first error tells what went wrong; what stays is swept with time.
                let _ = std::fs::remove_dir_all(&temporary);
                Err(error)
            }
        }
    }

    fn fill(
        &self,
        folder: &Path,
        change: &Change,
        undo: &Undoing,
        stop: IsStopped<'_>,
    ) -> Result<FilledFolder, TrashError> {
        let paths = change.paths.as_deref().filter(|_| undo.is_possible()).unwrap_or_default();
        let mut roots: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        roots.sort();
        let project = change.project.as_ref().filter(|_| undo.is_possible());
        let scope = project
            .map(|project| ProjectScope::look(project, self.limits.call_bytes))
            .transpose()?
            .map(Arc::new);
        let earlier = if scope.is_some() { self.kept_of(change.task_id) } else { KeptCopies::new() };
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut copies = Copies {
            folder: folder.join("files"),
            limit: self.limits.call_bytes,
            bytes: 0,
            shared: 0,
            count: 0,
            stop,
            earlier,
            kept: KeptCopies::new(),
            began_s: i64::try_from(began.as_secs()).unwrap_or(0),
        };
        private(&copies.folder)?;
        let mut nodes = Tree::new();
        let mut left = MAX_PATHS;
        for root in &roots {
            walk(root, scope.as_deref(), &mut left, &mut |met| {
                if !nodes.contains_key(met.path) {
                    nodes.insert(met.path.to_owned(), copies.node(met)?);
                }
                Ok(())
            })
            .map_err(told)?;
        }
        if !nodes.is_empty() {
            copies.sync()?;
        }
        let manifest = Manifest {
            version: VERSION,
            task_id: change.task_id,
            effect_id: change.effect_id,
            action: change.action.clone(),
            effects: change.effects.clone(),
            at: change.at,
            undo: undo.clone(),
            roots,
            nodes,
            bytes: copies.bytes - copies.shared,
        };
        // Where nothing was, nothing can be lost.
        let must_last = !manifest.nodes.is_empty();
        write(folder, "manifest.json", &manifest, must_last)?;
        if must_last {
            [folder, &self.root, &self.data_dir].into_iter().try_for_each(sync_folder)?;
        }
        Ok((manifest, copies.kept, scope))
    }

    /// What was kept last of the project of this task.
    fn kept_of(&self, task_id: TaskId) -> KeptCopies {
        let kept = self.kept.lock();
        kept.iter()
            .find(|(of, _)| *of == task_id)
            .map(|(_, copies)| KeptCopies::clone(copies))
            .unwrap_or_default()
    }

    fn remember(&self, task_id: TaskId, copies: &Arc<KeptCopies>) {
        let mut kept = self.kept.lock();
        kept.retain(|(of, _)| *of != task_id);
        if kept.len() >= MAX_REMEMBERED {
            kept.remove(0);
        }
        kept.push((task_id, Arc::clone(copies)));
    }
}

/// What a folder of the trash was filled with.
type FilledFolder = (Manifest, KeptCopies, Option<Arc<ProjectScope>>);

/// The copies where they are now that their folder has its name.
fn moved(mut copies: KeptCopies, folder: &Path) -> Arc<KeptCopies> {
    copies.values_mut().for_each(|kept| kept.move_to(&folder.join("files")));
    Arc::new(copies)
}

/// What is at these paths and below them, by its content as far as `bytes` of it go and until `stop`. Nothing is copied.
fn look(
    roots: &[PathBuf],
    scope: Option<&ProjectScope>,
    copies: &KeptCopies,
    mut bytes: u64,
    stop: IsStopped<'_>,
) -> Result<Tree, WalkHalt> {
    let mut nodes = Tree::new();
    // What a call makes may be more than what it found.
    let mut left = 4 * MAX_PATHS;
    for root in roots {
        walk(root, scope, &mut left, &mut |met| {
            let failed = |errno: Errno| TrashError::io(met.path, errno.into());
            if stop() {
                bytes = 0;
            }
            let state = if met.is_foreign {
                EntryState::Other
            } else if let Some(state) = unchanged(copies, met.path, met.stat) {
                state
            } else {
                met.spot.state(&mut bytes).map_err(failed)?
            };
            nodes.insert(
                met.path.to_owned(),
                RecordedEntry { state, meta: EntryMeta::of(met.stat), copy: None },
            );
            Ok(())
        })?;
    }
    Ok(nodes)
}

/// A name in `task` that is free: the first one, or the same with a number behind it.
pub(super) fn free_name(task: &Path, first: &str) -> Result<PathBuf, TrashError> {
    let names = std::iter::once(first.to_owned()).chain((2..MAX_ATTEMPTS).map(|n| format!("{first}-{n}")));
    let free = names.map(|name| task.join(name)).find(|folder| folder.symlink_metadata().is_err());
    free.ok_or_else(|| TrashError::TooMuch(format!("too much is kept of this call in {}", task.display())))
}

/// Reads what is kept in a folder of the trash; `None` if it is not complete.
pub(super) fn recorded(folder: &Path) -> Result<Option<(Manifest, Option<AfterCall>)>, TrashError> {
    let Some(manifest) = read::<Manifest>(&folder.join("manifest.json"))? else { return Ok(None) };
    if manifest.version != VERSION {
        return Err(TrashError::unexpected(
            folder,
            "another version of artoo kept this, in a form that this one cannot read",
        ));
    }
    // Without it nobody looked afterwards: it is not synced, so a power cut may leave half of it.
    Ok(Some((manifest, read(&folder.join("after.json")).unwrap_or_default())))
}

fn told(halt: WalkHalt) -> TrashError {
    match halt {
        WalkHalt::TooMany => {
            TrashError::TooMuch(format!("it is more than {MAX_PATHS} files, or too deep, to be kept"))
        }
        WalkHalt::Failed(error) => error,
    }
}

/// Makes a folder that only its owner can enter, unless it is there.
fn private(folder: &Path) -> Result<(), TrashError> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(TrashError::io(folder, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
