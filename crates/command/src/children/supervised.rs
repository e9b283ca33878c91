//! The daemon's side of a keeper: starting it, giving it an order, hearing its report, telling it to end, and going on
//! without it.

use std::io::PipeReader;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::keeper::WORD;
use super::order::{CommandOrder, CommandReport, MAX_REPORT_BYTES, send_first, written};
use super::{Children, KILL_GRACE, TERM_GRACE};
use crate::launcher::Launcher;

/// How long a keeper that was told to end has to report. It needs the two graces at most, and this to be scheduled.
const PATIENCE: Duration =
    Duration::from_millis(TERM_GRACE.as_millis() as u64 + KILL_GRACE.as_millis() as u64 + 50);
/// How long a keeper that has reported may take to end before it is no longer waited for.
const PARTING: Duration = Duration::from_millis(100);
/// How long a keeper may take to accept an order. It does nothing else.
const HAND_OVER: Duration = Duration::from_secs(2);

/// A keeper that waits for an order. Dropping it makes it end.
#[derive(Debug)]
pub(super) struct Keeper {
    process: Child,
    id: i32,
    /// What its control group is called, if it has one.
    name: String,
    control: UnixStream,
}

/// A keeper at work. Dropping it makes the keeper end the command.
#[derive(Debug)]
pub struct SupervisedCommand {
    children: Children,
    keeper: Keeper,
    /// Part of the name of the call's private folder, which all that the command starts has in its environment.
    call_mark: String,
    said: Vec<u8>,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandFate {
    /// The keeper's report.
    Told(CommandReport),
    /// The keeper was killed, or could not be moved to report and was killed for that. What it kept was ended, except for
    /// what is named.
    Lost(Vec<String>),
}

/// What the command prints, and what it reads where it has an input.
pub struct Pipes {
    /// Where the command reads from; none without an input.
    pub input: Option<pipe::Sender>,
    /// Its standard output.
    pub out: pipe::Receiver,
    /// Its standard error.
    pub err: pipe::Receiver,
}

impl Keeper {
    /// Starts one.
    fn start(children: &Children, launcher: &Launcher) -> std::io::Result<Self> {
        let (ours, its) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let name = super::named(children.mark());
        let group = children.place().map(|place| place.folder.join(&name));
        let mut command = Command::new(&launcher.program);
        command
            .args([WORD, &name])
            .args(group)
            .current_dir("/")
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(its)))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut keepers = children.keepers();
        let process = command.spawn()?;
        let id = process.id().and_then(|id| i32::try_from(id).ok()).unwrap_or_default();
        keepers.insert(id);
        drop(keepers);
        Ok(Self { process, id, name, control: UnixStream::from_std(ours)? })
    }

    /// Its process id.
    pub(super) fn id(&self) -> i32 {
        self.id
    }

    /// Whether it can take an order, as far as one can see.
    pub(super) fn is_there(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    async fn hand_over(&self, order: &CommandOrder) -> std::io::Result<Pipes> {
        let (header, body) = written(order)?;
        let ((out, its_out), (err, its_err)) = (std::io::pipe()?, std::io::pipe()?);
        let receiver = |reader: PipeReader| pipe::Receiver::from_owned_fd(OwnedFd::from(reader));
        let (its_input, input) = if order.has_input {
            let (its_input, input) = std::io::pipe()?;
            (Some(its_input), Some(pipe::Sender::from_owned_fd(OwnedFd::from(input))?))
        } else {
            (None, None)
        };
        let pipes = Pipes { input, out: receiver(out)?, err: receiver(err)? };
        let outputs = [its_out.as_fd(), its_err.as_fd()];
        let its_input = its_input.as_ref().map(|input| input.as_fd());
        let send = || send_first(self.control.as_fd(), &header, outputs, its_input);
        self.control.async_io(Interest::WRITABLE, send).await?;
        let mut rest = body.as_slice();
        while !rest.is_empty() {
            self.control.writable().await?;
            match self.control.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(pipes)
    }

    /// Returns when it has ended. Only then may its number belong to a stranger.
    async fn gone(&mut self, children: &Children) {
        // The error would be that somebody else has collected it, and then it is gone as well.
        let _ = self.process.wait().await;
        children.keepers().remove(&self.id);
    }

    /// Makes it end, and sees to its number.
    pub(super) async fn dismiss(mut self, children: &Children) {
        // The end of this side is the sign. It fails only when the keeper is gone.
        let _ = self.control.shutdown().await;
        self.gone(children).await;
    }

    fn signal(&self, signal: Signal) {
        // As long as it was not waited for, its number belongs to no other process.
        if self.process.id().is_some()
            && let Some(pid) = Pid::from_raw(self.id)
        {
            let _ = kill_process(pid, signal);
        }
    }
}

impl SupervisedCommand {
    /// Gives the order to a keeper that is ready, else to a new one. `call_mark` is in the environment of all that the
    /// command will start, and of nothing else.
    ///
    /// # Errors
    /// When no keeper can be started or takes the order.
    pub async fn start(
        children: &Children,
        launcher: &Launcher,
        order: &CommandOrder,
        call_mark: &str,
    ) -> std::io::Result<(Self, Pipes)> {
        // Ends with a new one: those that are ready are few, and each is taken once.
        loop {
            let (keeper, is_new) = match children.take_ready() {
                Some(keeper) => (keeper, false),
                None => (Keeper::start(children, launcher)?, true),
            };
            let handed = timeout(HAND_OVER, keeper.hand_over(order)).await;
            match handed.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut))) {
                Ok(pipes) => {
                    let (children, call_mark) = (children.clone(), call_mark.to_owned());
                    return Ok((Self { children, keeper, call_mark, said: Vec::new() }, pipes));
                }
                Err(error) => {
                    // One that was ready may have been killed meanwhile; it has not begun.
                    keeper.signal(Signal::KILL);
                    keeper.dismiss(children).await;
                    if is_new {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Returns when the command is over. Dropped before that, it is followed by [`Self::end`].
    pub async fn carry_out(&mut self) -> CommandFate {
        match self.report().await {
            Some(report) => CommandFate::Told(report),
            None => self.lost().await,
        }
    }

    /// Has the command and all that it started ended, now.
    pub async fn end(&mut self) -> CommandFate {
        // The end of this side is the sign. It fails only when the keeper is gone.
        let _ = self.keeper.control.shutdown().await;
        // A command can stop its keeper as easily as kill it.
        self.keeper.signal(Signal::CONT);
        match timeout(PATIENCE, self.report()).await {
            Ok(Some(report)) => CommandFate::Told(report),
            Ok(None) | Err(_) => self.lost().await,
        }
    }

    /// Lets go of a keeper that has reported. When nothing is left of its command, it is ready for another; else it ends
    /// by itself, now or when the last survivor is gone.
    pub async fn part(mut self, is_ready: bool) {
        if is_ready {
            self.children.clone().keep_ready(self.keeper);
        } else if timeout(PARTING, self.keeper.gone(&self.children)).await.is_err() {
            tokio::spawn(async move { self.keeper.gone(&self.children).await });
        }
    }

    /// The keeper's report, a line; `None` if it ends without one.
    async fn report(&mut self) -> Option<CommandReport> {
        loop {
            if let Some((b'\n', line)) = self.said.split_last() {
                return serde_json::from_slice(line).ok();
            }
            // What was read stays when this is dropped.
            let read = self.keeper.control.read_buf(&mut self.said).await.ok()?;
            if read == 0 || self.said.len() > MAX_REPORT_BYTES {
                return None;
            }
        }
    }

    async fn lost(&mut self) -> CommandFate {
        self.keeper.signal(Signal::KILL);
        // Killed, it is gone at once, unless the system has no time at all.
        let _ = timeout(KILL_GRACE, self.keeper.gone(&self.children)).await;
        CommandFate::Lost(self.children.end_orphans(&self.keeper.name, &self.call_mark).await)
    }
}
