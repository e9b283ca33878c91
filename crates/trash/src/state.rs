//! What is at a path, as it is recorded and compared.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::TrashError;
use super::spot::{Place, Spot};

/// Levels of folders that are walked. Each holds one descriptor, of which a process has 1,024 or fewer.
const MAX_DEPTH: usize = 64;

/// What is at a path. Two equal states hold the same for a person: times and owners do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum State {
    /// Nothing.
    Absent,
    /// A file.
    File { mode: u32, bytes: u64, digest: String },
    /// A folder, without what lies in it.
    Folder { mode: u32 },
    /// A symbolic link.
    Link { to: String },
    /// A device, a pipe, a socket, a place where another file system begins: nothing that can be kept.
    Other,
}

/// What else is recorded of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Meta {
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// Time of change, in seconds since 1970.
    pub(super) mtime_s: i64,
    /// And nanoseconds.
    pub(super) mtime_ns: i64,
    #[serde(skip)]
    pub(super) bytes: u64,
}

/// One path of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Node {
    pub(super) state: State,
    pub(super) meta: Meta,
    /// The kept copy's number, for a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) copy: Option<u32>,
}

/// Paths and what is there. What is not named is absent.
pub(super) type Tree = BTreeMap<PathBuf, Node>;

impl Meta {
    #[allow(
        clippy::cast_sign_loss,
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        clippy::cast_possible_wrap,
        reason = "the fields of the system's record have other types on other systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            mode: u32::from(stat.st_mode) & 0o7777,
            uid: stat.st_uid,
            gid: stat.st_gid,
            mtime_s: stat.st_mtime as i64,
            mtime_ns: stat.st_mtime_nsec as i64,
            bytes: stat.st_size as u64,
        }
    }
}

/// One path that a walk meets.
pub(super) struct Met<'a> {
    pub(super) path: &'a Path,
    pub(super) spot: Spot<'a>,
    pub(super) stat: &'a Stat,
    pub(super) is_foreign: bool,
}

/// Why a walk went no further.
#[derive(Debug)]
pub(super) enum Halt {
    /// There is more than was asked for.
    TooMany,
    /// Something cannot be read.
    Failed(TrashError),
}

/// Meets what is at `path` and everything below it, folders before what lies in them, no link followed, at most `left`
/// paths in all. `path` has the links of its folder resolved. Nothing is met where nothing is.
pub(super) fn walk(
    path: &Path,
    left: &mut usize,
    meet: &mut dyn FnMut(&Met<'_>) -> Result<(), TrashError>,
) -> Result<(), Halt> {
    let Some(place) = Place::open(path).map_err(Halt::Failed)? else { return Ok(()) };
    let mut walk = Walk { left, meet, device: None };
    walk.at(&place.spot(), path, 0)
}

struct Walk<'a> {
    left: &'a mut usize,
    meet: &'a mut dyn FnMut(&Met<'_>) -> Result<(), TrashError>,
    device: Option<u64>,
}

impl Walk<'_> {
    fn at(&mut self, spot: &Spot<'_>, path: &Path, depth: usize) -> Result<(), Halt> {
        let failed = |errno: Errno| Halt::Failed(TrashError::io(path, errno.into()));
        let Some(stat) = spot.stat().map_err(failed)? else { return Ok(()) };
        *self.left = self.left.checked_sub(1).ok_or(Halt::TooMany)?;
        #[allow(
            clippy::unnecessary_cast,
            clippy::cast_sign_loss,
            reason = "its type differs between systems"
        )]
        let device = stat.st_dev as u64;
        let is_foreign = *self.device.get_or_insert(device) != device;
        let here = Spot { folder: spot.folder, name: spot.name };
        (self.meet)(&Met { path, spot: here, stat: &stat, is_foreign }).map_err(Halt::Failed)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory || is_foreign {
            return Ok(());
        }
        if depth >= MAX_DEPTH {
            return Err(Halt::TooMany);
        }
        let folder: OwnedFd = spot.enter().map_err(failed)?;
        let names = Spot::names(&folder, *self.left).map_err(failed)?;
        if names.len() > *self.left {
            return Err(Halt::TooMany);
        }
        for name in &names {
            self.at(&Spot { folder: &folder, name: OsStr::new(name) }, &path.join(name), depth + 1)?;
        }
        Ok(())
    }
}
