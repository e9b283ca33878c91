//! Very many tasks in one daemon: whether anything grows that should not.

use std::time::Instant;

use anyhow::{Context, ensure};
use artoo_benches::figure::median;

use crate::bench::Bench;
use crate::measure::resident_mb;

/// Parts of which the first is held against the last.
const PARTS: u64 = 10;
/// Tasks before anything counts: caches fill, threads start, the store makes its files.
const WARM_UPS: u64 = 200;
/// What a daemon may hold for a task that has ended, in bytes: its line of the index of tasks, by which a repeated request is
/// recognised.
const BYTES_A_TASK: f64 = 1_024.0;
/// What the memory may grow by besides, in MB: buffers of the store and of the allocator.
const SLACK_MB: f64 = 48.0;
/// Descriptors that may be open at the end and not at the start: files of the store.
const SLACK_FILES: usize = 64;

/// How one part went.
struct Part {
    latency_ms: f64,
    resident_mb: Option<f64>,
    files: Option<usize>,
}

/// Runs so many tasks, one after the other, and prints one line for each tenth of them.
///
/// # Errors
/// When memory or open files have grown beyond what is kept of ended tasks. A time is no error.
pub(crate) async fn run(tasks: u64) -> anyhow::Result<()> {
    let mut bench = Bench::start(1, false)?;
    for _ in 0..WARM_UPS {
        bench.run_one().await?;
    }
    bench.settle().await?;
    let mut parts: Vec<Part> = Vec::new();
    for number in 1..=PARTS {
        let mut latencies = Vec::new();
        for _ in 0..tasks / PARTS {
            let since = Instant::now();
            bench.run_one().await?;
            latencies.push(since.elapsed().as_secs_f64() * 1e3);
        }
        bench.settle().await?;
        let latency_ms = median(latencies).context("a soak takes ten tasks at least")?;
        let part = Part { latency_ms, resident_mb: resident_mb(), files: open_files() };
        say(&format!(
            "{number}0 %: median {:.2} ms a task, {} MB resident, {} descriptors",
            part.latency_ms,
            part.resident_mb.map_or("?".to_owned(), |mb| format!("{mb:.1}")),
            part.files.map_or("?".to_owned(), |files| files.to_string()),
        ));
        parts.push(part);
    }
    bench.stop().await?;
    judge(&parts, tasks)
}

fn judge(parts: &[Part], tasks: u64) -> anyhow::Result<()> {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Ok(()) };
    say(&format!("latency of the last tenth: {:.2} of the first", last.latency_ms / first.latency_ms));
    if let (Some(before), Some(after)) = (first.resident_mb, last.resident_mb) {
        let kept = BYTES_A_TASK * tasks as f64 / 1e6;
        ensure!(
            after <= before + kept + SLACK_MB,
            "resident memory grew from {before} to {after} MB in {tasks} tasks"
        );
    }
    if let (Some(before), Some(after)) = (first.files, last.files) {
        ensure!(after <= before + SLACK_FILES, "descriptors grew from {before} to {after} in {tasks} tasks");
    }
    Ok(())
}

/// Open descriptors of this process; none where the system does not list them.
fn open_files() -> Option<usize> {
    ["/proc/self/fd", "/dev/fd"].iter().find_map(|folder| Some(std::fs::read_dir(folder).ok()?.count()))
}

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn say(line: &str) {
    println!("{line}");
}
