//! The line format that all journals share.
//!
//! A line is the JSON object of one record with two more fields at its end:
//! `{...record...,"prev":"<16 hex>","crc":"<8 hex>"}`. `prev` is the start of the SHA-256 of the whole line before it,
//! without its line feed ([`LineHash::GENESIS`] for the first line); `crc` is the CRC-32 of the line without the `crc`
//! field. A reader that knows neither field still reads the record. In the journal of a task references may stand for what was
//! written before, and then a field `whole` stands before `prev`: see `repeats.rs`.
//!
//! No change of an ended journal goes unnoticed where it stands alone: a byte breaks the line's checksum, a line sealed anew no
//! longer leads to what follows, and what leads to nothing changes the hash of the last line, which the index of tasks holds.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Longest line, in bytes. The largest record of a task carries an outcome for each of 32 subtasks with the receipts
/// of one attempt: 32 · 11 outputs of 32 Ki characters are 45 MiB at four bytes a character. Three envelopes of that
/// size may leave one step, and JSON escapes may double them: 270 MiB.
pub const MAX_LINE_BYTES: usize = 512 * 1024 * 1024;

/// Identifies a line: the first 16 hex digits of its SHA-256. In JSON it is a string of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct LineHash([u8; 16]);

/// Text that is no hash of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no hash of a line")]
pub struct NotALineHash(String);

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// There is none, where the first line of a journal must be.
    #[error("is missing")]
    Missing,
    /// It does not end with the two fields that close a line.
    #[error("is not closed by prev and crc")]
    NotSealed,
    /// Its bytes are not those that were written.
    #[error("does not match its checksum")]
    Checksum,
    /// It is whole, but the line before it is not the one that it was written after.
    #[error("does not follow the line before it")]
    Chain,
    /// It is whole, but what it refers to is not what it was written for: a line before it is damaged.
    #[error("refers to an earlier line that is damaged")]
    Reference,
    /// It is whole, but this build does not understand its record.
    #[error("holds a record that this version of artoo cannot read ({0})")]
    Unreadable(String),
}

/// A line whose checksum holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeLine<'a> {
    /// The line, without its line feed: a JSON object.
    pub json: &'a str,
    /// The hash that it names as that of the line before it.
    pub prev: LineHash,
    /// Its own hash.
    pub hash: LineHash,
    /// The record as it stands in the line, without its closing brace.
    pub open: &'a str,
    /// Where references stand in it (`repeats.rs`): CRC-32 of the record with everything in its place, as 8 hex digits.
    pub whole: Option<&'a str>,
}

impl LineHash {
    /// What the first line names as the line before it.
    pub const GENESIS: Self = Self([b'0'; 16]);

    /// The hash of a line without its line feed.
    pub fn of(line: &str) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digest = Sha256::digest(line.as_bytes());
        let mut hex = [0; 16];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(digest) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        Self(hex)
    }

    fn parse(hex: &str) -> Option<Self> {
        Some(Self(<[u8; 16]>::try_from(hex.as_bytes()).ok()?))
    }
}

impl From<LineHash> for String {
    fn from(hash: LineHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for LineHash {
    type Error = NotALineHash;

    fn try_from(hex: String) -> Result<Self, NotALineHash> {
        Self::parse(&hex).ok_or(NotALineHash(hex))
    }
}

impl std::fmt::Display for LineHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|digit| write!(f, "{}", char::from(*digit)))
    }
}

/// The line, without its line feed, that holds `object` after the line `prev`. `object` is a JSON object with at least
/// one field; `None` when it is not.
pub fn seal(object: &str, prev: LineHash) -> Option<String> {
    let fields = object.strip_suffix('}').filter(|f| f.len() > 1 && f.starts_with('{'))?;
    // One buffer for the whole line: prev takes 26 bytes, crc 18, the line feed of the caller 1.
    let mut line = String::with_capacity(object.len() + 48);
    line.push_str(fields);
    write!(line, ",\"prev\":\"{prev}\"}}").ok()?;
    let crc = crc32fast::hash(line.as_bytes());
    line.pop();
    write!(line, ",\"crc\":\"{crc:08x}\"}}").ok()?;
    Some(line)
}

/// Checks a line, given without its line feed, on its own: whether it follows the line before it is for the caller to
/// compare.
pub fn unseal(line: &[u8]) -> Result<WholeLine<'_>, LineFault> {
    let json = std::str::from_utf8(line).map_err(|_| LineFault::Checksum)?;
    let (open, crc) = tail_field(json, "crc", 8).ok_or(LineFault::NotSealed)?;
    let (record, prev) = tail_field_open(open, "prev", 16).ok_or(LineFault::NotSealed)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(open.as_bytes());
    hasher.update(b"}");
    if format!("{:08x}", hasher.finalize()) != crc {
        return Err(LineFault::Checksum);
    }
    let prev = LineHash::parse(prev).ok_or(LineFault::NotSealed)?;
    let (open, whole) =
        tail_field_open(record, "whole", 8).map_or((record, None), |(open, whole)| (open, Some(whole)));
    Ok(WholeLine { json, prev, hash: LineHash::of(json), open, whole })
}

/// Splits `{...,"name":"value"}` into what stands before the field and a value of `digits` bytes.
fn tail_field<'a>(json: &'a str, name: &str, digits: usize) -> Option<(&'a str, &'a str)> {
    tail_field_open(json.strip_suffix('}')?, name, digits)
}

fn tail_field_open<'a>(open: &'a str, name: &str, digits: usize) -> Option<(&'a str, &'a str)> {
    let quoted = open.strip_suffix('"')?;
    let (rest, value) = quoted.split_at_checked(quoted.len().checked_sub(digits)?)?;
    let fields = rest.strip_suffix("\":\"")?.strip_suffix(name)?.strip_suffix(",\"")?;
    Some((fields, value))
}

#[cfg(test)]
mod tests {
    use super::{LineFault, LineHash, seal, unseal};

    #[test]
    fn a_sealed_line_has_the_documented_form() {
        let line = seal(r#"{"a":1}"#, LineHash::GENESIS).expect("an object");
        let crc = crc32fast::hash(br#"{"a":1,"prev":"0000000000000000"}"#);
        assert_eq!(line, format!(r#"{{"a":1,"prev":"0000000000000000","crc":"{crc:08x}"}}"#));
        let whole = unseal(line.as_bytes()).expect("a whole line");
        assert_eq!(whole.prev, LineHash::GENESIS);
        assert_eq!(whole.hash, LineHash::of(&line));
        assert_ne!(whole.hash, LineHash::GENESIS);
    }

    #[test]
    fn a_known_hash() {
        // SHA-256 of the empty text starts with these digits (FIPS 180-4 test vector).
        assert_eq!(LineHash::of("").to_string(), "e3b0c44298fc1c14");
    }

    #[test]
    fn every_changed_bit_is_seen() {
        let line = seal(r#"{"text":"grüße, 世界"}"#, LineHash::of("before")).expect("an object");
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut bytes = line.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(unseal(&bytes).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn every_cut_is_seen() {
        let line = seal(r#"{"a":"x"}"#, LineHash::GENESIS).expect("an object");
        for end in 0..line.len() {
            assert!(unseal(&line.as_bytes()[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn only_objects_with_fields_are_sealed() {
        for text in ["{}", "[1]", "1", ""] {
            assert_eq!(seal(text, LineHash::GENESIS), None, "{text}");
        }
        assert_eq!(unseal(br#"{"a":1}"#), Err(LineFault::NotSealed));
    }
}
