//! The system log, which another account keeps: heads of the audit log go there, one line each.

use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Where programs of this system send a line: syslogd's socket, which systemd-journald offers as well.
const SOCKET: &str = "/dev/log";
/// What does the same where there is no such socket.
const LOGGER: &str = "/usr/bin/logger";
/// Facility daemon (3), severity notice (5), as RFC 3164 computes it.
const PRIORITY: u8 = 3 * 8 + 5;
/// Longest wait for [`LOGGER`], which takes a few milliseconds.
const LOGGER_TIMEOUT: Duration = Duration::from_secs(2);

/// The system's log, if it has one that we can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemLog {
    /// A socket that takes datagrams.
    Socket(PathBuf),
    /// A program that takes a line.
    Program(PathBuf),
    /// There is none.
    Absent,
}

impl SystemLog {
    /// The system log of this machine.
    pub fn find() -> Self {
        if is_socket(Path::new(SOCKET)) {
            Self::Socket(PathBuf::from(SOCKET))
        } else if cfg!(target_os = "macos") && Path::new(LOGGER).is_file() {
            Self::Program(PathBuf::from(LOGGER))
        } else {
            Self::Absent
        }
    }

    /// Its name for people; none when there is none.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Socket(path) => Some(format!("system log ({})", path.display())),
            Self::Program(path) => Some(format!("system log ({})", path.display())),
            Self::Absent => None,
        }
    }

    /// Sends one line, and waits for nobody for long.
    ///
    /// # Errors
    /// When the system does not take it.
    pub fn send(&self, line: &str) -> std::io::Result<()> {
        match self {
            Self::Socket(path) => {
                let socket = UnixDatagram::unbound()?;
                socket.set_nonblocking(true)?;
                socket.connect(path)?;
                socket.send(datagram(line).as_bytes()).map(drop)
            }
            Self::Program(path) => run(path, line),
            Self::Absent => Ok(()),
        }
    }
}

fn is_socket(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_socket())
}

/// A message in the form of RFC 3164 as local programs send it: without the host's name, which syslogd adds.
fn datagram(line: &str) -> String {
    let time = jiff::Zoned::now().strftime("%b %e %H:%M:%S").to_string();
    format!("<{PRIORITY}>{time} artoo-daemon[{}]: {line}", std::process::id())
}

fn run(program: &Path, line: &str) -> std::io::Result<()> {
    let mut child = Command::new(program)
        .args(["-p", "daemon.notice", "-t", "artoo-daemon", "--", line])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return if status.success() {
                Ok(())
            } else {
                Err(std::io::Error::other(format!("{}: {status}", program.display())))
            };
        }
        if started.elapsed() > LOGGER_TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixDatagram;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::SystemLog;

    #[test]
    fn a_line_arrives_in_the_form_that_syslogd_reads() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let path = folder.path().join("log");
        let socket = UnixDatagram::bind(&path).expect("a socket can be made");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a bound against hanging");
        SystemLog::Socket(path).send("audit head 7 abc").expect("somebody listens");
        let mut bytes = [0; 512];
        let length = socket.recv(&mut bytes).expect("it arrives");
        let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
        let (time, rest) = text.strip_prefix("<29>").expect("daemon.notice").split_at(15);
        assert_eq!((&time[3..4], &time[6..7], &time[9..10], &time[12..13]), (" ", " ", ":", ":"), "{text}");
        assert_eq!(rest, format!(" artoo-daemon[{}]: audit head 7 abc", std::process::id()));
    }

    #[test]
    fn nobody_who_listens_is_an_error_and_no_wait() {
        let gone = SystemLog::Socket(PathBuf::from("/nonexistent/log"));
        assert!(gone.send("x").is_err());
        assert!(SystemLog::Program(PathBuf::from("/nonexistent/logger")).send("x").is_err());
        assert!(SystemLog::Program(PathBuf::from("/bin/false")).send("x").is_err());
        SystemLog::Program(PathBuf::from("/bin/true")).send("x").expect("it ends well");
        SystemLog::Absent.send("x").expect("there is nothing to fail");
        assert_eq!(SystemLog::Absent.name(), None);
    }
}
