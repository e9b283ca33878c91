//! Drives the daemon's whole pipeline in this process with a model that answers at once, and prints figures as lines of
//! JSON: three model calls and one tool call a task, with journal, audit and memory, but without the gRPC service.
//!
//! `pipeline written` writes events without syncing them, `pipeline durable` syncs as the daemon does, `pipeline
//! subtasks` measures plans with several parallel subtasks. Without an argument each runs in a process of its own. A
//! second argument, `short`, makes a measurement a matter of seconds.
//! `pipeline table` measures nothing: it reads such lines from standard input and prints them with their ratios.

mod bench;
mod journals;
mod measure;
mod model;

use anyhow::{bail, ensure};
use artoo_benches::goal::SUBTASKS;
use artoo_benches::{Figure, table};
use measure::{FULL, Length, SHORT};

/// The modes, in the order in which they run.
const MODES: [&str; 3] = ["written", "durable", "subtasks"];

fn main() -> anyhow::Result<()> {
    // cargo bench adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let Some(mode) = arguments.next() else {
        return run_each();
    };
    if mode == "table" {
        return print_table();
    }
    let length = match arguments.next().as_deref() {
        None => FULL,
        Some("short") => SHORT,
        Some(other) => bail!("a measurement is `short` or has no second argument, not {other:?}"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // Spawned, so that submitting runs on a worker as it does behind the daemon's socket.
    runtime.block_on(async { tokio::spawn(async move { run(&mode, length).await }).await? })
}

async fn run(mode: &str, length: Length) -> anyhow::Result<()> {
    match mode {
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

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn print_table() -> anyhow::Result<()> {
    let lines = std::io::read_to_string(std::io::stdin())?;
    let figures = Figure::parse_lines(&lines).map_err(anyhow::Error::msg)?;
    print!("{}", table::render(&figures));
    Ok(())
}
