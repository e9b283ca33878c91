use std::fs::File;
use std::io;
use std::path::Path;

use artoo_types::control::{Ending, Reason};
use artoo_types::{TaskId, Timestamp};
use uuid::Uuid;

use super::{AcceptIndex, AcceptRecord, AcceptedTask, EndRecord, IndexLine};
use crate::line::{LineHash, seal};
use crate::line_file::{LineFile, Medium};
use crate::rewrite::beside;
use crate::testing::starts;
use crate::{CrashPoint, JournalError, OpenReport};

fn accepted(n: u128, request_id: &str) -> AcceptRecord {
    AcceptRecord {
        task_id: TaskId(Uuid::from_u128(n)),
        request_id: request_id.to_owned(),
        request_hash: format!("hash {n}"),
        session_id: "s".to_owned(),
        accepted_at: Timestamp(5),
        title: "find it".to_owned(),
    }
}

fn ended(n: u128) -> EndRecord {
    EndRecord {
        task_id: TaskId(Uuid::from_u128(n)),
        at: Timestamp(9),
        directive: Ending::Abandon,
        reason: Reason::Deadline,
        head: Some(LineHash::GENESIS),
    }
}

fn open(path: &Path) -> (AcceptIndex, OpenReport) {
    AcceptIndex::open(path, CrashPoint::never()).expect("an index")
}

fn add(index: &AcceptIndex, accepted: AcceptRecord) -> Result<(), JournalError> {
    index.accept(vec![accepted], true)?.remove(0)
}

/// The tasks in the index, and whether each has ended.
fn state(index: &AcceptIndex) -> Vec<(u128, bool)> {
    let one = |t: &AcceptedTask| (t.accepted.task_id.0.as_u128(), t.ended.is_some());
    index.read(|tasks| tasks.iter().map(one).collect())
}

#[test]
fn it_remembers_over_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal/accept.jsonl");
    let (index, _) = open(&path);
    add(&index, accepted(1, "a")).expect("room");
    add(&index, accepted(2, "")).expect("room");
    add(&index, accepted(3, "")).expect("room");
    index.ended(ended(2)).expect("room");
    drop(index);
    let (index, recovered) = open(&path);
    assert_eq!(recovered, OpenReport { lines: 4, ..OpenReport::default() });
    assert_eq!(state(&index), [(1, false), (2, true), (3, false)]);
    assert_eq!(index.find("a").map(|t| t.accepted), Some(accepted(1, "a")));
    assert!(index.find("").is_none());
    assert_eq!(index.get(ended(2).task_id).and_then(|t| t.ended), Some(ended(2)));
    assert_eq!(index.unfinished(), [accepted(1, "").task_id, accepted(3, "").task_id]);
}

#[test]
fn a_key_and_a_task_are_taken_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (index, _) = open(&folder.path().join("accept.jsonl"));
    add(&index, accepted(1, "a")).expect("room");
    for again in [accepted(2, "a"), accepted(1, "b")] {
        assert!(matches!(add(&index, again), Err(JournalError::AlreadyAccepted(_))));
    }
    assert_eq!(state(&index), [(1, false)]);
}

#[test]
fn the_first_end_stays_and_strangers_do_not_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (index, _) = open(&path);
    add(&index, accepted(1, "")).expect("room");
    index.ended(ended(1)).expect("room");
    index.ended(EndRecord { reason: Reason::Cancelled, ..ended(1) }).expect("nothing to do");
    assert!(matches!(index.ended(ended(7)), Err(JournalError::UnknownTask(_))));
    let (index, recovered) = open(&path);
    assert_eq!(recovered.lines, 2);
    assert_eq!(index.get(ended(1).task_id).and_then(|t| t.ended), Some(ended(1)));
}

