//! Putting in what references lead to.

use std::borrow::Cow;

use super::MARK;
use crate::line::{MAX_LINE_BYTES, WholeLine};

/// References within references. JSON is nested at most so deep, and a reference is never the whole of a value.
const MAX_DEPTH: usize = 128;

/// The bytes of a file before the line that is being read.
pub(crate) trait Earlier {
    /// These bytes; None when they are not there.
    fn bytes(&self, offset: u64, len: usize) -> Option<Cow<'_, [u8]>>;
}

/// Where the parts of a record go, in order. None ends it.
trait Parts {
    fn push(&mut self, part: &str) -> Option<()>;
}

impl Parts for String {
    fn push(&mut self, part: &str) -> Option<()> {
        if self.len() + part.len() > MAX_LINE_BYTES {
            return None;
        }
        self.push_str(part);
        Some(())
    }
}

/// What of a record has not come yet.
struct Rest<'a>(&'a str);

impl Parts for Rest<'_> {
    fn push(&mut self, part: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(part)?;
        Some(())
    }
}

struct Expansion<'a, P> {
    line: &'a str,
    at: u64,
    earlier: &'a dyn Earlier,
    whole: P,
}

/// The record of a line with references, which starts at byte `at`, with everything in its place. None when that is not there any
/// more, or reads differently.
pub(crate) fn with_earlier(line: &WholeLine<'_>, at: u64, earlier: &dyn Earlier) -> Option<String> {
    let mut record = expand(line.open, at, earlier)?;
    record.push('}');
    let crc = crc32fast::hash(record.as_bytes());
    (u32::from_str_radix(line.whole?, 16) == Ok(crc)).then_some(record)
}

/// The beginning of a line that starts at byte `at`, with everything in its place. None when a reference leads nowhere.
pub(super) fn expand(line: &str, at: u64, earlier: &dyn Earlier) -> Option<String> {
    let whole = String::with_capacity(line.len() + line.len() / 2);
    let mut expansion = Expansion { line, at, earlier, whole };
    expansion.add(line, at, 0)?;
    Some(expansion.whole)
}

/// Whether the line, which starts at byte `at`, is this record once everything is in its place.
pub(super) fn is_of(line: &str, at: u64, earlier: &dyn Earlier, record: &str) -> bool {
    let mut expansion = Expansion { line, at, earlier, whole: Rest(record) };
    expansion.add(line, at, 0).is_some() && expansion.whole.0.is_empty()
}

impl<P: Parts> Expansion<'_, P> {
    /// Adds a text that stands at byte `at` of the file.
    fn add(&mut self, text: &str, at: u64, depth: usize) -> Option<()> {
        let mut rest = text;
        while let Some(mark) = rest.find(MARK) {
            self.whole.push(&rest[..mark])?;
            let here = at + (text.len() - rest.len() + mark) as u64;
            let (place, after) = rest[mark + MARK.len()..].split_once("]}")?;
            let (offset, len) = place.split_once(',')?;
            let (offset, len) = (offset.parse().ok()?, len.parse().ok()?);
            self.add_earlier(offset, len, here, depth + 1)?;
            rest = after;
        }
        self.whole.push(rest)
    }

    /// Adds what stands at `offset`, which ends before byte `here`.
    fn add_earlier(&mut self, offset: u64, len: usize, here: u64, depth: usize) -> Option<()> {
        let is_before = offset.checked_add(len as u64).is_some_and(|end| end <= here);
        if !is_before || len == 0 || depth > MAX_DEPTH {
            return None;
        }
        if let Some(start) = offset.checked_sub(self.at) {
            let start = usize::try_from(start).ok()?;
            let line = self.line;
            return self.add(line.get(start..start + len)?, offset, depth);
        }
        let earlier = self.earlier;
        let bytes = earlier.bytes(offset, len)?;
        self.add(std::str::from_utf8(&bytes).ok()?, offset, depth)
    }
}
