//! How much a command has written: watched while it runs, because a limit on one file says nothing of many.
//!
//! The files in the places that it can change are looked through from time to time, the more seldom the longer that takes.
//! What is new counts as a whole. Of a file that was there before nobody knows how much is new; it counts where the disk has
//! as much less room. What has no name any more is not seen.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::sandbox::{Confinement, Grant};

/// The least time between two looks: what is written in it is bounded by the disk's speed.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The share of the time that looking may take: a tenth.
const SHARE_OF_TIME: u32 = 10;
/// Entries that one look goes through. What has more is looked at in part.
const MAX_ENTRIES: usize = 1_000_000;
/// How far the times of files may lie behind the clock.
const CLOCK_STEP: Duration = Duration::from_millis(100);

/// What a command may write, and where.
pub(super) struct WrittenAmount {
    places: Vec<PathBuf>,
    since: SystemTime,
    room: u64,
    most: u64,
}

/// Bytes that are allotted to files.
#[derive(Default)]
struct Sum {
    new: u64,
    changed: u64,
}

impl WrittenAmount {
    /// The watch over a command that begins now and may write so many bytes.
    pub(super) fn new(confinement: &Confinement, scratch: &Path, most: u64) -> Self {
        let mut places = vec![scratch.to_owned()];
        if let Confinement::Confined(bounds) = confinement {
            places.extend(bounds.grants.iter().filter_map(place));
        }
        let room = places.iter().map(|place| room(place)).min().unwrap_or(0);
        Self { places, since: SystemTime::now() - CLOCK_STEP, room, most }
    }

    /// Returns when the command has written more than it may.
    pub(super) async fn exceeded(mut self) {
        let mut pause = LOOK_EVERY;
        loop {
            tokio::time::sleep(pause).await;
            let look = tokio::task::spawn_blocking(move || {
                let started = Instant::now();
                let is_more = self.is_more();
                (self, is_more, started.elapsed())
            });
            let Ok((watch, is_more, took)) = look.await else { return std::future::pending().await };
            if is_more {
                return;
            }
            self = watch;
            pause = LOOK_EVERY.max(took * SHARE_OF_TIME);
        }
    }

    fn is_more(&self) -> bool {
        let mut sum = Sum::default();
        let mut left = MAX_ENTRIES;
        for place in &self.places {
            self.add(place, &mut sum, &mut left);
        }
        let room = self.places.iter().map(|place| room(place)).min().unwrap_or(0);
        let is_used = self.room.saturating_sub(room) > self.most;
        sum.new > self.most || is_used && sum.new + sum.changed > self.most
    }

    /// Adds what lies at a path and below it. Links are not followed; what cannot be seen is passed by.
    fn add(&self, path: &Path, sum: &mut Sum, left: &mut usize) {
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop() {
            let Ok(meta) = path.symlink_metadata() else { continue };
            *left = left.saturating_sub(1);
            if *left == 0 {
                return;
            }
            if meta.is_dir() {
                open.extend(path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()));
            } else if meta.is_file() && is_since(&meta, self.since) {
                let is_new = meta.created().is_ok_and(|made| made >= self.since);
                *(if is_new { &mut sum.new } else { &mut sum.changed }) += meta.blocks() * 512;
            }
        }
    }
}

/// Whether a file was changed since then, whatever it says of itself.
fn is_since(meta: &Metadata, since: SystemTime) -> bool {
    let since = since.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let changed = Duration::new(
        u64::try_from(meta.ctime()).unwrap_or(0),
        u32::try_from(meta.ctime_nsec()).unwrap_or(0),
    );
    changed >= since
}

/// The place that a right lets a command write to.
fn place(grant: &Grant) -> Option<PathBuf> {
    match grant {
        Grant::New(path) | Grant::Offered(path) | Grant::Content(path) | Grant::Below(path) => {
            Some(PathBuf::from(path))
        }
        Grant::NewFolder(_)
        | Grant::OwnFolder(_)
        | Grant::Symlink { .. }
        | Grant::HardLink { .. }
        | Grant::Index(_)
        | Grant::Mode { .. }
        | Grant::Removals(_) => None,
    }
}

/// Bytes that are free where this path lies, or where its folder does.
fn room(path: &Path) -> u64 {
    let found = path.ancestors().find_map(|path| rustix::fs::statvfs(path).ok());
    found.map_or(0, |disk| disk.f_bfree.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::WrittenAmount;
    use crate::sandbox::{Bounds, Confinement, Grant, ModeRights};

    fn watch(folder: &std::path::Path, most: u64) -> WrittenAmount {
        let grants = vec![Grant::Below(folder.to_string_lossy().into_owned())];
        let bounds = Bounds {
            hidden: Vec::new(),
            reads: Vec::new(),
            grants,
            network: false,
            modes: ModeRights::Nothing,
        };
        let scratch = folder.join("no-scratch");
        WrittenAmount::new(&Confinement::Confined(bounds), &scratch, most)
    }

    // Fails when only one file is looked at, or what was there before counts as written.
    #[test]
    fn many_small_files_are_as_much_as_a_large_one_and_old_ones_count_for_nothing() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("deep")).unwrap();
        std::fs::write(dir.path().join("old"), vec![1; 1 << 20]).unwrap();
        std::thread::sleep(super::CLOCK_STEP * 2);
        let most = 256 << 10;
        let written = watch(dir.path(), most);
        assert!(!written.is_more());
        for number in 0..10 {
            std::fs::write(dir.path().join(format!("deep/{number}")), vec![1; 16 << 10]).unwrap();
        }
        assert!(!written.is_more());
        for number in 0..10 {
            std::fs::write(dir.path().join(format!("more-{number}")), vec![1; 16 << 10]).unwrap();
        }
        assert!(written.is_more());
    }
}
