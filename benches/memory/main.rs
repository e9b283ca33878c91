//! The memory held against named baselines in the same run: a scan of the same events in this process, SQLite with the
//! same data, and a bare RocksDB. Prints ratios with their goals; nothing fails because of a time, but every sum that is
//! read is compared with the sum over all events, and a difference ends the run.
//!
//! `ARTOO_BENCH_MEGRAMS` sets how many memories the large ones have (default 1,000,000). With an argument one part runs:
//! `query`, `write`, `dream`, `open`.

mod data;
mod dream;
mod open;
mod query;
mod sqlite;
mod write;

use anyhow::{Context, bail};
use artoo_benches::goal::{Comparison, Wanted};
use artoo_benches::table;

fn main() -> anyhow::Result<()> {
    // cargo bench adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let many = match std::env::var("ARTOO_BENCH_MEGRAMS") {
        Ok(text) => text.parse().context("ARTOO_BENCH_MEGRAMS is no number")?,
        Err(_) => 1_000_000,
    };
    let place = tempfile::Builder::new().prefix("artoo-bench-memory-").tempdir()?;
    match arguments.first().map(String::as_str) {
        None => {
            say(&format!("{many} memories; in {}", place.path().display()));
            let mut rows = query::measure(place.path(), many)?;
            rows.extend(write::measure(place.path())?);
            let (folder, dreamt) = dream::measure(place.path(), many)?;
            rows.extend(dreamt);
            rows.extend(open::measure(&folder, place.path(), many)?);
            show(&rows);
        }
        Some("query") => show(&query::measure(place.path(), many)?),
        Some("write") => show(&write::measure(place.path())?),
        Some("dream") => show(&dream::measure(place.path(), many)?.1),
        Some("open") => {
            let (folder, _) = dream::measure(place.path(), many)?;
            show(&open::measure(&folder, place.path(), many)?);
        }
        // A process of its own for one opening.
        Some(what @ ("open-ours" | "open-bare" | "open-sqlite")) => {
            let folder = arguments.get(1).context("which folder is to be opened?")?;
            say(&serde_json::to_string(&open::once(what, folder.as_ref())?)?);
        }
        Some(other) => bail!("there is no part {other:?}; take query, write, dream or open"),
    }
    Ok(())
}

/// One line of the table of ratios.
fn row(
    what: &'static str,
    baseline: &'static str,
    unit: &'static str,
    (ours, theirs): (f64, f64),
    wanted: Wanted,
) -> Comparison {
    Comparison { what, baseline, unit, ours: Some(ours), theirs: Some(theirs), wanted }
}

fn show(rows: &[Comparison]) {
    say(&format!("\n{}", table::ratios(rows).trim_end()));
}

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn say(line: &str) {
    println!("{line}");
}
