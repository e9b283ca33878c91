//! The chain that makes the audit log tamper-evident.
//!
//! A line is one JSON object: `{"seq":..,"boot_id":"..","prev":"<64 hex>",...event...,"hash":"<64 hex>"}`. `hash` is the
//! SHA-256 of the line without the `hash` field, and `prev` is the hash of the line before it, in the segment before
//! for the first line of a segment. So any edit, removal or reordering before a known hash (an anchor) is found. A
//! rewritten chain after the last anchor is not: whoever owns the file can make one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::AuditEvent;

/// What the first line of a log names as the line before it.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A line's place in the chain: what an anchor records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Its ordinal, from 1, over all segments.
    pub seq: u64,
    /// Its hash, 64 hex digits.
    pub hash: String,
}

impl Default for Head {
    fn default() -> Self {
        Self { seq: 0, hash: GENESIS.to_owned() }
    }
}

/// A line of the log, read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
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

/// Why a line breaks the chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is not a line of an audit log, or only a part of one.
    #[error("is not a whole line of an audit log")]
    NotALine,
    /// It is not what was written.
    #[error("was changed: its hash does not match")]
    Changed,
    /// The line before it is missing, or is not the one that it was written after.
    #[error("does not follow the line before it: a line was removed, inserted or moved")]
    Detached,
    /// An anchor names another hash for this place.
    #[error("is not the line whose hash was recorded elsewhere: the log was rewritten")]
    Rewritten,
}

/// The first bad line of a segment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} {fault}")]
pub struct BadLine {
    /// 1 for the first line of the segment.
    pub line: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// The log ends before an anchor: lines were cut off.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the log ends with line {ends_at}, but line {anchored} was recorded elsewhere: its end was cut off")]
pub struct CutOff {
    /// Ordinal of the last line.
    pub ends_at: u64,
    /// Ordinal of the last anchor.
    pub anchored: u64,
}

impl Chain {
    /// Goes on after `head`; `Head::default()` starts a new log. `boot_id` names this run of the daemon.
    pub fn after(head: Head, boot_id: &str) -> Self {
        Self { boot_id: boot_id.to_owned(), head }
    }

    /// The event as the next line, without a line feed.
    pub fn seal(&mut self, event: &AuditEvent) -> Result<String, serde_json::Error> {
        let seq = self.head.seq + 1;
        let boot_id = serde_json::to_string(&self.boot_id)?;
        let event = serde_json::to_string(event)?;
        let fields = event.strip_prefix('{').and_then(|e| e.strip_suffix('}')).unwrap_or_default();
        let open = format!("{{\"seq\":{seq},\"boot_id\":{boot_id},\"prev\":\"{}\",{fields}", self.head.hash);
        let hash = hash_of(&open);
        let line = format!("{open},\"hash\":\"{hash}\"}}");
        self.head = Head { seq, hash };
        Ok(line)
    }

    /// The last line: what reports and anchors carry.
    pub fn head(&self) -> &Head {
        &self.head
    }
}

/// Reads a log line by line, segment after segment, and names the first line that is not what was written.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    head: Option<Head>,
    line: u64,
    anchors: BTreeMap<u64, String>,
}

impl Verifier {
    /// A verifier for a log that may have lost its oldest segments: the first line's own `prev` is believed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires the line at each of these places to have the recorded hash.
    #[must_use]
    pub fn with_anchors(mut self, anchors: impl IntoIterator<Item = Head>) -> Self {
        self.anchors.extend(anchors.into_iter().map(|a| (a.seq, a.hash)));
        self
    }

    /// Tells it that the next line is the first of a segment, so that line numbers start anew.
    pub fn next_segment(&mut self) {
        self.line = 0;
    }

    /// Checks the next line, given without its line feed.
    pub fn check(&mut self, line: &str) -> Result<(), BadLine> {
        self.line += 1;
        let number = self.line;
        let bad = |fault| BadLine { line: number, fault };
        let (open, hash) = split_hash(line).ok_or_else(|| bad(Fault::NotALine))?;
        if hash_of(open) != hash {
            return Err(bad(Fault::Changed));
        }
        let link: Link = serde_json::from_str(line).map_err(|_| bad(Fault::NotALine))?;
        if let Some(head) = &self.head
            && (link.prev != head.hash || link.seq != head.seq + 1)
        {
            return Err(bad(Fault::Detached));
        }
        if link.seq == 1 && link.prev != GENESIS {
            return Err(bad(Fault::Detached));
        }
        if self.anchors.get(&link.seq).is_some_and(|anchor| anchor != hash) {
            return Err(bad(Fault::Rewritten));
        }
        self.head = Some(Head { seq: link.seq, hash: hash.to_owned() });
        Ok(())
    }

    /// The last line that was checked; the start of a log when there was none. Fails when anchors lie beyond it.
    pub fn finish(self) -> Result<Head, CutOff> {
        let head = self.head.unwrap_or_default();
        match self.anchors.last_key_value() {
            Some((anchored, _)) if *anchored > head.seq => {
                Err(CutOff { ends_at: head.seq, anchored: *anchored })
            }
            Some(_) | None => Ok(head),
        }
    }
}

/// Checks one segment on its own and gives its last line, or names its first bad one.
pub fn verify<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Head, BadLine> {
    let mut verifier = Verifier::new();
    for line in lines {
        verifier.check(line)?;
    }
    Ok(verifier.head.unwrap_or_default())
}

/// The fields by which lines hang together.
#[derive(Deserialize)]
struct Link {
    seq: u64,
    prev: String,
}

fn split_hash(line: &str) -> Option<(&str, &str)> {
    let quoted = line.strip_suffix("\"}")?;
    let (rest, hash) = quoted.split_at_checked(quoted.len().checked_sub(GENESIS.len())?)?;
    Some((rest.strip_suffix(",\"hash\":\"")?, hash))
}

/// Hash of the line that consists of `open` and a closing brace.
fn hash_of(open: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(open.as_bytes());
    hasher.update(b"}");
    let mut hex = String::with_capacity(GENESIS.len());
    for byte in hasher.finalize() {
        for digit in [byte >> 4, byte & 15] {
            hex.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
    }
    hex
}

#[cfg(test)]
mod tests;
