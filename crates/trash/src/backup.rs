//! Keeping: before a call starts, what it is about to change is copied, complete and synced.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use artoo_types::undo::Undoing;
use rustix::io::Errno;

use super::entry::{EntryAt, copy, errno};
use super::manifest::{AfterCall, Manifest, VERSION, read, sync_folder, write};
use super::state::{EntryMeta, EntryState, RecordedEntry, Tree};
use super::sweep::make_room;
use super::walk::{MetEntry, WalkHalt, walk};
use super::{Change, IsStopped, MAX_PATHS, Trash, TrashError};

/// Copies up to this many are synced one by one; of more, the whole disk is synced at once where that can be done.
const SYNC_EACH: u32 = 64;
/// Calls of one task with the same number: the first, and one after each restart that found it under way.
const MAX_ATTEMPTS: u32 = 1_000;

/// A call whose pre-image is in the trash.
#[derive(Debug, Clone)]
pub struct TrashRecord {
    folder: PathBuf,
    roots: Vec<PathBuf>,
    bytes: u64,
    trash: Trash,
}

impl TrashRecord {
    /// Records what is there now that the call has ended. What is not recorded is later treated as changed by somebody
    /// else, so a failure loses nothing. Contents are read up to the bound of what is kept of one call, and none any more
    /// once the call was told to stop: of other files size, number and time of change are recorded.
    pub fn settle(&self, stop: IsStopped<'_>) {
        match look(&self.roots, self.trash.limits.call_bytes, stop) {
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
            make_room(self, manifest.bytes, change.task_id, &mut total)?;
            std::fs::rename(&temporary, folder).map_err(|error| TrashError::io(folder, error))?;
            *total = total.map(|total| total + manifest.bytes);
            drop(total);
            sync_folder(folder.parent().unwrap_or(&self.root))?;
            Ok(manifest)
        });
        match kept {
            Ok(Manifest { roots, bytes, .. }) => {
                Ok(TrashRecord { folder: folder.to_owned(), roots, bytes, trash: self.clone() })
            }
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
    ) -> Result<Manifest, TrashError> {
        let paths = change.paths.as_deref().filter(|_| undo.is_possible()).unwrap_or_default();
        let mut roots: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        roots.sort();
        let mut copies =
            Copies { folder: folder.join("files"), limit: self.limits.call_bytes, bytes: 0, count: 0, stop };
        private(&copies.folder)?;
        let mut nodes = Tree::new();
        let mut left = MAX_PATHS;
        for root in &roots {
            walk(root, &mut left, &mut |met| {
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
            bytes: copies.bytes,
        };
        // Where nothing was, nothing can be lost.
        let must_last = !manifest.nodes.is_empty();
        write(folder, "manifest.json", &manifest, must_last)?;
        if must_last {
            [folder, &self.root, &self.data_dir].into_iter().try_for_each(sync_folder)?;
        }
        Ok(manifest)
    }
}

/// What is at these paths and below them, by its content as far as `bytes` of it go and until `stop`. Nothing is copied.
pub(super) fn look(roots: &[PathBuf], mut bytes: u64, stop: IsStopped<'_>) -> Result<Tree, WalkHalt> {
    let mut nodes = Tree::new();
    // What a call makes may be more than what it found.
    let mut left = 4 * MAX_PATHS;
    for root in roots {
        walk(root, &mut left, &mut |met| {
            let failed = |errno: Errno| TrashError::io(met.path, errno.into());
            if stop() {
                bytes = 0;
            }
            let state = if met.is_foreign {
                EntryState::Other
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

/// A file that is read until the call is told to stop.
struct StoppableReader<'a, R> {
    from: R,
    stop: IsStopped<'a>,
}

impl<R: Read> Read for StoppableReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if (self.stop)() {
            return Err(Errno::CANCELED.into());
        }
        self.from.read(buffer)
    }
}

/// The copies of one call.
struct Copies<'a> {
    folder: PathBuf,
    limit: u64,
    bytes: u64,
    count: u32,
    stop: IsStopped<'a>,
}

impl Copies<'_> {
    fn node(&mut self, met: &MetEntry<'_>) -> Result<RecordedEntry, TrashError> {
        if (self.stop)() {
            return Err(TrashError::TooMuch("stopped while what it would change was being kept".to_owned()));
        }
        let failed = |errno: Errno| TrashError::io(met.path, errno.into());
        let meta = EntryMeta::of(met.stat);
        let is_file =
            rustix::fs::FileType::from_raw_mode(met.stat.st_mode) == rustix::fs::FileType::RegularFile;
        if !is_file {
            let state =
                if met.is_foreign { EntryState::Other } else { met.spot.state(&mut 0).map_err(failed)? };
            if state == EntryState::Other {
                return Err(TrashError::unexpected(met.path, "it is nothing that can be kept"));
            }
            return Ok(RecordedEntry { state, meta, copy: None });
        }
        if self.bytes + meta.bytes > self.limit {
            return Err(TrashError::TooMuch("it has grown beyond what is kept of one call".to_owned()));
        }
        let number = self.count;
        self.count += 1;
        let (bytes, digest) = self.file(&met.spot, number).map_err(failed)?;
        self.bytes += bytes;
        if self.bytes > self.limit {
            return Err(TrashError::TooMuch("it has grown beyond what is kept of one call".to_owned()));
        }
        Ok(RecordedEntry {
            state: EntryState::File { mode: meta.mode, bytes, digest },
            meta,
            copy: Some(number),
        })
    }

    fn file(&self, spot: &EntryAt<'_>, number: u32) -> Result<(u64, String), Errno> {
        let from = StoppableReader { from: spot.read()?, stop: self.stop };
        let path = self.folder.join(format!("{number:06}"));
        let to = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path);
        let mut to = to.map_err(|e| errno(&e))?;
        // Of a file that grows meanwhile no more is taken than shows that it is too large.
        let most = (self.limit - self.bytes).saturating_add(1);
        let done = if shares(&to, &from.from) {
            copy(&mut StoppableReader { from: &to, stop: self.stop }, &mut std::io::sink())
        } else {
            copy(&mut from.take(most), &mut to)
        };
        let done = done.map_err(|e| errno(&e))?;
        if number <= SYNC_EACH {
            to.sync_all().map_err(|e| errno(&e))?;
        }
        Ok(done)
    }

    fn sync(&self) -> Result<(), TrashError> {
        if self.count > SYNC_EACH {
            sync_all_of(&self.folder, self.count)?;
        }
        sync_folder(&self.folder)
    }
}

/// Makes one file share the blocks of another; false where the file system cannot.
#[cfg(target_os = "linux")]
fn shares(to: &File, from: &File) -> bool {
    rustix::fs::ioctl_ficlone(to, from).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn shares(_: &File, _: &File) -> bool {
    false
}

#[cfg(target_os = "linux")]
fn sync_all_of(folder: &Path, _: u32) -> Result<(), TrashError> {
    let failed = |error| TrashError::io(folder, error);
    rustix::fs::syncfs(File::open(folder).map_err(failed)?).map_err(|errno| failed(errno.into()))
}

#[cfg(not(target_os = "linux"))]
fn sync_all_of(folder: &Path, count: u32) -> Result<(), TrashError> {
    for number in SYNC_EACH + 1..count {
        let path = folder.join(format!("{number:06}"));
        File::open(&path).and_then(|file| file.sync_all()).map_err(|error| TrashError::io(&path, error))?;
    }
    Ok(())
}