#[test]
fn a_torn_tail_costs_only_the_line_that_was_never_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (index, _) = open(&path);
    add(&index, accepted(1, "a")).expect("room");
    add(&index, accepted(2, "b")).expect("room");
    let bytes = std::fs::read(&path).expect("the index");
    let last = starts(&bytes)[1];
    for end in last..bytes.len() {
        std::fs::write(&path, &bytes[..end]).expect("room");
        let (index, recovered) = open(&path);
        assert_eq!(recovered.cut_bytes, (end - last) as u64);
        assert_eq!(state(&index), [(1, false)], "cut at {end}");
        add(&index, accepted(2, "b")).expect("room");
        assert_eq!(std::fs::read(&path).expect("the index"), bytes);
    }
}

#[test]
fn a_damaged_line_is_listed_and_the_others_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (index, _) = open(&path);
    for n in 1..=3 {
        add(&index, accepted(n, "")).expect("room");
    }
    let mut bytes = std::fs::read(&path).expect("the index");
    let second = starts(&bytes)[1];
    bytes[second + 30] ^= 1;
    std::fs::write(&path, &bytes).expect("room");
    let (index, recovered) = open(&path);
    assert_eq!(state(&index), [(1, false), (3, false)]);
    assert_eq!(recovered.bad_lines.iter().map(|b| b.line).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_removed_line_is_listed_and_the_one_after_it_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (index, _) = open(&path);
    for n in 1..=3 {
        add(&index, accepted(n, "")).expect("room");
    }
    let bytes = std::fs::read(&path).expect("the index");
    let start = starts(&bytes);
    std::fs::write(&path, [&bytes[..start[1]], &bytes[start[2]..]].concat()).expect("room");
    let (index, recovered) = open(&path);
    assert_eq!(state(&index), [(1, false), (3, false)]);
    assert_eq!(recovered.bad_lines.iter().map(|b| b.line).collect::<Vec<_>>(), [2]);
}

#[test]
fn of_two_ends_in_the_file_the_first_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let other = EndRecord { reason: Reason::Cancelled, ..ended(1) };
    let (mut text, mut prev) = (String::new(), LineHash::GENESIS);
    for line in [IndexLine::Accepted(accepted(1, "")), IndexLine::Ended(ended(1)), IndexLine::Ended(other)] {
        let object = serde_json::to_string(&line).expect("a JSON form");
        let line = seal(&object, prev).expect("an object");
        prev = LineHash::of(&line);
        text += &(line + "\n");
    }
    std::fs::write(&path, text).expect("room");
    let (index, recovered) = open(&path);
    assert_eq!((recovered.lines, recovered.bad_lines.len()), (3, 0));
    assert_eq!(index.get(ended(1).task_id).and_then(|t| t.ended), Some(ended(1)));
}

#[test]
fn a_group_is_synced_once_and_each_is_judged_for_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let crash = CrashPoint::never();
    let (index, _) = AcceptIndex::open(&path, crash.clone()).expect("an index");
    add(&index, accepted(1, "a")).expect("room");
    let group = vec![accepted(2, "b"), accepted(3, "a"), accepted(4, "b"), accepted(5, ""), accepted(6, "")];
    let results = index.accept(group, true).expect("a disk");
    let taken: Vec<bool> = results.iter().map(Result::is_ok).collect();
    assert_eq!(taken, [true, false, false, true, true]);
    assert!(matches!(results[2], Err(JournalError::AlreadyAccepted(_))));
    assert_eq!(crash.syncs(), 2, "one for the first, one for the group");
    let known = [(1, false), (2, false), (5, false), (6, false)];
    assert_eq!(state(&index), known);
    assert_eq!(state(&open(&path).0), known);
}

/// A disk that fails to sync accepts nobody, neither now nor at the next start.
#[test]
fn a_failed_sync_refuses_the_whole_group_and_takes_it_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (index, _) = open(&path);
    add(&index, accepted(1, "a")).expect("room");
    {
        let mut log = index.log.lock();
        let end = log.file.end();
        let file = File::options().append(true).open(&path).expect("the index");
        let never = CrashPoint::never();
        log.file = LineFile::over(Box::new(NoSync(file)), &path, never, end, LineHash::GENESIS);
    }
    let refused = index.accept(vec![accepted(2, "b"), accepted(3, "c")], true);
    assert!(matches!(refused, Err(JournalError::Io { doing: "sync", .. })), "{refused:?}");
    assert_eq!(state(&index), [(1, false)]);
    assert!(index.find("b").is_none());
    let later = add(&index, accepted(4, "d"));
    assert!(matches!(later, Err(JournalError::Poisoned { .. })), "{later:?}");
    assert_eq!(state(&open(&path).0), [(1, false)]);
}

