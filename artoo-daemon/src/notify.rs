//! What the service manager is told: that the daemon is ready, and that it is about to end (sd_notify(3)).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The variable that names the socket of a service manager that waits for a word.
const VARIABLE: &str = "NOTIFY_SOCKET";

/// What is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceNews {
    /// The socket answers.
    Ready,
    /// Running tasks may end, then the process does.
    Stopping,
}

impl ServiceNews {
    fn message(self) -> &'static str {
        match self {
            Self::Ready => "READY=1\n",
            Self::Stopping => "STOPPING=1\n",
        }
    }
}

/// Tells the service manager, if one waits for it. It may be gone: that is logged, and stops nothing.
pub fn tell(news: ServiceNews) {
    let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else { return };
    if let Err(error) = send(&name, news) {
        tracing::warn!(%error, ?news, "the service manager cannot be told");
    }
}

/// Sends it to the socket of this name: an absolute path, or with `@` in front a name that is no file (unix(7), "abstract").
///
/// # Errors
/// When there is no such socket, or nobody reads it.
pub fn send(name: &OsStr, news: ServiceNews) -> io::Result<()> {
    let socket = UnixDatagram::unbound()?;
    socket.connect_addr(&address(name)?)?;
    socket.send(news.message().as_bytes()).map(drop)
}

fn address(name: &OsStr) -> io::Result<SocketAddr> {
    match name.as_bytes().strip_prefix(b"@") {
        Some(name) => no_file(name),
        None if name.as_bytes().starts_with(b"/") => SocketAddr::from_pathname(OsString::from(name)),
        None => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "the name of its socket is no absolute path"))
        }
    }
}

#[cfg(target_os = "linux")]
fn no_file(name: &[u8]) -> io::Result<SocketAddr> {
    <SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(name)
}

#[cfg(not(target_os = "linux"))]
fn no_file(_: &[u8]) -> io::Result<SocketAddr> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no sockets that are no files"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(manager: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let length = manager.recv(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    #[test]
    fn a_socket_with_a_path_hears_of_start_and_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let manager = UnixDatagram::bind(&path).unwrap();
        send(path.as_os_str(), ServiceNews::Ready).unwrap();
        send(path.as_os_str(), ServiceNews::Stopping).unwrap();
        assert_eq!([heard(&manager), heard(&manager)], ["READY=1\n", "STOPPING=1\n"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_socket_that_is_no_file_hears_too() {
        let name = format!("artoo-test/{}", std::process::id());
        let manager = UnixDatagram::bind_addr(&no_file(name.as_bytes()).unwrap()).unwrap();
        send(OsStr::new(&format!("@{name}")), ServiceNews::Ready).unwrap();
        assert_eq!(heard(&manager), "READY=1\n");
    }

    #[test]
    fn a_socket_that_is_not_there_stops_nothing() {
        for name in ["/nothing/notify", "relative", "@"] {
            assert!(send(OsStr::new(name), ServiceNews::Ready).is_err(), "{name}");
        }
    }
}
