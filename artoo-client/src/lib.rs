//! The client: command line, REPL and renderer.
//!
//! It is thin: it knows the protocol and nothing else of artoo, it decides nothing and keeps nothing but what was typed.
//! Start with [`arguments`] (what can be said), then [`run`], then [`follow`] (one task on the screen) and [`render`].

pub mod answers;
pub mod arguments;
pub mod commands;
pub mod connection;
pub mod console;
pub mod events;
pub mod exit;
pub mod follow;
pub mod ids;
pub mod keyboard;
pub mod links;
pub mod material;
pub mod one_shot;
pub mod output;
pub mod pager;
pub mod paths;
pub mod render;
pub mod repl;
pub mod slips;
pub mod start;
pub mod terminal;
pub mod whole;

use std::ffi::OsString;

use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::commands::Command;
use crate::exit::Failure;
use crate::one_shot::TaskArguments;
use crate::terminal::spoken;

/// Runs the command line and returns its exit code. Everything it has to say is printed.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match Arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; clap knows the stream for each.
            drop(error.print());
            if let Some(line) = slips::as_task(&words, &error) {
                output::complain(&spoken().screen(&format!("To run it as a task: {line}")));
            }
            return if error.use_stderr() { exit::USAGE } else { exit::DONE };
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::complain(&format!("artoo: no runtime: {error}"));
            return exit::ABANDONED;
        }
    };
    let code = match runtime.block_on(carry_out(arguments)) {
        Ok(code) => code,
        Err(failure) => {
            if !failure.is_silent() {
                output::complain_in_words(&format!("artoo: {}", spoken().screen(&failure.to_string())));
            }
            failure.code()
        }
    };
    runtime.shutdown_background();
    code
}

async fn carry_out(arguments: Arguments) -> Result<u8, Failure> {
    let Arguments { global, task, command } = arguments;
    match command {
        None if task.text.is_empty() => repl::run(&global, &task).await,
        None => {
            slips::suspect(&task.text)?;
            one_shot::run(&global, task).await
        }
        Some(Command::Run(task)) => one_shot::run(&global, task).await,
        Some(Command::Help { command }) => match arguments::help(&command) {
            Some(help) => {
                output::raw(&help)?;
                Ok(exit::DONE)
            }
            // "help me find the largest files" is a request.
            None => {
                let text = std::iter::once("help".to_owned()).chain(command).collect();
                one_shot::run(&global, TaskArguments { text, ..task }).await
            }
        },
        Some(Command::Completions { shell }) => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "artoo", &mut text);
            output::raw(&String::from_utf8_lossy(&text))?;
            Ok(exit::DONE)
        }
        Some(Command::Manual { folder }) => {
            clap_mangen::generate_to(Arguments::command(), folder)?;
            Ok(exit::DONE)
        }
        Some(Command::Config(passed)) => commands::program::pass_on("config", &passed, &global),
        Some(command) => commands::run(&global, command).await,
    }
}
