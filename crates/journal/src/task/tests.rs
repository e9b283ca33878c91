use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{TaskJournal, task_ids, task_path};
use crate::line::LineFault;
use crate::testing::{starts, step, task, written};
use crate::{CrashPoint, JournalError, OpenReport, read};

fn open(folder: &Path) -> Result<(TaskJournal, OpenReport), JournalError> {
    TaskJournal::open(folder, task(), CrashPoint::never())
}

fn steps(folder: &Path) -> Vec<u64> {
    read(&task_path(folder, task()), 0)
        .expect("the journal")
        .map(|r| r.map(|(s, _)| s.seq).expect("a whole line"))
        .collect()
}

/// Puts `bytes` into the journal's file and opens it.
fn reopened(bytes: &[u8]) -> (tempfile::TempDir, Result<(TaskJournal, OpenReport), JournalError>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(task_path(folder.path(), task()), bytes).expect("room");
    let opened = open(folder.path());
    (folder, opened)
}

#[test]
fn what_is_appended_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = written(folder.path(), 3);
    let all: Vec<_> = read(&task_path(folder.path(), task()), 0)
        .expect("the journal")
        .collect::<Result<_, _>>()
        .expect("whole lines");
    let ends: Vec<u64> = starts(&bytes)[1..].iter().map(|s| *s as u64).chain([bytes.len() as u64]).collect();
    assert_eq!(all, vec![(step(1), ends[0]), (step(2), ends[1]), (step(3), ends[2])]);
}

#[test]
fn the_fields_stand_in_the_documented_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = String::from_utf8(written(folder.path(), 1)).expect("text");
    let value: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("one object");
    let names: Vec<&str> = value.keys().map(String::as_str).collect();
    assert_eq!(names, ["seq", "at", "input", "envelopes", "effects", "whole", "prev", "crc"]);
}

#[test]
fn files_are_for_this_user_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = folder.path().join("data/tasks");
    written(&tasks, 1);
    let mode = |p: &Path| std::fs::metadata(p).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&task_path(&tasks, task())), 0o600);
    assert_eq!(mode(&tasks), 0o700);
    assert_eq!(mode(&folder.path().join("data")), 0o700);
}

#[test]
fn a_link_in_the_place_of_a_journal_is_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other");
    std::fs::write(&other, "theirs").expect("room");
    std::os::unix::fs::symlink(&other, task_path(folder.path(), task())).expect("a link");
    assert!(matches!(open(folder.path()), Err(JournalError::Linked { .. })));
    assert_eq!(std::fs::read(&other).expect("there"), b"theirs", "it would be cut as a torn tail");
}

#[test]
fn a_journal_without_a_single_whole_line_is_damaged_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = written(folder.path(), 1);
    bytes[9] ^= 4;
    for left in [&bytes[..], &bytes[..20], b""] {
        let (damaged, opened) = reopened(left);
        let Err(JournalError::BadLine(bad)) = opened.map(drop) else { panic!("{} bytes", left.len()) };
        assert_eq!((bad.line, bad.offset), (1, 0));
        let now = std::fs::read(task_path(damaged.path(), task())).expect("the journal");
        assert_eq!(now, left);
    }
}

#[test]
fn a_task_has_one_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(matches!(open(folder.path()), Err(JournalError::Missing { .. })));
    written(folder.path(), 1);
    let again = TaskJournal::create(folder.path(), task(), CrashPoint::never());
    assert!(matches!(again, Err(JournalError::Exists { .. })));
    assert_eq!(steps(folder.path()), [1]);
}

#[test]
fn a_tail_torn_at_any_byte_is_cut_and_written_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = written(folder.path(), 3);
    let last = starts(&bytes)[2];
    for end in last..bytes.len() {
        let (torn, opened) = reopened(&bytes[..end]);
        let (mut journal, recovered) = opened.expect("a torn tail is no damage");
        assert_eq!((recovered.lines, recovered.cut_bytes), (2, (end - last) as u64), "cut at {end}");
        assert_eq!(journal.next_seq(), 3);
        journal.append(&step(3)).expect("room");
        let again = std::fs::read(task_path(torn.path(), task())).expect("the journal");
        assert_eq!(again, bytes, "cut at {end}");
    }
}

#[test]
fn a_last_line_of_lost_pages_is_a_torn_tail() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = written(folder.path(), 2);
    let last = starts(&bytes)[1];
    let end = bytes.len() - 1;
    bytes[last..end].fill(0);
    let (_folder, opened) = reopened(&bytes);
    let (journal, recovered) = opened.expect("a torn tail is no damage");
    assert_eq!((recovered.cut_bytes, journal.next_seq()), ((bytes.len() - last) as u64, 2));
}

#[test]
fn a_byte_flipped_in_the_middle_is_named_by_its_line_and_nothing_is_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = written(folder.path(), 4);
    let start = starts(&bytes);
    for (line, at) in (0..2_u64).flat_map(|l| {
        let here = start[usize::try_from(l).expect("small")]..start[usize::try_from(l + 1).expect("small")];
        here.map(move |at| (l + 1, at))
    }) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 4;
        let (damaged, opened) = reopened(&flipped);
        let Err(JournalError::BadLine(bad)) = opened.map(drop) else { panic!("byte {at} was not seen") };
        assert_eq!((bad.line, bad.offset), (line, start[usize::try_from(line).expect("small") - 1] as u64));
        let left = std::fs::read(task_path(damaged.path(), task())).expect("the journal");
        assert_eq!(left, flipped);
    }
}

#[test]
fn a_missing_doubled_or_swapped_line_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = written(folder.path(), 4);
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    for (order, line) in
        [(vec![1, 2, 3], 1), (vec![0, 2, 3], 2), (vec![0, 1, 1, 2, 3], 3), (vec![0, 2, 1, 3], 2)]
    {
        let mixed: Vec<u8> = order.iter().flat_map(|i: &usize| lines[*i].to_vec()).collect();
        let Err(JournalError::BadLine(bad)) = reopened(&mixed).1.map(drop) else { panic!("{order:?}") };
        assert_eq!((bad.line, bad.fault), (line, LineFault::Chain), "{order:?}");
    }
}

#[test]
fn append_after_reopening_continues_ordinal_and_chain() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 2);
    let (mut journal, recovered) = open(folder.path()).expect("the journal");
    assert_eq!(recovered, OpenReport { lines: 2, ..OpenReport::default() });
    let end = journal.end();
    let appended = journal.append(&step(3)).expect("room");
    assert_eq!(appended.offset, end);
    assert_eq!(journal.end(), appended.offset + appended.len);
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(std::fs::read(journal.path()).expect("the journal"), written(other.path(), 3));
}

#[test]
fn a_step_out_of_turn_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 2);
    let (mut journal, _) = open(folder.path()).expect("the journal");
    for seq in [2, 4] {
        let refused = journal.append(&step(seq));
        assert!(matches!(refused, Err(JournalError::OutOfOrder { expected: 3, .. })), "{seq}");
    }
    assert_eq!(steps(folder.path()), [1, 2]);
}

#[test]
fn the_journals_of_a_folder_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(task_ids(&folder.path().join("none")).expect("no folder"), []);
    written(folder.path(), 1);
    std::fs::write(folder.path().join("notes.jsonl"), "x").expect("room");
    assert_eq!(task_ids(folder.path()).expect("a folder"), [task()]);
}
