//! All tasks: what runs, what there is, and how it ends.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use artoo_journal::line::LineHash;
use artoo_journal::{AcceptIndex, CrashPoint, JournalError};
use artoo_task::view::TaskView;
use artoo_types::TaskId;
use artoo_types::evidence::Receipt;
use artoo_types::machine::TaskInput;
use artoo_types::setting::ControlParams;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{mpsc, watch};

use super::actor::{Actor, INBOX, Listeners, StartingTask};
use super::answers::AnswerLog;
use super::archive::TaskArchive;
use super::effects::EffectServices;
use super::ending::after_a_bug;
use super::error::TaskError;
use super::published::PublishedTask;
use super::queue::SubmissionQueue;
use super::retention::DeletedRecords;
use super::session::Sessions;
use super::stream::{StreamError, TaskStream};
use super::unreadable::ReadFailure;
use crate::auditor::verify_task::JournalStage;
use crate::health::Concern;
use artoo_config::StorageParams;

/// Ended tasks that are kept in memory; older ones are read from their journals.
const MAX_REMEMBERED: usize = 512;

/// What every task of this daemon starts from.
#[derive(Debug, Clone)]
pub struct TasksConfig {
    /// Folder of the tasks' journals.
    pub journals: PathBuf,
    /// Controller parameters.
    pub control: ControlParams,
    /// The person's home folder.
    pub home: PathBuf,
    /// Where generated files go.
    pub workspace: PathBuf,
}

/// Every task of the daemon. Cheap to clone.
#[derive(Clone)]
pub struct Tasks {
    pub(super) inner: Arc<TasksInner>,
}

pub(super) struct TasksInner {
    pub(super) config: TasksConfig,
    pub(super) services: EffectServices,
    pub(super) listeners: Listeners,
    pub(super) crash: CrashPoint,
    pub(super) archive: TaskArchive,
    pub(super) queue: SubmissionQueue,
    live: Mutex<LiveTasks>,
    /// Tells running tasks to leave off.
    leave_off: watch::Sender<bool>,
}

/// What changes while tasks come and go. It is locked for moments, never while a file is written or read.
pub(super) struct LiveTasks {
    pub(super) running: BTreeMap<TaskId, TaskHandle>,
    pub(super) ended: BTreeMap<TaskId, TaskView>,
    pub(super) sessions: Sessions,
    /// How often a bug of ours broke each task.
    broken: BTreeMap<TaskId, u32>,
    /// The daemon is going down: nothing new is accepted.
    pub(super) closed: bool,
}

/// The way to a running task.
#[derive(Clone)]
pub(super) struct TaskHandle {
    pub(super) inbox: mpsc::Sender<TaskInput>,
    pub(super) published: PublishedTask,
    pub(super) answers: AnswerLog,
}

impl TaskHandle {
    /// The way to a task to which nobody has said anything yet.
    pub(super) fn new(inbox: mpsc::Sender<TaskInput>, published: PublishedTask) -> Self {
        Self { inbox, published, answers: AnswerLog::default() }
    }
}

impl Tasks {
    /// The tasks of this index.
    pub fn new(
        config: TasksConfig,
        services: EffectServices,
        listeners: Listeners,
        index: AcceptIndex,
        crash: CrashPoint,
    ) -> Self {
        let live = LiveTasks {
            running: BTreeMap::new(),
            ended: BTreeMap::new(),
            sessions: Sessions::default(),
            broken: BTreeMap::new(),
            closed: false,
        };
        let archive =
            TaskArchive { index, journals: config.journals.clone(), health: listeners.health.clone() };
        Self {
            inner: Arc::new(TasksInner {
                config,
                services,
                listeners,
                crash,
                archive,
                queue: SubmissionQueue::default(),
                live: Mutex::new(live),
                leave_off: watch::Sender::new(false),
            }),
        }
    }

    /// Runs the actor in the background and takes its end in, in whatever way it comes.
    pub(super) fn spawn(&self, task_id: TaskId, actor: Actor, first: Vec<artoo_types::machine::TaskEffect>) {
        let tasks = self.clone();
        tokio::spawn(async move {
            match tokio::spawn(actor.run(first)).await {
                Ok(head) => tasks.ended(task_id, head).await,
                Err(_) => tasks.broke(task_id),
            }
        });
    }

