//! Child processes: one shell command, its whole process group, its bounded output, its end.
//!
//! The command runs in `bash --noprofile --norc` with `pipefail`, in a process group of its own, with an empty standard
//! input and an environment of listed names only. Nothing of its group outlives the call; what would not go is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use artoo_types::evidence::CallEnd;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::places::is_below;
use crate::receipt::Produced;
use crate::stop::StopSignal;

mod group;

use group::Group;

/// Bytes of standard output, and as many of standard error, after which a command is stopped.
const MAX_OUTPUT_BYTES: usize = 64 << 20;
/// How long a process group has between being asked to end and being killed.
const TERM_GRACE: Duration = Duration::from_secs(2);
/// How long a killed group has to be gone, and how long its last output is waited for.
const KILL_GRACE: Duration = Duration::from_millis(400);
/// What shells add to the number of a signal that ended a program.
const EXIT_SIGNAL_BASE: i64 = 128;

/// Names of the daemon's environment that a child gets. Everything else stays out: keys, agents, loader variables,
/// start-up files, pagers.
const PASSED: &[&str] = &["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"];
/// Where programs are looked for when the environment does not say.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// Settings that keep git from running programs of a repository and from writing its index while it only looks.
const GIT_SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("log.showSignature", "false"),
    ("submodule.recurse", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("status.submoduleSummary", "false"),
];

/// One command.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) text: String,
    pub(crate) folder: String,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) home: PathBuf,
    pub(crate) timeout: Duration,
}

/// How the wait for a command ended.
enum Waited {
    Exited(std::io::Result<ExitStatus>),
    TimedOut,
    Stopped,
    TooMuch,
}

/// Runs a command to its end. Also returns what could not be ended.
pub(crate) async fn run(command: Command, stop: StopSignal) -> (Produced, Vec<String>) {
    let scratch = match Scratch::new() {
        Ok(scratch) => scratch,
        Err(error) => {
            let text = format!("no private temporary folder could be made: {error}");
            return (Produced::ended(CallEnd::Error, text), Vec::new());
        }
    };
    let mut shell = tokio::process::Command::new("bash");
    shell
        .args(["--noprofile", "--norc", "-o", "pipefail", "-c", &command.text])
        .current_dir(&command.folder)
        .env_clear()
        .envs(environment(&command, &scratch.0))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(error) => {
            let text = format!("bash could not be started in {}: {error}", command.folder);
            return (Produced::ended(CallEnd::Error, text), Vec::new());
        }
    };
    let group = child.id().and_then(Group::of_leader);
    let (full, mut overflow) = mpsc::channel(2);
    let out = collect(child.stdout.take(), full.clone());
    let err = collect(child.stderr.take(), full);
    let waited = wait(&mut child, command.timeout, stop, &mut overflow).await;
    let mut survivors = Vec::new();
    if let Some(group) = group
        && let Err(left) = group.end(TERM_GRACE, KILL_GRACE, &mut child).await
    {
        survivors.push(format!("process group {} of the command {:?}: {left}", group.id(), command.text));
    }
    let (out, err) = (finish(out).await, finish(err).await);
    let mut produced = produced(&waited, joined(&out, &err), command.timeout);
    if !survivors.is_empty() {
        produced.note = Some(format!("still running: {}", survivors.join("; ")));
    }
    (produced, survivors)
}

async fn wait(
    child: &mut tokio::process::Child,
    timeout: Duration,
    mut stop: StopSignal,
    overflow: &mut mpsc::Receiver<()>,
) -> Waited {
    tokio::select! {
        biased;
        () = stop.stopped() => Waited::Stopped,
        status = child.wait() => Waited::Exited(status),
        Some(()) = overflow.recv() => Waited::TooMuch,
        () = tokio::time::sleep(timeout) => Waited::TimedOut,
    }
}

fn produced(waited: &Waited, output: String, timeout: Duration) -> Produced {
    match waited {
        Waited::Exited(Ok(status)) => {
            let exit = exit_of(*status);
            Produced { end: CallEnd::Ran, exit: Some(exit), output, note: None }
        }
        Waited::Exited(Err(error)) => {
            Produced::ended(CallEnd::Error, format!("the command's end could not be seen: {error}\n{output}"))
        }
        Waited::TimedOut => Produced::ended(CallEnd::Timeout, output)
            .noted(Some(format!("stopped after {} ms, its deadline", timeout.as_millis()))),
        Waited::Stopped => {
            Produced::ended(CallEnd::Cancelled, output).noted(Some("stopped on request".to_owned()))
        }
        Waited::TooMuch => Produced::ended(CallEnd::Error, output)
            .noted(Some(format!("stopped because it wrote more than {MAX_OUTPUT_BYTES} bytes"))),
    }
}

