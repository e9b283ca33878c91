//! The part of the Dreamer that may wait for a model: it finds the words of rules and lessons, one after the other, while
//! nobody waits for them. What becomes a rule, the law of the memory decides; it is written on the thread of R5 alone.
//!
//! Work is left at [`DreamerBell`] and taken by one task of the daemon. Without work there is no model call. It ends with
//! the daemon at once: what is left undone is found again by the next look, and a lesson that was not learned is none.

mod asking;
mod distilling;
mod reflecting;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use artoo_control::quantize::teaches;
use artoo_memory::consolidation::Candidate;
use artoo_model::Models;
use artoo_redact::Redactor;
use artoo_task::view::TaskView;
use artoo_types::TaskId;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::memory::MemoryInbox;
use crate::system::SystemBus;
use asking::Asking;

/// Ended tasks that may wait for their lesson. Each takes a model call or two, so more would wait for minutes; what comes
/// on top is not reflected on, and that is counted.
const MAX_WAITING: usize = 32;
/// Batches of candidates that may wait: the memory's thread hands out one at a time.
const MAX_BATCHES: usize = 1;
/// Most candidates that are put into words before the memory is looked at again.
pub const MAX_CANDIDATES: usize = 4;
/// How long the end may take once it is asked for. A call is dropped at once; what is left is one line for the journal.
const STOP_WITHIN: Duration = Duration::from_secs(2);

/// Where work is left for the Dreamer. Cheap to clone; nobody waits at it.
#[derive(Debug, Clone)]
pub struct DreamerBell {
    /// Whether ended tasks are reflected on.
    reflect: bool,
    ended: mpsc::Sender<TaskId>,
    ripe: mpsc::Sender<Vec<Candidate>>,
    passed_over: Arc<AtomicU64>,
}

impl DreamerBell {
    /// A task ended. It is reflected on when its end teaches something; whether anything went wrong on its way, its
    /// journal tells.
    pub fn task_ended(&self, view: &TaskView) {
        let teaches = view.result.as_ref().is_some_and(|result| teaches(result.reason));
        if self.reflect && teaches && self.ended.try_send(view.task_id).is_err() {
            let passed_over = self.passed_over.fetch_add(1, Ordering::Relaxed) + 1;
            tracing::warn!(passed_over, "too many ended tasks wait; this one is not reflected on");
        }
    }

    /// Evidence became enough for rules, which lack their words. False when nobody takes them: then they stay candidates.
    pub fn ripe(&self, candidates: Vec<Candidate>) -> bool {
        self.ripe.try_send(candidates).is_ok()
    }
}

/// Where the Dreamer finds its work.
pub struct DreamerWork {
    ended: mpsc::Receiver<TaskId>,
    ripe: mpsc::Receiver<Vec<Candidate>>,
}

impl DreamerWork {
    /// The candidates that were left last.
    #[cfg(test)]
    pub(crate) fn try_ripe(&mut self) -> Option<Vec<Candidate>> {
        self.ripe.try_recv().ok()
    }
}

/// The two ends of the Dreamer's work. `reflect`: whether ended tasks are reflected on.
pub fn work(reflect: bool) -> (DreamerBell, DreamerWork) {
    let (ended, ended_work) = mpsc::channel(MAX_WAITING);
    let (ripe, ripe_work) = mpsc::channel(MAX_BATCHES);
    let bell = DreamerBell { reflect, ended, ripe, passed_over: Arc::default() };
    (bell, DreamerWork { ended: ended_work, ripe: ripe_work })
}

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
    asking: Asking,
    memory: MemoryInbox,
    system: SystemBus,
    journals: PathBuf,
}

impl Dreamer {
    /// Works until it is told to stop, or nobody can leave work any more.
    async fn run(mut self, mut work: DreamerWork) {
        while !self.asking.stopped() {
            let mut stop = self.asking.stop();
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
        if tokio::time::timeout(STOP_WITHIN, self.task).await.is_err() {
            tracing::warn!("the dreamer did not end in time");
            abort.abort();
        }
    }
}

/// Starts the Dreamer.
pub fn start(parts: DreamerParts, work: DreamerWork) -> DreamerTask {
    let (stop, stopped) = watch::channel(false);
    let DreamerParts { models, redactor, memory, system, journals } = parts;
    let asking = Asking::new(models, redactor, system.clone(), stopped);
    let task = tokio::spawn(Dreamer { asking, memory, system, journals }.run(work));
    DreamerTask { stop, task }
}
