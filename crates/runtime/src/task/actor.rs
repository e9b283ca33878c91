//! One task's actor: receive, step, append to the journal, publish to the taps, start the effects.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use artoo_journal::line::LineHash;
use artoo_journal::{JournalError, TaskJournal};
use artoo_task::TaskMachine;
use artoo_task::journaled::journaled;
use artoo_tools::JudgedCall;
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::limits::STOP_MS;
use artoo_types::machine::{Intent, StepOutput, StepRecordRef, TaskEffect, TaskInput};
use artoo_types::redaction::InputRedactor;
use artoo_types::task::StopCause;
use artoo_types::tool::Approval;
use artoo_types::{Envelope, Timestamp};
use tokio::sync::{mpsc, watch};

use super::disk::Disk;
use super::effects::{EffectServices, RunningEffects};
use super::published::PublishedTask;
use crate::clock::TaskClock;
use crate::health::{Concern, Health};
use crate::live::LiveTaps;
use crate::system::SystemBus;

/// Inputs from people that may wait for one task. Answers and cancellations are few; completions do not pass here.
pub(super) const INBOX: usize = 64;

/// How long an append that found the disk full waits before it tries again.
const FULL_DISK_RETRY: Duration = Duration::from_secs(2);

/// Who hears of a task's steps.
#[derive(Clone)]
pub struct Listeners {
    /// The live stream of all tasks.
    pub live: Arc<LiveTaps>,
    /// Told that a task's journal has grown; the auditor reads it there.
    pub auditor: crate::auditor::AuditorBell,
    /// Told what goes wrong with the disk.
    pub health: Health,
    /// Where appends that the durability rules name are synced.
    pub disk: Disk,
    /// Told what a request declares.
    pub system: SystemBus,
}

/// A tool call that does more than reading, and waits until it is on record that it is about to run.
struct AnnouncedCall {
    judged: JudgedCall,
    approval: Option<Approval>,
    intent: Intent,
}

/// A task as it stands when its actor begins.
pub(super) struct StartingTask {
    pub(super) machine: TaskMachine,
    pub(super) journal: TaskJournal,
    pub(super) published: PublishedTask,
    pub(super) clock: TaskClock,
}

/// The actor of one task.
pub(super) struct Actor {
    machine: TaskMachine,
    journal: TaskJournal,
    published: PublishedTask,
    listeners: Listeners,
    running: RunningEffects,
    inbox: mpsc::Receiver<TaskInput>,
    /// What people said while a step waited for room on the disk; at most [`INBOX`].
    held: VecDeque<TaskInput>,
    /// What steps wanted while such inputs were open: it begins after them, unless one of them stops the task.
    deferred: Vec<TaskEffect>,
    /// AnnouncedCall calls that wait for the same inputs.
    announced: Vec<AnnouncedCall>,
    clock: TaskClock,
    /// Becomes true when the daemon goes down and the task must leave off; the next daemon goes on with it.
    leave_off: watch::Receiver<bool>,
    wakes: BTreeSet<Timestamp>,
    /// When the wait for children ends, once the task is stopping.
    stop_by: Option<tokio::time::Instant>,
}

impl Actor {
    pub(super) fn new(
        task: StartingTask,
        listeners: Listeners,
        services: EffectServices,
        inbox: mpsc::Receiver<TaskInput>,
        leave_off: watch::Receiver<bool>,
    ) -> Self {
        let StartingTask { machine, journal, published, clock } = task;
        let running = RunningEffects::new(services, published.task_id());
        Self {
            machine,
            journal,
            published,
            listeners,
            running,
            inbox,
            held: VecDeque::new(),
            deferred: Vec::new(),
            announced: Vec::new(),
            clock,
            leave_off,
            wakes: BTreeSet::new(),
            stop_by: None,
        }
    }

    /// The first step. It is written; whoever accepts the task syncs its journal and publishes.
    pub(super) fn begin(&mut self, now: Timestamp, submitted: TaskInput) -> Result<StepOutput, JournalError> {
        let (submitted, output) = self.step(now, submitted);
        self.append(now, &submitted, &output)?;
        Ok(output)
    }

    /// The one way into the machine: what it is given, and what the journal then holds, has no secret in it.
    fn step(&mut self, now: Timestamp, input: TaskInput) -> (TaskInput, StepOutput) {
        let input = InputRedactor(self.running.redactor()).input(input);
        let output = self.machine.step(now, input.clone());
        (input, output)
    }

    /// The task's journal.
    pub(super) fn journal(&mut self) -> &mut TaskJournal {
        &mut self.journal
    }

