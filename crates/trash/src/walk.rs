//! A walk over what is at a path and below it, no link followed.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use super::TrashError;
use super::entry::{EntryAt, OwnedEntryAt};
use super::project::{PathKind, ProjectScope};

/// Levels of folders that are walked. Each holds one descriptor, of which a process has 1,024 or fewer.
const MAX_DEPTH: usize = 64;

/// One path that a walk meets.
pub(super) struct MetEntry<'a> {
    pub(super) path: &'a Path,
    pub(super) spot: EntryAt<'a>,
    pub(super) stat: &'a Stat,
    pub(super) is_foreign: bool,
}

/// Why a walk went no further.
#[derive(Debug)]
pub(super) enum WalkHalt {
    /// There is more than was asked for.
    TooMany,
    /// Something cannot be read.
    Failed(TrashError),
}

/// Meets what is at `path` and everything below it, folders before what lies in them, no link followed, at most `left`
/// paths in all. `path` has the links of its folder resolved. Nothing is met where nothing is, nor what `scope` leaves out.
pub(super) fn walk(
    path: &Path,
    scope: Option<&ProjectScope>,
    left: &mut usize,
    meet: &mut dyn FnMut(&MetEntry<'_>) -> Result<(), TrashError>,
) -> Result<(), WalkHalt> {
    let Some(place) = OwnedEntryAt::open(path).map_err(WalkHalt::Failed)? else { return Ok(()) };
    let mut walk = EntryWalk { scope, left, meet, device: None };
    walk.at(&place.spot(), path, 0)
}

struct EntryWalk<'a> {
    scope: Option<&'a ProjectScope>,
    left: &'a mut usize,
    meet: &'a mut dyn FnMut(&MetEntry<'_>) -> Result<(), TrashError>,
    device: Option<u64>,
}

impl EntryWalk<'_> {
    fn at(&mut self, spot: &EntryAt<'_>, path: &Path, depth: usize) -> Result<(), WalkHalt> {
        let failed = |errno: Errno| WalkHalt::Failed(TrashError::io(path, errno.into()));
        let Some(stat) = spot.stat().map_err(failed)? else { return Ok(()) };
        #[allow(
            clippy::unnecessary_cast,
            clippy::cast_sign_loss,
            reason = "its type differs between systems"
        )]
        let device = stat.st_dev as u64;
        let is_left_out = self.scope.is_some_and(|scope| {
            let bytes = u64::try_from(stat.st_size).unwrap_or(0);
            scope.skips(path, kind(&stat), bytes, device)
        });
        if is_left_out {
            return Ok(());
        }
        *self.left = self.left.checked_sub(1).ok_or(WalkHalt::TooMany)?;
        let is_foreign = *self.device.get_or_insert(device) != device;
        let here = EntryAt { folder: spot.folder, name: spot.name };
        (self.meet)(&MetEntry { path, spot: here, stat: &stat, is_foreign }).map_err(WalkHalt::Failed)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory || is_foreign {
            return Ok(());
        }
        if depth >= MAX_DEPTH {
            return Err(WalkHalt::TooMany);
        }
        let folder: OwnedFd = spot.enter().map_err(failed)?;
        // What is left out of a scope does not count.
        let most = if self.scope.is_some() { usize::MAX - 1 } else { *self.left };
        let names = EntryAt::names(&folder, most).map_err(failed)?;
        if names.len() > most {
            return Err(WalkHalt::TooMany);
        }
        for name in &names {
            self.at(&EntryAt { folder: &folder, name: OsStr::new(name) }, &path.join(name), depth + 1)?;
        }
        Ok(())
    }
}

fn kind(stat: &Stat) -> PathKind {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => PathKind::Folder,
        FileType::RegularFile => PathKind::File,
        FileType::Symlink => PathKind::Link,
        FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => PathKind::Other,
    }
}
