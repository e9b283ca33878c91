//! Reading a whole journal file once, to find its end and its damage.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::line::{self, LineFault, LineHash, MAX_LINE_BYTES};
use crate::{BadLine, JournalError};

/// What was found when a journal was opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenReport {
    /// Whole lines.
    pub lines: u64,
    /// Bytes after the last whole line, which were cut: the traces of a write that a crash interrupted.
    pub cut_bytes: u64,
    /// Lines that are damaged although whole lines follow. A task's journal is refused for the first of them; the
    /// other journals go on without them.
    pub bad_lines: Vec<BadLine>,
}

/// Most bad lines that are listed. One is enough to know; more only help to find out what happened.
const MAX_BAD_LINES: usize = 100;

pub(crate) struct Scan {
    pub(crate) recovered: OpenReport,
    /// End of the last whole line.
    pub(crate) end: u64,
    /// Hash of the last whole line.
    pub(crate) last: LineHash,
    /// What the file has in the place of a first line, where it has no whole line at all.
    pub(crate) beginning: Option<BadLine>,
}

impl Scan {
    /// Reads `file` from its start. `on_line` gets the JSON of each whole line, also of one that does not follow the
    /// line before it; what it cannot read is a bad line.
    /// A run of bad lines that no whole line follows is the torn tail.
    pub(crate) fn run(
        file: &mut File,
        path: &Path,
        on_line: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<Self, JournalError> {
        let io = |e| JournalError::from_io("read", path, e);
        file.seek(SeekFrom::Start(0)).map_err(io)?;
        let mut reader = BufReader::new(file);
        let (recovered, last) = (OpenReport::default(), LineHash::GENESIS);
        let mut scan = Self { recovered, end: 0, last, beginning: None };
        let mut torn: Vec<BadLine> = Vec::new();
        let mut buffer = Vec::new();
        let (mut offset, mut number) = (0, 0);
        // What the next line has to name; unknown after a bad line.
        let mut expected = Some(LineHash::GENESIS);
        loop {
            let read = read_line(&mut reader, &mut buffer).map_err(io)?;
            if read == 0 {
                break;
            }
            number += 1;
            let bad = |fault| BadLine { path: path.to_owned(), line: number, offset, fault };
            match whole(&buffer) {
                Ok(line) => {
                    scan.recovered.note(&mut torn);
                    let taken = on_line(line.json);
                    if expected.is_some_and(|hash| hash != line.prev) {
                        scan.recovered.note(&mut vec![bad(LineFault::Chain)]);
                    } else if let Err(why) = taken {
                        scan.recovered.note(&mut vec![bad(LineFault::Unreadable(why))]);
                    }
                    expected = Some(line.hash);
                    scan.recovered.lines += 1;
                    scan.last = line.hash;
                    scan.end = offset + read;
                }
                Err(fault) => {
                    expected = None;
                    if torn.len() < MAX_BAD_LINES {
                        torn.push(bad(fault));
                    }
                }
            }
            offset += read;
        }
        scan.recovered.cut_bytes = offset - scan.end;
        if scan.recovered.lines == 0 {
            let missing = || BadLine { path: path.to_owned(), line: 1, offset: 0, fault: LineFault::Missing };
            scan.beginning = Some(torn.into_iter().next().unwrap_or_else(missing));
        }
        Ok(scan)
    }
}

impl OpenReport {
    fn note(&mut self, bad: &mut Vec<BadLine>) {
        let room = MAX_BAD_LINES.saturating_sub(self.bad_lines.len());
        self.bad_lines.extend(bad.drain(..).take(room));
    }
}

/// Reads up to and including the next line feed, at most [`MAX_LINE_BYTES`], and returns how many bytes that were.
pub(crate) fn read_line(reader: &mut impl BufRead, buffer: &mut Vec<u8>) -> std::io::Result<u64> {
    buffer.clear();
    let read = reader.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', buffer)?;
    Ok(read as u64)
}

/// The line in `buffer`, if it is whole: closed by a line feed, with a checksum that holds.
pub(crate) fn whole(buffer: &[u8]) -> Result<line::WholeLine<'_>, LineFault> {
    line::unseal(buffer.strip_suffix(b"\n").ok_or(LineFault::NotSealed)?)
}
