//! A task's events: what is durable after a sequence, then what follows, without gap or double.

use std::path::Path;

use artoo_journal::{JournalError, TaskReader, read};
use artoo_types::{Envelope, Message};
use tokio::sync::watch;

/// Why a stream cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The caller has seen more than there is.
    #[error(
        "after_sequence {asked} is beyond the task's latest sequence {latest}; start again from a lower one"
    )]
    Beyond {
        /// What was asked.
        asked: u64,
        /// What there is.
        latest: u64,
    },
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The events of one task. It reads the journal, so it is as slow as its reader likes and loses nothing.
pub struct TaskStream {
    reader: TaskReader,
    after: u64,
    ready: std::collections::VecDeque<Envelope>,
    appended: Option<watch::Receiver<u64>>,
    follow: bool,
    ended: bool,
}

impl TaskStream {
    pub(super) fn open(
        path: &Path,
        after: u64,
        follow: bool,
        appended: Option<watch::Receiver<u64>>,
    ) -> Result<Self, StreamError> {
        let reader = read(path, 0)?;
        Ok(Self { reader, after, ready: std::collections::VecDeque::new(), appended, follow, ended: false })
    }

    /// The next event; `None` after the FinalResult, or at the end of what is there when nothing is followed.
    ///
    /// # Errors
    /// When the journal is damaged; the text names the line.
    pub async fn next(&mut self) -> Result<Option<Envelope>, JournalError> {
        loop {
            if let Some(envelope) = self.ready.pop_front() {
                self.ended = matches!(envelope.payload, Message::FinalResult(_));
                return Ok(Some(envelope));
            }
            if self.ended {
                return Ok(None);
            }
            // Marked as seen before reading, so that an append during the read wakes the wait below.
            if let Some(appended) = &mut self.appended {
                appended.mark_unchanged();
            }
            if self.read_more()? {
                continue;
            }
            let Some(appended) = self.appended.as_mut().filter(|_| self.follow) else { return Ok(None) };
            if appended.changed().await.is_err() {
                // The actor is gone: what it wrote last is all there will be from this daemon.
                self.appended = None;
            }
        }
    }

    /// Whether the last event was given, or all that was asked for when nothing is followed. When it is false and
    /// [`next`](Self::next) gives nothing more, the task has left off until the next start.
    pub fn is_complete(&self) -> bool {
        self.ended || !self.follow
    }

    /// Reads one step. Whether there was one.
    fn read_more(&mut self) -> Result<bool, JournalError> {
        let Some(record) = self.reader.next_record()? else { return Ok(false) };
        for envelope in record.envelopes {
            if envelope.sequence > self.after {
                self.ready.push_back(envelope);
            } else if matches!(envelope.payload, Message::FinalResult(_)) {
                self.ended = true;
            }
        }
        Ok(true)
    }
}
