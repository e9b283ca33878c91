//! A home folder of its own with the real daemon in it, and the real client to talk to it, whose runs are in `clients`.
//! Every wait has a deadline, and nothing outlives its test: dropping a [`Home`] or a [`Client`] kills what it started,
//! and the tasks that ran in a home are folded again when it goes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::clients::{Client, Ended, TaskRun, lines};
use crate::programs::{DaemonProcess, command, lock_holder};
use crate::replays;

/// A temporary home folder, the environment of its programs, and at most one daemon.
pub struct Home {
    _folder: TempDir,
    root: PathBuf,
    environment: Vec<(String, String)>,
    daemon: Option<DaemonProcess>,
    damaged: bool,
}

impl Home {
    /// An empty home with nothing configured: the offline rules would answer.
    pub fn new() -> Self {
        // Short, because the path of a socket is limited; a system's own temporary folder may not be.
        let folder =
            tempfile::Builder::new().prefix("artoo-").tempdir_in("/tmp").expect("/tmp can be written");
        let root = folder.path().canonicalize().expect("the folder was just made");
        fs::create_dir(root.join("work")).expect("the folder is new");
        Self { _folder: folder, root, environment: Vec::new(), daemon: None, damaged: false }
    }

    /// An empty home whose environment names this model server.
    pub fn with_model(base_url: &str) -> Self {
        Self::new()
            .variable("OPENAI_BASE_URL", base_url)
            .variable("OPENAI_MODEL", "scripted")
            .variable("OPENAI_API_KEY", "test-key")
    }

    /// A home as [`Home::with_model`], with its daemon running.
    pub fn started(base_url: &str) -> Self {
        let mut home = Self::with_model(base_url);
        home.start();
        home
    }

    /// Sets a variable for all programs that are started from here on; it replaces an earlier value.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// As [`Home::variable`], later on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Takes a variable back.
    pub fn unset(&mut self, name: &str) {
        self.environment.retain(|(known, _)| known != name);
    }

    /// Says that this test damages journals, so that they are not folded again at its end.
    pub fn journals_are_damaged(&mut self) {
        self.damaged = true;
    }

    /// Folds every journal again now, as it is done at the end of the test.
    pub fn check_journals(&self) {
        replays::check(&self.data());
    }

    /// The home folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder in which clients run.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.root.join(".artoo")
    }

    /// The socket.
    pub fn socket(&self) -> PathBuf {
        self.data().join("artoo.sock")
    }

    /// Writes a file below the working folder and returns its path.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.work().join(name);
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, content)).expect("the home can be written");
        path
    }

    /// Writes `config.toml` with this mode.
    pub fn configure(&self, text: &str, mode: u32) {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true).mode(0o700).create(self.data()).expect("the home can be written");
        let path = self.data().join("config.toml");
        fs::write(&path, text).expect("the data folder can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("the file is ours");
    }

    /// Starts the daemon and waits until it listens. Panics with its last words when it does not.
    pub fn start(&mut self) {
        assert!(self.daemon.is_none(), "this home has a daemon already");
        self.daemon = Some(DaemonProcess::start(self.daemon_command(&["--foreground"]), &self.socket()));
    }

    /// The process id of the daemon.
    pub fn daemon_pid(&self) -> u32 {
        self.daemon.as_ref().expect("the daemon runs").pid()
    }

    /// Ends the daemon as a power cut would; returns what it logged.
    pub fn kill(&mut self) -> String {
        self.daemon.take().expect("the daemon runs").kill()
    }

    /// Asks the daemon to end and waits until it has; returns how it ended and what it logged.
    pub fn terminate(&mut self) -> (ExitStatus, String) {
        let mut daemon = self.daemon.take().expect("the daemon runs");
        daemon.signal(rustix::process::Signal::TERM);
        daemon.wait()
    }

    /// Waits until the daemon has ended by itself; returns how it ended and what it logged.
    pub fn wait_for_end(&mut self) -> (ExitStatus, String) {
        self.daemon.take().expect("the daemon runs").wait()
    }

    /// Runs the daemon's program with these arguments to its end.
    pub fn daemon_program(&self, arguments: &[&str]) -> Ended {
        Client::spawn(self.daemon_command(arguments)).wait()
    }

    /// Runs the client with these arguments to its end. The daemon is not started by it.
    pub fn artoo(&self, arguments: &[&str]) -> Ended {
        self.client(arguments).wait()
    }

    /// Starts the client with these arguments.
    pub fn client(&self, arguments: &[&str]) -> Client {
        self.client_with_input(arguments, None)
    }

    /// Starts the client with these arguments and this text on its standard input.
    pub fn client_with_input(&self, arguments: &[&str], input: Option<&str>) -> Client {
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
    pub fn client_that_may_start_a_daemon(&self, arguments: &[&str]) -> Client {
        let mut command = self.command("artoo");
        command.args(arguments);
        Client::spawn(command)
    }

    /// Runs one task to its end.
    pub fn run(&self, text: &str, options: &[&str]) -> TaskRun {
        self.task(text, options).finish()
    }

    /// Runs one task to its end for a person who is in this folder.
    pub fn run_in(&self, folder: &Path, text: &str) -> TaskRun {
        let mut command = self.command("artoo");
        command.current_dir(folder).args(["--no-start", "run", "--json", "--", text]);
        Client::spawn(command).finish()
    }

    /// Starts the client on one task.
    pub fn task(&self, text: &str, options: &[&str]) -> Client {
        self.client(&[&["run", "--json"], options, &["--", text]].concat())
    }

    /// What a command prints with `--json`, which ends with 0.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.artoo(&[arguments, &["--json"]].concat());
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?} prints no JSON ({error}): {ended:?}"))
    }

    /// The durable events of a task after a sequence.
    pub fn events(&self, task: &str, after: u64) -> Vec<Value> {
        let ended = self.artoo(&["events", task, "--after", &after.to_string(), "--json"]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        lines(&ended.stdout)
    }

    /// Ends a daemon that a client started, as a power cut would.
    pub fn kill_what_a_client_started(&self) {
        if self.daemon.is_none()
            && let Some(pid) = lock_holder(&self.data())
        {
            // It fails only when the process is gone already.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }

    /// The daemon's program with these arguments, in this home, not yet started.
    pub fn daemon_command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("artoo-daemon");
        command.args(arguments);
        command
    }

    /// What runs the client with these arguments as often as it is called, also while the daemon is being started.
    pub fn again_and_again(&self, arguments: &[&str]) -> impl Fn() -> Ended + Send + Sync + 'static {
        let (root, environment) = (self.root.clone(), self.environment.clone());
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        move || {
            let mut command = command(&root, &environment, "artoo");
            command.arg("--no-start").args(&arguments);
            Client::spawn(command).wait()
        }
    }

    /// A program with this home's environment and nothing else of ours, not yet started.
    pub fn command(&self, program: &str) -> Command {
        command(&self.root, &self.environment, program)
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
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
