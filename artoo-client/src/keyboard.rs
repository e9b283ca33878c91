//! What the person types or presses while a task runs.

use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::exit::Failure;
use crate::repl::activity::{Activity, Asked, PAUSE};

/// Lines that may wait to be read. A question takes one; what was typed before it is thrown away.
const LINES: usize = 8;
/// How soon the reader notices that nothing is asked for any more.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Something the person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserInput {
    /// A line, or the key that answers a question.
    Line(String),
    /// Ctrl+C, or Esc where that stops.
    Interrupt,
    /// No more lines will come.
    End,
}

/// The source of what is typed.
pub enum Keyboard {
    /// A terminal, or a pipe: it is read only when something is asked for.
    Terminal {
        /// Ctrl+C.
        interrupts: Signal,
        /// Lines and keys.
        typed: TypedInput,
    },
    /// The line editor, which sends what belongs to the running task.
    Editor {
        /// What was typed.
        typed: mpsc::Receiver<UserInput>,
        /// Tells the editor what its next key or line is for.
        activity: Arc<Activity>,
    },
}

impl Keyboard {
    /// This process's own terminal.
    ///
    /// # Errors
    /// When the signal of Ctrl+C cannot be listened to.
    pub fn terminal() -> Result<Self, Failure> {
        Ok(Self::Terminal { interrupts: signal(SignalKind::interrupt())?, typed: TypedInput::new() })
    }

    /// What comes next; lines and keys only when `listening`. Dropping the future loses nothing.
    pub async fn next(&mut self, listening: bool) -> UserInput {
        match self {
            Self::Editor { typed, .. } => typed.recv().await.unwrap_or(UserInput::End),
            Self::Terminal { interrupts, .. } if !listening => {
                interrupts.recv().await;
                UserInput::Interrupt
            }
            Self::Terminal { interrupts, typed } => {
                typed.listen();
                tokio::select! {
                    _ = interrupts.recv() => UserInput::Interrupt,
                    typed = typed.received.recv() => typed.unwrap_or(UserInput::End),
                }
            }
        }
    }

    /// Asks for a key, a line, or nothing more. What was typed before is thrown away: it cannot be an answer.
    pub fn ask(&mut self, asked: Asked) {
        match self {
            Self::Editor { activity, .. } => activity.ask(asked),
            Self::Terminal { typed, .. } => typed.ask(asked),
        }
    }

    /// Whether nothing can come any more. A terminal can always be interrupted.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Editor { typed, .. } if typed.is_closed() && typed.is_empty())
    }
}

/// Standard input, read by a thread of its own that ends with the process.
pub struct TypedInput {
    shared: Arc<Shared>,
    received: mpsc::Receiver<UserInput>,
    /// What the thread sends with, until it is started.
    sender: Option<mpsc::Sender<UserInput>>,
    /// The terminal as it was before a key was asked for.
    before: Option<Termios>,
}

/// What the thread is to do.
#[derive(Default)]
struct Shared {
    wanted: Mutex<Demand>,
    changed: Condvar,
}

#[derive(Debug, Clone, Copy, Default)]
struct Demand {
    asked: Asked,
    since: Option<Instant>,
}

impl TypedInput {
    fn new() -> Self {
        let (sender, received) = mpsc::channel(LINES);
        Self { shared: Arc::default(), received, sender: Some(sender), before: None }
    }

    /// Starts reading, lines where nothing else was asked for.
    fn listen(&mut self) {
        if self.shared.wanted().asked == Asked::Nothing {
            self.shared.want(Asked::Line);
        }
        if let Some(sender) = self.sender.take() {
            let shared = Arc::clone(&self.shared);
            std::thread::spawn(move || shared.read(&sender));
        }
    }

    fn ask(&mut self, asked: Asked) {
        // A pipe has no keys, and its lines were all meant.
        let Ok(now) = tcgetattr(std::io::stdin()) else { return };
        // Fails when the terminal went away; then nobody types.
        let _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
        while self.received.try_recv().is_ok() {}
        if asked == Asked::Key {
            let before = self.before.get_or_insert(now);
            let mut keys = before.clone();
            keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &keys);
        } else {
            self.restore();
        }
        self.shared.want(asked);
    }

    fn restore(&mut self) {
        if let Some(before) = self.before.take() {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &before);
        }
    }
}

impl Drop for TypedInput {
    fn drop(&mut self) {
        self.restore();
        self.shared.want(Asked::Nothing);
    }
}

impl Shared {
    fn wanted(&self) -> Demand {
        *self.lock()
    }

    fn want(&self, asked: Asked) {
        *self.lock() = Demand { asked, since: Some(Instant::now()) };
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Demand> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads until nobody listens or nothing comes any more.
    fn read(&self, sender: &mpsc::Sender<UserInput>) {
        let mut line = Vec::new();
        let mut bytes = [0; 4096];
        loop {
            let mut wanted = self.lock();
            while wanted.asked == Asked::Nothing {
                wanted = self.changed.wait(wanted).unwrap_or_else(PoisonError::into_inner);
            }
            drop(wanted);
            let stdin = std::io::stdin();
            let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
            match poll(&mut ready, Some(&LOOK)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) | Err(_) => {}
            }
            let read = match rustix::io::read(stdin.as_fd(), &mut bytes) {
                Err(rustix::io::Errno::INTR) => continue,
                Ok(length @ 1..) => length,
                Ok(_) | Err(_) => {
                    // What stands there without a line feed is a line too.
                    let rest = (!line.is_empty()).then(|| text(&line));
                    for last in rest.map(UserInput::Line).into_iter().chain([UserInput::End]) {
                        drop(sender.blocking_send(last));
                    }
                    return;
                }
            };
            if !self.take(&bytes[..read], &mut line, sender) {
                return;
            }
        }
    }

    /// Passes on what these bytes mean now; false when nobody listens any more.
    fn take(&self, bytes: &[u8], line: &mut Vec<u8>, sender: &mpsc::Sender<UserInput>) -> bool {
        let wanted = self.wanted();
        match wanted.asked {
            Asked::Nothing => true,
            Asked::Key => {
                line.clear();
                let early = wanted.since.is_some_and(|since| since.elapsed() < PAUSE);
                // One key at a time: an arrow is no answer, and neither is something that was pasted.
                let key = text(bytes);
                early || key.chars().count() != 1 || sender.blocking_send(UserInput::Line(key)).is_ok()
            }
            Asked::Line => {
                line.extend_from_slice(bytes);
                while let Some(end) = line.iter().position(|byte| *byte == b'\n') {
                    let rest = line.split_off(end + 1);
                    let whole = std::mem::replace(line, rest);
                    if sender.blocking_send(UserInput::Line(text(&whole[..end]))).is_err() {
                        return false;
                    }
                }
                true
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches('\r').to_owned()
}