    /// A bug of ours broke the task: it ends and says so. Where that breaks as well, it ends knowing nothing but its request; and
    /// where that does, it is left to the next start.
    fn broke(&self, task_id: TaskId) {
        let (published, times) = {
            let mut live = self.live();
            let times = live.broken.entry(task_id).or_default();
            *times += 1;
            let times = *times;
            (live.running.remove(&task_id).filter(|_| times < 3).map(|handle| handle.published), times)
        };
        let (journals, crash) = (&self.inner.config.journals, self.inner.crash.clone());
        let end =
            |published| after_a_bug(task_id, journals, crash, &self.inner.archive, published, times == 1);
        let what = match published.map(end) {
            Some(Ok((task, receipts, first))) => return self.adopt(task_id, task, &receipts, first),
            Some(Err(error)) => {
                format!("task {task_id} broke by a bug in artoo and cannot be ended: {error}")
            }
            None => format!("task {task_id} broke by a bug in artoo, and ending it did as well"),
        };
        self.inner.listeners.health.raise(Concern::Journal(task_id), what);
    }

    async fn ended(&self, task_id: TaskId, head: LineHash) {
        let Some(view) = self.live().running.get(&task_id).map(|handle| handle.published.view()) else {
            return;
        };
        if view.result.is_none() {
            // It has left off until the next start.
            self.live().running.remove(&task_id);
            return;
        }
        self.live().sessions.ended(&view);
        // Marked while it still counts as running: whoever finds that nothing runs may end the process. The index may be
        // waiting for the disk.
        self.inner.listeners.disk.wait_for(|| self.inner.archive.mark_ended(&view, head)).await;
        self.inner.services.dreamer().task_ended(&view);
        let mut live = self.live();
        live.running.remove(&task_id);
        live.ended.insert(task_id, view);
        if live.ended.len() > MAX_REMEMBERED {
            live.ended.pop_first();
        }
        drop(live);
        self.inner.services.memory().task_ended();
    }

    /// An actor, and the way to it.
    pub(super) fn actor(&self, task: StartingTask) -> (Actor, TaskHandle) {
        let published = task.published.clone();
        let (inbox, receiver) = mpsc::channel(INBOX);
        let (listeners, services) = (self.inner.listeners.clone(), self.inner.services.clone());
        let actor = Actor::new(task, listeners, services, receiver, self.inner.leave_off.subscribe());
        (actor, TaskHandle::new(inbox, published))
    }

    /// Continues a task as its journal left it, with the receipts that it has.
    pub(super) fn adopt(&self, task_id: TaskId, task: StartingTask, receipts: &[Receipt], first: TaskInput) {
        let (actor, handle) = self.actor(task);
        actor.remember(receipts);
        // The inbox is empty and takes its first input.
        let _ = handle.inbox.try_send(first);
        self.live().running.insert(task_id, handle);
        self.spawn(task_id, actor, Vec::new());
    }

    /// The task as it stands.
    ///
    /// # Errors
    /// When there is no such task, or its journal cannot be read to its end: then with what is left of it.
    pub fn get(&self, task_id: TaskId) -> Result<TaskView, TaskError> {
        {
            let live = self.live();
            if let Some(handle) = live.running.get(&task_id) {
                return Ok(handle.published.view());
            }
            if let Some(view) = live.ended.get(&task_id) {
                return Ok(view.clone());
            }
        }
        let archive = &self.inner.archive;
        Ok(archive.read_view(archive.find(task_id).ok_or(TaskError::Unknown(task_id))?)?)
    }

    /// Whether a task waits for an answer and nobody follows it.
    pub fn waits_unseen(&self, task_id: TaskId) -> bool {
        self.live().running.get(&task_id).is_some_and(|handle| {
            let waits = |view: &TaskView| !view.confirmations.is_empty() || !view.questions.is_empty();
            handle.published.followers() == 0 && handle.published.read(waits)
        })
    }

    /// Ids of tasks, newest first, after `after` (exclusive).
    pub fn list(&self, after: Option<TaskId>) -> Vec<TaskId> {
        self.inner.archive.list(after)
    }

