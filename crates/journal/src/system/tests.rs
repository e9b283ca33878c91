use super::SystemJournal;
use crate::fixtures::{envelope, starts};
use crate::{CrashPoint, JournalError, read_system};

fn sequences(path: &std::path::Path) -> Vec<u64> {
    read_system(path, 0).expect("the journal").map(|r| r.expect("whole").0.sequence).collect()
}

#[test]
fn the_sequence_goes_on_over_restarts_and_torn_tails() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal/system.jsonl");
    let (mut journal, _) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    assert_eq!(journal.next_sequence(), 1);
    for n in 1..=3 {
        journal.append(&envelope(n, None)).expect("room");
    }
    journal.sync().expect("a disk");
    let bytes = std::fs::read(&path).expect("the journal");
    std::fs::write(&path, &bytes[..bytes.len() - 3]).expect("room");
    let (mut journal, recovered) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    assert_eq!((journal.next_sequence(), recovered.lines), (3, 2));
    journal.append(&envelope(3, None)).expect("room");
    assert_eq!(std::fs::read(journal.path()).expect("the journal"), bytes);
    assert_eq!(sequences(&path), [1, 2, 3]);
}

#[test]
fn an_envelope_out_of_turn_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut journal, _) =
        SystemJournal::open(&folder.path().join("system.jsonl"), CrashPoint::never()).expect("a journal");
    let refused = journal.append(&envelope(2, None));
    assert!(matches!(refused, Err(JournalError::OutOfOrder { expected: 1, got: 2, .. })));
}

#[test]
fn damage_does_not_bring_a_sequence_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("system.jsonl");
    let (mut journal, _) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    for n in 1..=3 {
        journal.append(&envelope(n, None)).expect("room");
    }
    let mut bytes = std::fs::read(&path).expect("the journal");
    let first = starts(&bytes)[1] - 5;
    bytes[first] ^= 1;
    std::fs::write(&path, &bytes).expect("room");
    let (journal, recovered) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    assert_eq!((journal.next_sequence(), recovered.bad_lines.len()), (4, 1));
}

/// A journal of `lines` envelopes, and the size of one.
fn long(path: &std::path::Path, lines: u64) -> (SystemJournal, u64) {
    let (mut journal, _) = SystemJournal::open(path, CrashPoint::never()).expect("a journal");
    for n in 1..=lines {
        journal.append(&envelope(n, None)).expect("room");
    }
    let size = std::fs::metadata(path).expect("it is there").len();
    (journal, size / lines)
}

#[test]
fn a_long_journal_loses_its_oldest_half_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("system.jsonl");
    let (mut journal, one) = long(&path, 40);
    assert_eq!(journal.trim(41 * one, 40).expect("room"), 0, "it is small enough");
    let dropped = journal.trim(20 * one, 40).expect("room");
    assert!((29..=30).contains(&dropped), "{dropped}");
    assert_eq!(sequences(&path), (dropped + 1..=40).collect::<Vec<_>>());
    journal.append(&envelope(41, None)).expect("room");
    drop(journal);
    let (journal, recovered) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    assert_eq!((journal.next_sequence(), recovered.bad_lines.len()), (42, 0));
    assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 1);
}

#[test]
fn what_was_not_read_yet_and_the_last_envelope_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("system.jsonl");
    let (mut journal, one) = long(&path, 40);
    assert_eq!(journal.trim(one, 7).expect("room"), 7);
    assert_eq!(sequences(&path), (8..=40).collect::<Vec<_>>());
    assert_eq!(journal.trim(one, u64::MAX).expect("room"), 32);
    assert_eq!(sequences(&path), [40]);
    let (journal, _) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    assert_eq!(journal.next_sequence(), 41);
}

#[test]
fn a_half_written_new_journal_is_removed_at_the_next_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("system.jsonl");
    drop(long(&path, 3));
    std::fs::write(folder.path().join("system.jsonl.new"), "half").expect("room");
    drop(SystemJournal::open(&path, CrashPoint::never()).expect("a journal"));
    assert_eq!(sequences(&path), [1, 2, 3]);
    assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 1);
}
