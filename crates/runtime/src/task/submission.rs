//! Accepting requests: the same key is the same task, and what was accepted is on the disk. Requests that come together
//! are made durable together, because a disk takes a batch in hardly more time than one. Whichever caller has the turn takes
//! the next batch through the same steps: check, write the first step of each task, sync the journals, enter the tasks in the
//! index, start them. A request that fails a step is answered there and leaves nothing behind.

use artoo_journal::{JournalError, TaskJournal, sync_new};
use artoo_task::TaskMachine;
use artoo_task::view::TaskView;
use artoo_types::envelope::Role;
use artoo_types::machine::{StepOutput, TaskInput};
use artoo_types::memory::MegramWrite;
use artoo_types::redaction::InputRedactor;
use artoo_types::task::TaskSubmitted;
use artoo_types::{Message, TaskId};

use super::actor::{Actor, StartingTask};
use super::admission::{check, entry, request_hash};
use super::error::TaskError;
use super::published::PublishedTask;
use super::queue::{Accepted, Reply, WaitingRequest};
use super::registry::{TaskHandle, Tasks};
use super::task_setting;
use crate::clock::TaskClock;
use crate::health::Concern;
use crate::memory::declared;

/// Tasks that may run at once. Each waits mostly; the bound keeps memory and journals finite.
const MAX_RUNNING: usize = 256;

/// A task whose first step is written. Nobody knows of it before it is in the index.
struct PreparedTask {
    entry: artoo_journal::AcceptRecord,
    actor: Actor,
    handle: TaskHandle,
    first: StepOutput,
    reply: Reply,
}

impl Tasks {
    /// Accepts a request; an empty or relative working directory is an error. When this returns, the task is on the disk
    /// and at work. A caller that gives up before has either not been accepted, or finds its task again by the request's
    /// id.
    ///
    /// # Errors
    /// See [`TaskError`]. A refused request leaves nothing behind.
    pub async fn submit(&self, mut submitted: TaskSubmitted) -> Result<Accepted, TaskError> {
        // Before anything looks at it: index, hash and refusals must not tell a secret that is pasted into a request.
        InputRedactor(self.inner.services.redactor()).submitted(&mut submitted);
        check(&submitted)?;
        let request_hash = request_hash(&submitted);
        if let Some(task_id) = self.known(&submitted.request_id, &request_hash)? {
            return Ok(Accepted { task_id, already_known: true });
        }
        let queue = &self.inner.queue;
        let mut replied = queue.push(submitted, request_hash);
        loop {
            tokio::select! {
                biased;
                outcome = &mut replied => return outcome.expect("whoever takes a request into a batch answers it"),
                _turn = queue.turn.lock() => {
                    self.inner.listeners.disk.wait_for(|| self.accept_batch()).await;
                }
            }
        }
    }

    /// Accepts nothing new from here on, and returns when nobody is being accepted any more.
    pub(super) async fn close(&self) {
        self.live().closed = true;
        drop(self.inner.queue.turn.lock().await);
    }

    /// The task that the same key and content belong to.
    fn known(&self, request_id: &str, request_hash: &str) -> Result<Option<TaskId>, TaskError> {
        match self.inner.archive.index.find(request_id) {
            Some(task) if task.accepted.request_hash == request_hash => Ok(Some(task.accepted.task_id)),
            Some(_) => Err(TaskError::KeyReused(request_id.to_owned())),
            None => Ok(None),
        }
    }

    /// Takes the next requests that wait and answers each of them.
    fn accept_batch(&self) {
        let mut batch = Vec::new();
        for WaitingRequest { submitted, request_hash, reply } in self.inner.queue.next_batch() {
            match self.admit(&submitted.request_id, &request_hash, batch.len()) {
                Ok(Some(task_id)) => reply.send(Ok(Accepted { task_id, already_known: true })),
                Ok(None) => batch.extend(self.write_first_step(submitted, request_hash, reply)),
                Err(error) => reply.send(Err(error)),
            }
        }
        let batch = self.sync_journals(batch);
        for prepared in self.enter_in_index(batch) {
            self.start(prepared);
        }
    }

    /// As [`Self::known`], and an error when there is no room for a new task beside `others`.
    fn admit(
        &self,
        request_id: &str,
        request_hash: &str,
        others: usize,
    ) -> Result<Option<TaskId>, TaskError> {
        if let Some(task_id) = self.known(request_id, request_hash)? {
            return Ok(Some(task_id));
        }
        {
            let live = self.live();
            if live.closed {
                return Err(TaskError::ShuttingDown);
            }
            if live.running.len() + others >= MAX_RUNNING {
                return Err(TaskError::Busy(MAX_RUNNING));
            }
        }
        match self.inner.listeners.health.shortage() {
            Some(shortage) => Err(TaskError::NoRoom(shortage)),
            None => Ok(None),
        }
    }

