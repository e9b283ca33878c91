//! What the person types or presses while a task runs.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::exit::Failure;

/// Lines that may wait to be read. A question takes one; what was typed before it is thrown away.
const LINES: usize = 8;

/// Something the person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserInput {
    /// A line.
    Line(String),
    /// Ctrl+C.
    Interrupt,
    /// No more lines will come.
    End,
}

/// The source of what is typed.
pub enum Keyboard {
    /// A terminal, or a pipe: lines are read only when one is asked for.
    Terminal {
        /// Ctrl+C.
        interrupts: Signal,
        /// Lines, from a thread that is started with the first question.
        lines: Option<mpsc::Receiver<String>>,
    },
    /// The line editor, which sends what belongs to the running task.
    Editor {
        /// What was typed.
        typed: mpsc::Receiver<UserInput>,
        /// Tells the editor whether its next line answers a question.
        asking: Arc<AtomicBool>,
    },
}

impl Keyboard {
    /// This process's own terminal.
    ///
    /// # Errors
    /// When the signal of Ctrl+C cannot be listened to.
    pub fn terminal() -> Result<Self, Failure> {
        Ok(Self::Terminal { interrupts: signal(SignalKind::interrupt())?, lines: None })
    }

    /// What comes next; lines only when `listening`. Dropping the future loses nothing.
    pub async fn next(&mut self, listening: bool) -> UserInput {
        match self {
            Self::Editor { typed, .. } => typed.recv().await.unwrap_or(UserInput::End),
            Self::Terminal { interrupts, lines } => {
                if !listening {
                    interrupts.recv().await;
                    return UserInput::Interrupt;
                }
                let lines = lines.get_or_insert_with(read_lines);
                tokio::select! {
                    _ = interrupts.recv() => UserInput::Interrupt,
                    line = lines.recv() => line.map_or(UserInput::End, UserInput::Line),
                }
            }
        }
    }

    /// Notes down whether a question waits for a line.
    pub fn set_asking(&self, asks: bool) {
        if let Self::Editor { asking, .. } = self {
            asking.store(asks, Ordering::Relaxed);
        }
    }

    /// Whether nothing can come any more. A terminal can always be interrupted.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Editor { typed, .. } if typed.is_closed() && typed.is_empty())
    }

    /// Throws away what was typed before a question was shown: it cannot be its answer.
    pub fn forget_typed(&mut self) {
        if let Self::Terminal { lines, .. } = self {
            // Fails when standard input is no terminal; then nobody types.
            let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
            if let Some(lines) = lines {
                while lines.try_recv().is_ok() {}
            }
        }
    }
}

/// Reads lines of standard input in a thread of its own, which ends with the process.
fn read_lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(LINES);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
