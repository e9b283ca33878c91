//! What a person should look into, as long as it lasts; and the room on the disk, which is looked at before it runs out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_audit::Incident;
use artoo_types::TaskId;
use parking_lot::Mutex;

use crate::auditor::bell::AuditorBell;

/// Looks at the disk are this far apart at least: what fills it in a second meets [`Health::found_full`].
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Files that must still fit on the disk. A task makes a handful; some file systems count them, others have no limit.
const MIN_FREE_FILES: u64 = 1_000;
/// Most warnings that are shown; the rest is counted.
const MAX_WARNINGS: usize = 20;
const MIB: u64 = 1024 * 1024;

/// What can be wrong for a while.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Too little room on the disk for new tasks.
    DiskLow,
    /// Not even a record fits on the disk.
    DiskFull,
    /// The memory cannot be used.
    Memory,
    /// The memory's daily copy cannot be made.
    MemoryBackup,
    /// The index of tasks was not as it was left.
    Index,
    /// The auditor's log, or its state, does not fit on the disk.
    AuditFull,
    /// The auditor cannot write its log or its state for another reason.
    AuditLog,
    /// The auditor's log was not as it was left.
    AuditDamage,
    /// The recurring tasks cannot be read.
    Schedules,
    /// The journal of this task cannot be read or written.
    Journal(TaskId),
    /// This MCP server does not run, or does not answer.
    McpDown(String),
    /// This MCP server is held: it describes its tools in another way than was agreed to.
    McpHeld(String),
    /// The model server that this command starts does not run.
    ModelServer(String),
}

impl Concern {
    fn is_of_the_disk(&self) -> bool {
        match self {
            Self::DiskLow | Self::DiskFull | Self::AuditFull => true,
            Self::Memory
            | Self::MemoryBackup
            | Self::Index
            | Self::AuditLog
            | Self::AuditDamage
            | Self::Schedules
            | Self::Journal(_)
            | Self::McpDown(_)
            | Self::McpHeld(_)
            | Self::ModelServer(_) => false,
        }
    }

    /// What the auditor is told. Damaged journals and logs it finds itself, and the memory is none of its records.
    fn incident(&self, what: &str) -> Option<Incident> {
        match self {
            Self::DiskLow | Self::DiskFull | Self::AuditFull => {
                Some(Incident::DiskPressure { what: what.to_owned() })
            }
            Self::Index => Some(Incident::LogDamage { what: what.to_owned() }),
            Self::Memory
            | Self::MemoryBackup
            | Self::AuditLog
            | Self::AuditDamage
            | Self::Schedules
            | Self::Journal(_)
            | Self::McpDown(_)
            | Self::McpHeld(_)
            | Self::ModelServer(_) => None,
        }
    }
}

/// How the daemon is. Cheap to clone; all clones are the same.
#[derive(Debug, Clone)]
pub struct Health {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// A folder on the disk that is watched.
    folder: PathBuf,
    /// Bytes that stay free.
    min_free: u64,
    auditor: AuditorBell,
    standing: Mutex<BTreeMap<Concern, String>>,
    looked: Mutex<Option<RoomReading>>,
}

#[derive(Debug, Clone, Copy)]
struct RoomReading {
    at: Instant,
    room: Room,
}

/// The room on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Room {
    bytes: u64,
    /// None where files are not counted.
    files: Option<u64>,
}

impl Health {
    /// The health of a daemon whose data lies in `folder`, and which accepts nothing when fewer than `min_free` bytes are
    /// free there. The auditor hears of what goes wrong.
    pub fn new(folder: &Path, min_free: u64, auditor: AuditorBell) -> Self {
        let (standing, looked) = (Mutex::default(), Mutex::new(None));
        Self { inner: Arc::new(Inner { folder: folder.to_owned(), min_free, auditor, standing, looked }) }
    }

    /// Notes what is wrong now, in whole sentences that say what to do. It replaces what was said of the same concern.
    pub fn raise(&self, concern: Concern, what: String) {
        let mut standing = self.inner.standing.lock();
        if standing.get(&concern) != Some(&what) {
            tracing::warn!(?concern, "{what}");
            if let Some(incident) = concern.incident(&what) {
                self.inner.auditor.tell(incident);
            }
            standing.insert(concern, what);
        }
    }

    /// It is over.
    pub fn clear(&self, concern: &Concern) {
        let mut standing = self.inner.standing.lock();
        if standing.remove(concern).is_none() {
            return;
        }
        tracing::info!(?concern, "this is over");
        let has_room = !standing.keys().any(Concern::is_of_the_disk);
        if has_room && concern.is_of_the_disk() {
            self.inner.auditor.tell(Incident::DiskRelieved);
        }
    }

    /// What is said of this concern, while it lasts.
    pub fn said_of(&self, concern: &Concern) -> Option<String> {
        self.inner.standing.lock().get(concern).cloned()
    }

