//! A task's events: what is durable after a sequence, then what follows, without gap or double.

use std::collections::VecDeque;
use std::path::Path;

use artoo_journal::{Follower, JournalError};
use artoo_types::machine::StepEnvelopes;
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

/// The events of one task. It reads the journal, so it is as slow as its reader likes and loses nothing. Of a task at
/// work it shows what was published: the last step may be written and not synced yet, and a FinalResult that somebody has
/// seen must survive a power loss.
pub struct TaskStream {
    reader: Follower<StepEnvelopes>,
    after: u64,
    ready: VecDeque<Envelope>,
    /// The latest published sequence, while the task is at work.
    published: Option<watch::Receiver<u64>>,
    follow: bool,
    ended: bool,
}

impl TaskStream {
    pub(super) fn open(
        path: &Path,
        after: u64,
        follow: bool,
        published: Option<watch::Receiver<u64>>,
    ) -> Result<Self, StreamError> {
        let reader = Follower::open(path, 0)?;
        Ok(Self { reader, after, ready: VecDeque::new(), published, follow, ended: false })
    }

    /// The next event; `None` after the FinalResult, or at the end of what is there when nothing is followed. A wait for it
    /// may be given up without losing anything.
    ///
    /// # Errors
    /// When the journal is damaged; the text names the line.
    pub async fn next(&mut self) -> Result<Option<Envelope>, JournalError> {
        loop {
            // Marked as seen before reading, so that what is published during the read wakes the wait below.
            let visible = self.published.as_mut().map_or(u64::MAX, |latest| *latest.borrow_and_update());
            match self.ready.front().map(|envelope| envelope.sequence) {
                Some(sequence) if sequence <= visible => return Ok(self.take()),
                None if self.ended => return Ok(None),
                None if self.read_more()? => continue,
                Some(_) | None => {}
            }
            let Some(published) = self.published.as_mut().filter(|_| self.follow) else { return Ok(None) };
            if published.changed().await.is_err() {
                // The actor is gone: what it published last was shown.
                return Ok(None);
            }
        }
    }

    /// Whether the last event was given, or all that was asked for when nothing is followed. When it is false and
    /// [`next`](Self::next) gives nothing more, the task has left off until the next start.
    pub fn is_complete(&self) -> bool {
        self.ended || !self.follow
    }

    /// The sequence of the last event that was given, or that the caller had seen before.
    pub fn latest_sequence(&self) -> u64 {
        self.after
    }

    fn take(&mut self) -> Option<Envelope> {
        let envelope = self.ready.pop_front()?;
        self.after = envelope.sequence;
        self.ended = matches!(envelope.payload, Message::FinalResult(_));
        Some(envelope)
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

#[cfg(test)]
mod tests;
