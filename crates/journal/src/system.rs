//! The journal of the envelopes that belong to no task.

use std::path::Path;

use artoo_types::Envelope;

use crate::line_file::LineFile;
use crate::{Appended, CrashPoint, JournalError, Recovered};

/// The one writer of `system.jsonl`. Its envelopes carry a daemon-wide sequence of their own, from 1 and without a gap
/// as long as no line is damaged.
pub struct SystemJournal {
    file: LineFile,
    next_sequence: u64,
}

impl SystemJournal {
    /// Opens the journal at `path`, or makes it. A torn tail is cut; damaged lines are listed and left alone, because
    /// each envelope stands for itself.
    pub fn open(path: &Path, crash: CrashPoint) -> Result<(Self, Recovered), JournalError> {
        let mut next_sequence = 1;
        let mut take = |json: &str| {
            let envelope: Envelope = serde_json::from_str(json).map_err(|e| e.to_string())?;
            next_sequence = envelope.sequence.max(next_sequence - 1) + 1;
            Ok(())
        };
        let (file, recovered) = LineFile::open_or_create(path, crash, &mut take)?;
        Ok((Self { file, next_sequence }, recovered))
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
