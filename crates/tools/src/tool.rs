//! The file tools: one module each, all run on a thread of their own with a deadline and a stop signal.

pub(crate) mod apple;
pub(crate) mod content;
pub(crate) mod edit_file;
pub(crate) mod find_command;
pub(crate) mod find_files;
pub(crate) mod glob;
pub(crate) mod index;
pub(crate) mod measure;
pub(crate) mod read_file;
pub(crate) mod read_output;
pub(crate) mod seen;
pub(crate) mod walk;
pub(crate) mod write_file;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use artoo_types::Timestamp;
use artoo_types::evidence::CallEnd;

use crate::action::Action;
use crate::artifact::Outputs;
use crate::installed::{Installed, Program};
use crate::tool::seen::SeenFiles;
use artoo_command::stop::StopSignal;
use artoo_gate::places::Places;
use artoo_types::tool::CallOutcome;

/// How long after its deadline a tool's thread may still answer. It looks at the clock at least every few milliseconds,
/// unless the file system itself hangs.
const GRACE: Duration = Duration::from_millis(500);

/// What a file tool works with.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub(crate) places: Places,
    pub(crate) installed: Installed,
    pub(crate) artifacts: PathBuf,
    pub(crate) outputs: Arc<Outputs>,
    pub(crate) seen: Arc<SeenFiles>,
    pub(crate) deadline: Instant,
    pub(crate) stop: StopSignal,
    pub(crate) now: Timestamp,
    /// Where the target really is that a person agreed to; none when nobody was asked.
    pub(crate) agreed: Option<String>,
}

impl Work {
    /// Set when the work has to end now.
    pub(crate) fn ended(&self) -> Option<CallOutcome> {
        if self.stop.is_stopped() {
            Some(CallOutcome::ended(CallEnd::Cancelled, "stopped before it was done".to_owned()))
        } else if Instant::now() >= self.deadline {
            Some(timed_out())
        } else {
            None
        }
    }
}

/// Runs a file tool. A thread that hangs in the file system is left behind after the deadline.
pub(crate) async fn run(action: Action, work: Work, timeout: Duration) -> CallOutcome {
    let thread = tokio::task::spawn_blocking(move || act(&action, &work));
    match tokio::time::timeout(timeout + GRACE, thread).await {
        Ok(Ok(produced)) => produced,
        Ok(Err(error)) => CallOutcome::ended(CallEnd::Error, format!("the tool broke down: {error}")),
        Err(_) => timed_out(),
    }
}

/// The answer to a shell command that an index of names can give; none when the command has to run.
pub(crate) async fn find_in_index(command: &str, work: Work) -> Option<CallOutcome> {
    work.installed.path(Program::Mdfind)?;
    let command = command.to_owned();
    tokio::task::spawn_blocking(move || find_command::answered(&command, &work)).await.ok().flatten()
}

fn act(action: &Action, work: &Work) -> CallOutcome {
    match action {
        Action::FindFiles(a) => find_files::run(a, work),
        Action::Glob(a) => glob::run(a, work),
        Action::ReadFile(a) => read_file::run(a, work),
        Action::WriteFile(a) => write_file::run(a, work),
        Action::EditFile(a) => edit_file::run(a, work),
        Action::ReadOutput(a) => read_output::run(a, work),
        Action::Shell(_)
        | Action::AppleScript(_)
        | Action::Shortcut(_)
        | Action::Search(_)
        | Action::FetchUrl(_)
        | Action::Mcp(_) => CallOutcome::ended(
            CallEnd::Error,
            "commands and servers are processes, and requests are made in the network, not here".to_owned(),
        ),
    }
}

fn timed_out() -> CallOutcome {
    CallOutcome::ended(
        CallEnd::Timeout,
        "the deadline passed before it was done; narrow the folder or the pattern".to_owned(),
    )
}

/// A suffix for temporary names that no other call of this process uses.
pub(crate) fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
pub(crate) mod tests;
