use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use artoo_types::machine::{StepRecord, TaskInput};

use super::{envelopes_after, read};
use crate::line::LineFault;
use crate::testing::{starts, step, task, written};
use crate::{CrashPoint, JournalError, TaskJournal, task_path};

#[test]
fn a_follower_sees_what_comes_later() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 1);
    let mut reader = read(&task_path(folder.path(), task()), 0).expect("the journal");
    assert_eq!(reader.next_record().expect("whole").map(|s| s.seq), Some(1));
    assert_eq!(reader.next_record().expect("the end"), None);
    let (mut journal, _) =
        TaskJournal::open(folder.path(), task(), CrashPoint::never()).expect("the journal");
    journal.append(&step(2)).expect("room");
    assert_eq!(reader.next_record().expect("whole"), Some(step(2)));
    assert_eq!(reader.offset(), journal.end());
    assert_eq!(reader.next_record().expect("the end"), None);
}

#[test]
fn a_reader_continues_from_an_offset() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 4);
    let path = task_path(folder.path(), task());
    let mut first = read(&path, 0).expect("the journal");
    first.next_record().expect("whole");
    first.next_record().expect("whole");
    let rest: Vec<u64> =
        read(&path, first.offset()).expect("the journal").map(|r| r.expect("whole").0.seq).collect();
    assert_eq!(rest, [3, 4]);
}

#[test]
fn a_line_that_grows_byte_by_byte_appears_once_and_whole() {
    let source = tempfile::tempdir().expect("a folder");
    let bytes = written(source.path(), 2);
    let second = starts(&bytes)[1];
    let folder = tempfile::tempdir().expect("a folder");
    let path = task_path(folder.path(), task());
    std::fs::write(&path, &bytes[..second]).expect("room");
    let mut reader = read(&path, 0).expect("the journal");
    assert_eq!(reader.next_record().expect("whole"), Some(step(1)));
    let mut file = OpenOptions::new().append(true).open(&path).expect("the journal");
    for byte in &bytes[second..] {
        assert_eq!(reader.next_record().expect("not yet whole"), None);
        file.write_all(&[*byte]).expect("room");
    }
    assert_eq!(reader.next_record().expect("whole"), Some(step(2)));
    assert_eq!(reader.next_record().expect("the end"), None);
}

#[test]
fn a_write_that_was_taken_back_leaves_no_trace_in_a_reader() {
    let source = tempfile::tempdir().expect("a folder");
    let bytes = written(source.path(), 2);
    let second = starts(&bytes)[1];
    let folder = tempfile::tempdir().expect("a folder");
    let path = task_path(folder.path(), task());
    let mut half = bytes[..second].to_vec();
    half.extend(b"{\"seq\":2,\"at\":99999");
    std::fs::write(&path, &half).expect("room");
    let mut reader = read(&path, 0).expect("the journal");
    // The read ahead of the first line has taken in the half line as well.
    assert_eq!(reader.next_record().expect("whole"), Some(step(1)));
    std::fs::write(&path, &bytes).expect("room");
    assert_eq!(reader.next_record().expect("whole"), Some(step(2)));
}

#[test]
fn a_torn_tail_is_the_end_and_damage_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = written(folder.path(), 3);
    let path = task_path(folder.path(), task());
    let start = starts(&bytes);
    let mut last = bytes.clone();
    last[start[2] + 20] ^= 1;
    std::fs::write(&path, &last).expect("room");
    let seen: Vec<u64> = read(&path, 0).expect("the journal").map(|r| r.expect("whole").0.seq).collect();
    assert_eq!(seen, [1, 2]);

    let mut middle = bytes.clone();
    middle[start[1] + 20] ^= 1;
    std::fs::write(&path, &middle).expect("room");
    let mut reader = read(&path, 0).expect("the journal");
    assert!(reader.next_record().expect("whole").is_some());
    let Err(JournalError::BadLine(bad)) = reader.next_record() else { panic!("the damage was not seen") };
    assert_eq!((bad.line, bad.offset, bad.fault), (2, start[1] as u64, LineFault::Checksum));
    assert_eq!(reader.next_record().expect("whole"), Some(step(3)));
}

#[test]
fn a_record_of_another_version_is_told_from_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = task_path(folder.path(), task());
    let line = crate::line::seal(r#"{"seq":1,"future":true}"#, crate::line::LineHash::GENESIS);
    std::fs::write(&path, line.expect("an object") + "\n").expect("room");
    let Err(JournalError::BadLine(bad)) = read(&path, 0).expect("the journal").next_record() else {
        panic!("the record was understood")
    };
    assert!(matches!(bad.fault, LineFault::Unreadable(_)), "{bad}");
}

