//! artoo against servers that this project did not write: llama.cpp with a model of random weights, aimock, and the
//! reference servers of the Model Context Protocol. Each row is a task of the real programs with an end that is right for
//! it: done, or a refusal in words that say what to do. `make wire` runs it and prints the table; it ends with 1 if a row
//! ended otherwise. A row that hangs is ended by the harness, and has failed.
//!
//! It is no test of cargo's, because what it needs comes from PyPI and npm. Start reading at `ROWS` of a file beside this.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints a table")]

mod aimock;
mod llama;
mod mcp;
mod row;
mod started;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use row::{Row, Servers};

fn main() -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).collect();
    let (python, npm) = match installed() {
        Ok(folders) => folders,
        Err(why) => {
            eprintln!("wire: {why}");
            return ExitCode::FAILURE;
        }
    };
    let servers = Servers { python, npm };
    let rows = [llama::ROWS, aimock::ROWS, mcp::ROWS].concat();
    let is_chosen = |row: &&Row| {
        filters.is_empty() || filters.iter().any(|word| row.server.contains(word) || row.name.contains(word))
    };
    let began = Instant::now();
    let (mut right, mut wrong) = (0, 0);
    for row in rows.iter().filter(is_chosen) {
        let ended = row.run(&servers);
        println!("{ended}");
        if ended.is_right() { right += 1 } else { wrong += 1 }
    }
    println!(
        "wire: {right} rows ended as they should, {wrong} did not; {:.0} s",
        began.elapsed().as_secs_f64()
    );
    if wrong == 0 && right > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The folders with the servers, for `PYTHONPATH` and beside `node_modules`; else why there are none.
fn installed() -> Result<(PathBuf, PathBuf), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/wire-servers");
    let output = Command::new(script).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{script} cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut last = said.lines().rev().map(PathBuf::from);
    match (output.status.success(), last.next(), last.next()) {
        (true, Some(npm), Some(python)) => Ok((python, npm)),
        _ => Err("the servers could not be installed, see above".to_owned()),
    }
}
