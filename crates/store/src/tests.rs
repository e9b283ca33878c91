//! Against real databases in temporary folders.

use std::path::{Path, PathBuf};

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use tempfile::TempDir;
use uuid::Uuid;

use crate::open_store::OpenStore;
use crate::{Maintenance, MemoryReader, MemoryWriter, Verification, WriteOutcome};

mod backing_up;
mod forgetting;
mod interleaving;
mod keeping;
mod killing;
mod lasting;
mod migrating;
mod opening;
mod outlooking;
mod promoting;
mod proposing;
mod reading;
mod recalling;
mod rising;
mod scale;
mod sharing;
mod verifying;
mod wishing;
mod writing;

/// 2026-01-01.
const START: Timestamp = Timestamp(1_767_225_600_000);
const DAY: u64 = 86_400_000;
/// Rates of memories, some more often than others.
const RATES: [Rate; 8] = {
    use Rate::{Fast, Medium, Slow, Timeless};
    [Timeless, Slow, Slow, Slow, Medium, Medium, Fast, Fast]
};

/// An open store with its folder.
struct Store {
    reader: MemoryReader,
    writer: MemoryWriter,
    maintenance: Maintenance,
    folder: TempDir,
}

impl Store {
    fn new() -> Self {
        Self::at(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    fn at(folder: TempDir) -> Self {
        let (reader, writer, maintenance) = crate::open(folder.path()).expect("the store opens");
        Self { reader, writer, maintenance, folder }
    }

    /// Closes it; the folder is left.
    fn closed(self) -> TempDir {
        let Self { reader, writer, maintenance, folder } = self;
        drop((reader, writer, maintenance));
        folder
    }

    /// Closes and opens it again.
    fn reopened(self) -> Self {
        Self::at(self.closed())
    }

    fn open(&self) -> &OpenStore {
        &self.reader.store
    }

    /// Forgets, and returns how many there were.
    fn forget(&mut self, at: Timestamp, ids: &[Uuid]) -> u64 {
        self.writer.forget(at, ids).expect("they are forgotten")
    }

    /// Forgets everything under a tag.
    fn forget_tag(&mut self, at: Timestamp, tag: &Tag) -> u64 {
        let megrams = self.reader.under(tag, usize::MAX).expect("it reads");
        self.forget(at, &megrams.iter().map(|megram| megram.id).collect::<Vec<_>>())
    }

    fn write(&mut self, megram: &Megram) {
        let written = self.writer.write(megram.created_at, megram).expect("it is written");
        assert_eq!(written, WriteOutcome::Stored);
    }

    fn remember(&mut self, megram: &Megram) {
        let written = self.writer.remember(megram.created_at, megram).expect("it is remembered");
        assert_eq!(written, WriteOutcome::Stored);
    }

    /// Verifies, and expects nothing to be found.
    fn verified(&self) -> Verification {
        let report = self.reader.verify().expect("it can be verified");
        assert!(report.findings.is_empty(), "{:#?}", report.findings);
        report
    }
}

fn after(days: f64) -> Timestamp {
    START.plus_ms((days * DAY as f64) as u64)
}

fn tool_tag(name: &str) -> Tag {
    Tag::tool("glob", Some(name))
}

/// What an accepted task teaches about `tag`, made at the start.
fn megram(number: u128, tag: &Tag) -> Megram {
    Megram {
        id: Uuid::from_u128(number),
        level: Level::M,
        created_at: START,
        last_recalled_at: None,
        tag: tag.clone(),
        content: format!("lesson {number}"),
        state: "accept".to_owned(),
        f: 0.9,
        sigma: 1.0,
        k: Rate::Slow,
        agent_id: "artoo".to_owned(),
        task_id: None,
        parents: vec![],
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

fn rule(number: u128, tag: &Tag, sigma: f64) -> Megram {
    Megram {
        level: Level::C,
        sigma,
        k: Rate::Timeless,
        content: format!("rule {number}"),
        ..megram(number, tag)
    }
}

/// A copy of a folder as a killed process would leave it: what was written to files, without closing anything.
fn copy_of(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder can be made");
    for file in std::fs::read_dir(folder).expect("the folder can be read") {
        let file = file.expect("the entry can be read");
        std::fs::copy(file.path(), copy.path().join(file.file_name())).expect("the file can be copied");
    }
    copy
}

/// The newest log in a folder.
fn log_of(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).expect("the folder can be read").flatten();
    let logs = files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "log"));
    logs.max().expect("there is a log")
}

/// A store as a power cut would leave it: the newest log of `store` ends after this many thousandths of its length.
fn torn(store: &Store, thousandths: u64) -> Store {
    let copy = copy_of(store.folder.path());
    let path = log_of(copy.path());
    let length = path.metadata().expect("the log is there").len();
    let log = std::fs::OpenOptions::new().write(true).open(path).expect("the log opens");
    log.set_len(length * thousandths / 1_000).expect("the log can be cut");
    Store::at(copy)
}
