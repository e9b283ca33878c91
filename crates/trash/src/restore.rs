//! Putting one path as it was. Each step leaves the old or the new state, never something between, and can be repeated.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::io::Errno;

use super::TrashError;
use super::entry::{EntryAt, OwnedEntryAt, copy, dress, is_unsupported, open_folder};
use super::state::{EntryState, RecordedEntry};

/// How a path has to be, and from where.
#[derive(Debug, Clone)]
pub(super) struct EntryRestore {
    pub(super) path: PathBuf,
    /// None: nothing.
    pub(super) node: Option<RecordedEntry>,
    /// The folder with the copies.
    pub(super) copies: PathBuf,
    /// What was there when it was decided.
    pub(super) now: EntryState,
}

impl EntryRestore {
    /// Which steps come first: what is in the way goes, innermost first; then folders come, outermost first; then files
    /// and links; then the folders get their modes and times back, innermost first.
    pub(super) fn is_removal(&self) -> bool {
        let is_folder = |state: &EntryState| matches!(state, EntryState::Folder { .. });
        match &self.node {
            None => true,
            // Something else stands where a folder was, or a folder stands where something else was.
            Some(node) => self.now != EntryState::Absent && is_folder(&node.state) != is_folder(&self.now),
        }
    }

    pub(super) fn is_folder(&self) -> bool {
        self.node.as_ref().is_some_and(|node| matches!(node.state, EntryState::Folder { .. }))
    }

    /// Takes away what is there.
    pub(super) fn remove(&self) -> Result<(), TrashError> {
        let Some(place) = OwnedEntryAt::open(&self.path)? else { return Ok(()) };
        let spot = place.spot();
        let gone = match self.same(&spot)? {
            EntryState::Absent => Ok(()),
            EntryState::Folder { .. } => spot.remove_folder(),
            EntryState::File { .. } | EntryState::Link { .. } | EntryState::Other => spot.remove(),
        };
        match gone {
            Err(Errno::NOTEMPTY | Errno::EXIST) => Err(TrashError::unexpected(
                &self.path,
                "the folder is not empty; what is in it is not of this task",
            )),
            gone => gone.map_err(|errno| TrashError::io(&self.path, errno.into())),
        }?;
        spot.sync();
        Ok(())
    }