    /// Makes the task and writes its first step. None when that failed: then the caller was told.
    fn write_first_step(
        &self,
        submitted: TaskSubmitted,
        request_hash: String,
        reply: Reply,
    ) -> Option<PreparedTask> {
        let (task_id, clock) = (TaskId(uuid::Uuid::now_v7()), TaskClock::start());
        let now = clock.now();
        let entry = entry(task_id, now, &submitted, request_hash);
        let session = self.live().sessions.of(&submitted.session_id);
        let (config, services) = (&self.inner.config, &self.inner.services);
        let tools = services.toolbox().specs(&submitted.working_directory);
        let setting = Box::new(task_setting::setting(config, services.models(), tools, &submitted, session));
        let journal = match TaskJournal::create_unsynced(&config.journals, task_id, self.inner.crash.clone())
        {
            Ok(journal) => journal,
            Err(error) => {
                reply.send(Err(error.into()));
                return None;
            }
        };
        let (machine, published) = (TaskMachine::new(task_id), PublishedTask::new(TaskView::new(task_id)));
        let (mut actor, handle) = self.actor(StartingTask { machine, journal, published, clock });
        match actor.begin(now, TaskInput::Submitted { submitted, setting }) {
            Ok(first) => Some(PreparedTask { entry, actor, handle, first, reply }),
            Err(error) => {
                self.remove_journal(task_id);
                reply.send(Err(error.into()));
                None
            }
        }
    }

    /// Syncs the journals, and returns those tasks whose journal is on the disk.
    fn sync_journals(&self, mut batch: Vec<PreparedTask>) -> Vec<PreparedTask> {
        if batch.is_empty() || !self.inner.listeners.disk.syncs() {
            return batch;
        }
        let journals = batch.iter_mut().map(|prepared| prepared.actor.journal()).collect();
        let synced = sync_new(&self.inner.config.journals, journals);
        self.keep_done(batch, synced)
    }

    /// Enters the tasks in the index, which makes them accepted, and returns those that are in it.
    fn enter_in_index(&self, batch: Vec<PreparedTask>) -> Vec<PreparedTask> {
        if batch.is_empty() {
            return batch;
        }
        let entries = batch.iter().map(|prepared| prepared.entry.clone()).collect();
        let entered = self.inner.archive.index.accept(entries, self.inner.listeners.disk.syncs());
        // A full disk passes. If it has closed the index, the next request is told so, and that is raised.
        let closed = match &entered {
            Ok(each) => each
                .iter()
                .filter_map(|entered| entered.as_ref().err())
                .find(|error| matches!(error, JournalError::Poisoned { .. })),
            Err(error) => Some(error).filter(|error| !matches!(error, JournalError::Full { .. })),
        };
        if let Some(error) = closed {
            let what = format!("no new task can be accepted: {error}");
            self.inner.listeners.health.raise(Concern::Index, what);
        }
        self.keep_done(batch, entered)
    }

    /// The tasks for which a step succeeded; the callers of the others are told, and nothing of their requests stays.
    fn keep_done(
        &self,
        batch: Vec<PreparedTask>,
        outcome: Result<Vec<Result<(), JournalError>>, JournalError>,
    ) -> Vec<PreparedTask> {
        let each: Vec<Result<(), TaskError>> = match outcome {
            Ok(each) => each.into_iter().map(|one| one.map_err(TaskError::from)).collect(),
            Err(error) => vec![Err(TaskError::from(error)); batch.len()],
        };
        let keep = |(prepared, outcome): (PreparedTask, Result<(), TaskError>)| match outcome {
            Ok(()) => Some(prepared),
            Err(error) => {
                self.remove_journal(prepared.entry.task_id);
                prepared.reply.send(Err(error));
                None
            }
        };
        batch.into_iter().zip(each).filter_map(keep).collect()
    }

    fn start(&self, prepared: PreparedTask) {
        let PreparedTask { entry, actor, handle, mut first, reply } = prepared;
        let task_id = entry.task_id;
        self.live().running.insert(task_id, handle);
        // Before the task asks the memory, so that what its request declares holds for it already.
        self.note_declaration(task_id, &first);
        actor.publish(std::mem::take(&mut first.envelopes));
        self.spawn(task_id, actor, first.effects);
        reply.send(Ok(Accepted { task_id, already_known: false }));
    }

    /// What the request declares is remembered at once, in the person's own words: it is on the disk with the request, from
    /// where the next start brings it in should the memory not get to it.
    fn note_declaration(&self, task_id: TaskId, first: &StepOutput) {
        let said = first.envelopes.iter().find_map(|envelope| {
            let Message::TaskSubmitted(submitted) = &envelope.payload else { return None };
            declared(task_id, envelope.time, &submitted.input)
        });
        let Some(megram) = said else { return };
        let write = MegramWrite { megram: megram.clone() };
        if let Err(error) = self.inner.listeners.system.publish(Role::Operator, Role::Memory, write.into()) {
            tracing::warn!(%task_id, %error, "a declaration is remembered and the auditor was not told");
        }
        self.inner.services.memory().remember(megram);
    }

    fn remove_journal(&self, task_id: TaskId) {
        let path = self.inner.archive.journal(task_id);
        if let Err(error) = std::fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "the journal of a refused request stays");
        }
    }
}

#[cfg(test)]
mod tests;
