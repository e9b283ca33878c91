//! A daemon that is started and killed while others use it.

use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use artoo_testing::{Home, PATIENCE};

/// A daemon of this home, alive or dead.
pub(crate) struct Victim(Child);

impl Victim {
    /// Starts one, with this crash point if any, and does not wait for it.
    pub(crate) fn start(home: &Home, crash_at: Option<&str>) -> Self {
        let mut command = home.daemon_command(&["--foreground"]);
        if let Some(point) = crash_at {
            command.env("ARTOO_CRASH_AT", point);
        }
        Self::run(command)
    }

    /// Runs this command, which starts one.
    pub(crate) fn run(mut command: Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("artoo-daemon can be run"))
    }

    /// Waits until it listens. False when it died before.
    pub(crate) fn listens(&mut self, home: &Home) -> bool {
        let since = Instant::now();
        while UnixStream::connect(home.socket()).is_err() {
            if self.is_dead() {
                return false;
            }
            assert!(since.elapsed() < PATIENCE, "the daemon neither listens nor ends");
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    pub(crate) fn is_dead(&mut self) -> bool {
        self.0.try_wait().expect("a child can be asked").is_some()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        // It fails only when the process is gone already.
        let _ = self.0.kill();
        self.0.wait().expect("a killed child ends");
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