    /// The events of a task after a sequence.
    ///
    /// # Errors
    /// When there is no such task, or the sequence is beyond it.
    pub fn events(&self, task_id: TaskId, after: u64, follow: bool) -> Result<TaskStream, EventsError> {
        let latest = self.last_readable(task_id).map_err(EventsError::Unknown)?;
        if after > latest {
            return Err(EventsError::Stream(StreamError::Beyond { asked: after, latest }));
        }
        let published = self.live().running.get(&task_id).map(|h| h.published.subscribe());
        TaskStream::open(&self.inner.archive.journal(task_id), after, follow, published)
            .map_err(EventsError::Stream)
    }

    /// Sequence of the task's last event that can be read.
    fn last_readable(&self, task_id: TaskId) -> Result<u64, TaskError> {
        match self.get(task_id) {
            Ok(view) => Ok(view.latest_sequence),
            Err(TaskError::Unreadable(task)) if task.failure != ReadFailure::Deleted => {
                Ok(task.view.latest_sequence)
            }
            Err(error) => Err(error),
        }
    }

    /// Deletes the journals of ended tasks that are beyond a bound, oldest end first, and the long outputs that nobody
    /// can read any more. `is_read` says whether the auditor has read a task to its end: until then it stays. It belongs
    /// on a thread that may wait.
    ///
    /// # Errors
    /// When a folder cannot be listed. A file that cannot be deleted is left for the next pass.
    pub fn delete_old(
        &self,
        storage: &StorageParams,
        artifacts: &Path,
        is_read: impl Fn(TaskId) -> bool,
    ) -> Result<DeletedRecords, JournalError> {
        let deleted = self.inner.archive.delete_old(storage, artifacts, is_read)?;
        let mut live = self.live();
        deleted.tasks.iter().for_each(|task_id| drop(live.ended.remove(task_id)));
        Ok(deleted)
    }

    /// Forgets requests that are old and whose journals are gone, so that the index does not grow for ever. Returns how
    /// many. It writes the index anew when there are any, so it belongs on a thread that may wait.
    ///
    /// # Errors
    /// When the index cannot be written; then nothing is forgotten.
    pub fn forget_old(&self) -> Result<usize, JournalError> {
        self.inner.archive.forget_old()
    }

    /// Whether the task is at work.
    pub fn is_running(&self, task_id: TaskId) -> bool {
        self.live().running.contains_key(&task_id)
    }

    /// Where a task's journal lies, and whether it still grows.
    ///
    /// # Errors
    /// When there is no such task.
    pub fn journal_of(&self, task_id: TaskId) -> Result<(PathBuf, JournalStage), TaskError> {
        // Asked before the index: it hears of an end a moment before the actor is gone.
        let at_work = self.is_running(task_id);
        let known = self.inner.archive.find(task_id).ok_or(TaskError::Unknown(task_id))?;
        let ended = known.ended.filter(|_| !at_work);
        let stage = ended.map_or(JournalStage::Growing, |ended| JournalStage::Ended(ended.head));
        Ok((self.inner.archive.journal(task_id), stage))
    }

    /// How many tasks run, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.live().running.len(), self.inner.archive.count())
    }

    /// Accepts nothing any more, lets running tasks end within `grace`, then has the rest leave off. The next start goes
    /// on with them.
    pub async fn shut_down(&self, grace: Duration) {
        self.close().await;
        let deadline = tokio::time::Instant::now() + grace;
        self.wait_until_idle(deadline).await;
        self.inner.leave_off.send_replace(true);
        self.wait_until_idle(tokio::time::Instant::now() + Duration::from_secs(4)).await;
        self.inner.services.memory().drain().await;
    }

    async fn wait_until_idle(&self, deadline: tokio::time::Instant) {
        while !self.live().running.is_empty() && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(super) fn live(&self) -> MutexGuard<'_, LiveTasks> {
        self.inner.live.lock()
    }
}

/// Why events cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum EventsError {
    /// There is no such task, or it cannot be read.
    #[error(transparent)]
    Unknown(TaskError),
    /// The stream cannot start there.
    #[error(transparent)]
    Stream(StreamError),
}
