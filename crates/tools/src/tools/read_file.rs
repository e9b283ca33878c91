//! `read_file`: lines of a text file.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Take};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};

use artoo_gate::origin::of_path;
use artoo_gate::paths::{PathAccess, PathRules, canonical};
use artoo_types::evidence::EffectClass;
use artoo_types::tool::{CallOutcome, MORE_LINES, STOPPED, names};
use rustix::fs::OFlags;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::files::content::{SNIFFED_BYTES, binary};
use crate::files::picture;
use crate::files::reading;
use crate::files::seen::FileState;
use crate::files::walk::plain;
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

pub(super) const ROW: ToolRow = ToolRow::of::<ReadFile>(
    names::READ_FILE,
    "read lines of a text file; you see each behind its number and a tab, which are not in the file",
)
.looking();

#[derive(Debug, Deserialize, JsonSchema)]
struct ReadFile {
    /// the file
    path: String,
    /// lines to skip first
    offset: Option<u64>,
    /// most lines; 2000 unless given
    limit: Option<u64>,
}

impl Tool for ReadFile {
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let path = places.path(&self.path);
        let (permission, brings) = (reading(&path, places), of_path(places, &path));
        let facts = CallFacts::new(ROW.name, path.clone(), EffectClass::Read, brings).looking_at(&path);
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Reads
    }

    fn describe(&self, target: &str) -> String {
        format!("read {target}")
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(move |work| {
            let path = work.places.path(&self.path);
            let mut reader = match open(&path, work) {
                Ok(reader) => reader,
                Err(message) => return CallOutcome::failed(message),
            };
            if let Some(kind) = reader.fill_buf().ok().and_then(binary)
                && let Some(media_type) = kind.shown_as.filter(|_| work.shows_images)
            {
                return picture::shown(reader, &path, kind, media_type, &work.artifacts);
            }
            match text_of(reader, &path, work) {
                Ok(reader) => lines(reader, &path, &self, work),
                Err(message) => CallOutcome::failed(message),
            }
        })
    }
}

/// Lines unless the call says otherwise.
const DEFAULT_LINES: u64 = 2_000;
/// Bytes that one call returns. The text is held a few times while it becomes a receipt.
const MAX_OUTPUT_BYTES: usize = 8 << 20;
/// Bytes that one call reads on its way to `offset` and to the end of its lines.
const MAX_READ_BYTES: u64 = 64 << 20;
/// Bytes of one line that are shown: far more than people write, less than data without line ends has.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Opens a regular file without waiting: a named pipe without a writer would wait for ever. Anything else is not even
/// opened, because opening some devices does something. What was opened is judged once more by where it really is: a link
/// may have come in place of a part of the path since the call was judged.
pub(crate) fn open(path: &str, work: &Work) -> Result<BufReader<File>, String> {
    let say = |error: std::io::Error| format!("{path}: {}", plain(&error));
    let check = |meta: std::fs::Metadata| match no_file(&meta) {
        None => Ok(()),
        Some("a folder") => Err(format!("{path} is a folder; list it with glob")),
        Some(what) => Err(format!("{path} is {what} and not a regular file, which is all that can be read")),
    };
    check(std::fs::metadata(path).map_err(say)?)?;
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(say)?;
    // Another file may have come in its place meanwhile.
    check(file.metadata().map_err(say)?)?;
    let real = real_path(&file).map_err(say)?;
    let is_agreed = work.agreed.as_ref() == Some(&real);
    match work.places.opening(&real) {
        PathAccess::Free => {}
        PathAccess::Ask(_) if is_agreed => {}
        PathAccess::Ask(why) | PathAccess::Never(why) => {
            return Err(format!("{path} is no longer what it was when the call was judged: {why}"));
        }
    }
    Ok(BufReader::with_capacity(SNIFFED_BYTES, file))
}

/// Where an open file is, whatever names led to it.
#[cfg(target_os = "linux")]
fn real_path(file: &File) -> std::io::Result<String> {
    use std::os::fd::AsRawFd as _;
    let link = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let path = link.to_string_lossy();
    // So the system shows a file that was removed meanwhile.
    Ok(path.strip_suffix(" (deleted)").unwrap_or(&path).to_owned())
}

/// Where an open file is, whatever names led to it.
#[cfg(target_vendor = "apple")]
fn real_path(file: &File) -> std::io::Result<String> {
    Ok(rustix::fs::getpath(file)?.to_string_lossy().into_owned())
}

