//! Accepting requests: the same key is the same task, and what was accepted is on the disk. Requests that come together
//! are made durable together, because a disk takes a group in hardly more time than one.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use artoo_journal::{JournalError, TaskJournal, sync_new, task_path};
use artoo_task::TaskMachine;
use artoo_task::view::TaskView;
use artoo_types::envelope::Role;
use artoo_types::machine::{StepOutput, TaskInput};
use artoo_types::memory::MegramWrite;
use artoo_types::redaction::InputRedactor;
use artoo_types::task::TaskSubmitted;
use artoo_types::{Message, TaskId};
use tokio::sync::oneshot;

use super::actor::{Actor, Standing, Window};
use super::admission::{check, entry, request_hash};
use super::error::SubmitError;
use super::registry::{Handle, Tasks};
use super::task_setting;
use crate::clock::TaskClock;
use crate::health::Concern;
use crate::memory::declared;

/// Tasks that may run at once. Each waits mostly; the bound keeps memory and journals finite.
const MAX_RUNNING: usize = 256;
/// Requests that are made durable together. The first of a group waits for the last; with more, tasks that could run
/// already would wait for longer than a sync takes.
const MAX_GROUP: usize = 32;

/// An accepted request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// The task.
    pub task_id: TaskId,
    /// The same request had been accepted before.
    pub already_known: bool,
}

/// Requests that wait to be made durable, and the turn to do that. Whoever has the turn takes the others' requests along;
/// the server bounds how many can wait by the calls that it lets in.
#[derive(Default)]
pub(super) struct Accepting {
    waiting: Mutex<VecDeque<Request>>,
    turn: tokio::sync::Mutex<()>,
}

struct Request {
    submitted: TaskSubmitted,
    request_hash: String,
    answer: Answer,
}

type Answer = oneshot::Sender<Result<Accepted, SubmitError>>;

/// A task whose first step is written and not synced yet. Nobody knows of it.
struct Prepared {
    entry: artoo_journal::Accepted,
    actor: Actor,
    handle: Handle,
    first: StepOutput,
}

impl Tasks {
    /// Accepts a request; an empty or relative working directory is an error. When this returns, the task is on the disk
    /// and at work. A caller that gives up before has either not been accepted, or finds its task again by the request's
    /// id.
    ///
    /// # Errors
    /// See [`SubmitError`]. A refused request leaves nothing behind.
    pub async fn submit(&self, mut submitted: TaskSubmitted) -> Result<Accepted, SubmitError> {
        // Before anything looks at it: index, hash and refusals must not tell a secret that is pasted into a request.
        InputRedactor(self.shared.hands.redactor()).submitted(&mut submitted);
        check(&submitted)?;
        let request_hash = request_hash(&submitted);
        if let Some(task_id) = self.known(&submitted.request_id, &request_hash)? {
            return Ok(Accepted { task_id, already_known: true });
        }
        let (answer, mut answered) = oneshot::channel();
        self.shared.accepting.waiting().push_back(Request { submitted, request_hash, answer });
        loop {
            tokio::select! {
                biased;
                outcome = &mut answered => return outcome.expect("whoever takes a request along answers it"),
                _turn = self.shared.accepting.turn.lock() => {
                    self.shared.listeners.disk.wait_for(|| self.accept_group()).await;
                }
            }
        }
    }

    /// Accepts nothing new from here on, and returns when nobody is being accepted any more.
    pub(super) async fn close(&self) {
        self.state().closed = true;
        drop(self.shared.accepting.turn.lock().await);
    }

    /// The task that the same key and content belong to.
    fn known(&self, request_id: &str, request_hash: &str) -> Result<Option<TaskId>, SubmitError> {
        match self.shared.index.find(request_id) {
            Some(task) if task.accepted.request_hash == request_hash => Ok(Some(task.accepted.task_id)),
            Some(_) => Err(SubmitError::KeyReused(request_id.to_owned())),
            None => Ok(None),
        }
    }

    /// Takes requests that wait and answers each of them.
    fn accept_group(&self) {
        let mut group = Vec::new();
        for Request { submitted, request_hash, answer } in self.shared.accepting.take_group() {
            match self.judge(&submitted.request_id, &request_hash, group.len()) {
                Ok(Some(task_id)) => tell(answer, Ok(Accepted { task_id, already_known: true })),
                Ok(None) => match self.prepare(submitted, request_hash) {
                    Ok(prepared) => group.push((prepared, answer)),
                    Err(error) => tell(answer, Err(error.into())),
                },
                Err(error) => tell(answer, Err(error)),
            }
        }
        let group = self.sync(group);
        self.note_down(group);
    }

    /// As [`Self::known`], and an error when there is no room for a new task beside `others`.
    fn judge(
        &self,
        request_id: &str,
        request_hash: &str,
        others: usize,
    ) -> Result<Option<TaskId>, SubmitError> {
        if let Some(task_id) = self.known(request_id, request_hash)? {
            return Ok(Some(task_id));
        }
        {
            let state = self.state();
            if state.closed {
                return Err(SubmitError::ShuttingDown);
            }
            if state.running.len() + others >= MAX_RUNNING {
                return Err(SubmitError::Busy(MAX_RUNNING));
            }
        }
        match self.shared.listeners.health.shortage() {
            Some(shortage) => Err(SubmitError::NoRoom(shortage)),
            None => Ok(None),
        }
    }

