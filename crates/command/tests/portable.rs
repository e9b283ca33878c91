//! Processes as on systems without `/proc` and without adoption of orphans, tried on Linux: what a command leaves behind ends
//! with its call all the same. The program is its own keeper, so that it has no harness:
//! `cargo test --workspace --features artoo-command/portable --test portable`.
#![allow(clippy::print_stdout, reason = "the lines are what a harness would print")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use artoo_command::Launcher;
use artoo_command::children::{Children, keep_if_asked};
use artoo_command::process::{Command, DEFAULT_PATH, run, shell};
use artoo_command::sandbox::Confinement;
use artoo_command::stop::StopSignal;
use artoo_types::evidence::CallEnd;
use artoo_types::tool::CallOutcome;

/// How long a process may stay in the table after its call: killed ones wait for the first process of the system.
const LINGERS: Duration = Duration::from_secs(3);

/// One command, and how its call ends.
struct Row {
    name: &'static str,
    /// `NUMBER` is the number of the sleep by which its processes are known.
    command: &'static str,
    timeout: Duration,
    end: CallEnd,
    exit: Option<i64>,
}

const LONG: Duration = Duration::from_secs(20);
const ROWS: &[Row] = &[
    Row { name: "a plain command", command: "true NUMBER", timeout: LONG, end: CallEnd::Ran, exit: Some(0) },
    Row {
        name: "in the background",
        command: "sleep NUMBER & exit 0",
        timeout: LONG,
        end: CallEnd::Ran,
        exit: Some(0),
    },
    Row {
        name: "two of a shell",
        command: "(sleep NUMBER & sleep NUMBER &) ; exit 3",
        timeout: LONG,
        end: CallEnd::Ran,
        exit: Some(3),
    },
    Row {
        name: "with deaf ears",
        command: "(trap '' TERM; sleep NUMBER; sleep NUMBER) & exit 0",
        timeout: LONG,
        end: CallEnd::Ran,
        exit: Some(0),
    },
    Row {
        name: "a group of its own",
        command: "set -m; sleep NUMBER & sleep 1.5",
        timeout: LONG,
        end: CallEnd::Ran,
        exit: Some(0),
    },
    Row {
        name: "too long",
        command: "sleep NUMBER & sleep NUMBER",
        timeout: Duration::from_secs(1),
        end: CallEnd::Timeout,
        exit: None,
    },
    Row { name: "again", command: "sleep NUMBER & exit 0", timeout: LONG, end: CallEnd::Ran, exit: Some(0) },
];

fn main() -> ExitCode {
    if let Some(code) = keep_if_asked(std::env::args_os()) {
        return code;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let launcher = Launcher { program: std::env::current_exe().expect("it runs"), uses_cgroups: false };
    let children = Children::new(Some(launcher), folder.path());
    let mut failed = 0;
    for (index, row) in ROWS.iter().enumerate() {
        let number = format!("{}{index}.25", std::process::id());
        let outcome = runtime.block_on(call(row, &number, folder.path(), &children));
        let left = left_after(&number);
        let is_right =
            outcome.end == row.end && (row.exit.is_none() || outcome.exit == row.exit) && left == 0;
        println!("{} {}: {left} left, {outcome:?}", if is_right { "ok" } else { "FAILED" }, row.name);
        failed += usize::from(!is_right);
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {} passed; {failed} failed; 0 ignored", ROWS.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn call(row: &Row, number: &str, folder: &std::path::Path, children: &Children) -> CallOutcome {
    let command = Command {
        arguments: shell(&row.command.replace("NUMBER", number)),
        folder: folder.to_string_lossy().into_owned(),
        environment: BTreeMap::from([("PATH".to_owned(), DEFAULT_PATH.to_owned())]),
        home: folder.to_owned(),
        timeout: row.timeout,
        confinement: Confinement::FullPower,
        most_bytes: None,
    };
    run(command, children, StopSignal::never()).await.0
}

/// How many processes with this number run when those that were killed have had their time.
fn left_after(number: &str) -> usize {
    let until = Instant::now() + LINGERS;
    loop {
        let left = alive(number);
        if left == 0 || Instant::now() >= until {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn alive(number: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("the table of processes").flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|byte| *byte == 0).any(|word| word == number.as_bytes())).count()
}
