//! One daemon a data folder: the lock, the socket file, the confirmation token.

use std::cell::Cell;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use artoo_config::folder::Places;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

/// Exit status of a daemon that finds its data folder in use, so that who started it can tell this from what stays wrong
/// (`EX_TEMPFAIL` of sysexits.h).
pub const TAKEN: u8 = 75;

/// The second line of the lock file of a daemon that gives way to a service.
const GIVES_WAY: &str = "started by a client";
/// Pause between two looks whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Why this process may not be the daemon.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// Another one is.
    #[error("another artoo-daemon (process {pid}) already uses {folder}; use that one, or stop it first")]
    Taken {
        /// The data folder.
        folder: PathBuf,
        /// Its process id, as far as known.
        pid: String,
        /// Whether it gives way to a service: a client started it because no service ran.
        gives_way: bool,
    },
    /// The path of the socket is something else.
    #[error("{0} exists and is not a socket; move it away, or set ARTOO_SOCKET to another path")]
    NotASocket(PathBuf),
    /// Somebody else listens there.
    #[error("another program listens on {0}; stop it, or set ARTOO_SOCKET to another path")]
    Foreign(PathBuf),
    /// Something else lies in the place of the lock file. It is not touched.
    #[error("{0} is not artoo's lock file: it is {1}; move it away")]
    NotALock(PathBuf, &'static str),
    /// A file cannot be made.
    #[error("{what} {path}: {source}")]
    File {
        /// What failed.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Proof that this process is the only daemon of its data folder. Dropping it removes the socket file.
#[derive(Debug)]
pub struct Instance {
    lock: File,
    socket: PathBuf,
    /// Whether the socket file is this process's own.
    listens: Cell<bool>,
}

impl Instance {
    /// Takes the lock of the data folder.
    ///
    /// # Errors
    /// [`InstanceError::Taken`] when another daemon holds it.
    pub fn acquire(places: &Places) -> Result<Self, InstanceError> {
        let path = places.data.join("daemon.lock");
        let error =
            |source| InstanceError::File { what: "cannot open the lock file", path: path.clone(), source };
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
            .open(&path)
            .map_err(|source| match Errno::from_io_error(&source) {
                Some(Errno::LOOP) => InstanceError::NotALock(path.clone(), "a symbolic link"),
                Some(_) | None => error(source),
            })?;
        if let Some(what) = foreign(&mut lock).map_err(error)? {
            return Err(InstanceError::NotALock(path, what));
        }
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = (&lock).take(64).read_to_string(&mut holder);
                let mut lines = holder.lines().map(str::trim).filter(|line| !line.is_empty());
                let pid = lines.next().unwrap_or("unknown").to_owned();
                let gives_way = lines.next() == Some(GIVES_WAY);
                return Err(InstanceError::Taken { folder: places.data.clone(), pid, gives_way });
            }
            Err(TryLockError::Error(source)) => return Err(error(source)),
        }
        match note_holder(&mut lock, &format!("{}\n", std::process::id())) {
            // The number only helps people; the lock itself needs no room.
            Err(full) if full.kind() == ErrorKind::StorageFull => {}
            noted => noted.map_err(error)?,
        }
        Ok(Self { lock, socket: places.socket.clone(), listens: Cell::new(false) })
    }

    /// Takes the lock for a service: a daemon that a client started is asked to end first, and leaves its tasks to this one. Waits for that
    /// as long as `patience` says.
    ///
    /// # Errors
    /// As [`Instance::acquire`], also when the other one does not end in time.
    pub fn acquire_from_client(places: &Places, patience: Duration) -> Result<Self, InstanceError> {
        let until = Instant::now() + patience;
        let mut asked = None;
        loop {
            match Self::acquire(places) {
                Err(InstanceError::Taken { pid, gives_way: true, .. }) if Instant::now() < until => {
                    // Once is enough: a second signal would cut short what it has to end.
                    if asked.as_ref() != Some(&pid) {
                        let process = pid.parse().ok().and_then(Pid::from_raw);
                        let _ = process.map(|process| kill_process(process, Signal::TERM));
                        asked = Some(pid);
                    }
                    std::thread::sleep(LOOK_EVERY);
                }
                taken => return taken,
            }
        }
    }

    /// Notes that this daemon gives way to a service.
    ///
    /// # Errors
    /// When the lock file cannot be written; then a service has to wait for it to be stopped.
    pub fn give_way(&mut self) -> std::io::Result<()> {
        note_holder(&mut self.lock, &format!("{}\n{GIVES_WAY}\n", std::process::id()))
    }

    /// Listens on the socket, mode 0600. A socket file that nobody answers is left over from a dead daemon; it is
    /// replaced, which is safe because this process holds the lock.
    ///
    /// # Errors
    /// When the path is taken by something that is not ours to remove.
    pub fn listen(&self) -> Result<UnixListener, InstanceError> {
        let path = &self.socket;
        let error = |what| move |source| InstanceError::File { what, path: path.clone(), source };
        match std::fs::symlink_metadata(path) {
            Ok(found) if !found.file_type().is_socket() => {
                return Err(InstanceError::NotASocket(path.clone()));
            }
            Ok(_) => {
                if std::os::unix::net::UnixStream::connect(path).is_ok() {
                    return Err(InstanceError::Foreign(path.clone()));
                }
                std::fs::remove_file(path).map_err(error("cannot replace the old socket"))?;
            }
            Err(_) => {}
        }
        // The mode of the file is what the mask leaves, from its first moment on.
        let old = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o177));
        let listener = UnixListener::bind(path).map_err(error("cannot listen on"));
        rustix::process::umask(old);
        let listener = listener?;
        self.listens.set(true);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
            .map_err(error("cannot close"))?;
        listener.set_nonblocking(true).map_err(error("cannot listen on"))?;
        Ok(listener)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.listens.get() {
            let _ = std::fs::remove_file(&self.socket);
        }
    }
}