#[test]
fn envelopes_after_a_sequence_start_in_the_middle_of_a_step() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 3);
    let path = task_path(folder.path(), task());
    for after in 0..=6 {
        let seen: Vec<u64> =
            envelopes_after(&path, after).expect("the journal").map(|e| e.expect("whole").sequence).collect();
        assert_eq!(seen, (after + 1..=6).collect::<Vec<_>>());
    }
}

#[test]
fn a_last_line_that_is_not_whole_is_damage_once_the_writer_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = written(folder.path(), 3);
    let path = task_path(folder.path(), task());
    let check = |content: &[u8], expected: Option<LineFault>| {
        std::fs::write(&path, content).expect("room");
        let mut reader = read(&path, 0).expect("the journal");
        let whole = std::iter::from_fn(|| reader.next_record().expect("the tail is no error")).count();
        match (reader.check_end(), expected) {
            (Ok(()), None) => assert_eq!(whole, 3),
            (Err(JournalError::BadLine(bad)), Some(fault)) => {
                assert_eq!((whole, bad.line, bad.offset, bad.fault), (2, 3, starts(&bytes)[2] as u64, fault));
            }
            (found, expected) => panic!("{expected:?}, not {found:?}"),
        }
    };
    check(&bytes, None);
    check(&bytes[..bytes.len() - 1], Some(LineFault::NotSealed));
    let mut changed = bytes.clone();
    let place = starts(&bytes)[2] + 20;
    changed[place] ^= 1;
    check(&changed, Some(LineFault::Checksum));
}

/// Steps of which each repeats what the others said.
fn repeating(folder: &Path, steps: u64) -> Vec<u8> {
    let mut journal = TaskJournal::create(folder, task(), CrashPoint::never()).expect("a new journal");
    for seq in 1..=steps {
        journal.append(&wordy(seq)).expect("room");
    }
    std::fs::read(task_path(folder, task())).expect("the journal")
}

fn wordy(seq: u64) -> StepRecord {
    StepRecord {
        input: TaskInput::Clarified { answer: format!("\"größer\" {}", "答".repeat(50)) },
        ..step(seq)
    }
}

#[test]
fn what_lines_refer_to_is_put_in_wherever_reading_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = repeating(folder.path(), 4);
    let starts = starts(&bytes);
    assert!(starts[2] - starts[1] < starts[1] - 100, "{}", String::from_utf8_lossy(&bytes));
    let path = task_path(folder.path(), task());
    for (from, start) in starts.iter().enumerate() {
        let mut reader = read(&path, *start as u64).expect("the journal");
        for seq in from..4 {
            assert_eq!(reader.next_record().expect("whole"), Some(wordy(seq as u64 + 1)), "from {from}");
        }
        assert_eq!(reader.next_record().expect("whole"), None);
    }
}

#[test]
fn a_journal_that_is_continued_reads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    repeating(folder.path(), 2);
    let (mut journal, _) = TaskJournal::open(folder.path(), task(), CrashPoint::never()).expect("a journal");
    for seq in 3..=5 {
        journal.append(&wordy(seq)).expect("room");
    }
    let records: Vec<_> = read(&task_path(folder.path(), task()), 0)
        .expect("the journal")
        .map(|r| r.expect("whole").0)
        .collect();
    assert_eq!(records, (1..=5).map(wordy).collect::<Vec<_>>());
}

/// A line that is whole itself is bad when what it refers to is not what it was, and is named.
#[test]
fn a_line_that_refers_to_a_damaged_one_is_bad() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = repeating(folder.path(), 3);
    let start = starts(&bytes);
    let word = bytes
        .windows(5)
        .position(|word| word == "größ".as_bytes().get(..5).expect("5"))
        .expect("it is there");
    bytes[word] = b'G';
    let path = task_path(folder.path(), task());
    std::fs::write(&path, &bytes).expect("room");
    let mut reader = read(&path, 0).expect("the journal");
    let mut faults = Vec::new();
    loop {
        match reader.next_record() {
            Ok(None) => break,
            Ok(Some(record)) => panic!("{record:?} was invented"),
            Err(JournalError::BadLine(bad)) => faults.push((bad.offset, bad.fault)),
            Err(error) => panic!("{error}"),
        }
    }
    let at = |line: usize| start[line] as u64;
    assert_eq!(
        faults,
        [(at(0), LineFault::Checksum), (at(1), LineFault::Reference), (at(2), LineFault::Reference)]
    );
}
