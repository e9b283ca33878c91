use std::io;

use artoo_types::TaskId;
use uuid::Uuid;

use super::sync_new;
use crate::fixtures::step;
use crate::line::LineHash;
use crate::line_file::{LineFile, Medium};
use crate::{CrashPoint, TaskJournal};

/// Every journal is synced exactly once, however many there are: each sync is counted by the crash point.
#[test]
fn every_journal_of_a_group_is_synced() {
    for count in [0, 1, 3, 4, 9, 33, 100] {
        let folder = tempfile::tempdir().expect("a folder");
        let crash = CrashPoint::never();
        let create = |n: u128| {
            let mut journal =
                TaskJournal::create_unsynced(folder.path(), TaskId(Uuid::from_u128(n)), crash.clone())
                    .expect("a new journal");
            journal.append(&step(1)).expect("room");
            journal
        };
        let mut journals: Vec<TaskJournal> = (0..count).map(create).collect();
        let results =
            sync_new(folder.path(), journals.iter_mut().collect()).expect("the folder can be synced");
        assert_eq!(results.len() as u128, count);
        assert!(results.iter().all(Result::is_ok), "{results:?}");
        assert_eq!(u128::from(crash.syncs()), count);
    }
}

/// A medium of which it is decided beforehand whether it syncs.
struct Syncs(bool);

impl Medium for Syncs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn truncate(&mut self, _len: u64) -> io::Result<()> {
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.0 { Ok(()) } else { Err(io::Error::other("no sync")) }
    }
}

/// A result that is told of another journal than its own would accept a task that is not on the disk.
#[test]
fn a_journal_that_cannot_be_synced_is_the_one_that_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let fails = |n: usize| [0, 7, 11, 19].contains(&n);
    let journal = |n: usize| {
        let (medium, path) = (Box::new(Syncs(!fails(n))), folder.path().join("x"));
        TaskJournal::over(LineFile::over(medium, &path, CrashPoint::never(), 0, LineHash::GENESIS))
    };
    let mut journals: Vec<TaskJournal> = (0..20).map(journal).collect();
    let results = sync_new(folder.path(), journals.iter_mut().collect()).expect("the folder can be synced");
    let failed: Vec<bool> = results.iter().map(Result::is_err).collect();
    assert_eq!(failed, (0..20).map(fails).collect::<Vec<_>>());
}

#[test]
fn a_folder_that_is_gone_refuses_the_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("tasks");
    let mut journal =
        TaskJournal::create(&inner, TaskId(Uuid::nil()), CrashPoint::never()).expect("a journal");
    std::fs::remove_dir_all(&inner).expect("it is ours");
    sync_new(&inner, vec![&mut journal]).expect_err("no folder, no durable name");
}
