use artoo_types::TaskId;
use uuid::Uuid;

use super::sync_new;
use crate::fixtures::step;
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

#[test]
fn a_folder_that_is_gone_refuses_the_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("tasks");
    let mut journal =
        TaskJournal::create(&inner, TaskId(Uuid::nil()), CrashPoint::never()).expect("a journal");
    std::fs::remove_dir_all(&inner).expect("it is ours");
    sync_new(&inner, vec![&mut journal]).expect_err("no folder, no durable name");
}
