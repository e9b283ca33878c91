//! `artoo setup` and `artoo model`: the daemon's program finds and tries models in this shell, with the keys that are here; what it
//! wrote down is applied here, by a daemon that is started anew.

use std::process::{Command, Stdio};

use artoo_protocol::v1::GetStatusRequest;
use clap::Args;

use crate::commands::lifecycle;
use crate::connection::DaemonConnector;
use crate::console::{Console, GlobalFlags};
use crate::exit::{ABANDONED, DONE, Failure};
use crate::output::Printer;
use crate::render::text::escape;
use crate::render::{Line, Tone};
use crate::terminal::{TerminalLook, spoken};

/// How to set up.
#[derive(Debug, Clone, Default, Args)]
pub struct SetupArguments {
    /// Ask nothing: take the first server and model that answer as they should
    #[arg(long, short)]
    pub yes: bool,
    /// Only this server, for example http://127.0.0.1:11434/v1
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// This model
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
}

/// `artoo setup`; exit code 1 when nothing was written.
///
/// # Errors
/// When the daemon's program cannot be run, or the daemon cannot be started anew.
pub async fn run(global: &GlobalFlags, arguments: &SetupArguments) -> Result<u8, Failure> {
    let daemon = global.daemon()?;
    let mut program = program(&daemon, "setup")?;
    if arguments.yes {
        program.arg("--yes");
    }
    for (flag, value) in [("--url", &arguments.url), ("--model", &arguments.model)] {
        if let Some(value) = value {
            program.arg(format!("{flag}={value}"));
        }
    }
    // It talks to the person by itself.
    let status =
        program.status().map_err(|error| Failure::Local(format!("artoo-daemon cannot be run: {error}")))?;
    if !status.success() {
        return Ok(ABANDONED);
    }
    let line = apply(&daemon).await?;
    Printer::stdout(TerminalLook::detect()).lines(&[line]).await?;
    Ok(DONE)
}

/// `artoo model [NAME]`; exit code 1 when the name was not taken.
///
/// # Errors
/// As [`run`].
pub async fn model(console: &mut Console, name: Option<&str>) -> Result<u8, Failure> {
    let daemon = console.daemon.clone();
    let mut program = program(&daemon, "model")?;
    program.args(name).stdin(Stdio::null());
    let ended =
        program.output().map_err(|error| Failure::Local(format!("artoo-daemon cannot be run: {error}")))?;
    let said = [ended.stdout, ended.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let mut lines: Vec<Line> = said.lines().map(|line| Line::plain(escape(line))).collect();
    if ended.status.success() && name.is_some() {
        lines.push(apply(&daemon).await?);
    }
    console.printer.lines(&lines).await?;
    Ok(if ended.status.success() { DONE } else { ABANDONED })
}

fn program(daemon: &DaemonConnector, command: &str) -> Result<Command, Failure> {
    let program = crate::start::program().map_err(|error| Failure::Local(error.to_string()))?;
    let mut run = Command::new(program);
    run.arg(command).env("ARTOO_DATA_DIR", &daemon.paths.data);
    Ok(run)
}

/// Has the daemon run with what was written, if no task is at work; says which.
async fn apply(daemon: &DaemonConnector) -> Result<Line, Failure> {
    let running = match daemon.running().connect().await {
        Ok(mut client) => Some(daemon.answer(client.get_status(GetStatusRequest {}).await)?),
        Err(_) => None,
    };
    let at_work = running
        .iter()
        .flat_map(|status| &status.tasks)
        .any(|(state, number)| state != "finished" && *number > 0);
    if at_work || !daemon.may_start {
        return Ok(Line::new()
            .add(Tone::Warn, "! ")
            .add(Tone::Plain, spoken().screen("to apply it: artoo restart")));
    }
    let mut client = lifecycle::renew(daemon).await?;
    let status = daemon.answer(client.get_status(GetStatusRequest {}).await)?;
    let told = format!("the daemon runs with it: {}", crate::one_shot::models(&status));
    Ok(Line::new().foreign(Tone::Plain, &spoken().screen(&told)))
}