    /// Everything that a person should look into now.
    pub fn warnings(&self) -> Vec<String> {
        self.shortage();
        let standing = self.inner.standing.lock();
        let mut warnings: Vec<String> = standing.values().take(MAX_WARNINGS).cloned().collect();
        if let Some(more) = standing.len().checked_sub(MAX_WARNINGS).filter(|n| *n > 0) {
            warnings.push(format!("and {more} more of this kind; debug.log in the data folder has all"));
        }
        warnings
    }

    /// Why no task may be accepted for want of room, and what to do. Looks at the disk at most once a second.
    pub fn shortage(&self) -> Option<String> {
        let room = self.room()?;
        let short = self.inner.judge(room);
        match &short {
            Some(what) => self.raise(Concern::DiskLow, what.clone()),
            None => self.clear(&Concern::DiskLow),
        }
        short
    }

    /// Bytes that are free on the disk; 0 where it cannot be asked.
    pub fn free_bytes(&self) -> u64 {
        self.room().map_or(0, |room| room.bytes)
    }

    /// Bytes below which no new task is accepted; 0: never refused.
    pub fn floor_bytes(&self) -> u64 {
        self.inner.min_free
    }

    /// A record of a task did not fit on the disk. Tell with [`Self::clear`] when one does again.
    pub fn found_full(&self) {
        *self.inner.looked.lock() = None;
        self.raise(
            Concern::DiskFull,
            format!(
                "the disk of {} is full: running tasks wait for room and start nothing meanwhile; free some space on it, \
                 and they go on by themselves",
                self.inner.folder.display()
            ),
        );
    }

    fn room(&self) -> Option<Room> {
        let mut looked = self.inner.looked.lock();
        if let Some(known) = looked.filter(|l| l.at.elapsed() < LOOK_EVERY) {
            return Some(known.room);
        }
        // A disk that cannot be asked is no reason to refuse work: the write itself will tell.
        let stats = rustix::fs::statvfs(&self.inner.folder).ok()?;
        let bytes = stats.f_bavail.saturating_mul(stats.f_frsize);
        let room = Room { bytes, files: (stats.f_files > 0).then_some(stats.f_favail) };
        *looked = Some(RoomReading { at: Instant::now(), room });
        Some(room)
    }
}

impl Inner {
    /// Whether this is too little, in words.
    fn judge(&self, room: Room) -> Option<String> {
        if self.min_free == 0 {
            return None;
        }
        let folder = self.folder.display();
        if room.bytes < self.min_free {
            let (free, wanted) = (room.bytes / MIB, self.min_free.div_ceil(MIB));
            return Some(format!(
                "only {free} MiB are free on the disk of {folder}, and artoo takes no new task below {wanted} MiB: free \
                 some space on that disk, or lower storage.min_free_mib in config.toml"
            ));
        }
        let files = room.files.filter(|files| *files < MIN_FREE_FILES)?;
        Some(format!(
            "only {files} more files fit on the disk of {folder}, and artoo takes no new task below {MIN_FREE_FILES}: \
             delete files on that disk"
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use artoo_types::TaskId;
    use uuid::Uuid;

    use super::{Concern, Health, MIB, Room};
    use crate::auditor::AuditorBell;

    fn health(min_free: u64) -> Health {
        Health::new(Path::new("/"), min_free, AuditorBell::default())
    }

    #[test]
    fn too_little_room_is_said_with_what_to_do() {
        let check = |min_free: u64, bytes: u64, files: Option<u64>, expected: Option<&str>| {
            let said = health(min_free).inner.judge(Room { bytes, files });
            match expected {
                None => assert_eq!(said, None),
                Some(part) => assert!(said.as_deref().is_some_and(|s| s.contains(part)), "{said:?}"),
            }
        };
        check(100 * MIB, 100 * MIB, None, None);
        check(100 * MIB, 100 * MIB - 1, None, Some("only 99 MiB are free on the disk of /"));
        check(100 * MIB, 100 * MIB - 1, None, Some("lower storage.min_free_mib"));
        check(MIB, u64::MAX, Some(1_000), None);
        check(MIB, u64::MAX, Some(999), Some("only 999 more files fit"));
        check(0, 0, Some(0), None);
    }

    #[test]
    fn a_shortage_stands_until_it_is_over() {
        let starved = health(u64::MAX);
        assert!(starved.shortage().is_some());
        assert_eq!(starved.warnings().len(), 1);
        let fine = health(0);
        fine.found_full();
        assert!(fine.warnings()[0].contains("is full"));
        fine.clear(&Concern::DiskFull);
        assert_eq!(fine.warnings(), Vec::<String>::new());
    }

    #[test]
    fn many_warnings_are_counted() {
        let health = health(0);
        for n in 0..25 {
            health.raise(Concern::Journal(TaskId(Uuid::from_u128(n))), format!("task {n} cannot be read"));
        }
        health.clear(&Concern::Journal(TaskId(Uuid::from_u128(0))));
        let warnings = health.warnings();
        assert_eq!(warnings.len(), 21);
        assert!(warnings[20].starts_with("and 4 more"), "{}", warnings[20]);
    }
}
