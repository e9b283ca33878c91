//! The journal of the envelopes that belong to no task.

use std::path::Path;

use artoo_types::Envelope;

use crate::line_file::LineFile;
use crate::rewrite::{remove_unfinished, rewrite};
use crate::{AppendedLine, CrashPoint, JournalError, OpenReport, read_system};

/// The one writer of `system.jsonl`. Its envelopes carry a daemon-wide sequence of their own, from 1 and without a gap
/// as long as no line is damaged.
pub struct SystemJournal {
    file: LineFile,
    crash: CrashPoint,
    next_sequence: u64,
}

impl SystemJournal {
    /// Opens the journal at `path`, or makes it. A torn tail is cut; damaged lines are listed and left alone, because
    /// each envelope stands for itself.
    pub fn open(path: &Path, crash: CrashPoint) -> Result<(Self, OpenReport), JournalError> {
        remove_unfinished(path)?;
        let mut next_sequence = 1;
        let mut take = |json: &str| {
            let envelope: Envelope = serde_json::from_str(json).map_err(|e| e.to_string())?;
            next_sequence = envelope.sequence.max(next_sequence - 1) + 1;
            Ok(())
        };
        let (file, recovered) = LineFile::open_or_create(path, crash.clone(), &mut take)?;
        Ok((Self { file, crash, next_sequence }, recovered))
    }

    /// The sequence that the next envelope must carry.
    pub fn next_sequence(&self) -> u64 {
        self.next_sequence
    }

    /// Appends one envelope as one line, by one write call.
    ///
    /// # Errors
    /// [`JournalError::OutOfOrder`] when its sequence is not the next one.
    pub fn append(&mut self, envelope: &Envelope) -> Result<AppendedLine, JournalError> {
        if envelope.sequence != self.next_sequence {
            let path = self.file.path().to_owned();
            return Err(JournalError::OutOfOrder {
                path,
                expected: self.next_sequence,
                got: envelope.sequence,
            });
        }
        let appended = self.file.append(envelope)?;
        self.next_sequence += 1;
        Ok(appended)
    }

    /// Drops the oldest envelopes of a journal that is larger than `limit` bytes, so that about half of that is left. Those
    /// after `through` stay whatever the size, and the last one stays. The journal is written anew beside the old one and
    /// put in its place, so that a crash leaves one or the other. Returns how many envelopes were dropped.
    ///
    /// # Errors
    /// What the disk refuses: then the journal is as it was. When the rename alone cannot be synced, it takes nothing any
    /// more.
    pub fn trim(&mut self, limit: u64, through: u64) -> Result<u64, JournalError> {
        let end = self.file.end();
        if end <= limit {
            return Ok(0);
        }
        let (path, kept_from) = (self.file.path().to_owned(), end - limit / 2);
        let last = self.next_sequence - 1;
        let mut dropped = 0;
        let (file, durable) = rewrite(&path, self.crash.clone(), |file| {
            let mut old = read_system(&path, 0)?;
            loop {
                match old.next_record() {
                    Ok(Some(envelope)) => {
                        let is_old = old.offset() <= kept_from && envelope.sequence <= through;
                        if is_old && envelope.sequence < last {
                            dropped += 1;
                        } else {
                            file.append(&envelope)?;
                        }
                    }
                    Ok(None) => return Ok(()),
                    // Nobody can read it here either; it was reported when it was found.
                    Err(JournalError::BadLine(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        })?;
        self.file = file;
        durable.map(|()| dropped)
    }

    /// Returns when every appended envelope is on the disk; see [`TaskJournal::sync`](crate::TaskJournal::sync).
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync()
    }

    /// The file; read it with [`read_system`](crate::read_system).
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

#[cfg(test)]
mod tests {
    use super::SystemJournal;
    use crate::testing::{envelope, starts};
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
}
