//! The part of the Dreamer that may wait for a model: it finds the words of rules and lessons, one after the other, while
//! nobody waits for them. What becomes a rule, the law of the memory decides; it is written on the thread of R5 alone.
//!
//! Work is left at [`bell::DreamerBell`] and taken by one task of the daemon. Without work there is no model call. It ends with
//! the daemon at once: what is left undone is found again by the next look, and a lesson that was not learned is none.

pub mod bell;
mod calls;
mod distilling;
mod reflecting;

use std::path::PathBuf;
use std::time::Duration;

use artoo_model::Models;
use artoo_redact::Redactor;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::memory::MemoryInbox;
use crate::system::SystemBus;
use calls::DreamerCalls;

pub use bell::{DreamerBell, DreamerWork, work};

/// How long the end may take once it is asked for. A call is dropped at once; what is left is one line for the journal.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// What the Dreamer works with.
pub struct DreamerParts {
    /// Who finds the words: the tier of the brain.
    pub models: Models,
    /// Takes secrets out of what a model says.
    pub redactor: Redactor,
    /// Where words become memories.
    pub memory: MemoryInbox,
    /// Where its calls and what it did are told.
    pub system: SystemBus,
    /// The folder of the tasks' journals.
    pub journals: PathBuf,
}

/// The Dreamer at work.
struct Dreamer {
    calls: DreamerCalls,
    memory: MemoryInbox,
    system: SystemBus,
    journals: PathBuf,
}

impl Dreamer {
    /// Works until it is told to stop, or nobody can leave work any more.
    async fn run(mut self, mut work: DreamerWork) {
        while !self.calls.stopped() {
            let mut stop = self.calls.stop();
            tokio::select! {
                biased;
                () = async { drop(stop.wait_for(|stop| *stop).await) } => return,
                Some(candidates) = work.ripe.recv() => self.distil(candidates).await,
                Some(task_id) = work.ended.recv() => self.reflect(task_id).await,
                else => return,
            }
        }
    }
}

/// The running Dreamer, to be ended.
pub struct DreamerTask {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl DreamerTask {
    /// Ends it, in a call or between two.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        let abort = self.task.abort_handle();
        if tokio::time::timeout(STOP_TIMEOUT, self.task).await.is_err() {
            tracing::warn!("the dreamer did not end in time");
            abort.abort();
        }
    }
}

/// Starts the Dreamer.
pub fn start(parts: DreamerParts, work: DreamerWork) -> DreamerTask {
    let (stop, stopped) = watch::channel(false);
    let DreamerParts { models, redactor, memory, system, journals } = parts;
    let calls = DreamerCalls::new(models, redactor, system.clone(), stopped);
    let task = tokio::spawn(Dreamer { calls, memory, system, journals }.run(work));
    DreamerTask { stop, task }
}
