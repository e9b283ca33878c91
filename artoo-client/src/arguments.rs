//! The command line.

mod memory;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use memory::MemoryCommand;

/// A local agent that shows its evidence. Without arguments: a conversation.
#[derive(Debug, Parser)]
#[command(name = "artoo", version, disable_help_subcommand = true)]
#[command(override_usage = "artoo [OPTIONS] [TEXT]...\n       artoo [OPTIONS] <COMMAND>")]
#[command(
    after_help = "Exit codes: 0 accepted or done, 1 abandoned, 2 usage, 3 the daemon does not answer, 4 stopped \
    because nobody confirmed an action, 5 the daemon refused the request, 130 cancelled."
)]
pub struct Arguments {
    /// For every command.
    #[command(flatten)]
    pub global: Global,
    /// Without a command: a task to run.
    #[command(flatten)]
    pub task: TaskArguments,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// Do not start the daemon when it does not answer
    #[arg(long, global = true)]
    pub no_start: bool,
    /// Print JSON; streams print one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Socket of the daemon [default: $ARTOO_SOCKET, else artoo.sock in the data folder]
    #[arg(long, global = true, value_name = "PATH")]
    pub socket: Option<PathBuf>,
}

/// A task and its bounds.
#[derive(Debug, Clone, Default, Args)]
pub struct TaskArguments {
    /// What to do, in words; "-" reads it from standard input
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// Remember the last requests of this session
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// Where relative paths start [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Ask nothing: deny what needs a confirmation. The default without a terminal
    #[arg(long, conflicts_with = "attended")]
    pub unattended: bool,
    /// Let questions wait for their answer (artoo confirm), also without a terminal
    #[arg(long)]
    pub attended: bool,
    /// Most replans; 0 allows none
    #[arg(long, value_name = "N")]
    pub max_replans: Option<u32>,
    /// Time that the budget counts against, for example 90s or 5m
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub time_budget: Option<u64>,
    /// When to stop in any case [default: twice the time budget]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub deadline: Option<u64>,
    /// Most tokens over all model calls
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// The same request again is the same task as long as this id is the same
    #[arg(long, value_name = "ID")]
    pub request_id: Option<String>,
    /// Show every message on the bus
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print the answer alone
    #[arg(short, long)]
    pub quiet: bool,
}

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
    /// One task with its evidence
    Show {
        /// The task; the start of its id is enough
        id: String,
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
    /// The auditor's report, or a check of its log
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
    Explain(ExplainArguments),
    /// Fold the recorded inputs of a task again and compare
    Replay {
        /// The task; the start of its id is enough
        id: String,
        /// Replay with this setting of the controller, for example theta=0.9
        #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
        control: Vec<(String, String)>,
    },
    /// One HTML page about a task
    Report {
        /// The task; the start of its id is enough
        id: String,
        /// Where to write it; "-" for standard output [default: artoo-<id>.html]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take back what a task deleted or overwrote
    Undo {
        /// The task; the start of its id is enough
        id: String,
        /// Only say what would be restored
        #[arg(long, alias = "dry-run")]
        list: bool,
        /// Restore also what was changed since; what is there now goes into the trash
        #[arg(long)]
        force: bool,
    },
    /// Check that everything is in place, and say what to do where it is not
    Doctor,
    /// Install, start and stop the daemon as a service of this account
    #[command(disable_help_flag = true)]
    Service(PassedOn),
    /// Show or import the configuration
    #[command(disable_help_flag = true)]
    Config(PassedOn),
    /// Completions for a shell
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
}

/// yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum YesNo {
    /// It may.
    #[value(alias = "y")]
    Yes,
    /// It may not.
    #[value(alias = "n")]
    No,
}

/// Arguments for the daemon's program, unread.
#[derive(Debug, Clone, Args)]
pub struct PassedOn {
    /// What to do; see --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<std::ffi::OsString>,
}

/// Further commands of the auditor.
#[derive(Debug, Clone, Subcommand)]
pub enum AuditCommand {
    /// Check the chain of the log from end to end
    Verify {
        /// Also compare the memory's running sums with its records
        #[arg(long)]
        memory: bool,
        /// A head hash that you noted down from a report or the system log: the log must hold it
        #[arg(long = "anchor", value_name = "HASH")]
        anchors: Vec<String>,
    },
}

