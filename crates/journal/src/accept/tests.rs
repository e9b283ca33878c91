use std::path::Path;

use artoo_types::control::{Ending, Reason};
use artoo_types::{TaskId, Timestamp};
use uuid::Uuid;

use super::{AcceptIndex, Accepted, Ended, IndexLine};
use crate::fixtures::starts;
use crate::line::{LineHash, seal};
use crate::{CrashPoint, JournalError, Recovered};

fn accepted(n: u128, request_id: &str) -> Accepted {
    Accepted {
        task_id: TaskId(Uuid::from_u128(n)),
        request_id: request_id.to_owned(),
        request_hash: format!("hash {n}"),
        session_id: "s".to_owned(),
        accepted_at: Timestamp(5),
        title: "find it".to_owned(),
    }
}

fn ended(n: u128) -> Ended {
    Ended {
        task_id: TaskId(Uuid::from_u128(n)),
        at: Timestamp(9),
        directive: Ending::Abandon,
        reason: Reason::Deadline,
    }
}

fn open(path: &Path) -> (AcceptIndex, Recovered) {
    AcceptIndex::open(path, CrashPoint::never()).expect("an index")
}

/// The tasks in the index, and whether each has ended.
fn state(index: &AcceptIndex) -> Vec<(u128, bool)> {
    index.tasks().map(|t| (t.accepted.task_id.0.as_u128(), t.ended.is_some())).collect()
}

#[test]
fn it_remembers_over_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal/accept.jsonl");
    let (mut index, _) = open(&path);
    index.add(accepted(1, "a")).expect("room");
    index.add(accepted(2, "")).expect("room");
    index.add(accepted(3, "")).expect("room");
    index.ended(ended(2)).expect("room");
    drop(index);
    let (index, recovered) = open(&path);
    assert_eq!(recovered, Recovered { lines: 4, ..Recovered::default() });
    assert_eq!(state(&index), [(1, false), (2, true), (3, false)]);
    assert_eq!(index.find("a").map(|t| &t.accepted), Some(&accepted(1, "a")));
    assert!(index.find("").is_none());
    assert_eq!(index.get(ended(2).task_id).and_then(|t| t.ended), Some(ended(2)));
    assert_eq!(index.unfinished().count(), 2);
}

#[test]
fn a_key_and_a_task_are_taken_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut index, _) = open(&folder.path().join("accept.jsonl"));
    index.add(accepted(1, "a")).expect("room");
    for again in [accepted(2, "a"), accepted(1, "b")] {
        assert!(matches!(index.add(again), Err(JournalError::AlreadyAccepted(_))));
    }
    assert_eq!(state(&index), [(1, false)]);
}

#[test]
fn the_first_end_stays_and_strangers_do_not_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (mut index, _) = open(&path);
    index.add(accepted(1, "")).expect("room");
    index.ended(ended(1)).expect("room");
    index.ended(Ended { reason: Reason::Cancelled, ..ended(1) }).expect("nothing to do");
    assert!(matches!(index.ended(ended(7)), Err(JournalError::UnknownTask(_))));
    let (index, recovered) = open(&path);
    assert_eq!(recovered.lines, 2);
    assert_eq!(index.get(ended(1).task_id).and_then(|t| t.ended), Some(ended(1)));
}

#[test]
fn a_torn_tail_costs_only_the_line_that_was_never_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (mut index, _) = open(&path);
    index.add(accepted(1, "a")).expect("room");
    index.add(accepted(2, "b")).expect("room");
    let bytes = std::fs::read(&path).expect("the index");
    let last = starts(&bytes)[1];
    for end in last..bytes.len() {
        std::fs::write(&path, &bytes[..end]).expect("room");
        let (mut index, recovered) = open(&path);
        assert_eq!(recovered.cut_bytes, (end - last) as u64);
        assert_eq!(state(&index), [(1, false)], "cut at {end}");
        index.add(accepted(2, "b")).expect("room");
        assert_eq!(std::fs::read(&path).expect("the index"), bytes);
    }
}

#[test]
fn a_damaged_line_is_listed_and_the_others_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("accept.jsonl");
    let (mut index, _) = open(&path);
    for n in 1..=3 {
        index.add(accepted(n, "")).expect("room");
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
    let (mut index, _) = open(&path);
    for n in 1..=3 {
        index.add(accepted(n, "")).expect("room");
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
    let other = Ended { reason: Reason::Cancelled, ..ended(1) };
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
