//! The daemon's own life: stop it, start it anew, read its log.

use std::collections::VecDeque;
use std::fs::TryLockError;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use artoo_protocol::v1::GetStatusRequest;
use rustix::process::{Pid, Signal, kill_process};

use crate::commands::status::headline;
use crate::connection::{Client, DaemonConnector};
use crate::console::GlobalFlags;
use crate::exit::{DONE, Failure};
use crate::output::{Printer, complain_in_words, raw};
use crate::paths::short;
use crate::render::text::{escape, wrap};
use crate::render::{Line, Tone};
use crate::start::{CORRECT, StartError, TAKE_OUT, would_start};
use crate::terminal::{TerminalLook, spoken};

/// How long a daemon may take to end: it promises 10 s, and a busy machine may need a few more.
const ENDS_WITHIN: Duration = Duration::from_secs(20);
/// How long it may take to say who it is.
const SAYS_WITHIN: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(40);

/// `artoo stop`: running tasks go on where they were when the daemon is back.
///
/// # Errors
/// When it does not answer, cannot be signalled, or does not end in time.
pub async fn stop(global: &GlobalFlags) -> Result<u8, Failure> {
    let daemon = global.daemon()?.running();
    let said = if end(&daemon).await? { "the daemon has ended" } else { "the daemon was not running" };
    Printer::stdout(TerminalLook::detect()).lines(&[Line::plain(said)]).await?;
    if let Err(StartError::Misconfigured(said)) = would_start(&daemon.paths) {
        complain_in_words(&escape(&format!(
            "! it will not start as things are: {said}\n  {CORRECT}: {TAKE_OUT}"
        )));
    }
    Ok(DONE)
}

/// `artoo restart`: ends the daemon if it runs and starts it with the configuration and environment of now.
///
/// # Errors
/// As [`renew`].
pub async fn restart(global: &GlobalFlags) -> Result<u8, Failure> {
    let daemon = global.daemon()?;
    if !daemon.may_start {
        return Err(Failure::Usage(
            "--no-start lets nothing be started: artoo stop ends the daemon".to_owned(),
        ));
    }
    let mut client = renew(&daemon).await?;
    let status = daemon.answer(client.get_status(GetStatusRequest {}).await)?;
    let mut printer = Printer::stdout(TerminalLook::detect());
    let width = printer.width();
    printer.lines(&[headline(&status, spoken()).fit(width)]).await?;
    let lacking = status.warnings.iter().map(|warning| lack(warning, width));
    printer.lines(&lacking.collect::<Vec<_>>()).await?;
    Ok(DONE)
}

/// One line about something that is not as it was configured.
fn lack(warning: &str, width: usize) -> Line {
    Line::plain("  ").add(Tone::Warn, "! ").foreign(Tone::Dim, warning).fit(width)
}

/// A daemon that was started with the configuration and environment of now. One that runs is ended only where the next would
/// start.
///
/// # Errors
/// When the one that runs does not say who it is, cannot be signalled, or does not end in time; and why none can be started.
pub async fn renew(daemon: &DaemonConnector) -> Result<Client, Failure> {
    let running = daemon.running();
    if running.connect().await.is_ok() {
        would_start(&daemon.paths).map_err(|why| stays(&why))?;
        end(&running).await?;
    }
    daemon.connect().await
}

/// Why a daemon that runs is not ended.
pub fn stays(why: &StartError) -> Failure {
    let why = match why {
        StartError::Misconfigured(_) => why.to_string(),
        StartError::NotFound => "artoo-daemon is neither beside this program nor on the PATH".to_owned(),
        StartError::NotRunnable { program, error } => format!("{} cannot be run: {error}", program.display()),
    };
    let why: Vec<&str> = why.lines().collect();
    Failure::Local(format!(
        "{}\n  Nothing was stopped: a daemon that runs goes on with what it has.",
        why.join("\n  ")
    ))
}

/// Ends the daemon; false when none answers.
///
/// # Errors
/// As [`stop`].
pub async fn end(daemon: &DaemonConnector) -> Result<bool, Failure> {
    let Ok(mut client) = daemon.connect().await else { return Ok(false) };
    let status = tokio::time::timeout(SAYS_WITHIN, client.get_status(GetStatusRequest {})).await;
    let status = daemon.answer(status.map_err(|_| daemon.silent())?)?;
    drop(client);
    let process = i32::try_from(status.pid).ok().and_then(Pid::from_raw);
    let process =
        process.ok_or_else(|| Failure::Local("the daemon does not say its process id".to_owned()))?;
    kill_process(process, Signal::TERM)
        .map_err(|error| Failure::Local(format!("process {} cannot be ended: {error}", status.pid)))?;
    let deadline = tokio::time::Instant::now() + ENDS_WITHIN;
    while is_locked(Path::new(&status.data_directory)) {
        if tokio::time::Instant::now() >= deadline {
            return Err(Failure::Local(format!(
                "process {} was told to end and is still there after {} s: look at artoo logs, then kill -9 {}",
                status.pid,
                ENDS_WITHIN.as_secs(),
                status.pid
            )));
        }
        tokio::time::sleep(POLL).await;
    }
    Ok(true)
}

/// Whether a daemon holds this data folder. The system lets the lock go when the process ends, however it ends.
fn is_locked(data: &Path) -> bool {
    let lock = std::fs::File::open(data.join("daemon.lock"));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// `artoo logs`: the end of the daemon's log. It does not need the daemon.
///
/// # Errors
/// When there is no log yet, or it cannot be read.
pub fn logs(global: &GlobalFlags, lines: usize) -> Result<u8, Failure> {
    let path = global.daemon()?.paths.data.join("debug.log");
    let file = std::fs::File::open(&path)
        .map_err(|error| Failure::Local(format!("{} cannot be read: {error}", short(&path))))?;
    let mut last = VecDeque::new();
    for line in BufReader::new(file).split(b'\n') {
        last.push_back(line?);
        if last.len() > lines {
            last.pop_front();
        }
    }
    // On a screen a line goes on below, further in; in a pipe it is one line.
    let look = TerminalLook::detect();
    for line in last {
        let line = escape(&String::from_utf8_lossy(&line));
        let shown = if look.live { wrap_hanging(&line, look.width) } else { line };
        raw(&format!("{shown}\n"))?;
    }
    Ok(DONE)
}

/// A line in lines of this width, all but the first further in.
fn wrap_hanging(line: &str, width: usize) -> String {
    const INDENT: &str = "    ";
    let pieces = wrap(line, width.saturating_sub(INDENT.len()));
    pieces.join(&format!("\n{INDENT}"))
}

/// `artoo version`: of this program, and of the daemon if it runs.
///
/// # Errors
/// When nobody takes the output.
pub async fn version(global: &GlobalFlags) -> Result<u8, Failure> {
    let daemon = global.daemon()?.running();
    let mut lines = vec![Line::plain(format!("artoo {}", env!("CARGO_PKG_VERSION")))];
    if let Ok(mut client) = daemon.connect().await
        && let Ok(Ok(status)) =
            tokio::time::timeout(SAYS_WITHIN, client.get_status(GetStatusRequest {})).await
    {
        let status = status.into_inner();
        let text = format!("daemon {} · protocol {}", status.version, status.protocol_version);
        lines.push(Line::new().foreign(Tone::Plain, &text));
    }
    Printer::stdout(TerminalLook::detect()).lines(&lines).await?;
    Ok(DONE)
}
