//! Every command that asks the daemon one thing. Each prints lines for people, or JSON; its errors are the daemon's, unless
//! it says more of them.

pub mod audit;
pub mod doctor;
pub mod explain;
pub mod findings;
pub mod lifecycle;
pub mod mcp;
pub mod memory;
pub mod program;
pub mod prompts;
pub mod report;
pub mod schedule;
pub mod service;
pub mod setup;
pub mod status;
pub mod tasks;
pub mod undo;

use std::path::PathBuf;

use clap::Subcommand;
use prost_types::Timestamp;

use crate::commands::audit::AuditCommand;
use crate::commands::doctor::DoctorArguments;
use crate::commands::explain::ExplainArguments;
use crate::commands::mcp::McpCommand;
use crate::commands::memory::MemoryCommand;
use crate::commands::program::DaemonArguments;
use crate::commands::schedule::ScheduleCommand;
use crate::commands::service::moves::ServiceCommand;
use crate::commands::setup::SetupArguments;
use crate::commands::tasks::YesNo;
use crate::console::{Console, GlobalFlags};
use crate::exit::{DONE, Failure};
use crate::ids;
use crate::one_shot::TaskArguments;
use crate::terminal::now_ms;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run one task
    Run(TaskArguments),
    /// The daemon's state
    Status,
    /// Tasks, newest first
    Tasks {
        /// Only tasks in this state, for example running
        #[arg(long)]
        state: Option<String>,
        /// How many
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// One task with what was run and its evidence
    Show {
        /// The task; the start of its id is enough
        id: Option<String>,
        /// Also what each call changed, wrote and put out, and the figures of every round as a plot
        #[arg(short, long)]
        verbose: bool,
        /// Every prompt of its roles instead, as it went out
        #[arg(long, conflicts_with = "verbose")]
        prompts: bool,
    },
    /// Events of one task, or of all tasks from now on
    Events {
        /// The task; the start of its id is enough
        id: Option<String>,
        /// Only events after this sequence
        #[arg(long, default_value_t = 0, value_name = "N")]
        after: u64,
        /// Go on until the task ends
        #[arg(long)]
        follow: bool,
    },
    /// Stop a task
    Cancel {
        /// The task; the start of its id is enough
        id: String,
    },
    /// Answer whether an action may run
    Confirm {
        /// The question, or a task that asks one; the start of the id is enough
        id: String,
        /// yes or no
        answer: YesNo,
        /// Also allow the same effect on the same kind of target until the task ends
        #[arg(long)]
        remember: bool,
    },
    /// Answer the questions that a task asked
    Answer {
        /// The task; the start of its id is enough
        id: String,
        /// The answer; empty means: go ahead
        #[arg(default_value = "")]
        text: String,
    },
    /// The auditor's report, what it found, or a check of its log
    Audit {
        /// Also counts by kind, and how each role fares against its own history
        #[arg(long)]
        window: bool,
        /// What else to do
        #[command(subcommand)]
        command: Option<AuditCommand>,
    },
    /// What artoo remembers
    Memory {
        /// What to do with it
        #[command(subcommand)]
        command: MemoryCommand,
    },
    /// MCP servers: what they offer, and whether you agree to it
    Mcp {
        /// What to do with them
        #[command(subcommand)]
        command: McpCommand,
    },
    /// What the gate would do with a shell command, and why
    #[command(disable_help_flag = true)]
    Explain(ExplainArguments),
    /// Fold the recorded inputs of a task again and compare
    Replay {
        /// The task; the start of its id is enough
        #[arg(required_unless_present = "all")]
        id: Option<String>,
        /// All finished tasks at once, as a table of decisions
        #[arg(long, conflicts_with = "id")]
        all: bool,
        /// Replay with this setting of the controller, for example theta=0.9
        #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
        control: Vec<(String, String)>,
    },
    /// One HTML page about a task, which loads nothing and can be sent to somebody
    Report {
        /// The task; the start of its id is enough. The last one without an id
        id: Option<String>,
        /// An index of the latest tasks instead
        #[arg(long, conflicts_with = "id")]
        all: bool,
        /// Where to write it; "-" for standard output [default: artoo-<id>.html or artoo-tasks.html]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take back what a task deleted or overwrote
    Undo {
        /// The task; the start of its id is enough. Without one, the last that can be undone, after a question
        id: Option<String>,
        /// Only say what would be restored
        #[arg(long, alias = "dry-run")]
        list: bool,
        /// Restore also what was changed since; what is there now goes into the trash
        #[arg(long)]
        force: bool,
    },
    /// Tasks that run again and again, with nobody there to be asked
    Schedule {
        /// What to do with them
        #[command(subcommand)]
        command: ScheduleCommand,
    },
    /// End the daemon; running tasks go on when it is back
    Stop,
    /// End the daemon and start it with the configuration and environment of now
    Restart,
    /// The end of the daemon's log
    Logs {
        /// How many lines
        #[arg(short = 'n', long, default_value_t = 50)]
        lines: usize,
    },
    /// The version of this program, and of the daemon if it runs
    Version,
    /// Check that everything is in place, and say what to do where it is not
    Doctor(DoctorArguments),
    /// Find a model (Ollama, LM Studio, llama-server, or a key in this shell), try it, and write it into the configuration
    Setup(SetupArguments),
    /// Which model answers, or another one of the same server
    Model {
        /// Its name as the server knows it
        name: Option<String>,
    },
    /// Install, start and stop the daemon as a service of this account
    Service {
        /// What to do
        #[command(subcommand)]
        command: ServiceCommand,
        /// Only print what would be done
        #[arg(long, global = true)]
        print: bool,
    },
    /// Show or import the configuration
    #[command(disable_help_flag = true)]
    Config(DaemonArguments),
    /// Write the manual pages into a folder
    Manual {
        /// The folder, which exists
        folder: PathBuf,
    },
    /// How a command is used
    Help {
        /// The command, and one below it; none for all of them
        command: Vec<String>,
    },
    /// Completions for a shell
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
}

/// Runs a command and returns its exit code.
///
/// # Errors
/// What kept it from being done.
pub async fn run(global: &GlobalFlags, command: Command) -> Result<u8, Failure> {
    match command {
        Command::Doctor(arguments) => doctor::run(global, &arguments).await,
        Command::Setup(arguments) => setup::run(global, &arguments).await,
        Command::Stop => lifecycle::stop(global).await,
        Command::Service { command, print } => service::run(global, command, print).await,
        Command::Restart => lifecycle::restart(global).await,
        Command::Logs { lines } => lifecycle::logs(global, lines),
        Command::Version => lifecycle::version(global).await,
        command @ (Command::Run(_)
        | Command::Status
        | Command::Tasks { .. }
        | Command::Show { .. }
        | Command::Events { .. }
        | Command::Cancel { .. }
        | Command::Confirm { .. }
        | Command::Answer { .. }
        | Command::Audit { .. }
        | Command::Memory { .. }
        | Command::Mcp { .. }
        | Command::Explain(_)
        | Command::Replay { .. }
        | Command::Report { .. }
        | Command::Undo { .. }
        | Command::Model { .. }
        | Command::Schedule { .. }
        | Command::Config(_)
        | Command::Manual { .. }
        | Command::Help { .. }
        | Command::Completions { .. }) => run_on(&mut Console::new(global).await?, command).await,
    }
}

/// Runs a command on a console. Commands that need none (`doctor`, `completions` ...) do nothing here.
///
/// # Errors
/// What kept it from being done.
pub async fn run_on(console: &mut Console, command: Command) -> Result<u8, Failure> {
    match command {
        Command::Status => status::status(console).await,
        Command::Tasks { state, limit } => tasks::list(console, state.unwrap_or_default(), limit).await,
        Command::Show { id, prompts: true, .. } => {
            let id = ids::or_last(console, id).await?;
            prompts::run(console, &id).await
        }
        Command::Show { id, verbose, .. } => {
            let id = ids::or_last(console, id).await?;
            tasks::show(console, &id, verbose).await
        }
        Command::Events { id, after, follow } => tasks::events(console, id.as_deref(), after, follow).await,
        Command::Cancel { id } => tasks::cancel(console, &id).await,
        Command::Confirm { id, answer, remember } => tasks::confirm(console, &id, answer, remember).await,
        Command::Answer { id, text } => tasks::answer(console, &id, text).await,
        Command::Replay { id: Some(id), control, .. } => tasks::replay(console, &id, control).await,
        Command::Replay { id: None, control, .. } => tasks::replay_all(console, control).await,
        Command::Report { id, all, output } => {
            let id = if all { None } else { Some(ids::or_last(console, id).await?) };
            report::run(console, id.as_deref(), output.as_deref()).await
        }
        Command::Undo { id: Some(id), list, force } => undo::run(console, &id, list, force).await,
        Command::Undo { id: None, list, force } => undo::last(console, list, force).await,
        Command::Audit { window, command: None } => audit::report(console, window).await,
        Command::Audit { command: Some(command), .. } => audit::run(console, command).await,
        Command::Memory { command } => memory::run(console, command).await,
        Command::Mcp { command } => mcp::run(console, command).await,
        Command::Explain(arguments) => explain::run(console, arguments).await,
        Command::Schedule { command } => schedule::run(console, command).await,
        Command::Model { name } => setup::model(console, name.as_deref()).await,
        Command::Setup(_)
        | Command::Doctor(_)
        | Command::Stop
        | Command::Restart
        | Command::Logs { .. }
        | Command::Version
        | Command::Run(_)
        | Command::Service { .. }
        | Command::Config(_)
        | Command::Manual { .. }
        | Command::Help { .. }
        | Command::Completions { .. } => Ok(DONE),
    }
}

/// How long ago a time was.
fn age(time: Option<&Timestamp>) -> String {
    crate::render::figures::age(time, now_ms())
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| "write key=value, for example theta=0.9".to_owned())?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}
