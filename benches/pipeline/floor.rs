//! The floor of a task: the same bytes to the same files, with the hashes and system calls that the promises need, and nothing else.
//! One thread, no roles, no messages: what no daemon that keeps the promises can go below.
//!
//! A task of artoo has run before, whose records, lines and prompts are used again. A floor task makes its journal and writes each
//! record with one call, sealed by checksum and chain; enters its beginning and end in the index; hashes its prompts; reads the
//! replies and the note; writes one memory into the store; reads the journal back as the auditor does, checks each line and
//! walks its JSON; and appends the hashed lines of the audit. Encoding the records is not in it.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use artoo_journal::line::{LineHash, seal, unseal};
use artoo_store::{MemoryWriter, WriteOutcome};
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::bench::Bench;
use crate::sample::Sample;

/// Does the least that a task needs.
pub(crate) struct Floor {
    sample: Sample,
    replies: Vec<String>,
    folder: tempfile::TempDir,
    index: File,
    audit: File,
    writer: MemoryWriter,
    done: u64,
}

impl Floor {
    /// Has one task run, and takes what it left as the sample.
    pub(crate) async fn new() -> anyhow::Result<Self> {
        let mut bench = Bench::start(1, false)?;
        // The first task of a daemon finds some things out for those that follow.
        bench.run_one().await?;
        bench.run_one().await?;
        bench.settle().await?;
        let (sample, replies) = (Sample::of_last(&bench.data())?, bench.replies());
        bench.stop().await?;
        let folder = tempfile::Builder::new().prefix("artoo-floor-").tempdir()?;
        std::fs::write(folder.path().join("note.txt"), crate::bench::NOTE)?;
        let (_, writer, _) = artoo_store::open(&folder.path().join("memory"))?;
        let index = appending(&folder.path().join("accept.jsonl"))?;
        let audit = appending(&folder.path().join("audit.jsonl"))?;
        Ok(Self { sample, replies, folder, index, audit, writer, done: 0 })
    }

    /// One task.
    pub(crate) fn run_one(&mut self) -> anyhow::Result<()> {
        self.done += 1;
        let path = self.journal();
        let mut journal = appending(&path)?;
        let mut head = LineHash::GENESIS;
        for record in &self.sample.records {
            let mut line = seal(record, head).context("a record is an object")?;
            head = LineHash::of(&line);
            line.push('\n');
            journal.write_all(line.as_bytes())?;
        }
        for line in &self.sample.index {
            self.index.write_all(line.as_bytes())?;
        }
        for prompt in &self.sample.prompts {
            std::hint::black_box(Sha256::digest(prompt));
        }
        for reply in &self.replies {
            std::hint::black_box(serde_json::from_str::<serde_json::Value>(reply)?);
        }
        std::hint::black_box(std::fs::read(self.folder.path().join("note.txt"))?);
        let memory = memory(self.done)?;
        let stored = self.writer.write(memory.created_at, &memory)?;
        ensure!(stored == WriteOutcome::Stored, "a memory is new");
        drop(journal);
        self.watch(&path)
    }

    /// What the auditor does with a task.
    fn watch(&mut self, path: &Path) -> anyhow::Result<()> {
        for line in std::fs::read_to_string(path)?.lines() {
            let line = unseal(line.as_bytes())?;
            serde_json::from_str::<IgnoredAny>(line.json)?;
        }
        let mut batch = Vec::new();
        for line in &self.sample.audit {
            std::hint::black_box(Sha256::digest(line));
            batch.extend_from_slice(line.as_bytes());
            batch.push(b'\n');
        }
        Ok(self.audit.write_all(&batch)?)
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join(format!("{}.jsonl", self.done))
    }
}

fn appending(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().append(true).create_new(true).mode(0o600).open(path)
}

/// What a task taught.
fn memory(number: u64) -> anyhow::Result<Megram> {
    Ok(Megram {
        id: Uuid::from_u128(u128::from(number)),
        level: Level::M,
        created_at: Timestamp(i64::try_from(number)?),
        last_recalled_at: None,
        tag: Tag::tool("read_file", Some("note.txt")),
        content: "The note was read with read_file, and its text was the answer.".to_owned(),
        state: "accept".to_owned(),
        f: 0.9,
        sigma: 1.0,
        k: Rate::Slow,
        agent_id: "artoo".to_owned(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    })
}