/// Commands of MCP servers.
#[derive(Debug, Clone, Subcommand)]
pub enum McpCommand {
    /// Servers with their state, their tools, and what is different from what was agreed to
    List,
    /// Show what a server offers differently now, and agree to it
    Approve {
        /// Its name in config.toml
        name: String,
    },
}

/// A command to explain.
#[derive(Debug, Clone, Args)]
pub struct ExplainArguments {
    /// Where it would run [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Read one command a line from standard input
    #[arg(long)]
    pub stdin: bool,
    /// Together with --stdin: commands end with a NUL byte, not with a line feed
    #[arg(short = '0')]
    pub nul: bool,
    /// The command; quote it, or put it after "--"
    #[arg(value_name = "COMMAND", required_unless_present = "stdin")]
    pub command: Vec<String>,
}

/// `90s`, `5m`, `1h`, `1500ms`, or a number of seconds.
fn milliseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits.parse().map_err(|_| "write a number and a unit: 90s, 5m, 1h".to_owned())?;
    let factor = match &text[digits.len()..] {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        unit => return Err(format!("the unit `{unit}` is not one of ms, s, m, h")),
    };
    number.checked_mul(factor).filter(|ms| *ms > 0).ok_or_else(|| "that is no time to work with".to_owned())
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| "write key=value, for example theta=0.9".to_owned())?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Arguments, Command};

    fn parse(line: &[&str]) -> Arguments {
        Arguments::try_parse_from([&["artoo"], line].concat())
            .unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    #[test]
    fn the_table_of_arguments_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn words_that_are_no_command_are_a_task() {
        for line in [
            &["find the ten largest files"][..],
            &["find", "the", "status"],
            &["--json", "find it"],
            &["--", "status"],
        ] {
            let arguments = parse(line);
            assert!(arguments.command.is_none() && !arguments.task.text.is_empty(), "{line:?}");
        }
        assert_eq!(parse(&["find", "the", "status"]).task.text, ["find", "the", "status"]);
    }

    #[test]
    fn global_flags_may_stand_anywhere() {
        for line in [&["--json", "status"][..], &["status", "--json"]] {
            let arguments = parse(line);
            assert!(arguments.global.json && matches!(arguments.command, Some(Command::Status)), "{line:?}");
        }
        let Some(Command::Run(task)) =
            parse(&["run", "x", "--no-start", "--time-budget", "5m", "--max-replans", "0"]).command
        else {
            panic!("`run` is a command");
        };
        assert_eq!((task.time_budget, task.max_replans), (Some(300_000), Some(0)));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            &["run", "x", "--time-budget", "5 parsecs"][..],
            &["run", "x", "--time-budget", "0"],
            &["run", "x", "--attended", "--unattended"],
            &["confirm", "1234", "perhaps"],
            &["explain"],
            &["replay", "1234", "--control", "theta"],
            &["show"],
        ] {
            assert!(Arguments::try_parse_from([&["artoo"], line].concat()).is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_command_to_explain_keeps_its_own_flags_and_leaves_us_ours() {
        for (line, words, json) in [
            (&["explain", "rm -rf x", "--json"][..], &["rm -rf x"][..], true),
            (&["explain", "--json", "--", "rm", "-rf", "--json"], &["rm", "-rf", "--json"], true),
            (&["explain", "ls", "x"], &["ls", "x"], false),
        ] {
            let arguments = parse(line);
            let Some(Command::Explain(explain)) = arguments.command else { panic!("{line:?}") };
            assert_eq!(
                (explain.command, arguments.global.json),
                (words.iter().map(|w| (*w).to_owned()).collect(), json)
            );
        }
    }

    #[test]
    fn arguments_for_the_daemon_are_passed_on_unread() {
        let Some(Command::Config(passed)) = parse(&["config", "show", "--json"]).command else {
            panic!("config")
        };
        assert_eq!(passed.arguments, ["show", "--json"]);
    }
}