/// What the file is instead of one that a daemon wrote; None for that, and for an empty one. The number of a process begins
/// what a daemon wrote.
fn foreign(lock: &mut File) -> std::io::Result<Option<&'static str>> {
    if !lock.metadata()?.is_file() {
        return Ok(Some("no file"));
    }
    let mut start = [0];
    let is_ours = lock.read(&mut start)? == 0 || start[0].is_ascii_digit();
    lock.rewind()?;
    Ok((!is_ours).then_some("a file that no daemon wrote"))
}

/// Writes the process id over the old one, which needs no room on a full disk.
fn note_holder(lock: &mut File, text: &str) -> std::io::Result<()> {
    lock.rewind()?;
    lock.write_all(text.as_bytes())?;
    lock.set_len(text.len() as u64)
}

/// A fresh confirmation token, written to its file with mode 0600. A new one at every start: approvals do not outlive
/// the daemon that asked. Only on a full disk the one of the last start goes on, because without any nobody could answer.
///
/// # Errors
/// When the file cannot be written.
pub fn new_token(path: &Path) -> std::io::Result<String> {
    let mut bytes = [0_u8; TOKEN_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let token: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    let temporary = path.with_extension("new");
    let _ = std::fs::remove_file(&temporary);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)
        .and_then(|mut file| writeln!(file, "{token}"))
        .and_then(|()| std::fs::rename(&temporary, path));
    match written {
        Ok(()) => Ok(token),
        Err(error) => {
            let _ = std::fs::remove_file(&temporary);
            let old = old_token(path).filter(|_| error.kind() == ErrorKind::StorageFull);
            old.ok_or(error)
        }
    }
}

/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;

/// The token of the last start, if it is whole and was for nobody else.
fn old_token(path: &Path) -> Option<String> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    let is_private = metadata.is_file() && metadata.permissions().mode() & 0o077 == 0;
    let text = std::fs::read_to_string(path).ok().filter(|_| is_private)?;
    let token = text.strip_suffix('\n')?;
    let is_whole = token.len() == 2 * TOKEN_BYTES && token.bytes().all(|b| b.is_ascii_hexdigit());
    is_whole.then(|| token.to_owned())
}

#[cfg(test)]
mod tests;