/// What it is instead of a regular file; `None` for a regular file.
fn no_file(meta: &std::fs::Metadata) -> Option<&'static str> {
    let kind = meta.file_type();
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else if kind.is_fifo() {
        Some("a named pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

/// The same reader when the file holds text. The state of the file is noted for a later edit.
fn text_of(mut reader: BufReader<File>, path: &str, work: &Work) -> Result<BufReader<File>, String> {
    let say = |error: std::io::Error| format!("{path}: {}", plain(&error));
    let meta = reader.get_ref().metadata().map_err(say)?;
    let start = reader.fill_buf().map_err(say)?;
    if let Some(kind) = binary(start) {
        let (name, bytes, advice) = (kind.name, meta.len(), kind.advice);
        let unseen = if kind.shown_as.is_some() { " (this model is shown no pictures)" } else { "" };
        return Err(format!(
            "{path} is binary, {name}, {bytes} bytes; read_file reads UTF-8 text{unseen}: {advice}"
        ));
    }
    work.seen.note(canonical(path), FileState::of_open(reader.get_ref(), &meta));
    Ok(reader)
}

/// Reads lines one by one, none of them longer than is shown.
struct LineReader {
    reader: Take<BufReader<File>>,
    /// Lines read so far.
    number: u64,
    line: Vec<u8>,
}

/// What came of reading one line.
enum NextLine {
    Line,
    End,
    /// The bound on what one call reads was met.
    Bound,
}

impl LineReader {
    /// Reads one line into `self.line`; of a very long one the beginning, and a remark about the rest.
    fn next(&mut self) -> std::io::Result<NextLine> {
        self.line.clear();
        let read = self.reader.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(if self.reader.limit() == 0 { NextLine::Bound } else { NextLine::End });
        }
        self.number += 1;
        if read == MAX_LINE_BYTES && !self.line.ends_with(b"\n") {
            let (rest, has_end) = self.skip_line()?;
            if rest == 0 && has_end {
                self.line.push(b'\n');
            } else if rest > 0 {
                let whole = self.line.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
                // Half a character at the cut is left out; what is no UTF-8 at all stays as it is.
                let cut = if self.line.len() - whole < 4 { whole } else { self.line.len() };
                let more = rest + self.line.len() - cut;
                self.line.truncate(cut);
                self.line.extend_from_slice(format!(" [... {more} more bytes of this line]\n").as_bytes());
            }
        }
        Ok(NextLine::Line)
    }

    /// Skips to the end of the line; returns how many bytes that were, the line's end not counted, and whether there is
    /// one.
    fn skip_line(&mut self) -> std::io::Result<(usize, bool)> {
        let mut skipped = 0;
        loop {
            let buffer = self.reader.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(buffer.len());
            let is_over = end.is_some() || buffer.is_empty();
            skipped += taken;
            self.reader.consume(taken + usize::from(end.is_some()));
            if is_over {
                return Ok((skipped, end.is_some()));
            }
        }
    }
}

fn lines(reader: BufReader<File>, path: &str, arguments: &ReadFile, work: &Work) -> CallOutcome {
    let offset = arguments.offset.unwrap_or(0);
    let end = offset.saturating_add(arguments.limit.unwrap_or(DEFAULT_LINES).max(1));
    let mut lines = LineReader { reader: reader.take(MAX_READ_BYTES), number: 0, line: Vec::new() };
    let mut bytes = Vec::new();
    let mut note = None;
    let cut = loop {
        if let Some(ended) = work.ended() {
            return ended;
        }
        let number = lines.number;
        match lines.next() {
            Ok(NextLine::Bound) => {
                break Some(format!(
                    "[{STOPPED} after the first {MAX_READ_BYTES} bytes of the file; read the rest with sed -n or tail -c in shell]"
                ));
            }
            Ok(NextLine::End) => break None,
            Ok(NextLine::Line) if number >= end => {
                let more = format!("{MORE_LINES}; continue with offset {end}");
                // Who asked for so many lines wants those, and the remark beside them; else it is part of what is seen.
                if arguments.limit.is_some() {
                    note = Some(more);
                    break None;
                }
                break Some(format!("[{more}]"));
            }
            Ok(NextLine::Line) if number < offset => {}
            Ok(NextLine::Line) if bytes.len() + lines.line.len() > MAX_OUTPUT_BYTES => {
                break Some(format!(
                    "[{STOPPED} at {MAX_OUTPUT_BYTES} bytes; continue with offset {number}]"
                ));
            }
            Ok(NextLine::Line) => bytes.extend_from_slice(&lines.line),
            Err(error) => return CallOutcome::failed(format!("{path}: {}", plain(&error))),
        }
    };
    if bytes.is_empty() && cut.is_none() && offset > 0 {
        let number = lines.number;
        return CallOutcome::failed(format!("{path} has {number} lines; offset {offset} is past its end"));
    }
    told(bytes, cut.as_deref(), note)
}

fn told(bytes: Vec<u8>, cut: Option<&str>, note: Option<String>) -> CallOutcome {
    let (mut text, lossy) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            (text, Some("bytes that are not UTF-8 were replaced".to_owned()))
        }
    };
    if let Some(remark) = cut {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(remark);
    }
    CallOutcome::done(text).noted(note.into_iter().chain(lossy))
}

#[cfg(test)]
mod tests;