    /// Makes the folder, open to its owner alone until [`Self::dress`].
    pub(super) fn make_folder(&self) -> Result<(), TrashError> {
        make_parents(&self.path)?;
        let Some(place) = OwnedEntryAt::open(&self.path)? else { return Err(self.gone()) };
        match place.spot().make_folder() {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) if place.spot().enter().is_ok() => Ok(()),
            Err(errno) => Err(TrashError::io(&self.path, errno.into())),
        }
    }

    /// Puts the file or link in place of what is there.
    pub(super) fn put(&self) -> Result<(), TrashError> {
        make_parents(&self.path)?;
        let Some(place) = OwnedEntryAt::open(&self.path)? else { return Err(self.gone()) };
        let spot = place.spot();
        let name = temporary_name();
        let temporary = EntryAt { folder: spot.folder, name: name.as_ref() };
        let done = self.fill(&temporary).and_then(|()| self.take_place(&temporary, &spot));
        if done.is_err() {
            // The first error tells what went wrong.
            let _ = temporary.remove();
        }
        spot.sync();
        done
    }

    /// Gives what was filled its name, in the place of what was decided about and of nothing else: the two change places,
    /// what came out is looked at, and they change back when somebody wrote there meanwhile.
    fn take_place(&self, temporary: &EntryAt<'_>, spot: &EntryAt<'_>) -> Result<(), TrashError> {
        let failed = |errno: Errno| TrashError::io(&self.path, errno.into());
        if self.now == EntryState::Absent || self.is_removal() {
            // Where nothing was, nothing is replaced either, whoever is quicker.
            return temporary.rename(spot, false).map_err(failed);
        }
        match temporary.exchange(spot) {
            Ok(()) => match self.same(temporary) {
                Ok(_) => temporary.remove().map_err(failed),
                Err(changed) => {
                    temporary.exchange(spot).map_err(failed)?;
                    Err(changed)
                }
            },
            Err(Errno::NOENT) => temporary.rename(spot, false).map_err(failed),
            // This file system cannot do it; a moment remains between the look and the change.
            Err(errno) if is_unsupported(errno) => {
                self.same(spot)?;
                temporary.rename(spot, true).map_err(failed)
            }
            Err(errno) => Err(failed(errno)),
        }
    }

    /// Gives the folder its mode and time.
    pub(super) fn dress(&self) -> Result<(), TrashError> {
        let Some(node) = &self.node else { return Ok(()) };
        let folder = open_folder(&self.path).map_err(|errno| TrashError::io(&self.path, errno.into()))?;
        dress(&folder, &node.meta).map_err(|errno| TrashError::io(&self.path, errno.into()))
    }

    fn fill(&self, temporary: &EntryAt<'_>) -> Result<(), TrashError> {
        let failed = |errno: Errno| TrashError::io(&self.path, errno.into());
        let Some(node) = &self.node else { return Ok(()) };
        match (&node.state, node.copy) {
            (EntryState::Link { to }, _) => temporary.make_link(to).map_err(failed),
            (EntryState::File { digest, .. }, Some(number)) => {
                let kept = self.copies.join(format!("{number:06}"));
                let broken = |error| TrashError::io(&kept, error);
                let mut from = std::fs::File::open(&kept).map_err(broken)?;
                let mut file = temporary.make().map_err(failed)?;
                let (_, found) = copy(&mut from, &mut file).map_err(broken)?;
                if found != *digest {
                    return Err(TrashError::unexpected(
                        &kept,
                        "the copy in the trash is damaged; nothing was changed",
                    ));
                }
                dress(&file, &node.meta).map_err(failed)?;
                file.flush().and_then(|()| file.sync_all()).map_err(broken)
            }
            (
                EntryState::File { .. } | EntryState::Absent | EntryState::Folder { .. } | EntryState::Other,
                _,
            ) => Err(TrashError::unexpected(&self.path, "there is no copy of it in the trash")),
        }
    }

    /// What is there, if it is still what it was when it was decided.
    fn same(&self, spot: &EntryAt<'_>) -> Result<EntryState, TrashError> {
        let now = spot.state_as(&[&self.now]).map_err(|errno| TrashError::io(&self.path, errno.into()))?;
        if now == self.now || now == EntryState::Absent {
            return Ok(now);
        }
        Err(TrashError::unexpected(&self.path, "it changed just now; try again"))
    }

    fn gone(&self) -> TrashError {
        TrashError::unexpected(&self.path, "its folder is gone")
    }
}

/// What is at a path whose folder had its links resolved, in the form of one of `known` if it is that. Where something else
/// is now in place of its folder, nothing is.
pub(super) fn state_at(path: &Path, known: &[&EntryState]) -> Result<EntryState, TrashError> {
    if path.parent().is_some_and(|f| open_folder(f).is_err_and(|e| matches!(e, Errno::NOTDIR | Errno::LOOP)))
    {
        return Ok(EntryState::Absent);
    }
    let Some(place) = OwnedEntryAt::open(path)? else { return Ok(EntryState::Absent) };
    place.spot().state_as(known).map_err(|errno| TrashError::io(path, errno.into()))
}

/// A name beside what is restored that nothing else of this process uses.
fn temporary_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!(".artoo-{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Makes the folders above a path that are gone.
fn make_parents(path: &Path) -> Result<(), TrashError> {
    let is_gone = |folder: &&Path| open_folder(folder).is_err_and(|errno| errno == Errno::NOENT);
    let missing: Vec<&Path> = path.ancestors().skip(1).take_while(is_gone).collect();
    for folder in missing.into_iter().rev() {
        let made = OwnedEntryAt::open(folder)?.map(|place| place.spot().make_folder());
        match made {
            Some(Ok(()) | Err(Errno::EXIST)) => {}
            Some(Err(errno)) => return Err(TrashError::io(folder, errno.into())),
            None => return Err(TrashError::unexpected(folder, "its folder is gone")),
        }
    }
    Ok(())
}
