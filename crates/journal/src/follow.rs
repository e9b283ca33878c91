//! Reading journals, also while they are being written.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use artoo_types::Envelope;
use artoo_types::machine::{StepEnvelopes, StepRecord};
use serde::de::DeserializeOwned;

use crate::line::{LineFault, LineHash, WholeLine};
use crate::repeats::{Earlier, RecentBytes, with_earlier};
use crate::scan::{read_line, whole};
use crate::{BadLine, JournalError};

/// Reads the records of one journal in order. At the end `next` gives `None`; when the writer has appended more, it
/// gives the new records: a follower calls it again after each notice.
///
/// A line that is not whole yet, and the torn tail of a crashed writer, are the end. A bad line in the middle is one
/// [`JournalError::BadLine`]; the reader then stands behind it, so that the caller decides whether to go on.
pub struct Follower<T> {
    reader: BufReader<File>,
    path: PathBuf,
    offset: u64,
    /// Hash of the line before `offset`, when this reader has read it.
    prev: Option<LineHash>,
    /// What this reader has read of late, for references.
    recent: RecentBytes,
    record: PhantomData<fn() -> T>,
}

/// Reads the steps of a task.
pub type TaskReader = Follower<StepRecord>;

/// Reads the envelopes that belong to no task.
pub type SystemReader = Follower<Envelope>;

/// The steps of the journal at `path` from byte `from_offset`, each with the offset at which the next one starts.
pub fn read(path: &Path, from_offset: u64) -> Result<TaskReader, JournalError> {
    Follower::open(path, from_offset)
}

/// The envelopes of the system journal at `path` from byte `from_offset`, each with the offset at which the next one
/// starts.
pub fn read_system(path: &Path, from_offset: u64) -> Result<SystemReader, JournalError> {
    Follower::open(path, from_offset)
}

/// The envelopes of the task's journal at `path` with a sequence above `sequence`, refused ones included.
pub fn envelopes_after(path: &Path, sequence: u64) -> Result<EnvelopeReader, JournalError> {
    Ok(EnvelopeReader { steps: Follower::open(path, 0)?, after: sequence, ready: VecDeque::new() })
}

/// What a line may refer to: what was read of late, and the file.
struct EarlierBytes<'a> {
    recent: &'a RecentBytes,
    file: &'a File,
}

impl Earlier for EarlierBytes<'_> {
    fn bytes(&self, offset: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        if let Some(bytes) = self.recent.get(offset, len) {
            return Some(Cow::Borrowed(bytes));
        }
        // A length that nobody wrote must not take memory.
        let end = self.file.metadata().ok()?.len();
        offset.checked_add(len as u64).filter(|ends_at| *ends_at <= end)?;
        let mut bytes = vec![0; len];
        self.file.read_exact_at(&mut bytes, offset).ok()?;
        Some(Cow::Owned(bytes))
    }
}

/// What became of one attempt to read a line.
enum ReadLine<T> {
    End,
    Torn,
    Bad(LineFault, u64),
    Record(T),
}

impl<T: DeserializeOwned> Follower<T> {
    /// A reader that starts at byte `from_offset`: 0, or an offset that a reader or writer of this file gave.
    pub fn open(path: &Path, from_offset: u64) -> Result<Self, JournalError> {
        let io = |e| JournalError::from_io("open", path, e);
        let mut reader = BufReader::new(File::open(path).map_err(io)?);
        reader.seek(SeekFrom::Start(from_offset)).map_err(io)?;
        let prev = (from_offset == 0).then_some(LineHash::GENESIS);
        let (path, recent) = (path.to_owned(), RecentBytes::default());
        Ok(Self { reader, path, offset: from_offset, prev, recent, record: PhantomData })
    }

    /// Byte at which the next line starts: where another reader can continue.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The hash of the line that was read last; that before the first line at the start. None after a bad line, and
    /// where a reader that starts in the middle has read none yet.
    pub fn head(&self) -> Option<LineHash> {
        self.prev
    }

    /// The next record, or `None` at the end.
    pub fn next_record(&mut self) -> Result<Option<T>, JournalError> {
        let mut line = self.read_one()?;
        if matches!(line, ReadLine::Bad(..) | ReadLine::Torn) {
            // The bytes may be a mixture of a write that failed and was taken back and of one that came later.
            self.rewind()?;
            line = self.read_one()?;
        }
        match line {
            ReadLine::Record(record) => Ok(Some(record)),
            ReadLine::End => Ok(None),
            ReadLine::Torn => {
                self.rewind()?;
                Ok(None)
            }
            ReadLine::Bad(fault, len) => self.judge(fault, len),
        }
    }

    /// That nothing but whole lines was written, once the last record was read and nobody writes any more. While a
    /// writer lives, what this finds may be a line on its way.
    ///
    /// # Errors
    /// [`BadLine`] for the first line that is not whole.
    pub fn check_end(&mut self) -> Result<(), JournalError> {
        let (offset, prev) = (self.offset, self.prev);
        let line = self.read_one()?;
        (self.offset, self.prev) = (offset, prev);
        self.rewind()?;
        let fault = match line {
            ReadLine::End | ReadLine::Record(_) => return Ok(()),
            ReadLine::Torn => LineFault::NotSealed,
            ReadLine::Bad(fault, _) => fault,
        };
        let line = self.lines_before(offset)? + 1;
        Err(BadLine { path: self.path.clone(), line, offset, fault }.into())
    }

