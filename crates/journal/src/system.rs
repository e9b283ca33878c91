//! The journal of the envelopes that belong to no task.

use std::path::Path;

use artoo_types::Envelope;

use crate::line_file::LineFile;
use crate::rewrite::{remove_unfinished, rewrite};
use crate::{Appended, CrashPoint, JournalError, Recovered, read_system};

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
    pub fn open(path: &Path, crash: CrashPoint) -> Result<(Self, Recovered), JournalError> {
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
    pub fn append(&mut self, envelope: &Envelope) -> Result<Appended, JournalError> {
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
mod tests;
