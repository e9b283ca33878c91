//! The daemon's program: reads the configuration, starts the log, runs.

use std::process::ExitCode;

use anyhow::Context;
use artoo_daemon::config::{self, Config};
use artoo_daemon::folder::Places;
use artoo_daemon::lifecycle;
use clap::{Parser, Subcommand};

/// The artoo daemon. People use the `artoo` command, which starts it when it is needed.
#[derive(Debug, Parser)]
#[command(name = "artoo-daemon", version)]
struct Arguments {
    /// Stay in the foreground and log to standard error as well: what launchd and systemd run.
    #[arg(long)]
    foreground: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Look at or change the configuration.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
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
    /// Copy model settings from an environment file into config.toml.
    Import {
        /// The file, for example `.env`.
        file: std::path::PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Some(Command::Config { command }) => configure(command),
        None => run(arguments.foreground),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&format!("artoo-daemon: {error:#}\n"));
            ExitCode::FAILURE
        }
    }
}

fn run(foreground: bool) -> anyhow::Result<()> {
    let places = Places::from_env()?;
    places.prepare()?;
    let config = load(&places)?;
    lifecycle::start_log(&places.data, foreground).context("cannot open debug.log in the data folder")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(lifecycle::run(&places, &config));
    // Nothing that still blocks may keep the process from ending.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    outcome
}

fn load(places: &Places) -> anyhow::Result<Config> {
    Ok(Config::load(places, &config::Flags::default(), &|name| std::env::var(name).ok())?)
}

fn configure(command: ConfigCommand) -> anyhow::Result<()> {
    let places = Places::from_env()?;
    match command {
        ConfigCommand::Show { json } => {
            let shown = config::show(&load(&places)?);
            print(&if json { config::as_json(&shown) } else { config::as_text(&shown) });
        }
        ConfigCommand::Import { file } => {
            places.prepare()?;
            let written = config::import(&places, &file)?;
            print(&format!("copied {} settings into {}\n", written, places.data.join("config.toml").display()));
        }
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "a command's own output")]
fn print(text: &str) {
    print!("{text}");
}

#[allow(clippy::print_stderr, reason = "the last words of a program that could not start")]
fn report(text: &str) {
    eprint!("{text}");
}