    fn read_one(&mut self) -> Result<ReadLine<T>, JournalError> {
        let mut buffer = Vec::new();
        let len = read_line(&mut self.reader, &mut buffer)
            .map_err(|e| JournalError::from_io("read", &self.path, e))?;
        if len == 0 {
            return Ok(ReadLine::End);
        }
        if buffer.last() != Some(&b'\n') {
            return Ok(ReadLine::Torn);
        }
        let line = match whole(&buffer) {
            Ok(line) => line,
            Err(fault) => return Ok(ReadLine::Bad(fault, len)),
        };
        if self.prev.is_some_and(|hash| hash != line.prev) {
            return Ok(ReadLine::Bad(LineFault::Chain, len));
        }
        let Some(json) = self.with_earlier(&line) else {
            return Ok(ReadLine::Bad(LineFault::Reference, len));
        };
        match serde_json::from_str(&json) {
            Ok(record) => {
                self.recent.push(self.offset, &buffer);
                self.prev = Some(line.hash);
                self.offset += len;
                Ok(ReadLine::Record(record))
            }
            Err(e) => Ok(ReadLine::Bad(LineFault::Unreadable(e.to_string()), len)),
        }
    }

    /// The record of a line with everything that it refers to. None when that is not there any more.
    fn with_earlier<'l>(&self, line: &WholeLine<'l>) -> Option<Cow<'l, str>> {
        if line.whole.is_none() {
            return Some(Cow::Borrowed(line.json));
        }
        let earlier = EarlierBytes { recent: &self.recent, file: self.reader.get_ref() };
        with_earlier(line, self.offset, &earlier).map(Cow::Owned)
    }

    /// A line is bad when it is whole itself or a whole one follows; else it is the torn tail.
    fn judge(&mut self, fault: LineFault, len: u64) -> Result<Option<T>, JournalError> {
        let is_torn = match fault {
            LineFault::NotSealed | LineFault::Checksum => !self.whole_line_follows()?,
            LineFault::Chain | LineFault::Reference | LineFault::Unreadable(_) | LineFault::Missing => false,
        };
        if is_torn {
            self.rewind()?;
            return Ok(None);
        }
        let offset = self.offset;
        let line = self.lines_before(offset)? + 1;
        self.offset += len;
        self.prev = None;
        self.rewind()?;
        Err(BadLine { path: self.path.clone(), line, offset, fault }.into())
    }

    fn whole_line_follows(&mut self) -> Result<bool, JournalError> {
        let mut buffer = Vec::new();
        loop {
            let read = read_line(&mut self.reader, &mut buffer);
            if read.map_err(|e| JournalError::from_io("read", &self.path, e))? == 0 {
                return Ok(false);
            }
            if whole(&buffer).is_ok() {
                return Ok(true);
            }
        }
    }

    fn lines_before(&self, offset: u64) -> Result<u64, JournalError> {
        let io = |e| JournalError::from_io("read", &self.path, e);
        let mut reader = BufReader::new(File::open(&self.path).map_err(io)?);
        let (mut lines, mut left) = (0, usize::try_from(offset).unwrap_or(usize::MAX));
        while left > 0 {
            let chunk = reader.fill_buf().map_err(io)?;
            if chunk.is_empty() {
                break;
            }
            let take = chunk.len().min(left);
            lines += chunk[..take].iter().filter(|b| **b == b'\n').count() as u64;
            reader.consume(take);
            left -= take;
        }
        Ok(lines)
    }

    /// Forgets what was read ahead, so that the next line comes fresh from the file.
    fn rewind(&mut self) -> Result<(), JournalError> {
        let to = self.reader.seek(SeekFrom::Start(self.offset));
        to.map(drop).map_err(|e| JournalError::from_io("read", &self.path, e))
    }
}

impl<T: DeserializeOwned> Iterator for Follower<T> {
    type Item = Result<(T, u64), JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_record().transpose()?;
        Some(next.map(|record| (record, self.offset)))
    }
}

/// Reads the envelopes of a task one by one. At the end `next` gives `None`, and the new ones later, like
/// [`Follower`].
pub struct EnvelopeReader {
    steps: Follower<StepEnvelopes>,
    after: u64,
    ready: VecDeque<Envelope>,
}

impl EnvelopeReader {
    /// The next envelope, or `None` at the end.
    pub fn next_envelope(&mut self) -> Result<Option<Envelope>, JournalError> {
        while self.ready.is_empty() {
            match self.steps.next_record()? {
                None => return Ok(None),
                Some(step) => {
                    self.ready.extend(step.envelopes.into_iter().filter(|e| e.sequence > self.after));
                }
            }
        }
        Ok(self.ready.pop_front())
    }
}

impl Iterator for EnvelopeReader {
    type Item = Result<Envelope, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_envelope().transpose()
    }
}

#[cfg(test)]
mod tests;
