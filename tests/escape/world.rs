//! A small world around one probe: files, a process and sockets that a sandboxed command must not reach, and a look at
//! what has become of them.

use std::fs;
use std::io::{BufRead as _, Read as _};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use artoo_types::evidence::Receipt;
use rustix::process::{Pid, Resource, Signal, getpriority_process, getrlimit, kill_process};
use tempfile::TempDir;

/// How one sees that a probe has worked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trace {
    /// The file outside is another, or has other content, properties or times.
    Changed,
    /// The same for this file below the world.
    ChangedAt(&'static str),
    /// There is something new outside.
    Appears,
    /// There is something at this path below the world.
    AppearsAt(&'static str),
    /// This is no longer outside.
    Gone(&'static str),
    /// There is a piece of shared memory.
    SharedMemory,
    /// It says on a line of its own that it is done.
    Done,
    /// It prints this.
    Says(&'static str),
    /// The other process is dead.
    Killed,
    /// The other process has other limits or another rank.
    Limited,
    /// Somebody connected by TCP.
    Connected,
    /// Somebody sent a datagram by UDP.
    Received,
    /// Somebody connected to the daemon's socket.
    Called,
    /// Somebody connected to the abstract socket.
    CalledAbstractly,
    /// Somebody sent a datagram to the socket outside.
    Told,
    /// Something that the probe started still runs.
    Survives,
}

pub(crate) struct World {
    folder: TempDir,
    mark: String,
    other: Child,
    ranks: String,
    before: Vec<(PathBuf, String)>,
    /// Open, and by mistake not marked to be closed.
    _inherited: fs::File,
    tcp: TcpListener,
    udp: UdpSocket,
    daemon: UnixListener,
    abstract_socket: UnixListener,
    datagrams: UnixDatagram,
}

impl World {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        // No other process of this machine has this number of seconds in its command line.
        let mark = format!("29.{}{:03}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let folder =
            tempfile::Builder::new().prefix("artoo-escape-").tempdir_in("/tmp").expect("/tmp is there");
        let root = folder.path();
        for (path, text) in [
            ("outside/victim", "outside-canary"),
            ("work/notes.txt", "notes"),
            ("work/.git/config", "[core]\n"),
            ("work/.git/hooks/sample", ""),
            ("home/.bashrc", "\n"),
            ("home/.ssh/id_ed25519", "key-canary"),
            ("home/.artoo/confirm.token", "token-canary"),
            ("home/.artoo/tasks/one.jsonl", "journal-canary"),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        for path in ["outside/empty", "plain", "probes", "workspace"] {
            fs::create_dir(root.join(path)).expect("a folder");
        }
        let listener = |path: &str| UnixListener::bind(root.join(path)).expect("a socket");
        let name = SocketAddr::from_abstract_name(&mark).expect("a name");
        let inherited = fs::OpenOptions::new().write(true).open(root.join("outside/victim")).expect("a file");
        rustix::io::fcntl_setfd(&inherited, rustix::io::FdFlags::empty()).expect("it is open");
        let other = other(root);
        let world = Self {
            mark,
            ranks: ranks(&other),
            other,
            before: Vec::new(),
            _inherited: inherited,
            tcp: TcpListener::bind("127.0.0.1:0").expect("a port"),
            udp: UdpSocket::bind("127.0.0.1:0").expect("a port"),
            daemon: listener("home/.artoo/artoo.sock"),
            abstract_socket: UnixListener::bind_addr(&name).expect("a socket"),
            datagrams: UnixDatagram::bind(root.join("outside/datagrams")).expect("a socket"),
            folder,
        };
        world.listen().remember()
    }

    fn listen(self) -> Self {
        self.tcp.set_nonblocking(true).expect("it is a socket");
        self.udp.set_nonblocking(true).expect("it is a socket");
        self.daemon.set_nonblocking(true).expect("it is a socket");
        self.abstract_socket.set_nonblocking(true).expect("it is a socket");
        self.datagrams.set_nonblocking(true).expect("it is a socket");
        self
    }

    fn remember(mut self) -> Self {
        let files = ["outside/victim", "work/notes.txt", "work/.git/config", "home/.bashrc"];
        self.before = files.iter().map(|file| (self.path(file), state(&self.path(file)))).collect();
        self
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// The program with the words in braces filled in.
    pub(crate) fn filled(&self, program: &str) -> String {
        let path = |below: &str| self.path(below).to_string_lossy().into_owned();
        let port =
            |address: std::io::Result<std::net::SocketAddr>| address.expect("it is bound").port().to_string();
        program
            .replace("{outside}", &path("outside"))
            .replace("{work}", &path("work"))
            .replace("{data}", &path("home/.artoo"))
            .replace("{home}", &path("home"))
            .replace("{pid}", &self.other.id().to_string())
            .replace("{mark}", &self.mark)
            .replace("{tcp}", &port(self.tcp.local_addr()))
            .replace("{udp}", &port(self.udp.local_addr()))
    }

    /// Whether the probe with this receipt has worked. What it left running is ended.
    pub(crate) fn shows(&mut self, trace: Trace, receipt: &Receipt) -> bool {
        match trace {
            Trace::Changed => self.is_changed("outside/victim"),
            Trace::ChangedAt(path) => self.is_changed(path),
            Trace::Appears => self.path("outside/new").symlink_metadata().is_ok(),
            Trace::AppearsAt(path) => self.path(path).symlink_metadata().is_ok(),
            Trace::Gone(name) => self.path("outside").join(name).symlink_metadata().is_err(),
            Trace::SharedMemory => fs::remove_file(Path::new("/dev/shm").join(&self.mark)).is_ok(),
            Trace::Done => receipt.output.lines().any(|line| line == "done"),
            Trace::Says(text) => receipt.output.contains(text),
            // A signal that was sent has been taken by now, or is on its way to a process that does nothing else.
            Trace::Killed => {
                std::thread::sleep(Duration::from_millis(20));
                matches!(self.other.try_wait(), Ok(Some(_)))
            }
            Trace::Limited => self.ranks != ranks(&self.other),
            Trace::Connected => self.tcp.accept().is_ok(),
            Trace::Received => self.udp.recv(&mut [0; 8]).is_ok(),
            Trace::Called => self.daemon.accept().is_ok(),
            Trace::CalledAbstractly => self.abstract_socket.accept().is_ok(),
            Trace::Told => self.datagrams.recv(&mut [0; 8]).is_ok(),
            Trace::Survives => self.ended_survivors() > 0,
        }
    }

    fn is_changed(&self, path: &str) -> bool {
        let path = self.path(path);
        let (_, before) = self.before.iter().find(|(known, _)| *known == path).expect("its state was taken");
        *before != state(&path)
    }

    /// Kills everything that has the mark, and says how many there were.
    pub(crate) fn ended_survivors(&self) -> usize {
        let mut ended = 0;
        for entry in fs::read_dir("/proc").expect("this is Linux").flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
                continue;
            };
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            if line.split(|byte| *byte == 0).any(|word| word == self.mark.as_bytes())
                && kill_process(Pid::from_raw(pid).expect("it is a number"), Signal::KILL).is_ok()
            {
                ended += 1;
            }
        }
        ended
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.ended_survivors();
        // Killed by the probe or now.
        let _ = self.other.kill();
        let _ = self.other.wait();
    }
}

/// Another process of the same user, with something to find out, in a group of its own.
fn other(root: &Path) -> Child {
    let mut child = Command::new("sh")
        .args(["-c", "echo ready; exec sleep 600"])
        .current_dir(root.join("outside"))
        .env("CANARY", "environment-canary")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("sh starts");
    let mut line = String::new();
    let said = child.stdout.as_mut().expect("it is piped");
    std::io::BufReader::new(said.by_ref()).read_line(&mut line).expect("it speaks");
    assert_eq!(line, "ready\n");
    child
}

fn ranks(other: &Child) -> String {
    let pid = i32::try_from(other.id()).ok().and_then(Pid::from_raw);
    let own = getrlimit(Resource::Nofile);
    let entry = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", other.id())).unwrap_or_default();
    format!("{own:?} {:?} {} {}", getpriority_process(pid), entry("oom_score_adj"), entry("limits"))
}

fn state(path: &Path) -> String {
    let Ok(meta) = fs::symlink_metadata(path) else { return "gone".to_owned() };
    let content = fs::read(path).unwrap_or_default();
    // The time of the last change of anything about the file tells of attributes and owners, too.
    format!(
        "{} {} {:o} {}.{} {content:?}",
        meta.ino(),
        meta.size(),
        meta.mode(),
        meta.ctime(),
        meta.ctime_nsec()
    )
}
