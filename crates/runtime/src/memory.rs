//! The thread of R5: it holds the one memory writer, and its inbox is the only way to it.
//!
//! A memory that cannot be opened or written does not keep the daemon from its work: tasks are told that it is
//! unavailable, what should be remembered waits, and it is opened again by itself (see [`worker`]).

mod declared;
mod desk;
mod memory_events;
mod wish;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use artoo_memory::admission::Author;
use artoo_memory::consolidation::{Candidate, RuleText};
use artoo_store::{MemoryReader, PromotedRule};
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, MemoryQuery, MemoryReply};
use parking_lot::RwLock;
use tokio::sync::oneshot;

use crate::dreamer::bell::DreamerBell;
use crate::health::Health;
use crate::system::SystemBus;
use wish::Wish;
use worker::MemoryWorker;

pub use declared::declared;
pub use desk::{OperatorDesk, WishError};
pub use wish::WishOutcome;

/// What the memory's inbox takes. Experience comes from R7 alone, as journaled megram writes; what the operator wants is
/// journaled as well, and comes with the sequence under which it is.
enum MemoryRequest {
    Write(Author, Box<Megram>),
    Wishes(Vec<(u64, Wish)>, oneshot::Sender<WishAnswers>),
    Promote(Box<Candidate>, RuleText, oneshot::Sender<Option<Box<PromotedRule>>>),
    Dreamt { any: bool },
    Query(MemoryQuery, oneshot::Sender<MemoryReply>),
    TaskEnded,
    Drain(oneshot::Sender<()>),
}

/// One answer for each wish.
type WishAnswers = Vec<Result<WishOutcome, WishError>>;

/// The way to the memory's inbox. It is not bounded: a task writes some tens of megrams, each of a few hundred bytes,
/// and a write that is already journaled must not be dropped.
#[derive(Debug, Clone)]
pub struct MemoryInbox {
    requests: Sender<MemoryRequest>,
    known_until: Option<Timestamp>,
}

impl MemoryInbox {
    /// Remembers experience; nothing waits for it.
    pub fn write(&self, megram: Megram) {
        self.send(Author::Controller, megram);
    }

    /// Remembers what the operator wants remembered; nothing waits for it.
    pub fn remember(&self, megram: Megram) {
        self.send(Author::Operator, megram);
    }

    fn send(&self, author: Author, megram: Megram) {
        if self.requests.send(MemoryRequest::Write(author, Box::new(megram))).is_err() {
            tracing::error!("the memory's thread is gone; the journal still holds the write");
        }
    }

    /// Has a candidate made a rule in these words, and returns the rule with what follows from it. None when it is not
    /// enough any more, or the memory cannot be used now: then it is found again, if it is still so.
    pub async fn promote(&self, candidate: Candidate, words: RuleText) -> Option<Box<PromotedRule>> {
        let (sender, receiver) = oneshot::channel();
        self.requests.send(MemoryRequest::Promote(Box::new(candidate), words, sender)).ok()?;
        receiver.await.ok().flatten()
    }

    /// The candidates that were handed out last are through; whether any of them became a rule.
    pub fn dreamt(&self, any: bool) {
        let _ = self.requests.send(MemoryRequest::Dreamt { any });
    }

