//! The reading end of the chain: names what is not as it was written.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::chain::{GENESIS, Head, hash_of_open};

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

/// A bad line of a segment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} {fault}")]
pub struct BadLine {
    /// 1 for the first line of the segment.
    pub line: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a log as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Lines were cut off: an anchor lies beyond the last one.
    #[error(
        "the log ends with line {ends_at}, but line {anchored} was recorded elsewhere: its end was cut off"
    )]
    CutOff {
        /// Ordinal of the last line.
        ends_at: u64,
        /// Ordinal of the last anchor.
        anchored: u64,
    },
    /// The line of an anchor is not there, although later ones are.
    #[error("line {anchored} of the whole log was recorded elsewhere, and it is gone")]
    Missing {
        /// Ordinal of the anchor.
        anchored: u64,
    },
    /// The first lines are gone, and the log does not say that they were deleted.
    #[error(
        "the log begins with line {first} of the whole, and no deletion of the lines before it is on record"
    )]
    NoBeginning {
        /// Ordinal of the first line.
        first: u64,
    },
}

/// Reads a log line by line, segment after segment, and names the lines that are not what was written. After a bad line
/// it believes the next one, so that what comes later is checked as well.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    /// The line that the next one has to follow; none before the first and after a bad one.
    expected: Option<Head>,
    /// The last line that is sound in itself.
    last: Head,
    /// The first line that is sound in itself: its ordinal, and the line before it.
    first: Option<(u64, Head)>,
    /// Why the log begins where it does is known: the deletion of what was before is on record, or the very first line is
    /// a bad one.
    is_beginning_explained: bool,
    line: u64,
    anchors: BTreeMap<u64, BTreeSet<String>>,
}

impl Verifier {
    /// A verifier for a whole log.
    pub fn new() -> Self {
        Self::default()
    }

    /// A verifier for the lines that follow this one.
    pub fn after(head: Head) -> Self {
        Self { expected: Some(head.clone()), last: head, ..Self::default() }
    }

    /// Requires the line at each of these places to be there and to have the recorded hash. Places before the first line
    /// of a log whose beginning was deleted are passed over.
    #[must_use]
    pub fn with_anchors(mut self, anchors: impl IntoIterator<Item = Head>) -> Self {
        for anchor in anchors.into_iter().filter(|a| a.seq > 0) {
            self.anchors.entry(anchor.seq).or_default().insert(anchor.hash);
        }
        self
    }

    /// Tells it that the next line is the first of a segment, so that line numbers start anew.
    pub fn next_segment(&mut self) {
        self.line = 0;
    }

    /// Checks the next line, given without its line feed, and gives its place.
    pub fn check(&mut self, line: &str) -> Result<&Head, BadLine> {
        self.line += 1;
        match self.judge(line) {
            Ok(()) => Ok(&self.last),
            Err(fault) => {
                self.is_beginning_explained |= self.first.is_none();
                Err(BadLine { line: self.line, fault })
            }
        }
    }

    /// The last line that is sound in itself, so far.
    pub fn head(&self) -> &Head {
        &self.last
    }

    /// The last line, and what is wrong with the log as a whole.
    pub fn finish(self) -> (Head, Vec<Flaw>) {
        let mut flaws = Vec::new();
        let first = self.first.map_or(1, |(seq, _)| seq);
        if first > 1 && !self.is_beginning_explained {
            flaws.push(Flaw::NoBeginning { first });
        }
        let ends_at = self.last.seq;
        let mut recorded = self.anchors.range(first..).map(|(anchored, _)| *anchored);
        if let Some(anchored) = recorded.clone().find(|anchored| *anchored <= ends_at) {
            flaws.push(Flaw::Missing { anchored });
        }
        if let Some(anchored) = recorded.rfind(|anchored| *anchored > ends_at) {
            flaws.push(Flaw::CutOff { ends_at, anchored });
        }
        (self.last, flaws)
    }

    fn judge(&mut self, line: &str) -> Result<(), Fault> {
        let expected = self.expected.take();
        let (open, hash) = split_hash(line).ok_or(Fault::NotALine)?;
        if hash_of_open(open) != hash {
            return Err(Fault::Changed);
        }
        let link = Link::read(open).ok_or(Fault::NotALine)?;
        let head = Head { seq: link.seq, hash: hash.to_owned() };
        let recorded = self.anchors.remove(&head.seq).unwrap_or_default();
        let before = Head { seq: link.seq.saturating_sub(1), hash: link.prev.to_owned() };
        if self.first.is_none() {
            self.first = Some((link.seq, before.clone()));
        }
        self.note_deletion(link.rest);
        self.last = head.clone();
        self.expected = Some(head);
        let follows = match expected {
            Some(expected) => expected == before,
            None => link.seq > 1 || link.prev == GENESIS,
        };
        if link.seq == 0 || !follows {
            return Err(Fault::Detached);
        }
        if recorded.iter().any(|recorded| recorded != hash) {
            return Err(Fault::Rewritten);
        }
        Ok(())
    }

    /// Whether this line records that everything before the first line was deleted.
    fn note_deletion(&mut self, rest: &str) {
        if !rest.starts_with(",\"event\":\"deletion\"") {
            return;
        }
        let fields = format!("{{{}}}", rest.trim_start_matches(','));
        if let (Ok(deletion), Some((_, before))) = (serde_json::from_str::<DeletedUpTo>(&fields), &self.first)
        {
            self.is_beginning_explained |= deletion.last == *before;
        }
    }
}

/// What a deletion names.
#[derive(Deserialize)]
struct DeletedUpTo {
    last: Head,
}

/// The fields by which lines hang together, read from a line without its hash.
struct Link<'a> {
    seq: u64,
    prev: &'a str,
    /// The fields of the event, from the comma before them on.
    rest: &'a str,
}

impl<'a> Link<'a> {
    fn read(open: &'a str) -> Option<Self> {
        let (seq, rest) = open.strip_prefix("{\"seq\":")?.split_once(',')?;
        let (_, rest) = rest.strip_prefix("\"boot_id\":\"")?.split_once("\",\"prev\":\"")?;
        let (prev, rest) = rest.split_at_checked(GENESIS.len())?;
        Some(Self { seq: seq.parse().ok()?, prev, rest: rest.strip_prefix('"')? })
    }
}

fn split_hash(line: &str) -> Option<(&str, &str)> {
    let quoted = line.strip_suffix("\"}")?;
    let (rest, hash) = quoted.split_at_checked(quoted.len().checked_sub(GENESIS.len())?)?;
    Some((rest.strip_suffix(",\"hash\":\"")?, hash))
}

#[cfg(test)]
mod tests;
