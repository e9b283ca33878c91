//! The memory's thread at work: what is written when, and what happens while the memory cannot be used.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use artoo_memory::admission::Author;
use artoo_memory::consolidation::{Candidate, RuleText};
use artoo_store::{
    Maintenance, MemoryReader, MemoryWriter, PromotedRule, PromotionOutcome, StoreError, WriteOutcome,
};
use artoo_types::laws;
use artoo_types::memory::{Megram, MemoryQuery, MemoryReply};

use super::memory_events::tell;
use super::wish::{Wish, wishes_after};
use super::{MemoryRequest, MemoryView, WishAnswers, WishError, unavailable};
use crate::clock;
use crate::dreamer::bell::{DreamerBell, MAX_CANDIDATES};
use crate::health::{Concern, Health};
use crate::system::SystemBus;

/// How often the Dreamer looks, when nothing else wakes it.
const DREAMER_PERIOD: Duration = Duration::from_secs(300);
/// How soon after an end of a task it looks.
const DREAMER_SETTLE: Duration = Duration::from_secs(2);
/// How long unsynced writes may wait for their sync.
const FLUSH_AFTER: Duration = Duration::from_secs(1);
/// When a memory that cannot be used is tried again; each failure doubles it up to [`RETRY_LATEST`]. A full disk that was
/// freed should not be felt for long, and a memory that stays damaged should not keep the machine awake.
const RETRY_FIRST: Duration = Duration::from_secs(2);
const RETRY_LATEST: Duration = Duration::from_secs(120);
/// Memories that wait for a memory that cannot be written: those of some hundred tasks, in some megabytes. Older ones
/// are still in the journals, from where the next start brings in those of the last tasks.
const MAX_WRITES_WAITING: usize = 4_096;

/// The open store.
struct OpenMemory {
    reader: MemoryReader,
    writer: MemoryWriter,
    dreamer: Maintenance,
}

/// The thread's state.
pub(super) struct MemoryWorker {
    folder: PathBuf,
    view: MemoryView,
    health: Health,
    /// None while it cannot be used; then `closed` says why.
    store: Option<OpenMemory>,
    closed: String,
    /// When a memory that cannot be used is tried again.
    retry_at: Option<Instant>,
    retry_after: Duration,
    /// What is to be written, oldest first.
    waiting: VecDeque<(Author, Megram)>,
    /// When the oldest write was made that is not synced yet.
    unsynced: Option<Instant>,
    next_dream: Instant,
    /// Daily copies of the memory that are kept.
    backups: usize,
    /// Who finds the words of rules, and whether that was asked for and is not through yet.
    bell: DreamerBell,
    finding_words: bool,
    /// Where R5 tells what it did by itself.
    system: SystemBus,
}

impl MemoryWorker {
    pub(super) fn new(
        folder: PathBuf,
        system: SystemBus,
        bell: DreamerBell,
        view: MemoryView,
        health: Health,
    ) -> Self {
        Self {
            folder,
            view,
            health,
            store: None,
            closed: String::new(),
            retry_at: None,
            retry_after: RETRY_FIRST,
            waiting: VecDeque::new(),
            unsynced: None,
            next_dream: Instant::now() + DREAMER_PERIOD,
            backups: 0,
            bell,
            finding_words: false,
            system,
        }
    }

    /// The same with so many daily copies of the memory; without this there are none.
    pub(super) fn keeping(self, backups: usize) -> Self {
        Self { backups, ..self }
    }

    /// Opens the memory, or says why it cannot be used and when it is tried again.
    pub(super) fn open(&mut self) {
        match artoo_store::open(&self.folder) {
            Ok((reader, writer, dreamer)) => {
                self.view.set(Ok(reader.clone()));
                self.store = Some(OpenMemory { reader, writer, dreamer });
                self.retry_at = None;
                self.retry_after = RETRY_FIRST;
                self.health.clear(&Concern::Memory);
                self.lay_down_laws();
                self.catch_up();
            }
            Err(error) => self.close(&error),
        }
    }

    /// Lets the store go, so that it can be opened anew: after a failed write it may take nothing any more.
    fn close(&mut self, error: &StoreError) {
        let folder = self.folder.display();
        let restore = match artoo_store::backups(&self.folder).unwrap_or_default().first() {
            Some(newest) => format!(
                "run `artoo-daemon memory restore` (its copy {} then takes its place), or ",
                newest.occasion.name()
            ),
            None => String::new(),
        };
        self.closed = format!(
            "the memory cannot be used, and tasks run without it: {error}. It is tried again by itself; if that does \
             not help, stop the daemon, {restore}move {folder} away and start again with an empty memory"
        );
        self.view.set(Err(self.closed.clone()));
        self.store = None;
        self.unsynced = None;
        self.retry_at = Some(Instant::now() + self.retry_after);
        self.retry_after = RETRY_LATEST.min(self.retry_after * 2);
        self.health.raise(Concern::Memory, self.closed.clone());
    }

