//! The daemon's program: reads the configuration, starts the log, runs.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use artoo_config::folder::Places;
use artoo_config::{Config, Flags, Settings};
use artoo_daemon::instance::{Instance, InstanceError, TAKEN, new_token};
use artoo_daemon::secrets::{self, Secrets};
use artoo_daemon::setup::{self, ModelArguments, SetupArguments, SetupEnd, existing};
use artoo_daemon::{backups, debug_log, lifecycle};
use artoo_redact::Secret;
use clap::{Parser, Subcommand};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Open files of the daemon: connections, journals of tasks at work, the memory's tables, pipes of commands.
const OPEN_FILES: u64 = 4_096;

/// What is said after each change of the configuration.
const APPLIES: &str = "It counts from the next start of the daemon: artoo restart\n";

/// The artoo daemon. People use the `artoo` command, which starts it when it is needed.
#[derive(Debug, Parser)]
#[command(name = "artoo-daemon", version)]
struct Arguments {
    /// Stay in the foreground and log to standard error as well: what launchd and systemd run.
    #[arg(long)]
    foreground: bool,
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Look at the memory's copies, or put one in its place. No daemon may run meanwhile.
    Memory {
        #[command(subcommand)]
        command: MemoryCommand,
    },
    /// Find a model, try it with real calls, and write it into config.toml.
    Setup(SetupArguments),
    /// Show which model answers, or set another one of the same server.
    Model(ModelArguments),
    /// What finished tasks say of the controller's numbers, and what that would change. It reads journals and writes nothing.
    Calibrate {
        /// Write it into config.toml.
        #[arg(long)]
        apply: bool,
    },
    /// Look at or change the configuration.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
}

#[derive(Debug, Subcommand)]
enum MemoryCommand {
    /// List the copies and verify each.
    Backups,
    /// Put a copy in the place of the memory, which is moved aside.
    Restore {
        /// The copy, as `backups` names it; the newest one that is whole without it.
        name: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print each effective value and where it comes from.
    Show {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Whether the daemon would start with what is written down and set now. It starts nothing but `api_key_command`.
    Check,
    /// Copy model settings from an environment file into config.toml.
    Import {
        /// The file, for example `.env`.
        file: std::path::PathBuf,
    },
    /// Set one setting in config.toml; comments and other keys stay.
    Set {
        /// Its key, for example model.base_url.
        key: String,
        /// Its value.
        value: String,
    },
    /// Take one key out of config.toml, also one that artoo does not know.
    Unset {
        /// The key, for example model.base_url.
        key: String,
    },
}

/// The name of the service under launchd, as its file in `launchd/` says.
const LABEL: &str = "com.artoo.daemon";
/// How long a daemon that a client started has to end its tasks when a service starts: somewhat more than it gives them.
const GIVE_WAY_WITHIN: std::time::Duration = std::time::Duration::from_secs(20);

fn main() -> ExitCode {
    // Before anything else: this program is started once for every command that a tool runs.
    if let Some(ended) = artoo_command::children::keep_if_asked(std::env::args_os()) {
        return ended;
    }
    let arguments = Arguments::parse();
    let is_daemon = arguments.command.is_none();
    let outcome = match &arguments.command {
        Some(Command::Config { command }) => configure(command, &arguments.flags),
        Some(Command::Memory { command }) => copies(command),
        Some(Command::Calibrate { apply }) => calibrate(*apply, &arguments.flags),
        Some(Command::Setup(_) | Command::Model(_)) => match set_up(&arguments) {
            Ok(SetupEnd::Ready) => Ok(()),
            // What was found stands on the screen already.
            Ok(SetupEnd::Unchanged) => return ExitCode::FAILURE,
            Err(error) => Err(error),
        },
        None => run(arguments.foreground, &arguments.flags),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let redactor = secrets::redactor(&[], std::env::vars_os());
            report(&redactor.redact(&format!("artoo-daemon: {error:#}\n")));
            match error.downcast_ref::<InstanceError>() {
                Some(InstanceError::Taken { .. }) if is_daemon => ExitCode::from(TAKEN),
                Some(_) | None => ExitCode::FAILURE,
            }
        }
    }
}

fn run(foreground: bool, flags: &Flags) -> anyhow::Result<()> {
    let closed = secrets::close_process();
    raise_open_files();
    let places = Places::from_env()?;
    places.prepare()?;
    let watch = artoo_config::ConfigWatch::start(&places);
    let config = Config::load(&places, flags, &artoo_config::process_environment)?;
    let instance = only_instance(&places, foreground)?;
    let token = new_token(&places.confirm_token())
        .with_context(|| format!("cannot write {}", places.confirm_token().display()))?;
    let mut secrets = Secrets::gather(&config, Secret::new(&token), &places, std::env::vars_os());
    secrets.advice.extend(closed.err().map(|error| {
        format!("Programs of this account can look into the daemon's memory, where its keys are: the system says {error}.")
    }));
    debug_log::start(&places.data, foreground, &secrets.redactor)
        .context("cannot open debug.log in the data folder")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(lifecycle::run(&places, &config, watch, instance, secrets));
    // Nothing that still blocks may keep the process from ending.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    outcome
}

/// The lock of the data folder. A service takes it from a daemon that a client started, which would keep the service from starting,
/// every ten seconds anew under launchd.
fn only_instance(places: &Places, foreground: bool) -> Result<Instance, InstanceError> {
    // systemd.exec(5) and launchd say so to what they start.
    let is_service = std::env::var_os("INVOCATION_ID").is_some()
        || std::env::var_os("XPC_SERVICE_NAME").is_some_and(|name| name == LABEL);
    if is_service && foreground {
        return Instance::acquire_from_client(places, GIVE_WAY_WITHIN);
    }
    let mut instance = Instance::acquire(places)?;
    if !foreground && let Err(error) = instance.give_way() {
        report(&format!("artoo-daemon: a service will not take over from this daemon: {error}\n"));
    }
    Ok(instance)
}

/// Asks for as many open files as the daemon may need: some systems begin with 256, and there may be more connections than that.
/// Where the system allows fewer, what goes beyond is refused when it comes.
fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let current = limit.maximum.map_or(OPEN_FILES, |most| most.min(OPEN_FILES));
    if limit.current.is_some_and(|now| now < current) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(current), ..limit });
    }
}

