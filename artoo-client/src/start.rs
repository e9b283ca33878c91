//! Starting the daemon, detached from this terminal.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::paths::ClientPaths;

/// What a daemon says before it ends fits in a few lines; more is not shown.
const LAST_WORDS_LINES: usize = 8;
/// Exit status of a daemon that finds its folder in use: `artoo_daemon::instance::TAKEN`.
const FOUND_ANOTHER: i32 = 75;
/// Exit status of a program that does not know an argument: a daemon of before `config check` cannot be asked.
const NOT_UNDERSTOOD: i32 = 2;
const LAST_WORDS_BYTES: u64 = 8 * 1024;

/// A daemon that was started and does not answer yet.
pub struct StartingDaemon {
    child: Child,
    said: File,
}

/// Why the daemon cannot be started, with what to do.
#[derive(Debug)]
pub enum StartError {
    /// There is no program.
    NotFound,
    /// The system does not run it.
    NotRunnable {
        /// The program.
        program: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It would not start with the configuration as it is; it says where and what.
    Misconfigured(String),
}

/// What helps against [`StartError::Misconfigured`].
pub const CORRECT: &str = "correct it there, or take a key out";
/// The same as a line for a shell, with a word to fill in.
pub const TAKE_OUT: &str = "artoo config unset KEY";

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str(
                "It is not running, and artoo-daemon is neither beside this program nor on the PATH: install it, or \
                 name it in ARTOO_DAEMON.",
            ),
            Self::NotRunnable { program, error } => {
                write!(f, "It is not running, and {} cannot be run: {error}.", program.display())
            }
            Self::Misconfigured(said) => write!(f, "{said}\n{CORRECT}: {TAKE_OUT}"),
        }
    }
}

impl StartingDaemon {
    /// Whether its process is gone.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether it ended because another daemon holds the folder. That one may be dying.
    pub fn found_another(&mut self) -> bool {
        let ended = self.child.try_wait().ok().flatten();
        ended.and_then(|status| status.code()) == Some(FOUND_ANOTHER)
    }

    /// The last lines it wrote to its standard error.
    pub fn last_words(&mut self) -> String {
        let length = self.said.metadata().map_or(0, |metadata| metadata.len());
        let from = length.saturating_sub(LAST_WORDS_BYTES);
        let mut bytes = Vec::new();
        let read = self.said.seek(SeekFrom::Start(from)).and_then(|_| self.said.read_to_end(&mut bytes));
        if read.is_err() {
            return String::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(LAST_WORDS_LINES)..].join("\n")
    }
}

/// Starts the daemon for these paths. It outlives this process and does not hear this terminal's Ctrl+C.
///
/// # Errors
/// When the program is not there, or cannot be run.
pub fn start(paths: &ClientPaths) -> Result<StartingDaemon, StartError> {
    let program = program()?;
    let attempt = || -> std::io::Result<StartingDaemon> {
        let said = tempfile::tempfile()?;
        let mut command = in_its_place(&program, paths)?;
        command.stdout(Stdio::null()).stderr(said.try_clone()?).process_group(0);
        Ok(StartingDaemon { child: command.spawn()?, said })
    };
    attempt().map_err(|error| StartError::NotRunnable { program, error })
}

/// Whether the daemon would start for these paths with the configuration and environment of now. Nothing is started but what
/// fetches its keys.
///
/// # Errors
/// When the program is not there, cannot be run, or says that it would not.
pub fn would_start(paths: &ClientPaths) -> Result<(), StartError> {
    let program = program()?;
    match in_its_place(&program, paths) {
        Ok(command) => accepts(command),
        Err(error) => Err(StartError::NotRunnable { program, error }),
    }
}

/// Whether the daemon's program, run by this command, takes the configuration that it finds.
///
/// # Errors
/// When it cannot be run, or says what is wrong.
pub fn accepts(mut command: Command) -> Result<(), StartError> {
    let program = PathBuf::from(command.get_program());
    let asked = command.args(["config", "check"]).stdin(Stdio::null()).output();
    let asked = asked.map_err(|error| StartError::NotRunnable { program, error })?;
    if asked.status.success() || asked.status.code() == Some(NOT_UNDERSTOOD) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&asked.stderr);
    Err(StartError::Misconfigured(said.trim().trim_start_matches("artoo-daemon: ").to_owned()))
}

/// The daemon's program, as it is run for these paths.
fn in_its_place(program: &Path, paths: &ClientPaths) -> std::io::Result<Command> {
    let mut command = Command::new(program);
    command.env("ARTOO_DATA_DIR", &paths.data).env("ARTOO_SOCKET", &paths.socket);
    command.current_dir("/").stdin(Stdio::null());
    if let Some(workspace) = std::env::var_os("ARTOO_WORKSPACE").filter(|path| !path.is_empty()) {
        command.env("ARTOO_WORKSPACE", std::path::absolute(workspace)?);
    }
    Ok(command)
}

/// The daemon's program: `ARTOO_DAEMON`, else beside this program, else on the PATH.
///
/// # Errors
/// When it is in none of these places.
pub fn program() -> Result<PathBuf, StartError> {
    if let Some(path) = std::env::var_os("ARTOO_DAEMON").filter(|path| !path.is_empty()) {
        return Ok(PathBuf::from(path));
    }
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name("artoo-daemon"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("artoo-daemon"));
    beside.into_iter().chain(on_path).find(|path| path.is_file()).ok_or(StartError::NotFound)
}
