//! The files of the log: their names, and reading their lines.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use artoo_types::TaskId;
use artoo_types::operator::AuditHead;
use serde::Deserialize;

/// The file name of a segment.
pub(super) fn name(number: u32) -> String {
    format!("audit-{number:06}.jsonl")
}

/// The file of a segment.
pub(super) fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(name(number))
}

/// The numbers of the segments in a folder, oldest first.
pub(super) fn numbers(folder: &Path) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.file_name();
        let number: Option<u32> = file
            .to_str()
            .and_then(|file| file.strip_prefix("audit-")?.strip_suffix(".jsonl")?.parse().ok())
            .filter(|number| name(*number).as_str() == file);
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// The fields of a line that its readers need; the rest is passed over.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct LineFields {
    pub(super) seq: u64,
    pub(super) prev: String,
    pub(super) event: String,
    #[serde(default)]
    pub(super) task_id: Option<TaskId>,
    #[serde(default)]
    pub(super) sequence: u64,
}

impl LineFields {
    pub(super) fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// The line before this one.
    pub(super) fn before(&self) -> AuditHead {
        AuditHead { seq: self.seq.saturating_sub(1), hash: self.prev.clone() }
    }
}

/// The whole lines of a file from a byte on, as text without their line feeds. What is not UTF-8 reads as a line that
/// cannot be one of the log.
pub(super) struct WholeLines {
    reader: BufReader<File>,
    buffer: Vec<u8>,
    offset: u64,
    rest: u64,
}

impl WholeLines {
    pub(super) fn open(path: &Path, offset: u64) -> io::Result<Self> {
        let mut reader = BufReader::new(File::open(path)?);
        reader.seek(SeekFrom::Start(offset))?;
        Ok(Self { reader, buffer: Vec::new(), offset, rest: 0 })
    }

    /// The next whole line; none at the end.
    pub(super) fn next_line(&mut self) -> io::Result<Option<&str>> {
        self.buffer.clear();
        let read = self.reader.read_until(b'\n', &mut self.buffer)? as u64;
        if self.buffer.pop_if(|last| *last == b'\n').is_none() {
            self.rest = read;
            return Ok(None);
        }
        self.offset += read;
        Ok(Some(std::str::from_utf8(&self.buffer).unwrap_or_default()))
    }

    /// Byte after the last whole line that was read.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of a line without its end, once the end of the file was reached.
    pub(super) fn rest(&self) -> u64 {
        self.rest
    }
}

/// The line before the first one of the given segments: what was last before them. None when they hold no line that can
/// be read.
pub(super) fn before(folder: &Path, numbers: &[u32]) -> io::Result<Option<AuditHead>> {
    for number in numbers {
        if let Some(line) = WholeLines::open(&path(folder, *number), 0)?.next_line()? {
            return Ok(LineFields::read(line).map(|fields| fields.before()));
        }
    }
    Ok(None)
}
