//! Times and memory of this process, and the course of one measurement.

use std::time::Instant;

use anyhow::Context;
use artoo_benches::Figure;
use artoo_benches::figure::median;
use rustix::time::{ClockId, clock_gettime};

use crate::bench::Bench;
use crate::floor::Floor;

/// How much a measurement does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Length {
    /// Tasks before anything counts.
    warm_ups: u32,
    /// Blocks of tasks, one after the other.
    blocks: u32,
    /// Tasks of a block.
    block_tasks: u32,
    /// Bursts of tasks at once.
    bursts: u32,
    /// Tasks of a burst.
    at_once: u64,
}

/// Figures that can be compared with those of another day.
pub(crate) const FULL: Length = Length { warm_ups: 20, blocks: 5, block_tasks: 40, bursts: 5, at_once: 100 };
/// Seconds: enough to see that the pipeline does its work and that the ratios can be computed.
pub(crate) const SHORT: Length = Length { warm_ups: 2, blocks: 3, block_tasks: 5, bursts: 1, at_once: 20 };

/// Measures a daemon. `mode` names it in the figure.
pub(crate) async fn measure(
    mode: &str,
    subtasks: u32,
    sync: bool,
    bursts: bool,
    length: Length,
) -> anyhow::Result<Figure> {
    let mut bench = Bench::start(subtasks, sync)?;
    let resident_start_mb = resident_mb();
    for _ in 0..length.warm_ups {
        bench.run_one().await?;
    }
    bench.settle().await?;
    let (mut walls, mut cpus, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..length.blocks {
        let block = cpu_ms();
        for _ in 0..length.block_tasks {
            let (wall, cpu) = (Instant::now(), cpu_ms());
            bench.run_one().await?;
            cpus.push(cpu_ms() - cpu);
            walls.push(wall.elapsed().as_secs_f64() * 1e3);
        }
        bench.settle().await?;
        blocks.push((cpu_ms() - block) / f64::from(length.block_tasks));
    }
    let mut rates = Vec::new();
    for _ in 0..if bursts { length.bursts } else { 0 } {
        let wall = Instant::now();
        bench.run_at_once(length.at_once).await?;
        rates.push(length.at_once as f64 / wall.elapsed().as_secs_f64());
        bench.settle().await?;
    }
    let resident_end_mb = resident_mb();
    let (journal_bytes, journal_full_bytes) = bench.journal_sizes()?;
    bench.stop().await?;
    Ok(Figure {
        system: "artoo".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        mode: mode.to_owned(),
        subtasks,
        tasks: length.blocks * length.block_tasks,
        wall_ms: median(walls).context("no task was measured")?,
        cpu_ms: median(cpus).context("no task was measured")?,
        cpu_block_ms: median(blocks).context("no block was measured")?,
        at_once_per_s: median(rates),
        resident_start_mb,
        resident_end_mb,
        journal_bytes: Some(journal_bytes),
        journal_full_bytes: Some(journal_full_bytes),
    })
}

/// Measures what a task costs at the least.
pub(crate) async fn measure_floor(length: Length) -> anyhow::Result<Figure> {
    let mut floor = Floor::new().await?;
    let resident_start_mb = resident_mb();
    for _ in 0..length.warm_ups {
        floor.run_one()?;
    }
    let (mut walls, mut cpus, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..length.blocks {
        let block = cpu_ms();
        for _ in 0..length.block_tasks {
            let (wall, cpu) = (Instant::now(), cpu_ms());
            floor.run_one()?;
            cpus.push(cpu_ms() - cpu);
            walls.push(wall.elapsed().as_secs_f64() * 1e3);
        }
        blocks.push((cpu_ms() - block) / f64::from(length.block_tasks));
    }
    Ok(Figure {
        system: "artoo".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        mode: "floor".to_owned(),
        subtasks: 1,
        tasks: length.blocks * length.block_tasks,
        wall_ms: median(walls).context("no task was measured")?,
        cpu_ms: median(cpus).context("no task was measured")?,
        cpu_block_ms: median(blocks).context("no block was measured")?,
        at_once_per_s: None,
        resident_start_mb,
        resident_end_mb: resident_mb(),
        journal_bytes: None,
        journal_full_bytes: None,
    })
}

/// CPU time of all threads of this process so far, in milliseconds.
fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Resident memory of this process in MB, as `ps` tells it; none where there is no `ps`.
pub(crate) fn resident_mb() -> Option<f64> {
    let id = std::process::id().to_string();
    let told = std::process::Command::new("ps").args(["-o", "rss=", "-p", &id]).output().ok()?;
    let kib: f64 = String::from_utf8(told.stdout).ok()?.trim().parse().ok()?;
    Some((kib / 102.4).round() / 10.0)
}