    /// What is known about the tags. A memory that cannot answer says so in the reply.
    pub async fn query(&self, query: MemoryQuery) -> MemoryReply {
        let (sender, receiver) = oneshot::channel();
        if self.requests.send(MemoryRequest::Query(query, sender)).is_err() {
            return unavailable("the memory does not answer");
        }
        match tokio::time::timeout(Duration::from_secs(5), receiver).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) | Err(_) => unavailable("the memory does not answer"),
        }
    }

    /// When the memory last changed, as it was found at the start: what was learned since then is in journals alone. None
    /// when it was empty, or could not be opened.
    pub fn known_until(&self) -> Option<Timestamp> {
        self.known_until
    }

    /// Hands in wishes that are journaled; the answers come when all are carried out.
    fn grant(&self, wishes: Vec<(u64, Wish)>) -> oneshot::Receiver<WishAnswers> {
        let (sender, receiver) = oneshot::channel();
        if self.requests.send(MemoryRequest::Wishes(wishes, sender)).is_err() {
            tracing::error!("the memory's thread is gone; the journal still holds the wishes");
        }
        receiver
    }

    /// A task ended: the Dreamer looks soon.
    pub fn task_ended(&self) {
        let _ = self.requests.send(MemoryRequest::TaskEnded);
    }

    /// Returns when everything sent before is written and synced, as far as the memory can be written.
    pub async fn drain(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.requests.send(MemoryRequest::Drain(sender)).is_ok() {
            let _ = receiver.await;
        }
    }
}

fn unavailable(why: &str) -> MemoryReply {
    MemoryReply { unavailable: Some(why.to_owned()), ..MemoryReply::default() }
}

/// Why the memory cannot be read now, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MemoryUnavailable(String);

/// The memory as the operator reads it. Cheap to clone; all clones see the same.
#[derive(Clone)]
pub struct MemoryView {
    now: Arc<RwLock<Result<MemoryReader, String>>>,
    /// When the Dreamer looked last, in milliseconds since the epoch; 0 when it has not yet.
    dreamt_at: Arc<AtomicI64>,
}

impl MemoryView {
    fn closed(why: &str) -> Self {
        Self { now: Arc::new(RwLock::new(Err(why.to_owned()))), dreamt_at: Arc::default() }
    }

    /// The memory.
    ///
    /// # Errors
    /// When it is closed.
    pub fn reader(&self) -> Result<MemoryReader, MemoryUnavailable> {
        self.now.read().clone().map_err(MemoryUnavailable)
    }

    /// When the Dreamer looked last, if it has since the daemon started.
    pub fn dreamt_at(&self) -> Option<Timestamp> {
        Some(self.dreamt_at.load(Ordering::Relaxed)).filter(|at| *at != 0).map(Timestamp)
    }

    fn note_dream(&self, at: Timestamp) {
        self.dreamt_at.store(at.0, Ordering::Relaxed);
    }

    fn set(&self, now: Result<MemoryReader, String>) {
        *self.now.write() = now;
    }
}

/// The running memory: the ways to it, and its thread.
pub struct RunningMemory {
    /// Where tasks write and ask.
    pub inbox: MemoryInbox,
    /// Where the operator has it changed.
    pub desk: OperatorDesk,
    /// Where the operator reads.
    pub view: MemoryView,
    /// Ends when the last inbox and the last desk are dropped, after what is queued is written.
    pub thread: JoinHandle<()>,
}

/// Opens the memory in `folder`, carries out what the operator wished of it before a crash, and starts its thread. It keeps
/// `backups` daily copies of the memory.
///
/// # Errors
/// When no thread can be made. A memory that cannot be opened is none: it is said in `health`, and tried again.
pub fn start(
    folder: PathBuf,
    backups: usize,
    bell: DreamerBell,
    system: SystemBus,
    health: Health,
) -> std::io::Result<RunningMemory> {
    let (requests, queue) = channel();
    let view = MemoryView::closed("the memory is being opened");
    // Opened before anybody can ask, so that the first task has it.
    let mut worker = MemoryWorker::new(folder, system.clone(), bell, view.clone(), health).keeping(backups);
    worker.open();
    let known_until = view.reader().ok().and_then(|reader| reader.latest());
    let thread = std::thread::Builder::new().name("memory".to_owned()).spawn(move || worker.run(&queue))?;
    let inbox = MemoryInbox { requests, known_until };
    Ok(RunningMemory { desk: OperatorDesk::new(system, inbox.clone()), inbox, view, thread })
}

#[cfg(test)]
mod tests;
