//! Drives the daemon's whole pipeline in this process with a model that answers at once, and prints figures as lines of
//! JSON: three model calls and one tool call a task, with journal, audit and memory, but without the gRPC service.
//!
//! `pipeline written` writes events without syncing them, `pipeline durable` syncs as the daemon does, `pipeline
//! subtasks` measures plans with several parallel subtasks, `pipeline floor` what a task costs at the least. Without an argument
//! each runs in a process of its own. A second argument, `short`, makes a measurement a matter of seconds.
//! `pipeline tasks N` runs N tasks and prints nothing: for a profiler. `pipeline soak N` runs them in one daemon and prints what
//! became of its memory, its open files and its speed.
//! `pipeline table` measures nothing: it reads such lines from standard input and prints them with their ratios. `pipeline history
//! FOLDER` draws the runs that were kept there.

mod bench;
mod floor;
mod history;
mod journals;
mod measure;
mod model;
mod sample;
mod soak;

use std::path::Path;

use anyhow::{Context, bail, ensure};
use artoo_benches::goal::SUBTASKS;
use artoo_benches::{Figure, table};
use measure::{FULL, Length, SHORT};

/// The modes, in the order in which they run.
const MODES: [&str; 4] = ["written", "durable", "subtasks", "floor"];

fn main() -> anyhow::Result<()> {
    // cargo bench adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let Some(mode) = arguments.next() else {
        return run_each();
    };
    if mode == "table" {
        return print_table();
    }
    if mode == "history" {
        let folder = arguments.next().context("usage: pipeline history FOLDER")?;
        return print_text(&history::draw(Path::new(&folder))?);
    }
    let work = Work::new(&mode, arguments.next().as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // Spawned, so that submitting runs on a worker as it does behind the daemon's socket.
    runtime.block_on(async { tokio::spawn(work.run()).await? })
}

/// What is to be done.
enum Work {
    Measure(String, Length),
    Tasks(u64),
    Soak(u64),
}

impl Work {
    fn new(mode: &str, second: Option<&str>) -> anyhow::Result<Self> {
        let count = || second.and_then(|count| count.parse().ok());
        Ok(match (mode, second) {
            ("tasks", _) => Self::Tasks(count().context("usage: pipeline tasks N")?),
            ("soak", _) => Self::Soak(count().context("usage: pipeline soak N")?),
            (_, None) => Self::Measure(mode.to_owned(), FULL),
            (_, Some("short")) => Self::Measure(mode.to_owned(), SHORT),
            (_, Some(other)) => bail!("a measurement is `short` or has no second argument, not {other:?}"),
        })
    }

    async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Measure(mode, length) => measure_mode(&mode, length).await,
            Self::Tasks(count) => {
                let mut bench = bench::Bench::start(1, false)?;
                for _ in 0..count {
                    bench.run_one().await?;
                }
                bench.settle().await?;
                bench.stop().await
            }
            Self::Soak(count) => soak::run(count).await,
        }
    }
}

async fn measure_mode(mode: &str, length: Length) -> anyhow::Result<()> {
    match mode {
        "floor" => print(&measure::measure_floor(length).await?),
        "written" => print(&measure::measure("written", 1, false, true, length).await?),
        "durable" => print(&measure::measure("durable", 1, true, true, length).await?),
        "subtasks" => {
            for subtasks in SUBTASKS.into_iter().filter(|n| *n > 1) {
                print(&measure::measure("written", subtasks, false, false, length).await?)?;
            }
            Ok(())
        }
        other => bail!("there is no mode {other:?}; use one of {} or table", MODES.join(", ")),
    }
}

/// One process a mode, so that none inherits the memory of another.
fn run_each() -> anyhow::Result<()> {
    for mode in MODES {
        let status = std::process::Command::new(std::env::current_exe()?).arg(mode).status()?;
        ensure!(status.success(), "the mode {mode} failed: {status}");
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn print(figure: &Figure) -> anyhow::Result<()> {
    println!("{}", serde_json::to_string(figure)?);
    Ok(())
}

fn print_table() -> anyhow::Result<()> {
    let lines = std::io::read_to_string(std::io::stdin())?;
    let figures = Figure::parse_lines(&lines).map_err(anyhow::Error::msg)?;
    print_text(&table::render(&figures))
}

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn print_text(text: &str) -> anyhow::Result<()> {
    print!("{text}");
    Ok(())
}
