//! The threads that read commands. The parser is foreign code that goes deep into its stack, so it gets a large one of its
//! own; and making such a thread takes longer than reading a command, so one that has answered waits for the next.
//!
//! Whatever goes wrong there, a panic, a parser that finds no end, no thread to be had, comes to no answer, and a command
//! without one is asked about.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

/// How long a command is read at most. What is admitted takes milliseconds, on a machine that is busy some more; but among
/// texts without a meaning there are some on which the parser would spend a minute.
pub(super) const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// The stack of a reader. The nesting that is admitted needs far less.
const STACK_BYTES: usize = 32 << 20;
/// ReaderPool that wait for the next command: as many as cores usually judge at once. Each keeps the part of its stack that it
/// has used.
const MAX_IDLE: usize = 4;
/// ReaderPool that found no end. With this many nothing is read any more, so that they take no more than that many cores.
const MAX_LOST: usize = 4;

/// What one reader does.
type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// ReaderPool of one kind of answer.
pub(super) struct ReaderPool<T> {
    idle: Mutex<Vec<ReaderThread<T>>>,
    /// What each reader that found no end still holds, until it does.
    lost: Mutex<Vec<Weak<()>>>,
}

struct ReaderThread<T> {
    jobs: SyncSender<Job<T>>,
    answers: Receiver<T>,
    life: Weak<()>,
}

impl<T: Send + 'static> ReaderPool<T> {
    /// None yet.
    pub(super) const fn new() -> Self {
        Self { idle: Mutex::new(Vec::new()), lost: Mutex::new(Vec::new()) }
    }

    /// What a job comes to on a large stack; returns None if it panics, takes longer than `patience`, or cannot be begun.
    pub(crate) fn read(&self, patience: Duration, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if self.lost() >= MAX_LOST {
            return None;
        }
        let waiting = self.idle.lock().pop();
        let reader = waiting.or_else(ReaderThread::start)?;
        reader.jobs.send(Box::new(job)).ok()?;
        match reader.answers.recv_timeout(patience) {
            Ok(answer) => {
                let mut idle = self.idle.lock();
                if idle.len() < MAX_IDLE {
                    idle.push(reader);
                }
                Some(answer)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.lost.lock().push(reader.life);
                None
            }
        }
    }

    /// How many have found no end so far.
    fn lost(&self) -> usize {
        let mut lost = self.lost.lock();
        lost.retain(|life| life.strong_count() > 0);
        lost.len()
    }
}

impl<T: Send + 'static> ReaderThread<T> {
    fn start() -> Option<Self> {
        let (jobs, orders) = sync_channel::<Job<T>>(1);
        let (replies, answers) = sync_channel(1);
        let alive = Arc::new(());
        let life = Arc::downgrade(&alive);
        let thread = std::thread::Builder::new().name("gate".to_owned()).stack_size(STACK_BYTES);
        thread
            .spawn(move || {
                let _alive = alive;
                // It ends when nobody has a job for it any more, or waits for its answer.
                while let Ok(job) = orders.recv()
                    && replies.send(job()).is_ok()
                {}
            })
            .ok()?;
        Some(Self { jobs, answers, life })
    }
}

#[cfg(test)]
mod tests;
