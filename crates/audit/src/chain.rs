//! The chain that makes the audit log tamper-evident: its writing end. [`crate::verify`] reads it.
//!
//! A line is one JSON object: `{"seq":..,"boot_id":"..","prev":"<64 hex>",...event...,"hash":"<64 hex>"}`. `hash` is the
//! SHA-256 of the line without the `hash` field, and `prev` is the hash of the line before it, in the segment before
//! for the first line of a segment. So any edit, removal or reordering before a known hash (an anchor) is found. A
//! rewritten chain after the last anchor is not: whoever owns the file can make one.

pub use artoo_types::operator::AuditHead as Head;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::AuditEvent;

/// What the first line of a log names as the line before it.
pub const GENESIS: &str = Head::GENESIS;

/// A line of the log, read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainLine {
    /// Its ordinal.
    pub seq: u64,
    /// The run of the daemon that wrote it.
    pub boot_id: String,
    /// Hash of the line before it.
    pub prev: String,
    /// What happened.
    #[serde(flatten)]
    pub event: AuditEvent,
    /// Its own hash.
    pub hash: String,
}

/// The writing end of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    boot_id: String,
    head: Head,
}

impl Chain {
    /// Goes on after `head`; `Head::default()` starts a new log. `boot_id` names this run of the daemon.
    pub fn after(head: Head, boot_id: &str) -> Self {
        Self { boot_id: boot_id.to_owned(), head }
    }

    /// Appends the event to `out` as the next line, without a line feed. On an error `out` and the chain are as before.
    pub fn seal(&mut self, event: &AuditEvent, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        let start = out.len();
        self.head = self.write(event, out).inspect_err(|_| out.truncate(start))?;
        Ok(())
    }

    /// The last line: what reports and anchors carry.
    pub fn head(&self) -> &Head {
        &self.head
    }

    fn write(&self, event: &AuditEvent, out: &mut Vec<u8>) -> Result<Head, serde_json::Error> {
        let start = out.len();
        let seq = self.head.seq.saturating_add(1);
        out.extend_from_slice(format!("{{\"seq\":{seq},\"boot_id\":").as_bytes());
        serde_json::to_writer(&mut *out, &self.boot_id)?;
        out.extend_from_slice(format!(",\"prev\":\"{}\"", self.head.hash).as_bytes());
        let event_at = out.len();
        serde_json::to_writer(&mut *out, event)?;
        // The event is an object of its own; with a comma for its brace its fields are the line's.
        if let Some(brace) = out.get_mut(event_at) {
            *brace = b',';
        }
        let hash = hash_of(&out[start..]);
        out.pop();
        out.extend_from_slice(format!(",\"hash\":\"{hash}\"}}").as_bytes());
        Ok(Head { seq, hash })
    }
}

/// Hash of a line without its `hash` field, 64 hex digits.
pub(crate) fn hash_of(line: &[u8]) -> String {
    hex(Sha256::digest(line).as_slice())
}

/// Hash of the line that consists of `open` and a closing brace.
pub(crate) fn hash_of_open(open: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(open.as_bytes());
    hasher.update(b"}");
    hex(hasher.finalize().as_slice())
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(GENESIS.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            hex.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
    }
    hex
}

#[cfg(test)]
mod tests {
    use artoo_types::Timestamp;
    use artoo_types::operator::AuditHead;

    use super::{Chain, Head, hash_of};
    use crate::{AuditEvent, Deletion};

    #[test]
    fn lines_are_appended_to_what_is_there() {
        let event = AuditEvent::Deletion(Deletion {
            time: Timestamp(7),
            segment: "s".to_owned(),
            last: AuditHead::default(),
            why: "age".to_owned(),
        });
        let mut chain = Chain::after(Head::default(), "b");
        let mut out = b"before\n".to_vec();
        chain.seal(&event, &mut out).expect("it has a JSON form");
        let text = String::from_utf8(out).expect("JSON is text");
        let genesis = Head::GENESIS;
        let open = format!(
            "{{\"seq\":1,\"boot_id\":\"b\",\"prev\":\"{genesis}\",\"event\":\"deletion\",\"time\":7,\"segment\":\"s\",\
         \"last\":{{\"seq\":0,\"hash\":\"{genesis}\"}},\"why\":\"age\""
        );
        let hash = hash_of(format!("{open}}}").as_bytes());
        assert_eq!(text, format!("before\n{open},\"hash\":\"{hash}\"}}"));
        assert_eq!(chain.head(), &Head { seq: 1, hash });
    }
}
