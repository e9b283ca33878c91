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
