use std::fs::File;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use artoo_journal::{AcceptIndex, AcceptRecord, CrashPoint, EndRecord, TaskJournal, task_ids};
use artoo_types::control::{Ending, Reason};
use artoo_types::{TaskId, Timestamp};
use uuid::Uuid;

use super::{DAY_MS, DeletedRecords, EndedTask, MAX_DELETED, excess, sweep};
use crate::clock;
use crate::task::{ReadFailure, TaskError};
use crate::testing::{assembled, offline, places};
use artoo_config::StorageParams;
use artoo_config::folder::Places;

const NOW: i64 = 1_000 * DAY_MS;

fn id(number: u128) -> TaskId {
    TaskId(Uuid::from_u128(number))
}

fn bounds(keep_days: u64, keep_tasks: u64, keep_bytes: u64) -> StorageParams {
    StorageParams { keep_days, keep_tasks, keep_bytes, ..StorageParams::default() }
}

/// One task of 10 bytes for each age in days; the numbers of those that go at `now`.
fn gone(ages: &[i64], bounds: StorageParams, now: i64, is_read: impl Fn(u128) -> bool) -> Vec<u128> {
    let old = |(number, age): (usize, &i64)| EndedTask {
        task_id: id(number as u128),
        ended_at: Timestamp(NOW - age * DAY_MS),
        bytes: 10,
    };
    let tasks = ages.iter().enumerate().map(old).collect();
    let gone = excess(tasks, &bounds, Timestamp(now), |id| is_read(id.0.as_u128()));
    gone.into_iter().map(|id| id.0.as_u128()).collect()
}

#[test]
fn each_bound_takes_the_oldest_first() {
    let ages = [10, 100, 0, 91, 90, 8];
    let check = |bounds, expected: &[u128]| assert_eq!(gone(&ages, bounds, NOW, |_| true), expected);
    check(bounds(90, 100, 1_000), &[1, 3]);
    check(bounds(365, 4, 1_000), &[1, 3]);
    check(bounds(365, 100, 35), &[1, 3, 4]);
    check(bounds(365, 100, 60), &[]);
}

#[test]
fn nothing_goes_in_its_first_seven_days() {
    assert_eq!(gone(&[9, 8, 7, 6, 0], bounds(7, 0, 0), NOW, |_| true), [0, 1]);
}

#[test]
fn what_the_auditor_has_not_read_stays_and_does_not_keep_the_others() {
    assert_eq!(gone(&[30, 20, 10, 0], bounds(365, 1, 1_000), NOW, |n| n != 0), [1, 2]);
}

#[test]
fn a_clock_that_is_set_far_ahead_deletes_nothing() {
    let year = 365 * DAY_MS;
    assert_eq!(gone(&[40, 30, 0], bounds(90, 100, 1_000), NOW + year, |_| true), []);
    // Set back, everything is young.
    assert_eq!(gone(&[400, 30, 0], bounds(90, 100, 1_000), NOW - year, |_| true), []);
}

#[test]
fn one_pass_deletes_so_many_and_no_more() {
    let ages: Vec<i64> = (0..2_000).map(|n| 3_000 - n).collect();
    assert_eq!(gone(&ages, bounds(90, 10_000, u64::MAX), NOW + 3_000 * DAY_MS, |_| true).len(), MAX_DELETED);
}

#[test]
fn outputs_go_that_no_remaining_task_can_have_made() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, second) in [("old", 9), ("edge", 10), ("new", 11)] {
        let file = File::create(folder.path().join(name)).expect("there is room");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).expect("it is ours");
    }
    assert_eq!(sweep(folder.path(), Timestamp(10_000)), 1);
    assert!(!folder.path().join("old").exists());
    assert_eq!(sweep(&folder.path().join("none"), Timestamp(10_000)), 0);
}

/// Puts a task into the folder that was accepted and ended so many days ago.
fn put(places: &Places, index: &AcceptIndex, number: u128, age: i64) {
    let at = Timestamp(clock::now().0 - age * DAY_MS);
    let entry = AcceptRecord {
        task_id: id(number),
        request_id: String::new(),
        request_hash: String::new(),
        session_id: String::new(),
        accepted_at: at,
        title: format!("task {number}"),
    };
    index.accept(vec![entry], false).expect("there is room");
    let ended = EndRecord {
        task_id: id(number),
        at,
        directive: Ending::Accept,
        reason: Reason::CriteriaMet,
        head: None,
    };
    index.ended(ended).expect("it is known");
    drop(TaskJournal::create(&places.tasks(), id(number), CrashPoint::never()).expect("it is new"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_is_said_to_be_and_its_outputs_go_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let places = places(folder.path());
    let (index, _) = AcceptIndex::open(&places.accept_index(), CrashPoint::never()).expect("an index");
    for (number, age) in [(1, 200), (2, 100), (3, 50), (4, 0)] {
        put(&places, &index, number, age);
    }
    drop(index);
    let artifacts = places.data.join("artifacts");
    let made = SystemTime::now() - Duration::from_secs(60 * 86_400);
    File::create(artifacts.join("old")).and_then(|file| file.set_modified(made)).expect("there is room");
    File::create(artifacts.join("new")).expect("there is room");

    let storage = StorageParams::default();
    let daemon = assembled(&places, offline(), false);
    let unread = |task_id: TaskId| task_id != id(2);
    let deleted = daemon.tasks.delete_old(&storage, &artifacts, unread).expect("the folders are there");
    assert_eq!(deleted, DeletedRecords { tasks: vec![id(1)], artifacts: 0 });
    let deleted = daemon.tasks.delete_old(&storage, &artifacts, |_| true).expect("the folders are there");
    assert_eq!(deleted, DeletedRecords { tasks: vec![id(2)], artifacts: 1 });
    assert_eq!(task_ids(&places.tasks()).expect("a folder"), [id(3), id(4)]);
    let gone = daemon.tasks.get(id(2));
    let Err(TaskError::Unreadable(left)) = gone else { panic!("{gone:?}") };
    assert_eq!((left.failure, left.accepted.accepted.title.as_str()), (ReadFailure::Deleted, "task 2"));
    daemon.shut_down(Duration::ZERO).await;
}
