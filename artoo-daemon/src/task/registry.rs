//! All tasks: accepting, finding, listing, answering, cancelling.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use artoo_journal::{AcceptIndex, CrashPoint, Ended, TaskJournal, task_path};
use artoo_task::TaskMachine;
use artoo_task::view::TaskView;
use artoo_types::machine::TaskInput;
use artoo_types::setting::ControlParams;
use artoo_types::task::{StopCause, TaskSubmitted};
use artoo_types::text::first_chars;
use artoo_types::{ConfirmationId, TaskId, Timestamp};
use tokio::sync::mpsc;

use super::actor::{Actor, INBOX, Listeners, Window};
use super::admission::{check, request_hash};
use super::effects::Hands;
use super::error::SubmitError;
use super::session::Sessions;
use super::stream::{StreamError, TaskStream};
use super::surroundings;
use crate::clock::TaskClock;

/// Tasks that may run at once. Each waits mostly; the bound keeps memory and journals finite.
const MAX_RUNNING: usize = 256;
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

/// A request as it arrives.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The request; an empty or relative working directory is an error.
    pub submitted: TaskSubmitted,
}

/// An accepted request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// The task.
    pub task_id: TaskId,
    /// The same request had been accepted before.
    pub already_known: bool,
}

/// Every task of the daemon. Cheap to clone.
#[derive(Clone)]
pub struct Tasks {
    shared: Arc<Shared>,
}

struct Shared {
    config: TasksConfig,
    hands: Hands,
    listeners: Listeners,
    crash: CrashPoint,
    state: Mutex<State>,
    /// Held while a request is made durable, so that the same key cannot be accepted twice.
    accepting: tokio::sync::Mutex<()>,
}

struct State {
    index: AcceptIndex,
    running: BTreeMap<TaskId, Handle>,
    ended: BTreeMap<TaskId, TaskView>,
    sessions: Sessions,
    closed: bool,
}

