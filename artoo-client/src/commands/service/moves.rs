//! What each service command does on each system, as a list: worked out here, printed by `--print`, carried out by `service.rs`.

use std::path::{Path, PathBuf};

/// The unit of systemd, with the program in `~/.local/bin`.
const UNIT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../systemd/artoo.service"));
/// The program as [`UNIT`] names it.
const UNIT_PROGRAM: &str = "%h/.local/bin/artoo-daemon";
/// The LaunchAgent, with names to be filled in.
const AGENT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../launchd/com.artoo.daemon.plist"));
/// The name of the unit, and of the LaunchAgent.
const UNIT_NAME: &str = "artoo.service";
const LABEL: &str = "com.artoo.daemon";
/// Lines of the log that are shown.
const LOG_LINES: &str = "50";

/// Who runs services here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceManager {
    /// Linux.
    Systemd,
    /// macOS.
    Launchd,
}

impl ServiceManager {
    /// That of this system.
    pub fn here() -> Self {
        if cfg!(target_os = "macos") { Self::Launchd } else { Self::Systemd }
    }
}

/// What is to be done with the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Subcommand)]
pub enum ServiceCommand {
    /// Start the daemon now and at every login; again after an upgrade of the program
    Install,
    /// Stop it and take the service away; tasks, memory and settings stay
    Uninstall,
    /// Start the installed service
    Start,
    /// Stop it until the next login or start
    Stop,
    /// Stop it and start it anew
    Restart,
    /// Whether it runs, in the words of the system
    Status,
    /// The end of what it wrote
    Logs,
}

/// Where things lie for this account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePlaces {
    /// The home folder.
    pub home: PathBuf,
    /// Where settings of programs lie: `$XDG_CONFIG_HOME` or `~/.config`.
    pub config: PathBuf,
    /// The daemon's program, absolute.
    pub program: PathBuf,
    /// The account's number.
    pub uid: u32,
    /// Variables that name other folders than the usual ones, which the service would not see otherwise. Never a secret.
    pub variables: Vec<(&'static str, PathBuf)>,
}

/// One thing that is done, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceMove {
    /// Make the folder and those above it.
    MakeFolder(PathBuf),
    /// Write the file, in the place of an older one.
    Write(PathBuf, String),
    /// Delete the file, if it is there.
    Remove(PathBuf),
    /// End a daemon that runs outside of the service: two cannot share a data folder.
    EndDaemon,
    /// Run this; what it writes is shown.
    Run(Vec<String>),
    /// The same, where failing only means that there was nothing to do.
    Try(Vec<String>),
}

/// A path that no service file can hold: it has a line break, or is no text.
#[derive(Debug)]
pub struct UnwritablePath(PathBuf);

impl std::fmt::Display for UnwritablePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cannot stand in a service file: move it to a path of plain text", self.0.display())
    }
}

impl std::error::Error for UnwritablePath {}

/// What a command does.
///
/// # Errors
/// When a path holds a character that the service file cannot.
pub fn moves(
    command: ServiceCommand,
    manager: ServiceManager,
    places: &ServicePlaces,
) -> Result<Vec<ServiceMove>, UnwritablePath> {
    match manager {
        ServiceManager::Systemd => of_systemd(command, places),
        ServiceManager::Launchd => of_launchd(command, places),
    }
}

/// Where the service's file lies when it is installed.
pub fn file(manager: ServiceManager, places: &ServicePlaces) -> PathBuf {
    match manager {
        ServiceManager::Systemd => places.config.join("systemd/user").join(UNIT_NAME),
        ServiceManager::Launchd => places.home.join(format!("Library/LaunchAgents/{LABEL}.plist")),
    }
}

