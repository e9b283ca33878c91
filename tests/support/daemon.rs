//! A home folder of its own with the real daemon in it, and the real client to talk to it, whose runs are in `clients`.
//! Every wait has a deadline, and nothing outlives its test: dropping a [`Home`] or a [`Client`] kills what it started,
//! and the tasks that ran in a home are folded again when it goes. Include it with `#[path]`.
#![allow(dead_code, unused_imports, reason = "each test program uses a part of it")]

#[path = "clients.rs"]
mod clients;
#[path = "replays.rs"]
mod replays;

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) use clients::{Client, Ended, TaskRun, lines, wait_until};
use clients::{collect, wait};

/// How long one step may take on a machine that does much else. A test that gets here has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);
/// Between two looks at something that cannot be waited for.
pub(crate) const POLL: Duration = Duration::from_millis(5);

/// The folder that holds `artoo` and `artoo-daemon`: `ARTOO_TEST_BIN_DIR`, else where cargo puts them beside the tests.
pub(crate) fn binaries() -> PathBuf {
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

/// A temporary home folder, the environment of its programs, and at most one daemon.
pub(crate) struct Home {
    folder: TempDir,
    root: PathBuf,
    environment: Vec<(String, String)>,
    daemon: Option<DaemonProcess>,
    damaged: bool,
}

struct DaemonProcess {
    child: Child,
    said: Option<JoinHandle<String>>,
}

impl Home {
    /// An empty home with nothing configured: the offline rules would answer.
    pub(crate) fn new() -> Self {
        // Short, because the path of a socket is limited; a system's own temporary folder may not be.
        let folder =
            tempfile::Builder::new().prefix("artoo-").tempdir_in("/tmp").expect("/tmp can be written");
        let root = folder.path().canonicalize().expect("the folder was just made");
        fs::create_dir(root.join("work")).expect("the folder is new");
        Self { folder, root, environment: Vec::new(), daemon: None, damaged: false }
    }

    /// An empty home whose environment names this model server.
    pub(crate) fn with_model(base_url: &str) -> Self {
        Self::new()
            .variable("OPENAI_BASE_URL", base_url)
            .variable("OPENAI_MODEL", "scripted")
            .variable("OPENAI_API_KEY", "test-key")
    }

    /// A home as [`Home::with_model`], with its daemon running.
    pub(crate) fn started(base_url: &str) -> Self {
        let mut home = Self::with_model(base_url);
        home.start();
        home
    }

    /// Sets a variable for all programs that are started from here on; it replaces an earlier value.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// As [`Home::variable`], later on.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Takes a variable back.
    pub(crate) fn unset(&mut self, name: &str) {
        self.environment.retain(|(known, _)| known != name);
    }

    /// Says that this test damages journals, so that they are not folded again at its end.
    pub(crate) fn journals_are_damaged(&mut self) {
        self.damaged = true;
    }

    /// Folds every journal again now, as it is done at the end of the test.
    pub(crate) fn check_journals(&self) {
        replays::check(&self.data());
    }

    /// The home folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder in which clients run.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.root.join(".artoo")
    }

    /// The socket.
    pub(crate) fn socket(&self) -> PathBuf {
        self.data().join("artoo.sock")
    }

    /// Writes a file below the working folder and returns its path.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.work().join(name);
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, content)).expect("the home can be written");
        path
    }

    /// Writes `config.toml` with this mode.
    pub(crate) fn configure(&self, text: &str, mode: u32) {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true).mode(0o700).create(self.data()).expect("the home can be written");
        let path = self.data().join("config.toml");
        fs::write(&path, text).expect("the data folder can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("the file is ours");
    }

    /// Starts the daemon and waits until it listens. Panics with its last words when it does not.
    pub(crate) fn start(&mut self) {
        assert!(self.daemon.is_none(), "this home has a daemon already");
        let mut command = self.daemon_command(&["--foreground"]);
        let mut child = command.stdout(Stdio::null()).spawn().expect("artoo-daemon can be run");
        let said = collect(child.stderr.take());
        let mut daemon = DaemonProcess { child, said: Some(said) };
        let since = Instant::now();
        while UnixStream::connect(self.socket()).is_err() {
            let ended = daemon.child.try_wait().expect("a child can be asked");
            if ended.is_some() || since.elapsed() > PATIENCE {
                panic!("the daemon does not listen ({ended:?}): {}", daemon.kill());
            }
            std::thread::sleep(POLL);
        }
        self.daemon = Some(daemon);
    }

    /// The process id of the daemon.
    pub(crate) fn daemon_pid(&self) -> u32 {
        self.daemon.as_ref().expect("the daemon runs").child.id()
    }

    /// Ends the daemon as a power cut would; returns what it logged.
    pub(crate) fn kill(&mut self) -> String {
        self.daemon.take().expect("the daemon runs").kill()
    }

    /// Asks the daemon to end and waits until it has; returns how it ended and what it logged.
    pub(crate) fn terminate(&mut self) -> (ExitStatus, String) {
        let mut daemon = self.daemon.take().expect("the daemon runs");
        daemon.signal(rustix::process::Signal::TERM);
        daemon.wait()
    }

    /// Waits until the daemon has ended by itself; returns how it ended and what it logged.
    pub(crate) fn wait_for_end(&mut self) -> (ExitStatus, String) {
        self.daemon.take().expect("the daemon runs").wait()
    }

    /// Runs the daemon's program with these arguments to its end.
    pub(crate) fn daemon_program(&self, arguments: &[&str]) -> Ended {
        Client::spawn(self.daemon_command(arguments)).wait()
    }

    /// Runs the client with these arguments to its end. The daemon is not started by it.
    pub(crate) fn artoo(&self, arguments: &[&str]) -> Ended {
        self.client(arguments).wait()
    }

    /// Starts the client with these arguments.
    pub(crate) fn client(&self, arguments: &[&str]) -> Client {
        self.client_with_input(arguments, None)
    }

    /// Starts the client with these arguments and this text on its standard input.
    pub(crate) fn client_with_input(&self, arguments: &[&str], input: Option<&str>) -> Client {
        let mut command = self.command("artoo");
        command.arg("--no-start").args(arguments);
        match input {
            None => Client::spawn(command),
            Some(input) => {
                command.stdin(Stdio::piped());
                let mut client = Client::spawn(command);
                client.type_in(input);
                client
            }
        }
    }

    /// Starts the client with these arguments; it may start the daemon, which ends with this home.
    pub(crate) fn client_that_may_start_a_daemon(&self, arguments: &[&str]) -> Client {
        let mut command = self.command("artoo");
        command.args(arguments);
        Client::spawn(command)
    }

    /// Runs one task to its end.
    pub(crate) fn run(&self, text: &str, options: &[&str]) -> TaskRun {
        self.task(text, options).finish()
    }

    /// Starts the client on one task.
    pub(crate) fn task(&self, text: &str, options: &[&str]) -> Client {
        self.client(&[&["run", "--json"], options, &["--", text]].concat())
    }

    /// What a command prints with `--json`, which ends with 0.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.artoo(&[arguments, &["--json"]].concat());
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?} prints no JSON ({error}): {ended:?}"))
    }

    /// The durable events of a task after a sequence.
    pub(crate) fn events(&self, task: &str, after: u64) -> Vec<Value> {
        let ended = self.artoo(&["events", task, "--after", &after.to_string(), "--json"]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        lines(&ended.stdout)
    }

    /// Ends a daemon that a client started, as a power cut would.
    pub(crate) fn kill_what_a_client_started(&self) {
        if self.daemon.is_none()
            && let Some(pid) = lock_holder(&self.data())
        {
            // It fails only when the process is gone already.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }

    /// The daemon's program with these arguments, in this home, not yet started.
    pub(crate) fn daemon_command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("artoo-daemon");
        command.args(arguments);
        command
    }

    /// What runs the client with these arguments as often as it is called, also while the daemon is being started.
    pub(crate) fn again_and_again(&self, arguments: &[&str]) -> impl Fn() -> Ended + Send + Sync + 'static {
        let (root, environment) = (self.root.clone(), self.environment.clone());
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        move || {
            let mut command = command(&root, &environment, "artoo");
            command.arg("--no-start").args(&arguments);
            Client::spawn(command).wait()
        }
    }

    /// A program with this home's environment and nothing else of ours.
    fn command(&self, program: &str) -> Command {
        command(&self.root, &self.environment, program)
    }
}

fn command(root: &Path, environment: &[(String, String)], program: &str) -> Command {
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
fn lock_holder(data: &Path) -> Option<rustix::process::Pid> {
    let lock = fs::File::open(data.join("daemon.lock")).ok()?;
    if lock.try_lock().is_ok() {
        return None;
    }
    let pid = fs::read_to_string(data.join("daemon.lock")).ok()?.trim().parse().ok()?;
    rustix::process::Pid::from_raw(pid)
}

impl Drop for Home {
    #[allow(clippy::print_stderr, reason = "what helps to understand a failed test")]
    fn drop(&mut self) {
        self.kill_what_a_client_started();
        if let Some(daemon) = self.daemon.take() {
            let said = daemon.kill();
            if std::thread::panicking() {
                eprintln!("the daemon of the failed test said:\n{said}");
            }
        }
        if !std::thread::panicking() && !self.damaged {
            replays::check(&self.data());
        }
    }
}

impl DaemonProcess {
    fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).expect("the daemon is our child and runs");
    }

    fn kill(mut self) -> String {
        // It fails only when the process is gone already.
        let _ = self.child.kill();
        self.wait().1
    }

    fn wait(&mut self) -> (ExitStatus, String) {
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
