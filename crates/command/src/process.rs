//! Child processes: one command, everything that it starts, its bounded output, its end.
//!
//! A shell command runs in `bash --noprofile --norc` with `pipefail`. Every command has a process group of its own in the
//! session of its keeper, with an empty standard input and an environment of listed names only. Nothing that it starts
//! outlives the call; what would not go is told.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use artoo_types::evidence::CallEnd;
use tokio::sync::mpsc;

use crate::children::supervised::{CommandFate, SupervisedCommand};
use crate::children::{Children, CommandOrder, CommandReport};
use crate::launcher::Launcher;
use crate::sandbox::Confinement;
use crate::stop::StopSignal;
use artoo_types::tool::{CallOutcome, joined_remarks};

mod environment;
mod group;
mod index;
mod output;
mod quantity;
mod unsupervised;

use environment::environment;
pub use environment::{DEFAULT_PATH, Scratch, passed};
use output::Output;
use quantity::WrittenAmount;

/// Bytes of standard output, and as many of standard error, after which a command is stopped.
const MAX_OUTPUT_BYTES: usize = 64 << 20;

/// What is told when a keeper was killed, which a command can do that runs as the same user.
const LOST: &str = "the process that watched over the command was killed; what it had started was ended";

/// One command.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program and its arguments.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub folder: String,
    /// The environment of the call; `environment` adds what every command has.
    pub environment: BTreeMap<String, String>,
    /// The person's home folder.
    pub home: PathBuf,
    /// Its deadline.
    pub timeout: Duration,
    /// What it may do.
    pub confinement: Confinement,
    /// Bytes that it may write; None where a person agreed to it.
    pub most_bytes: Option<u64>,
}

/// Why a command is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndCause {
    Ended,
    TimedOut,
    Stopped,
    TooMuch,
    WroteTooMuch(u64),
}

/// What became of a command, apart from its output.
#[derive(Debug, Default)]
struct CommandCourse {
    exit: Option<i64>,
    /// Why there is no exit status, when the command itself is not the reason.
    broken: Option<String>,
    left_running: Vec<String>,
    survivors: Vec<String>,
}

/// Runs a command to its end. Also returns what could not be ended.
pub async fn run(command: Command, children: &Children, stop: StopSignal) -> (CallOutcome, Vec<String>) {
    let scratch = match Scratch::new(children.mark()) {
        Ok(scratch) => scratch,
        Err(error) => {
            let text = format!("no private temporary folder could be made: {error}");
            return (CallOutcome::ended(CallEnd::Error, text), Vec::new());
        }
    };
    let (confinement, folder) = (command.confinement.clone(), scratch.0.clone());
    let index = match apart(move || index::IndexCopy::of(&confinement, &folder)).await {
        Ok(index) => index,
        Err(error) => {
            let text = format!("the index of the repository could not be copied: {error}");
            return (CallOutcome::ended(CallEnd::Error, text), Vec::new());
        }
    };
    let mut environment = environment(&command, &scratch.0);
    if let Some(index) = &index {
        environment.insert(index::VARIABLE.to_owned(), index.copy.to_string_lossy().into_owned());
    }
    let order = CommandOrder {
        arguments: command.arguments.clone(),
        folder: command.folder.clone(),
        environment,
        scratch: scratch.0.clone(),
        confinement: command.confinement.clone(),
        has_input: false,
    };
    let (full, overflow) = mpsc::channel(2);
    let written = command.most_bytes.map(|most| {
        (most, Box::pin(WrittenAmount::new(&command.confinement, &scratch.0, most).exceeded()) as Exceeded)
    });
    let ending = EndSignals { timeout: command.timeout, stop, overflow, written };
    let ran = match children.launcher() {
        Some(launcher) => supervised(&order, &scratch.name(), children, launcher, ending, full).await,
        None => unsupervised::run(&order, ending, full).await,
    };
    match ran {
        Ok((cause, course, output)) => {
            let survivors = course.survivors.clone();
            let succeeded = cause == EndCause::Ended && course.exit == Some(0);
            if let Some(index) = index.filter(|_| succeeded)
                && let Err(error) = apart(move || index.put_back()).await
            {
                let text = format!("the index of the repository stays as it was: {error}");
                return (CallOutcome::ended(CallEnd::Error, text), survivors);
            }
            (produced(cause, course, output, command.timeout), survivors)
        }
        Err(error) => {
            let program = command.arguments.first().map_or("", String::as_str);
            let text = format!("{program} could not be started in {}: {error}", command.folder);
            (CallOutcome::ended(CallEnd::Error, text), Vec::new())
        }
    }
}

/// Waits for the disk where nobody else has to wait for it.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

