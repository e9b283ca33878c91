//! What stands in a journal already is not written again.
//!
//! A text, list or object of at least [`MIN_BYTES`] that is equal to one before it is written as `{"@":[4711,230]}`: the 230
//! bytes from byte 4711 of the file on, which may hold references themselves. `tail -c +4712 FILE | head -c 230` prints them.
//! A line with references has one more field before `prev`, `"whole":"<8 hex>"`: the CRC-32 of the record with everything in its
//! place. A line without that field has none, whatever its texts look like. References lead to earlier bytes of the same file
//! alone, so that a journal that is cut at a line still is a journal, and the chain covers what they lead to.

mod expansion;
mod values;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{BuildHasherDefault, Hasher};

#[cfg(test)]
use expansion::expand;
use expansion::is_of;
pub(crate) use expansion::{Earlier, with_earlier};
use values::{Value, values};

use crate::line::WholeLine;

/// The shortest value that is worth a reference, which takes some 20 bytes.
const MIN_BYTES: usize = 32;
/// How a reference begins. In the text of JSON it cannot stand within a string, where its quotes would be escaped.
const MARK: &str = "{\"@\":[";
/// What of the end of a journal is kept in memory, up to twice of it: values further back are written again. A task at work
/// has a journal of some 50 kB.
const KEPT_BYTES: usize = 512 * 1024;

/// Where a value was written.
#[derive(Debug, Clone, Copy)]
struct Place {
    offset: u64,
    len: usize,
}

/// The values of a journal that is being written, and where they stand.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    places: HashMap<u64, Place, BuildHasherDefault<GivenHash>>,
    recent: RecentBytes,
}

/// What is looked up is a hash itself.
#[derive(Debug, Default)]
struct GivenHash(u64);

impl Hasher for GivenHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        // The table looks at the highest bits and the lowest ones; a product has its best ones at the top.
        self.0 = hash ^ (hash >> 32);
    }
}

/// The last bytes of a file.
#[derive(Debug, Default)]
pub(crate) struct RecentBytes {
    from: u64,
    bytes: Vec<u8>,
}

impl RecentBytes {
    /// The line at `offset`, line feed included. What does not follow the bytes before it replaces them.
    pub(crate) fn push(&mut self, offset: u64, line: &[u8]) {
        if offset != self.from + self.bytes.len() as u64 {
            self.bytes.clear();
            self.from = offset;
        }
        self.bytes.extend_from_slice(line);
        if self.bytes.len() > 2 * KEPT_BYTES {
            let dropped = self.bytes.len() - KEPT_BYTES;
            self.bytes.drain(..dropped);
            self.from += dropped as u64;
        }
    }

    pub(crate) fn get(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.from)?).ok()?;
        self.bytes.get(start..start.checked_add(len)?)
    }
}

impl Earlier for RecentBytes {
    fn bytes(&self, offset: u64, len: usize) -> Option<Cow<'_, [u8]>> {
        self.get(offset, len).map(Cow::Borrowed)
    }
}

impl Repeats {
    /// The object with references in the place of what stands in the journal already, when its line will start at byte `at`.
    /// None when nothing is shorter: then it is written as it is. Either way [`Self::wrote`] or [`Self::failed`] follows.
    pub(crate) fn shorten(&mut self, object: &str, at: u64) -> Option<String> {
        // The reader would take it for a reference of ours.
        if object.contains(MARK) {
            return None;
        }
        let short = self.refer(object, at);
        if short.len() == object.len() {
            return None;
        }
        // Two values may have one hash: what is written is what reads back, byte for byte.
        if !is_of(&short, at, &self.recent, object) {
            self.places.clear();
            return None;
        }
        let mut line = short;
        line.pop();
        let crc = crc32fast::hash(object.as_bytes());
        // Writing into a string cannot fail.
        let _ = write!(line, ",\"whole\":\"{crc:08x}\"}}");
        (line.len() < object.len()).then_some(line)
    }

    /// The line, line feed included, is in the file.
    pub(crate) fn wrote(&mut self, at: u64, line: &[u8]) {
        self.recent.push(at, line);
        let from = self.recent.from;
        if self.places.len() > 4 * KEPT_BYTES / MIN_BYTES {
            self.places.retain(|_, place| place.offset >= from);
        }
    }

    /// A line that an earlier writer wrote at byte `at`: so that this one goes on as that one would have.
    pub(crate) fn take_over(&mut self, line: &WholeLine<'_>, at: u64) {
        let object = match line.whole {
            Some(_) => with_earlier(line, at, &self.recent),
            None => Some(format!("{}}}", line.open)),
        };
        let again = object.map(|object| self.shorten(&object, at).unwrap_or(object));
        // Another build, or a writer that began later, shortened it otherwise: what was noted of it is not where it stands.
        if !again.is_some_and(|mut again| again.pop().is_some() && line.json.starts_with(&again)) {
            self.places.clear();
        }
        self.wrote(at, format!("{}\n", line.json).as_bytes());
    }

    /// The line is not in the file: nothing leads there.
    pub(crate) fn failed(&mut self) {
        self.places.clear();
    }

    fn refer(&mut self, object: &str, at: u64) -> String {
        let mut line = ShortLine { object, at, copied: 0, text: String::with_capacity(object.len() + 32) };
        // Values that were begun and are written in full, and where they begin.
        let mut open: Vec<(&Value, usize)> = Vec::new();
        let values = values(object.as_bytes(), MIN_BYTES);
        let mut next = 0;
        while let Some(value) = values.get(next) {
            self.end(&mut open, value.start, &mut line);
            line.copy_to(value.start);
            next = match self.known(value) {
                Some(place) => {
                    line.refer(place, value.end);
                    value.next
                }
                None => {
                    open.push((value, line.text.len()));
                    next + 1
                }
            };
        }
        self.end(&mut open, object.len(), &mut line);
        line.copy_to(object.len());
        line.text
    }

    fn known(&self, value: &Value) -> Option<Place> {
        let place = *self.places.get(&value.hash).filter(|_| value.may_be_referred_to)?;
        (place.offset >= self.recent.from).then_some(place)
    }

    /// Ends the values that end before `start`, and notes where they stand.
    fn end(&mut self, open: &mut Vec<(&Value, usize)>, start: usize, line: &mut ShortLine<'_>) {
        while let Some((value, begun)) = open.pop_if(|(value, _)| value.end <= start) {
            line.copy_to(value.end);
            if value.may_be_referred_to {
                let place = Place { offset: line.at + begun as u64, len: line.text.len() - begun };
                self.places.insert(value.hash, place);
            }
        }
    }
}

/// A line that is being shortened.
struct ShortLine<'a> {
    object: &'a str,
    at: u64,
    /// How much of the object is in the text, or referred to by it.
    copied: usize,
    text: String,
}

impl ShortLine<'_> {
    fn copy_to(&mut self, end: usize) {
        if self.copied < end {
            self.text.push_str(&self.object[self.copied..end]);
            self.copied = end;
        }
    }

    fn refer(&mut self, place: Place, end: usize) {
        let Place { offset, len } = place;
        // Writing into a string cannot fail.
        let _ = write!(self.text, "{MARK}{offset},{len}]}}");
        self.copied = end;
    }
}

#[cfg(test)]
mod tests;