#[derive(Clone)]
struct Handle {
    inbox: mpsc::Sender<TaskInput>,
    window: Window,
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
            index,
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
                state: Mutex::new(state),
                accepting: tokio::sync::Mutex::new(()),
            }),
        }
    }

    /// Accepts a request. When this returns, the task is on the disk and at work.
    ///
    /// # Errors
    /// See [`SubmitError`]. A refused request leaves nothing behind.
    pub async fn submit(&self, submission: Submission) -> Result<Accepted, SubmitError> {
        let mut submitted = submission.submitted;
        check(&submitted)?;
        // A configured key that somebody pastes into a request is not kept either.
        submitted.input = self.shared.hands.models().scrub(&submitted.input);
        let request_hash = request_hash(&submitted);
        let _one_at_a_time = self.shared.accepting.lock().await;
        if let Some(known) = self.known(&submitted, &request_hash)? {
            return Ok(Accepted { task_id: known, already_known: true });
        }
        let task_id = TaskId(uuid::Uuid::now_v7());
        // Making the task durable waits for the disk; other tasks go on meanwhile.
        tokio::task::block_in_place(|| self.begin(task_id, submitted, request_hash))?;
        Ok(Accepted { task_id, already_known: false })
    }

    /// The task that the same key and content belong to.
    fn known(&self, submitted: &TaskSubmitted, request_hash: &str) -> Result<Option<TaskId>, SubmitError> {
        let state = self.state();
        if let Some(task) = state.index.find(&submitted.request_id) {
            if task.accepted.request_hash == request_hash {
                return Ok(Some(task.accepted.task_id));
            }
            return Err(SubmitError::KeyReused(submitted.request_id.clone()));
        }
        if state.closed {
            return Err(SubmitError::ShuttingDown);
        }
        if state.running.len() >= MAX_RUNNING {
            return Err(SubmitError::Busy(MAX_RUNNING));
        }
        if let Some(shortage) = self.shared.listeners.health.shortage() {
            return Err(SubmitError::NoRoom(shortage));
        }
        Ok(None)
    }

    fn begin(
        &self,
        task_id: TaskId,
        submitted: TaskSubmitted,
        request_hash: String,
    ) -> Result<(), SubmitError> {
        let clock = TaskClock::start();
        let now = clock.now();
        let accepted = artoo_journal::Accepted {
            task_id,
            request_id: submitted.request_id.clone(),
            request_hash,
            session_id: submitted.session_id.clone(),
            accepted_at: now,
            title: first_chars(&submitted.input, 80),
        };
        let session = self.state().sessions.of(&submitted.session_id);
        let models = self.shared.hands.models();
        let setting = Box::new(surroundings::setting(&self.shared.config, models, &submitted, session));
        let (folder, crash) = (&self.shared.config.journals, self.shared.crash.clone());
        let sync = self.shared.listeners.sync;
        let create = if sync { TaskJournal::create } else { TaskJournal::create_unsynced };
        let journal = create(folder, task_id, crash)?;
        let window = Window::new(task_id);
        let (inbox, receiver) = mpsc::channel(INBOX);
        let listeners = self.shared.listeners.clone();
        let machine = TaskMachine::new(task_id);
        let mut actor = Actor::new(
            machine,
            journal,
            window.clone(),
            listeners,
            self.shared.hands.clone(),
            receiver,
            clock,
        );
        let first = actor.accept(now, &TaskInput::Submitted { submitted, setting })?;
        let mut state = self.state();
        let added = if sync { state.index.add(accepted) } else { state.index.add_unsynced(accepted) };
        if let Err(error) = added {
            // A refused request leaves nothing behind.
            drop(std::fs::remove_file(task_path(&self.shared.config.journals, task_id)));
            return Err(error.into());
        }
        state.running.insert(task_id, Handle { inbox, window });
        drop(state);
        actor.publish(&first);
        self.spawn(task_id, actor, first.effects);
        Ok(())
    }

    /// Runs the actor in the background and takes its end in.
    pub(super) fn spawn(&self, task_id: TaskId, actor: Actor, first: Vec<artoo_types::machine::TaskEffect>) {
        let tasks = self.clone();
        tokio::spawn(async move {
            actor.run(first).await;
            tasks.ended(task_id);
        });
    }

    fn ended(&self, task_id: TaskId) {
        let mut state = self.state();
        let Some(handle) = state.running.remove(&task_id) else { return };
        let view = handle.window.look();
        if let (Some(result), Some(at)) = (&view.result, view.ended_at) {
            let mark = Ended { task_id, at, directive: result.directive, reason: result.reason };
            if let Err(error) = state.index.ended(mark) {
                // The journal has the end; the mark only saves opening it.
                tracing::warn!(%error, "the end of a task is not in the index");
            }
            state.sessions.ended(&view);
        }
        state.ended.insert(task_id, view);
        if state.ended.len() > MAX_REMEMBERED {
            state.ended.pop_first();
        }
        drop(state);
        self.shared.hands.memory().task_ended();
    }

    /// Continues a task whose machine was folded from its journal. `last` is the time of its last record.
    pub(super) fn adopt(
        &self,
        machine: TaskMachine,
        journal: TaskJournal,
        view: TaskView,
        last: Timestamp,
        first: TaskInput,
    ) {
        let task_id = view.task_id;
        let window = Window { view: Arc::new(Mutex::new(view)), ..Window::new(task_id) };
        let (inbox, receiver) = mpsc::channel(INBOX);
        let listeners = self.shared.listeners.clone();
        let clock = TaskClock::after(last);
        let actor = Actor::new(
            machine,
            journal,
            window.clone(),
            listeners,
            self.shared.hands.clone(),
            receiver,
            clock,
        );
        // The inbox is empty and takes its first input.
        let _ = inbox.try_send(first);
        self.state().running.insert(task_id, Handle { inbox, window });
        self.spawn(task_id, actor, Vec::new());
    }

    /// The task as it stands.
    ///
    /// # Errors
    /// When there is no such task, or its journal cannot be read.
    pub fn get(&self, task_id: TaskId) -> Result<TaskView, SubmitError> {
        {
            let state = self.state();
            if let Some(handle) = state.running.get(&task_id) {
                return Ok(handle.window.look());
            }
            if let Some(view) = state.ended.get(&task_id) {
                return Ok(view.clone());
            }
            state.index.get(task_id).ok_or(SubmitError::Unknown(task_id))?;
        }
        self.read_view(task_id)
    }

    fn read_view(&self, task_id: TaskId) -> Result<TaskView, SubmitError> {
        let mut view = TaskView::new(task_id);
        let mut reader = artoo_journal::read(&task_path(&self.shared.config.journals, task_id), 0)?;
        while let Some(record) = reader.next_record()? {
            record.envelopes.iter().for_each(|e| view.observe(e));
        }
        Ok(view)
    }

    /// Ids of tasks, newest first, after `after` (exclusive).
    pub fn list(&self, after: Option<TaskId>) -> Vec<TaskId> {
        let state = self.state();
        let all = state.index.tasks().rev().map(|t| t.accepted.task_id);
        match after {
            Some(after) => all.skip_while(|id| *id != after).skip(1).collect(),
            None => all.collect(),
        }
    }

    /// The events of a task after a sequence.
    ///
    /// # Errors
    /// When there is no such task, or the sequence is beyond it.
    pub fn events(&self, task_id: TaskId, after: u64, follow: bool) -> Result<TaskStream, StreamOrUnknown> {
        let view = self.get(task_id).map_err(StreamOrUnknown::Unknown)?;
        if after > view.latest_sequence {
            let latest = view.latest_sequence;
            return Err(StreamOrUnknown::Stream(StreamError::Beyond { asked: after, latest }));
        }
        let appended = self.state().running.get(&task_id).map(|h| h.window.appended.subscribe());
        let path = task_path(&self.shared.config.journals, task_id);
        TaskStream::open(&path, after, follow, appended).map_err(StreamOrUnknown::Stream)
    }

    /// Stops a task. Stopping an ended one changes nothing. Returns when the stop is under way.
    ///
    /// # Errors
    /// When there is no such task.
    pub async fn cancel(&self, task_id: TaskId) -> Result<TaskView, SubmitError> {
        let detail = "cancelled by you".to_owned();
        self.send(task_id, TaskInput::Stop { cause: StopCause::Cancelled, detail }).await?;
        self.get(task_id)
    }

    /// Answers an open confirmation, wherever it is open.
    ///
    /// # Errors
    /// [`SubmitError::NotWaiting`] when no task waits for it: it was answered, it expired, or the daemon restarted.
    pub async fn confirm(
        &self,
        confirmation_id: ConfirmationId,
        approved: bool,
        remember_for_task: bool,
    ) -> Result<TaskView, SubmitError> {
        let waiting = {
            let state = self.state();
            let open = |h: &Handle| {
                h.window.look().confirmations.iter().any(|c| c.confirmation_id == confirmation_id)
            };
            state.running.iter().find(|(_, h)| open(h)).map(|(id, _)| *id)
        };
        let task_id = waiting.ok_or_else(|| {
            SubmitError::NotWaiting(format!(
                "no task waits for the confirmation {confirmation_id}; it was answered before, it expired, or the daemon restarted"
            ))
        })?;
        self.send(task_id, TaskInput::Confirmed { confirmation_id, approved, remember_for_task }).await?;
        self.get(task_id)
    }

    /// Answers a task's questions.
    ///
    /// # Errors
    /// [`SubmitError::NotWaiting`] when it asks none.
    pub async fn clarify(&self, task_id: TaskId, answer: String) -> Result<TaskView, SubmitError> {
        if self.get(task_id)?.questions.is_empty() {
            return Err(SubmitError::NotWaiting(format!("task {task_id} has no open question")));
        }
        self.send(task_id, TaskInput::Clarified { answer }).await?;
        self.get(task_id)
    }

    /// How many tasks run, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.state();
        (state.running.len(), state.index.tasks().len())
    }

    /// Accepts nothing any more, lets running tasks end within `grace`, then stops the rest as interrupted.
    pub async fn shut_down(&self, grace: Duration) {
        self.state().closed = true;
        let deadline = tokio::time::Instant::now() + grace;
        self.wait_until_idle(deadline).await;
        let rest: Vec<Handle> = self.state().running.values().cloned().collect();
        for handle in rest {
            let detail = "the daemon was shut down".to_owned();
            let _ = handle.inbox.try_send(TaskInput::Stop { cause: StopCause::Interrupted, detail });
        }
        self.wait_until_idle(tokio::time::Instant::now() + Duration::from_secs(4)).await;
        self.shared.hands.memory().drain().await;
    }

    async fn wait_until_idle(&self, deadline: tokio::time::Instant) {
        while !self.state().running.is_empty() && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn send(&self, task_id: TaskId, input: TaskInput) -> Result<(), SubmitError> {
        let inbox = {
            let state = self.state();
            state.index.get(task_id).ok_or(SubmitError::Unknown(task_id))?;
            state.running.get(&task_id).map(|h| h.inbox.clone())
        };
        if let Some(inbox) = inbox {
            // A closed inbox means that the task has just ended.
            let _ = inbox.send(input).await;
        }
        Ok(())
    }

    /// What restarting needs.
    pub(super) fn parts(&self) -> (&TasksConfig, &Hands, CrashPoint) {
        (&self.shared.config, &self.shared.hands, self.shared.crash.clone())
    }

    /// Tasks that are not known to have ended.
    pub(super) fn unfinished(&self) -> Vec<TaskId> {
        self.state().index.unfinished().map(|t| t.accepted.task_id).collect()
    }

    /// Marks a task as ended that the index did not know to be.
    pub(super) fn mark_ended(&self, view: &TaskView) {
        if let (Some(result), Some(at)) = (&view.result, view.ended_at) {
            let mark =
                Ended { task_id: view.task_id, at, directive: result.directive, reason: result.reason };
            let mut state = self.state();
            if let Err(error) = state.index.ended(mark) {
                tracing::warn!(%error, "the end of a task is not in the index");
            }
        }
    }

    /// Takes the pairs of an ended task into its session, at the start.
    pub(super) fn remember_session(&self, view: &TaskView) {
        self.state().sessions.ended(view);
    }

    /// The last `most` tasks, and further ones that ended within `within_ms` of the last end.
    pub(super) fn latest(&self, most: usize, within_ms: u64) -> Vec<TaskId> {
        let state = self.state();
        let last = state.index.tasks().filter_map(|t| t.ended.map(|e| e.at)).max();
        let is_late = |at: Timestamp| last.is_some_and(|last| last.since_ms(at) <= within_ms);
        let all = state.index.tasks().rev().enumerate();
        all.filter(|(i, t)| *i < most || t.ended.is_some_and(|e| is_late(e.at)))
            .map(|(_, t)| t.accepted.task_id)
            .collect()
    }

    /// The last tasks of sessions, oldest first: what a restart reads to know the sessions again.
    pub(super) fn session_tasks(&self, most: usize) -> Vec<TaskId> {
        let state = self.state();
        let mut ids: Vec<TaskId> = state
            .index
            .tasks()
            .rev()
            .filter(|t| !t.accepted.session_id.is_empty() && t.ended.is_some())
            .take(most)
            .map(|t| t.accepted.task_id)
            .collect();
        ids.reverse();
        ids
    }

    fn state(&self) -> MutexGuard<'_, State> {
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
