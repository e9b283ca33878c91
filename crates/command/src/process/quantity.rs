//! How much a command has written: watched while it runs, because a limit on one file says nothing of many.
//!
//! The files in the places that it can change are looked through from time to time, the more seldom the longer that takes.
//! What is new counts as a whole. Of a file that was there before nobody knows how much is new; it counts where the disk has
//! as much less room. What has no name any more is seen, on Linux, as long as a process of this daemon holds it open.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::sandbox::{Confinement, Grant};

/// The least time between two looks: what is written in it is bounded by the disk's speed.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The least time between two looks while the disk gets fuller by more than may be written, and between two glances at that: a
/// disk takes a gigabyte a second and more.
const GLANCE_EVERY: Duration = Duration::from_millis(50);
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
        let (mut pause, mut soonest) = (LOOK_EVERY, GLANCE_EVERY);
        loop {
            let slept = Instant::now();
            // Somebody else may fill the disk, so that this is a sign to look and no more.
            while slept.elapsed() < soonest || slept.elapsed() < pause && !self.is_room_gone() {
                tokio::time::sleep(GLANCE_EVERY).await;
            }
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
            soonest = GLANCE_EVERY.max(took * SHARE_OF_TIME);
        }
    }

    /// Whether there is so much less room than at first that the command may have written too much.
    fn is_room_gone(&self) -> bool {
        let room = self.places.iter().map(|place| room(place)).min().unwrap_or(0);
        self.room.saturating_sub(room) > self.most
    }

    fn is_more(&self) -> bool {
        let mut sum = Sum::default();
        let mut left = MAX_ENTRIES;
        for place in &self.places {
            self.add(place, &mut sum, &mut left);
        }
        let written = sum.new + sum.changed;
        // Most calls write little, and then nothing more has to be looked through.
        sum.new > self.most
            || self.is_room_gone() && (written > self.most || written + self.unnamed() > self.most)
    }

    /// Bytes of files that lie in these places without a name and are held open.
    #[cfg(target_os = "linux")]
    fn unnamed(&self) -> u64 {
        let mut seen = std::collections::BTreeSet::new();
        let processes = crate::children::own_descendants().into_iter();
        let open = processes.filter_map(|process| std::fs::read_dir(format!("/proc/{process}/fd")).ok());
        let mut bytes = 0;
        for file in open.flatten().flatten().map(|entry| entry.path()) {
            let is_ours = |path: &PathBuf| self.places.iter().any(|place| path.starts_with(place));
            let is_nameless = |meta: &Metadata| meta.is_file() && meta.nlink() == 0;
            // What a link of this folder leads to is the file itself, whatever its name was.
            let Some(meta) = file.read_link().ok().filter(is_ours).and_then(|_| file.metadata().ok()) else {
                continue;
            };
            if is_nameless(&meta) && seen.insert((meta.dev(), meta.ino())) {
                bytes += meta.blocks() * 512;
            }
        }
        bytes
    }

    /// Nothing tells where this is compiled.
    #[cfg(not(target_os = "linux"))]
    fn unnamed(&self) -> u64 {
        0
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
    use crate::sandbox::{Bounds, Confinement, Grant};

    fn watch(folder: &std::path::Path, most: u64) -> WrittenAmount {
        let grants = vec![Grant::Below(folder.to_string_lossy().into_owned())];
        let bounds = Bounds { grants, ..Bounds::reading(Vec::new()) };
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

    /// A program that takes the names of its files away is stopped as any other.
    #[cfg(target_os = "linux")]
    #[test]
    fn files_without_a_name_count_while_a_process_holds_them() {
        let dir = tempfile::tempdir().unwrap();
        let written = watch(dir.path(), 1 << 20);
        let text = "exec 3>x 4>y; rm x y; head -c 2000000 /dev/zero >&3; head -c 2000000 /dev/zero >&4; echo; read line";
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", text]).current_dir(dir.path());
        shell.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        let mut line = [0; 1];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut line).unwrap();
        let unnamed = written.unnamed();
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert!((4_000_000..5_000_000).contains(&unnamed), "{unnamed}");
        assert_eq!(written.unnamed(), 0);
    }
}
