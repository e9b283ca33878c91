use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::{LineFile, Medium};
use crate::line::{LineHash, unseal};
use crate::{CrashPoint, JournalError};

/// A file in memory that fails on demand.
#[derive(Default)]
struct Disk {
    bytes: Vec<u8>,
    writes: usize,
    syncs: usize,
    /// Bytes that still fit.
    room: Option<usize>,
    cannot_truncate: bool,
    cannot_sync: bool,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Disk>>);

impl Shared {
    fn with<R>(&self, f: impl FnOnce(&mut Disk) -> R) -> R {
        f(&mut self.0.lock().expect("no test panics with the lock"))
    }

    fn file(&self) -> LineFile {
        let path = Path::new("/disk/x.jsonl");
        LineFile::over(Box::new(self.clone()), path, CrashPoint::never(), 0, LineHash::GENESIS)
    }
}

impl Medium for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|disk| {
            disk.writes += 1;
            let taken = disk.room.map_or(bytes.len(), |room| room.min(bytes.len()));
            if taken == 0 {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            disk.bytes.extend(&bytes[..taken]);
            Ok(taken)
        })
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.with(|disk| {
            if disk.cannot_truncate {
                return Err(io::Error::from(io::ErrorKind::Other));
            }
            disk.bytes.truncate(usize::try_from(len).expect("small"));
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.with(|disk| {
            disk.syncs += 1;
            if disk.cannot_sync { Err(io::Error::from(io::ErrorKind::Other)) } else { Ok(()) }
        })
    }
}

#[derive(serde::Serialize)]
struct Record {
    n: u64,
}

#[test]
fn one_line_is_one_write_and_a_sync_happens_only_when_asked() {
    let disk = Shared::default();
    let mut file = disk.file();
    for n in 1..=3 {
        file.append(&Record { n }).expect("room");
    }
    assert_eq!(disk.with(|d| (d.writes, d.syncs)), (3, 0));
    file.sync().expect("a disk");
    assert_eq!(disk.with(|d| (d.writes, d.syncs)), (3, 1));
}

#[test]
fn a_full_disk_leaves_whole_lines_and_recovers() {
    let disk = Shared::default();
    let mut file = disk.file();
    file.append(&Record { n: 1 }).expect("room");
    let good = disk.with(|d| d.bytes.clone());
    for room in [0, 1, good.len() - 1] {
        disk.with(|d| d.room = Some(room));
        let refused = file.append(&Record { n: 2 });
        assert!(matches!(refused, Err(JournalError::Full { .. })), "{room}");
        assert_eq!(disk.with(|d| d.bytes.clone()), good, "{room}");
    }
    disk.with(|d| d.room = None);
    let appended = file.append(&Record { n: 2 }).expect("room again");
    assert_eq!(appended.offset, good.len() as u64);
    let bytes = disk.with(|d| d.bytes.clone());
    let line = |b: &[u8]| unseal(b.strip_suffix(b"\n").expect("closed")).expect("whole").prev;
    assert_eq!(line(&bytes[good.len()..]), unseal(&good[..good.len() - 1]).expect("whole").hash);
}

#[test]
fn a_failed_sync_is_final() {
    let disk = Shared::default();
    let mut file = disk.file();
    file.append(&Record { n: 1 }).expect("room");
    disk.with(|d| d.cannot_sync = true);
    assert!(matches!(file.sync(), Err(JournalError::Io { .. })));
    disk.with(|d| d.cannot_sync = false);
    assert!(matches!(file.sync(), Err(JournalError::Poisoned { .. })));
    assert!(matches!(file.append(&Record { n: 2 }), Err(JournalError::Poisoned { .. })));
    assert_eq!(disk.with(|d| (d.writes, d.syncs)), (1, 1));
}

#[test]
fn half_a_line_that_cannot_be_taken_back_closes_the_file() {
    let disk = Shared::default();
    let mut file = disk.file();
    disk.with(|d| {
        d.room = Some(5);
        d.cannot_truncate = true;
    });
    assert!(matches!(file.append(&Record { n: 1 }), Err(JournalError::Full { .. })));
    disk.with(|d| d.room = None);
    assert!(matches!(file.append(&Record { n: 1 }), Err(JournalError::Poisoned { .. })));
}
