//! Whether commands can be confined on this machine: not by looking at versions, but by a trial.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::Bounds;
use crate::launcher::Launcher;

/// How it is told that commands can set modes of what they can change, and of nothing else.
const VIEWS: &str = " + read-only views";
/// How it is told that commands get a network in which nothing is but themselves.
const LOOPBACK: &str = " + localhost of its own";
/// The first argument that makes a program confine itself, say how, and end. The second is what must stay hidden.
const WORD: &str = "try-confinement";
/// Entries of a hidden folder among which a file is looked for.
#[cfg(target_os = "linux")]
const MAX_LOOKED: usize = 64;
/// How long the trial may take. It takes some milliseconds; a machine that hangs this long has other troubles.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether commands are confined.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sandboxing {
    /// They are, by what the machine has. Where that is not enough, a person is asked before each command.
    #[default]
    Required,
    /// As if the machine lacked what is needed, for this reason: for tests.
    Lacking(String),
    /// They are not: for programs that have no keeper, such as tests of the tools themselves.
    Waived,
}

/// What the machine offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfinementMeans {
    /// Commands are confined, by this.
    Confining(String),
    /// They cannot be, for this reason.
    Lacking(String),
    /// They need not be.
    Waived,
}

impl ConfinementMeans {
    /// Whether a command that may set modes of what it can change really can.
    pub fn has_modes(&self) -> bool {
        match self {
            Self::Confining(means) => means.contains(VIEWS) || cfg!(target_os = "macos"),
            Self::Lacking(_) | Self::Waived => false,
        }
    }

    /// Whether what a command in a box starts can serve and be asked by it, in a network in which nothing else is.
    pub fn has_localhost(&self) -> bool {
        match self {
            Self::Confining(means) => means.contains(LOOPBACK),
            Self::Lacking(_) | Self::Waived => false,
        }
    }

    /// Finds out, once for a run of the program. It starts a process and waits for it, usually some milliseconds.
    pub fn find(wanted: &Sandboxing, launcher: Option<&Launcher>, hidden: &[String]) -> Self {
        match (wanted, launcher) {
            (Sandboxing::Waived, _) => Self::Waived,
            (Sandboxing::Lacking(why), _) => Self::Lacking(why.clone()),
            (Sandboxing::Required, None) => Self::Lacking("no keeper can be started".to_owned()),
            (Sandboxing::Required, Some(launcher)) => match trial(launcher, hidden) {
                Ok(means) => Self::Confining(means),
                Err(error) => Self::Lacking(error.to_string()),
            },
        }
    }
}

/// Does the trial when the arguments ask for it, and returns with what the program should end.
pub(crate) fn try_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.nth(1)? != WORD {
        return None;
    }
    let told = arguments
        .next()
        .ok_or_else(|| std::io::Error::other("it is for the daemon's own use"))
        .and_then(|hidden| Ok(serde_json::from_slice(hidden.as_encoded_bytes())?))
        .and_then(confined);
    let (text, code) = match told {
        Ok(means) => (means, ExitCode::SUCCESS),
        Err(error) => (error.to_string(), ExitCode::FAILURE),
    };
    // Who asked and does not listen needs no answer.
    drop(std::io::stdout().write_all(text.as_bytes()));
    Some(code)
}

fn trial(launcher: &Launcher, hidden: &[String]) -> std::io::Result<String> {
    let mut child = Command::new(&launcher.program)
        .arg(WORD)
        .arg(serde_json::to_string(hidden)?)
        .current_dir("/")
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let until = Instant::now() + PATIENCE;
    while child.try_wait()?.is_none() {
        if Instant::now() >= until {
            // It is gone, or goes now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(std::io::Error::other("the trial of the sandbox did not end"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !text.is_empty() { Ok(text) } else { Err(std::io::Error::other(text)) }
}

/// Confines this process and sees that it holds: each thing that is tried must be refused, not fail for another reason.
#[cfg(target_os = "linux")]
fn confined(hidden: Vec<String>) -> std::io::Result<String> {
    let secrets = secrets(&hidden);
    let bounds = Bounds::reading(hidden);
    let nowhere = std::path::Path::new("/dev/null");
    let views = if super::linux::has_views(&bounds, nowhere) { VIEWS } else { "" };
    let loopback = if super::linux::has_loopback() { LOOPBACK } else { "" };
    let got = super::linux::confine(&bounds, nowhere, &super::prepared::PreparedEntries::default())?;
    refused("the filter of system calls", &std::net::UdpSocket::bind("127.0.0.1:0"))?;
    refused("Landlock", &std::fs::write(std::env::temp_dir().join("artoo-trial"), ""))?;
    secrets.iter().try_for_each(|files| stays_shut(files))?;
    Ok(got.means() + views + loopback)
}

/// That the first of these files which is still there cannot be opened. The daemon writes below its folder while the
/// trial runs, so that a file may be gone by now, and one that is gone shows nothing.
#[cfg(target_os = "linux")]
fn stays_shut(files: &[std::path::PathBuf]) -> std::io::Result<()> {
    for file in files {
        match std::fs::File::open(file) {
            Err(gone) if gone.kind() == std::io::ErrorKind::NotFound => {}
            tried => return refused(&format!("what hides {}", file.display()), &tried),
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn refused<T>(what: &str, tried: &std::io::Result<T>) -> std::io::Result<()> {
    match tried {
        Ok(_) => Err(std::io::Error::other(format!("{what} does not hold"))),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(std::io::Error::other(format!("whether {what} holds cannot be told: {error}"))),
    }
}

/// Files that must not be read once this process is confined and that it can read now, by hidden place.
#[cfg(target_os = "linux")]
fn secrets(hidden: &[String]) -> Vec<Vec<std::path::PathBuf>> {
    let files_at = |path: &String| {
        let inside = std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_file = |path: &std::path::PathBuf| {
            path.symlink_metadata().is_ok_and(|meta| meta.is_file()) && std::fs::File::open(path).is_ok()
        };
        std::iter::once(std::path::PathBuf::from(path))
            .chain(inside.take(MAX_LOOKED))
            .filter(is_file)
            .collect()
    };
    hidden.iter().map(files_at).collect()
}

/// Runs a program confined, because this one cannot confine itself.
#[cfg(not(target_os = "linux"))]
fn confined(hidden: Vec<String>) -> std::io::Result<String> {
    let bounds = Bounds::reading(hidden);
    let nowhere = std::path::Path::new("/nowhere");
    let words = super::wrapped(&super::Confinement::Confined(bounds), nowhere, &["/bin/echo".to_owned()])?;
    let ran = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output()?;
    if ran.status.success() {
        return Ok("Seatbelt (sandbox-exec)".to_owned());
    }
    Err(std::io::Error::other(String::from_utf8_lossy(&ran.stderr).trim().to_owned()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::stays_shut;

    #[test]
    fn a_file_that_is_gone_says_nothing_and_one_that_opens_says_no() {
        let folder = tempfile::tempdir().expect("a folder");
        let (gone, open) = (folder.path().join("audit_stats.json.new"), folder.path().join("log"));
        std::fs::write(&open, "").expect("room");
        assert!(stays_shut(std::slice::from_ref(&gone)).is_ok());
        let error = stays_shut(&[gone, open]).expect_err("it can be read");
        assert!(error.to_string().contains("does not hold"), "{error}");
    }
}
