//! The real programs: where they lie, how they are started in a home, and the daemon that runs in one.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::clients::{PATIENCE, POLL, collect, wait};

/// The folder that holds `artoo` and `artoo-daemon`: `ARTOO_TEST_BIN_DIR`, else where cargo puts them beside the tests.
pub fn binaries() -> PathBuf {
    if let Some(folder) = std::env::var_os("ARTOO_TEST_BIN_DIR") {
        return PathBuf::from(folder);
    }
    let test = std::env::current_exe().expect("the test program has a path");
    let folder = test.ancestors().nth(2).expect("cargo puts test programs two folders below the binaries");
    assert!(
        folder.join("artoo-daemon").is_file() && folder.join("artoo").is_file(),
        "no binaries in {}: build the workspace first, or set ARTOO_TEST_BIN_DIR",
        folder.display()
    );
    folder.to_owned()
}

/// A daemon in the foreground. Dropping it kills it.
pub(crate) struct DaemonProcess {
    child: Child,
    said: Option<JoinHandle<String>>,
}

impl DaemonProcess {
    /// Starts the daemon and waits until it listens. Panics with its last words when it does not.
    pub(crate) fn start(mut command: Command, socket: &Path) -> Self {
        let mut child = command.stdout(Stdio::null()).spawn().expect("artoo-daemon can be run");
        let said = collect(child.stderr.take());
        let mut daemon = Self { child, said: Some(said) };
        let since = Instant::now();
        while UnixStream::connect(socket).is_err() {
            let ended = daemon.child.try_wait().expect("a child can be asked");
            if ended.is_some() || since.elapsed() > PATIENCE {
                panic!("the daemon does not listen ({ended:?}): {}", daemon.kill());
            }
            std::thread::sleep(POLL);
        }
        daemon
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).expect("the daemon is our child and runs");
    }

    /// Ends it as a power cut would; returns what it logged.
    pub(crate) fn kill(mut self) -> String {
        // It fails only when the process is gone already.
        let _ = self.child.kill();
        self.wait().1
    }

    /// Waits until it has ended; returns how it ended and what it logged.
    pub(crate) fn wait(&mut self) -> (ExitStatus, String) {
        let status = wait(&mut self.child, "the daemon");
        (status, self.said.take().and_then(|said| said.join().ok()).unwrap_or_default())
    }
}

impl Drop for DaemonProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program in a home, with this environment and nothing else of ours.
pub(crate) fn command(root: &Path, environment: &[(String, String)], program: &str) -> Command {
    let mut command = Command::new(binaries().join(program));
    command
        .env_clear()
        .env("HOME", root)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .current_dir(root.join("work"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The process that holds a data folder's lock, while it lives: none of ours that was reaped can be meant.
pub(crate) fn lock_holder(data: &Path) -> Option<rustix::process::Pid> {
    let lock = fs::File::open(data.join("daemon.lock")).ok()?;
    if lock.try_lock().is_ok() {
        return None;
    }
    let pid = fs::read_to_string(data.join("daemon.lock")).ok()?.lines().next()?.trim().parse().ok()?;
    rustix::process::Pid::from_raw(pid)
}
