//! Running a call that was judged and may run.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_types::Timestamp;
use artoo_types::evidence::CallEnd;
use artoo_types::tool::ToolCall;

use super::{Toolbox, lock};
use crate::action::Action;
use crate::arguments::ShortcutArguments;
use crate::installed::Program;
use crate::registry::ToolRow;
use crate::tool::{self, Work, apple};
use artoo_command::process::{self, Command, Scratch};
use artoo_command::sandbox::Confinement;
use artoo_command::stop::StopSignal;
use artoo_types::tool::CallOutcome;
use artoo_web::Web;

/// How long the names of all shortcuts are waited for, to name the nearest one.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);

/// On what terms a call runs.
pub(super) struct Terms {
    /// What a command may do.
    pub(super) confinement: Confinement,
    /// Where the target really is that a person agreed to; none when nobody was asked.
    pub(super) agreed: Option<String>,
    pub(super) stop: StopSignal,
    pub(super) now: Timestamp,
}

impl Toolbox {
    /// Runs the call; it returns within its deadline, plus the time that children get to end.
    pub(super) async fn perform(
        &self,
        call: &ToolCall,
        row: &ToolRow,
        action: Action,
        terms: Terms,
    ) -> CallOutcome {
        let wanted = match &action {
            Action::Shell(a) => a.timeout_ms.unwrap_or(u64::MAX),
            Action::Mcp(a) => u64::try_from(a.timeout().as_millis()).unwrap_or(u64::MAX),
            Action::FindFiles(_)
            | Action::Glob(_)
            | Action::ReadFile(_)
            | Action::WriteFile(_)
            | Action::EditFile(_)
            | Action::AppleScript(_)
            | Action::Shortcut(_)
            | Action::Search(_)
            | Action::FetchUrl(_)
            | Action::ReadOutput(_) => u64::MAX,
        };
        let timeout = Duration::from_millis(row.timeout_ms.min(call.deadline_ms).min(wanted).max(1));
        match action {
            Action::Shell(shell) => {
                let (confinement, stop) = (terms.confinement.clone(), terms.stop.clone());
                let work = self.work(call, timeout, terms);
                if let Some(produced) = tool::find_in_index(&shell.command, work).await {
                    return produced;
                }
                self.run_program(call, process::shell(&shell.command), confinement, timeout, stop).await
            }
            Action::AppleScript(script) => {
                let Some(program) = self.shared.installed.path(Program::Osascript) else { return gone(row) };
                apple::explained(
                    self.run_freely(call, apple::script_line(program, &script), timeout, terms.stop).await,
                )
            }
            Action::Shortcut(shortcut) => {
                let Some(program) = self.shared.installed.path(Program::Shortcuts) else { return gone(row) };
                self.run_shortcut(call, program, &shortcut, timeout, terms.stop).await
            }
            Action::Mcp(server_call) => server_call.run(timeout, terms.stop).await,
            Action::Search(a) => {
                self.online(timeout, terms.stop, |web| async move { web.search(&a.query).await }).await
            }
            Action::FetchUrl(a) => {
                self.online(timeout, terms.stop, |web| async move { web.fetch(&a.url).await }).await
            }
            Action::FindFiles(_)
            | Action::Glob(_)
            | Action::ReadFile(_)
            | Action::WriteFile(_)
            | Action::EditFile(_)
            | Action::ReadOutput(_) => {
                let work = self.work(call, timeout, terms);
                tool::run(action, work, timeout).await
            }
        }
    }

    /// Runs what talks to the internet, until its deadline or until it is stopped.
    async fn online<W: Future<Output = CallOutcome>>(
        &self,
        timeout: Duration,
        mut stop: StopSignal,
        work: impl FnOnce(Web) -> W,
    ) -> CallOutcome {
        tokio::select! {
            produced = tokio::time::timeout(timeout, work(self.shared.web.clone())) => produced.unwrap_or_else(|_| {
                CallOutcome::ended(CallEnd::Timeout, "the deadline passed before the reply came".to_owned())
            }),
            () = stop.stopped() => CallOutcome::ended(CallEnd::Cancelled, "stopped before the reply came".to_owned()),
        }
    }

    /// What a file tool works with.
    fn work(&self, call: &ToolCall, timeout: Duration, terms: Terms) -> Work {
        Work {
            places: self.places(&call.working_directory),
            installed: self.shared.installed.clone(),
            artifacts: self.shared.config.artifacts.clone(),
            outputs: Arc::clone(&self.outputs),
            seen: Arc::clone(&self.seen),
            deadline: Instant::now() + timeout,
            stop: terms.stop,
            now: terms.now,
            agreed: terms.agreed,
        }
    }

    /// Runs a shortcut, with its input in a file of its own. One that fails and is not in the list of all shortcuts is
    /// told with the names that come nearest.
    async fn run_shortcut(
        &self,
        call: &ToolCall,
        program: &Path,
        shortcut: &ShortcutArguments,
        timeout: Duration,
        stop: StopSignal,
    ) -> CallOutcome {
        let (_scratch, input) = match &shortcut.input {
            None => (None, None),
            Some(text) => match self.input_file(text) {
                Ok((scratch, file)) => (Some(scratch), Some(file)),
                Err(error) => {
                    let text = format!("the input could not be written for the shortcut: {error}");
                    return CallOutcome::ended(CallEnd::Error, text);
                }
            },
        };
        let line = apple::shortcut_line(program, &shortcut.name, input.as_deref());
        let produced = self.run_freely(call, line, timeout, stop.clone()).await;
        if produced.end != CallEnd::Ran || produced.exit == Some(0) {
            return produced;
        }
        let listed = self.run_freely(call, apple::list_line(program), timeout.min(LIST_TIMEOUT), stop).await;
        if listed.exit == Some(0) {
            apple::not_found(produced, &shortcut.name, &listed.output)
        } else {
            produced
        }
    }

    fn input_file(&self, text: &str) -> std::io::Result<(Scratch, std::path::PathBuf)> {
        let scratch = Scratch::new(self.shared.children.mark())?;
        let file = scratch.folder().join("input.txt");
        std::fs::write(&file, text)?;
        Ok((scratch, file))
    }

    /// Runs a program of macOS that acts in the name of its user, and that no sandbox reaches: the question says so.
    async fn run_freely(
        &self,
        call: &ToolCall,
        arguments: Vec<String>,
        timeout: Duration,
        stop: StopSignal,
    ) -> CallOutcome {
        self.run_program(call, arguments, Confinement::FullPower, timeout, stop).await
    }

    /// Runs a program with these arguments, which no shell reads.
    async fn run_program(
        &self,
        call: &ToolCall,
        arguments: Vec<String>,
        confinement: Confinement,
        timeout: Duration,
        stop: StopSignal,
    ) -> CallOutcome {
        let command = Command {
            arguments,
            folder: call.working_directory.clone(),
            environment: self.shared.config.environment.clone(),
            home: self.shared.config.home.clone(),
            timeout,
            confinement,
        };
        let (produced, survivors) = process::run(command, &self.shared.children, stop).await;
        lock(&self.survivors).extend(survivors);
        produced
    }
}

/// A call of a tool that this machine does not have is refused before it gets here.
fn gone(row: &ToolRow) -> CallOutcome {
    CallOutcome::ended(CallEnd::Error, format!("the program of {} is not on this machine", row.name))
}
