//! Commands that are the daemon's own: its program is run with the same arguments.

use std::os::unix::process::CommandExt;
use std::process::Command;

use clap::Args;

use crate::console::GlobalFlags;
use crate::exit::Failure;

/// Arguments for the daemon's program, unread.
#[derive(Debug, Clone, Args)]
pub struct DaemonArguments {
    /// What to do; see --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<std::ffi::OsString>,
}

/// Replaces this process by `artoo-daemon <command> <arguments>`.
///
/// # Errors
/// When the program cannot be found or run; otherwise it does not return.
pub fn pass_on(command: &str, passed: &DaemonArguments, global: &GlobalFlags) -> Result<u8, Failure> {
    let program = crate::start::program().map_err(|error| Failure::Local(error.to_string()))?;
    let mut run = Command::new(&program);
    run.arg(command).args(&passed.arguments);
    if global.json && !passed.arguments.iter().any(|argument| argument == "--json") {
        run.arg("--json");
    }
    if let Some(socket) = &global.socket {
        run.env("ARTOO_SOCKET", std::path::absolute(socket)?);
    }
    let error = run.exec();
    Err(Failure::Local(format!("{} cannot be run: {error}", program.display())))
}
