//! All tasks: what runs, what there is, and how it ends.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use artoo_journal::line::LineHash;
use artoo_journal::{AcceptIndex, CrashPoint, task_path};
use artoo_task::view::TaskView;
use artoo_types::TaskId;
use artoo_types::evidence::Receipt;
use artoo_types::machine::TaskInput;
use artoo_types::setting::ControlParams;
use tokio::sync::{mpsc, watch};

use super::actor::{Actor, INBOX, Listeners, Standing, Window};
use super::answers::Answers;
use super::effects::Hands;
use super::error::SubmitError;
use super::session::Sessions;
use super::stream::{StreamError, TaskStream};
use super::submission::Accepting;

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
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) config: TasksConfig,
    pub(super) hands: Hands,
    pub(super) listeners: Listeners,
    pub(super) crash: CrashPoint,
    /// Every task that was ever accepted.
    pub(super) index: AcceptIndex,
    pub(super) accepting: Accepting,
    state: Mutex<State>,
    /// Tells running tasks to leave off.
    leave_off: watch::Sender<bool>,
}

/// What changes while tasks come and go. It is locked for moments, never while a file is written or read.
pub(super) struct State {
    pub(super) running: BTreeMap<TaskId, Handle>,
    pub(super) ended: BTreeMap<TaskId, TaskView>,
    pub(super) sessions: Sessions,
    /// The daemon is going down: nothing new is accepted.
    pub(super) closed: bool,
}

/// The way to a running task.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) inbox: mpsc::Sender<TaskInput>,
    pub(super) window: Window,
    pub(super) answers: Answers,
}

impl Handle {
    /// The way to a task to which nobody has said anything yet.
    pub(super) fn new(inbox: mpsc::Sender<TaskInput>, window: Window) -> Self {
        Self { inbox, window, answers: Answers::default() }
    }
}

impl Tasks {
    /// The tasks of this index.
    pub fn new(
        config: TasksConfig,
        hands: Hands,
        listeners: Listeners,
        index: AcceptIndex,
        crash: CrashPoint,
    ) -> Self {
        let state = State {
            running: BTreeMap::new(),
            ended: BTreeMap::new(),
            sessions: Sessions::default(),
            closed: false,
        };
        Self {
            shared: Arc::new(Shared {
                config,
                hands,
                listeners,
                crash,
                index,
                accepting: Accepting::default(),
                state: Mutex::new(state),
                leave_off: watch::Sender::new(false),
            }),
        }
    }

    /// Runs the actor in the background and takes its end in.
    pub(super) fn spawn(&self, task_id: TaskId, actor: Actor, first: Vec<artoo_types::machine::TaskEffect>) {
        let tasks = self.clone();
        tokio::spawn(async move {
            let head = actor.run(first).await;
            tasks.ended(task_id, head).await;
        });
    }

    async fn ended(&self, task_id: TaskId, head: LineHash) {
        let Some(view) = self.state().running.get(&task_id).map(|handle| handle.window.look()) else {
            return;
        };
        if view.result.is_none() {
            // It has left off until the next start.
            self.state().running.remove(&task_id);
            return;
        }
        self.state().sessions.ended(&view);
        // Marked while it still counts as running: whoever finds that nothing runs may end the process. The index may be
        // waiting for the disk.
        self.shared.listeners.disk.wait_for(|| self.mark_ended(&view, head)).await;
        self.shared.hands.dreamer().task_ended(&view);
        let mut state = self.state();
        state.running.remove(&task_id);
        state.ended.insert(task_id, view);
        if state.ended.len() > MAX_REMEMBERED {
            state.ended.pop_first();
        }
        drop(state);
        self.shared.hands.memory().task_ended();
    }

    /// An actor, and the way to it.
    pub(super) fn actor(&self, standing: Standing) -> (Actor, Handle) {
        let window = standing.window.clone();
        let (inbox, receiver) = mpsc::channel(INBOX);
        let (listeners, hands) = (self.shared.listeners.clone(), self.shared.hands.clone());
        let actor = Actor::new(standing, listeners, hands, receiver, self.shared.leave_off.subscribe());
        (actor, Handle::new(inbox, window))
    }

    /// Continues a task as its journal left it, with the receipts that it has.
    pub(super) fn adopt(&self, task_id: TaskId, standing: Standing, receipts: &[Receipt], first: TaskInput) {
        let (actor, handle) = self.actor(standing);
        actor.remember(receipts);
        // The inbox is empty and takes its first input.
        let _ = handle.inbox.try_send(first);
        self.state().running.insert(task_id, handle);
        self.spawn(task_id, actor, Vec::new());
    }

    /// The task as it stands.
    ///
    /// # Errors
    /// When there is no such task, or its journal cannot be read to its end: then with what is left of it.
    pub fn get(&self, task_id: TaskId) -> Result<TaskView, SubmitError> {
        {
            let state = self.state();
            if let Some(handle) = state.running.get(&task_id) {
                return Ok(handle.window.look());
            }
            if let Some(view) = state.ended.get(&task_id) {
                return Ok(view.clone());
            }
        }
        self.read_view(self.shared.index.get(task_id).ok_or(SubmitError::Unknown(task_id))?)
    }

    /// Ids of tasks, newest first, after `after` (exclusive).
    pub fn list(&self, after: Option<TaskId>) -> Vec<TaskId> {
        self.shared.index.read(|tasks| {
            let all = tasks.iter().rev().map(|t| t.accepted.task_id);
            match after {
                Some(after) => all.skip_while(|id| *id != after).skip(1).collect(),
                None => all.collect(),
            }
        })
    }

    /// The events of a task after a sequence.
    ///
    /// # Errors
    /// When there is no such task, or the sequence is beyond it.
    pub fn events(&self, task_id: TaskId, after: u64, follow: bool) -> Result<TaskStream, StreamOrUnknown> {
        let latest = self.last_readable(task_id).map_err(StreamOrUnknown::Unknown)?;
        if after > latest {
            return Err(StreamOrUnknown::Stream(StreamError::Beyond { asked: after, latest }));
        }
        let published = self.state().running.get(&task_id).map(|h| h.window.published.subscribe());
        let path = task_path(&self.shared.config.journals, task_id);
        TaskStream::open(&path, after, follow, published).map_err(StreamOrUnknown::Stream)
    }

    /// Whether the task is at work.
    pub fn is_running(&self, task_id: TaskId) -> bool {
        self.state().running.contains_key(&task_id)
    }

    /// How many tasks run, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.state().running.len(), self.shared.index.read(<[_]>::len))
    }

    /// Accepts nothing any more, lets running tasks end within `grace`, then has the rest leave off. The next start goes
    /// on with them.
    pub async fn shut_down(&self, grace: Duration) {
        self.close().await;
        let deadline = tokio::time::Instant::now() + grace;
        self.wait_until_idle(deadline).await;
        self.shared.leave_off.send_replace(true);
        self.wait_until_idle(tokio::time::Instant::now() + Duration::from_secs(4)).await;
        self.shared.hands.memory().drain().await;
    }

    async fn wait_until_idle(&self, deadline: tokio::time::Instant) {
        while !self.state().running.is_empty() && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why events cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum StreamOrUnknown {
    /// There is no such task, or it cannot be read.
    #[error(transparent)]
    Unknown(SubmitError),
    /// The stream cannot start there.
    #[error(transparent)]
    Stream(StreamError),
}