fn configure(command: &ConfigCommand, flags: &Flags) -> anyhow::Result<()> {
    let places = Places::from_env()?;
    match command {
        ConfigCommand::Show { json } => {
            let settings = Settings::read(&places, flags, &artoo_config::process_environment)?;
            let redactor = secrets::redactor(settings.secrets(), std::env::vars_os());
            let shown = artoo_config::show(&settings);
            let text = if *json {
                format!("{}\n", serde_json::to_string_pretty(&shown)?)
            } else {
                artoo_config::as_text(&shown)
            };
            print(&redactor.redact(&text));
        }
        ConfigCommand::Check => {
            Config::load(&places, flags, &artoo_config::process_environment)?;
            print("the daemon would start with it\n");
        }
        ConfigCommand::Import { file } => import(&places, file)?,
        ConfigCommand::Set { key, value } => edit(&places, &[(key.clone(), Some(value.clone()))])?,
        ConfigCommand::Unset { key } => edit(&places, &[(key.clone(), None)])?,
    }
    Ok(())
}

fn copies(command: &MemoryCommand) -> anyhow::Result<()> {
    let places = Places::from_env()?;
    places.prepare()?;
    let text = match command {
        MemoryCommand::Backups => backups::list(&places)?,
        MemoryCommand::Restore { name } => {
            let _alone = Instance::acquire(&places)?;
            backups::restore(&places, name.as_deref())?
        }
    };
    print(&text);
    Ok(())
}

/// Says what finished tasks would change, and changes it if that is asked for.
fn calibrate(apply: bool, flags: &Flags) -> anyhow::Result<()> {
    let places = Places::from_env()?;
    let config = Config::load(&places, flags, &artoo_config::process_environment)?;
    let proposal = artoo_runtime::calibration::propose(&places.tasks(), &config.control)?;
    print(&proposal.text);
    if proposal.changes.is_empty() {
        print("\nNothing is to be changed.\n");
        return Ok(());
    }
    for (key, value) in &proposal.changes {
        print(&format!("\n{} {key} = {value}\n", if apply { "set" } else { "--apply would set" }));
    }
    let changes: Vec<(String, Option<String>)> =
        proposal.changes.into_iter().map(|(key, value)| (key, Some(value))).collect();
    if apply { edit(&places, &changes) } else { Ok(()) }
}

fn import(places: &Places, file: &std::path::Path) -> anyhow::Result<()> {
    places.prepare()?;
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    artoo_config::write_config(places, &artoo_config::import_env(&text, &existing(places)?)?)?;
    let names = artoo_config::variables_in(&text)?.join(", ");
    let target = places.data.join("config.toml");
    print(&format!("copied {names} into {}\n{APPLIES}", target.display()));
    Ok(())
}

/// Finds a model, or sets one.
fn set_up(arguments: &Arguments) -> anyhow::Result<SetupEnd> {
    let places = Places::from_env()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let flags = &arguments.flags;
    match &arguments.command {
        Some(Command::Setup(wanted)) => runtime.block_on(setup::setup(&places, wanted)),
        Some(Command::Model(wanted)) => runtime.block_on(setup::model(&places, flags, wanted)),
        Some(Command::Memory { .. } | Command::Calibrate { .. } | Command::Config { .. }) | None => {
            Ok(SetupEnd::Unchanged)
        }
    }
}

/// Changes settings in config.toml.
fn edit(places: &Places, changes: &[(String, Option<String>)]) -> anyhow::Result<()> {
    places.prepare()?;
    let before = existing(places)?;
    let after = artoo_config::edited(&before, changes)?;
    if after == before {
        print("config.toml says so already\n");
        return Ok(());
    }
    artoo_config::write_config(places, &after)?;
    print(&format!("changed {}\n{APPLIES}", places.data.join("config.toml").display()));
    Ok(())
}

/// Prints a command's own output. A reader that has gone away, such as `head`, is no error.
fn print(text: &str) {
    drop(std::io::stdout().lock().write_all(text.as_bytes()));
}

#[allow(clippy::print_stderr, reason = "the last words of a program that could not start")]
fn report(text: &str) {
    eprint!("{text}");
}
