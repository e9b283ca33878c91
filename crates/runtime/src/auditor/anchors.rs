//! `anchors.jsonl`: heads of the log, recorded outside of its segments.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use artoo_types::Timestamp;
use artoo_types::operator::AuditHead;
use serde::{Deserialize, Serialize};

use super::segment::WholeLines;
use super::storage::Storage;

/// The file's name in the folder of the segments.
pub(super) const FILE: &str = "anchors.jsonl";

/// Why a head was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AnchorReason {
    /// The daemon started.
    Start,
    /// The daemon ended in order.
    Shutdown,
    /// A report carries the head.
    Report,
    /// A segment is full, or is not added to any more.
    Segment,
    /// Many lines have come since the last anchor.
    Lines,
}

impl AnchorReason {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Shutdown => "shutdown",
            Self::Report => "report",
            Self::Segment => "segment",
            Self::Lines => "lines",
        }
    }
}

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Anchor {
    pub(super) time: Timestamp,
    #[serde(flatten)]
    pub(super) head: AuditHead,
    pub(super) segment: String,
    pub(super) why: AnchorReason,
}

/// The writing end.
pub(super) struct Anchors {
    path: PathBuf,
    file: File,
    last: AuditHead,
    /// Length of the file up to its last whole line.
    length: u64,
    must_cut: bool,
}

impl Anchors {
    /// Opens the file, or makes it. A line that a crash cut short is taken back.
    pub(super) fn open(folder: &Path, storage: &mut dyn Storage) -> io::Result<Self> {
        let path = folder.join(FILE);
        let file = storage.open(&path)?;
        let mut last = AuditHead::default();
        let mut lines = WholeLines::open(&path, 0)?;
        while let Some(line) = lines.next_line()? {
            if let Ok(anchor) = serde_json::from_str::<Anchor>(line) {
                last = anchor.head;
            }
        }
        let (length, must_cut) = (lines.offset(), lines.rest() > 0);
        Ok(Self { path, file, last, length, must_cut })
    }

    /// The last head that was recorded.
    pub(super) fn last(&self) -> &AuditHead {
        &self.last
    }

    /// Records a head, on the disk.
    pub(super) fn record(&mut self, anchor: &Anchor, storage: &mut dyn Storage) -> io::Result<()> {
        if self.must_cut {
            storage.cut(&self.file, self.length)?;
            self.must_cut = false;
        }
        let mut line = serde_json::to_vec(anchor)?;
        line.push(b'\n');
        self.must_cut = true;
        storage.append(&mut self.file, &line)?;
        self.must_cut = false;
        self.length += line.len() as u64;
        self.last = anchor.head.clone();
        storage.sync(&self.file)
    }

    /// Forgets the heads before `first`, whose lines were deleted.
    pub(super) fn prune(&mut self, first: u64, storage: &mut dyn Storage) -> io::Result<()> {
        let mut kept = Vec::new();
        let mut lines = WholeLines::open(&self.path, 0)?;
        while let Some(line) = lines.next_line()? {
            let is_old = serde_json::from_str::<Anchor>(line).is_ok_and(|anchor| anchor.head.seq < first);
            if !is_old {
                kept.extend_from_slice(line.as_bytes());
                kept.push(b'\n');
            }
        }
        storage.replace(&self.path, &kept)?;
        self.file = storage.open(&self.path)?;
        (self.length, self.must_cut) = (kept.len() as u64, false);
        Ok(())
    }
}

/// What the file says, for a check of the log: the heads, and what is wrong with the file itself. None when it is gone.
pub(super) fn read(folder: &Path) -> io::Result<Option<(Vec<AuditHead>, Vec<String>)>> {
    let (mut heads, mut wrong) = (Vec::new(), Vec::new());
    let mut lines = match WholeLines::open(&folder.join(FILE), 0) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut number = 0;
    while let Some(line) = lines.next_line()? {
        number += 1;
        match serde_json::from_str::<Anchor>(line) {
            Ok(anchor) => heads.push(anchor.head),
            Err(_) => wrong.push(format!("{FILE}: line {number} is not a recorded head: it was changed")),
        }
    }
    Ok(Some((heads, wrong)))
}