    /// Serves until the last inbox is gone.
    pub(super) fn run(mut self, inbox: &Receiver<MemoryRequest>) {
        loop {
            match inbox.recv_timeout(self.patience()) {
                Ok(request) => self.serve(request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.retry_at.is_some_and(|at| Instant::now() >= at) {
                self.try_again();
            }
            if self.unsynced.is_some_and(|since| since.elapsed() >= FLUSH_AFTER) {
                self.flush();
            }
            if Instant::now() >= self.next_dream {
                self.dream();
            }
        }
        self.flush();
    }

    /// How long to wait for a request before something else is due.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let flush = self.unsynced.map(|since| since + FLUSH_AFTER);
        [Some(self.next_dream), self.retry_at, flush]
            .into_iter()
            .flatten()
            .map(|at| at.saturating_duration_since(now))
            .min()
            .unwrap_or(DREAMER_PERIOD)
    }

    /// Opens the memory anew and writes what waits.
    pub(super) fn try_again(&mut self) {
        self.open();
        self.write_waiting();
    }

    pub(super) fn serve(&mut self, request: MemoryRequest) {
        match request {
            MemoryRequest::Write(author, megram) => {
                if self.waiting.len() == MAX_WRITES_WAITING {
                    tracing::warn!(
                        "too many memories wait to be written; the oldest stays in its journal alone"
                    );
                    self.waiting.pop_front();
                }
                self.waiting.push_back((author, *megram));
                self.write_waiting();
            }
            MemoryRequest::Promote(candidate, words, reply) => {
                // Who asked may have been stopped; the rule is one all the same.
                let _ = reply.send(self.promote(&candidate, &words));
            }
            MemoryRequest::Dreamt { any } => {
                self.finding_words = false;
                if any {
                    self.next_dream = self.next_dream.min(Instant::now() + DREAMER_SETTLE);
                }
            }
            MemoryRequest::Wishes(wishes, reply) => {
                // Who asked may have gone; the wishes are granted all the same.
                let _ = reply.send(self.grant(&wishes));
            }
            MemoryRequest::Query(query, reply) => {
                let _ = reply.send(self.answer(&query));
            }
            MemoryRequest::TaskEnded => {
                self.next_dream = self.next_dream.min(Instant::now() + DREAMER_SETTLE);
            }
            MemoryRequest::Drain(done) => {
                self.flush();
                let _ = done.send(());
            }
        }
    }

    /// Writes the laws into a memory that does not have them yet. What the operator forgot of them stays away.
    fn lay_down_laws(&mut self) {
        let Some(store) = &mut self.store else { return };
        let now = clock::now();
        let written: Result<Vec<WriteOutcome>, StoreError> =
            laws::megrams().iter().map(|law| store.writer.remember(now, law)).collect();
        match written {
            Ok(_) => {}
            Err(error) if is_about_the_store(&error) => self.close(&error),
            Err(error) => tracing::error!(%error, "the laws could not be written into the memory"),
        }
    }

    /// Carries out what the operator wished and the memory does not know to be done: after a crash in between, and after
    /// the memory could not be used.
    fn catch_up(&mut self) {
        let Some(store) = &self.store else { return };
        let done = store.writer.carried_out().map_err(|error| error.to_string());
        let found = done.and_then(|done| wishes_after(self.system.path(), done).map_err(|e| e.to_string()));
        match found {
            Ok(wishes) if wishes.is_empty() => {}
            Ok(wishes) => {
                let refused = self.grant(&wishes).into_iter().filter_map(Result::err).collect::<Vec<_>>();
                tracing::info!(wishes = wishes.len(), ?refused, "wishes of the operator were caught up");
            }
            Err(error) => tracing::error!(error, "wishes of the operator cannot be caught up"),
        }
    }

    /// Carries out wishes in order, and notes how far that went. The first one that the store itself fails ends it: it and
    /// those behind it stay in the journal until the memory can be used again.
    fn grant(&mut self, wishes: &[(u64, Wish)]) -> WishAnswers {
        let mut answers = Vec::new();
        for (sequence, wish) in wishes {
            let Some(store) = &mut self.store else {
                answers.push(Err(WishError::Later(self.closed.clone())));
                continue;
            };
            let granted = wish.carry_out(clock::now(), &mut store.writer, &mut store.dreamer);
            let noted = match &granted {
                Err(error) if is_about_the_store(error) => Ok(()),
                Ok(_) | Err(_) => store.writer.set_carried_out(*sequence),
            };
            self.unsynced.get_or_insert_with(Instant::now);
            match granted.and_then(|granted| noted.map(|()| granted)) {
                Ok(granted) => answers.push(Ok(granted)),
                Err(error) if is_about_the_store(&error) => {
                    self.close(&error);
                    answers.push(Err(WishError::Later(self.closed.clone())));
                }
                Err(error) => answers.push(Err(WishError::Refused(error.to_string()))),
            }
        }
        answers
    }

    fn answer(&self, query: &MemoryQuery) -> MemoryReply {
        match &self.store {
            Some(store) => store.reader.answer(clock::now(), query),
            None => unavailable(&self.closed),
        }
    }

    /// Writes what waits, in order, as far as the store takes it.
    fn write_waiting(&mut self) {
        while let (Some(store), Some((author, megram))) = (&mut self.store, self.waiting.front()) {
            let written = match author {
                Author::Controller => store.writer.write(clock::now(), megram),
                Author::Operator => store.writer.remember(clock::now(), megram),
            };
            match written {
                Ok(_) => {
                    self.unsynced.get_or_insert_with(Instant::now);
                }
                Err(error) if is_about_the_store(&error) => return self.close(&error),
                Err(error) => tracing::error!(%error, id = %megram.id, "a memory was not taken"),
            }
            self.waiting.pop_front();
        }
    }

    fn flush(&mut self) {
        let Some(store) = self.store.as_mut().filter(|_| self.unsynced.take().is_some()) else { return };
        if let Err(error) = store.writer.flush() {
            self.close(&error);
        }
    }

    /// Keeps a copy of the memory when a day is over. One that fails is said and tried again when the Dreamer looks next.
    fn back_up(&mut self) {
        let Some(store) = &mut self.store else { return };
        match store.dreamer.back_up(clock::now(), self.backups) {
            Ok(made) => {
                if let Some(made) = made {
                    tracing::info!(name = made.occasion.name(), "a copy of the memory was made");
                }
                self.health.clear(&Concern::MemoryBackup);
            }
            Err(error) => {
                self.health
                    .raise(Concern::MemoryBackup, format!("the memory has no new daily copy: {error}"));
            }
        }
    }

    /// The downward flow: forgetting and demotion; then the upward one. Never a model call on this thread.
    pub(super) fn dream(&mut self) {
        self.next_dream = Instant::now() + DREAMER_PERIOD;
        let Some(store) = &mut self.store else { return };
        match store.dreamer.tick(clock::now()) {
            Ok(report) => {
                self.view.note_dream(clock::now());
                if report.more {
                    self.next_dream = Instant::now() + DREAMER_SETTLE;
                }
                tracing::debug!(?report, "the dreamer looked");
                tell(&self.system, &report);
                self.back_up();
                self.look_up();
            }
            Err(error) if is_about_the_store(&error) => self.close(&error),
            Err(error) => tracing::error!(%error, "the dreamer could not finish"),
        }
    }

    /// The upward flow: evidence that is enough for rules is handed to whoever finds the words. One batch at a time, so
    /// that nothing is asked twice.
    fn look_up(&mut self) {
        let Some(store) = self.store.as_mut().filter(|_| !self.finding_words) else { return };
        match store.dreamer.candidates(clock::now(), MAX_CANDIDATES) {
            Ok(candidates) if candidates.is_empty() => {}
            Ok(candidates) => self.finding_words = self.bell.ripe(candidates),
            Err(error) if is_about_the_store(&error) => self.close(&error),
            Err(error) => tracing::error!(%error, "the dreamer could not look for rules"),
        }
    }

    fn promote(&mut self, candidate: &Candidate, words: &RuleText) -> Option<Box<PromotedRule>> {
        let store = self.store.as_mut()?;
        match store.dreamer.promote(clock::now(), candidate, words) {
            Ok(PromotionOutcome::Promoted(promoted)) => Some(promoted),
            Ok(PromotionOutcome::Stale(why)) => {
                tracing::info!(why, tag = ?candidate.tag, "a rule was not made");
                None
            }
            Err(error) if is_about_the_store(&error) => {
                self.close(&error);
                None
            }
            Err(error) => {
                tracing::error!(%error, "a rule could not be made");
                None
            }
        }
    }
}

/// Whether another memory would fail the same way.
fn is_about_the_store(error: &StoreError) -> bool {
    match error {
        StoreError::Locked { .. }
        | StoreError::NotWritable { .. }
        | StoreError::NewerSchema { .. }
        | StoreError::NotAMemory { .. }
        | StoreError::Database { .. } => true,
        StoreError::Rejected(_)
        | StoreError::Damaged { .. }
        | StoreError::Backup { .. }
        | StoreError::FaultyBackup { .. }
        | StoreError::BadCursor => false,
    }
}