/// A file that takes everything and syncs nothing.
struct NoSync(File);

impl Medium for NoSync {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Medium::write(&mut self.0, bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.0.truncate(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        Err(io::Error::other("no sync"))
    }
}

const OLD: Timestamp = Timestamp(5);

/// Six tasks: those with an even number are old; the first three have ended.
fn six(path: &Path) -> AcceptIndex {
    let (index, _) = open(path);
    for n in 1..=6 {
        let accepted_at = if n % 2 == 0 { OLD } else { Timestamp(100) };
        add(&index, AcceptRecord { accepted_at, ..accepted(n, &format!("key {n}")) }).expect("room");
    }
    (1..=3).for_each(|n| index.ended(ended(n)).expect("room"));
    index
}

#[test]
fn what_is_old_and_gone_is_forgotten_and_everything_else_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let index = six(&path);
    // The journal of 6 is still there; that of 5 is gone, but its key is young.
    let gone = |task: TaskId| [2, 4, 5].contains(&task.0.as_u128());
    assert_eq!(index.forget(Timestamp(50), gone).expect("room"), 2);
    let left = [(1, true), (3, true), (5, false), (6, false)];
    assert_eq!(state(&index), left);
    assert!(index.find("key 2").is_none() && index.get(accepted(4, "").task_id).is_none());
    assert_eq!(index.find("key 3").map(|t| t.ended), Some(Some(ended(3))));
    assert_eq!(index.forget(Timestamp(50), gone).expect("nothing to do"), 0);
    // It goes on in the new file.
    add(&index, accepted(2, "key 2")).expect("the key is free again");
    index.ended(ended(5)).expect("room");
    let (again, recovered) = open(&path);
    assert_eq!(recovered, OpenReport { lines: 8, ..OpenReport::default() });
    assert_eq!(state(&again), [(1, true), (3, true), (5, true), (6, false), (2, false)]);
    assert!(!beside(&path).exists());
}

#[test]
fn a_damaged_index_is_kept_as_evidence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    drop(six(&path));
    let mut bytes = std::fs::read(&path).expect("the index");
    bytes[40] ^= 1;
    std::fs::write(&path, &bytes).expect("room");
    let (index, recovered) = open(&path);
    assert!(!recovered.bad_lines.is_empty());
    assert_eq!(index.forget(Timestamp(50), |_| true).expect("nothing is done"), 0);
    assert_eq!(std::fs::read(&path).expect("the index"), bytes);
}

/// The process dies at each append and sync of the new file: the old one is then whole, and the next start needs nobody.
#[test]
fn a_crash_while_forgetting_loses_nothing() {
    const FOLDER: &str = "ARTOO_FORGET_CRASH_TEST";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let (index, _) = AcceptIndex::open(
            &Path::new(&folder).join("accept.jsonl"),
            CrashPoint::from_env().expect("a crash point"),
        )
        .expect("an index");
        index.forget(Timestamp(50), |_| true).expect("it dies before");
        return;
    }
    // Three entries and two ends are written anew.
    for at in (1..=5).map(|n| format!("append:{n}")).chain(["sync:1".to_owned()]) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("accept.jsonl");
        let before = state(&six(&path));
        let died = std::process::Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "accept::tests::a_crash_while_forgetting_loses_nothing"])
            .env(FOLDER, folder.path())
            .env("ARTOO_CRASH_AT", &at)
            .output()
            .expect("a process");
        assert!(!died.status.success(), "{at}: {died:?}");
        assert!(beside(&path).exists(), "{at}: it died in the new file");
        let (index, recovered) = open(&path);
        assert_eq!((state(&index), recovered.cut_bytes), (before, 0), "{at}");
        assert!(!beside(&path).exists(), "{at}");
        assert_eq!(index.forget(Timestamp(50), |_| true).expect("room"), 3, "{at}");
    }
}
