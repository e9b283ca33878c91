use artoo_bus::Bus;
use artoo_journal::{CrashPoint, TaskJournal, task_path};
use artoo_types::envelope::Role;
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::task::{StopCause, TaskCancelled};
use artoo_types::{TaskId, Timestamp};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;

const TASK: TaskId = TaskId(Uuid::from_u128(1));

/// A journal of three steps with two envelopes each.
fn written() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = TaskJournal::create(folder.path(), TASK, CrashPoint::never()).expect("a journal");
    let mut bus = Bus::new(Some(TASK), 1);
    for seq in 1..=3 {
        let mut publish = || {
            let cancelled = TaskCancelled { cause: StopCause::Cancelled, detail: String::new() };
            bus.publish(Timestamp(0), 0, Role::User, Role::Solver, cancelled.into()).envelope
        };
        let envelopes = vec![publish(), publish()];
        let step =
            StepRecord { seq, at: Timestamp(0), input: TaskInput::Wake, envelopes, effects: Vec::new() };
        journal.append(&step).expect("room");
    }
    folder
}

fn open(folder: &TempDir, after: u64, follow: bool, published: Option<watch::Receiver<u64>>) -> TaskStream {
    TaskStream::open(&task_path(folder.path(), TASK), after, follow, published).expect("it is there")
}

/// What the stream gives without waiting; the bool says whether it has ended.
async fn now(stream: &mut TaskStream) -> (Vec<u64>, bool) {
    let mut sequences = Vec::new();
    loop {
        // `biased` lets the stream go first: what is there is taken before the wait is given up.
        tokio::select! {
            biased;
            next = stream.next() => match next.expect("the journal is whole") {
                Some(envelope) => sequences.push(envelope.sequence),
                None => return (sequences, true),
            },
            () = std::future::ready(()) => return (sequences, false),
        }
    }
}

#[tokio::test]
async fn a_task_that_is_not_at_work_is_read_to_its_end() {
    let folder = written();
    assert_eq!(now(&mut open(&folder, 0, true, None)).await, (vec![1, 2, 3, 4, 5, 6], true));
    assert_eq!(now(&mut open(&folder, 3, false, None)).await, (vec![4, 5, 6], true));
    assert_eq!(now(&mut open(&folder, 6, true, None)).await, (vec![], true));
}

/// A step that is written and not published yet, because it is being synced, is not shown. Waiting, and giving the wait
/// up, loses and doubles nothing.
#[tokio::test]
async fn of_a_task_at_work_only_what_was_published_is_shown() {
    let folder = written();
    let (sender, published) = watch::channel(2);
    let mut stream = open(&folder, 1, true, Some(published.clone()));
    assert_eq!(now(&mut stream).await, (vec![2], false));
    assert_eq!(now(&mut stream).await, (vec![], false));
    assert_eq!(stream.latest_sequence(), 2);
    assert_eq!(now(&mut open(&folder, 0, false, Some(published.clone()))).await, (vec![1, 2], true));
    sender.send_replace(3);
    assert_eq!(now(&mut stream).await, (vec![3], false));
    sender.send_replace(5);
    drop(sender);
    assert_eq!(now(&mut stream).await, (vec![4, 5], true), "6 was never published, and nobody will do it");
    assert_eq!(now(&mut open(&folder, 5, true, Some(published))).await, (vec![], true));
}
