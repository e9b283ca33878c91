//! The daemon's side of a keeper: starting it, hearing its report, telling it to end, and going on without it.

use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::time::timeout;

use super::keeper::WORD;
use super::order::{MAX_REPORT_BYTES, Order, Report};
use super::{Children, KILL_GRACE, Launcher, TERM_GRACE};

/// How long a keeper that was told to end has to report. It needs the two graces at most, and this to be scheduled.
const PATIENCE: Duration =
    Duration::from_millis(TERM_GRACE.as_millis() as u64 + KILL_GRACE.as_millis() as u64 + 50);

/// How long a keeper that has reported may take to end before it is no longer waited for.
const PARTING: Duration = Duration::from_millis(100);

/// A keeper with its command. Dropping it makes the keeper end the command.
#[derive(Debug)]
pub(crate) struct Kept {
    children: Children,
    keeper: Child,
    id: i32,
    call_mark: String,
    control: UnixStream,
    said: Vec<u8>,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The keeper's report.
    Told(Report),
    /// The keeper was killed, or could not be moved to report and was killed for that. What it kept was ended, except for
    /// what is named.
    Lost(Vec<String>),
}

impl Kept {
    /// Starts a keeper. It does nothing before it has its order. `call_mark` is in the environment of all that the command
    /// will start, and of nothing else.
    pub(crate) fn start(children: &Children, launcher: &Launcher, call_mark: &str) -> std::io::Result<Self> {
        let (ours, its) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut command = Command::new(&launcher.program);
        command
            .args([WORD, call_mark])
            .current_dir("/")
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(its)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut keepers = children.keepers();
        let keeper = command.spawn()?;
        let id = keeper.id().and_then(|id| i32::try_from(id).ok()).unwrap_or_default();
        keepers.insert(id);
        drop(keepers);
        let control = UnixStream::from_std(ours)?;
        let children = children.clone();
        Ok(Self { children, keeper, id, call_mark: call_mark.to_owned(), control, said: Vec::new() })
    }

    /// What the command prints comes through the keeper's pipes.
    pub(crate) fn outputs(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.keeper.stdout.take(), self.keeper.stderr.take())
    }

    /// Has the command carried out; returns when it is over. Dropped before that, it is followed by [`Self::end`].
    pub(crate) async fn carry_out(&mut self, order: &Order) -> Fate {
        if let Ok(mut line) = serde_json::to_vec(order) {
            line.push(b'\n');
            // A keeper that cannot be told anything does not report anything either.
            let _ = self.control.write_all(&line).await;
        }
        match self.report().await {
            Some(report) => Fate::Told(report),
            None => self.lost().await,
        }
    }

    /// Has the command and all that it started ended, now.
    pub(crate) async fn end(&mut self) -> Fate {
        // The end of this side is the sign. It fails only when the keeper is gone.
        let _ = self.control.shutdown().await;
        // A command can stop its keeper as easily as kill it.
        self.signal(Signal::CONT);
        match timeout(PATIENCE, self.report()).await {
            Ok(Some(report)) => Fate::Told(report),
            Ok(None) | Err(_) => self.lost().await,
        }
    }

    /// Lets go of a keeper that has reported. It ends by itself: now, or when the last survivor is gone.
    pub(crate) async fn part(mut self) {
        if timeout(PARTING, self.gone()).await.is_err() {
            tokio::spawn(async move { self.gone().await });
        }
    }

    /// The keeper's report; none when it ends without one.
    async fn report(&mut self) -> Option<Report> {
        // What was read stays when this is dropped.
        let mut control = (&mut self.control).take(MAX_REPORT_BYTES);
        control.read_to_end(&mut self.said).await.ok()?;
        serde_json::from_slice(&self.said).ok()
    }

    async fn lost(&mut self) -> Fate {
        self.signal(Signal::KILL);
        // Killed, it is gone at once, unless the system has no time at all.
        let _ = timeout(KILL_GRACE, self.gone()).await;
        Fate::Lost(self.children.end_orphans(&self.call_mark).await)
    }

    /// Returns when the keeper has ended. Only then may its number belong to a stranger.
    async fn gone(&mut self) {
        // The error would be that somebody else has collected it, and then it is gone as well.
        let _ = self.keeper.wait().await;
        self.children.keepers().remove(&self.id);
    }

    fn signal(&self, signal: Signal) {
        // As long as it was not waited for, its number belongs to no other process.
        if self.keeper.id().is_some()
            && let Some(pid) = Pid::from_raw(self.id)
        {
            let _ = kill_process(pid, signal);
        }
    }
}