/// The command line that runs this text in a shell.
pub fn shell(text: &str) -> Vec<String> {
    ["bash", "--noprofile", "--norc", "-o", "pipefail", "-c", text].map(str::to_owned).to_vec()
}

/// The same for text that runs unasked: no file that it writes grows beyond these bytes, which such a call may write.
pub fn bounded_shell(text: &str, most_bytes: u64) -> Vec<String> {
    let blocks = most_bytes.div_ceil(1024);
    let bounded = format!("ulimit -f {blocks}; exec bash --noprofile --norc -o pipefail -c \"$1\"");
    ["bash", "--noprofile", "--norc", "-c", &bounded, "bash", text].map(str::to_owned).to_vec()
}

/// Returns when a command has written too much.
type Exceeded = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What ends a command from outside.
struct EndSignals {
    timeout: Duration,
    stop: StopSignal,
    overflow: mpsc::Receiver<()>,
    /// How much it may write, and what returns when it has written more.
    written: Option<(u64, Exceeded)>,
}

impl EndSignals {
    /// Returns when one of the reasons comes.
    async fn comes(&mut self) -> EndCause {
        let written = async {
            match &mut self.written {
                Some((most, exceeded)) => {
                    exceeded.await;
                    *most
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.stop.stopped() => EndCause::Stopped,
            Some(()) = self.overflow.recv() => EndCause::TooMuch,
            most = written => EndCause::WroteTooMuch(most),
            () = tokio::time::sleep(self.timeout) => EndCause::TimedOut,
        }
    }
}

/// Runs a command below a keeper.
async fn supervised(
    order: &CommandOrder,
    call_mark: &str,
    children: &Children,
    launcher: &Launcher,
    mut ending: EndSignals,
    full: mpsc::Sender<()>,
) -> std::io::Result<(EndCause, CommandCourse, String)> {
    let (mut command, pipes) = SupervisedCommand::start(children, launcher, order, call_mark).await?;
    let output = Output::read(Some(pipes.out), Some(pipes.err), full);
    let ended = tokio::select! {
        biased;
        cause = ending.comes() => Err(cause),
        fate = command.carry_out() => Ok(fate),
    };
    let (cause, fate) = match ended {
        Ok(fate) => (EndCause::Ended, fate),
        Err(cause) => {
            output.hear_last_words();
            (cause, command.end().await)
        }
    };
    let (course, is_ready) = match fate {
        CommandFate::Told(CommandReport::NotStarted(why)) => {
            command.part(cause == EndCause::Ended).await;
            return Err(std::io::Error::other(why));
        }
        CommandFate::Told(CommandReport::Over { exit, left_running, survivors, is_ready }) => {
            let course = CommandCourse { exit, broken: None, left_running, survivors };
            (course, is_ready && cause == EndCause::Ended)
        }
        CommandFate::Lost(survivors) => {
            (CommandCourse { broken: Some(LOST.to_owned()), survivors, ..CommandCourse::default() }, false)
        }
    };
    command.part(is_ready).await;
    let output = output.finish(cause != EndCause::Ended, !course.survivors.is_empty()).await;
    Ok((cause, course, output))
}

fn produced(cause: EndCause, course: CommandCourse, output: String, timeout: Duration) -> CallOutcome {
    let mut notes = Vec::new();
    let (end, exit) = match cause {
        EndCause::Ended if course.broken.is_none() => (CallEnd::Ran, course.exit),
        EndCause::Ended => (CallEnd::Error, None),
        EndCause::TimedOut => {
            let seconds = timeout.as_secs_f64();
            notes.push(format!("stopped at its limit of {seconds} s; a longer one is had with timeout_ms"));
            (CallEnd::Timeout, None)
        }
        EndCause::Stopped => {
            notes.push("stopped on request".to_owned());
            (CallEnd::Cancelled, None)
        }
        EndCause::TooMuch => {
            notes.push(format!("stopped because it printed more than {MAX_OUTPUT_BYTES} bytes"));
            (CallEnd::Error, None)
        }
        EndCause::WroteTooMuch(most) => {
            notes.push(format!(
                "stopped because it wrote more than the {} MiB that a call may write unasked (gate.unasked_mib); what it wrote \
                 lies there; if the task cannot do without, a person is asked for more by the argument needs: [\"space\"]",
                most >> 20
            ));
            (CallEnd::Error, None)
        }
    };
    notes.extend(course.broken);
    if !course.left_running.is_empty() {
        notes.push(format!("ended what it had left running: {}", course.left_running.join(", ")));
    }
    if !course.survivors.is_empty() {
        notes.push(format!("still running: {}", course.survivors.join(", ")));
    }
    CallOutcome { end, exit, output, note: joined_remarks(notes), image: None }
}

#[cfg(test)]
mod tests;