    /// Makes earlier receipts of the task known again.
    pub(super) fn remember<'a>(&self, receipts: impl IntoIterator<Item = &'a Receipt>) {
        receipts.into_iter().for_each(|receipt| self.running.remember(receipt));
    }

    /// Runs until the task has its FinalResult, or the daemon goes down. `first` is what the first step wanted. Returns
    /// the hash of the journal's last line.
    pub(super) async fn run(mut self, first: Vec<TaskEffect>) -> LineHash {
        if let Err(error) = self.work(first).await {
            // Without its journal a task cannot be shown, resumed or audited, so it must not act any more. The next
            // start of the daemon goes on with it, or ends it.
            self.give_up(&error);
        }
        self.running.stop();
        self.journal.head()
    }

    async fn work(&mut self, first: Vec<TaskEffect>) -> Result<(), JournalError> {
        self.start(first).await?;
        let mut leave_off = self.leave_off.clone();
        while !self.machine.is_finished() {
            self.start_deferred().await?;
            let input = tokio::select! {
                biased;
                // An error means that the daemon is being taken apart, which is the same.
                () = async { drop(leave_off.wait_for(|is| *is).await) } => return self.leave_off().await,
                input = self.next_input() => input,
            };
            let wanted = self.take(input).await?;
            self.start(wanted).await?;
        }
        Ok(())
    }

    /// Steps the machine with `input`, makes the step durable, publishes it, and returns what it wants. A full disk is
    /// waited out: nothing is started that is not on record, and the task goes on when there is room.
    async fn take(&mut self, input: TaskInput) -> Result<Vec<TaskEffect>, JournalError> {
        let now = self.clock.now();
        let (input, mut output) = self.step(now, input);
        let mut waited = false;
        while let Err(error) = self.append(now, &input, &output) {
            let can_wait = matches!(error, JournalError::Full { .. }) && !*self.leave_off.borrow();
            if !can_wait {
                return Err(error);
            }
            waited = true;
            self.listeners.health.found_full();
            if output.effects.contains(&TaskEffect::StopAll) {
                self.running.stop();
            }
            self.wait_for_room().await;
        }
        if waited {
            self.listeners.health.clear(&Concern::DiskFull);
            // A deadline may have passed meanwhile; it comes before anything that would begin now.
            self.held.push_back(TaskInput::Wake);
        }
        if self.machine.is_finished() {
            self.sync().await?;
        }
        self.publish(std::mem::take(&mut output.envelopes));
        Ok(output.effects)
    }

    /// The daemon goes down. What runs is stopped, and what still comes to its own end meanwhile is recorded; nothing new
    /// starts. To the next daemon this task is as after a crash, only tidier.
    async fn leave_off(&mut self) -> Result<(), JournalError> {
        self.running.stop();
        let deadline = tokio::time::Instant::now() + Duration::from_millis(STOP_MS);
        while !self.running.tools_gone() && !self.machine.is_finished() {
            let Ok(next) = tokio::time::timeout_at(deadline, self.running.next()).await else { break };
            let Ok(input) = next else { continue };
            let came_to_its_end = matches!(&input, TaskInput::ToolFinished { receipt, .. }
                if receipt.end == CallEnd::Ran);
            if came_to_its_end {
                self.take(input).await?;
            }
        }
        Ok(())
    }

    /// Waits before the next try. Calls that run go on; a word to stop reaches them at once, and its record follows when
    /// there is room. The end of the daemon ends the wait.
    async fn wait_for_room(&mut self) {
        let until = tokio::time::Instant::now() + FULL_DISK_RETRY;
        let mut leave_off = self.leave_off.clone();
        loop {
            tokio::select! {
                Some(input) = self.inbox.recv(), if self.held.len() < INBOX => {
                    if matches!(input, TaskInput::Stop { .. }) {
                        self.running.stop();
                    }
                    self.held.push_back(input);
                }
                () = async { drop(leave_off.wait_for(|is| *is).await) } => return,
                () = tokio::time::sleep_until(until) => return,
            }
        }
    }

    fn give_up(&self, error: &JournalError) {
        let task_id = self.published.task_id();
        let what = format!("task {task_id} stopped: {error}");
        self.listeners.health.raise(Concern::Journal(task_id), what);
    }

    fn append(&mut self, at: Timestamp, input: &TaskInput, output: &StepOutput) -> Result<(), JournalError> {
        let seq = self.journal.next_seq();
        let (envelopes, effects) = (output.envelopes.as_slice(), &journaled(&output.effects));
        self.journal.append(StepRecordRef { seq, at, input, envelopes, effects }).map(|_| ())
    }

    async fn sync(&mut self) -> Result<(), JournalError> {
        self.listeners.disk.sync(&mut self.journal).await
    }

    /// An envelope is visible once it is written.
    pub(super) fn publish(&self, envelopes: Vec<Envelope>) {
        if envelopes.is_empty() {
            return;
        }
        self.published.publish(&envelopes);
        self.listeners.live.publish(envelopes);
        self.listeners.auditor.ring(self.published.task_id());
    }

    /// Starts effects. A tool call that does more than reading runs after its intent is on the disk.
    async fn start(&mut self, effects: Vec<TaskEffect>) -> Result<(), JournalError> {
        let announced = self.start_what_may_be_repeated(effects);
        if announced.is_empty() {
            return Ok(());
        }
        for AnnouncedCall { judged, intent, .. } in &announced {
            let starting = TaskInput::ToolStarting { effect_id: judged.effect_id(), intent: intent.clone() };
            let wanted = self.take(starting).await?;
            debug_assert!(wanted.is_empty(), "an announcement asks for nothing");
        }
        self.sync().await?;
        self.announced.extend(announced);
        if self.held.is_empty() {
            self.start_announced();
        }
        Ok(())
    }

    fn start_announced(&mut self) {
        let announced = std::mem::take(&mut self.announced);
        announced.into_iter().for_each(|a| self.running.run_tool(a.judged, a.approval));
    }

    /// Starts what waited for inputs that had to come first.
    async fn start_deferred(&mut self) -> Result<(), JournalError> {
        if !self.held.is_empty() || self.stop_by.is_some() {
            return Ok(());
        }
        self.start_announced();
        let deferred = std::mem::take(&mut self.deferred);
        self.start(deferred).await
    }

    fn start_what_may_be_repeated(&mut self, effects: Vec<TaskEffect>) -> Vec<AnnouncedCall> {
        let mut announced = Vec::new();
        for effect in effects {
            match effect {
                TaskEffect::CallModel { .. }
                | TaskEffect::RunTool { .. }
                | TaskEffect::RecoverTool { .. }
                | TaskEffect::RunChecks { .. }
                | TaskEffect::QueryMemory { .. }
                | TaskEffect::LookAround { .. }
                    if !self.held.is_empty() =>
                {
                    self.deferred.push(effect);
                }
                TaskEffect::CallModel { effect_id, request } => self.running.call_model(effect_id, request),
                TaskEffect::RunTool { call, approval } => {
                    let judged = self.running.judge(call);
                    match judged.intent(approval.as_ref()) {
                        Some(intent) => announced.push(AnnouncedCall { judged, approval, intent }),
                        None => self.running.run_tool(judged, approval),
                    }
                }
                TaskEffect::RecoverTool { call } => self.running.recover_tool(call),
                TaskEffect::RunChecks { effect_id, checks, subject, working_directory } => {
                    self.running.run_checks(effect_id, checks, subject, working_directory);
                }
                TaskEffect::QueryMemory { effect_id, query } => {
                    self.running.query_memory(effect_id, query, self.machine.working_directory());
                }
                TaskEffect::LookAround { effect_id, working_directory, request } => {
                    self.running.look_around(effect_id, working_directory, request);
                }
                TaskEffect::WriteMemory { megram } => self.running.write_memory(megram),
                TaskEffect::WakeAt { at } => {
                    self.wakes.insert(at);
                }
                TaskEffect::StopAll => {
                    self.deferred.clear();
                    self.announced.clear();
                    self.running.stop();
                    self.stop_by = Some(tokio::time::Instant::now() + Duration::from_millis(STOP_MS));
                }
            }
        }
        announced
    }

    async fn next_input(&mut self) -> TaskInput {
        if let Some(stop_by) = self.stop_by {
            return self.stopped(stop_by).await;
        }
        if let Some(held) = self.held.pop_front() {
            return held;
        }
        let (wake, clock) = (self.wakes.first().copied(), self.clock);
        tokio::select! {
            finished = self.running.next() => finished
                .unwrap_or_else(|error| TaskInput::Stop {
                    cause: StopCause::Internal,
                    detail: format!("an effect broke down: {error}"),
                }),
            Some(input) = self.inbox.recv() => input,
            () = sleep_until(wake, clock) => {
                let now = clock.now();
                self.wakes.retain(|at| *at > now);
                TaskInput::Wake
            }
        }
    }

    /// Waits until the last tool call is gone, or no longer.
    async fn stopped(&mut self, stop_by: tokio::time::Instant) -> TaskInput {
        while !self.running.tools_gone() {
            // What still completes comes too late to matter.
            if tokio::time::timeout_at(stop_by, self.running.next()).await.is_err() {
                break;
            }
        }
        self.stop_by = None;
        let mut survivors = self.running.survivors();
        if !self.running.tools_gone() && survivors.is_empty() {
            survivors.push("a tool call that did not end in time".to_owned());
        }
        TaskInput::Stopped { survivors }
    }
}

async fn sleep_until(at: Option<Timestamp>, clock: TaskClock) {
    match at {
        Some(at) => tokio::time::sleep(Duration::from_millis(at.since_ms(clock.now()))).await,
        None => std::future::pending().await,
    }
}
