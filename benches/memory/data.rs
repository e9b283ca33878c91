//! The memories that are measured.

use std::path::Path;
use std::time::Instant;

use anyhow::ensure;
use artoo_store::{Maintenance, MemoryReader, MemoryWriter, WriteOutcome};
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

/// 2026-01-01.
pub(crate) const START: Timestamp = Timestamp(1_767_225_600_000);
pub(crate) const DAY_MS: u64 = 86_400_000;

/// The rows of the matrix by which the controller weighs what it writes: state, f, sigma, k.
const MATRIX: [(&str, f64, f64, Rate); 4] = [
    ("accept", 0.90, 1.0, Rate::Slow),
    ("abandon", 0.95, -1.0, Rate::Slow),
    ("change_path", 0.30, 0.0, Rate::Medium),
    ("refine", 0.10, 0.5, Rate::Fast),
];

/// An open store.
pub(crate) struct Store {
    pub(crate) reader: MemoryReader,
    pub(crate) writer: MemoryWriter,
    pub(crate) dreamer: Maintenance,
}

impl Store {
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        let (reader, writer, dreamer) = artoo_store::open(folder)?;
        Ok(Self { reader, writer, dreamer })
    }

    /// Writes them as the daemon does: one after the other, synced now and then.
    pub(crate) fn write_all(&mut self, megrams: impl Iterator<Item = Megram>) -> anyhow::Result<()> {
        for (number, megram) in megrams.enumerate() {
            ensure!(self.writer.write(megram.created_at, &megram)? == WriteOutcome::Stored, "it is new");
            if number % 20_000 == 19_999 {
                self.writer.flush()?;
            }
        }
        self.writer.flush()?;
        Ok(())
    }
}

pub(crate) fn tag(name: &str) -> Tag {
    Tag::tool("glob", Some(name))
}

/// What a task taught about `tag`, in a sentence or two, so many milliseconds after the start.
pub(crate) fn megram(number: u128, tag: &Tag, after_ms: u64) -> Megram {
    let (state, f, sigma, k) = MATRIX[(number % 4) as usize];
    Megram {
        id: Uuid::from_u128(number.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)),
        level: Level::M,
        created_at: START.plus_ms(after_ms),
        last_recalled_at: None,
        tag: tag.clone(),
        content: format!(
            "Looking for the files by name alone found {} of them, and two lay elsewhere.",
            number % 97
        ),
        state: state.to_owned(),
        f,
        sigma,
        k,
        agent_id: "artoo".to_owned(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

/// So many memories of one tag, over a year.
pub(crate) fn of_one_tag(first: u128, count: u64, tag: &Tag) -> impl Iterator<Item = Megram> + use<> {
    let apart_ms = 365 * DAY_MS / count.max(1);
    let tag = tag.clone();
    (0..count).map(move |n| megram(first + u128::from(n), &tag, n * apart_ms))
}

/// Nanoseconds of one call: the median over batches of `calls`.
pub(crate) fn median_ns(
    batches: usize,
    calls: u32,
    mut call: impl FnMut() -> anyhow::Result<()>,
) -> anyhow::Result<f64> {
    let mut times = Vec::with_capacity(batches);
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        times.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    artoo_benches::figure::median(times).ok_or_else(|| anyhow::anyhow!("nothing was measured"))
}