/// The program that a service's file of ours starts.
pub fn started_program(manager: ServiceManager, file: &str) -> Option<PathBuf> {
    let quoted = match manager {
        ServiceManager::Systemd => file.split("ExecStart=\"").nth(1)?.split("\" ").next()?.to_owned(),
        ServiceManager::Launchd => {
            let array = file.split("<key>ProgramArguments</key>").nth(1)?;
            let text = array.split("<string>").nth(1)?.split("</string>").next()?;
            return Some(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").into());
        }
    };
    let plain = quoted.replace("$$", "$").replace("%%", "%").replace("\\\"", "\"").replace("\\\\", "\\");
    Some(plain.into())
}

/// Whether an installed service runs, as its system tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceState {
    /// It runs, or is about to.
    Running,
    /// It ended with an error, and nobody starts it again.
    Failed,
    /// It was stopped, or was not started yet.
    Stopped,
}

impl ServiceState {
    /// What the answer to [`state_query`] says; None if it says nothing that is known here (no session, no such service).
    pub fn read(manager: ServiceManager, said: &str) -> Option<Self> {
        match manager {
            // systemctl(1), "is-active"; the states are those of systemd's units.
            ServiceManager::Systemd => match said.trim() {
                "active" | "activating" | "reloading" => Some(Self::Running),
                "failed" => Some(Self::Failed),
                "inactive" | "deactivating" => Some(Self::Stopped),
                _ => None,
            },
            ServiceManager::Launchd => {
                let value = |key: &str| {
                    let line = said.lines().find_map(|line| line.trim().strip_prefix(key));
                    line.and_then(|rest| rest.trim_start().strip_prefix("= ")).map(str::trim)
                };
                let state = value("state")?;
                let has_failed = value("last exit code")
                    .is_some_and(|code| code != "0" && code.starts_with(|c: char| c.is_ascii_digit()));
                match state {
                    "running" | "spawn scheduled" => Some(Self::Running),
                    _ if has_failed => Some(Self::Failed),
                    _ => Some(Self::Stopped),
                }
            }
        }
    }
}

/// What asks the system whether the service runs. It changes nothing.
pub fn state_query(manager: ServiceManager, places: &ServicePlaces) -> Vec<String> {
    match manager {
        ServiceManager::Systemd => run(&["systemctl", "--user", "is-active", UNIT_NAME]),
        ServiceManager::Launchd => run(&["launchctl", "print", &format!("gui/{}/{LABEL}", places.uid)]),
    }
}

fn of_systemd(command: ServiceCommand, places: &ServicePlaces) -> Result<Vec<ServiceMove>, UnwritablePath> {
    let folder = places.config.join("systemd/user");
    let file = file(ServiceManager::Systemd, places);
    let control = |words: &[&str]| run(&[&["systemctl", "--user"], words].concat());
    Ok(match command {
        ServiceCommand::Install => vec![
            ServiceMove::MakeFolder(folder),
            ServiceMove::Write(file, unit(places)?),
            ServiceMove::Run(control(&["daemon-reload"])),
            ServiceMove::Run(control(&["enable", UNIT_NAME])),
            ServiceMove::Try(control(&["stop", UNIT_NAME])),
            ServiceMove::EndDaemon,
            ServiceMove::Run(control(&["start", UNIT_NAME])),
        ],
        ServiceCommand::Uninstall => vec![
            ServiceMove::Try(control(&["disable", "--now", UNIT_NAME])),
            ServiceMove::Remove(file),
            ServiceMove::Run(control(&["daemon-reload"])),
        ],
        ServiceCommand::Start => {
            vec![ServiceMove::EndDaemon, ServiceMove::Run(control(&["start", UNIT_NAME]))]
        }
        ServiceCommand::Stop => vec![ServiceMove::Run(control(&["stop", UNIT_NAME]))],
        ServiceCommand::Restart => vec![
            ServiceMove::Try(control(&["stop", UNIT_NAME])),
            ServiceMove::EndDaemon,
            ServiceMove::Run(control(&["start", UNIT_NAME])),
        ],
        ServiceCommand::Status => vec![ServiceMove::Run(control(&["--no-pager", "status", UNIT_NAME]))],
        ServiceCommand::Logs => {
            vec![ServiceMove::Run(run(&[
                "journalctl",
                "--user",
                "--no-pager",
                "-n",
                LOG_LINES,
                "-u",
                UNIT_NAME,
            ]))]
        }
    })
}

