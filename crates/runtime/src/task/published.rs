//! What others see of a running task.

use std::sync::Arc;

use artoo_task::view::TaskView;
use artoo_types::{Envelope, TaskId};
use parking_lot::Mutex;
use tokio::sync::watch;

/// A running task as its published envelopes show it. Cheap to clone; all clones show the same.
#[derive(Debug, Clone)]
pub(super) struct PublishedTask {
    view: Arc<Mutex<TaskView>>,
    /// Sequence of the latest envelope that may be seen.
    latest: Arc<watch::Sender<u64>>,
}

impl PublishedTask {
    /// A task as it stands.
    pub(super) fn new(view: TaskView) -> Self {
        let latest = Arc::new(watch::Sender::new(view.latest_sequence));
        Self { view: Arc::new(Mutex::new(view)), latest }
    }

    /// The task as it is now.
    pub(super) fn view(&self) -> TaskView {
        self.read(TaskView::clone)
    }

    /// Which task it is.
    pub(super) fn task_id(&self) -> TaskId {
        self.read(|view| view.task_id)
    }

    /// Something about the task as it is now.
    pub(super) fn read<T>(&self, look: impl FnOnce(&TaskView) -> T) -> T {
        look(&self.view.lock())
    }

    /// The sequence of the latest envelope that may be seen, now and from now on.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    /// How many follow it.
    pub(super) fn followers(&self) -> usize {
        self.latest.receiver_count()
    }

    /// Shows these envelopes.
    pub(super) fn publish(&self, envelopes: &[Envelope]) {
        let latest = {
            let mut view = self.view.lock();
            envelopes.iter().for_each(|envelope| view.observe(envelope));
            view.latest_sequence
        };
        self.latest.send_replace(latest);
    }
}
