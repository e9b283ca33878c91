//! `artoo service`: the daemon as a service of this account, by systemd or launchd.

pub mod moves;

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::process::Command;

use crate::commands::lifecycle;
use crate::console::GlobalFlags;
use crate::exit::{DONE, Failure};
use crate::output::raw;
use crate::paths::home;
use crate::start::accepts;
use moves::{ServiceCommand, ServiceManager, ServiceMove, ServicePlaces, moves};

/// Variables that name other folders than the usual ones.
const FOLDERS: [&str; 3] = ["ARTOO_DATA_DIR", "ARTOO_SOCKET", "ARTOO_WORKSPACE"];

/// Carries a command out, or with `print` only tells what it would do.
///
/// # Errors
/// When the daemon's program is missing, a file cannot be written, or the system refuses; it says what to do.
pub async fn run(global: &GlobalFlags, command: ServiceCommand, print: bool) -> Result<u8, Failure> {
    let places = places()?;
    let steps =
        moves(command, ServiceManager::here(), &places).map_err(|error| Failure::Local(error.to_string()))?;
    let starts = matches!(command, ServiceCommand::Install | ServiceCommand::Start | ServiceCommand::Restart);
    if starts && !print {
        // What runs now is ended on the way.
        accepts(as_service(&places)).map_err(|why| lifecycle::stays(&why))?;
    }
    for step in steps {
        if print {
            raw(&told(&step))?;
        } else {
            carry_out(global, &step).await?;
        }
    }
    if !print {
        raw(done(command))?;
    }
    Ok(DONE)
}

fn places() -> Result<ServicePlaces, Failure> {
    let home = home().ok_or_else(|| Failure::Local("no home folder is known: set HOME".to_owned()))?;
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let config = variable("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), Into::into);
    let program = crate::start::program().map_err(|error| Failure::Local(error.to_string()))?;
    let mut variables = Vec::new();
    for name in FOLDERS {
        if let Some(path) = variable(name) {
            variables.push((name, std::path::absolute(path)?));
        }
    }
    let uid = rustix::process::getuid().as_raw();
    Ok(ServicePlaces { home, config, program: std::path::absolute(program)?, uid, variables })
}

/// What asks the system whether the service runs.
pub(super) fn state_query() -> Option<(ServiceManager, Vec<String>)> {
    let manager = ServiceManager::here();
    Some((manager, moves::state_query(manager, &places().ok()?)))
}

/// The file of an installed service, and the program that it starts.
pub(super) fn installed() -> Option<(std::path::PathBuf, std::path::PathBuf)> {
    let places = places().ok()?;
    let file = moves::file(ServiceManager::here(), &places);
    let program = moves::started_program(ServiceManager::here(), &fs::read_to_string(&file).ok()?)?;
    Some((file, program))
}

/// The daemon's program with what it sees of the environment as a service.
fn as_service(places: &ServicePlaces) -> Command {
    let mut command = Command::new(&places.program);
    command.env_clear().env("HOME", &places.home).current_dir("/");
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.envs(places.variables.iter().map(|(name, path)| (name, path)));
    command
}

async fn carry_out(global: &GlobalFlags, step: &ServiceMove) -> Result<(), Failure> {
    let failed = |path: &std::path::Path, error| Failure::Local(format!("{}: {error}", path.display()));
    match step {
        ServiceMove::MakeFolder(path) => fs::DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(path)
            .map_err(|error| failed(path, error)),
        ServiceMove::Write(path, content) => {
            // Whole or not at all: the system may read it at any moment.
            let parent = path.parent().unwrap_or(path);
            let mut file = tempfile::NamedTempFile::new_in(parent).map_err(|error| failed(parent, error))?;
            std::io::Write::write_all(&mut file, content.as_bytes()).map_err(|error| failed(path, error))?;
            file.persist(path).map(drop).map_err(|error| failed(path, error.error))
        }
        ServiceMove::Remove(path) => match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path, error)),
            Ok(()) | Err(_) => Ok(()),
        },
        ServiceMove::EndDaemon => lifecycle::end(&global.daemon()?.running()).await.map(drop),
        ServiceMove::Run(words) => ask_system(words, false),
        ServiceMove::Try(words) => ask_system(words, true),
    }
}

/// Runs a program of the system. What it writes goes to this terminal, unless it may fail.
fn ask_system(words: &[String], may_fail: bool) -> Result<(), Failure> {
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(arguments);
    if may_fail {
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    }
    let line = words.join(" ");
    match command.status() {
        Ok(status) if status.success() || may_fail => Ok(()),
        Ok(status) => Err(Failure::Local(format!(
            "`{line}` failed ({status}). Services of an account need its session: log in on the machine itself, or have \
             `loginctl enable-linger` run for the account. Without a service artoo starts the daemon when it is needed."
        ))),
        Err(error) => Err(Failure::Local(format!(
            "{program} cannot be run: {error}. Without it there are no services here; artoo starts the daemon when it is needed."
        ))),
    }
}

fn told(step: &ServiceMove) -> String {
    match step {
        ServiceMove::MakeFolder(path) => format!("mkdir -p {}\n", path.display()),
        ServiceMove::Write(path, content) => format!("write {}:\n{}", path.display(), indented(content)),
        ServiceMove::Remove(path) => format!("rm -f {}\n", path.display()),
        ServiceMove::EndDaemon => "artoo stop\n".to_owned(),
        ServiceMove::Run(words) => format!("{}\n", words.join(" ")),
        ServiceMove::Try(words) => format!("{} || true\n", words.join(" ")),
    }
}

fn indented(content: &str) -> String {
    content.lines().map(|line| format!("    {line}\n")).collect()
}

fn done(command: ServiceCommand) -> &'static str {
    match command {
        ServiceCommand::Install => "the daemon runs as a service of this account, now and at every login\n",
        ServiceCommand::Uninstall => "the service is gone; tasks, memory and settings are where they were\n",
        ServiceCommand::Start | ServiceCommand::Restart => "the service was started\n",
        ServiceCommand::Stop => "the service was stopped\n",
        ServiceCommand::Status | ServiceCommand::Logs => "",
    }
}
