//! "find all txt files" over a large tree below the home folder, beside the programs that people would type.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::programs::{Home, Programs};
use super::{Length, in_turns, row, timed};

/// What is searched for: one file in ten.
const REQUEST: &str = "find all txt files";
/// Files of a folder.
const IN_A_FOLDER: usize = 250;

pub(super) fn measure(programs: &Programs, length: Length) -> anyhow::Result<()> {
    let home = Home::new(programs)?;
    let tree = home.folder();
    plant(tree, length.files)?;
    home.artoo(&["status"])?;
    let find = || typed(tree, "find", &[".", "-name", "*.txt", "-type", "f", "-not", "-path", "./.artoo/*"]);
    find()?;
    let files = length.files;
    let whole = in_turns(length.starts, || home.artoo(&["-q", REQUEST]), find)?;
    row(&format!("{REQUEST}, {files} files, against find"), whole);
    let tool = in_turns(length.starts, || tool(&home), find)?;
    row("its tool alone, against find", tool);
    if typed(tree, "fd", &["--version"]).is_ok() {
        let fd = || typed(tree, "fd", &["-uu", "-t", "f", "-e", "txt"]);
        row("its tool alone, against fd", in_turns(length.starts, || self::tool(&home), fd)?);
    }
    Ok(())
}

/// The tree: folders of folders of empty files.
fn plant(root: &Path, files: usize) -> anyhow::Result<()> {
    for folder in 0..files.div_ceil(IN_A_FOLDER) {
        let place = root.join(format!("d{}/e{}", folder / 20, folder % 20));
        fs::create_dir_all(&place)?;
        for number in 0..IN_A_FOLDER {
            let ending = if number % 10 == 0 { "txt" } else { "dat" };
            fs::File::create(place.join(format!("f{number}.{ending}")))?;
        }
    }
    Ok(())
}

/// How long a program took that writes into a pipe, as the client does.
fn typed(folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<Duration> {
    timed(|| {
        let output = Command::new(program).args(arguments).current_dir(folder).output()?;
        ensure!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    })
}

/// How long the tool of the task ran: from its start to its receipt, as its events tell.
fn tool(home: &Home) -> anyhow::Result<Duration> {
    let (_, output) = home.output(&["run", "--json", REQUEST])?;
    let mut times = [None, None];
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let event: Value = serde_json::from_str(line)?;
        let place = match event["type"].as_str() {
            Some("tool_call_started") => 0,
            Some("tool_call_finished") => 1,
            Some(_) | None => continue,
        };
        times[place] = event["time"].as_str().and_then(milliseconds);
    }
    let [Some(start), Some(end)] = times else { anyhow::bail!("the task called no tool") };
    Ok(Duration::from_millis(end.checked_sub(start).context("the clock was set back")?))
}

/// The time of day, in milliseconds, of `2026-11-23T09:11:04.598Z`.
fn milliseconds(time: &str) -> Option<u64> {
    let (_, clock) = time.trim_end_matches('Z').split_once('T')?;
    let mut parts = clock.split(':');
    let mut whole = || parts.next()?.parse::<u64>().ok();
    let (hours, minutes) = (whole()?, whole()?);
    let seconds: f64 = parts.next()?.parse().ok()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 60,000")]
    let seconds = (seconds * 1_000.0).round() as u64;
    Some((hours * 60 + minutes) * 60_000 + seconds)
}
