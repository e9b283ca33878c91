//! Making several new journals durable together.

use std::path::Path;
use std::thread;

use crate::line_file::sync_folder;
use crate::{JournalError, TaskJournal};

/// Files that are synced at the same time. A disk takes several syncs at once for little more than the price of one, and
/// more of them gain little (100 files: 16 ms one by one, 11 with 2 at a time, 8 with 4, 7 with 8 or 16).
const AT_ONCE: usize = 4;
/// Below this many files a thread costs more than it saves.
const WORTH_A_THREAD: usize = 4;

/// Returns when every step in these new journals of `folder` is on the disk, and their names are too. One result for
/// each, in order; see [`TaskJournal::sync`].
///
/// # Errors
/// When the folder cannot be synced: then none of the journals may be relied on.
pub fn sync_new(
    folder: &Path,
    mut journals: Vec<&mut TaskJournal>,
) -> Result<Vec<Result<(), JournalError>>, JournalError> {
    let share = journals.len().div_ceil(AT_ONCE).max(WORTH_A_THREAD);
    let own = share.min(journals.len());
    let sync = |part: &mut [&mut TaskJournal]| part.iter_mut().map(|j| j.sync()).collect::<Vec<_>>();
    let results = thread::scope(|scope| {
        let (own, others) = journals.split_at_mut(own);
        let others: Vec<_> = others.chunks_mut(share).map(|part| scope.spawn(|| sync(part))).collect();
        let mut results = sync(own);
        for other in others {
            results.extend(other.join().expect("syncing does not panic"));
        }
        results
    });
    sync_folder(folder)?;
    Ok(results)
}

#[cfg(test)]
mod tests {
    use std::io;

    use artoo_types::TaskId;
    use uuid::Uuid;

    use super::sync_new;
    use crate::line::LineHash;
    use crate::line_file::{LineFile, Medium};
    use crate::testing::step;
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
        let results =
            sync_new(folder.path(), journals.iter_mut().collect()).expect("the folder can be synced");
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
}
