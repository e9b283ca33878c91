//! Where work is left for the Dreamer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use artoo_control::quantize::teaches;
use artoo_memory::consolidation::Candidate;
use artoo_task::view::TaskView;
use artoo_types::TaskId;
use tokio::sync::mpsc;

/// Ended tasks that may wait for their lesson. Each takes a model call or two, so more would wait for minutes; what comes
/// on top is not reflected on, and that is counted.
const MAX_TASKS_WAITING: usize = 32;
/// Batches of candidates that may wait: the memory's thread hands out one at a time.
const MAX_BATCHES: usize = 1;
/// Most candidates that are put into words before the memory is looked at again.
pub const MAX_CANDIDATES: usize = 4;
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
    pub(super) ended: mpsc::Receiver<TaskId>,
    pub(super) ripe: mpsc::Receiver<Vec<Candidate>>,
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
    let (ended, ended_work) = mpsc::channel(MAX_TASKS_WAITING);
    let (ripe, ripe_work) = mpsc::channel(MAX_BATCHES);
    let bell = DreamerBell { reflect, ended, ripe, passed_over: Arc::default() };
    (bell, DreamerWork { ended: ended_work, ripe: ripe_work })
}