fn of_launchd(command: ServiceCommand, places: &ServicePlaces) -> Result<Vec<ServiceMove>, UnwritablePath> {
    let folder = places.home.join("Library/LaunchAgents");
    let log = places.home.join("Library/Logs/artoo");
    let file = file(ServiceManager::Launchd, places);
    let domain = format!("gui/{}", places.uid);
    let service = format!("{domain}/{LABEL}");
    let control = |words: &[&str]| run(&[&["launchctl"], words].concat());
    let path = |path: &Path| text(path).map(str::to_owned);
    Ok(match command {
        ServiceCommand::Install => vec![
            ServiceMove::MakeFolder(folder),
            ServiceMove::MakeFolder(log),
            ServiceMove::Write(file.clone(), agent(places)?),
            ServiceMove::Try(control(&["bootout", &service])),
            ServiceMove::EndDaemon,
            ServiceMove::Run(control(&["bootstrap", &domain, &path(&file)?])),
        ],
        ServiceCommand::Uninstall => {
            vec![ServiceMove::Try(control(&["bootout", &service])), ServiceMove::Remove(file)]
        }
        ServiceCommand::Start => {
            vec![ServiceMove::EndDaemon, ServiceMove::Run(control(&["kickstart", &service]))]
        }
        ServiceCommand::Stop => vec![ServiceMove::Run(control(&["kill", "SIGTERM", &service]))],
        ServiceCommand::Restart => vec![ServiceMove::Run(control(&["kickstart", "-k", &service]))],
        ServiceCommand::Status => vec![ServiceMove::Run(control(&["print", &service]))],
        ServiceCommand::Logs => {
            vec![ServiceMove::Run(run(&["tail", "-n", LOG_LINES, &path(&log.join("daemon.log"))?]))]
        }
    })
}

/// The unit for this account.
fn unit(places: &ServicePlaces) -> Result<String, UnwritablePath> {
    let mut text = UNIT.replace(UNIT_PROGRAM, &quoted(&places.program)?);
    for (name, path) in &places.variables {
        let line = format!("Environment={}\n", quoted(Path::new(&format!("{name}={}", self::text(path)?)))?);
        text = text.replace("Restart=on-failure\n", &format!("{line}Restart=on-failure\n"));
    }
    Ok(text)
}

/// A value in double quotes (systemd.service(5), "Command lines", and systemd.unit(5), "Specifiers").
fn quoted(path: &Path) -> Result<String, UnwritablePath> {
    let plain = text(path)?;
    let escaped = plain.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    Ok(format!("\"{escaped}\""))
}

/// The LaunchAgent for this account.
fn agent(places: &ServicePlaces) -> Result<String, UnwritablePath> {
    let xml = |path: &Path| {
        Ok::<_, UnwritablePath>(text(path)?.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
    };
    let mut filled = AGENT.to_owned();
    for (name, path) in &places.variables {
        let entry = format!("\t\t<key>{name}</key>\n\t\t<string>{}</string>\n", xml(path)?);
        filled = filled.replacen("\t\t<key>PATH</key>\n", &format!("{entry}\t\t<key>PATH</key>\n"), 1);
    }
    Ok(filled.replace("@ARTOO_DAEMON@", &xml(&places.program)?).replace("@HOME@", &xml(&places.home)?))
}

/// The path as text; a service file has no place for line breaks and for bytes that are no text.
fn text(path: &Path) -> Result<&str, UnwritablePath> {
    let text = path.to_str().filter(|text| !text.chars().any(char::is_control));
    text.ok_or_else(|| UnwritablePath(path.to_owned()))
}

fn run(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests;
