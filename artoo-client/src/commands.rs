//! Every command that asks the daemon one thing. Each prints lines for people, or JSON.

pub mod audit;
pub mod doctor;
pub mod explain;
pub mod mcp;
pub mod memory;
pub mod program;
pub mod status;
pub mod tasks;
pub mod undo;

use artoo_protocol::json::to_json;
use artoo_protocol::{Message, Name};
use prost_types::Timestamp;

use crate::arguments::{Arguments, AuditCommand, Command, Global};
use crate::connection::{Client, Daemon};
use crate::exit::{DONE, Failure};
use crate::output::Printer;
use crate::render::Line;
use crate::terminal::{Look, now_ms};

/// What a command needs.
pub struct Asking {
    /// The daemon.
    pub daemon: Daemon,
    /// Makes calls.
    pub client: Client,
    /// Prints.
    pub printer: Printer,
    /// Whether JSON is wanted.
    pub json: bool,
}

impl Asking {
    /// Connected, printing to standard output.
    ///
    /// # Errors
    /// When the daemon does not answer.
    pub async fn new(global: &Global) -> Result<Self, Failure> {
        let daemon = crate::daemon(global)?;
        let client = daemon.connect().await?;
        Ok(Self { daemon, client, printer: Printer::stdout(Look::detect()), json: global.json })
    }

    /// The answer, or the failure that its status means.
    ///
    /// # Errors
    /// The daemon's error.
    pub fn answer<T>(&self, response: Result<tonic::Response<T>, tonic::Status>) -> Result<T, Failure> {
        response.map(tonic::Response::into_inner).map_err(|status| self.daemon.failure(status))
    }

    /// Prints the message as JSON, or else these lines.
    ///
    /// # Errors
    /// When nobody takes the output.
    pub async fn print<M: Message + Name>(
        &mut self,
        message: &M,
        lines: impl FnOnce(&M, &Look) -> Vec<Line>,
    ) -> Result<(), Failure> {
        if self.json {
            return self.printer.text(to_json(message).to_string()).await;
        }
        let lines = lines(message, &self.printer.look);
        self.printer.lines(&lines).await
    }
}

/// Runs a command and returns its exit code.
///
/// # Errors
/// What kept it from being done.
pub async fn run(global: &Global, command: Command) -> Result<u8, Failure> {
    if matches!(command, Command::Doctor) {
        return doctor::run(global).await;
    }
    dispatch(&mut Asking::new(global).await?, command).await
}

async fn dispatch(asking: &mut Asking, command: Command) -> Result<u8, Failure> {
    match command {
        Command::Status => status::status(asking).await,
        Command::Tasks { state, limit } => tasks::list(asking, state.unwrap_or_default(), limit).await,
        Command::Show { id } => tasks::show(asking, &id).await,
        Command::Events { id, after, follow } => tasks::events(asking, id.as_deref(), after, follow).await,
        Command::Cancel { id } => tasks::cancel(asking, &id).await,
        Command::Confirm { id, answer, remember } => tasks::confirm(asking, &id, answer, remember).await,
        Command::Answer { id, text } => tasks::answer(asking, &id, text).await,
        Command::Replay { id, control } => tasks::replay(asking, &id, control).await,
        Command::Report { id, output } => tasks::report(asking, &id, output.as_deref()).await,
        Command::Undo { id, list, force } => undo::run(asking, &id, list, force).await,
        Command::Audit { window, command: None } => audit::report(asking, window).await,
        Command::Audit { command: Some(AuditCommand::Verify { memory, anchors }), .. } => {
            audit::verify(asking, memory, anchors).await
        }
        Command::Memory { command } => memory::run(asking, command).await,
        Command::Mcp { command } => mcp::run(asking, command).await,
        Command::Explain(arguments) => explain::run(asking, arguments).await,
        Command::Doctor
        | Command::Run(_)
        | Command::Service(_)
        | Command::Config(_)
        | Command::Completions { .. } => Ok(DONE),
    }
}

/// Runs one command line inside a conversation, printing through its printer.
///
/// # Errors
/// What kept it from being done; a line that is not understood is a [`Failure::Usage`].
pub async fn run_line(daemon: &Daemon, printer: Printer, words: &[&str]) -> Result<u8, Failure> {
    let line = std::iter::once("artoo").chain(words.iter().copied());
    let arguments = <Arguments as clap::Parser>::try_parse_from(line)
        .map_err(|error| Failure::Usage(error.to_string().trim_end().to_owned()))?;
    let Some(command) = arguments.command else {
        return Err(Failure::Usage("that is no command".to_owned()));
    };
    let client = daemon.connect().await?;
    let mut asking = Asking { daemon: daemon.clone(), client, printer, json: arguments.global.json };
    dispatch(&mut asking, command).await
}

/// How long ago a time was.
fn age(time: Option<&Timestamp>) -> String {
    crate::render::figures::age(time, now_ms())
}
