//! How long a person waits: the real programs, started as a shell starts them, beside the least that could do as much. Prints wall
//! times with their ratios, all of one run; nothing fails because of a time.
//!
//! `artoo` is held against a client and a server of tonic that only say that they are well (`minimal.rs`), and its search for files
//! against `find`, and `fd` where there is one. The two sides take turns, so that both feel how busy the machine is.
//! With the argument `short` it is a matter of seconds.

mod minimal;
mod programs;
mod search;

use std::time::{Duration, Instant};

use anyhow::bail;
use programs::{Home, Programs};

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Length {
    /// Runs of what takes some milliseconds.
    runs: usize,
    /// Runs of what takes a second.
    starts: usize,
    /// Files of the tree that is searched.
    files: usize,
}

const FULL: Length = Length { runs: 31, starts: 9, files: 100_000 };
const SHORT: Length = Length { runs: 5, starts: 3, files: 4_000 };

fn main() -> anyhow::Result<()> {
    // cargo bench adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| !one.starts_with('-')).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => measure(FULL),
        ["short"] => measure(SHORT),
        ["serve", socket] => minimal::serve(socket),
        ["call", socket] => minimal::call(socket),
        _ => bail!("usage: times [short]"),
    }
}

fn measure(length: Length) -> anyhow::Result<()> {
    let programs = Programs::find()?;
    say(&format!("{:<44} {:>11} {:>11} {:>8}", "median of wall times", "artoo", "the least", "ratio"));
    {
        let home = Home::new(&programs)?;
        let server = minimal::Server::start(home.folder())?;
        home.artoo(&["status"])?;
        let status = in_turns(length.runs, || home.artoo(&["status"]), || server.call())?;
        row("artoo status, against one call", status);
        let task = in_turns(length.runs, || home.artoo(&["-q", "what time is it"]), || server.call())?;
        row("one task (what time is it), against one call", task);
    }
    let first = || {
        let home = Home::new(&programs)?;
        timed(|| home.artoo(&["status"]).map(drop))
    };
    let least = || {
        let folder = tempfile::tempdir()?;
        timed(|| minimal::Server::start(folder.path())?.call().map(drop))
    };
    row("first start: daemon, memory and artoo status", in_turns(length.starts, first, least)?);
    search::measure(&programs, length)
}

/// The medians of two things that are done in turns. Each tells how long it took.
fn in_turns(
    runs: usize,
    mut one: impl FnMut() -> anyhow::Result<Duration>,
    mut other: impl FnMut() -> anyhow::Result<Duration>,
) -> anyhow::Result<(Duration, Duration)> {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        ones.push(one()?);
        others.push(other()?);
    }
    Ok((median(ones), median(others)))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn timed(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let since = Instant::now();
    work()?;
    Ok(since.elapsed())
}

fn row(what: &str, (artoo, least): (Duration, Duration)) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
    let ratio = milliseconds(artoo) / milliseconds(least);
    say(&format!("{what:<44} {:>8.1} ms {:>8.1} ms {ratio:>7.1}x", milliseconds(artoo), milliseconds(least)));
}

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn say(line: &str) {
    println!("{line}");
}