/// The exit status as shells count it: 128 plus the signal when one ended the process.
fn exit_of(status: ExitStatus) -> i64 {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => i64::from(code),
        (None, Some(signal)) => EXIT_SIGNAL_BASE + i64::from(signal),
        (None, None) => EXIT_SIGNAL_BASE,
    }
}

type Collected = std::sync::Arc<std::sync::Mutex<Vec<u8>>>;

/// Reads a pipe into memory until it ends or is too long; then says so once and reads on without keeping anything, so
/// that the child is not blocked while it is being stopped.
fn collect(
    pipe: Option<impl AsyncRead + Unpin + Send + 'static>,
    full: mpsc::Sender<()>,
) -> (Collected, Option<JoinHandle<()>>) {
    let bytes = Collected::default();
    let kept = Collected::clone(&bytes);
    let task = pipe.map(|mut pipe| {
        tokio::spawn(async move {
            let mut chunk = vec![0; 64 << 10];
            loop {
                let Ok(read @ 1..) = pipe.read(&mut chunk).await else { return };
                let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let room = MAX_OUTPUT_BYTES.saturating_sub(kept.len());
                kept.extend_from_slice(&chunk[..read.min(room)]);
                if read > room {
                    // A full channel means that it was already said.
                    let _ = full.try_send(());
                }
            }
        })
    });
    (bytes, task)
}

/// What was collected. A process that left its group may hold the pipe open; it is not waited for.
async fn finish((bytes, task): (Collected, Option<JoinHandle<()>>)) -> Vec<u8> {
    if let Some(task) = task {
        let abort = task.abort_handle();
        if tokio::time::timeout(KILL_GRACE, task).await.is_err() {
            abort.abort();
        }
    }
    std::mem::take(&mut *bytes.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Standard output, then standard error. Bytes that are not UTF-8 are replaced.
fn joined(out: &[u8], err: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(out).into_owned();
    if !err.is_empty() {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&String::from_utf8_lossy(err));
    }
    text
}

fn environment(command: &Command, scratch: &Path) -> BTreeMap<String, String> {
    let mut passed: BTreeMap<String, String> = command
        .environment
        .iter()
        .filter(|(name, _)| PASSED.contains(&name.as_str()) || name.starts_with("LC_"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let path = command.environment.get("PATH").map_or(DEFAULT_PATH, String::as_str);
    // A relative entry would find programs in the working directory, which the gate could not have judged.
    let planted = |entry: &str| command.folder != "/" && is_below(entry, &command.folder);
    let path: Vec<&str> = path.split(':').filter(|p| p.starts_with('/') && !planted(p)).collect();
    let path = if path.is_empty() { DEFAULT_PATH.to_owned() } else { path.join(":") };
    passed.insert("PATH".to_owned(), path);
    passed.insert("HOME".to_owned(), command.home.to_string_lossy().into_owned());
    passed.insert("TERM".to_owned(), "dumb".to_owned());
    passed.insert("TMPDIR".to_owned(), scratch.to_string_lossy().into_owned());
    passed.insert("GIT_OPTIONAL_LOCKS".to_owned(), "0".to_owned());
    passed.insert("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned());
    passed.insert("GIT_CONFIG_COUNT".to_owned(), GIT_SETTINGS.len().to_string());
    for (index, (key, value)) in GIT_SETTINGS.iter().enumerate() {
        passed.insert(format!("GIT_CONFIG_KEY_{index}"), (*key).to_owned());
        passed.insert(format!("GIT_CONFIG_VALUE_{index}"), (*value).to_owned());
    }
    passed
}

/// A private temporary folder that goes with the call.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt as _;
        let mut last = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        // The name carries the process and a counter: a second try is needed only after a crash left one behind.
        for _ in 0..64 {
            let path = std::env::temp_dir().join(format!("artoo-call-{}", crate::tool::unique()));
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(path = %self.0.display(), %error, "a temporary folder stays behind");
        }
    }
}

#[cfg(test)]
mod tests;
