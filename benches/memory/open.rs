//! Opening a large memory in a new process, and what it takes of the machine's memory.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};
use artoo_benches::figure::median;
use artoo_benches::goal::{Comparison, Wanted};
use rocksdb::{DB, Options};
use serde::{Deserialize, Serialize};

use crate::data::{DAY_MS, START, Store, tag};
use crate::row;
use crate::sqlite::Sqlite;

/// Openings of each kind, in turn.
const ROUNDS: usize = 15;
/// Lookups before resident memory is read.
const LOOKUPS: u64 = 2_000;

/// One opening.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// Until the first lookup was answered.
    ms: f64,
    /// Resident memory before, and after further lookups all over the memory.
    before_mb: f64,
    after_mb: f64,
}

pub(crate) fn measure(folder: &Path, place: &Path, many: u64) -> anyhow::Result<Vec<Comparison>> {
    let small = place.join("open-small");
    let mut store = Store::open(&small)?;
    store.write_all(crate::data::of_one_tag(1, 100, &tag("/home/somebody/folder/0")))?;
    drop(store);
    let sqlite = place.join("dream.sqlite");
    ensure!(sqlite.exists(), "the same data lies in SQLite");
    let (mut ours, mut bare, mut theirs, mut few) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // The first round replays what the last writer left in the log.
    for round in 0..=ROUNDS {
        for (what, path, kept) in [
            ("open-ours", folder, &mut ours),
            ("open-bare", folder, &mut bare),
            ("open-sqlite", sqlite.as_path(), &mut theirs),
            ("open-ours", small.as_path(), &mut few),
        ] {
            let opening = in_a_process(what, path)?;
            if round > 0 {
                kept.push(opening);
            }
        }
    }
    let ms = |all: &[Opening]| median(all.iter().map(|o| o.ms).collect()).context("nothing was opened");
    let grown = |all: &[Opening]| {
        median(all.iter().map(|o| o.after_mb - o.before_mb).collect()).context("nothing was opened")
    };
    let bytes = |path: &Path| -> anyhow::Result<f64> {
        let files = if path.is_dir() {
            std::fs::read_dir(path)?.flatten().map(|f| f.path()).collect()
        } else {
            vec![path.to_owned()]
        };
        let sizes = files.iter().filter_map(|file| Some(file.metadata().ok()?.len()));
        Ok(sizes.sum::<u64>() as f64 / f64::from(1_u32 << 20))
    };
    crate::say(&format!("opened with {many} memories, {ROUNDS} times each"));
    Ok(vec![
        row(
            "open and look up, most memories",
            "a bare RocksDB on the same files",
            "ms",
            (ms(&ours)?, ms(&bare)?),
            Wanted::AtMost(1.5),
        ),
        row(
            "open and look up, most memories",
            "10^2 memories",
            "ms",
            (ms(&ours)?, ms(&few)?),
            Wanted::Nothing,
        ),
        row("open and look up, most memories", "SQLite", "ms", (ms(&ours)?, ms(&theirs)?), Wanted::Nothing),
        row(
            "resident memory for it",
            "a bare RocksDB",
            "MB",
            (grown(&ours)?, grown(&bare)?),
            Wanted::AtMost(1.0),
        ),
        row("resident memory for it", "SQLite", "MB", (grown(&ours)?, grown(&theirs)?), Wanted::Nothing),
        row("disk", "SQLite", "MB", (bytes(folder)?, bytes(&sqlite)?), Wanted::Nothing),
    ])
}

fn in_a_process(what: &str, path: &Path) -> anyhow::Result<Opening> {
    let output = Command::new(std::env::current_exe()?).arg(what).arg(path).output()?;
    ensure!(output.status.success(), "{what} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Opens it once, in this process.
pub(crate) fn once(what: &str, path: &Path) -> anyhow::Result<Opening> {
    let tag_of = |n: u64| tag(&format!("/home/somebody/folder/{}", n * 7_919 % 100_000));
    let now = START.plus_ms(10 * DAY_MS);
    let before_mb = resident_mb()?;
    let start = Instant::now();
    let (ms, after_mb) = match what {
        "open-ours" => {
            let store = Store::open(path)?;
            ensure!(store.reader.query_mk(now, &tag_of(0))?.attention > 0.0, "it is there");
            let ms = start.elapsed().as_secs_f64() * 1e3;
            for n in 0..LOOKUPS {
                std::hint::black_box(store.reader.query_mk(now, &tag_of(n))?);
            }
            (ms, resident_mb()?)
        }
        "open-bare" => {
            let options = Options::default();
            let families = DB::list_cf(&options, path)?;
            let db = DB::open_cf(&options, path, families)?;
            let derived = db.cf_handle("derived").context("it is a memory")?;
            let key = |n: u64| {
                let tag = tag_of(n);
                format!("a|{}|{}", tag.space, tag.entity)
            };
            ensure!(db.get_cf(derived, key(0))?.is_some(), "it is there");
            let ms = start.elapsed().as_secs_f64() * 1e3;
            for n in 0..LOOKUPS {
                std::hint::black_box(db.get_cf(derived, key(n))?);
            }
            (ms, resident_mb()?)
        }
        _ => {
            let sqlite = Sqlite::open(path, "NORMAL")?;
            ensure!(sqlite.potentials(&tag_of(0), now)?.attention > 0.0, "it is there");
            let ms = start.elapsed().as_secs_f64() * 1e3;
            for n in 0..LOOKUPS {
                std::hint::black_box(sqlite.potentials(&tag_of(n), now)?);
            }
            (ms, resident_mb()?)
        }
    };
    Ok(Opening { ms, before_mb, after_mb })
}

/// Resident memory of this process in MB, as `ps` tells it.
fn resident_mb() -> anyhow::Result<f64> {
    let id = std::process::id().to_string();
    let told = Command::new("ps").args(["-o", "rss=", "-p", &id]).output()?;
    let kib: f64 = String::from_utf8(told.stdout)?.trim().parse().context("ps tells a number")?;
    Ok(kib / 1024.0)
}