    /// Makes the task and writes its first step.
    fn prepare(&self, submitted: TaskSubmitted, request_hash: String) -> Result<Prepared, JournalError> {
        let (task_id, clock) = (TaskId(uuid::Uuid::now_v7()), TaskClock::start());
        let now = clock.now();
        let entry = entry(task_id, now, &submitted, request_hash);
        let session = self.state().sessions.of(&submitted.session_id);
        let (config, hands) = (&self.shared.config, &self.shared.hands);
        let tools = hands.toolbox().specs();
        let setting = Box::new(task_setting::setting(config, hands.models(), tools, &submitted, session));
        let journal = TaskJournal::create_unsynced(&config.journals, task_id, self.shared.crash.clone())?;
        let (machine, window) = (TaskMachine::new(task_id), Window::new(TaskView::new(task_id)));
        let (mut actor, handle) = self.actor(Standing { machine, journal, window, clock });
        match actor.begin(now, TaskInput::Submitted { submitted, setting }) {
            Ok(first) => Ok(Prepared { entry, actor, handle, first }),
            Err(error) => {
                self.remove_journal(task_id);
                Err(error)
            }
        }
    }

    /// Syncs the journals, and returns those tasks whose journal is on the disk.
    fn sync(&self, mut group: Vec<(Prepared, Answer)>) -> Vec<(Prepared, Answer)> {
        if group.is_empty() || !self.shared.listeners.disk.syncs() {
            return group;
        }
        let journals = group.iter_mut().map(|(prepared, _)| prepared.actor.journal()).collect();
        match sync_new(&self.shared.config.journals, journals) {
            Ok(results) => {
                let kept =
                    group.into_iter().zip(results).filter_map(|((prepared, answer), synced)| match synced {
                        Ok(()) => Some((prepared, answer)),
                        Err(error) => {
                            self.refuse(&prepared, answer, error.into());
                            None
                        }
                    });
                kept.collect()
            }
            Err(error) => {
                self.refuse_all(group, error);
                Vec::new()
            }
        }
    }

    /// Notes the tasks down in the index, which makes them accepted, and starts them.
    fn note_down(&self, group: Vec<(Prepared, Answer)>) {
        if group.is_empty() {
            return;
        }
        let entries = group.iter().map(|(prepared, _)| prepared.entry.clone()).collect();
        match self.shared.index.accept(entries, self.shared.listeners.disk.syncs()) {
            Ok(results) => {
                for ((prepared, answer), noted) in group.into_iter().zip(results) {
                    match noted {
                        Ok(()) => self.start(prepared, answer),
                        Err(error) => {
                            if matches!(error, JournalError::Poisoned { .. }) {
                                self.raise_closed(&error);
                            }
                            self.refuse(&prepared, answer, error.into());
                        }
                    }
                }
            }
            Err(error) => {
                // A full disk passes. If it has closed the index, the next request is told so, and that is raised.
                if !matches!(error, JournalError::Full { .. }) {
                    self.raise_closed(&error);
                }
                self.refuse_all(group, error);
            }
        }
    }

    /// The index takes nothing any more before a restart.
    fn raise_closed(&self, error: &JournalError) {
        let what = format!("no new task can be accepted: {error}");
        self.shared.listeners.health.raise(Concern::Index, what);
    }

    fn start(&self, prepared: Prepared, answer: Answer) {
        let Prepared { entry, actor, handle, first } = prepared;
        let task_id = entry.task_id;
        self.state().running.insert(task_id, handle);
        // Before the task asks the memory, so that what its request declares holds for it already.
        self.note_declaration(task_id, &first);
        actor.publish(&first);
        self.spawn(task_id, actor, first.effects);
        tell(answer, Ok(Accepted { task_id, already_known: false }));
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
        if let Err(error) = self.shared.listeners.system.publish(Role::Operator, Role::Memory, write.into()) {
            tracing::warn!(%task_id, %error, "a declaration is remembered and the auditor was not told");
        }
        self.shared.hands.memory().remember(megram);
    }

    fn refuse_all(&self, group: Vec<(Prepared, Answer)>, error: JournalError) {
        let error = SubmitError::from(error);
        group.into_iter().for_each(|(prepared, answer)| self.refuse(&prepared, answer, error.clone()));
    }

    /// A refused request leaves nothing behind.
    fn refuse(&self, prepared: &Prepared, answer: Answer, error: SubmitError) {
        self.remove_journal(prepared.entry.task_id);
        tell(answer, Err(error));
    }

    fn remove_journal(&self, task_id: TaskId) {
        let path = task_path(&self.shared.config.journals, task_id);
        if let Err(error) = std::fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "the journal of a refused request stays");
        }
    }
}

impl Accepting {
    /// The next requests, at most [`MAX_GROUP`], without those whose caller has given up. Of requests with the same id
    /// only the first is among them: what becomes of the others depends on it.
    fn take_group(&self) -> Vec<Request> {
        let mut waiting = self.waiting();
        let (mut group, mut later) = (Vec::new(), VecDeque::new());
        let mut ids = HashSet::new();
        while group.len() < MAX_GROUP
            && let Some(request) = waiting.pop_front()
        {
            let id = &request.submitted.request_id;
            if request.answer.is_closed() {
                continue;
            }
            if id.is_empty() || ids.insert(id.clone()) {
                group.push(request);
            } else {
                later.push_back(request);
            }
        }
        later.append(&mut waiting);
        *waiting = later;
        group
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Request>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that has given up meanwhile finds the task by its request's id.
fn tell(answer: Answer, outcome: Result<Accepted, SubmitError>) {
    let _ = answer.send(outcome);
}

#[cfg(test)]
mod tests;
