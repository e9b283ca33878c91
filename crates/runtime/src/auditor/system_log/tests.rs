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
